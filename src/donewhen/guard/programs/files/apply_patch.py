"""`apply_patch`, which coding agents bring along: a patch in a format of its own, as an argument or on stdin.

Which files it would change is all that matters here; the text of the changes does not.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.guard.call import Call
from donewhen.guard.effects import Deletes, Writes
from donewhen.guard.marks import HOLE

BEGIN = "*** Begin Patch"
MOST = 500  # files in one patch
_LINE = re.compile(
    r"^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE
)


class Touched(NamedTuple):
    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


def touched(patch: str) -> Touched | None:
    """None for what is no patch, names no file or too many: nobody can say then what it would do."""
    lines = _LINE.findall(patch)
    if BEGIN not in patch or not lines or len(lines) > MOST:
        return None
    written, deleted, last = [], [], ""
    for what, path in lines:
        if what == "Move to":
            deleted.append(last)
        if what == "Delete File":
            deleted.append(path)
        else:
            written.append(path)
        last = path
    return Touched(tuple(written), tuple(path for path in deleted if path))


def apply_patch(call: Call) -> Iterator[Writes | Deletes]:
    found = touched(call.argv[1] if len(call.argv) > 1 else call.stdin or "")
    if found is None:
        yield Writes(call.at(HOLE))
        return
    yield from (Writes(call.at(path)) for path in found.written)
    yield from (Deletes(call.at(path)) for path in found.deleted)
