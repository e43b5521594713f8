"""Which conditions of a skip are honest: another platform, an older version, an optional dependency.

A test may be left out where it can't run. One that is left out where the exam runs, or by a switch that
whoever sits the exam can set, is switched off. Read from the marker's text; nothing is evaluated.
"""

import re
from collections.abc import Iterable, Sequence

from donewhen.core.integrity.model import Test

_BLANKS = re.compile(r"\s*([.()\[\],])\s*")  # between tokens
_SWITCH = re.compile(r"environ|getenv|\benv\b|getProperty|argv|\bCI\b|open\(|exists", re.IGNORECASE)
_FOREIGN = re.compile(
    r"win32|windows|cygwin|['\"]nt['\"]|darwin|mac_?os|\bMAC\b|osx|freebsd|android|emscripten|wasm", re.I
)
_HOME = re.compile(r"linux|posix|unix", re.I)
_UNLESS = re.compile(r"unless|enabledon|enabledfor|runif|assumetrue|assumethat|only_?on", re.I)
_NOT = re.compile(r"!=|\bnot\b|!\s*[\w(]|\bis not\b")
_VERSION = re.compile(r"version|\bjre\b|hexversion", re.I)
_OLDER = re.compile(r"<")
_NEWER = re.compile(r">")
_OPTIONAL = re.compile(
    r"importorskip|find_spec|ImportError|ModuleNotFoundError|\bHAS_|\bHAVE_|\bhas[A-Z_]|which\s*\(|LookPath"
)
_ABSENT = re.compile(
    r"importorskip|\bnot\b|!|\bis None\b|== ?nil|=== ?null|ImportError|ModuleNotFoundError|err != nil"
)


_WORD = re.compile(r"\w+")


def marker_values(before: Test, now: Test) -> frozenset[str]:
    """Literals of a marker that is gone: the reason of a skip is no input of the test."""
    if not before.disabled or now.disabled:
        return frozenset()
    said = _words(before.disabled)
    asked = {value for each in before.asserts for value in (*each.given, *each.expected)}
    return frozenset(v for v in before.literals if v not in asked and said.issuperset(_words(v)))


def without_markers(values: Iterable[str], before: Sequence[Test], now: Sequence[Test]) -> list[str]:
    """The values of a file outside of its tests, without those of markers that are gone from them."""
    running = {test.name for test in now if not test.disabled}
    said = [_words(test.disabled) for test in before if test.disabled and test.name in running]
    return [value for value in values if not any(words.issuperset(_words(value)) for words in said)]


def _words(text: str) -> frozenset[str]:
    return frozenset(map(str.lower, _WORD.findall(text)))


def honest_condition(test: Test) -> bool:
    """Whether its marker depends on something that may keep an honest test from running elsewhere."""
    text = _BLANKS.sub(r"\1", test.disabled)
    if not test.conditional or _SWITCH.search(text):
        return False
    unless = _UNLESS.search(text) is not None
    if _OPTIONAL.search(text):
        return unless or _ABSENT.search(text) is not None
    turned = unless != (_NOT.search(text) is not None)
    foreign, home = _FOREIGN.search(text) is not None, _HOME.search(text) is not None
    if foreign or home:
        return home and not foreign if turned else foreign and not home
    if _VERSION.search(text):
        wanted, other = (_NEWER, _OLDER) if turned else (_OLDER, _NEWER)
        return wanted.search(text) is not None and other.search(text) is None
    return "testing.Short" in text
