"""The doctor's question to an endpoint ends in time, whatever the endpoint does."""

import socket
import threading

import pytest

from donewhen.config.schema import Config
from donewhen.ui import finding_online

pytest.importorskip("httpx2", reason="the extra `llm` is not installed")


def test_an_endpoint_whose_headers_never_end_is_silent(monkeypatch):
    monkeypatch.setattr(finding_online, "_PATIENCE", 0.3)
    over = threading.Event()

    def drip(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nx-long: ")
            while not over.wait(0.01):
                try:
                    connection.sendall(b"x")
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = threading.Thread(target=drip, args=[listening])
        serving.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        llm = {"provider": "custom", "model": "x", "base_url": address}
        try:
            status, _ = finding_online.ask_endpoint(Config.model_validate({"tools": {"llm": llm}}), {})
        finally:
            over.set()
            serving.join()
    assert status == "failed"
