"""TAP: a plan and a line per test. Indented lines are subtests, parts of the test that follows them.

Without plan or version line an `ok` is just a word of some program.
"""

import re

from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import counted
from donewhen.core.counts import Counts

_PLAN = re.compile(r"1\.\.(?P<n>\d{1,9})(?:\s{1,8}#.{0,300})?")
_VERSION = re.compile(r"TAP version \d{1,3}")
_POINT = re.compile(r"(?P<verdict>ok|not ok)\b(?P<rest>.*)")
_DIRECTIVE = re.compile(r"\s#\s{0,4}(?P<word>skip|todo)", re.IGNORECASE)
_BAIL = re.compile(r"Bail out!.*")


def read_tap(lines: Lines) -> list[Counts]:
    plans = [int(found["n"]) for line in lines if (found := _PLAN.fullmatch(line))]
    if not plans and not any(_VERSION.fullmatch(line) for line in lines):
        return []
    words = [_word(found) for line in lines if (found := _POINT.fullmatch(line))]
    if not words and any(plans):
        return []  # announced, and no line of it was seen
    bailed = sum(1 for line in lines if _BAIL.fullmatch(line))
    pairs = [(words.count(word), word) for word in ("passed", "failed", "skipped")]
    return [counted("tap", [*pairs, (bailed, "errors")])]


def _word(found: re.Match[str]) -> str:
    """A test that is skipped or still to do never fails, and proves nothing."""
    if _DIRECTIVE.search(found["rest"]):
        return "skipped"
    return "passed" if found["verdict"] == "ok" else "failed"
