"""The protocols that the fake endpoint speaks, and which of them a path belongs to."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from donewhen.testing import (
    anthropic,
    anthropic_reading,
    chat,
    chat_reading,
    gemini,
    gemini_reading,
    responses,
    responses_reading,
    troubles,
)
from donewhen.testing.model import Answer, Asked, Event, Reported

Whole = Callable[[Asked, Answer, Reported | None, int], dict[str, Any]]
Stream = Callable[[Asked, Answer, Reported | None, int], Iterator[Event]]


class Wire(NamedTuple):
    name: str
    path: re.Pattern[str]
    key: str  # the header that brings it
    read: Callable[..., Asked]  # the body, and what the path says by name
    whole: Whole
    stream: Stream
    voice: troubles.Voice
    newline: str = "\n"
    needs: str = ""  # a header that must be there
    heeds: tuple[str, str] | None = None  # a header that changes what is taken, and its name when read


CHAT = Wire(
    "chat",
    re.compile(r"/v1/chat/completions"),
    "authorization",
    chat_reading.read,
    chat.whole,
    chat.stream,
    troubles.OPENAI_VOICE,
)
ANTHROPIC = Wire(
    "anthropic",
    re.compile(r"/v1/messages"),
    "x-api-key",
    anthropic_reading.read,
    anthropic.whole,
    anthropic.stream,
    troubles.ANTHROPIC_VOICE,
    needs="anthropic-version",
    heeds=("anthropic-beta", "beta"),
)
RESPONSES = Wire(
    "responses",
    re.compile(r"/v1/responses"),
    "authorization",
    responses_reading.read,
    responses.whole,
    responses.stream,
    troubles.RESPONSES_VOICE,
)
GEMINI = Wire(
    "gemini",
    re.compile(
        r"/v1(?:beta|alpha)?/models/(?P<model>[^:/]+):(?P<verb>generateContent|streamGenerateContent)"
    ),
    "x-goog-api-key",
    gemini_reading.read,
    gemini.whole,
    gemini.stream,
    troubles.GEMINI_VOICE,
    "\r\n",
)
WIRES: tuple[Wire, ...] = (CHAT, RESPONSES, ANTHROPIC, GEMINI)


def wire_for(path: str) -> tuple[Wire, Mapping[str, str]] | None:
    for wire in WIRES:
        if found := wire.path.fullmatch(path):
            return wire, found.groupdict()
    return None
