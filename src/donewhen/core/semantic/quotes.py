"""Quotes are held against the tree: a verdict that rests on text which nobody can find is void.

A void verdict becomes `unclear` and says why. Nothing is looked for elsewhere in the file, and nothing
outside of the tree is ever asked for.
"""

from collections.abc import Callable, Collection, Iterator

from donewhen.core.paths import relative
from donewhen.core.semantic.model import Judged, Quote, Remark, Review
from donewhen.core.texts import Phrase

Tree = Callable[[str], str | None]
"""The text of a file of the change, by its path from the root with slashes; None: there is no such file."""

NEAR = 2  # lines that a quote may be off
LEAST = 8  # characters beside blanks that say something
_LEAST_WORDS = 5  # of them letters and digits
_WIDE = "\u2e80"  # from here on a character says as much as two


def check_quotes(review: Review, tree: Tree, unquoted: Collection[str] = ()) -> Review:
    """The review with quotes that exist; `unquoted`: criteria that may be met without any."""
    pages = _Pages(tree)
    judged = (_checked(each, pages, each.criterion in unquoted) for each in review.judged)
    return Review(tuple(judged), tuple(_placed(each, pages) for each in review.remarks))


class _Pages:
    """Files of the tree as lines, each read once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[str, list[str] | None] = {}

    def lines(self, file: str) -> list[str] | None:
        if file not in self._known:
            inside = relative(file)
            text = self._tree(inside) if inside else None
            self._known[file] = None if text is None else text.split("\n")
        return self._known[file]


def _checked(judged: Judged, pages: _Pages, unquoted: bool) -> Judged:
    wrong = [(quote, _wrong(quote, pages)) for quote in judged.quotes]
    kept = tuple(_named(quote) for quote, why in wrong if why is None)
    void = tuple(why for _, why in wrong if why is not None)
    groundless = not kept and (void or judged.verdict == "met") and judged.verdict != "unclear"
    if not groundless or (unquoted and judged.verdict == "met"):
        return judged._replace(quotes=kept, void=void)
    said = Phrase("semantic.void", {"verdict": judged.verdict})
    return judged._replace(verdict="unclear", quotes=(), void=(said, *(void or (_NO_QUOTE,))))


_NO_QUOTE = Phrase("semantic.no_quote")


def _named(quote: Quote) -> Quote:
    return quote._replace(file=relative(quote.file) or "")


def _wrong(quote: Quote, pages: _Pages) -> Phrase | None:
    """Why the quote does not count; None: it does."""
    place = {"place": f"{quote.file}:{quote.line}"}
    lines = pages.lines(quote.file)
    if lines is None:
        return Phrase("semantic.quote_no_file", place)
    if not _says_something(quote.text):
        return Phrase("semantic.quote_short", {**place, "least": LEAST})
    if not any(_stands_at(quote, lines, start) for start in _around(quote.line, len(lines))):
        return Phrase("semantic.quote_not_there", place)
    return None


def _around(line: int, last: int) -> Iterator[int]:
    return iter(range(max(1, line - NEAR), min(last, line + NEAR) + 1))


def _stands_at(quote: Quote, lines: list[str], start: int) -> bool:
    """Whether the quote begins in the line `start`."""
    wanted = plain(quote.text)
    first = plain(lines[start - 1])
    following = plain("\n".join(lines[start : start + quote.text.strip().count("\n")]))
    here = f"{first} {following}".strip()
    at = here.find(wanted)
    return 0 <= at < max(1, len(first))


def plain(text: str) -> str:
    """Blanks of any kind and number are one."""
    return " ".join(text.split())


def _says_something(text: str) -> bool:
    seen = [character for character in text if not character.isspace()]
    words = [character for character in seen if character.isalnum()]
    return _width(seen) >= LEAST and _width(words) >= _LEAST_WORDS


def _width(characters: list[str]) -> int:
    return sum(2 if character >= _WIDE else 1 for character in characters)


def _placed(remark: Remark, pages: _Pages) -> Remark:
    if not remark.file:
        return remark._replace(line=0)
    lines = pages.lines(remark.file)
    if lines is None or remark.line > len(lines) + NEAR:
        return remark._replace(misplaced=True)
    return remark._replace(file=relative(remark.file) or "", line=min(remark.line, len(lines)))
