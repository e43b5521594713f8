"""TLS: whom a line trusts, and that nothing is said to anybody else."""

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from donewhen.agents.models.endpoint import Endpoint
from donewhen.core.chat import ModelFailed
from tests.agents.models.http_servers import (
    KEY,
    OK,
    Served,
    cancelled,
    heard,
    says,
    serving,
    settled_sockets,
    sockets,
)

pytest.importorskip("h11", reason="the extra `llm` is not installed")
pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")


class Signed(NamedTuple):
    certificate: Path
    key: Path

    @property
    def server(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        context.set_alpn_protocols(["h2", "http/1.1"])
        return context


def _signed(folder: Path, name: str, names: str) -> Signed:
    made = Signed(folder / f"{name}.pem", folder / f"{name}.key")
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    to = ["-keyout", str(made.key), "-out", str(made.certificate), "-days", "2", "-subj", f"/CN={name}"]
    done = subprocess.run([*new, *to, "-addext", f"subjectAltName={names}"], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"openssl made no certificate: {done.stderr[-200:]}")
    return made


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> Signed:
    return _signed(tmp_path_factory.mktemp("tls"), "here", "DNS:localhost,IP:127.0.0.1")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory) -> Signed:
    return _signed(tmp_path_factory.mktemp("tls"), "elsewhere", "DNS:models.example")


def play(signed: Signed, use):
    async def playing():
        async with serving(says(OK), signed.server) as server:
            endpoint = Endpoint(server.url, {"authorization": f"Bearer {KEY}"})
            try:
                return await use(endpoint, server)
            finally:
                await endpoint.close()

    return asyncio.run(playing())


async def refused(endpoint: Endpoint, server: Served) -> str:
    """The words of a failure that costs nothing and told nobody anything."""
    with pytest.raises(ModelFailed) as caught:
        await heard(endpoint)
    assert (caught.value.kind, caught.value.free, server.heads) == ("unreachable", True, [])
    return caught.value.detail


def test_a_trusted_endpoint_is_asked_and_its_connection_kept(here, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(here.certificate))

    async def use(endpoint: Endpoint, server: Served) -> None:
        for _ in range(3):
            assert await heard(endpoint) == b"hi"
        assert len(server.connections) == 1
        talk = server.connections[0].get_extra_info("ssl_object")
        assert talk.selected_alpn_protocol() == "http/1.1"
        assert talk.version() in ("TLSv1.2", "TLSv1.3")

    play(here, use)


def test_the_host_is_named_to_the_server(here, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(here.certificate))
    named: list[str] = []
    context = here.server
    context.sni_callback = lambda talk, name, own: named.append(name)

    async def playing() -> bytes:
        async with serving(says(OK), context) as server:
            endpoint = Endpoint(server.url.replace("127.0.0.1", "localhost"), {})
            try:
                return await heard(endpoint)
            finally:
                await endpoint.close()

    assert asyncio.run(playing()) == b"hi"
    assert named == ["localhost"]


def test_a_folder_of_authorities_will_do(here, monkeypatch, tmp_path):
    shown = ["openssl", "x509", "-hash", "-noout", "-in", str(here.certificate)]
    named = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.strip()
    shutil.copy(here.certificate, tmp_path / f"{named}.0")
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))

    async def use(endpoint: Endpoint, server: Served) -> None:
        assert await heard(endpoint) == b"hi"

    play(here, use)


def test_an_unknown_authority_is_not_trusted(here, elsewhere, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(elsewhere.certificate))
    assert play(here, refused).startswith("its certificate is not trusted: self")


def test_nor_is_one_that_only_the_system_could_know(here, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    assert play(here, refused).startswith("its certificate is not trusted: self")


def test_a_certificate_of_another_host_is_not_trusted(elsewhere, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(elsewhere.certificate))
    assert "is not valid for '127.0.0.1'" in play(elsewhere, refused)


@pytest.mark.parametrize("content", [None, "no certificate\n"])
def test_authorities_that_can_not_be_read_are_told(here, monkeypatch, tmp_path, content):
    named = tmp_path / "authorities.pem"
    if content is not None:
        named.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(named))
    assert play(here, refused).startswith("the certificate authorities of SSL_CERT_FILE can't be read: ")


def test_who_speaks_no_tls_is_not_reached():
    async def playing() -> ModelFailed:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readexactly(5)
            writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")

        async with await asyncio.start_server(connected, "127.0.0.1", 0) as running:
            endpoint = Endpoint(f"https://127.0.0.1:{running.sockets[0].getsockname()[1]}", {})
            with pytest.raises(ModelFailed) as caught:
                await heard(endpoint)
            await endpoint.close()
        return caught.value

    failed = asyncio.run(playing())
    assert (failed.kind, failed.free, "SSL" in failed.detail) == ("unreachable", True, True)


def test_who_hangs_up_or_keeps_quiet_is_not_reached(monkeypatch):
    monkeypatch.setattr("donewhen.agents.models.endpoint._CONNECT", 0.1)

    async def playing(quiet: bool) -> str:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if quiet:
                await reader.read()
            writer.close()

        async with await asyncio.start_server(connected, "127.0.0.1", 0) as running:
            endpoint = Endpoint(f"https://127.0.0.1:{running.sockets[0].getsockname()[1]}", {})
            with pytest.raises(ModelFailed) as caught:
                await heard(endpoint)
            await endpoint.close()
        assert (caught.value.kind, caught.value.free) == ("unreachable", True)
        return caught.value.detail

    assert asyncio.run(playing(True)) == "no connection within 0.1 seconds"
    assert asyncio.run(playing(False))


@pytest.mark.parametrize("phase", ["shaking hands", "waiting"])
def test_a_cancelled_call_leaves_no_socket(here, monkeypatch, phase):
    monkeypatch.setenv("SSL_CERT_FILE", str(here.certificate))

    async def playing() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readexactly(5)
            begun.set()
            try:
                await reader.read()
            except (ConnectionError, ssl.SSLError):
                pass
            finally:
                writer.close()
                ended.set()

        tls = here.server if phase == "waiting" else None
        async with await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls) as running:
            before = settled_sockets()
            await cancelled(f"https://127.0.0.1:{running.sockets[0].getsockname()[1]}", begun.is_set)
            await ended.wait()
            while sockets() > before:
                await asyncio.sleep(0)

    asyncio.run(playing())
