"""Anthropic Messages: blocks encoded once, put together to messages for every call.

Marks for the prompt cache stand on what stays the same: the tools, the system, and the last two things that
the user's side said. How things stand comes after the last mark, so it never spoils the cache.
"""

import re
from collections.abc import Sequence

from donewhen.agents.models.read_anthropic import AnthropicReader, whole
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

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MARK = {"cache_control": {"type": "ephemeral"}}
_MARK_BYTES = b',"cache_control":{"type":"ephemeral"}}'
_MARKED = 2
_FIRST = b'{"type":"text","text":"(earlier turns are left out)"}'  # a conversation begins with the user


def path(asked: Asked) -> str:
    return "/v1/messages"


def encode_piece(piece: Piece, dialect: str = "anthropic") -> bytes:
    """The content blocks that a piece is, with commas between them; empty when nothing was said."""
    return encoded(piece, dialect, _blocks)


def body(prompt: Prompt, asked: Asked, kept: Kept) -> bytes:
    marks = asked.cache_marks
    parts: list[bytes | bytearray] = [b'{"model":', encode(asked.model)]
    parts.append(b',"max_tokens":%d' % output_limit(prompt, asked))
    if prompt.tools:
        parts.append(kept.get(f"tools {marks}", prompt.tools, lambda tools: _tools(tools, marks)))
    parts.append(kept.get(f"system {marks}", prompt.system, lambda system: _system(system, marks)))
    parts.append(b',"messages":[')
    parts += listed(kept.settled, _messages(prompt, asked, kept.settled), b"]")
    if prompt.temperature is not None and asked.temperature:
        parts.append(b',"temperature":' + encode(min(prompt.temperature, 1)))
    if asked.stream:
        parts.append(b',"stream":true')
    parts.append(b"}")
    return b"".join(parts)


def reader(dialect: str = "anthropic", seed: str = "") -> AnthropicReader:
    return AnthropicReader(dialect, seed)


class _Turn:
    """What one side said in a row, with the pieces that it comes from."""

    def __init__(self, user: bool) -> None:
        self.user = user
        self.blocks: list[bytes] = []
        self.pieces: list[Piece] = []

    def message(self) -> bytes:
        role = b"user" if self.user else b"assistant"
        return b'{"role":"%s","content":[%s]}' % (role, b",".join(self.blocks))


def _messages(prompt: Prompt, asked: Asked, settled: Settled) -> list[bytes]:
    """Messages that are not settled yet: turns by turns, tool results before anything else."""
    turns = _turns(settled.rest(prompt.pieces, asked.dialect), asked.dialect)
    first = not settled.words
    if first and turns and not turns[0].user:
        turns.insert(0, _Turn(True))
        turns[0].blocks.append(_FIRST)
    old = turns[:-LOOSE]
    settled.add([piece for turn in old for piece in turn.pieces], [turn.message() for turn in old])
    loose = turns[-LOOSE:]
    if asked.cache_marks:
        for turn in [turn for turn in loose if turn.user][-_MARKED:]:
            turn.blocks[-1] = turn.blocks[-1][:-1] + _MARK_BYTES
    text = prompt.standing if prompt.standing.strip() else ""
    if not loose or (text and not loose[-1].user):
        loose.append(_Turn(True))
    if text or not loose[-1].blocks:
        loose[-1].blocks.append(_text(text) if text else _FIRST)
    return [turn.message() for turn in loose]


def _turns(pieces: Sequence[Piece], dialect: str) -> list[_Turn]:
    """Neighbours of one side are one turn; who said nothing has none."""
    turns: list[_Turn] = []
    silent: list[Piece] = []
    for piece in pieces:
        blocks = encode_piece(piece, dialect)
        if not blocks:
            silent.append(piece)
            continue
        user = not isinstance(piece.said, AgentSaid)
        if not turns or turns[-1].user is not user:
            turns.append(_Turn(user))
        turns[-1].blocks.append(blocks)
        turns[-1].pieces += [*silent, piece]
        silent = []
    return turns


def _system(parts: tuple[str, ...], marks: bool) -> bytes:
    blocks: list[dict[str, object]] = [{"type": "text", "text": part} for part in parts if part.strip()]
    if not blocks:
        return b""
    if marks:
        blocks[-1].update(_MARK)
    return b',"system":' + encode(blocks)


def _tools(tools: tuple[ToolSpec, ...], marks: bool) -> bytes:
    found: list[dict[str, object]] = [
        {"name": tool.name, "description": tool.description, "input_schema": schema_of(tool)}
        for tool in tools
    ]
    if marks:
        found[-1].update(_MARK)
    return b',"tools":' + encode(found)


def _text(text: str) -> bytes:
    return encode({"type": "text", "text": text})


def _blocks(said: Said, dialect: str) -> bytes:
    if isinstance(said, UserSaid):
        return _text(said.text) if said.text.strip() else b""
    if isinstance(said, ToolSaid):
        block: dict[str, object] = {"type": "tool_result", "tool_use_id": safe_id(said.id, _ID)}
        if said.output.strip():
            block["content"] = said.output
        if not said.ok:
            block["is_error"] = True
        return encode(block)
    return b",".join(map(encode, _said(said, dialect)))


def _said(said: AgentSaid, dialect: str) -> list[object]:
    """What was said and asked for, with the thoughts where they stood."""
    text = said.text.rstrip() if not said.calls else said.text
    parts: list[object] = [{"type": "text", "text": text}] if text.strip() else []
    for call in said.calls:
        block = {"type": "tool_use", "id": safe_id(call.id, _ID), "name": safe_name(call.tool)}
        parts.append({**block, "input": call.args})
    if not parts:
        return []
    last = len(parts) - 1  # something follows every thought
    for held in reversed(said.opaque.get(dialect) or ()):
        parts.insert(min(held["at"], last), held["block"])
    return parts
