"""Items of a Rust file with what stands around them: modules, attributes, the type that they belong to."""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.rust.attributes import Attribute, attribute, taken_out

_DEEPEST = 60
_HOLDERS = frozenset(("mod_item", "impl_item", "trait_item", "foreign_mod_item"))


class Item(NamedTuple):
    name: str
    twig: Twig
    attributes: list[Attribute]
    modules: tuple[str, ...]  # the modules around it
    owner: str  # the type of the impl around it
    trait: str  # the trait that the impl is of
    tests: bool  # under `#[cfg(test)]`
    out: str  # what takes it out of the run
    start: int  # of its first attribute


class _Around(NamedTuple):
    modules: tuple[str, ...] = ()
    owner: str = ""
    trait: str = ""
    tests: bool = False
    out: str = ""
    depth: int = 0


def items(grove: Grove) -> Iterator[Item]:
    """All items that are not inside a function, in the order of the text within each level."""
    waiting: list[tuple[Twig, _Around]] = [(grove.root, _Around())]
    while waiting:
        holder, around = waiting.pop(0)
        inner = [attribute(grove, kid) for kid in holder.kids if kid.kind == "inner_attribute_item"]
        if inner:
            around = around._replace(
                out=around.out or taken_out(inner), tests=around.tests or _only_test(inner)
            )
        pending: list[Attribute] = []
        for kid in holder.kids:
            if kid.kind == "attribute_item":
                pending.append(attribute(grove, kid))
                continue
            item = _item(kid, pending, around)
            if item is not None:
                yield item
                body = kid.get("body") if kid.kind in _HOLDERS else None
                if body is not None and around.depth < _DEEPEST:
                    waiting.append((body, _inside(kid, item, around)))
            pending = []


def _item(kid: Twig, pending: list[Attribute], around: _Around) -> Item | None:
    label = kid.get("name") or (kid.get("type") if kid.kind == "impl_item" else None)
    if label is None and kid.kind != "use_declaration":
        return None
    start = pending[0].twig.node.start_byte if pending else kid.node.start_byte
    return Item(
        label.text if label is not None else "",
        kid,
        list(pending),
        around.modules,
        around.owner,
        around.trait,
        around.tests or _only_test(pending),
        around.out or taken_out(pending),
        start,
    )


def _inside(kid: Twig, item: Item, around: _Around) -> _Around:
    named = kid.kind == "mod_item" and item.name != "p_t__"
    trait = kid.get("trait") if kid.kind == "impl_item" else None
    return _Around(
        (*around.modules, item.name) if named else around.modules,
        item.name.partition("<")[0] if kid.kind in ("impl_item", "trait_item") else around.owner,
        trait.text.partition("<")[0] if trait is not None else "",
        item.tests,
        item.out,
        around.depth + 1,
    )


def _only_test(attributes: list[Attribute]) -> bool:
    for one in attributes:
        words = one.inside.replace(" ", "")
        if one.name == "cfg" and (words == "test" or words.startswith("all(test")):
            return True
    return False
