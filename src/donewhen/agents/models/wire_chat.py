"""OpenAI Chat Completions, which most endpoints speak: messages encoded once, joined for every call.

Mistral's endpoint takes only ids of nine letters and no user right after a tool; both are seen to here, by
the name of the dialect.
"""

import hashlib
import re
from collections.abc import Sequence

from donewhen.agents.models.read_chat import ChatReader, whole
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
from donewhen.core.agent import ToolRequest, ToolSpec
from donewhen.core.chat import AgentSaid, Piece, Prompt, Said, ToolSaid, UserSaid
from donewhen.core.codec import dumps

__all__ = ["body", "encode_piece", "path", "reader", "whole"]

BACK = ("reasoning_content", "reasoning_details")  # what some endpoints want to see again
_MISTRAL = "chat:mistral"
_ANY_ID = re.compile(r"[\x21-\x7e]{1,40}")
_MISTRAL_ID = re.compile(r"[A-Za-z0-9]{9}")
_BRIDGE = b'{"role":"assistant","content":"OK."}'


def path(asked: Asked) -> str:
    return "/chat/completions"


def encode_piece(piece: Piece, dialect: str = "chat") -> bytes:
    """The message that a piece is; empty when nothing was said."""
    return encoded(piece, dialect, _message)


def body(prompt: Prompt, asked: Asked, kept: Kept) -> bytes:
    """A request: bytes that are there already are only joined."""
    loose = _messages(prompt, asked.dialect, kept.settled)
    system = kept.get("system", prompt.system, _system)
    parts: list[bytes | bytearray] = [b'{"model":', encode(asked.model), b',"messages":[', system]
    if system and (kept.settled.words or any(loose)):
        parts.append(b",")
    parts += listed(kept.settled, loose, b"]")
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


def _messages(prompt: Prompt, dialect: str, settled: Settled) -> list[bytes]:
    """The messages that are not settled yet; the older ones of them are settled by that."""
    pieces = settled.rest(prompt.pieces, dialect)
    words = [encode_piece(piece, dialect) for piece in pieces]
    if dialect.startswith(_MISTRAL):
        words = _bridged(prompt.pieces, pieces, words)
    old = max(0, len(pieces) - LOOSE)
    settled.add(pieces[:old], words[:old])
    loose = words[old:]
    if prompt.standing:
        if dialect.startswith(_MISTRAL) and prompt.pieces and isinstance(prompt.pieces[-1].said, ToolSaid):
            loose.append(_BRIDGE)
        loose.append(_message(UserSaid(prompt.standing), dialect))
    return loose


def _bridged(all: Sequence[Piece], pieces: Sequence[Piece], words: list[bytes]) -> list[bytes]:
    """With a word of the agent's between a tool and the user."""
    first = len(all) - len(pieces)
    found = []
    for at, message in enumerate(words, start=first):
        after_tool = at > 0 and isinstance(all[at - 1].said, ToolSaid)
        bridge = message and after_tool and isinstance(all[at].said, UserSaid)
        found.append(_BRIDGE + b"," + message if bridge else message)
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
    return safe_id(id, _MISTRAL_ID, 9) if dialect.startswith(_MISTRAL) else safe_id(id, _ANY_ID)
