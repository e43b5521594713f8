"""What is sent: the target, the host and the headers, and what is never sent at all."""

import asyncio
import socket
import subprocess
import sys

import pytest

from donewhen.agents.models.endpoint import Endpoint
from donewhen.agents.models.endpoint_proxied import uses_proxy
from donewhen.agents.models.endpoint_transport import NotSent
from donewhen.agents.models.http1_address import read_address
from donewhen.core.chat import ModelFailed
from donewhen.core.errors import SetupError
from tests.agents.models.http_servers import KEY, OK, heard, says, serving
from tests.tables import table_test

pytest.importorskip("h11", reason="the extra `llm` is not installed")

VARIABLES = [f"{each}_proxy" for each in ("http", "https", "all", "no")]


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def sent(
    base: str = "", path: str = "/x", host: str = "127.0.0.1", login: str = "", **headers: str
) -> list[str]:
    """The lines of a request, as a server sees them; the port is left out."""

    async def playing() -> list[str]:
        async with serving(says(OK), host=host) as server:
            url = server.url.replace("://", f"://{login}@" if login else "://")
            endpoint = Endpoint(url + base, headers)
            try:
                assert await heard(endpoint, path) == b"hi"
            finally:
                await endpoint.close()
            lines: str = server.heads[0].decode().replace(server.url.rpartition(":")[2], "PORT")
            return lines.split("\r\n")

    return asyncio.run(playing())


def failure(url: str, path: str = "/x", **headers: str) -> str:
    """The words of a request that is not sent."""

    async def playing() -> None:
        endpoint = Endpoint(url, headers)
        try:
            await heard(endpoint, path)
        finally:
            await endpoint.close()

    with pytest.raises(ModelFailed) as caught:
        asyncio.run(playing())
    assert (caught.value.kind, caught.value.free) == ("request", True)
    assert KEY not in caught.value.detail
    return caught.value.detail


def test_a_request_as_it_is_sent():
    assert sent("/v1/", "/chat", authorization=f"Bearer {KEY}") == [
        "POST /v1/chat HTTP/1.1",
        "host: 127.0.0.1:PORT",
        "connection: keep-alive",
        "content-type: application/json",
        "accept: text/event-stream, application/json",
        "accept-encoding: identity",
        "user-agent: donewhen",
        f"authorization: Bearer {KEY}",
        "content-length: 2",
        "",
        "",
    ]


@table_test(
    ("base", "path", "target"),
    [
        ("", "/x", "/x"),
        ("", "/x?alt=sse&a=b%20c", "/x?alt=sse&a=b%20c"),
        ("/ü", "/a b", "/%C3%BC/a%20b"),
        ("/v1", "/models/a%2Fb:generate?alt=sse", "/v1/models/a%2Fb:generate?alt=sse"),
    ],
)
def test_targets(base, path, target):
    assert sent(base, path)[0] == f"POST {target} HTTP/1.1"


def test_a_login_goes_into_its_header_and_nowhere_else():
    lines = sent(login="me:p%40ss", Authorization=f"Bearer {KEY}")
    assert [each for each in lines if "bWU6cEBzcw==" in each] == ["authorization: Basic bWU6cEBzcw=="]
    assert [each for each in lines if "me" in each.split() or "p%40ss" in each or KEY in each] == []
    assert lines[1] == "host: 127.0.0.1:PORT"


def test_an_ipv6_address():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("there is no IPv6 here")
    assert sent(host="::1")[1] == "host: [::1]:PORT"


@table_test(
    ("url", "tls", "host", "port", "authority"),
    [
        ("http://Models.Example", False, "models.example", 80, "models.example"),
        ("https://models.example:443/v1", True, "models.example", 443, "models.example"),
        ("https://models.example:80", True, "models.example", 80, "models.example:80"),
        ("https://a:b@models.example", True, "models.example", 443, "models.example"),
        ("https://my_box:8080", True, "my_box", 8080, "my_box:8080"),
        ("https://straße.example", True, "xn--strae-oqa.example", 443, "xn--strae-oqa.example"),
        ("http://[0:0::1]:8080", False, "::1", 8080, "[::1]:8080"),
    ],
)
def test_addresses(url, tls, host, port, authority):
    found = read_address(url)
    assert (found.tls, found.host, found.port, found.authority) == (tls, host, port, authority)


@table_test(
    "url",
    [
        "ftp://models.example",
        "models.example",
        "http://",
        "http://:80",
        "http://models.example:99999",
        "http://models.example:x",
        "http://[::1",
        "http://[fe80::1%25eth0]",
        "http://[1.2]",
        "http://models.example\r\nx-a: b",
        "http://models example",
        "http://models%0aexample",
        "http://a\\b",
        "http://-a.example",
        "http://ü\u0660.example",
        f"http://{'a' * 300}.example",
    ],
)
def test_what_is_no_address(url):
    with pytest.raises(NotSent):
        read_address(url)
    assert failure(url)


