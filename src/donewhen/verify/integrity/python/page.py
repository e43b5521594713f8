"""One file, read: its tree with names, outline and values, and the place from which a name is looked up."""

from functools import cached_property
from typing import NamedTuple

from donewhen.core.integrity.model import Role
from donewhen.verify.integrity.python.bindings import Bindings
from donewhen.verify.integrity.python.literals import Literal, between, literals_of
from donewhen.verify.integrity.python.names import Names
from donewhen.verify.integrity.python.outline import Class, Function, Outline, outline
from donewhen.verify.integrity.python.text import Flat
from donewhen.verify.integrity.python.tree import Light, Node
from donewhen.verify.integrity.python.values import UNKNOWN, Values

_MOST_ASSERTS = 20_000  # of one file, helpers counted at every call
_MOST_BASES = 30  # classes above a class in one file


class Page:
    def __init__(self, path: str, role: Role, data: bytes, light: Light) -> None:
        self.path = path
        self.role = role
        self.data = data
        self.light = light
        self.names = Names(light)
        self.outline: Outline = outline(light, self.names)
        self.values = Values(light)
        self.crowded = False  # holds more assertions than anybody writes; not all of them were read
        self.asserts = 0
        self._lineages: dict[str, tuple[Class, ...]] = {}
        self.tables: dict[
            int, tuple[tuple[str, ...], tuple[str, ...]]
        ] = {}  # keys and answers, by the map's place

    def room(self) -> bool:
        """Whether one more assertion is still read."""
        self.asserts += 1
        self.crowded = self.crowded or self.asserts > _MOST_ASSERTS
        return not self.crowded

    @cached_property
    def flat(self) -> Flat:
        return Flat(self.light, self.data)

    @cached_property
    def _literals(self) -> list[Literal]:
        return literals_of(self.light.root, self.values, self.flat.skip)

    def literals_in(self, node: Node) -> list[str]:
        """All literals below a node, containers of literals also as one; docstrings are none."""
        found = between(self._literals, node)
        if found is None:
            found = literals_of(node, self.values, self.flat.skip)
        return [value for literal in found for value in literal.values]

    @cached_property
    def may_skip(self) -> bool:
        return any(word in self.data for word in (b"skip", b"Skip", b"xfail"))

    @cached_property
    def mentions(self) -> dict[str, list[Node]]:
        """Where each name stands."""
        out: dict[str, list[Node]] = {}
        for node in self.light.index.get("identifier", ()):
            out.setdefault(node.word, []).append(node)
        return out

    def mentioned_outside(self, name: str, node: Node, top: Node | None = None) -> bool:
        """Whether the name stands somewhere in `top`, or in the file, but not inside `node`."""
        start, end = (top.at, top.end) if top is not None else (0, self.light.root.end)
        return any(
            start <= other.at < end and not node.at <= other.at < node.end
            for other in self.mentions.get(name, ())
        )

    @cached_property
    def module(self) -> Bindings:
        return self.values.bindings(self.light.root)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """By qualified name; of two with one name the later holds, as it does when the file runs."""
        return {function.qual: function for function in self.outline.functions}

    @cached_property
    def by_home(self) -> dict[str, list[Function]]:
        """Functions by the class or function that they stand in."""
        out: dict[str, list[Function]] = {}
        for function in self.outline.functions:
            out.setdefault(function.home, []).append(function)
        return out

    @cached_property
    def classes(self) -> dict[str, Class]:
        return {each.qual: each for each in self.outline.classes}

    def lineage(self, qual: str) -> tuple[Class, ...]:
        """The class and its bases in this file, in the order in which methods are looked up."""
        known = self._lineages.get(qual)
        if known is None:
            known = self._lineages[qual] = self._lineage(qual)
        return known

    def _lineage(self, qual: str) -> tuple[Class, ...]:
        out: list[Class] = []
        waiting = [qual]
        while waiting:
            each = self.classes.get(waiting.pop(0))
            if each is not None and each not in out and len(out) < _MOST_BASES:
                out.append(each)
                waiting.extend(each.bases)
        return tuple(out)

    def method(self, qual: str, name: str) -> Function | None:
        for each in self.lineage(qual):
            function = self.functions.get(f"{each.qual}.{name}")
            if function is not None:
                return function
        return None

    def inside(self, node: Node, kind: str) -> list[Node]:
        return self.light.inside(node, kind)


class Place(NamedTuple):
    """Where an expression stands: what its names may be bound to."""

    page: Page
    scopes: tuple[Bindings, ...]
    rows: dict[str, tuple[Node, ...]]  # names that take several values: parameters, loop variables
    home: str = ""  # the class around it

    def value(self, node: Node) -> object:
        return self.page.values.of(node, self.scopes)

    def fixed(self, node: Node) -> object:
        """Its value if nothing can have changed it since: a name bound to a list has none."""
        value = self.value(node)
        return UNKNOWN if node.kind == "identifier" and not isinstance(value, _STEADY) else value

    def bound(self, name: str) -> Node | None:
        return self.page.values.behind(name, self.scopes)


_STEADY = (str, int, float, type(None))


def place_in(page: Page, function: Function | None) -> Place:
    """The place of a function's body, or of the module's."""
    if function is None:
        return Place(page, (page.module,), {})
    local = page.values.bindings(function.node)
    rows: dict[str, tuple[Node, ...]] = {}
    shadowed = Bindings.of_names(set(function.params) - local.values.keys())
    return Place(page, (local, shadowed, page.module), rows, function.home if function.in_class else "")
