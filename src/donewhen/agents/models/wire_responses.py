"""OpenAI Responses: nothing is kept at the endpoint, so reasoning comes encrypted and goes back unchanged."""

import re

from donewhen.agents.models.read_responses import ResponsesReader, whole
from donewhen.agents.models.wire import (
    LOOSE,
    Asked,
    Kept,
    encode,
    encoded,
    listed,
    output_limit,
    safe_id,
    safe_name,
    schema_of,
)
from donewhen.agents.models.wire_chat import cache_key
from donewhen.core.agent import ToolSpec
from donewhen.core.chat import AgentSaid, Piece, Prompt, Said, ToolSaid, UserSaid
from donewhen.core.codec import dumps

__all__ = ["body", "encode_piece", "path", "reader", "whole"]

_ID = re.compile(r"[\x21-\x7e]{1,64}")
_LEAST_OUTPUT = 16


def path(asked: Asked) -> str:
    return "/responses"


def encode_piece(piece: Piece, dialect: str = "responses") -> bytes:
    """The input items that a piece is, with commas between them; empty when nothing was said."""
    return encoded(piece, dialect, _items)


def body(prompt: Prompt, asked: Asked, kept: Kept) -> bytes:
    pieces = kept.settled.rest(prompt.pieces, asked.dialect)
    items = [encode_piece(piece, asked.dialect) for piece in pieces]
    old = max(0, len(pieces) - LOOSE)
    kept.settled.add(pieces[:old], items[:old])
    loose = items[old:]
    if prompt.standing:
        loose.append(_user(prompt.standing))
    limit = max(_LEAST_OUTPUT, output_limit(prompt, asked))
    parts: list[bytes | bytearray] = [b'{"model":', encode(asked.model)]
    parts += [kept.get("system", prompt.system, _system), b',"input":[']
    parts += listed(kept.settled, loose, b'],"store":false')
    parts.append(b',"max_output_tokens":%d' % limit)
    if prompt.tools:
        parts += [b',"tools":', kept.get("tools", prompt.tools, _tools)]
    if asked.encrypted:
        parts.append(b',"include":["reasoning.encrypted_content"]')
    if prompt.temperature is not None and asked.temperature:
        parts.append(b',"temperature":' + encode(prompt.temperature))
    if asked.cache_key:
        parts.append(b',"prompt_cache_key":' + kept.get("cache_key", prompt.system, cache_key))
    if asked.stream:
        parts.append(b',"stream":true')
    parts.append(b"}")
    return b"".join(parts)


def reader(dialect: str = "responses", seed: str = "") -> ResponsesReader:
    return ResponsesReader(dialect, seed)


def _system(parts: tuple[str, ...]) -> bytes:
    text = "\n\n".join(filter(None, parts))
    return b',"instructions":' + encode(text) if text else b""


def _tools(tools: tuple[ToolSpec, ...]) -> bytes:
    return encode(
        [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": schema_of(tool),
                "strict": False,
            }
            for tool in tools
        ]
    )


def _user(text: str) -> bytes:
    return encode({"role": "user", "content": text})


def _items(said: Said, dialect: str) -> bytes:
    if isinstance(said, UserSaid):
        return _user(said.text) if said.text else b""
    if isinstance(said, ToolSaid):
        call_id = safe_id(said.id, _ID)
        return encode({"type": "function_call_output", "call_id": call_id, "output": said.output})
    return b",".join(map(encode, _said(said, dialect)))


def _said(said: AgentSaid, dialect: str) -> list[object]:
    """What was said and asked for, with the reasoning where it stood."""
    parts: list[object] = [{"role": "assistant", "content": said.text}] if said.text else []
    for call in said.calls:
        item = {"type": "function_call", "call_id": safe_id(call.id, _ID), "name": safe_name(call.tool)}
        parts.append({**item, "arguments": dumps(call.args)})
    if not parts:
        return []
    last = len(parts) - 1  # something follows every thought
    for held in reversed(said.opaque.get(dialect) or ()):
        parts.insert(min(held["at"], last), held["item"])
    return parts
