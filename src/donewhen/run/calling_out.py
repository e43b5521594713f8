"""A plain HTTP call of the standard library in a thread that nobody has to wait for at the end."""

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from http.client import HTTPConnection

T = TypeVar("T")


def connection(host: str, port: int | None, timeout: float, *, secure: bool) -> "HTTPConnection":
    """Certificates are checked; no proxy of the environment is used."""
    import ssl
    from http.client import HTTPConnection, HTTPSConnection

    if secure:
        return HTTPSConnection(host, port, timeout=timeout, context=ssl.create_default_context())
    return HTTPConnection(host, port, timeout=timeout)


def hang_up(made: "HTTPConnection | None") -> None:
    """An end that sends a byte now and then would hold the thread for ever."""
    held = made.sock if made is not None else None
    if held is not None:
        with suppress(OSError):
            held.shutdown(socket.SHUT_RDWR)


def apart(work: Callable[[], T], name: str) -> "asyncio.Future[T]":
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(act: Callable[[], None]) -> None:
        if not future.done():
            act()

    def run() -> None:
        try:
            found = work()
        except Exception as error:  # carried over to who waits
            failed = error
            act = lambda: future.set_exception(failed)  # noqa: E731
        else:
            act = lambda: future.set_result(found)  # noqa: E731
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, act)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future
