"""Where a request goes: the parts of an address, each checked before any of it is sent."""

import re
from base64 import b64encode
from collections.abc import Mapping
from ipaddress import IPv6Address
from typing import NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

from donewhen.agents.models.endpoint_transport import NotSent
from donewhen.core.errors import SetupError

_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]{0,252})")
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?")
_PORTS = {"http": 80, "https": 443}
_UNQUOTED = "%/:?&=;,+@!$'()*~[]|"


class Address(NamedTuple):
    """`login` is what stood before the host, ready for a header; it is no part of any other text."""

    tls: bool
    host: str
    port: int
    path: str  # what every target begins with
    login: str = ""

    @property
    def authority(self) -> str:
        """The host as a header names it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def read_address(url: str) -> Address:
    """The parts of a URL; NotSent for one that is none of a web server."""
    if not url.isprintable() or " " in url:
        raise NotSent("the address has characters that no address has")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotSent("the address can't be read") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise NotSent("the address is not one of a web server")
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    port = _PORTS[parts.scheme] if port is None else port
    return Address(parts.scheme == "https", _host(parts.hostname), port, path, _login(parts))


def target_of(base: str, path: str) -> str:
    """The target of a request; NotSent for what would not stay one word in its line."""
    whole = base + path
    if not whole.isprintable():
        raise NotSent("the path has characters that no path has")
    quoted = quote(whole, safe=_UNQUOTED)
    return quoted if quoted.startswith("/") else f"/{quoted}"


def checked_headers(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    """The headers of a request; NotSent, without its value, for one that would not stay in its line."""
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise NotSent("a header has a name that no header has")
        if value and not _VALUE.fullmatch(value):
            raise NotSent(f"the header {name} has characters that no header has")
    return [(name.lower(), value) for name, value in headers.items()]


def _host(name: str) -> str:
    if ":" in name:
        try:
            return IPv6Address(name if "%" not in name else "").compressed
        except ValueError:
            raise NotSent("the host is no IPv6 address") from None
    host = name.lower() if name.isascii() else _encoded(name)
    if not _HOST.fullmatch(host):
        raise NotSent("the host has characters that no host has")
    return host


def _encoded(name: str) -> str:
    """A name in letters of other scripts, as it is looked up today; the codec of Python knows older rules."""
    try:
        import idna
    except ImportError:
        raise SetupError("models.no_library", package="idna") from None
    try:
        return idna.encode(name.lower()).decode("ascii")
    except idna.IDNAError:
        raise NotSent("the host is no name that can be looked up") from None


def _login(parts: SplitResult) -> str:
    if not parts.username and not parts.password:
        return ""
    pair = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return "Basic " + b64encode(pair.encode()).decode("ascii")
