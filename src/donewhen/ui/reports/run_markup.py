"""The few pieces of HTML that a run's page is built of. Everything that goes in as text comes out escaped.

A page has a budget of characters for long texts; what does not fit any more is replaced by a sentence.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from donewhen.ui.reports.plain import block, line
from donewhen.ui.reports.run_words import Words

LARGEST = 2_500_000  # characters of outputs and diffs in one page


class Page:
    """The words of a page, and what is left of its room."""

    def __init__(self, words: Words, largest: int = LARGEST) -> None:
        self.t = words
        self._left = largest

    def long(self, text: str, longest: int) -> str:
        """A long foreign text, cleaned and escaped, as long as the page has room for it."""
        shown = escape(block(text, longest)).strip("\n")
        if len(shown) > self._left:
            return escape(self.t("output_enough"))
        self._left -= len(shown)
        return shown

    def folded(self, label: str, text: str, longest: int, *, opened: bool = False) -> str:
        """A long text that is closed at first; `label` is HTML."""
        return fold(label, f"<pre>{self.long(text, longest)}</pre>", opened=opened)


class Cell(NamedTuple):
    html: str
    kind: str = ""  # a class


def fold(label: str, body: str, *, opened: bool = False) -> str:
    return f"<details{' open' if opened else ''}>\n<summary>{label}</summary>\n{body}\n</details>"


def text(value: object, longest: int = 400) -> str:
    return escape(line(value, longest))


def code(value: object, longest: int = 400) -> str:
    shown = line(value, longest)
    return f"<code>{escape(shown)}</code>" if shown else ""


def state(mark: str, word: str) -> str:
    return f'<span class="state">{escape(mark)} {text(word, 80)}</span>'


def table(name: str, head: Sequence[str], rows: Iterable[Sequence[str | Cell]]) -> str:
    """A table below the heading `name`; a narrow screen scrolls it, so a keyboard can reach it."""
    lines = [f'<div class="wide" role="region" tabindex="0" aria-labelledby="{name}">', "<table>"]
    heads = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    lines += [f"<thead><tr>{heads}</tr></thead>", "<tbody>"]
    lines += [f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows]
    return "\n".join([*lines, "</tbody>", "</table>", "</div>"])


def _cell(value: str | Cell) -> str:
    if isinstance(value, Cell):
        return f'<td class="{value.kind}">{value.html}</td>' if value.kind else f"<td>{value.html}</td>"
    return f"<td>{value}</td>"


def pairs(rows: Iterable[tuple[str, str]]) -> str:
    """Labels with values that are HTML."""
    inner = "\n".join(f"<dt>{escape(label)}</dt><dd>{value}</dd>" for label, value in rows)
    return f"<dl>\n{inner}\n</dl>"


def items(texts: Iterable[str], kind: str = "") -> str:
    """A list of HTML pieces; nothing for none."""
    inner = "\n".join(f"<li>{each}</li>" for each in texts)
    named = f' class="{kind}"' if kind else ""
    return f"<ul{named}>\n{inner}\n</ul>" if inner else ""
