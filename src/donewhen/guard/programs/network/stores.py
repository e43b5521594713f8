"""Databases that are spoken to without a client of their own: by HTTP, or over a bare connection."""

import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

from donewhen.guard.call import Call, Nested, Words
from donewhen.guard.effects import Destroys, Effect
from donewhen.guard.programs.data.sql import sql_effects
from donewhen.guard.programs.network.address import address

_REDIS = frozenset(("6379", "6380", "26379"))
_MEMCACHED = frozenset(("11211",))
_SQL = frozenset(("8123", "8443", "8086", "9047", "8047", "4001"))
_SEARCH = frozenset(("9200", "9201"))
_FLUSHED = re.compile(r"^\s*flush_all\b", re.MULTILINE | re.IGNORECASE)
_FIELD = re.compile(r"^\s*(?:q|query|sql)=", re.IGNORECASE)


def spoken(call: Call, host: str, port: str, text: str) -> Iterator[Effect | Nested]:
    """Text that goes to a port as it is."""
    if port in _REDIS:
        yield Words(("redis-cli", "-h", host or "localhost"), call.name, stdin=text)
    elif port in _MEMCACHED and _FLUSHED.search(text):
        yield Destroys("database", f"{call.name} {host}:{port}")


def asked(call: Call, method: str, url: str, text: str) -> Iterator[Effect | Nested]:
    """A request by HTTP, its query and its body."""
    at = address(url)
    if at.path.endswith("/_delete_by_query") or (method == "DELETE" and at.port in _SEARCH):
        yield Destroys("database", url, sure=False)
    if at.port in _SQL:
        for part in (text, *map(unquote_plus, at.query.split("&"))):
            # whether a body that can't be told changes data, the rules for what is sent decide
            found = sql_effects(_FIELD.sub("", part), call.name, url)
            yield from (one for one in found if isinstance(one, Destroys))
