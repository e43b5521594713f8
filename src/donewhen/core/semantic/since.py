"""What moved between two reviews, so that the second one judges what was mended and not all anew.

Made of the diff between the two trees. Where lines were only taken away, the lines around the gap count as
changed: something was done there.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.quality.lines import Moved, changed_lines, moved

_NEAR = 2  # reviewers miscount


class Since(NamedTuple):
    """Lines of now that changed since the last review, and where the files of then are."""

    lines: Mapping[str, frozenset[int]] = MappingProxyType({})
    moves: Mapping[str, Moved] = MappingProxyType({})

    def changed(self, file: str, line: int) -> bool:
        """Whether a place of now is, or is next to, something that changed; line 0 stands for the file."""
        lines = self.lines.get(file, frozenset())
        return bool(lines) if not line else any(line + off in lines for off in range(-_NEAR, _NEAR + 1))

    def lost(self, file: str, line: int) -> bool:
        """Whether a place of then was changed or taken away."""
        move = self.moves.get(file)
        if move is None:
            return False
        return not move.path or move.line_now(line) is None


NOTHING = Since()


def changed_since(diff: str) -> Since:
    """`diff`: from the tree of the last review to that of now; Unreadable when it can't be read."""
    lines = {file: set(numbers) for file, numbers in changed_lines(diff).items()}
    moves = moved(diff)
    for move in moves.values():
        gaps = [edit.new for edit in move.edits if edit.removed] if move.path else []
        if gaps:
            lines.setdefault(move.path, set()).update(max(1, at + off) for at in gaps for off in (-1, 0))
    return Since(MappingProxyType({file: frozenset(found) for file, found in lines.items()}), moves)
