"""Documents whose examples are run: `python -m doctest README.md`, `pytest --doctest-glob='*.md'`. Pure.

Which documents a command or a script runs is read off its words; modules with examples are code and read as
such.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence

from donewhen.verify.integrity.exam_words import matches

_PAGES = (".md", ".rst", ".txt", ".markdown", ".adoc")
_GLOB = "--doctest-glob"
_PROMPT = re.compile(r"^[ \t>*-]{0,40}(?:>>>|\.\.\.) ?", re.MULTILINE)
_RUN = re.compile(r"\b(?:testfile|DocFileSuite|DocFileTest)\(\s{0,40}[\"']([^\"'\n]{1,200})[\"']")
_MOST = 200


def pages_of(words: Sequence[str], folder: str, there: Collection[str]) -> Iterator[str]:
    """Paths of the documents that these words run, of those that are there."""
    globs = list(_globs(words))
    if "doctest" not in words and not globs:
        return
    for word in words[1:][:_MOST]:
        path = f"{folder}/{word}".lstrip("/").removeprefix("./") if folder else word.removeprefix("./")
        if path in there and path.lower().endswith(_PAGES):
            yield path
    for path in there if globs else ():
        if path.lower().endswith(_PAGES) and any(matches(glob, path.rpartition("/")[2]) for glob in globs):
            yield path


def pages_in(text: str, folders: Sequence[str], there: Collection[str]) -> Iterator[str]:
    """Paths of the documents that a script runs; its own folder is the last of `folders`."""
    for found in _RUN.finditer(text):
        for folder in folders:
            path = f"{folder}/{found[1]}".lstrip("/") if folder else found[1].removeprefix("./")
            path = posixpath.normpath(path)
            if path in there:
                yield path


def _globs(words: Sequence[str]) -> Iterator[str]:
    for at, word in enumerate(words):
        if word.startswith(f"{_GLOB}="):
            yield word.partition("=")[2].strip("'\"")
        elif word == _GLOB and at + 1 < len(words):
            yield words[at + 1].strip("'\"")


def examples_of(text: str) -> str:
    """The examples alone, as code."""
    return "\n".join(_PROMPT.sub("", line) for line in text.split("\n") if _PROMPT.match(line) is not None)
