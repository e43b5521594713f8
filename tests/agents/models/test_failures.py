"""Refusals of the providers, by what they mean; what may have been billed is never called free."""

import json
from datetime import UTC, datetime
from email.utils import format_datetime

from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.models.failures import LONGEST_WAIT, error_inside, refused, retry_after
from donewhen.core.chat import FAILURES
from tests.tables import table_test

NOW = 1_800_000_000.0


def openai(message: str, type: str = "invalid_request_error", code: str | None = None) -> bytes:
    return json.dumps({"error": {"message": message, "type": type, "param": None, "code": code}}).encode()


def anthropic(type: str, message: str) -> bytes:
    return json.dumps({"type": "error", "error": {"type": type, "message": message}}).encode()


@table_test(
    ("status", "body", "kind"),
    [
        (401, openai("Incorrect API key provided: sk-a***b.", code="invalid_api_key"), "key"),
        (401, anthropic("authentication_error", "invalid x-api-key"), "key"),
        (403, b"", "key"),
        (400, b'[{"error": {"code": 400, "message": "API key not valid."}}]', "key"),
        (429, openai("You exceeded your current quota", "insufficient_quota", "insufficient_quota"), "quota"),
        (400, anthropic("invalid_request_error", "Your credit balance is too low to access"), "quota"),
        (402, b'{"error": {"message": "Insufficient Balance"}}', "quota"),
        (404, openai("The model `x` does not exist", code="model_not_found"), "model"),
        (403, openai("Project does not have access to model `x`", code="model_not_found"), "model"),
        (404, anthropic("not_found_error", "model: claude-x"), "model"),
        (404, b'{"error": "model \\"x\\" not found, try pulling it first"}', "model"),
        (400, b'{"error": {"message": "x is not a valid model ID", "code": 400}}', "model"),
        (404, b"<html>404</html>", "request"),
        (404, anthropic("not_found_error", "Not found"), "request"),
        (400, b'{"error": "registry.ollama.ai/library/x does not support tools"}', "tools"),
        (404, b'{"error": {"message": "No endpoints found that support tool use."}}', "tools"),
        (400, b'{"message": "\\"auto\\" tool choice requires --enable-auto-tool-choice"}', "tools"),
        (400, openai("This model's maximum context length is 8192 tokens."), "too_long"),
        (400, openai("x", code="context_length_exceeded"), "too_long"),
        (400, anthropic("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"), "too_long"),
        (413, anthropic("request_too_large", "Request exceeds the maximum size"), "too_long"),
        (
            400,
            b'{"error": {"message": "the request exceeds the available context size", "type": "exceed_context_size_error"}}',
            "too_long",
        ),
        (400, b'{"error": "input exceeds num_ctx"}', "too_long"),
        (429, openai("Request too large for gpt-x on tokens per min (TPM)", "tokens"), "too_long"),
        (429, openai("Rate limit reached. Add a payment method at /account/billing", "requests"), "busy"),
        (429, b"", "busy"),
        (503, b"", "busy"),
        (529, anthropic("overloaded_error", "Overloaded"), "busy"),
        (500, openai("The server had an error", "server_error"), "server"),
        (500, openai("maximum context length"), "server"),
        (502, b"<html>Bad Gateway</html>", "server"),
        (504, b"<html>", "timeout"),
        (408, b"", "timeout"),
        (499, b"", "request"),
        (202, b"", "request"),
        (400, openai("Unknown parameter: 'foo'"), "request"),
        (422, b'{"detail": [{"loc": ["body", "x"], "msg": "Extra inputs are not permitted"}]}', "request"),
        (307, b"", "request"),
        (400, b'{"error": {"message": 7, "type": ["x"]}}', "request"),
        (400, b"[]", "request"),
        (400, b"\xff\x00", "request"),
    ],
)
def test_what_a_refusal_means(status, body, kind):
    failure = refused(status, {}, body, NOW)
    assert failure.kind == kind
    assert failure.status == status
    assert failure.free == (status in (503, 529) or (400 <= status < 500 and status not in (408, 499)))
    assert failure.detail


@given(st.integers(300, 599), st.binary(max_size=200))
def test_every_refusal_is_a_failure(status, body):
    failure = refused(status, {}, body, NOW)
    assert failure.kind in FAILURES
    assert isinstance(failure.detail, str)


@table_test(
    ("error", "kind"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "busy"),
        ({"code": 429, "message": "slow"}, "busy"),
        ({"code": 502, "message": "upstream"}, "server"),
        ({"code": 400, "message": "odd", "metadata": {"raw": "prompt is too long"}}, "too_long"),
        ({"type": "invalid_request_error", "message": "odd"}, "request"),
        ("something", "server"),
        ({}, "server"),
        (["x"], "server"),
    ],
)
def test_an_error_in_a_good_answer_is_never_free(error, kind):
    failure = error_inside(error)
    assert (failure.kind, failure.free) == (kind, False)


@table_test(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "999999999999"}, LONGEST_WAIT),
        ({"retry-after": format_datetime(datetime.fromtimestamp(NOW + 30, UTC), usegmt=True)}, 30.0),
        ({"retry-after": format_datetime(datetime.fromtimestamp(NOW - 30, UTC), usegmt=True)}, 0.0),
        ({"retry-after": "Mon, 99 Foo 2026"}, None),
    ],
)
def test_when_to_come_again(headers, seconds):
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=40))
def test_any_header_gives_a_bounded_wait_or_none(text):
    wait = retry_after({"retry-after": text, "retry-after-ms": text}, NOW)
    assert wait is None or 0 <= wait <= LONGEST_WAIT
