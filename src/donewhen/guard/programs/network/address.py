"""Addresses as network programs take them, and what leaves the machine with a text.

Nothing is resolved or contacted: a host is the text that the program would look up. Whether it is this
machine is the rules' question; who stands in the address is answered here as strictly as programs do it
(`localhost@evil.example` is evil.example).
"""

from typing import Literal, NamedTuple
from urllib.parse import unquote

from donewhen.guard.call import Call
from donewhen.guard.effects import Effect, HostAccess, Reads, Reveals, Sends, Writes
from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, SECRET, STAR

What = Literal["data", "content", "secret", "environment"]
# Services of cloud machines that hand out the machine's credentials to whoever asks.
METADATA = frozenset(
    (
        "169.254.169.254",
        "169.254.170.2",
        "metadata.google.internal",
        "metadata",
        "100.100.100.200",
        "fd00:ec2::254",
    )
)
SCREENS = frozenset(
    ("-", "/dev/stdout", "/dev/stderr", "/dev/null", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "")
)
_SOCKETS = ("docker.sock", "podman.sock", "containerd.sock", "crio.sock")


class Address(NamedTuple):
    scheme: str  # lower-case, empty when none is written
    host: str  # without user, port and brackets
    port: str
    path: str  # with its leading slash, without query; may be empty
    query: str = ""

    @property
    def tells(self) -> bool:
        """Does its query carry what can't be told? It may be the text of files; a part of a path that is
        not known is most often a name."""
        return HOLE in self.query


def address(text: str) -> Address:
    """The parts of a URL, or of a host with a path behind it."""
    scheme, found, rest = text.partition("://")
    if not found or not scheme.replace("+", "").replace("-", "").replace(".", "").isalnum():
        scheme, rest = "", text
        if text[:5].lower() == "file:":
            scheme, rest = "file", text[5:]
    scheme = scheme.lower()
    if scheme == "file":
        place = rest if rest.startswith("/") else "/" + rest.partition("/")[2]
        return Address(scheme, "", "", unquote(place.partition("?")[0].partition("#")[0]))
    end = next((at for at, letter in enumerate(rest) if letter in "/?#"), len(rest))
    who = rest[:end].rpartition("@")[2]
    path, _, query = rest[end:].partition("#")[0].partition("?")
    if who.startswith("["):
        host, _, port = who[1:].partition("]")
        return Address(scheme, host.lower(), port.lstrip(":"), path, query)
    host, _, port = who.partition(":")
    return Address(scheme, host.lower(), port, path, query)


def host_of(text: str) -> str:
    return address(text).host


def carried(*texts: str | None) -> What | None:
    """The worst that the texts hold: a secret, the environment; None when they hold neither."""
    if any(text and SECRET in text for text in texts):
        return "secret"
    return "environment" if any(text and ENVIRONMENT in text for text in texts) else None


def fed(text: str) -> What:
    """What goes out: known text is data, what other programs print may be the project's content."""
    return carried(text) or ("content" if HOLE in text or NETWORK in text else "data")


def leaves(call: Call, host: str) -> list[Effect]:
    """A secret in any argument goes wherever the program connects to."""
    worst = carried(*call.argv)
    return [Sends(host, worst)] if worst else []


def local_file(place: str) -> Reads:
    """A `file:` address; the program's own braces and ranges stand for any name."""
    if "{" in place or "[" in place:
        shown: list[str] = []
        depth = 0
        for letter in place:
            if letter in "{[":
                depth += 1
                shown.append(STAR)
            elif letter in "}]":
                depth = max(0, depth - 1)
            elif not depth:
                shown.append(letter)
        place = "".join(shown)
    return Reads(place)


def peculiar(call: Call, at: Address, path: str = "") -> list[Effect]:
    """Hosts and sockets that are more than a service: cloud metadata, a container engine."""
    found: list[Effect] = []
    if at.host in METADATA:
        found.append(Reveals("credential", at.host))
    if at.port in ("2375", "2376"):
        found.append(HostAccess(f"{call.name} {at.host}:{at.port}"))
    if path.endswith(_SOCKETS):
        found.append(HostAccess(f"{call.name} {path}"))
    return found


def saves(call: Call, path: str) -> list[Effect]:
    """A file that the program writes, unless it is a stream."""
    return [] if path in SCREENS else [Writes(call.at(path))]
