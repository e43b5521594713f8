"""Settings: whether commands and configuration ask less of the exam than they did at the base.

Files are read in their own format and never run. What is only added or got stricter is no finding; what can't
be read and changed is said as such.
"""

from collections.abc import Sequence

from donewhen.core.integrity.model import Finding
from donewhen.verify.integrity.settings.model import ChangedFile

__all__ = ["ChangedFile", "compare_settings"]


def compare_settings(files: Sequence[ChangedFile]) -> tuple[Finding, ...]:
    """What the change of these files takes away from the exam.

    Files that did not change may be among them: they say what a changed command calls, and which settings a
    new file hides.
    """
    from donewhen.verify.integrity.settings.commands import compare_commands
    from donewhen.verify.integrity.settings.lines import compare_lines
    from donewhen.verify.integrity.settings.moves import Moves
    from donewhen.verify.integrity.settings.scripts import compare_scripts
    from donewhen.verify.integrity.settings.still import stilled
    from donewhen.verify.integrity.settings.surroundings import compare_surroundings
    from donewhen.verify.integrity.settings.values import compare_values

    files = stilled(files)
    if all(each.base == each.now for each in files):
        return ()
    moves = Moves(files)
    found = (
        *compare_commands(files, moves),
        *compare_values(files, moves),
        *compare_surroundings(files),
        *compare_lines(files),
        *compare_scripts(files),
    )
    told = {(each.rule, each.file, each.line, each.before, str(each.message)): each for each in found}
    return tuple(told.values())
