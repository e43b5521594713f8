"""Parameter tables of Rust tests: `#[case(1, 2, 3)]`, `#[test_case(1, 2 => 3)]`, `#[values(1, 2)]`."""

import re
from typing import NamedTuple

from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.literals import number, string
from donewhen.verify.integrity.curly.scope import Bound, Scope
from donewhen.verify.integrity.rust.grammar import params
from donewhen.verify.integrity.rust.items import Item

_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'|-?\d[\w.]*|\btrue\b|\bfalse\b')
_CASES = frozenset(("case", "test_case"))


class Rows(NamedTuple):
    cases: int | None = None  # None: no table
    columns: Scope = {}  # noqa: RUF012 - never changed
    literals: tuple[str, ...] = ()


def rows(grove: Grove, item: Item) -> Rows:
    listed = [
        one
        for one in item.attributes
        if one.name.rpartition("::")[2] in _CASES or one.name.startswith("case::")
    ]
    names = params(item.twig)
    columns: dict[str, list[str]] = {}
    every: dict[str, None] = {}
    for one in listed:
        for place, cell in enumerate(_cells(one.inside)):
            found = literals(cell)
            every.update(dict.fromkeys(found))
            name = names[place] if place < len(names) else "="
            columns.setdefault(name, []).extend(found)
    cases = len(listed)
    for name, cell_texts in _values(item.twig):
        found = [value for cell in cell_texts for value in literals(cell)]
        columns[name] = found
        every.update(dict.fromkeys(found))
        cases = max(1, cases) * len(cell_texts)
    if not cases:
        return Rows()
    scope: Scope = {name: Bound(literals=tuple(dict.fromkeys(found))) for name, found in columns.items()}
    return Rows(cases, scope, tuple(every))


def _values(function: Twig) -> list[tuple[str, list[str]]]:
    """Parameters with `#[values(…)]`."""
    listed = function.get("parameters")
    found: list[tuple[str, list[str]]] = []
    pending = ""
    for kid in listed.kids if listed is not None else ():
        if kid.kind == "attribute_item":
            inside = re.match(r"#\[\s*values\s*\((.*)\)\s*\]", kid.text, re.DOTALL)
            pending = inside.group(1) if inside else ""
        elif kid.kind == "parameter" and pending:
            pattern = kid.get("pattern")
            found.append((pattern.text if pattern is not None else "_", _cells(pending)))
            pending = ""
    return found


def _cells(inside: str) -> list[str]:
    """Parts between the commas of the outermost level; `=> x` is a part of its own."""
    found, depth, start, quote, escaped = [], 0, 0, False, False
    for place, sign in enumerate(inside):
        if quote:
            quote, escaped = not (sign == '"' and not escaped), sign == "\\" and not escaped
        elif sign == '"':
            quote = True
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif depth == 0 and (sign in ",;" or inside.startswith("=>", place)):
            found.append(inside[start:place])
            start = place + (2 if sign == "=" else 1)
    found.append(inside[start:])
    return [cell.strip() for cell in found if cell.strip()]


def literals(cell: str) -> list[str]:
    """The literals in a piece of code; a list of nothing else also as one."""
    found = [_one(text) for text in _LITERAL.findall(cell)]
    bare = re.sub(r"[\s,&\[\]()]|vec!|\.to_string\(\)|\.into\(\)", "", _LITERAL.sub("", cell))
    if not bare and re.match(r"\s*&?(?:vec!)?\s*[\[(]", cell) and not re.search(r"[\[(].*[\[(]", cell):
        return [f"[{', '.join(found)}]", *found]
    return found


def _one(text: str) -> str:
    if text[0] in "\"'":
        return string(text)
    if text in ("true", "false"):
        return text
    return f"-{number(text[1:])}" if text.startswith("-") else number(text)
