"""Answers as the endpoints send them, in each protocol, and what they say."""

import json
from typing import Any

from donewhen.agents.models import wire_anthropic, wire_chat, wire_responses
from donewhen.core.agent import ToolRequest
from donewhen.core.chat import Reply, Used
from donewhen.core.codec import freeze

WIRES: dict[str, Any] = {"chat": wire_chat, "responses": wire_responses, "anthropic": wire_anthropic}
CALLS = (ToolRequest("a1", "run", {"command": "ls ü"}), ToolRequest("a2", "read", {}))


def sse(*events: object, named: bool = False) -> bytes:
    parts = []
    for event in events:
        text = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        name = f"event: {event['type']}\n" if named and isinstance(event, dict) else ""
        parts.append(f"{name}data: {text}\n\n")
    return "".join(parts).encode()


def delta(finish: str | None = None, **delta: object) -> dict[str, Any]:
    return {
        "id": "c",
        "model": "m-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        "odd": [1],
    }


def call(index: int, id: str | None, name: str | None, arguments: str) -> dict[str, Any]:
    return {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


CHAT_USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 30,
    "total_tokens": 130,
    "prompt_tokens_details": {"cached_tokens": 60},
    "completion_tokens_details": {"reasoning_tokens": 20},
}
CHAT_STREAM = sse(
    delta(role="assistant", content=""),
    delta(reasoning_content="Hm"),
    delta(content="Let"),
    delta(content=" me 𝄞"),
    delta(tool_calls=[call(0, "a1", "run", "")]),
    delta(tool_calls=[call(0, None, None, '{"command":')]),
    delta(tool_calls=[call(0, None, None, ' "ls ü"}')]),
    delta(tool_calls=[call(1, "a2", "read", "{}")]),
    delta("tool_calls"),
    {"choices": [], "usage": CHAT_USAGE},
    "[DONE]",
)
CHAT_WHOLE = json.dumps(
    {
        "model": "m-1",
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": "Let me 𝄞",
                    "reasoning_content": "Hm",
                    "tool_calls": [call(0, "a1", "run", '{"command": "ls ü"}'), call(0, "a2", "read", "")],
                },
                "finish_reason": "tool_calls",
            }
        ],
        "usage": CHAT_USAGE,
    }
).encode()

THOUGHT = {"type": "thinking", "thinking": "Hm", "signature": "c2ln"}
ANTHROPIC_STREAM = sse(
    {
        "type": "message_start",
        "message": {
            "model": "m-1",
            "content": [],
            "usage": {"input_tokens": 30, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 10},
        },
    },
    {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "thinking", "thinking": "", "signature": ""},
    },
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "ping"},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Let me"}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": " 𝄞"}},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "tool_use", "id": "a1", "name": "run", "input": {}},
    },
    {
        "type": "content_block_delta",
        "index": 2,
        "delta": {"type": "input_json_delta", "partial_json": '{"comma'},
    },
    {
        "type": "content_block_delta",
        "index": 2,
        "delta": {"type": "input_json_delta", "partial_json": 'nd": "ls ü"}'},
    },
    {
        "type": "content_block_start",
        "index": 3,
        "content_block": {"type": "tool_use", "id": "a2", "name": "read", "input": {}},
    },
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 30}},
    {"type": "message_stop"},
    named=True,
)
ANTHROPIC_WHOLE = json.dumps(
    {
        "model": "m-1",
        "content": [
            THOUGHT,
            {"type": "text", "text": "Let me 𝄞"},
            {"type": "tool_use", "id": "a1", "name": "run", "input": {"command": "ls ü"}},
            {"type": "tool_use", "id": "a2", "name": "read", "input": {}},
        ],
        "stop_reason": "tool_use",
        "usage": {
            "input_tokens": 30,
            "cache_read_input_tokens": 60,
            "cache_creation_input_tokens": 10,
            "output_tokens": 30,
        },
    }
).encode()

ITEM = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "Hm"}],
    "encrypted_content": "gAAA",
}
RESPONSE: dict[str, Any] = {
    "model": "m-1",
    "status": "completed",
    "error": None,
    "output": [
        {**ITEM, "status": None},
        {"type": "message", "content": [{"type": "output_text", "text": "Let me 𝄞"}]},
        {"type": "function_call", "call_id": "a1", "name": "run", "arguments": '{"command": "ls ü"}'},
        {"type": "function_call", "call_id": "a2", "name": "read", "arguments": "{}"},
    ],
    "usage": {
        "input_tokens": 100,
        "output_tokens": 30,
        "input_tokens_details": {"cached_tokens": 60},
        "output_tokens_details": {"reasoning_tokens": 20},
    },
}
RESPONSES_STREAM = sse(
    {"type": "response.created", "response": {"status": "in_progress"}},
    {"type": "response.output_text.delta", "delta": "Let me"},
    {"type": "response.nobody.knows", "x": 1},
    *(
        {"type": "response.output_item.done", "output_index": index, "item": item}
        for index, item in enumerate(RESPONSE["output"])
    ),
    {"type": "response.completed", "response": {**RESPONSE, "output": []}},
    named=True,
)

STREAMS = {"chat": CHAT_STREAM, "responses": RESPONSES_STREAM, "anthropic": ANTHROPIC_STREAM}
WHOLES = {"chat": CHAT_WHOLE, "responses": json.dumps(RESPONSE).encode(), "anthropic": ANTHROPIC_WHOLE}
REPLIES = {
    "chat": Reply(
        "Let me 𝄞",
        CALLS,
        "Hm",
        "stop",
        Used(40, 30, 60, 0, 20),
        freeze({"chat": {"reasoning_content": "Hm"}}),
        "m-1",
    ),
    "responses": Reply(
        "Let me 𝄞",
        CALLS,
        "Hm",
        "stop",
        Used(40, 30, 60, 0, 20),
        freeze({"responses": [{"at": 0, "item": ITEM}]}),
        "m-1",
    ),
    "anthropic": Reply(
        "Let me 𝄞",
        CALLS,
        "Hm",
        "stop",
        Used(30, 30, 60, 10),
        freeze({"anthropic": [{"at": 0, "block": THOUGHT}]}),
        "m-1",
    ),
}
