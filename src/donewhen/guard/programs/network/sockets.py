"""Bare connections: nc, socat, telnet, openssl, websocat.

A program bound to a connection is run by whoever sits at the other end: text from the network reaches it.
What such a program is given on its input goes out.
"""

from collections.abc import Iterable, Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import (
    Alters,
    Connects,
    Effect,
    HostAccess,
    Loads,
    Reads,
    RunsFetched,
    Sends,
    Unknown,
    Writes,
)
from donewhen.guard.options import Options, first_of, options, read
from donewhen.guard.programs.network.address import address, fed, host_of, leaves, peculiar, saves
from donewhen.guard.programs.network.stores import spoken

_NC = options(
    flags="46bCDdFhklNnrStUuvZz",
    values="ecgGIiMmOopPqsTVwWXx",
    long_flags="listen keep-open udp ssl verbose nodns ssl-verify recv-only send-only broker chat zero-io",
    long_values="exec sh-exec lua-exec proxy proxy-type proxy-auth source source-port wait delay "
    "idle-timeout output "
    "hex-dump append-output ssl-cert ssl-key allow allowfile deny denyfile max-conns "
    "ssl-trustfile",
)


def netcat(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _NC)
    host = first_of(given.operands)
    if given.unsure:
        yield Unknown("guard.unknown_option", call.argv[0])
    for name, value in given.options:
        if name in ("-e", "--exec"):
            yield Words(tuple(value.split()), call.name)
            yield RunsFetched(call.name)
        elif name in ("--sh-exec", "--lua-exec") or (name == "-c" and value):
            yield Text(value, call.name)
            yield RunsFetched(call.name)
        elif name in ("--ssl-key", "--ssl-cert"):
            yield Reads(call.at(value))
        elif name in ("--output", "--hex-dump", "-o") and call.name == "ncat":
            yield from saves(call, value)
    if given.has("-U"):
        yield from peculiar(call, address(""), host)
        host = "localhost"
    if given.has("-l", "--listen"):
        yield Alters(f"{call.name} -l")
        host = "" if not call.stdin else host
    yield from _line(call, host, bool(call.stdin) and not given.has("-z", "-d"), first_of(given.operands[1:]))


def _line(call: Call, host: str, sends: bool, port: str = "") -> Iterator[Effect | Nested]:
    """A connection, and what goes into it."""
    if sends and port and call.stdin:
        yield from spoken(call, host, port, call.stdin)
    found = leaves(call, host)
    if found:
        yield from found
    elif sends:
        yield Sends(host, fed(call.stdin or ""))
    if host:
        yield Connects(host)


_CONNECTING = frozenset(
    "tcp tcp4 tcp6 tcp-connect tcp4-connect tcp6-connect udp udp4 udp6 udp-connect "
    "udp4-connect udp6-connect "
    "openssl ssl openssl-connect openssl-dtls-connect sctp sctp-connect proxy "
    "proxy-connect socks4 socks4a socks5 "
    "socks5-connect udp-sendto udp4-sendto udp-datagram ip ip-sendto udplite-connect".split()
)
_FILES = frozenset("file open create creat gopen pipe".split())


def socat(call: Call) -> Iterator[Effect | Nested]:
    """Two addresses; options of its own stand before them."""
    given = read(call.argv[1:], options(flags="dDvxsuUhV46", values="btTLWlr", single="ly lf lp R r"))
    words = given.operands[-2:]
    if given.unsure:
        yield Unknown("guard.unknown_option", call.argv[0])
    streams = any(_kind(one)[0] in ("-", "stdin", "stdio", "fd") for one in words)
    for word in words:
        for one in word.split("!!"):
            yield from _end(call, one, streams, words)


def _kind(word: str) -> tuple[str, str]:
    kind, _, rest = word.partition(":")
    return kind.partition(",")[0].lower(), rest


def _end(call: Call, word: str, streams: bool, words: tuple[str, ...]) -> Iterator[Effect | Nested]:
    kind, rest = _kind(word)
    plain = rest.partition(",")[0]
    if kind == "exec":
        yield Words(tuple(plain.strip("\"'").split()), call.name)
    elif kind in ("system", "shell"):
        yield Text(plain.strip("\"'"), call.name)
    elif kind in _CONNECTING:
        host = host_of(plain)
        yield from _line(call, host, bool(call.stdin) and streams, address(plain).port)
        if any(_kind(one)[0] in _FILES or one.startswith(("/", "./")) for one in words):
            yield Sends(host, "content")
    elif "listen" in kind or kind in ("udp-recvfrom", "udp-recv", "tun"):
        yield Alters(f"socat {kind}")
    elif kind in ("unix", "unix-connect", "unix-client", "abstract-connect"):
        yield (
            HostAccess(f"socat {plain}") if "docker" in plain or "podman" in plain else Connects("localhost")
        )
    elif kind in _FILES or word.startswith(("/", "./")):
        path = call.at(plain if kind in _FILES else word.partition(",")[0])
        yield Reads(path)
        if kind in ("create", "creat", "gopen") or any(
            option in rest for option in ("creat", "wronly", "rdwr", "trunc")
        ):
            yield Writes(path)
    if kind in ("exec", "system", "shell") and any(
        _kind(one)[0] in _CONNECTING or "listen" in one.lower() for one in words
    ):
        yield RunsFetched(call.name)


