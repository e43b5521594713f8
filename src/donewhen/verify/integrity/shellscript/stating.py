"""A shell script as statements in a row, one text each, however it is laid out and quoted.

What runs after `&&` and `||` belongs to the statement before it. Nothing is expanded, nothing is judged.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from donewhen.verify.integrity.shellscript.scanning import HELD, Word, scan

_ENDS = ("\n", ";", ";;", ";&", ";;&", "&")
_GOES_ON = ("&&", "||", "|")
_ALONE = frozenset(("{", "}", "fi", "done", "esac", "else"))
_DROPPED = frozenset(("then", "do"))
_BARE = re.compile(r"[\w@%+=:,./!\[\]{}*?^~-]+")
_END = Word("\n", 0, operator=True)
_LONGEST = 4000  # characters of a command inside of a word


class Statement(NamedTuple):
    text: str
    line: int
    words: tuple[Word, ...]

    @property
    def first(self) -> str:
        return self.words[0].text if self.words and not self.words[0].operator else ""


def statements(words: Sequence[Word]) -> Iterator[Statement]:
    here: list[Word] = []
    depth = 0  # of braces after `||` and `&&`, which belong to the statement
    for word, behind in pairwise((*words, _END, _END)):
        if word.operator and word.text.startswith(HELD):
            yield Statement(word.text, word.line, (word,))
        elif word.operator and word.text in _ENDS and not _redirects(here, word, behind):
            if depth and here:
                here.append(Word(";", word.line, operator=True))
            elif here and not _unfinished(here, word):
                yield _stated(here)
                here = []
        elif not here and _is_key(word, _ALONE | _DROPPED):
            if word.text in _ALONE:
                yield Statement(word.text, word.line, (word,))
        elif _is_key(word, ("{",)) and not _after_operator(here):
            yield _stated(here)
            yield Statement("{", word.line, (word,))
            here = []
        else:
            depth += _is_key(word, ("{",)) - (depth > 0 and _is_key(word, ("}",)))
            here.append(word)
    if here:
        yield _stated(here)


def _redirects(here: Sequence[Word], word: Word, behind: Word) -> bool:
    """The sign in `2>&1` and `&>file` ends nothing."""
    after = bool(here) and here[-1].operator and here[-1].text in (">", ">>", "<")
    return word.text == "&" and (after or (behind.operator and behind.text == ">"))


def _unfinished(here: Sequence[Word], end: Word) -> bool:
    return end.text == "\n" and here[-1].operator and here[-1].text in _GOES_ON


def _after_operator(here: Sequence[Word]) -> bool:
    """Whether a brace here opens a group: one that follows a name opens its body, or is an argument."""
    last = here[-1]
    if last.operator:
        return last.text != ")"
    return here[0].text not in ("@test", "function")


def _is_key(word: Word, keys: frozenset[str] | tuple[str, ...]) -> bool:
    return not word.quoted and not word.operator and word.text in keys


def _stated(words: Sequence[Word]) -> Statement:
    texts: list[str] = []
    for word in words:
        if not (word.text == ";" and word.operator and texts and texts[-1] in (";", "{")):
            texts.append(written(word))
    return Statement(" ".join(texts), words[0].line, tuple(words))


def written(word: Word) -> str:
    """One way to write it: quotes only where they matter."""
    if word.operator:
        return word.text
    if word.plain:
        return word.text if _BARE.fullmatch(word.text) else "'" + word.text.replace("'", "'\\''") + "'"
    if word.quoted:
        return f'"{word.text}"' if word.text or not word.runs else f'"{word.text}{_run(word)}"'
    return word.text + _run(word)


def _run(word: Word) -> str:
    return "".join(f"$({' '.join(map(_flat, scan(run[:_LONGEST])))})" for run in word.runs)


def _flat(word: Word) -> str:
    """A word of a command inside of a word; one level is enough to take the layout away."""
    if word.operator or word.plain or not word.runs:
        return written(word._replace(runs=()))
    return word.text + "".join(f"$({run})" for run in word.runs)
