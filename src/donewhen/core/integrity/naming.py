"""Which test a runner means: names of failed tests beside the names that the readers give.

Runners write one test in many ways (`a/test_x.py::T::test_y[1]`, `test_y (a.test_x.T)`, `cart adds`); words
are compared from the end, which is where all of them say the test's own name.
"""

import re
from collections.abc import Iterable
from posixpath import basename

from donewhen.core.integrity.account import Known

_ROW = re.compile(r"\[[^\[\]]*\]\s*$")
_OLD_UNITTEST = re.compile(r"^(\w+) \(([\w.]+)\)")
_HOLE = re.compile(
    r"\$\{[^{}]{0,200}\}|\$[A-Za-z_][\w.]{0,60}|%[sdifjop#]"
)  # of template strings and of `each`
_MOST_HOLES = 12
_ROW_TOLD = re.compile(r" \(.*=.*\)$| \[.*\]$")


def meant(name: str, tests: Iterable[Known]) -> tuple[Known, ...]:
    """The tests that the runner's `name` may be; those whose file it names, if it names one."""
    ways = _ways(name)
    tests = tuple(tests)
    found = [test for test in tests if any(_ends(way, _words(test.name)) for way in ways)]
    found = found or [test for test in tests if _filled(name, test.name)]
    placed = [test for test in found if _stem(test.path) in _words(name)]
    return tuple(placed or found)


def file_meant(name: str, tests: Iterable[Known]) -> frozenset[str]:
    """Files whose own name the runner's `name` holds: it failed as a whole, before any test ran."""
    words = set(_words(name))
    return frozenset(test.path for test in tests if _stem(test.path) in words)


def _ways(name: str) -> list[tuple[str, ...]]:
    bare = _ROW.sub("", _ROW_TOLD.sub("", name))
    ways = [_words(name), _words(bare), _words(bare.partition("/")[0])]
    old = _OLD_UNITTEST.match(name)
    if old:
        ways += [_words(f"{old[2]}.{old[1]}"), _words(old[2])]
    return [way for way in ways if way]


def _ends(way: tuple[str, ...], words: tuple[str, ...]) -> bool:
    shorter = min(len(way), len(words))
    return shorter > 0 and way[-shorter:] == words[-shorter:]


def _filled(name: str, template: str) -> bool:
    """Whether a title with holes, one test for each row of a table, became this name."""
    title = template.rpartition(" > ")[2]
    texts = _HOLE.split(title)
    if not 2 <= len(texts) <= _MOST_HOLES or sum(len(word) for text in texts for word in _words(text)) < 3:
        return False
    at, texts = 0, [text for text in texts if text]
    for text in texts:
        at = name.find(text, at)
        if at < 0:
            return False
        at += len(text)
    return _HOLE.split(title)[-1] == "" or name.endswith(texts[-1])


def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", name))


def _stem(path: str) -> str:
    return _words(basename(path).partition(".")[0])[-1:][0] if path else ""
