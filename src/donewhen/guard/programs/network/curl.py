"""curl: what it asks for, what it sends, which files it reads and writes.

Addresses and options are paired loosely: every output file is a file written, every body goes to every
host. A configuration file may hold any option and is not opened: that is unknown.
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from donewhen.guard.call import Call, Nested
from donewhen.guard.effects import Connects, Effect, Fetches, Loads, Reads, Sends, Unknown, Writes
from donewhen.guard.marks import HOLE
from donewhen.guard.options import options, read
from donewhen.guard.programs.forge.readers import forge_effects
from donewhen.guard.programs.network.address import (
    SCREENS,
    Address,
    What,
    address,
    carried,
    fed,
    host_of,
    local_file,
    peculiar,
    saves,
)
from donewhen.guard.programs.network.stores import asked

_TABLE = options(
    flags="#012346:BGIJLMNORSVZafgijklnpqsv",
    values="ACDEFHKPQTUXYbcdehmortuwxyz",
    long_flags="append fail globoff include insecure junk-session-cookies list-only location netrc "
    "next get head "
    "remote-header-name remote-name remote-name-all show-error silent verbose compressed "
    "create-dirs progress-bar "
    "proxytunnel version parallel fail-with-body location-trusted ssl-reqd basic digest "
    "anyauth negotiate ntlm raw "
    "disable ipv4 ipv6 no-buffer no-progress-meter http1.1 http2 http3 tlsv1.2 tlsv1.3 "
    "retry-connrefused path-as-is "
    "retry-all-errors remote-time remove-on-error no-clobber skip-existing use-ascii "
    "xattr crlf trace-time trace-ids",
    long_values="abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config "
    "connect-timeout "
    "connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data "
    "data-ascii data-binary data-raw "
    "data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers "
    "doh-url dump-header ech egd-file "
    "engine etag-compare etag-save expect100-timeout form form-string ftp-account "
    "ftp-alternative-to-user ftp-method "
    "ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help "
    "hostpubmd5 hostpubsha256 hsts "
    "interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb "
    "libcurl limit-rate local-port "
    "login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time "
    "netrc-file noproxy oauth2-bearer "
    "output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default "
    "proto-redir proxy proxy-cacert "
    "proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header "
    "proxy-key proxy-key-type "
    "proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers "
    "proxy-tlsauthtype proxy-tlspassword "
    "proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer "
    "request request-target resolve "
    "retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 "
    "socks5-gssapi-service "
    "socks5-hostname speed-limit speed-time ssl-sessions stderr telnet-option "
    "tftp-blksize time-cond tls-max "
    "tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config "
    "unix-socket upload-file "
    "upload-flags url url-query user user-agent variable vlan-priority write-out "
    "expand-data expand-data-raw "
    "expand-data-binary expand-data-urlencode expand-url expand-header expand-json "
    "expand-form expand-output "
    "expand-user expand-cookie expand-upload-file expand-form-string expand-user-agent "
    "expand-referer expand-request "
    "expand-config expand-output-dir expand-proxy expand-url-query expand-write-out",
)
_LONG = {
    "-A": "--user-agent",
    "-D": "--dump-header",
    "-E": "--cert",
    "-F": "--form",
    "-G": "--get",
    "-H": "--header",
    "-I": "--head",
    "-J": "--remote-header-name",
    "-K": "--config",
    "-O": "--remote-name",
    "-Q": "--quote",
    "-T": "--upload-file",
    "-X": "--request",
    "-b": "--cookie",
    "-c": "--cookie-jar",
    "-d": "--data",
    "-e": "--referer",
    "-h": "--help",
    "-o": "--output",
    "-u": "--user",
    "-V": "--version",
    "-w": "--write-out",
    "-x": "--proxy",
    "-U": "--proxy-user",
    "--data-ascii": "--data",
    "--data-binary": "--data",
    "--proxy1.0": "--proxy",
    "--preproxy": "--proxy",
    "--socks4": "--proxy",
    "--socks4a": "--proxy",
    "--socks5": "--proxy",
    "--socks5-hostname": "--proxy",
    "--trace-ascii": "--trace",
}
_WRITES = frozenset(
    "--dump-header --cookie-jar --trace --stderr --libcurl --etag-save --hsts --alt-svc "
    "--ssl-sessions".split()
)
_READS = frozenset(
    "--netrc-file --cert --key --etag-compare --proxy-cert --proxy-key --cacert --pubkey".split()
)
_BODIES = frozenset("--data --json --data-raw --data-urlencode --form --form-string --upload-file".split())
_QUERIES = frozenset(("--data-urlencode", "--url-query"))
_ASKING = frozenset(("GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", ""))


class _Told(NamedTuple):
    """The options that matter, sorted."""

    bodies: list[tuple[What, str]]
    text: str  # of all bodies
    method: str
    named: frozenset[str]
    worst: What | None  # that any argument holds
    folder: str  # of --output-dir


def curl(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _TABLE)
    chosen = [_plain(name, value) for name, value in given.options]
    named = frozenset(name for name, _ in chosen)
    if named & {"--version", "--help", "--manual"} and not given.operands:
        return
    yield from _files(call, chosen)
    if given.unsure:
        yield Unknown("guard.unknown_option", call.argv[0])
    bodies: list[tuple[What, str]] = []
    for name, value in chosen:
        if name in _BODIES or name in _QUERIES:
            kind, text, files = _body(call, name, value)
            bodies.append((kind, text))
            yield from map(Reads, map(call.at, files))
        elif name in ("--header", "--variable") and "@" in value and value != "@-":
            bodies += [("content", "")] * (name == "--variable" or value.startswith("@"))
    folder = next((value for name, value in reversed(chosen) if name == "--output-dir"), "")
    whole = "&".join(text for _, text in bodies)
    told = _Told(bodies, whole, _method(chosen, named), named, carried(*call.argv), folder)
    urls = [*given.operands, *(value for name, value in chosen if name == "--url")]
    routes = list(dict.fromkeys(route for name, value in chosen for route in _route(name, value)))
    if "--unix-socket" in named:
        routes = routes or ["localhost"]
    for route in routes if urls else ():
        yield from _sent(call, route, address(urls[0]), told)
        yield Connects(route)
    for url, output in zip_longest(urls, _outputs(chosen, named, urls)) if urls else ():
        yield from _transfer(call, url or urls[-1], told, output, routes)


def _outputs(chosen: list[tuple[str, str]], named: frozenset[str], urls: list[str]) -> list[str | None]:
    """Where each address goes, in order: a file, the name of the address (empty), the screen (None)."""
    found: list[str | None] = []
    for name, value in chosen:
        if name == "--output":
            found.append(None if value in SCREENS else value)
        elif name == "--remote-name":
            found.append("")
    if "--remote-name-all" in named:
        found += [""] * (len(urls) - len(found))
    if any(output and "#" in output for output in found) and any("{" in url or "[" in url for url in urls):
        # `#1` in a name is a part of the address
        return [output and output.partition("#")[0] + HOLE * ("#" in output) for output in found]
    return found


def _plain(name: str, value: str) -> tuple[str, str]:
    """Long names; curl's own variables (`--expand-data '{{x}}'`) make a value unknown."""
    if name.startswith("--expand-"):
        name, value = f"--{name[9:]}", value.replace("{{", HOLE)
    return _LONG.get(name, name), value


