"""What the protocols have in common when a call is put into words; older words stay joined."""

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from donewhen.agents.models.reading import Asking as Asking
from donewhen.agents.models.reading import joined as joined
from donewhen.agents.models.reading import requests as requests
from donewhen.agents.models.reading import short as short
from donewhen.agents.models.reading import unreadable as unreadable
from donewhen.core.agent import ToolSpec
from donewhen.core.chat import Piece, Prompt, Reply
from donewhen.core.codec import dumps

LOOSE = 8  # of the last pieces that a next call may still see otherwise
_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


class Asked(NamedTuple):
    """How an endpoint is asked; what it refuses is left out from then on."""

    model: str
    stream: bool = True
    dialect: str = "chat"  # marks what is kept on pieces and handed back unchanged; begins with the protocol
    limit_name: str = "max_tokens"
    most_output: int | None = None  # as the endpoint told
    temperature: bool = True
    usage: bool = True  # ask a stream for its usage
    cache_key: bool = False
    cache_marks: bool = True
    encrypted: bool = True  # ask for reasoning that can be handed back


class Reader(Protocol):
    """An answer that comes event by event."""

    @property
    def done(self) -> bool:
        """Whether the endpoint said that this was all."""

    @property
    def size(self) -> int:
        """Characters that were said so far, thought or asked for."""

    def take(self, event: str, data: bytes) -> None: ...

    def reply(self) -> Reply:
        """What was said; ModelFailed("cut") when the end is missing."""


class Wire(Protocol):
    """A protocol; a module is one."""

    def path(self, asked: Asked) -> str:
        """What follows the address of the endpoint."""

    def body(self, prompt: Prompt, asked: Asked, kept: "Kept") -> bytes: ...

    def reader(self, dialect: str, seed: str) -> Reader: ...

    def whole(self, data: bytes, dialect: str, seed: str) -> Reply: ...


class Settled:
    """The words of the pieces that were said long ago, joined: a call adds to them what is new."""

    def __init__(self) -> None:
        self._dialect = ""
        self._pieces: list[Piece] = []
        self.words = bytearray()

    def rest(self, pieces: Sequence[Piece], dialect: str) -> Sequence[Piece]:
        """The pieces that are not in here; all of them when they don't begin with those that are."""
        known = len(self._pieces)  # without any, what was put before them belongs to nobody
        if not known or dialect != self._dialect or list(pieces[:known]) != self._pieces:
            self._dialect, self._pieces, self.words, known = dialect, [], bytearray(), 0
        return pieces[known:]

    def add(self, pieces: Sequence[Piece], words: Sequence[bytes]) -> None:
        """Words in a list, each followed by a comma."""
        self._pieces += pieces
        self.words += b"".join(each + b"," for each in words if each)


class Kept:
    """Encodings of what rarely changes, made anew only when it did."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, bytes]] = {}
        self.settled = Settled()

    def get(self, name: str, thing: Any, make: Callable[[Any], bytes]) -> bytes:
        held = self._made.get(name)
        if held is not None and (held[0] is thing or held[0] == thing):
            return held[1]
        data = make(thing)
        self._made[name] = (thing, data)
        return data


def encode(data: object) -> bytes:
    return dumps(data).encode()


def encoded(piece: Piece, dialect: str, make: Callable[[Any, str], bytes]) -> bytes:
    """The words of a piece, made once."""
    held = piece.wire
    if held is not None and held[0] == dialect:
        return held[1]
    data = make(piece.said, dialect)
    piece.wire = (dialect, data)
    return data


def listed(settled: Settled, loose: Sequence[bytes], end: bytes) -> list[bytes | bytearray]:
    """Parts of a JSON list that was opened before."""
    rest = b",".join(filter(None, loose))
    if rest or not settled.words:
        return [settled.words, rest, end]
    return [settled.words[:-1], end]


def schema_of(tool: ToolSpec) -> dict[str, Any]:
    return {"type": "object", "properties": {}, **tool.schema}


def output_limit(prompt: Prompt, asked: Asked) -> int:
    return prompt.max_output if asked.most_output is None else min(prompt.max_output, asked.most_output)


def safe_name(name: str) -> str:
    """A tool's name that every endpoint takes, also when a model made it up."""
    return _IN_A_NAME.sub("_", name)[:64] or "unknown"


def safe_id(id: str, pattern: re.Pattern[str], length: int = 24) -> str:
    """The id of a call, or another one in its place that is the same for the call and its result."""
    return id if pattern.fullmatch(id) else hashlib.sha256(id.encode(errors="replace")).hexdigest()[:length]
