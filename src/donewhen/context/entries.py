"""A closed exchange as a model hears of it: redacted once, whole or with its results shortened."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from donewhen.context.sizes import Counter, json_text, tokens
from donewhen.core.agent import MessageKind, ToolRequest
from donewhen.core.chat import AgentSaid, Piece, Said, ToolSaid, UserSaid
from donewhen.core.codec import freeze, thaw
from donewhen.core.texts import Language, say
from donewhen.core.transcript import Exchange, Transcript

Redact = Callable[[str], str]
WHOLE = 0  # a form; others are the most characters of a result


class Told(NamedTuple):
    kind: MessageKind
    text: str


class Entry:
    """`keys` names the calls as the ledger does, by their ids."""

    __slots__ = ("_forms", "keys", "pieces", "said", "told")

    def __init__(self, told: tuple[Told, ...], pieces: tuple[Piece, ...], keys: dict[str, str]) -> None:
        self.told = told
        self.pieces = pieces
        self.keys = keys
        self.said = next((each.said for each in pieces if isinstance(each.said, AgentSaid)), None)
        self._forms: dict[int, tuple[Piece, ...]] = {WHOLE: pieces}

    def form(self, most: int, language: Language) -> tuple[Piece, ...]:
        """Its pieces with no result longer than that; those that are not shortened stay the same ones."""
        if most not in self._forms:
            self._forms[most] = tuple(self._short(piece, most, language) for piece in self.pieces)
        return self._forms[most]

    def size(self, most: int, language: Language, counter: Counter) -> int:
        return sum(tokens(piece, counter) for piece in self.form(most, language))

    def results(self) -> list[ToolSaid]:
        return [each.said for each in self.pieces if isinstance(each.said, ToolSaid)]

    def _short(self, piece: Piece, most: int, language: Language) -> Piece:
        said = piece.said
        if not isinstance(said, ToolSaid):
            return piece
        output = shortened(said.output, most, self.keys.get(said.id, said.id), language)
        return piece if output == said.output else Piece(said._replace(output=output))


def shortened(text: str, most: int, call: str, language: Language) -> str:
    """Head and tail, with a line between that says what is missing and where it is; never longer."""
    if len(text) <= most:
        return text
    head, tail = text[: most - most // 3], text[len(text) - most // 3 :]
    left = len(text) - len(head) - len(tail)
    short = f"{head}\n{say('context.result_left_out', language, count=left, call=call)}\n{tail}"
    return short if len(short) < len(text) else text


def told_of(exchange: Exchange, redact: Redact) -> tuple[Told, ...]:
    return tuple(Told(each.kind, redact(each.text)) for each in exchange.told)


def said_to(told: tuple[Told, ...]) -> Piece:
    return Piece(UserSaid("\n\n".join(each.text for each in told)))


def entry_of(transcript: Transcript, exchange: Exchange, redact: Redact, opened: Piece | None) -> Entry:
    """`opened` is what the agent was told as it was sent while the exchange was open."""
    told = told_of(exchange, redact)
    pieces = []
    if told:
        first = said_to(told)
        pieces.append(opened if opened is not None and opened.said == first.said else first)
    for piece in transcript.pieces(exchange):
        if not isinstance(piece.said, UserSaid) and not _empty(piece.said):
            clean = _redacted(piece.said, redact)
            pieces.append(piece if clean is piece.said else Piece(clean))
    keys = {call: key for key, call in exchange.asked.items()}
    return Entry(told, tuple(pieces), keys)


def _empty(said: Said) -> bool:
    """An answer of which nothing travels: no endpoint takes one."""
    return isinstance(said, AgentSaid) and not (said.text.strip() or said.calls or said.opaque)


def _redacted(said: Said, redact: Redact) -> Said:
    """The same object when there is nothing to hide. What a provider wants back unchanged came from it."""
    if isinstance(said, ToolSaid):
        output = redact(said.output)
        return said if output == said.output else said._replace(output=output)
    if isinstance(said, AgentSaid):
        calls = tuple(map(partial(_call, redact=redact), said.calls))
        clean = said._replace(text=redact(said.text), thinking=redact(said.thinking), calls=calls)
        return said if clean == said else clean
    return said


def _call(call: ToolRequest, redact: Redact) -> ToolRequest:
    leaves = _leaves(thaw(call.args), redact)
    text = json_text(leaves)
    clean = redact(text)  # also by the name of an argument
    if clean == json_text(call.args) and not call.broken:
        return call
    args = leaves if clean == text else _read(clean)
    return call._replace(args=freeze(args), broken=redact(call.broken))


def _read(clean: str) -> dict[str, Any]:
    """Redacted arguments as data; as a text where a marker left no JSON."""
    try:
        args = json.loads(clean)
    except ValueError:
        args = None
    return args if isinstance(args, dict) else {"redacted": clean}


def _leaves(data: Any, redact: Redact) -> Any:
    if isinstance(data, str):
        return redact(data)
    if isinstance(data, dict):
        return {redact(key): _leaves(value, redact) for key, value in data.items()}
    if isinstance(data, list):
        return [_leaves(value, redact) for value in data]
    return data
