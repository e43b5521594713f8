"""What an endpoint needs of a transport, and the four ways in which one fails.

Transports know nothing of models and money: they say what happened, and the endpoint says what it means.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol


class TransportFailed(Exception):
    """Its words name no header and no secret."""


class NotSent(TransportFailed):
    """The request can't be sent as it is."""


class NotReached(TransportFailed):
    """There is no connection; nothing was sent."""


class Silent(TransportFailed):
    """Nothing came, or nothing was taken, for too long."""


class Broken(TransportFailed):
    """The connection ended too early, or what came is no HTTP."""


class Answer(Protocol):
    """`headers` have names in lower case; chunks come as they were sent, without their framing."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    def chunks(self) -> AsyncIterator[bytes]: ...


class Transport(Protocol):
    """Connections to one address. Leaving an answer early closes its connection."""

    def send(self, method: str, path: str, body: bytes = b"") -> AbstractAsyncContextManager[Answer]: ...

    async def close(self) -> None: ...


class Patience(NamedTuple):
    """Seconds for a connection, and for each sign of life on it."""

    connect: float
    silence: float
