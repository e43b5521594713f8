"""What names are bound to: values of constants, rows of parameter tables, arguments of helpers.

A name that is bound more than once, or to something that is not written here, has no value.
"""

from donewhen.verify.integrity.python.outline import scope_of
from donewhen.verify.integrity.python.tree import Light, Node

_TARGETS = {
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "for_in_clause": "left",
    "named_expression": "name",
}
_PATTERNS = frozenset(("pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"))


class Bindings:
    """Names bound directly in one scope: module, class or function."""

    def __init__(self, values: dict[str, Node | None]) -> None:
        self.values = values  # None: bound, but more than once or to no single expression
        self.last: dict[str, Node | None] = {}  # what a name was assigned last, however often it was bound

    @classmethod
    def of_names(cls, names: set[str]) -> "Bindings":
        """Names that are bound to nothing that is written here, as parameters are."""
        return cls(dict.fromkeys(names))

    @classmethod
    def of_scope(cls, light: Light, scope: Node) -> "Bindings":
        bindings = cls({})
        bindings._gather(light, scope)
        return bindings

    def _gather(self, light: Light, scope: Node) -> None:
        own = scope if scope.kind != "module" else None
        for kind, field in _TARGETS.items():
            for node in light.inside(scope, kind):
                if scope_of(node) is own:
                    self._bind(node, node.get(field))
        for kind in ("as_pattern_target", "global_statement", "nonlocal_statement", "delete_statement"):
            for node in light.inside(scope, kind):
                for name in light.inside(node, "identifier"):
                    self.values[name.word] = None
        self._defined(light, scope, own)

    def _defined(self, light: Light, scope: Node, own: Node | None) -> None:
        """What is imported or defined as well as assigned has no single value."""
        if not self.values:
            return
        for kind in _DEFINING:
            for node in light.inside(scope, kind):
                if scope_of(node) is not own or node is scope:
                    continue
                for name in _defined_names(node):
                    if name in self.values:
                        self.values[name] = None

    def _bind(self, node: Node, target: Node | None) -> None:
        if target is None:
            return
        if target.kind == "identifier":
            plain = node.kind in ("assignment", "named_expression")
            value = _final(node) if plain else None
            self.last[target.word] = value
            self.values[target.word] = value if target.word not in self.values else None
        elif target.kind in _PATTERNS:
            values = _unpacked(node, target)
            for position, kid in enumerate(target.parts):
                value = values[position] if position < len(values) else None
                for name in _names(kid):
                    single = value if kid.kind == "identifier" else None
                    self.values[name] = single if name not in self.values else None


_DEFINING = ("import_statement", "import_from_statement", "function_definition", "class_definition")


def _defined_names(node: Node) -> list[str]:
    out: list[str] = []
    for name in node.all("name"):
        shown = name.get("alias") or name
        out.append(shown.word or (shown.parts[0].word if shown.parts else ""))
    return out


def _final(node: Node) -> Node | None:
    """`x = y = 1` binds both to 1."""
    value = node.get("right") or node.get("value")
    while value is not None and value.kind == "assignment":
        value = value.get("right")
    return value


def _unpacked(node: Node, target: Node) -> list[Node]:
    value = _final(node) if node.kind == "assignment" else None
    if value is None or value.kind not in ("expression_list", "tuple", "list"):
        return []
    return value.parts if len(value.parts) == len(target.parts) else []


def _names(node: Node) -> list[str]:
    if node.kind == "identifier":
        return [node.word]
    return [name for kid in node.parts for name in _names(kid)] if node.kind in _PATTERNS else []


def names_of(target: Node | None) -> list[str]:
    """Names in a loop's or assignment's target, in order."""
    return _names(target) if target is not None else []
