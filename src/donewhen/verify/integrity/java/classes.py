"""Methods of a Java file with the classes around them and all annotations that hold for them."""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.verify.integrity.curly.grove import Twig

_DEEPEST = 60
_BODIES = frozenset(("class_body", "interface_body", "enum_body", "enum_body_declarations", "block"))


class Annotation(NamedTuple):
    name: str  # without its package
    twig: Twig

    @property
    def inside(self) -> list[Twig]:
        listed = self.twig.get("arguments")
        return list(listed.kids) if listed is not None else []

    def value(self, key: str) -> Twig | None:
        """Of `key = value`; with key "value" also of a bare argument."""
        for kid in self.inside:
            if kid.kind == "element_value_pair":
                name = kid.get("key")
                if name is not None and name.text == key:
                    return kid.get("value")
            elif key == "value":
                return kid
        return None


class Class(NamedTuple):
    name: str  # "Outer.Inner"
    twig: Twig
    annotations: list[Annotation]
    words: frozenset[str]  # modifiers
    above: "Class | None"

    @property
    def parents(self) -> str:
        """What it extends and implements, as it is written."""
        listed = (self.twig.get("superclass"), self.twig.get("interfaces"))
        return " ".join(one.text for one in listed if one is not None)


class Method(NamedTuple):
    name: str
    twig: Twig
    owner: Class | None
    annotations: list[Annotation]
    words: frozenset[str]


def annotations(twig: Twig) -> list[Annotation]:
    listed = next((kid for kid in twig.kids if kid.kind == "modifiers"), None)
    found = []
    for kid in listed.kids if listed is not None else ():
        name = kid.get("name")
        if name is not None:
            found.append(Annotation(name.text.rpartition(".")[2], kid))
    return found


def words(twig: Twig) -> frozenset[str]:
    listed = next((kid for kid in twig.kids if kid.kind == "modifiers"), None)
    if listed is None:
        return frozenset()
    return frozenset(child.type for child in listed.node.children if not child.is_named)


def members(root: Twig) -> Iterator[Class | Method]:
    """Classes and their methods; what is declared inside a method's body is left out."""
    waiting: list[tuple[Twig, Class | None, int]] = [(root, None, 0)]
    while waiting:
        holder, above, depth = waiting.pop(0)
        for kid in holder.kids:
            if kid.kind == "class":
                label = kid.get("name")
                name = label.text if label is not None else ""
                full = f"{above.name}.{name}" if above is not None else name
                made = Class(full, kid, annotations(kid), words(kid), above)
                yield made
                body = kid.get("body")
                if body is not None and depth < _DEEPEST:
                    waiting.append((body, made, depth + 1))
            elif kid.kind == "func":
                label = kid.get("name")
                yield Method(
                    label.text if label is not None else "", kid, above, annotations(kid), words(kid)
                )
            elif kid.kind in _BODIES and depth < _DEEPEST:
                waiting.append((kid, above, depth + 1))
