"""Which commands a line runs, and which of them its exit status proves.

An abstract interpreter over the syntax tree: at each point it knows which commands surely returned 0
(`status`), so a proof is never a pattern but follows from how the shell runs the line. Paths are joined, so
work stays proportional to the text; where the line does what can't be followed, nothing after it is proven.
It runs nothing and compares nothing.
"""

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.reader import Reader, TooMuch
from donewhen.core.commands.status import NOTHING, Facts, State
from donewhen.core.commands.surroundings import Shell, ended, shell_status
from donewhen.core.commands.walk import simples
from donewhen.core.tree import Script


def invocations(script: Script, root: str | None = None) -> tuple[Invocation, ...]:
    """Every simple command of the line, in order; `root` is the workspace's absolute path when known."""
    reader = Reader(root)
    shell = Shell([])
    try:
        flow = reader.script(script, State(), shell)
        reader.finish(ended(flow), shell)
        reader.uncalled()
    except TooMuch:
        return tuple(Invocation(each.words, proven=False) for each in simples(script))
    proven = shell_status(shell.exits).zero or NOTHING
    return _distinct(reader, _in_all_rounds(reader, proven - reader.repeated))


def _in_all_rounds(reader: Reader, proven: Facts) -> Facts:
    """Without a command of which another round of the same loop may have failed unseen."""
    lost: set[int] = set()
    for start, end in reader.rounds:
        unseen = {
            reader.found[n].words for n in range(start, end) if n not in proven and reader.found[n].reached
        }
        lost.update(n for n in range(start, end) if reader.found[n].words in unseen)
    return proven - lost


def _distinct(reader: Reader, proven: Facts) -> tuple[Invocation, ...]:
    """What a loop runs again and again is told once."""
    told: dict[object, Invocation] = {}
    for number, found in enumerate(reader.found):
        each = found._replace(proven=number in proven)
        key: object = number
        if number in reader.repeated:
            key = (each.words, each.folder, each.reached, each.spoiled, tuple(sorted(each.env)))
        told.setdefault(key, each)
    return tuple(told.values())
