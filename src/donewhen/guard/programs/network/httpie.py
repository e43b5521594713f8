"""httpie and xh: a method, an address, and items whose separator says what they are.

Items are read by their first separator, as httpie does; its sessions and plugins are not looked at.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader
from donewhen.guard.effects import Connects, Effect, Fetches, Reads, Sends, Unknown, Writes
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.forge.readers import forge_effects
from donewhen.guard.programs.network.address import SCREENS, Address, What, address, carried, fed, peculiar

_TABLE = options(
    flags="dcfjvhbqFISI6",
    values="aAosptx",
    long_flags="download continue form json multipart verbose headers body stream quiet follow "
    "offline ignore-stdin "
    "check-status debug meta all https",
    long_values="output auth auth-type session session-read-only print style proxy timeout "
    "max-redirects verify cert "
    "cert-key raw boundary pretty sorted response-charset response-mime default-scheme "
    "ssl ciphers bearer cert-key-pass "
    "max-headers history-print format-options",
)
_METHODS = frozenset("GET HEAD OPTIONS POST PUT PATCH DELETE TRACE CONNECT PURGE PROPFIND".split())
# The longest first: `:=@` begins with `:`.
_SEPARATORS = (":=@", "=@", ":@", "==@", ":=", "==", "=", "@", ":", ";")


def httpie(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _TABLE)
    words = list(given.operands)
    if given.unsure:
        yield Unknown("guard.unknown_option", call.argv[0])
    method = words.pop(0).upper() if words and words[0].upper() in _METHODS else ""
    if not words:
        return
    items = [_item(word) for word in words[1:]]
    yield from (Reads(call.at(file)) for _, file in items if file)
    yield from (Reads(call.at(value)) for value in given.all("--cert", "--cert-key"))
    if given.has("--offline"):
        return
    kinds = {kind for kind, _ in items if kind}
    if given.has("--raw"):
        kinds.add("data")
    if call.stdin and not given.has("--ignore-stdin", "-I"):
        kinds.add(fed(call.stdin))
    method = method or ("POST" if kinds else "GET")
    yield from forge_effects(method, _whole(words[0]), "&".join(words[1:]))
    if method not in _ASKING:
        kinds.add("data")
    yield from _exchange(call, address(_whole(words[0])), kinds, given)


def _exchange(call: Call, at: Address, kinds: set[What], given: Given) -> Iterator[Effect]:
    yield from peculiar(call, at)
    if at.tells:
        kinds.add("content")
    worst = carried(*call.argv) or next((one for one in _ORDER if one in kinds), None)
    if worst:
        yield Sends(at.host, worst)
    output = given.value("-o", "--output")
    if output in SCREENS or (output is None and not given.has("-d", "--download")):
        yield Connects(at.host)
        return
    target = call.at(output or at.path.rpartition("/")[2] or "index.html")
    yield Fetches(at.host, target)
    yield Writes(target)


_ASKING = frozenset(("GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND"))
_ORDER: tuple[What, ...] = ("environment", "secret", "content", "data")


def _whole(url: str) -> str:
    """`:3000/x` is this machine."""
    return f"localhost{url}" if url.startswith(":") and not url.startswith("://") else url.removeprefix("://")


def _item(item: str) -> tuple[What | None, str]:
    """What a request item sends, and the file it is read from."""
    found = [(item.index(one), -len(one), one) for one in _SEPARATORS if one in item]
    if not found:
        return None, ""
    at, _, separator = min(found)
    value = item[at + len(separator) :]
    if separator.endswith("@"):
        return "content", value.partition(";")[0]
    return ("data" if separator in ("=", ":=") else None), ""


READERS: Mapping[str, Reader] = dict.fromkeys(("http", "https", "xh", "xhs", "httpie", "ht"), httpie)
