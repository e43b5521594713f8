"""Values as they may be shown: of an address only where it leads, never what it carries.

A password or token may stand anywhere in an address, so all but scheme and host is left out. Only for
showing; nothing that is hidden here is lost in the configuration itself.
"""

from typing import Any

from donewhen.config.fields import Key
from donewhen.core.lazy import lazy

HIDDEN = "***"

_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]{0,30}")
_HOST = lazy(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")


def hide_password(url: str) -> str:
    """Scheme and host of an address, the path of a SQLite file; all else is hidden."""
    scheme, found, rest = url.partition("://")
    if not found or not _SCHEME.fullmatch(scheme):
        return url if url in ("user", "repo") else HIDDEN
    if scheme == "sqlite":
        path, question, _ = rest.partition("?")
        return f"sqlite://{path}{question}{HIDDEN if question else ''}"
    end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
    before, tail = rest[:end], rest[end:]
    _, at, host = before.rpartition("@")
    # a `@` further on may end a password that holds one of the marks, so no host can be told
    if "@" in tail or not _HOST.fullmatch(host):
        return f"{scheme}://{HIDDEN}"
    return f"{scheme}://{HIDDEN + '@' if at else ''}{host}{'/' + HIDDEN if tail.strip('/') else tail}"


def hidden(value: Any, entry: Key) -> Any:
    """The value of a key as it may be shown."""
    if not entry.facts.hides or value is None:
        return value
    if isinstance(value, list | tuple):
        return [hidden(item, entry) for item in value]
    return _scheme_only(str(value)) if entry.facts.hides == "all" else hide_password(str(value))


def _scheme_only(url: str) -> str:
    scheme, found, _ = url.partition("://")
    return f"{scheme}://{HIDDEN}" if found and _SCHEME.fullmatch(scheme) else HIDDEN
