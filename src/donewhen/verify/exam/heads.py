"""Which programs a command runs, by their bare names; also those behind `env`, `timeout`, `bash -c` ….

Pure reading of words. What a script file or a program's own settings run is not looked for: the guard does.
"""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.core.commands.tools.names import program_name
from donewhen.core.commands.walk import simples
from donewhen.core.tree import Simple, Statement, Word
from donewhen.shell import unwrap

Names = frozenset[str]  # all names that one program goes by


class Heads(NamedTuple):
    all: tuple[Names, ...]  # wrappers too
    last: tuple[Names, ...]  # what does the work: wrappers that only pass on are left out


def heads_of(argv: tuple[str, ...]) -> Heads:
    words = tuple(map(Word, argv))
    tree = (Statement(Simple(words, inner=unwrap(words))),)
    every = tuple(_names(each) for each in _every(tree))
    return Heads(every, tuple(_names(each) for each in simples(tree)))


def head_of(command: str) -> str:
    """The program that an entry of a list names: `go test` means `go`."""
    return (command.split() or [""])[0].rpartition("/")[2]


def _every(tree: object) -> Iterator[Simple]:
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            if isinstance(node, Simple) and node.words:
                yield node
            stack.extend(reversed(node))


def _names(command: Simple) -> Names:
    words = [word.text for word in command.words]
    base = words[0].rpartition("/")[2]
    spelled = program_name(base)[0]
    module = {words[2]} if spelled == "python" and words[1:2] == ["-m"] and len(words) > 2 else set[str]()
    return frozenset({base, spelled, *module})
