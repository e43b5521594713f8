"""What an endpoint's refusal means: by its status, its codes and the words that providers use.

Words are looked at only where a status or code leaves room, and only to choose what is said and whether to
try again; nothing is granted because of them.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from donewhen.agents.models.bounds import shortened
from donewhen.agents.models.google_details import added_to
from donewhen.core.chat import Failure, ModelFailed
from donewhen.core.lazy import lazy

LONGEST_WAIT = 7 * 86_400.0
_LONGEST_DETAIL = 2000  # before secrets are taken out; what is shown is shorter
_FREE_OF_5XX = (503, 529)
_GIVEN_UP = (408, 499)  # somebody waited no longer: the work may go on


def _any(*words: str) -> re.Pattern[str]:
    return lazy("|".join(words))


_WORDS: tuple[tuple[Failure, re.Pattern[str]], ...] = (
    (
        "too_long",
        _any(
            "context_length_exceeded",
            "exceed_context_size",
            "context (?:length|window|size|limit)",
            "(?:prompt|input)(?: is)? too long",
            "num_ctx",
            "too many (?:input )?tokens",
            "input token count",
            "request[ _]too[ _]large",
            "request payload size exceeds",
            "reduce the length",
            "maximum prompt length",
            "larger than the max(?:imum)? (?:context|input)",
        ),
    ),
    (
        "quota",
        _any(
            "insufficient_quota",
            "exceeded your current quota",
            "credit balance",
            "billing_hard_limit",
            "billing_not_active",
            "enable billing",
            "perday",  # a limit of Google's
            "insufficient (?:balance|credit|funds)",
            "payment required",
            "out of credits",
            "requires more credits",
            "spending limit",
        ),
    ),
    (
        "tools",
        _any(
            "(?:does not|doesn't|not) support (?:tool|function)",
            "(?:tool|function)s?(?: use| calling| calls?)? (?:is|are) not supported",
            "tools? not supported",
            "function calling is not enabled",
            "that support tool use",
            "enable-auto-tool-choice",
            "unsupported parameter: '?tools",
        ),
    ),
    (
        "key",
        _any(
            "invalid_api_key",
            "authentication_error",
            "invalid x-api-key",
            "(?:incorrect|invalid|missing|no) api key",
            "api key not valid",
            "api_key_invalid",
            "unauthorized",
            "unauthenticated",
            "invalid authentication",
        ),
    ),
    (
        "model",
        _any(
            "model_not_found",
            "model_decommissioned",
            "deploymentnotfound",
            "(?:unknown|invalid|no such) model",
            "not a (?:valid|chat) model",
            "try pulling",
            r"models/\S{1,200} is (?:not found|no longer available)",
            r"model\b.{0,200}(?:does not exist|not found|not exist|decommissioned)",
        ),
    ),
    (
        "busy",
        _any(
            "rate[ _]limit",
            "too many requests",
            "overloaded",
            "slow_down",
            "resource_exhausted",
            "over capacity",
            "try again later",
        ),
    ),
)
_BY_STATUS: Mapping[int, Failure] = {
    401: "key",
    402: "quota",
    403: "key",
    408: "timeout",
    413: "too_long",
    425: "busy",
    429: "busy",
    503: "busy",
    504: "timeout",
    524: "timeout",
    529: "busy",
}
_NO_MODEL = lazy(r"not_found_error.{0,20}\bmodel")
_SPEAKING: tuple[Failure, ...] = (
    "too_long",
    "quota",
    "tools",
    "model",
)  # words that say more than the status


def refused(status: int, headers: Mapping[str, str], body: bytes, now: float) -> ModelFailed:
    """The failure that an answer with this status is."""
    error = _read(body)
    words, detail = _of_error(error)
    wait, inside = retry_after(headers, now), _wait_inside(error)
    return ModelFailed(
        _kind(status, words, inside),
        detail or f"status {status}",
        status=status,
        retry_after=inside if wait is None else wait,
        free=(400 <= status < 500 and status not in _GIVEN_UP) or status in _FREE_OF_5XX,
    )


def error_inside(error: Any) -> ModelFailed:
    """The failure that an error object in a good answer, or in the middle of a stream, stands for.

    Work may have been begun, so it is never free.
    """
    words, detail = _of_error(error)
    code = error.get("code") if type(error) is dict else None
    status = code if type(code) is int and 400 <= code <= 599 else 0
    wait = _wait_inside(error)
    kind = _kind(status, words, wait)
    return ModelFailed(kind, detail or "an error without words", status=status, retry_after=wait)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the endpoint asks us to wait; `now` is the time of day, for dates."""
    precise = _seconds(headers.get("retry-after-ms", ""))
    if precise is not None:
        return min(precise / 1000, LONGEST_WAIT)
    told = headers.get("retry-after", "").strip()
    seconds = _seconds(told)
    if seconds is None and told:
        seconds = _until(told, now)
    return None if seconds is None else min(seconds, LONGEST_WAIT)


def _seconds(text: str) -> float | None:
    text = text.strip()
    return float(text) if re.fullmatch(r"\d{1,12}(?:\.\d{1,9})?", text, re.ASCII) else None


def _until(date: str, now: float) -> float | None:
    try:
        when = parsedate_to_datetime(date[:100])
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        return max(0.0, when.timestamp() - now)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _wait_inside(error: Any) -> float | None:
    wait = added_to(error).wait
    return None if wait is None else min(wait, LONGEST_WAIT)


def _kind(status: int, words: str, wait: float | None) -> Failure:
    said = next((kind for kind, pattern in _WORDS if pattern.search(words)), None)
    if said == "quota" and status == 429 and wait is not None and "perday" not in words:
        return "busy"  # Google speaks of the quota of a minute as of any other
    if status < 500 and said is not None and said in _SPEAKING and (said, status) != ("model", 429):
        return said
    if status == 404:
        return "model" if _NO_MODEL.search(words) else "request"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "server"
    if said is not None:
        return said
    return "request" if status or "invalid_request" in words else "server"


def _read(body: bytes) -> Any:
    """The error in a body: an object, or all of its text."""
    text = body.decode(errors="replace").strip()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return shortened(text, _LONGEST_DETAIL)
    if type(data) is list and data:
        data = data[0]
    if type(data) is not dict:
        return shortened(text, _LONGEST_DETAIL)
    return next((data[name] for name in ("error", "detail", "message") if data.get(name)), data)


def _as_text(error: Any) -> str:
    try:
        return shortened(json.dumps(error), _LONGEST_DETAIL)
    except RecursionError:
        return ""


def _of_error(error: Any) -> tuple[str, str]:
    if type(error) is dict:
        message = error.get("message")
        parts = [error.get(name) for name in ("type", "code", "status", "param", "message")]
        metadata = error.get("metadata")
        if type(metadata) is dict:
            parts.append(metadata.get("raw"))  # what the provider behind a router said
        parts = [*added_to(error).words, *parts]
        words = " ".join(part for part in parts if type(part) is str)
        detail = message if type(message) is str else words
    else:
        words = detail = error if type(error) is str else _as_text(error)
        if detail.startswith("<"):
            detail = ""  # a page, not a sentence
    return words[: 2 * _LONGEST_DETAIL].lower(), shortened(detail, _LONGEST_DETAIL)
