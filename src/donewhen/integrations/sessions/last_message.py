"""Whether an agent that stops waits for its user: it asks, only plans, or was told to stop here. Pure.

This decides about blocking alone, never about *accepted*: what is not finished is recorded as that. A reply
that claims something of the table of receipts is a claim, whatever question follows it.
"""

import re
from typing import Literal

Waits = Literal["", "asks", "plans", "told"]

_PLAN_MODES = ("plan",)
_TOLD = re.compile(
    r"""\b(?:plan\s+only|only\s+(?:a\s+|the\s+|make\s+a\s+|write\s+a\s+)?plan|without\s+implementing)\b
      | \b(?:do\s+not|don'?t)\s+(?:implement|fix|change|edit|write\s+any\s+code)\b
      | \bfailing\s+test\b | \bask\s+(?:me|first)\b | \bstop\s+(?:there|after\s+that)\b
      | 不要(?:实现|修改|动手) | 先(?:问|写一个失败) | 只(?:做|写)?计划""",
    re.IGNORECASE | re.VERBOSE,
)
_QUESTION_END = re.compile(r"[?？][\s*_`)\"'”’]*\Z")
_LONGEST = 20_000


def claims_work(reply: str) -> bool:
    """Whether the agent says that something is done, passes or works."""
    from donewhen.integrations.receipt import claims  # compiles its table: only for who asks

    return claims.claims_work(reply[-_LONGEST:])


def waits_for_user(reply: str, prompt: str, mode: str = "") -> Waits:
    """`reply`: the agent's last message; `prompt`: what the user said last; `mode`: the client's own."""
    if mode in _PLAN_MODES:
        return "plans"
    reply = reply[-_LONGEST:]
    if not reply.strip() or claims_work(reply):
        return ""
    if _QUESTION_END.search(reply):
        return "asks"
    return "told" if _TOLD.search(prompt[-_LONGEST:]) else ""
