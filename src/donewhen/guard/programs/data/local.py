"""Clients of databases that read files of this machine, and clients behind another name."""

import re
from collections.abc import Iterator

from donewhen.guard.call import Call, Nested, Reader, Words
from donewhen.guard.effects import Effect, Reads
from donewhen.guard.programs.deeds import Scene

_Found = Iterator[Effect | Nested]
_LITERAL = re.compile(r"'([^'\n]{1,300})'")
_INFILE = re.compile(r"\binfile\s{1,9}'([^'\n]{1,300})'", re.IGNORECASE)
_IN_NODE = re.compile(r"\b(?:require|process|fs|child_process|import)\b")
_PRINTS = re.compile(r"\bprint(?:json)?\s{0,3}\(")
# Every literal of their statements may be a file.
_READING = frozenset(("duckdb", "clickhouse-client"))


def local_effects(call: Call, text: str) -> _Found:
    """What statements do with files of this machine."""
    if call.name in _READING:
        yield from (Reads(call.at(found)) for found in _LITERAL.findall(text))
    if call.name == "duckdb":
        from donewhen.guard.programs.small_code import sqlite

        scene = Scene(call)
        sqlite(text, scene)
        yield from scene.found
    if "infile" in text.lower():
        yield from (Reads(call.at(found)) for found in _INFILE.findall(text))


def in_node(call: Call, text: str) -> _Found:
    """mongosh runs its text in node."""
    if _IN_NODE.search(text):
        yield Words(("node", "-e", _PRINTS.sub("console.log(", text)), call.name)


def _clickhouse(call: Call) -> _Found:
    yield Words(("clickhouse-client", *call.argv[2:]), call.name, stdin=call.stdin)


READERS: dict[str, Reader] = {"clickhouse": _clickhouse}
