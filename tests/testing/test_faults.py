"""Every fault, in every protocol, as a client meets it on the wire."""

import json
from email.utils import parsedate_to_datetime

import httpx2
import pytest

from donewhen.testing import Answer, Call, FakeModel, Fault
from donewhen.testing.counting import count
from donewhen.testing.model import FaultKind
from tests.tables import table_test
from tests.testing.asking import WIRES, ask, client, events, question, raw

TEXT = "A text that is long enough for several pieces of a stream. " * 4
BOTH = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
EACH = pytest.mark.parametrize("wire", WIRES)


def playing(*faults: Fault) -> FakeModel:
    return FakeModel([*(Answer(TEXT, fault=fault) for fault in faults), "fine"])


def message(response: httpx2.Response) -> str:
    found: str = response.json()["error"]["message"]
    return found


STATUSES: list[tuple[FaultKind, dict[str, int]]] = [
    ("rate", {"chat": 429, "responses": 429, "anthropic": 429, "gemini": 429}),
    ("key", {"chat": 401, "responses": 401, "anthropic": 401, "gemini": 400}),
    ("forbidden", {"chat": 403, "responses": 403, "anthropic": 403, "gemini": 403}),
    ("model", {"chat": 404, "responses": 404, "anthropic": 404, "gemini": 404}),
    ("too_long", {"chat": 400, "responses": 400, "anthropic": 400, "gemini": 400}),
    ("no_tools", {"chat": 400, "responses": 400, "anthropic": 400, "gemini": 400}),
    ("quota", {"chat": 429, "responses": 429, "anthropic": 400, "gemini": 429}),
    ("payment", {"chat": 402, "responses": 402, "anthropic": 402, "gemini": 402}),
]


@BOTH
@EACH
def test_refusals_have_the_providers_status_and_body(wire: str, stream: bool):
    with playing(*(Fault(kind) for kind, _ in STATUSES)) as fake:
        for kind, expected in STATUSES:
            response = ask(fake, question(wire, stream))
            assert (kind, response.status_code) == (kind, expected[wire])
            assert message(response)
        assert ask(fake, question(wire, stream)).status_code == 200
        assert fake.problems == []
        assert [request.tokens.input for request in fake.requests[:-1]] == [0] * len(STATUSES)


@EACH
def test_any_status_can_be_sent(wire: str):
    with playing(*(Fault("status", status=status) for status in (500, 503, 529, 418))) as fake:
        for status in (500, 503, 529, 418):
            response = ask(fake, question(wire))
            assert response.status_code == status
            assert message(response)


def test_a_gateway_answers_with_a_page():
    with playing(Fault("status", status=502)) as fake:
        response = ask(fake, question("chat"))
    assert (response.status_code, response.headers["content-type"]) == (502, "text/html")


def test_words_by_which_clients_tell_troubles_apart():
    with playing(Fault("too_long"), Fault("quota"), Fault("too_long"), Fault("too_long")) as fake:
        assert ask(fake, question("chat")).json()["error"]["code"] == "context_length_exceeded"
        assert ask(fake, question("chat")).json()["error"]["code"] == "insufficient_quota"
        assert "prompt is too long" in message(ask(fake, question("anthropic")))
        assert "exceeds the maximum number of tokens" in message(ask(fake, question("gemini")))


def test_when_to_come_again_is_said_in_every_way():
    faults = (
        Fault("rate"),
        Fault("rate", retry_after=7),
        Fault("rate", retry_after="soon"),
        Fault("rate", retry_after_ms=50),
        Fault("status", status=503, retry_after_date=90),
    )
    with playing(*faults) as fake:
        found = [ask(fake, question("chat")).headers for _ in faults]
    assert [each.get("retry-after") for each in found[:4]] == [None, "7", "soon", None]
    assert found[3]["retry-after-ms"] == "50"
    assert parsedate_to_datetime(found[4]["retry-after"]).tzinfo is not None


@BOTH
@EACH
def test_a_time_out_ends_when_the_client_goes(wire: str, stream: bool):
    with playing(Fault("timeout")) as fake:
        assert raw(fake, question(wire, stream)) == b""
        assert fake.wait(1)
        (request,) = fake.requests
        assert (request.status, request.complete, request.tokens.output) == (0, False, 0)
        assert request.tokens.input > 0
        assert ask(fake, question(wire, stream)).status_code == 200


@BOTH
def test_a_connection_is_reset_before_the_answer(stream: bool):
    with playing(Fault("reset")) as fake:
        with pytest.raises((httpx2.ReadError, httpx2.RemoteProtocolError)):
            ask(fake, question("chat", stream))
        assert ask(fake, question("chat", stream)).status_code == 200


@EACH
def test_a_stream_is_cut_after_some_events(wire: str):
    with playing(Fault("cut", after=4)) as fake:
        with pytest.raises(httpx2.RemoteProtocolError):
            ask(fake, question(wire, stream=True))
        assert ask(fake, question(wire, stream=True)).status_code == 200


@EACH
def test_a_cut_in_the_middle_of_a_line_and_a_clean_one(wire: str):
    with playing(Fault("cut", after=6, middle=True), Fault("cut", after=6, clean=True)) as fake:
        broken = raw(fake, question(wire, stream=True))
        clean = ask(fake, question(wire, stream=True))
        first, second = fake.requests
    assert not broken.endswith((b"0\r\n\r\n", b"\n\n\r\n"))
    assert len(events(clean)) == 6
    assert not first.complete
    assert 0 < first.tokens.output == second.tokens.output < count(TEXT)


