"""Cypher, the language of graph databases."""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, File, Nested, Reader
from donewhen.guard.effects import Destroys, Effect, Reads, RunsFetched, Unknown
from donewhen.guard.marks import NETWORK, anything
from donewhen.guard.options import options, read

_CYPHER = options(
    "nv", "aupdfP", "debug non-interactive wrap", "address username password database file format param"
)
_CYPHER_LOST = re.compile(
    r"\b(?:detach\s+delete|drop\s+(?:database|alias|user|role|index|constraint))\b", re.IGNORECASE
)
_CYPHER_CHANGED = re.compile(r"\b(?:delete|remove|set|merge|create|alter|stop)\b", re.IGNORECASE)


def _cypher(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _CYPHER)
    for path in given.all("-f", "--file"):
        yield Reads(call.at(path))
        yield File(call.at(path), call.name)
    texts = list(given.operands) or ([call.stdin] if call.stdin is not None else [])
    for text in texts:
        if NETWORK in text:
            yield RunsFetched(call.name)
        elif anything(text):
            yield Unknown("guard.unknown_code", text[:200])
        if _CYPHER_LOST.search(text):
            yield Destroys("database", call.name)
        elif _CYPHER_CHANGED.search(text):
            yield Destroys("database", call.name, sure=False)


READERS: Mapping[str, Reader] = {"cypher-shell": _cypher}
