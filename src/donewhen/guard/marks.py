"""Text of which a part is not known: marks stand for that part.

What a command would get is a string; where its value can't be told from the line alone, it holds one of six
control characters that no command text may contain. So the unknown travels through joining, splitting and
nesting like any other text, and its origin with it: what came from the network still shows in `$(curl …)`
inside a variable inside an argument.
"""

import re

HOLE = "\x00"  # any text, also none, also several words
STAR = "\x01"  # any characters but a slash (a live `*`, a number, a date)
ANY = "\x02"  # one character but no slash (a live `?` or `[…]`)
BELOW = "\x03"  # a path below the one before it, without `..` (names that find or git ls-files print)
NETWORK = "\x04"  # text that came from the network
SECRET = "\x05"  # noqa: S105 (text of a secret)
ENVIRONMENT = "\x06"  # text of the whole environment

MARKS = frozenset((HOLE, STAR, ANY, BELOW, NETWORK, SECRET, ENVIRONMENT))
WILD = frozenset((HOLE, NETWORK, SECRET, ENVIRONMENT))  # may hold anything at all
# Marks can't pass the parser, so they travel through it as characters for private use. Somebody who writes
# these himself gets an unknown for a literal, which is never the milder of the two.
_FIRST = 0xF8F0
CARRIED = {ord(mark): chr(_FIRST + ord(mark)) for mark in MARKS}
RESTORED = {_FIRST + ord(mark): mark for mark in MARKS}
MARKED = re.compile("[\x00-\x06]")
_ANYWHERE = re.compile("[\x00\x04\x05\x06]")
_UNKNOWN = re.compile("[\x00\x04\x05\x06]+")
_GLOBS = re.compile("[\x01-\x03]")
_AS_WRITTEN = {STAR: "*", ANY: "?", BELOW: "**"}
_LONG = MARKS - {ANY}


def certain(text: str) -> bool:
    """Is all of it known?"""
    return MARKED.search(text) is None


def anything(text: str) -> bool:
    """May it hold any text, `..` and slashes too?"""
    return _ANYWHERE.search(text) is not None


def lead(text: str) -> str:
    """The characters that it surely begins with."""
    found = MARKED.search(text)
    return text if found is None else text[: found.start()]


def could_be(text: str, value: str) -> bool:
    """Could the marked text be this value? Every long mark counts as one that may hold anything.

    Only the latest of them ever has to take more, so that many marks cost no more than one.
    """
    at = reached = 0
    many = back = -1
    while reached < len(value):
        if at < len(text) and text[at] in _LONG:
            many, back = at, reached
            at += 1
        elif at < len(text) and text[at] in (ANY, value[reached]):
            at += 1
            reached += 1
        elif many >= 0:
            back += 1
            at, reached = many + 1, back
        else:
            return False
    return all(character in _LONG for character in text[at:])


def shown(text: str) -> str:
    """For people: what is not known as dots, globs as they were written."""
    return _GLOBS.sub(lambda found: _AS_WRITTEN[found[0]], _UNKNOWN.sub("…", text))
