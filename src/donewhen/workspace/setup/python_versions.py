"""Which Python a project asks for (`requires-python`), compared with one that is there.

Pure. Whatever can't be read asks for nothing: a wrong guess would refuse a project that installs well.
"""

import re

Version = tuple[int, ...]

_CLAUSE = re.compile(r"(~=|===?|!=|<=|>=|<|>|\^|~)?v?(\d{1,4}(?:\.\d{1,6}){0,3})(\.\*)?")
_LONGEST = 300


def satisfies(version: Version, wanted: str) -> bool:
    """Whether a Python of that version fits `>=3.8,<4`, also in poetry's words (`^3.8`, `~3.9`)."""
    alternatives = wanted[:_LONGEST].split("||")
    return any(all(_holds(version, clause) for clause in each.split(",")) for each in alternatives)


def _holds(version: Version, clause: str) -> bool:
    match = _CLAUSE.fullmatch("".join(clause.split()))
    if not match:
        return True
    operator, asked, star = match[1] or "==", tuple(int(part) for part in match[2].split(".")), bool(match[3])
    here = (*version, 0, 0, 0)[: max(len(asked), 3)]
    full = (*asked, 0, 0, 0)[: len(here)]
    same = version[: len(asked)] == asked
    answers = {
        "==": same if star or len(asked) < 3 else here == full,
        "===": here == full,
        "!=": not (same if star else here == full),
        "<": here < full,
        "<=": here <= full or same,
        ">": here > full,
        ">=": here >= full,
        "~=": here >= full and version[: max(1, len(asked) - 1)] == asked[: max(1, len(asked) - 1)],
        "~": here >= full and version[: min(2, len(asked))] == asked[:2],
        "^": here >= full and version[:1] == asked[:1],
    }
    return answers[operator]
