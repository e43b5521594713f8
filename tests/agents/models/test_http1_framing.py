"""Answers in every framing that HTTP/1.1 knows, in any pieces, and in framings that it forbids."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.agents.models.endpoint import Endpoint, open_transport
from donewhen.agents.models.endpoint_transport import Patience
from tests.agents.models.http_servers import OK, answered, heard, outcome, reset, says, serving
from tests.tables import table_test

pytest.importorskip("h11", reason="the extra `llm` is not installed")

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
BODY = b"one two three\nfour"
CUT = ("cut", False)

WHOLE = {
    "length": HEAD + b"content-length: 18\r\n\r\n" + BODY,
    "the same length twice": HEAD + b"content-length: 18\r\ncontent-length: 18\r\n\r\n" + BODY,
    "chunks": CHUNKED + b"4\r\none \r\ne\r\ntwo three\nfour\r\n0\r\n\r\n",
    "extensions": CHUNKED + b'4;a=b;c="d"\r\none \r\n00E;x\r\ntwo three\nfour\r\n0;last\r\n\r\n',
    "trailers": CHUNKED + b"12\r\n" + BODY + b"\r\n0\r\nx-sum: 5\r\nx-more: 6\r\n\r\n",
    "hints before": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"
    + HEAD
    + b"content-length: 18\r\n\r\n"
    + BODY,
    "no reason": b"HTTP/1.1 200\r\ncontent-length: 18\r\n\r\n" + BODY,
    "folded": HEAD + b"x-long: a\r\n\tb\r\ncontent-length: 18\r\n\r\n" + BODY,
    "lines without returns": b"HTTP/1.1 200 OK\ncontent-length: 18\n\n" + BODY,
}
UP_TO_THE_END = {
    "no length": HEAD + b"\r\n" + BODY,
    "old": b"HTTP/1.0 200 OK\r\n\r\n" + BODY,
    "old with a length": b"HTTP/1.0 200 OK\r\ncontent-length: 18\r\n\r\n" + BODY,
}


@table_test("name", WHOLE)
def test_answers_that_stay_open(name):
    assert answered(says(WHOLE[name])) == BODY


@table_test("name", [*WHOLE, *UP_TO_THE_END])
def test_answers_that_end_with_their_connection(name):
    assert answered(says({**WHOLE, **UP_TO_THE_END}[name], close=True)) == BODY


@settings(max_examples=40, deadline=None)
@given(name=st.sampled_from([*WHOLE, *UP_TO_THE_END]), cuts=st.lists(st.integers(0, 200), max_size=12))
def test_pieces_make_no_difference(name, cuts):
    answer = {**WHOLE, **UP_TO_THE_END}[name]

    async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        at = [0, *sorted(cut % len(answer) for cut in cuts), len(answer)]
        for start, end in pairwise(at):
            writer.write(answer[start:end])
            await asyncio.sleep(0)
        if name in UP_TO_THE_END:
            writer.close()

    assert answered(dripping) == BODY


def test_one_byte_at_a_time():
    async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for byte in WHOLE["trailers"]:
            writer.write(bytes([byte]))
            await asyncio.sleep(0)

    assert answered(dripping) == BODY


FORBIDDEN = {
    "shorter than told": (HEAD + b"content-length: 19\r\n\r\n" + BODY, True),
    "a negative length": (HEAD + b"content-length: -1\r\n\r\n" + BODY, False),
    "a length in words": (HEAD + b"content-length: many\r\n\r\n" + BODY, False),
    "two lengths": (HEAD + b"content-length: 18\r\ncontent-length: 17\r\n\r\n" + BODY, False),
    "two lengths in one": (HEAD + b"content-length: 18, 17\r\n\r\n" + BODY, False),
    "a length of many digits": (HEAD + b"content-length: " + b"9" * 400 + b"\r\n\r\n" + BODY, False),
    "an unknown coding": (HEAD + b"transfer-encoding: gzip, chunked\r\n\r\n" + BODY, False),
    "no size of a chunk": (CHUNKED + b"xyz\r\n" + BODY, False),
    "a negative chunk": (CHUNKED + b"-5\r\n" + BODY, False),
    "a chunk without its end": (CHUNKED + b"4\r\none two\r\n0\r\n\r\n", False),
    "no last chunk": (CHUNKED + b"4\r\none \r\n", True),
    "a cut trailer": (CHUNKED + b"4\r\none \r\n0\r\nx-sum: ", True),
    "nothing": (b"", True),
    "half a head": (HEAD + b"content-le", True),
    "another protocol": (b"SSH-2.0-OpenSSH_9.9\r\n\r\n", False),
    "a greeting of TLS": (b"\x16\x03\x01\x02\x00\x01\x00", False),
    "an empty line first": (b"\r\n\r\n" + OK, False),
    "a NUL in a header": (HEAD + b"x-a: b\0c\r\ncontent-length: 2\r\n\r\nhi", False),
    "a space before the colon": (HEAD + b"x-a : b\r\ncontent-length: 2\r\n\r\nhi", False),
    "folded from the start": (HEAD + b" x-a: b\r\ncontent-length: 2\r\n\r\nhi", False),
    "another protocol from now on": (b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n", False),
    "the key in a bad header": (HEAD + b"x " + b"key-4f1c77aa90" + b"\r\n\r\n", False),
}


@table_test("name", FORBIDDEN)
def test_what_is_no_answer_may_have_been_billed(name):
    data, close = FORBIDDEN[name]
    assert answered(says(data, close=close)) == CUT


@table_test(
    ("start", "more"),
    [
        (HEAD + b"x-large: ", b"x" * 1024 * 1024 + b"\r\ncontent-length: 2\r\n\r\nhi"),
        (HEAD, b"x-a: b\r\n" * 200_000),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 50_000),
        (CHUNKED, b"1" + b"0" * 1024 * 1024),
        (CHUNKED + b"0\r\n", b"x-sum: 5\r\n" * 200_000),
    ],
    ids=["a large header", "endless headers", "endless hints", "an endless size", "endless trailers"],
)
def test_what_comes_beside_the_body_has_bounds(start, more):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        writer.write(more)
        await writer.drain()

    assert answered(answer) == CUT


@table_test("framing", [b"content-length: 99\r\n\r\n", b"\r\n", b"transfer-encoding: chunked\r\n\r\n9\r\n"])
def test_a_reset_is_no_end(framing):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + framing + b"one ")
        await writer.drain()
        reset(writer)

    assert answered(answer) == CUT


def test_a_server_that_has_nothing_more_to_say_may_still_listen():
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + b"\r\n" + BODY)
        writer.write_eof()

    assert answered(answer) == BODY


def test_a_refusal_before_the_request_was_read_is_heard():
    """The request is larger than all buffers between, and the server does not read it."""
    refusal = b"HTTP/1.1 413 Too Large\r\ncontent-length: 9\r\n\r\ntoo large"

    async def playing() -> object:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(refusal)

        running = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1024)
        endpoint = Endpoint(f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}", {})
        try:
            return await outcome(endpoint, b"x" * 30_000_000)
        finally:
            await endpoint.close()
            running.close()

    assert asyncio.run(playing()) == ("too_long", True)


def test_answers_without_a_body():
    length = b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n"

    async def playing() -> list[tuple[int, bytes]]:
        answers = iter(
            [length, b"HTTP/1.1 204 No\r\n\r\n", b"HTTP/1.1 304 Same\r\ncontent-length: 5\r\n\r\n", OK]
        )

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(next(answers))

        async with serving(answer) as server:
            line = open_transport(server.url, {}, Patience(10, 60))
            found = []
            for method in ("HEAD", "GET", "GET", "GET"):
                async with line.send(method, "/x") as got:
                    found.append((got.status, b"".join([each async for each in got.chunks()])))
            await line.close()
            assert len(server.connections) == 1
        return found

    assert asyncio.run(playing()) == [(200, b""), (204, b""), (304, b""), (200, b"hi")]


def test_a_large_answer_comes_whole():
    body = bytes(range(256)) * 32_768

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + b"content-length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()

    async def playing() -> bytes:
        async with serving(answer) as server:
            endpoint = Endpoint(server.url, {})
            try:
                return await heard(endpoint, body=body)
            finally:
                await endpoint.close()

    assert asyncio.run(playing()) == body