def _method(chosen: list[tuple[str, str]], named: frozenset[str]) -> str:
    said = next((value for name, value in reversed(chosen) if name == "--request"), "")
    if said:
        return said.upper()
    if "--upload-file" in named:
        return "PUT"
    if "--head" in named:
        return "HEAD"
    return "POST" if named & _BODIES and "--get" not in named else "GET"


def _body(call: Call, name: str, value: str) -> tuple[What, str, list[str]]:
    """What kind of data a body is, its text, and the files it is read from."""
    files = _body_files(name, value)
    if not files:
        return carried(value) or "data", value, []
    if files[0] in ("-", "/dev/stdin") or (name == "--upload-file" and value == "."):
        return fed(call.stdin or ""), call.stdin or "", files[1:]
    return carried(value) or "content", "", files


def _body_files(name: str, value: str) -> list[str]:
    if name == "--upload-file":
        return value.strip("{}").split(",") if value[:1] == "{" else [value]
    if name in ("--data", "--json"):
        return [value[1:]] if value.startswith("@") else []
    if name in _QUERIES:
        before, at, after = value.partition("@")
        return [after] if at and "=" not in before else []
    if name == "--form":
        content = value.partition("=")[2]
        if content[:1] in ("@", "<"):
            return [one.partition(";")[0].strip('"') for one in content[1:].split(",")]
    return []


