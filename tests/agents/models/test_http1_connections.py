"""Connections: which are kept, which are not, and that none is left behind."""

import asyncio
import socket
import threading
from contextlib import suppress

import pytest

from donewhen.agents.models.endpoint import Endpoint
from donewhen.core.chat import ModelFailed
from tests.agents.models.http_servers import (
    OK,
    Served,
    cancelled,
    heard,
    outcome,
    reset,
    says,
    serving,
    settled_sockets,
    sockets,
)
from tests.tables import table_test

pytest.importorskip("h11", reason="the extra `llm` is not installed")


def play(answer, use, **more):
    async def playing():
        async with serving(answer) as server:
            endpoint = Endpoint(server.url, {}, **more)
            try:
                return await use(endpoint, server)
            finally:
                await endpoint.close()

    return asyncio.run(playing())


KEPT = {
    "length": (OK, 1),
    "chunks": (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 1),
    "hint": (b"HTTP/1.1 103 Early\r\n\r\n" + OK, 1),
    "asked to close": (OK.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n"), 3),
    "old": (OK.replace(b"1.1", b"1.0"), 3),
    "more than told": (OK + b"ho", 3),
    "an answer too many": (OK + OK, 3),
    "length and chunks": (
        b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        3,
    ),
}


@table_test("name", KEPT)
def test_what_leaves_a_connection_open(name):
    answer, connections = KEPT[name]

    async def use(endpoint: Endpoint, server: Served) -> None:
        for _ in range(3):
            assert await heard(endpoint) == b"hi"
        assert len(server.connections) == connections

    play(says(answer), use)


def test_a_body_that_must_not_be_is_never_the_next_answer():
    forged = b"HTTP/1.1 204 No Content\r\n\r\n" + b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged"
    answers = iter([forged, OK])

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(next(answers))

    async def use(endpoint: Endpoint, server: Served) -> None:
        assert await outcome(endpoint) == ("request", False)
        assert await outcome(endpoint) == b"hi"
        assert len(server.connections) == 2

    play(answer, use)


@table_test("seen", [True, False], ids=["seen by the loop", "not seen yet"])
@table_test("late", [b"HTTP/1.1 408 Too Late\r\ncontent-length: 0\r\n\r\n", b"", None])
def test_a_kept_connection_on_which_something_came_is_not_used(late, seen):
    """An answer that nobody waited for, an end, or an error."""

    async def use(endpoint: Endpoint, server: Served) -> None:
        assert await heard(endpoint) == b"hi"
        sock = server.connections[0].get_extra_info("socket")
        if late is None:
            reset(server.connections[0])
        else:
            with socket.socket(fileno=socket.dup(sock.fileno())) as same:
                same.send(late) if late else same.shutdown(socket.SHUT_WR)
        while seen and not server.ended.qsize():
            await asyncio.sleep(0)
        if late is None and not seen:
            await asyncio.sleep(0)  # it is reset by the loop
        assert await heard(endpoint) == b"hi"
        assert len(server.connections) == 2

    play(says(OK), use)


def test_a_kept_connection_that_breaks_under_a_request_is_not_tried_again():
    """The server may have begun with it: that is for those to decide who know what it costs."""
    asked: list[int] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(1)
        if len(asked) == 2:
            writer.close()
        else:
            writer.write(OK)

    async def use(endpoint: Endpoint, server: Served) -> None:
        assert await outcome(endpoint) == b"hi"
        assert await outcome(endpoint) == ("cut", False)
        assert await outcome(endpoint) == b"hi"
        assert (len(asked), len(server.connections)) == (3, 2)

    play(answer, use)


def test_kept_connections_grow_old(monkeypatch):
    monkeypatch.setattr("donewhen.agents.models.http1._LONGEST_KEPT", 0.0)

    async def use(endpoint: Endpoint, server: Served) -> None:
        for _ in range(3):
            assert await heard(endpoint) == b"hi"
        assert len(server.connections) == 3
        for _ in range(2):
            await server.ended.get()

    play(says(OK), use)


def test_many_at_once_and_twenty_are_kept():
    everybody = asyncio.Barrier(30)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await everybody.wait()
        writer.write(OK)

    async def use(endpoint: Endpoint, server: Served) -> None:
        for _ in range(2):
            assert await asyncio.gather(*(heard(endpoint) for _ in range(30))) == [b"hi"] * 30
        assert len(server.connections) == 40
        for _ in range(10):
            await server.ended.get()

    play(answer, use)


def test_a_server_that_never_answers_is_silent():
    async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async def use(endpoint: Endpoint, server: Served) -> None:
        assert await outcome(endpoint) == ("timeout", False)
        await server.ended.get()

    play(never, use, silence=0.05)


def test_a_server_that_takes_nothing_is_silent():
    async def playing() -> object:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            endpoint = Endpoint(f"http://127.0.0.1:{listening.getsockname()[1]}", {}, silence=0.05)
            try:
                return await outcome(endpoint, b"x" * 30_000_000)
            finally:
                await endpoint.close()

    assert asyncio.run(playing()) == ("timeout", False)


def test_an_endpoint_outlives_its_loop():
    """And can be closed in a loop that never saw its connections."""
    heads: list[bytes] = []
    ready, over = threading.Event(), threading.Event()
    place: list[str] = []

    def serve() -> None:
        async def serving_them() -> None:
            async with serving(says(OK)) as server:
                place.append(server.url)
                ready.set()
                await asyncio.to_thread(over.wait)
                heads.extend(server.heads)

        asyncio.run(serving_them())

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    endpoint = Endpoint(place[0], {})
    try:
        assert asyncio.run(heard(endpoint)) == b"hi"
        assert asyncio.run(heard(endpoint)) == b"hi"
        asyncio.run(endpoint.close())
    finally:
        over.set()
        thread.join()
    assert len(heads) == 2


PHASES = {
    "sending": b"",
    "waiting": b"",
    "within the head": b"HTTP/1.1 200 OK\r\nx-a",
    "within the body": b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi",
    "within a refusal": b"HTTP/1.1 429 No\r\ncontent-length: 9\r\n\r\nhi",
}


@pytest.mark.runs
@table_test("phase", PHASES)
def test_a_cancelled_call_leaves_no_socket(phase):
    """The endpoint is not even closed: its connection is gone by then."""

    async def playing() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            if phase != "sending":
                await reader.readexactly(2)
            writer.write(PHASES[phase])
            begun.set()
            with suppress(ConnectionError):
                await reader.read()
            ended.set()
            writer.close()

        async with await asyncio.start_server(connected, "127.0.0.1", 0) as running:
            before = settled_sockets()
            url = f"http://127.0.0.1:{running.sockets[0].getsockname()[1]}"
            await cancelled(url, begun.is_set, b"x" * 30_000_000 if phase == "sending" else b"{}")
            await ended.wait()
            for _ in range(3):
                await asyncio.sleep(0)
            assert sockets() == before

    asyncio.run(playing())


def test_a_call_that_is_cancelled_while_it_connects_leaves_no_socket():
    """A listener whose queue is full lets nobody in."""

    async def playing() -> None:
        with socket.create_server(("127.0.0.1", 0), backlog=0) as listening:
            waiting = []
            for _ in range(4):
                each = socket.socket()
                each.setblocking(False)
                each.connect_ex(listening.getsockname())
                waiting.append(each)
            before = settled_sockets()
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            await cancelled(url, lambda: sockets() > before)
            await asyncio.sleep(0)
            assert sockets() == before
            for each in waiting:
                each.close()

    asyncio.run(playing())


def test_closing_ends_calls_that_are_under_way():
    async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nso far")
        await reader.read()

    async def use(endpoint: Endpoint, server: Served) -> None:
        came = asyncio.Event()

        def take(_: bytes):
            came.set()
            return "more"

        asking = asyncio.ensure_future(endpoint.post("/x", b"{}", lambda _: take))
        await came.wait()
        await endpoint.close()
        with pytest.raises(ModelFailed) as caught:
            await asking
        assert (caught.value.kind, caught.value.free) == ("cut", False)
        await server.ended.get()

    play(never, use)
