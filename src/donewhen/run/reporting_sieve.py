"""Which commands of a long run the proof board is asked about.

Reading a command as a possible check costs about a millisecond, and an agent runs thousands that are none. In
a long ledger an old command of the agent's that shares no word with anything declared is told to the board
as what it did to the tree, and no more. Short ledgers, recent commands, the harness's own runs and everything
that shares a word with a declared command go through whole. What may get lost is an old try of the agent's
in another spelling, which proves nothing.
"""

import re
from collections.abc import Iterator
from typing import Any

from donewhen.core.codec import thaw
from donewhen.core.events import Body, facts, run

SHORT = 2000  # events of a ledger that is read whole
RECENT = 500  # events at the end of a long one
_WORD = re.compile(r"[A-Za-z]{3,}")
_SET = (run.PromiseSet, run.PromiseAmended)


class Sieve:
    """`last` is the number of the ledger's last event."""

    def __init__(self, last: int) -> None:
        self._from = 0 if last <= SHORT else last - RECENT
        self._words: frozenset[str] = frozenset()
        self._open = False  # nothing is declared by name: any command may be the proof

    def through(self, body: Body, seq: int) -> Body:
        """What the board takes in place of this event's body."""
        if isinstance(body, _SET):
            found = frozenset(_declared(thaw(body.promise)))
            self._words, self._open = self._words | found, not found
        elif isinstance(body, run.PlanRevised):
            self._words |= frozenset(_declared({"checks": thaw(body.checks)}))
        if not isinstance(body, facts.CommandEnded) or self._matters(body, seq):
            return body
        return facts.CommandStarted(body.key, "", by=body.by, before=body.after or body.before)

    def _matters(self, body: facts.CommandEnded, seq: int) -> bool:
        if seq >= self._from or self._open or body.by != "agent":
            return True
        text = body.command.lower()
        return any(word in text for word in self._words)


def _declared(promise: Any) -> Iterator[str]:
    """The words of every command that a promise or a plan names."""
    entries = promise.get("accept") if isinstance(promise, dict) else None
    lines = [entry for entry in entries or () if isinstance(entry, str)]
    checks = promise.get("checks") if isinstance(promise, dict) else None
    lines += [
        str(check.get("target") or "")
        for check in checks or ()
        if isinstance(check, dict) and check.get("kind") in ("command_success", "command")
    ]
    for line in lines:
        yield from (word.lower() for word in _WORD.findall(line))
