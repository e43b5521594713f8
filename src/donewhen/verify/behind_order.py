"""In which order a shell text comes to its commands and questions: what it does last is what it is about.

Functions are followed where they are called. Commands inside `$(…)` are no part of it, as their output is
what the text looks at, and neither are traps.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from donewhen.core.tree import Calculation, Function, Script, Simple, Statement, Substitution, Test
from donewhen.verify.behind_acting import by_name

_QUESTIONS = frozenset(("test", "[", "false"))
_ENDS = frozenset(("exit", "return"))
_DEEPEST = 6
_MOST = 4000


class Event(NamedTuple):
    number: int | None  # of a command; None: a question of the text itself, or an end of its own
    aside: bool = False  # in the background, or in a function that by its name prepares or clears away
    chosen: bool = False  # an end with a status that was kept: `exit $result`


def events(script: Script, tag: str) -> tuple[Event, ...]:
    """Commands carry their number in the variable `tag`."""
    return tuple(_Order(_functions(script), tag).node(script, False, 0))


def substituted(script: Script, tag: str) -> frozenset[int]:
    """The numbers of the commands that stand inside substitutions."""
    found: set[int] = set()
    stack: list[tuple[object, bool]] = [(script, False)]
    while stack:
        node, inside = stack.pop()
        if not isinstance(node, tuple):
            continue
        if inside and isinstance(node, Simple):
            found.update(int(each.value.text) for each in node.assigns if each.name == tag)
        inside = inside or isinstance(node, Substitution)
        stack.extend((each, inside) for each in node)
    return frozenset(found)


class _Order:
    def __init__(self, functions: Mapping[str, Statement], tag: str) -> None:
        self.functions, self.tag = functions, tag
        self.left = _MOST

    def node(self, node: Any, aside: bool, depth: int) -> Iterator[Event]:
        self.left -= 1
        if self.left < 0 or isinstance(node, Function):
            return
        if isinstance(node, Simple):
            yield from self.simple(node, aside, depth)
        elif isinstance(node, Test | Calculation):
            yield Event(None, aside)
        elif isinstance(node, Statement):
            yield from self.node(node.command, aside or node.background, depth)
        elif isinstance(node, tuple):
            for each in node:
                yield from self.node(each, aside, depth)

    def simple(self, node: Simple, aside: bool, depth: int) -> Iterator[Event]:
        number = next((each.value.text for each in node.assigns if each.name == self.tag), "")
        if number:
            yield Event(int(number), aside)
            return
        name = node.words[0].text if node.words else ""
        if name in self.functions and depth < _DEEPEST:
            hardly = aside or by_name([name]) == "weak"
            yield from self.node(self.functions[name].command, hardly, depth + 1)
        elif name in _QUESTIONS or (name in _ENDS and _may_be_bad(node)):
            yield Event(None, aside, name == "exit" and not node.words[1].known)


def _may_be_bad(node: Simple) -> bool:
    return len(node.words) > 1 and (not node.words[1].known or node.words[1].text != "0")


def _functions(tree: object) -> dict[str, Statement]:
    found: dict[str, Statement] = {}
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, Function):
            found[node.name] = node.body
        if isinstance(node, tuple):
            stack.extend(reversed(node))
    return found
