"""A forge's REST API over HTTP: JSON in, JSON out, bounded, and the token goes to that one host alone.

No redirect is followed, because it would carry the token elsewhere; proxies of the environment are not used.
Calls that may be made twice are tried again when the forge is busy or gone for a moment.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from donewhen.core.errors import SetupError
from donewhen.run.calling_out import apart, connection, hang_up
from donewhen.run.shipping.forge.model import Exists, Unsure, harmless

if TYPE_CHECKING:
    from http.client import HTTPConnection

TIMEOUT = 30.0  # seconds for one call, whatever the other end does
WAITS = (1.0, 3.0)  # seconds before a call is made again
LONGEST_WAIT = 20.0  # that a forge may ask for
LARGEST = 4 * 1024 * 1024
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_BUSY = 429


class Api(NamedTuple):
    """Where a forge's API is, and who we are there."""

    url: str  # without a slash at its end
    token: str
    variable: str  # that holds the token, for people
    header: str = "Authorization"
    waits: tuple[float, ...] = WAITS
    timeout: float = TIMEOUT

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or "?"


class Answer(NamedTuple):
    status: int
    data: Any = None  # None where it is no JSON
    retry_after: float = 0.0


def check_address(url: str) -> str:
    """The API's address as it is used; a token never goes over the network in the clear."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise SetupError("forge.bad_api_url") from None
    if not host or not url.isascii() or not url.isprintable() or " " in url or "@" in parts.netloc:
        raise SetupError("forge.bad_api_url")
    if parts.query or parts.fragment or parts.scheme not in ("https", "http"):
        raise SetupError("forge.bad_api_url")
    if parts.scheme == "http" and host not in _LOOPBACK:
        raise SetupError("forge.plain_http", host=host)
    return url.rstrip("/")


async def call(
    api: Api, method: str, path: str, body: Mapping[str, Any] | None = None, *, once: bool = False
) -> Any:
    """What the forge answered; Exists, Unsure or SetupError otherwise.

    `once`: what may have been done is not tried again here, whoever asks looks for it first.
    """
    waits = () if once else api.waits
    for wait in (*waits, None):
        try:
            return _read(await _answer(api, method, path, body), api)
        except Unsure as error:
            if wait is None:
                raise
            await asyncio.sleep(min(max(wait, error.retry_after), LONGEST_WAIT))
    raise AssertionError("the last try returns or raises")


async def _answer(api: Api, method: str, path: str, body: Mapping[str, Any] | None) -> Answer:
    request = _Request(api, method, path, body)
    try:
        return await asyncio.wait_for(apart(request, "donewhen-forge"), api.timeout)
    except TimeoutError:
        request.give_up()
        raise Unsure("forge.slow", host=api.host, seconds=f"{api.timeout:g}") from None
    except asyncio.CancelledError:
        request.give_up()
        raise
    except Exception as error:  # sockets, TLS, and whatever http.client makes of the other end
        why = harmless((isinstance(error, OSError) and error.strerror) or type(error).__name__)
        raise Unsure("forge.unreachable", host=api.host, why=why) from None


def _read(answer: Answer, api: Api) -> Any:
    status, said = answer.status, _said(answer.data, api.token)
    if 200 <= status < 300:
        if answer.data is None:
            raise Unsure("forge.no_json", host=api.host)
        return answer.data
    if 300 <= status < 400:
        raise SetupError("forge.moved", host=api.host, status=status)
    limited = status == 403 and (answer.retry_after > 0 or "rate limit" in said.lower())
    if status == _BUSY or status >= 500 or limited:
        key = "forge.busy" if status < 500 else "forge.broken"
        raise Unsure(key, answer.retry_after, host=api.host, status=status, said=said)
    if status == 401:
        raise SetupError("forge.login", host=api.host, variable=api.variable, said=said)
    if status == 403:
        raise SetupError("forge.forbidden", host=api.host, variable=api.variable, said=said)
    if status == 404:
        raise SetupError("forge.not_found", host=api.host, variable=api.variable)
    if status in (409, 422) and "already exists" in said.lower():
        raise Exists("forge.exists", host=api.host)
    raise SetupError("forge.refused", host=api.host, status=status, said=said)


def _said(data: Any, token: str) -> str:
    """The words of a refusal: GitHub's `message` and `errors`, GitLab's `message` or `error`."""
    if not isinstance(data, dict):
        return "-"
    words: list[str] = []
    for value in (data.get("message"), data.get("error"), data.get("errors")):
        _collect(value, words)
    return harmless("; ".join(dict.fromkeys(words)), (token,)) or "-"


def _collect(value: Any, words: list[str], depth: int = 0) -> None:
    if isinstance(value, str) and len(words) < 10:
        words.append(value[:500])
    elif isinstance(value, list) and depth < 4:
        for each in value[:5]:
            _collect(each, words, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        for name, each in list(value.items())[:5]:
            if name not in ("resource", "code", "documentation_url"):
                _collect(each, words, depth + 1)


class _Request:
    """One call; it can be given up from another thread."""

    def __init__(self, api: Api, method: str, path: str, body: Mapping[str, Any] | None) -> None:
        self._api = api
        self._method = method
        self._path = path
        self._body = None if body is None else json.dumps(body).encode()
        self._connection: HTTPConnection | None = None

    def __call__(self) -> Answer:
        parts = urlsplit(self._api.url)
        host, secure = parts.hostname or "", parts.scheme == "https"
        made = self._connection = connection(host, parts.port, self._api.timeout, secure=secure)
        bearer = "Bearer " if self._api.header == "Authorization" else ""
        headers = {
            self._api.header: f"{bearer}{self._api.token}",
            "Accept": "application/json",
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": "donewhen",
            "Connection": "close",
        }
        try:
            made.request(self._method, f"{parts.path}{self._path}", self._body, headers)
            answer = made.getresponse()
            data = answer.read(LARGEST + 1)
            return Answer(answer.status, _json(data), _seconds(answer.getheader("Retry-After")))
        finally:
            made.close()

    def give_up(self) -> None:
        hang_up(self._connection)


def _json(data: bytes) -> Any:
    if len(data) > LARGEST:
        return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else 0.0