def telnet(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], options(values="belnX"))
    host = first_of(given.operands)
    yield from _line(call, host_of(host), bool(call.stdin), first_of(given.operands[1:]))


_SSL_READS = frozenset(
    "in inkey key CAfile CApath cert certfile signkey config extfile infile sigfile "
    "signature prverify verify "
    "passin-file inform-file CA CAkey rand kfile chain untrusted content signer recip "
    "peerkey cert_chain data".split()
)
_SSL_WRITES = frozenset(
    "out keyout writerand sign-out keylogfile msgfile sess_out outdir CAserial certsout crl_dest".split()
)
_SSL_RUNS = frozenset("engine provider provider-path keyform-engine".split())
_SSL_VALUES = (
    _SSL_READS
    | _SSL_WRITES
    | _SSL_RUNS
    | frozenset("connect host proxy passin passout pass subj newkey days servername port accept".split())
)


def openssl(call: Call) -> Iterator[Effect | Nested]:
    """All its commands share `-name value`; only s_client and s_server use the network."""
    words = call.argv[1:]
    verb = first_of(words)
    at = 1
    while at < len(words):
        yield from _ssl_option(call, words[at], words[at + 1] if at + 1 < len(words) else "")
        at += 2 if words[at].lstrip("-") in _SSL_VALUES and words[at].startswith("-") else 1
    if verb in ("s_client", "s_time"):
        named = [words[n + 1] for n in range(len(words) - 1) if words[n] in ("-connect", "-host", "-proxy")]
        for host in named or words[1:2]:
            yield from _line(call, host_of(host), bool(call.stdin and call.stdin.strip()))
    elif verb == "s_server":
        yield Alters("openssl s_server")


def _ssl_option(call: Call, word: str, value: str) -> Iterator[Effect]:
    name = word.lstrip("-")
    if not word.startswith("-"):
        yield Reads(call.at(word))
    elif name in _SSL_READS:
        yield Reads(call.at(value))
    elif name in _SSL_WRITES:
        yield from saves(call, value)
    elif name in _SSL_RUNS and value not in ("default", "legacy", "base", "fips"):
        yield Loads(f"openssl -{name}")
    elif name in ("passin", "passout", "pass", "k") and value.startswith("file:"):
        yield Reads(call.at(value[5:]))


_MESSAGES: Mapping[str, Options] = {
    "websocat": options(flags="btEknqsuUv1", values="HeBCp", long_values="header origin protocol exec"),
    "wscat": options(flags="nL", values="cxHslwop", long_values="connect execute header listen wait"),
    "grpcurl": options(
        values="dH",
        single="d H proto import-path protoset rpc-header reflect-header cacert cert key authority "
        "max-time format",
        single_flags="plaintext insecure v vv emit-defaults",
    ),
    "mosquitto_pub": options(flags="dlnrs", values="hptmufiqPAk", long_values="cafile cert key"),
    "mosquitto_sub": options(values="hptuiqPACFRUW"),
}


def _ends(call: Call, words: Iterable[str]) -> Iterator[Effect | Nested]:
    """Ends of websocat that are no address of the network: commands and files."""
    for word in words:
        kind, _, rest = word.rpartition("://")[2].partition(":")
        if kind in ("cmd", "sh-c", "exec"):
            yield Text(rest, call.name)
        elif kind in ("writefile", "appendfile"):
            yield Writes(call.at(rest))
        elif kind in ("readfile", "open-async"):
            yield Reads(call.at(rest))


def message(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _MESSAGES[call.name])
    host = given.value("-c", "--connect", "-h") or first_of(given.operands)
    if call.name == "websocat" and given.has("--exec"):
        yield Text(given.value("--exec") or "", call.name)
    if given.has("-f", "--cert", "--key", "-key", "-cert"):
        for path in given.all("-f", "--cert", "--key", "-key", "-cert"):
            yield Reads(call.at(path))
    if given.has("-l", "-s", "--listen") and call.name in ("wscat", "websocat"):
        yield Alters(f"{call.name} listen")
    if call.name == "websocat":
        yield from _ends(call, given.operands)
    found = leaves(call, host_of(host))
    yield from found
    if not found and given.has("-d", "-x", "--execute", "-m", "-f"):
        yield Sends(host_of(host), "content" if given.has("-f") else "data")
    elif not found and call.stdin:
        yield Sends(host_of(host), fed(call.stdin))
    yield Connects(host_of(host))


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("nc", "ncat", "netcat", "nc.openbsd", "nc.traditional"), netcat),
    "socat": socat,
    "telnet": telnet,
    "openssl": openssl,
    **dict.fromkeys(_MESSAGES, message),
}
