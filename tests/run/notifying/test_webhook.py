"""A message as an HTTP request: what arrives, and what is said when it does not."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from donewhen.config import config_from_mapping
from donewhen.core.errors import UserError
from donewhen.core.texts import say
from donewhen.run.notifying.model import LARGEST, LONGEST_TEXT, Notice, Sent, message_of
from donewhen.run.notifying.webhook import Address, Webhook, read_address
from tests.tables import table_test

SECRET = "/services/T0/B0/very-secret-token"
NOTICE = Notice("pause", "r-1", "r-1:7", "run r-1 waits", "for an answer\nby you", {"ask": "a-1"})


class Room:
    """A server of the user; `status` is what it answers."""

    def __init__(self) -> None:
        self.status = 200
        self.headers: dict[str, str] = {}
        self.body = b"ok"
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        room = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                room.got.append((self.path, dict(self.headers), self.rfile.read(length)))
                self.send_response(room.status)
                for name, value in room.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(room.body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}{SECRET}"


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def send(url: str, notice: Notice = NOTICE, timeout: float = 10.0) -> Sent:
    return asyncio.run(Webhook(read_address(url), timeout=timeout).send(notice))


def problem(sent: Sent) -> str:
    assert not sent.ok
    assert sent.problem is not None
    said = say(sent.problem.key, "en", **sent.problem.values)
    assert "secret" not in said + sent.reference
    return said


def test_the_message_arrives_as_json_with_its_key(room):
    assert send(room.url + "?a=1") == Sent(True, "HTTP 200")
    ((path, headers, body),) = room.got
    assert path == SECRET + "?a=1"
    assert headers["Idempotency-Key"] == "r-1:7"
    assert headers["Content-Type"].startswith("application/json")
    assert json.loads(body) == {
        "version": 1,
        "kind": "pause",
        "run": "r-1",
        "key": "r-1:7",
        "title": "run r-1 waits",
        "text": "run r-1 waits\nfor an answer\nby you",
        "data": {"ask": "a-1"},
    }


@pytest.mark.runs
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_a_refusal_names_the_host_and_no_more(room, status):
    room.status = status
    room.body = SECRET.encode()
    assert problem(send(room.url)) == f"127.0.0.1 refused the message (HTTP {status})"


@pytest.mark.runs
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(room, status):
    room.status, room.headers = status, {"Location": room.url}
    assert "is not followed" in problem(send(room.url))
    assert len(room.got) == 1


def test_nobody_at_home(room):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: a connection is refused
        url = f"http://127.0.0.1:{taken.getsockname()[1]}{SECRET}"
        assert problem(send(url)).startswith("the message did not reach 127.0.0.1: ")


def test_a_host_that_speaks_no_tls(room):
    assert "did not reach 127.0.0.1" in problem(send(room.url.replace("http:", "https:")))


def test_something_that_is_no_http(room):
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}{SECRET}"
        thread = threading.Thread(target=_answer, args=(server, b"220 " + SECRET.encode() + b" ready\r\n"))
        thread.start()
        said = problem(send(url))
        thread.join()
    assert "did not reach 127.0.0.1: BadStatusLine" in said


def test_one_that_never_answers_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}{SECRET}"
        assert "did not take the message within 0.05 seconds" in problem(send(url, timeout=0.05))


def test_one_that_sends_byte_after_byte_is_given_up():
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}{SECRET}"
        thread = threading.Thread(target=_drip, args=(server, over))
        thread.start()
        said = problem(send(url, timeout=0.3))
        over.set()
        thread.join()
    assert "did not take the message within 0.3 seconds" in said


def _answer(server: socket.socket, data: bytes) -> None:
    made, _ = server.accept()
    with made:
        made.recv(65536)
        made.sendall(data)


def _drip(server: socket.socket, over: threading.Event) -> None:
    made, _ = server.accept()
    with made:
        made.recv(65536)
        try:
            while not over.wait(0.02):
                made.sendall(b"H")
        except OSError:
            pass


def test_an_endless_answer_is_not_read(room):
    room.body = b"x" * (8 * 1024 * 1024)
    assert send(room.url).ok


@table_test(
    "url",
    [
        "https://:80",
        "https:///secret",
        "https://host:99999/secret",
        "https://host:port/secret",
        "https://host/secret b",
        "https://host/a\r\nX: 1",
        "https://hö.example/x",
        "https://[::1/x",
        "ftp://host/secret",
        "plain-secret",
        "",
    ],
)
def test_what_is_no_address_is_refused_without_saying_it(url):
    with pytest.raises(UserError) as caught:
        config_from_mapping({"notify": {"urls": [url]}})
    assert "notify.urls" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_login_in_an_address_is_refused():
    with pytest.raises(UserError, match="user name or password") as caught:
        config_from_mapping({"notify": {"urls": ["https://me:hunter2@host/x"]}})
    assert "hunter2" not in str(caught.value)


@table_test(
    ("url", "address"),
    [
        ("https://Host.example/x?y=1#z", Address(True, "host.example", 443, "/x?y=1")),
        ("http://host:8080", Address(False, "host", 8080, "/")),
        ("http://[::1]/x", Address(False, "::1", 80, "/x")),
    ],
)
def test_an_address_is_read(url, address):
    assert config_from_mapping({"notify": {"urls": [url]}}).notify.urls == (url,)
    assert read_address(url) == address
    assert Webhook(address).name == f"webhook:{address.host}"


def test_a_message_is_bounded():
    long = message_of(NOTICE._replace(title="t" * 9000, text="x" * 90_000, data={"a": "y" * 100_000}))
    assert len(long) <= LARGEST
    data = json.loads(long)
    assert len(data["text"]) == LONGEST_TEXT
    assert data["data"] == {"left_out": True}
