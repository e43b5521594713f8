"""A local Ollama: whether one answers, and which of its models could do the work.

Only this machine is asked, never through a proxy and never for longer than a moment. What answers may be
anything: it is read up to a bound, and a name counts only if it is plainly one.
"""

import ipaddress
import json
import re
import socket
import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from donewhen.core.lazy import lazy

PORT = 11434
PATIENCE = 0.3  # seconds in all
_MOST_BYTES = 1_000_000
_MOST_MODELS = 200
_NAME = lazy(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
_EMBEDS = lazy(r"embed|bert|minilm|bge-|rerank", re.IGNORECASE)
_ELSEWHERE = lazy(r"[:-]cloud$")  # run by a service, not by this machine
# Families whose models take tools, the better coders first.
_ABLE = (
    "qwen3-coder devstral qwen3.8 qwen3.5 qwen3 glm gpt-oss kimi deepseek-v nemotron mistral-small "
    "mistral qwen2.5-coder gemma4 granite llama4 llama3.3 llama3.1 qwen2.5"
).split()

Standing = Literal["answers", "silent", "elsewhere"]


class LocalModel(NamedTuple):
    name: str
    size: int = 0  # bytes
    able: bool = False  # it takes tools, as far as can be told
    local: bool = True


class Ollama(NamedTuple):
    """`elsewhere`: OLLAMA_HOST names another machine, which was not asked."""

    standing: Standing
    address: str
    models: tuple[LocalModel, ...] = ()

    @property
    def best(self) -> str:
        """The model to take when nobody chose one; empty when none is known to be able."""
        able = [model for model in self.models if model.able and model.local]
        return min(able, key=lambda model: (_rank(model.name), -model.size, model.name)).name if able else ""


def look_for_ollama(env: Mapping[str, str], patience: float = PATIENCE) -> Ollama:
    place = place_of(env.get("OLLAMA_HOST", ""))
    if place is None:
        return Ollama("elsewhere", "OLLAMA_HOST")
    host, port = place
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    answer = _get(host, port, "/api/tags", time.monotonic() + patience)
    if answer is None:
        return Ollama("silent", address)
    return Ollama("answers", address, tuple(_models(answer)))


def place_of(text: str) -> tuple[str, int] | None:
    """Host and port that OLLAMA_HOST means, in its own short forms; None unless that is this machine."""
    text = text.strip()
    if not text:
        return "127.0.0.1", PORT
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("", "http") or parts.username is not None:
        return None
    host = _loopback(parts.hostname or "")
    usual = 80 if parts.scheme else PORT
    return None if host is None else (host, usual if port is None else port)


def _loopback(host: str) -> str | None:
    if host in ("", "localhost", "0.0.0.0"):  # noqa: S104 - what a server listens on; nothing is bound here
        return "127.0.0.1"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if address.is_unspecified:
        return "::1"
    return str(address) if address.is_loopback else None


def _get(host: str, port: int, path: str, deadline: float) -> Any:
    """The JSON at a path of this machine; None for anything else, also for what comes too slowly."""
    try:
        head, _, body = _exchange(host, port, path, deadline).partition(b"\r\n\r\n")
        if not re.match(rb"HTTP/1\.[01] 200\b", head):
            return None
        return json.loads(body)
    except (OSError, ValueError, RecursionError, OverflowError):
        return None


def _exchange(host: str, port: int, path: str, deadline: float) -> bytes:
    """One request of the oldest kind, so that its answer is plain bytes up to the end."""
    with socket.create_connection((host, port), _left(deadline)) as talk:
        talk.sendall(f"GET {path} HTTP/1.0\r\nHost: {host}\r\nAccept: application/json\r\n\r\n".encode())
        got = bytearray()
        while not _whole(got):
            talk.settimeout(_left(deadline))
            more = talk.recv(65536)
            if not more:
                break
            got += more
            if len(got) > _MOST_BYTES:
                raise ValueError("too much")
    return bytes(got)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _whole(got: bytearray) -> bool:
    """Whether all is there that the answer announced; one that announces nothing ends with the connection."""
    head, found, body = got.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d{1,9})\r\n", head + b"\r\n") if found else None
    return length is not None and len(body) >= int(length[1])


def _models(answer: Any) -> Iterator[LocalModel]:
    listed = answer.get("models") if isinstance(answer, dict) else None
    for entry in listed[:_MOST_MODELS] if isinstance(listed, list) else ():
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and _NAME.fullmatch(name) and not _EMBEDS.search(name):
            size = entry.get("size")
            bytes_ = size if type(size) is int and 0 <= size < 2**62 else 0
            local = not _ELSEWHERE.search(name) and not entry.get("remote_host")
            yield LocalModel(name, bytes_, _able(name, entry.get("capabilities")), local)


def _able(name: str, capabilities: object) -> bool:
    """By its own word where it gives one, else by its family."""
    if isinstance(capabilities, list) and capabilities:
        return "tools" in capabilities
    return _rank(name) < len(_ABLE)


def _rank(name: str) -> int:
    own = name.rsplit("/", 1)[-1].lower()
    return next((n for n, family in enumerate(_ABLE) if own.startswith(family)), len(_ABLE))