@EACH
def test_a_whole_answer_is_cut_in_its_middle(wire: str):
    with playing(Fault("cut")) as fake, pytest.raises(httpx2.RemoteProtocolError):
        ask(fake, question(wire))


@EACH
def test_an_error_in_the_middle_of_a_stream(wire: str):
    with playing(Fault("error_event", after=3)) as fake:
        found = events(ask(fake, question(wire, stream=True)))
    assert len(found) == 4
    name, data = found[-1]
    assert name == {"anthropic": "error", "responses": "error"}.get(wire, "")
    told = json.loads(data)
    assert told["type"] == "error" if name else set(told) == {"error"}
    assert "verloaded" in data


@BOTH
@EACH
def test_invalid_json(wire: str, stream: bool):
    with playing(Fault("invalid_json")) as fake:
        response = ask(fake, question(wire, stream))
    assert response.status_code == 200
    with pytest.raises(ValueError):
        if not stream:
            response.json()
        for _, data in events(response):
            json.loads(data)


@BOTH
@EACH
def test_another_schema(wire: str, stream: bool):
    with playing(Fault("wrong_schema")) as fake:
        response = ask(fake, question(wire, stream))
    data = json.loads(events(response)[0][1]) if stream else response.json()
    assert data["choices"] == "none"


@BOTH
@table_test("wire", ["chat", "responses", "anthropic"])
def test_tool_arguments_that_are_no_json(wire: str, stream: bool):
    answer = Answer(calls=(Call("read_file", {"path": "a"}),), fault=Fault("bad_arguments"))
    with FakeModel([answer]) as fake:
        response = ask(fake, question(wire, stream))
    assert "read_file" in response.text
    broken = '{\\"command\\": \\"echo'
    assert broken + '"' in response.text  # the text ends where the arguments break off
    assert broken + '\\"' not in response.text


def test_gemini_says_that_a_call_was_malformed():
    with playing(Fault("bad_arguments")) as fake:
        (candidate,) = ask(fake, question("gemini")).json()["candidates"]
    assert candidate["finishReason"] == "MALFORMED_FUNCTION_CALL"
    assert candidate["finishMessage"].startswith("Malformed function call: call:default_api:")


@BOTH
@EACH
def test_an_empty_answer(wire: str, stream: bool):
    with playing(Fault("empty")) as fake:
        response = ask(fake, question(wire, stream))
        assert "A text" not in response.text
        assert fake.requests[0].tokens.output == 0


@BOTH
@EACH
def test_a_huge_answer_is_as_large_as_wanted_and_charged_within_the_limit(wire: str, stream: bool):
    with playing(Fault("huge", mb=3)) as fake:
        response = ask(fake, question(wire, stream, most=100))
        assert 3_000_000 < len(response.content) < 4_000_000
        assert fake.requests[0].tokens.output <= 100


@EACH
def test_a_slow_answer_waits_at_the_gate(wire: str):
    asked = question(wire, stream=True)
    headers = {"anthropic-version": "2023-06-01"}
    with playing(Fault("slow", gate=True)) as fake:
        with client().stream("POST", fake.url + asked.path, json=asked.body, headers=headers) as response:
            lines = response.iter_lines()
            for _ in range(3):
                fake.release()
                while not next(lines).startswith("data:"):
                    pass
            assert not fake.wait(1, timeout=0)
            fake.release(1000)
            rest = [line for line in lines if line.startswith("data:")]
        assert rest
        assert fake.wait(1)


@EACH
def test_a_client_that_goes_pays_for_what_was_sent(wire: str):
    asked = question(wire, stream=True)
    headers = {"anthropic-version": "2023-06-01"}
    with playing(Fault("slow", gate=True)) as fake:
        with client().stream("POST", fake.url + asked.path, json=asked.body, headers=headers) as response:
            fake.release(6)
            lines = response.iter_lines()
            for _ in range(6):
                while not next(lines).startswith("data:"):
                    pass
        assert fake.wait(1)
        (request,) = fake.requests
    assert not request.complete
    assert 0 < request.tokens.output < count(TEXT)


@BOTH
def test_a_slow_answer_can_go_by_the_clock(stream: bool):
    with playing(Fault("slow", ms=1)) as fake:
        assert "A text" in ask(fake, question("chat", stream)).text


@BOTH
@EACH
def test_unknown_fields_and_events(wire: str, stream: bool):
    with playing(Fault("unknown")) as fake:
        response = ask(fake, question(wire, stream))
    assert "x_unheard_of" in response.text


@EACH
def test_pings_and_comments(wire: str):
    with playing(Fault("pings")) as fake:
        pinged = ask(fake, question(wire, stream=True))
        plain = ask(fake, question(wire, stream=True))
    assert ": keep-alive" in pinged.text
    assert (("ping", '{"type": "ping"}') in events(pinged)) is (wire == "anthropic")
    assert ": keep-alive" not in plain.text


def test_a_fault_can_be_played_several_times():
    with FakeModel([Answer(fault=Fault("rate"), times=3), "fine"]) as fake:
        found = [ask(fake, question("chat")).status_code for _ in range(4)]
    assert found == [429, 429, 429, 200]
