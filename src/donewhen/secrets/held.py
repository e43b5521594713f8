"""What a credential file holds: the values in it that must stand nowhere else. Pure.

Reads the forms that such files have (assignments, JSON and YAML lines, logins, addresses with passwords, key
blocks, a bare token) line by line, and takes only what is worth hiding: a value that a name claims to be a
credential, or that looks random. Ordinary words, placeholders, hosts and ports are no secrets, wherever they
lie.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from donewhen.secrets.claims import is_key_like
from donewhen.secrets.declared import is_ordinary
from donewhen.secrets.entropy import is_placeholder, looks_random

_MOST_LINES = 4_000
_MOST_VALUES = 400
_LONGEST = 4_096  # characters of a line
_SHORTEST = 8
_PAIR = re.compile(
    r"[ \t]{0,60}(?:-[ \t]{1,4})?(?:(?:export|set|setenv)[ \t]{1,8})?[\"']?"
    r"(?:[^\s\"'=]{0,120}:)?([A-Za-z_][\w.\-]{0,120})[\"']?[ \t]{0,20}[:=][ \t]{0,20}(\S[^\n]{0,4000})"
)
_QUOTED = re.compile(r'"([\w.\-]{1,120})"[ \t]{0,20}:[ \t]{0,20}"([^"\\]{0,4000})"')
_LOGIN = re.compile(r"\b(?:password|passwd|account)[ \t]{1,8}(\S{8,200})")
_ADDRESS = re.compile(r"://[^:/@\s]{0,120}:([^@\s/]{8,200})@")
_COMMENT = re.compile(r"[ \t][#;].{0,4000}$")
_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY")
_BODY = re.compile(r"[A-Za-z0-9+/]{40,80}={0,2}")
_TOKEN = re.compile(r"[\w.+/=~\-]{16,2000}")
_PASSWORD_LAST = re.compile(r"[^:\s]{1,200}(?::[^:\s]{0,200}){3}:(\S{8,200})")


class Pair(NamedTuple):
    name: str
    value: str


def pairs_in(text: str) -> Iterator[Pair]:
    """The assignments of a file, without quotes and comments."""
    for line in _lines(text):
        if line.lstrip().startswith(("#", ";")):
            continue
        quoted = [Pair(*found.groups()) for found in islice(_QUOTED.finditer(line), _MOST_VALUES)]
        found = _PAIR.match(line)
        yield from quoted or ([Pair(found[1], _bare(found[2]))] if found else [])


def values_in(text: str) -> tuple[str, ...]:
    """The values of a credential file that must not stand anywhere else."""
    found = dict.fromkeys(value for value in _all(text) if _counts(value))
    return tuple(found)[:_MOST_VALUES]


def is_credential(pair: Pair) -> bool:
    """Whether a name claims its value to be a credential and the value is more than a placeholder."""
    return bool(pair.value) and is_key_like(pair.name) and not _is_filler(pair.value)


def _all(text: str) -> Iterator[str]:
    for pair in pairs_in(text):
        if is_key_like(pair.name) or looks_random(pair.value, quoted=True):
            yield pair.value
    in_block = bool(_BLOCK.search(text[: _LONGEST * 64]))
    for line in _lines(text):
        yield from _LOGIN.findall(line)
        yield from _ADDRESS.findall(line)
        yield from _whole(line.strip(), in_block)


def _whole(line: str, in_block: bool) -> Iterator[str]:
    """A line that is a secret as it stands: of a key, of a list of logins, or a bare token."""
    if in_block and _BODY.fullmatch(line):
        yield line
        return
    login = _PASSWORD_LAST.fullmatch(line)
    if login:
        yield login[1]
    elif _TOKEN.fullmatch(line) and not _PAIR.match(line) and looks_random(line, quoted=False):
        yield line


def _counts(value: str) -> bool:
    return len(value) >= _SHORTEST and not is_ordinary(value) and not _is_filler(value)


def _is_filler(value: str) -> bool:
    return is_placeholder(value) or value.lower() in ("true", "false", "none", "null", "yes", "no")


def _bare(value: str) -> str:
    value = value.strip()
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value[1:]
    return _COMMENT.sub("", value).rstrip(", \t;")


def _lines(text: str) -> Iterable[str]:
    lines = text.split("\n", _MOST_LINES)[:_MOST_LINES]
    return (line.removesuffix("\r")[:_LONGEST] for line in lines)
