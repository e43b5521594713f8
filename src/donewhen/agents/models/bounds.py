"""How much of an answer we take: what a ledger can hold, and what somebody who asked for so little can mean.

Half a key would pass every redactor, so what is cut before secrets are taken out is cut between words.
"""

import re
from typing import Any

from donewhen.core.chat import ModelFailed, Reply
from donewhen.core.codec import EMPTY, dumps, thaw
from donewhen.store.door import MAX_DEPTH, MAX_PAYLOAD, check_bounds, size_of

DEEPEST = MAX_DEPTH * 3 // 5  # of what is nested; events put it into objects of their own
LARGEST = MAX_PAYLOAD * 2 // 5  # bytes of an answer; a mark may be longer than the secret it stands for
_LEAST = 1024 * 1024  # characters that every answer may have
_BY_TOKEN = 16  # characters of an answer for each token that was asked for
_HALF = re.compile(r"[^\s\"'<>{}\[\](),;]*\Z")


def most_said(max_output: int) -> int:
    """Characters beyond which an answer is not what was asked for."""
    return max(_LEAST, _BY_TOKEN * max_output)


def check(data: Any) -> str:
    """JSON data as text; ValueError when a ledger would not take it."""
    text = dumps(data)
    check_bounds(data, MAX_DEPTH - DEEPEST)
    if size_of(text) > LARGEST:
        raise ValueError(f"larger than {LARGEST} bytes")
    return text


def bounded(reply: Reply, max_output: int) -> Reply:
    """A reply that can be kept: without what only its provider understands where that is the trouble."""
    args = [thaw(call.args) for call in reply.calls]
    said = size_of(dumps([reply.text, reply.thinking, args]))
    if said > min(LARGEST, most_said(max_output)):
        raise ModelFailed("huge", f"{said} bytes, though {max_output} tokens were asked for")
    try:
        fits = said + size_of(check(thaw(reply.opaque))) <= LARGEST
    except (ValueError, TypeError, RecursionError):
        fits = False
    return reply if fits else reply._replace(opaque=EMPTY)


def shortened(text: str, most: int) -> str:
    """The beginning of a text, without the word in which it was cut."""
    return text if len(text) <= most else _HALF.sub("", text[:most])
