"""Tests inside product files: `#[cfg(test)]` items of Rust, doctests and self tests of Python, and of vitest.

For the base exam the regions of the base replace the new ones; None is the answer where that can't be built.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from donewhen.project.syntax import errors, normal, parse, walk
from donewhen.verify.test_functions import language_of

if TYPE_CHECKING:
    from tree_sitter import Node

_LARGEST = 1024 * 1024
_VITEST = b"import.meta.vitest"
_MARKS = {  # what a file with regions speaks of
    "rust": re.compile(rb"cfg\("),
    "python": re.compile(rb">>>|def _?self_?test"),
    **dict.fromkeys(("javascript", "typescript", "tsx"), re.compile(_VITEST)),
}
_SELF_TEST = re.compile(r"_?self_?tests?")
_CFG_TEST = re.compile(r"cfg\s*\(\s*(?:all\s*\(\s*)?test\b")
_DEFINED = ("function_definition", "class_definition")


class Region(NamedTuple):
    name: str  # of what a doctest belongs to, or of a self test; "" for items of Rust and vitest
    first: int  # bytes
    last: int
    text: str  # as it is compared: layout, comments and prose make no difference
    nested: bool = False
    is_doctest: bool = False


def regions(path: str, data: bytes) -> tuple[Region, ...]:
    language = language_of(path)
    if language not in _MARKS or len(data) > _LARGEST or not _MARKS[language].search(data):
        return ()
    root = parse(language, data).root_node
    if language == "python":
        return (*_doctests(root, ""), *_self_tests(root))
    return tuple(_of_rust(root) if language == "rust" else _of_vitest(root))


def product_text(path: str, data: bytes) -> bytes:
    """The file without its regions."""
    return _cut(data, regions(path, data))


def with_base_regions(path: str, base: bytes, now: bytes) -> bytes | None:
    """`now` with the regions of `base`; `now` itself where no region of the base changed."""
    old, new = regions(path, base), regions(path, now)
    if not changed_regions(old, new):
        return now
    if path.endswith(".py"):
        return _with_doctests(base, now, old, new)
    if any(region.nested for region in (*old, *new)):
        return None
    texts = [base[region.first : region.last] for region in old]
    found = b"\n\n".join((_cut(now, new).rstrip(b"\n"), *texts)) + b"\n"
    return None if errors(parse(language_of(path), found)) else found


def changed_regions(old: tuple[Region, ...], new: tuple[Region, ...]) -> tuple[Region, ...]:
    """Those of the base that are not there any more as they were."""
    texts = {(region.name, region.text) for region in new}
    return tuple(region for region in old if (region.name, region.text) not in texts)


def _with_doctests(base: bytes, now: bytes, old: tuple[Region, ...], new: tuple[Region, ...]) -> bytes | None:
    places: Mapping[str, Region] = {region.name: region for region in new}
    for region in sorted(
        changed_regions(old, new), key=lambda each: -places[each.name].first if each.name in places else 0
    ):
        here = places.get(region.name)
        if here is None:
            return None
        now = now[: here.first] + base[region.first : region.last] + now[here.last :]
    return now


def _cut(data: bytes, found: tuple[Region, ...]) -> bytes:
    for region in sorted(found, key=lambda each: -each.first):
        data = data[: region.first] + data[region.last :]
    return data


def _of_rust(root: "Node") -> Iterator[Region]:
    for node in walk(root):
        if node.type != "attribute_item" or not _CFG_TEST.search(normal(node)):
            continue
        item = node.next_named_sibling
        while item is not None and (item.type == "attribute_item" or "comment" in item.type):
            item = item.next_named_sibling
        if item is not None:
            yield Region("", node.start_byte, item.end_byte, normal(item), nested=node.parent != root)


def _of_vitest(root: "Node") -> Iterator[Region]:
    for node in walk(root):
        condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
        if condition is not None and _VITEST in (condition.text or b""):
            yield Region("", node.start_byte, node.end_byte, normal(node), nested=node.parent != root)


def _doctests(node: "Node", name: str) -> Iterator[Region]:
    body = node.child_by_field_name("body") if name else node
    statements = body.named_children if body is not None else []
    first = next((each for each in statements if "comment" not in each.type), None)
    string = first.named_children[0] if first is not None and first.type == "expression_statement" else None
    if string is not None and string.type == "string" and b">>>" in (string.text or b""):
        text = (string.text or b"").decode(errors="replace")
        yield Region(name, string.start_byte, string.end_byte, _examples(text), is_doctest=True)
    for each in statements:
        inner = each.child_by_field_name("definition") if each.type == "decorated_definition" else each
        own = inner.child_by_field_name("name") if inner is not None and inner.type in _DEFINED else None
        if inner is not None and own is not None:
            yield from _doctests(inner, f"{name}.{(own.text or b'').decode(errors='replace')}")


def _self_tests(root: "Node") -> Iterator[Region]:
    for node in root.named_children:
        own = node.child_by_field_name("name") if node.type == "function_definition" else None
        name = (own.text or b"").decode(errors="replace") if own is not None else ""
        if _SELF_TEST.fullmatch(name):
            yield Region(f"{name}()", node.start_byte, node.end_byte, normal(node))


def _examples(text: str) -> str:
    import doctest  # brings a debugger with it

    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:  # badly indented: the whole text is compared
        return text
    return "\n".join(f"{each.source}{each.want}" for each in found)
