"""The functions and classes of a file, where each stands and what surrounds it.

It names things; whether something is a test, and whether it runs, is decided elsewhere.
"""

from typing import NamedTuple

from donewhen.verify.integrity.python.names import Names
from donewhen.verify.integrity.python.tree import Light, Node

_SCOPES = frozenset(("function_definition", "class_definition", "lambda"))


class Function(NamedTuple):
    node: Node
    name: str
    home: str  # qualified name of the class or function around it, "" at module level
    in_class: bool
    in_function: bool
    decorators: tuple[Node, ...]
    params: tuple[str, ...]

    @property
    def qual(self) -> str:
        return f"{self.home}.{self.name}" if self.home else self.name

    @property
    def body(self) -> Node:
        return self.node.get("body") or self.node

    @property
    def whole(self) -> Node:
        """With its decorators."""
        parent = self.node.parent
        return parent if parent is not None and parent.kind == "decorated_definition" else self.node


class Class(NamedTuple):
    node: Node
    name: str
    home: str
    in_function: bool
    decorators: tuple[Node, ...]
    bases: tuple[str, ...]  # dotted names, as far as they have one

    @property
    def qual(self) -> str:
        return f"{self.home}.{self.name}" if self.home else self.name

    @property
    def body(self) -> Node:
        return self.node.get("body") or self.node


class Outline(NamedTuple):
    functions: tuple[Function, ...]
    classes: tuple[Class, ...]


def outline(light: Light, names: Names) -> Outline:
    homes: dict[Node, tuple[str, bool, bool]] = {}
    functions: list[Function] = []
    classes: list[Class] = []
    found = [*light.index.get("function_definition", ()), *light.index.get("class_definition", ())]
    for node in sorted(found, key=lambda node: node.at):
        home, in_class, in_function = _home(node, homes)
        name = _name(node)
        qual = f"{home}.{name}" if home else name
        decorators = _decorators(node)
        if node.kind == "class_definition":
            homes[node] = (qual, True, in_function)
            classes.append(Class(node, name, home, in_function, decorators, _bases(node, names)))
        else:
            homes[node] = (qual, False, True)
            function = Function(node, name, home, in_class, in_function, decorators, parameters(node))
            functions.append(function)
    return Outline(tuple(functions), tuple(classes))


def _home(node: Node, homes: dict[Node, tuple[str, bool, bool]]) -> tuple[str, bool, bool]:
    scope = scope_of(node)
    return homes.get(scope, ("", False, False)) if scope is not None else ("", False, False)


def scope_of(node: Node) -> Node | None:
    """The function, lambda or class around it; None at module level."""
    here = node.parent
    while here is not None and here.kind not in _SCOPES:
        here = here.parent
    return here


def _name(node: Node) -> str:
    name = node.get("name")
    return name.word if name is not None else ""


def _decorators(node: Node) -> tuple[Node, ...]:
    parent = node.parent
    if parent is None or parent.kind != "decorated_definition":
        return ()
    return tuple(kid.parts[0] for kid in parent.kids if kid.kind == "decorator" and kid.parts)


def _bases(node: Node, names: Names) -> tuple[str, ...]:
    given = node.get("superclasses")
    if given is None:
        return ()
    return tuple(names.dotted(kid) for kid in given.parts if kid.kind != "keyword_argument")


def parameters(node: Node) -> tuple[str, ...]:
    """Names of the parameters of a function or lambda, in order."""
    given = node.get("parameters")
    if given is None:
        return ()
    return tuple(name for kid in given.parts if (name := _parameter(kid)))


def _parameter(node: Node) -> str:
    if node.kind == "identifier":
        return node.word
    inner = node.get("name") or next((kid for kid in node.parts if kid.kind != "type"), None)
    return _parameter(inner) if inner is not None and inner is not node else ""
