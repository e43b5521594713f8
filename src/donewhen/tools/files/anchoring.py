"""Where a text is meant that is not found exactly: whole lines, equal but for indentation and trailing space.

Indentation carries meaning, so it must differ evenly: the same indentation of the wanted text always stands
for the same one of the file, and different ones for different ones. Anything else is no match. Pure, and in
time that grows with the lengths only.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

_MOST = 50  # places that are looked at; a text with more is ambiguous anyway


class Anchor(NamedTuple):
    """Lines of the file, from 0, and how indentations of the wanted text are written there."""

    first: int
    length: int
    indents: Mapping[str, str]
    only_first: bool = False  # just the wanted text's first line lacks its indentation


def anchors(lines: Sequence[str], wanted: Sequence[str]) -> list[Anchor]:
    """Every place where the wanted lines are meant, to a bounded number."""
    bare = [line.strip() for line in wanted]
    if not any(bare):
        return []
    whole = "\n" + "\n".join(line.strip() for line in lines) + "\n"
    needle = "\n" + "\n".join(bare) + "\n"
    found: list[Anchor] = []
    line, counted, looked = 0, 0, 0
    at = whole.find(needle)
    while at >= 0 and looked < _MOST:
        line += whole.count("\n", counted, at)
        counted = at
        anchor = _fitting(line, lines[line : line + len(wanted)], wanted)
        found += [anchor] if anchor else []
        looked += 1
        at = whole.find(needle, at + 1)
    return found


def replaced(lines: Sequence[str], anchor: Anchor, new: Sequence[str]) -> list[str]:
    """The lines with new ones in the place of the anchored, indented as there."""
    head, tail = lines[: anchor.first], lines[anchor.first + anchor.length :]
    shifted = [
        _indented(line, anchor.indents) if at == 0 or not anchor.only_first else line
        for at, line in enumerate(new)
    ]
    end = (
        "\r"
        if all(line.endswith("\r") for line in lines[anchor.first : anchor.first + anchor.length])
        else ""
    )
    return [*head, *(line.removesuffix("\r") + end for line in shifted), *tail]


def _fitting(first: int, there: Sequence[str], wanted: Sequence[str]) -> Anchor | None:
    pairs = [(_indent(old), _indent(new)) for old, new in zip(wanted, there, strict=True) if old.strip()]
    indents = dict(pairs)
    even = all(indents[old] == new for old, new in pairs) and len(set(indents.values())) == len(indents)
    if even:
        return Anchor(first, len(wanted), indents)
    if wanted[0].strip() and not pairs[0][0] and all(old == new for old, new in pairs[1:]):
        return Anchor(first, len(wanted), {"": pairs[0][1]}, only_first=True)
    return None


def _indented(line: str, indents: Mapping[str, str]) -> str:
    body = line.lstrip(" \t")
    return _written(_indent(line), indents) + body if body.strip() else body


def _written(indent: str, indents: Mapping[str, str]) -> str:
    """An indentation as the file writes it: known, deeper than a known one, or shallower than all."""
    known = [old for old in indents if indent.startswith(old)]
    if known:
        old = max(known, key=len)
        return indents[old] + _rest(indent[len(old) :], old, indents[old])
    old = min(indents, key=len)
    new = indents[old]
    if new.endswith(old):
        return new[: len(new) - len(old)] + indent
    return indent[len(old) - len(new) :] if old.endswith(new) else indent


def _rest(more: str, old: str, new: str) -> str:
    """What goes beyond a known indentation, in tabs or spaces as the file has them."""
    if old and new and set(old) == {"\t"} and set(new) == {" "}:
        return more.replace("\t", " " * (len(new) // len(old)))
    if old and new and set(old) == {" "} and set(new) == {"\t"}:
        return more.replace(" " * max(len(old) // len(new), 1), "\t")
    return more


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]
