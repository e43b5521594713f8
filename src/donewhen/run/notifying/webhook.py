"""A message as an HTTP POST of JSON, also for chat rooms that read the key `text`.

The address is a secret: beside its host, nothing of it is ever said. No redirect is followed, because it
would carry the message to who knows where; the answer's body is not read beyond a few bytes and not quoted.
Proxies of the environment are not used.
"""

import asyncio
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from donewhen.core.texts import Phrase
from donewhen.run.calling_out import apart, connection, hang_up
from donewhen.run.notifying.model import TIMEOUT, Notice, Sent, message_of

if TYPE_CHECKING:
    from http.client import HTTPConnection

_MOST_READ = 4096


class Address(NamedTuple):
    secure: bool
    host: str
    port: int
    path: str  # with the query


def read_address(url: str) -> Address:
    """The parts of an address, which the configuration has checked."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    secure = parts.scheme == "https"
    return Address(secure, host, port or (443 if secure else 80), path)


class Webhook:
    def __init__(self, address: Address, *, name: str = "", timeout: float = TIMEOUT) -> None:
        self._address = address
        self._timeout = timeout
        self.name = name or f"webhook:{address.host}"

    async def send(self, notice: Notice) -> Sent:
        post = _Post(self._address, notice, self._timeout)
        try:
            status = await asyncio.wait_for(apart(post, "donewhen-notify"), self._timeout)
        except TimeoutError:
            post.give_up()
            return self._failed("timed_out", seconds=f"{self._timeout:g}")
        except Exception as error:  # sockets, TLS and whatever the other end says to http.client
            return self._failed("unreachable", why=_reason(error))
        except asyncio.CancelledError:
            post.give_up()
            raise
        if 200 <= status < 300:
            return Sent(True, f"HTTP {status}")
        return self._failed("moved" if 300 <= status < 400 else "refused", status=status)

    def _failed(self, key: str, **values: object) -> Sent:
        return Sent(False, problem=Phrase(f"notify.{key}", {"host": self._address.host, **values}))


class _Post:
    """One request; it can be given up from another thread."""

    def __init__(self, address: Address, notice: Notice, timeout: float) -> None:
        self._address = address
        self._notice = notice
        self._timeout = timeout
        self._connection: HTTPConnection | None = None

    def __call__(self) -> int:
        address = self._address
        made = connection(address.host, address.port, self._timeout, secure=address.secure)
        self._connection = made
        try:
            headers = {
                "Content-Type": "application/json; charset=utf-8",
                "Idempotency-Key": self._notice.key,
                "User-Agent": "donewhen",
                "Connection": "close",
            }
            made.request("POST", self._address.path, message_of(self._notice), headers)
            answer = made.getresponse()
            answer.read(_MOST_READ)
            return answer.status
        finally:
            made.close()

    def give_up(self) -> None:
        hang_up(self._connection)


def _reason(error: Exception) -> str:
    """The kind of trouble; a message of a library may quote the address."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__
