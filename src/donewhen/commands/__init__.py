"""Acceptance commands: what a line proves, which commands a goal names, how many tests ran.

`parse` is the door: it reads a text to its tree and compares trees (`core.matches.Parse`). What it needs is
loaded when it is first asked; the shell itself is understood by `shell.interpreter`, programs by their rows.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from donewhen.core.counts import Counts
    from donewhen.core.matches import Described, Match, Mode, Parse
    from donewhen.core.tree import Tree
    from donewhen.shell import Dialect

__all__ = ["parse"]


class _Parse:
    """Stateless, so that any two are equal and caches know them."""

    def __call__(self, text: str, /, shell: "Dialect" = "bash") -> "Tree":
        from donewhen.shell import parse

        return parse(text, shell)

    def key(self, tree: "Tree") -> str:
        from donewhen.commands.matching import key

        return key(tree)

    def describe(self, tree: "Tree") -> "Described":
        from donewhen.commands.describing import describe

        return describe(tree)

    def match(self, declared: "Tree", executed: "Tree") -> "Match":
        from donewhen.commands.matching import match

        return match(declared, executed)

    def matches(self, target: str, executed: str, mode: "Mode") -> "Match":
        from donewhen.commands.matching import matches

        return matches(target, self(target), executed, self(executed), mode)

    def whole_tests(self, executed: "Tree") -> "Match":
        from donewhen.commands.describing import whole_tests

        return whole_tests(executed)

    def read_counts(self, output: str) -> "Counts | None":
        from donewhen.commands.counts import read_counts

        return read_counts(output)

    def last_counts(self, output: str) -> "Counts | None":
        from donewhen.commands.counts import last_counts

        return last_counts(output)


parse = _Parse()
if TYPE_CHECKING:
    _: Parse = parse
