"""OpenAI Chat Completions, which most endpoints speak: messages encoded once, joined for every call.

Mistral's endpoint takes only ids of nine letters and no user right after a tool; both are seen to here, by
the name of the dialect.
"""

import hashlib
import re
from collections.abc import Sequence

from donewhen.agents.models.read_chat import ChatReader, whole
from donewhen.agents.models.wire import (
    Asked,
    Kept,
    encode,
    encoded,
    output_limit,
    safe_id,
    safe_name,
    schema_of,
)
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, Piece, Prompt, Said, ToolSaid, UserSaid
from donewhen.core.codec import dumps

__all__ = ["PATH", "body", "encode_piece", "reader", "whole"]

PATH = "/chat/completions"
BACK = ("reasoning_content", "reasoning_details")  # what some endpoints want to see again
_MISTRAL = "chat:mistral"
_ANY_ID = re.compile(r"[\x21-\x7e]{1,40}")
_MISTRAL_ID = re.compile(r"[A-Za-z0-9]{9}")
_BRIDGE = b'{"role":"assistant","content":"OK."}'


def encode_piece(piece: Piece, dialect: str = "chat") -> bytes:
    """The message that a piece is; empty when nothing was said."""
    return encoded(piece, dialect, _message)


def body(prompt: Prompt, asked: Asked, kept: Kept) -> bytes:
    """A request: bytes that are there already are only joined."""
    messages = [kept.get("system", prompt.system, _system), *_messages(prompt, asked.dialect)]
    parts = [b'{"model":', encode(asked.model), b',"messages":[', b",".join(filter(None, messages)), b"]"]
    if prompt.tools:
        parts += [b',"tools":', kept.get("tools", prompt.tools, _tools)]
    parts.append(b',"%s":%d' % (asked.limit_name.encode(), output_limit(prompt, asked)))
    if prompt.temperature is not None and asked.temperature:
        parts.append(b',"temperature":' + encode(prompt.temperature))
    if asked.cache_key:
        parts.append(b',"prompt_cache_key":' + kept.get("cache_key", prompt.system, cache_key))
    if asked.stream:
        parts.append(b',"stream":true')
        if asked.usage:
            parts.append(b',"stream_options":{"include_usage":true}')
    parts.append(b"}")
    return b"".join(parts)


def reader(dialect: str = "chat", seed: str = "") -> ChatReader:
    return ChatReader(dialect, seed)


def cache_key(system: tuple[str, ...]) -> bytes:
    """Equal for the calls of one run, which begin alike."""
    return encode(hashlib.sha256("\0".join(system).encode(errors="replace")).hexdigest()[:32])


def _messages(prompt: Prompt, dialect: str) -> list[bytes]:
    pieces: Sequence[Piece] = prompt.pieces
    if prompt.standing:
        pieces = [*pieces, Piece(UserSaid(prompt.standing))]
    if dialect != _MISTRAL:
        return [encode_piece(piece, dialect) for piece in pieces]
    found: list[bytes] = []
    after_tool = False
    for piece in pieces:
        message = encode_piece(piece, dialect)
        if not message:
            continue
        if after_tool and isinstance(piece.said, UserSaid):
            found.append(_BRIDGE)
        after_tool = isinstance(piece.said, ToolSaid)
        found.append(message)
    return found


def _system(parts: tuple[str, ...]) -> bytes:
    text = "\n\n".join(filter(None, parts))
    return encode({"role": "system", "content": text}) if text else b""


def _tools(tools: tuple[ToolSpec, ...]) -> bytes:
    return encode(
        [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": schema_of(tool),
                },
            }
            for tool in tools
        ]
    )


def _message(said: Said, dialect: str) -> bytes:
    if isinstance(said, UserSaid):
        return encode({"role": "user", "content": said.text}) if said.text else b""
    if isinstance(said, ToolSaid):
        return encode({"role": "tool", "tool_call_id": _id(said.id, dialect), "content": said.output})
    return _assistant(said, dialect)


def _assistant(said: AgentSaid, dialect: str) -> bytes:
    if not said.text and not said.calls:
        return b""
    message: dict[str, object] = {"role": "assistant", "content": said.text or None}
    if said.calls:
        message["tool_calls"] = [_call(call, dialect) for call in said.calls]
        back = said.opaque.get(dialect)
        if back:
            message.update({name: back[name] for name in BACK if name in back})
    return encode(message)


def _call(call: ToolRequest, dialect: str) -> dict[str, object]:
    function = {"name": safe_name(call.tool), "arguments": dumps(call.args)}
    return {"id": _id(call.id, dialect), "type": "function", "function": function}


def _id(id: str, dialect: str) -> str:
    return safe_id(id, _MISTRAL_ID, 9) if dialect == _MISTRAL else safe_id(id, _ANY_ID)
