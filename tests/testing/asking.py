"""One small question in every protocol, over a real socket."""

import json
import socket
from functools import cache
from typing import Any, NamedTuple

import httpx2

from donewhen.testing import FakeModel

WIRES = ("chat", "responses", "anthropic", "gemini")
_PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "anthropic": "/v1/messages"}
TOOL_SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


class Question(NamedTuple):
    path: str
    body: dict[str, Any]


def question(wire: str, stream: bool = False, text: str = "hello", most: int | None = None) -> Question:
    if wire == "gemini":
        verb = "streamGenerateContent?alt=sse" if stream else "generateContent"
        body: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": text}]}]}
        if most is not None:
            body["generationConfig"] = {"maxOutputTokens": most}
        return Question(f"/v1beta/models/m:{verb}", body)
    body = {"model": "m", "stream": stream}
    if wire == "responses":
        body["input"] = text
    else:
        body["messages"] = [{"role": "user", "content": text}]
    if most is not None or wire == "anthropic":
        body["max_output_tokens" if wire == "responses" else "max_tokens"] = most or 4096
    if wire == "chat" and stream:
        body["stream_options"] = {"include_usage": True}
    return Question(_PATHS[wire], body)


def ask(fake: FakeModel, asked: Question, key: str = "k") -> httpx2.Response:
    headers = {"anthropic-version": "2023-06-01", "x-api-key": key, "authorization": f"Bearer {key}"}
    return client().post(fake.url + asked.path, json=asked.body, headers=headers)


@cache
def client() -> httpx2.Client:
    """One for all: a new one reads all certificates of the machine, which nobody asks for here."""
    return httpx2.Client(trust_env=False, timeout=None)


def events(response: httpx2.Response) -> list[tuple[str, str]]:
    """Name and data of each event of a stream, comments left out."""
    found = []
    for block in response.text.replace("\r\n", "\n").split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n") if line and not line.startswith(":")]
        fields = {name: value for name, _, value in lines}
        if "data" in fields:
            found.append((fields.get("event", ""), fields["data"]))
    return found


def raw(fake: FakeModel, asked: Question) -> bytes:
    """All that comes back when the client says that it has nothing more to say."""
    body = json.dumps(asked.body).encode()
    head = f"POST {asked.path} HTTP/1.1\r\nhost: x\r\nanthropic-version: 1\r\ncontent-length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", fake.port)) as connection:
        connection.sendall(head.encode() + body)
        connection.shutdown(socket.SHUT_WR)
        found = b""
        while part := connection.recv(65536):
            found += part
    return found
