"""Scripts in Python or JavaScript that run the exam: only what looks like the verdict is compared."""

import re
from collections.abc import Iterator, Sequence

from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.roles import role_of
from donewhen.core.texts import Phrase
from donewhen.verify.integrity.settings.formats import text_of
from donewhen.verify.integrity.settings.model import ChangedFile
from donewhen.verify.integrity.settings.sections import is_code
from donewhen.verify.integrity.settings.values import not_compared

_SCRIPT = re.compile(r"(?:.*/)?[^/]{1,120}\.(?:py|[cm]?js)", re.DOTALL)
_VERDICT = re.compile(
    r"exit|unittest|pytest|returncode|wasSuccessful|check_call|check=True|raise|assert|spawn|exec|status|fail|discover"
    r"|node:test|mocha|jest|\brun\("
)
_MASK = re.compile(
    r"exit\(\s*0?\s*\)|_exit|\bexcept\b|\bcatch\b|skip|return 0|check=False|process\.exitCode\s*=\s*0"
)


def compare_scripts(files: Sequence[ChangedFile]) -> Iterator[Finding]:
    """Places where a script that runs the exam lost a verdict, or may now hide one."""
    for each in files:
        if each.base in (None, each.now) or each.now is None or not _is_script(each.path):
            continue
        before, now = text_of(each.base or b""), text_of(each.now)
        if before is None or now is None:
            continue
        line = _turn(before, now)
        if line:
            yield not_compared(each.path, line, Phrase("weakening.script"))


def _is_script(path: str) -> bool:
    named = bool(_SCRIPT.fullmatch(path)) and path.rpartition("/")[2] != "noxfile.py"
    return named and role_of(path) == "config" and not is_code(path)


def _turn(before: str, now: str) -> int:
    """The first line that hides a verdict, or one near the verdict that is gone; 0 where there is none."""
    old, new = ([_plain(line) for line in text.split("\n")] for text in (before, now))
    known, kept = set(old), set(new)
    for at, line in enumerate(new, 1):
        if line not in known and _MASK.search(line):
            return at
    gone = next((at for at, line in enumerate(old, 1) if line not in kept and _VERDICT.search(line)), 0)
    return min(gone, len(new)) if gone else 0


def _plain(line: str) -> str:
    return "" if line.lstrip().startswith(("#", "//")) else "".join(line.split()).replace("'", '"')
