"""Gemini's generateContent: parts encoded once, put together to contents for every call.

Results of calls are contents of their own, for what stands beside them is read as the model's own words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from donewhen.agents.models.library_details import shared_out
from donewhen.agents.models.read_gemini import GeminiReader, whole
from donewhen.agents.models.schema_gemini import gemini_schema
from donewhen.agents.models.wire import (
    LOOSE,
    Asked,
    Kept,
    Settled,
    encode,
    encoded,
    listed,
    output_limit,
    safe_id,
    safe_name,
    schema_of,
)
from donewhen.core.agent import ToolSpec
from donewhen.core.chat import AgentSaid, Piece, Prompt, Said, ToolSaid, UserSaid

__all__ = ["body", "encode_piece", "path", "reader", "whole"]

_ID = re.compile(r"[\x21-\x7e]{1,200}")
_FIRST = b'{"text":"(earlier turns are left out)"}'  # a conversation begins with the user
_UNSIGNED = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="  # Google's word for calls that others made


def path(asked: Asked) -> str:
    """The address names the model; what stands in its name stays in its place."""
    kind, slash, name = asked.model.partition("/")
    if not slash or kind not in ("models", "tunedModels"):
        kind, name = "models", asked.model
    verb = "streamGenerateContent?alt=sse" if asked.stream else "generateContent"
    return f"/v1beta/{kind}/{quote(name, safe='')}:{verb}"


def encode_piece(piece: Piece, dialect: str = "gemini") -> bytes:
    """The parts that a piece is, with commas between them; empty when nothing was said."""
    return encoded(piece, dialect, _parts)


def body(prompt: Prompt, asked: Asked, kept: Kept) -> bytes:
    parts: list[bytes | bytearray] = [b'{"generationConfig":{"maxOutputTokens":']
    parts.append(b"%d" % output_limit(prompt, asked))
    if prompt.temperature is not None and asked.temperature:
        parts.append(b',"temperature":' + encode(prompt.temperature))
    parts += [b"}", kept.get("system", prompt.system, _system)]
    if prompt.tools:
        parts.append(kept.get("tools", prompt.tools, _tools))
    parts.append(b',"contents":[')
    parts += listed(kept.settled, _contents(prompt, asked.dialect, kept.settled), b"]}")
    return b"".join(parts)


def reader(dialect: str = "gemini", seed: str = "") -> GeminiReader:
    return GeminiReader(dialect, seed)


class _Turn:
    """What one side said in a row, with the pieces that it comes from."""

    def __init__(self, kind: type[Said]) -> None:
        self.kind = kind
        self.parts: list[bytes] = []
        self.pieces: list[Piece] = []

    def content(self) -> bytes:
        role = b"model" if self.kind is AgentSaid else b"user"
        return b'{"role":"%s","parts":[%s]}' % (role, b",".join(self.parts))


def _contents(prompt: Prompt, dialect: str, settled: Settled) -> list[bytes]:
    """Contents that are not settled yet; how things stand comes last."""
    turns = _turns(settled.rest(prompt.pieces, dialect), dialect)
    if not settled.words and turns and turns[0].kind is AgentSaid:
        turns.insert(0, _Turn(UserSaid))
        turns[0].parts.append(_FIRST)
    old = turns[:-LOOSE]
    settled.add([piece for turn in old for piece in turn.pieces], [turn.content() for turn in old])
    loose = turns[-LOOSE:]
    text = prompt.standing if prompt.standing.strip() else ""
    if not loose or (text and loose[-1].kind is not UserSaid):
        loose.append(_Turn(UserSaid))
    if text or not loose[-1].parts:
        loose[-1].parts.append(encode({"text": text}) if text else _FIRST)
    return [turn.content() for turn in loose]


def _turns(pieces: Sequence[Piece], dialect: str) -> list[_Turn]:
    """Neighbours of one kind are one turn; who said nothing has none."""
    turns: list[_Turn] = []
    silent: list[Piece] = []
    for piece in pieces:
        parts = encode_piece(piece, dialect)
        if not parts:
            silent.append(piece)
            continue
        kind = type(piece.said)
        if not turns or turns[-1].kind is not kind:
            turns.append(_Turn(kind))
        turns[-1].parts.append(parts)
        turns[-1].pieces += [*silent, piece]
        silent = []
    return turns


def _system(system: tuple[str, ...]) -> bytes:
    parts = [{"text": part} for part in system if part.strip()]
    return b',"systemInstruction":' + encode({"parts": parts}) if parts else b""


def _tools(tools: tuple[ToolSpec, ...]) -> bytes:
    found = [
        {
            "name": tool.name,
            "description": tool.description,
            "parametersJsonSchema": gemini_schema(schema_of(tool)),
        }
        for tool in tools
    ]
    return b',"tools":[{"functionDeclarations":' + encode(found) + b"}]"


def _parts(said: Said, dialect: str) -> bytes:
    if isinstance(said, UserSaid):
        return encode({"text": said.text}) if said.text.strip() else b""
    if isinstance(said, ToolSaid):
        result = {"output" if said.ok else "error": said.output}
        response = {"id": safe_id(said.id, _ID), "name": _name(said.tool), "response": result}
        return encode({"functionResponse": response})
    return b",".join(map(encode, _said(said, dialect)))


def _said(said: AgentSaid, dialect: str) -> Iterator[dict[str, Any]]:
    """The parts as they came, each with its signature; the first call never goes without one."""
    kept = _kept(said, dialect)
    texts = shared_out(said.text, [part["size"] for part in kept if part["kind"] == "text"])
    thoughts = shared_out(said.thinking, [part["size"] for part in kept if part["kind"] == "thought"])
    calls = iter(said.calls)
    needed = True
    for part in kept:
        signature = part.get("signature")
        mark = {"thoughtSignature": signature} if signature else {}
        if part["kind"] == "call":
            call = next(calls)
            made = {"id": safe_id(call.id, _ID), "name": _name(call.tool), "args": call.args}
            yield {"functionCall": made} | (mark or ({"thoughtSignature": _UNSIGNED} if needed else {}))
            needed = False
            continue
        is_thought = part["kind"] == "thought"
        words = next(thoughts if is_thought else texts)
        if mark or (words.strip() and not is_thought):
            yield {"text": words} | ({"thought": True} if is_thought else {}) | mark


def _kept(said: AgentSaid, dialect: str) -> Sequence[Mapping[str, Any]]:
    """How it was cut into parts; where that is not known or does not fit, words first and then calls."""
    kept = said.opaque.get(dialect)
    if isinstance(kept, list | tuple) and all(map(_is_part, kept)):
        kinds = [part["kind"] for part in kept]
        if kinds.count("call") == len(said.calls) and ("text" in kinds or not said.text):
            return kept
    return [{"kind": "text", "size": len(said.text)}, *({"kind": "call"} for _ in said.calls)]


def _is_part(part: Any) -> bool:
    if not isinstance(part, Mapping) or part.get("kind") not in ("text", "thought", "call"):
        return False
    size, signature = part.get("size"), part.get("signature", "")
    return type(size) is int and size >= 0 and type(signature) is str


def _name(name: str) -> str:
    """A name that begins as Gemini wants it."""
    safe = safe_name(name)
    return safe if safe[0].isalpha() or safe[0] == "_" else f"_{safe}"[:64]
