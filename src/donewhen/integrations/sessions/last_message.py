"""Whether an agent that stops waits for its user: it asks, only plans, or was told to stop here. Pure.

This decides about blocking alone, never about *accepted*: what is not finished is recorded as that. A reply
that claims finished work is a claim, whatever question follows it.
"""

import re
from typing import Literal

Waits = Literal["", "asks", "plans", "told"]

_PLAN_MODES = ("plan",)
_CLAIM = re.compile(
    r"""\b(?:tests?|checks?|suite|build|lint(?:er)?|everything|it)\b[^.?!\n]{0,40}
        \b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|works?\s+now|(?:is|are)\s+(?:now\s+)?(?:done|fixed|complete))\b
      | \b(?:all|everything(?:'s|\s+is)?)\s+(?:done|green|fixed|complete)\b
      | \bI(?:'ve|\s+have)?\s+(?:fixed|implemented|completed|finished|added|repaired|resolved)\b
      | \b(?:fixed|done|completed|implemented)\s*[.!]
      | (?:测试|检查|构建).{0,10}(?:通过|成功) | 已(?:经)?(?:完成|修复|实现)""",
    re.IGNORECASE | re.VERBOSE,
)
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
    return bool(_CLAIM.search(reply[-_LONGEST:]))


def waits_for_user(reply: str, prompt: str, mode: str = "") -> Waits:
    """`reply`: the agent's last message; `prompt`: what the user said last; `mode`: the client's own."""
    if mode in _PLAN_MODES:
        return "plans"
    reply = reply[-_LONGEST:]
    if not reply.strip() or _CLAIM.search(reply):
        return ""
    if _QUESTION_END.search(reply):
        return "asks"
    return "told" if _TOLD.search(prompt[-_LONGEST:]) else ""