def _files(call: Call, chosen: list[tuple[str, str]]) -> Iterator[Effect]:
    for name, value in chosen:
        if name in _WRITES and value != "%":
            yield from saves(call, value)
        elif name in _READS:
            yield Reads(call.at(value.partition(":")[0] if name.endswith("cert") else value))
        elif name in _SPECIAL:
            yield from _special(call, name, value)
    if "CURL_HOME" in call.env:
        yield Unknown("guard.unknown_option", "CURL_HOME")


_SPECIAL = frozenset(
    "--config --engine --cookie --header --write-out --variable --unix-socket --quote".split()
)


def _special(call: Call, name: str, value: str) -> Iterator[Effect]:
    if name == "--config":
        if value != "-":
            yield Reads(call.at(value))
        yield Unknown("guard.unknown_option", f"{name} {value}")
    elif name == "--engine":
        yield Loads(name)
    elif name == "--cookie" and value and "=" not in value:
        yield Reads(call.at(value))
    elif name in ("--header", "--write-out") and value.startswith("@") and value != "@-":
        yield Reads(call.at(value[1:]))
    elif name == "--write-out" and "%output{" in value:
        for part in value.split("%output{")[1:]:
            yield Writes(call.at(part.partition("}")[0].removeprefix(">>")))
    elif name == "--variable" and "@" in value:
        yield Reads(call.at(value.partition("@")[2]))
    elif name == "--unix-socket":
        yield from peculiar(call, address(""), value)


def _route(name: str, value: str) -> list[str]:
    if name == "--proxy":
        return [host_of(value)]
    if name == "--connect-to":
        to = value.split(":")
        return [to[2]] if len(to) > 3 and to[2] else []
    if name == "--resolve":
        return [to.strip("[]") for to in value.split(":", 2)[2:] if to]
    return []


def _transfer(
    call: Call, url: str, told: _Told, output: str | None, routes: list[str]
) -> Iterator[Effect | Nested]:
    at = address(url)
    if at.scheme == "file":
        yield local_file(at.path)
    elif url:
        yield from forge_effects(told.method, url, told.text)
        yield from peculiar(call, at)
        if not routes:
            yield from _sent(call, at.host, at, told)
            if output is None:
                yield Connects(at.host)
        yield from asked(call, told.method, url, told.text)
    if output is not None:
        name = output or at.path.rpartition("/")[2] or HOLE
        path = call.at(f"{told.folder}/{name}" if told.folder else name)
        if at.scheme != "file":
            yield Fetches(routes[0] if routes else at.host, path)
        yield Writes(path)


def _sent(call: Call, host: str, at: Address, told: _Told) -> Iterator[Effect]:
    kinds = {kind for kind, _ in told.bodies}
    if at.tells or (told.named & {"--get", "--url-query"} and HOLE in told.text):
        kinds.add("content")
    if told.named & {"--get", "--url-query"} and told.method in _ASKING:
        kinds.discard("data")
    elif told.method not in _ASKING or told.named & {"--quote", "--mail-rcpt"} or at.scheme == "gopher":
        kinds.add("data")
    elif at.scheme in ("telnet", "dict") and call.stdin:
        kinds.add(fed(call.stdin))
    if told.worst:
        kinds.add(told.worst)
    for kind in ("environment", "secret", "content", "data"):
        if kind in kinds:
            yield Sends(host, kind)
            return
