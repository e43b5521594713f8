"""Which files a patch in Codex's own format would change; the text of the changes does not matter here."""

import re
from typing import NamedTuple

BEGIN = "*** Begin Patch"
_LINE = re.compile(
    r"^[ \t]*\*\*\* (Add File|Update File|Delete File|Move to):[ \t]*(\S.*?)[ \t]*\r?$", re.MULTILINE
)
MOST = 500


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