@table_test("value", [f"{KEY}\r\nx-a: b", f"{KEY}\n", f" {KEY}", f"{KEY}\0", f"{KEY}ü", f"a\x7f{KEY}"])
def test_a_key_that_would_leave_its_header_is_not_sent(value):
    said = failure("http://127.0.0.1:9", authorization=f"{value}")
    assert said == "the header authorization has characters that no header has"


def test_nor_is_a_path_that_would_leave_its_line():
    for path in ("/x\r\nx-a: b", "/x\0", "/x\n"):
        assert failure("http://127.0.0.1:9", path) == "the path has characters that no path has"


PROXY = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("env", "url", "proxied"),
    [
        ({}, "https://models.example", False),
        ({"https_proxy": PROXY}, "https://models.example/v1", True),
        ({"HTTPS_PROXY": PROXY}, "https://models.example/v1", True),
        ({"http_proxy": PROXY}, "https://models.example", False),
        ({"http_proxy": PROXY}, "http://models.example", True),
        ({"all_proxy": PROXY}, "http://models.example", True),
        ({"ALL_PROXY": PROXY, "no_proxy": "models.example"}, "https://models.example:8443", False),
        ({"all_proxy": PROXY, "NO_PROXY": "a.example, .example"}, "https://models.example", False),
        ({"all_proxy": PROXY, "no_proxy": "*"}, "https://models.example", False),
        ({"all_proxy": PROXY, "no_proxy": "els.example"}, "https://models.example", True),
        ({"all_proxy": PROXY, "no_proxy": "models.example"}, "https://models.example@other.example", True),
        ({"https_proxy": ""}, "https://models.example", False),
        ({"ftp_proxy": PROXY, "no_proxy": "x"}, "https://models.example", False),
    ],
)
def test_where_a_proxy_leads(monkeypatch, env, url, proxied):
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert uses_proxy(url) is proxied


def test_a_request_goes_through_the_proxy(monkeypatch):
    pytest.importorskip("httpx2", reason="proxies need it")

    async def playing() -> list[bytes]:
        async with serving(says(OK)) as proxy:
            monkeypatch.setenv("http_proxy", proxy.url)
            endpoint = Endpoint("http://models.invalid/v1", {"authorization": f"Bearer {KEY}"})
            try:
                for _ in range(2):
                    assert await heard(endpoint) == b"hi"
            finally:
                await endpoint.close()
            assert len(proxy.connections) == 1
            return list(proxy.heads)

    first, _ = asyncio.run(playing())
    assert first.startswith(b"POST http://models.invalid/v1/x HTTP/1.1\r\n")
    assert f"authorization: bearer {KEY}".encode() in first.lower()


def test_failures_behind_a_proxy_mean_the_same(monkeypatch):
    pytest.importorskip("httpx2", reason="proxies need it")
    monkeypatch.setenv("http_proxy", PROXY)
    for value in (f"{KEY}\r\nx-a: b", f"{KEY}ü"):
        assert failure("http://models.invalid", authorization=value)
    with pytest.raises(ModelFailed) as caught:
        asyncio.run(heard(Endpoint("http://models.invalid", {})))
    assert (caught.value.kind, caught.value.free) == ("unreachable", True)


def test_no_proxy_leads_to_this_machine(monkeypatch):
    for name in VARIABLES[:3]:
        monkeypatch.setenv(name, PROXY)
    assert sent()[0] == "POST /x HTTP/1.1"


def test_a_missing_package_is_named_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx2", None)
    assert sent()[0] == "POST /x HTTP/1.1"
    monkeypatch.setenv("https_proxy", PROXY)
    with pytest.raises(SetupError, match=r"httpx2 .*pip install 'donewhen\[llm\]'"):
        asyncio.run(heard(Endpoint("https://models.invalid", {})))
    monkeypatch.setitem(sys.modules, "h11", None)
    monkeypatch.delitem(sys.modules, "donewhen.agents.models.http1", raising=False)
    with pytest.raises(SetupError, match=r"h11 .*pip install 'donewhen\[llm\]'"):
        asyncio.run(heard(Endpoint("http://127.0.0.1:9", {})))


def test_without_a_proxy_the_large_library_is_not_loaded():
    script = (
        "import asyncio, sys\n"
        "from donewhen.agents.models.endpoint import Endpoint\n"
        "from donewhen.core.chat import ModelFailed\n"
        "try: asyncio.run(Endpoint('http://127.0.0.1:9', {}).post('/x', b'{}', lambda _: lambda _: 'more'))\n"
        "except ModelFailed as failed: print(failed.kind)\n"
        "print(sorted({'httpx2', 'httpcore2', 'anyio', 'urllib.request'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["unreachable", "[]"]
