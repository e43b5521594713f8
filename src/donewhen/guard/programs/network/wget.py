"""wget, aria2c and other programs that download by default, and those that only show (`lynx -dump`).

A download without a given name gets the one of its address. Pages fetched with their links may have any
name below their folder.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Words
from donewhen.guard.effects import Connects, Effect, Fetches, Reads, Sends, Unknown, Writes
from donewhen.guard.marks import BELOW, HOLE
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.forge.readers import forge_effects
from donewhen.guard.programs.network.address import (
    SCREENS,
    What,
    address,
    carried,
    fed,
    local_file,
    peculiar,
    saves,
)

_WGET = options(
    flags="46EFHKLNSVbcdhkmpqrvxn",
    values="ABDIOPQRTUXaeilotw",
    single_flags="nc nv nd nH np nh",
    long_flags="spider recursive mirror quiet continue timestamping no-clobber no-check-certificate "
    "no-verbose background "
    "content-disposition page-requisites convert-links no-parent no-directories "
    "no-host-directories delete-after "
    "server-response show-progress help version force-directories span-hosts "
    "adjust-extension ask-password unlink",
    long_values="accept-regex bind-address body-data body-file ca-certificate ca-directory "
    "certificate "
    "certificate-type ciphers compression config connect-timeout cut-dirs default-page "
    "dns-timeout exclude-domains "
    "ftp-password ftp-user header hsts-file http-password http-user limit-rate "
    "load-cookies local-encoding max-redirect "
    "method password pinnedpubkey post-data post-file prefer-family private-key "
    "private-key-type progress "
    "proxy-password proxy-user read-timeout referer regex-type reject-regex rejected-log "
    "restrict-file-names "
    "retry-on-http-error save-cookies secure-protocol start-pos use-askpass user "
    "waitretry warc-dedup warc-file "
    "warc-header warc-max-size warc-tempdir accept base domains include-directories "
    "output-document directory-prefix "
    "quota reject timeout user-agent exclude-directories append-output execute input-file "
    "level output-file tries wait",
)
_LONG = {
    "-O": "outputdocument",
    "-P": "directoryprefix",
    "-i": "inputfile",
    "-o": "outputfile",
    "-a": "appendoutput",
    "-r": "recursive",
    "-m": "mirror",
    "-e": "execute",
    "-V": "version",
    "-h": "help",
    "-p": "pagerequisites",
}
# Settings of a wgetrc (`-e name=value`) that are called otherwise than their options.
_SETTINGS = {
    "dirprefix": "directoryprefix",
    "input": "inputfile",
    "logfile": "outputfile",
    "cookiesfile": "savecookies",
}
_LOGS = frozenset("outputfile appendoutput savecookies rejectedlog warcfile hstsfile".split())
_INPUTS = frozenset(
    "loadcookies certificate privatekey cacertificate postfile bodyfile inputfile config".split()
)


def wget(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _WGET)
    chosen = dict(_settings(given))
    if not given.operands and chosen.keys() & {"version", "help"}:
        return
    if given.unsure or "config" in chosen or "WGETRC" in call.env:
        yield Unknown("guard.unknown_option", call.argv[0])
    for name, value in chosen.items():
        if name in _LOGS:
            yield from saves(call, value)
        elif name in _INPUTS and value != "-":
            yield Reads(call.at(value))
    if chosen.get("useaskpass"):
        yield Words((chosen["useaskpass"],), call.name)
    urls = list(given.operands)
    if "inputfile" in chosen:
        text = call.stdin if chosen["inputfile"] == "-" else None
        urls += text.split() if text else [HOLE]
    worst = carried(*call.argv)
    for url in urls:
        yield from _download(call, url, chosen, worst)


def _settings(given: Given) -> Iterator[tuple[str, str]]:
    """Options by their names without dashes, also those that `-e` sets."""
    for name, value in given.options:
        plain = _LONG.get(name, name.lstrip("-").replace("-", ""))
        if plain == "execute":
            key, _, value = value.partition("=")
            plain = key.strip().lower().replace("_", "").replace("-", "")
            plain, value = _SETTINGS.get(plain, plain), value.strip()
        yield plain, value


def _download(call: Call, url: str, chosen: Mapping[str, str], worst: What | None) -> Iterator[Effect]:
    at = address(url)
    if at.scheme == "file":
        yield local_file(at.path)
        return
    body = chosen.get("postdata", chosen.get("bodydata"))
    sent = body is not None or chosen.keys() & {"postfile", "bodyfile"}
    method = chosen.get("method", "POST" if sent else "GET").upper()
    yield from forge_effects(method, url, body or "")
    yield from peculiar(call, at)
    if worst:
        yield Sends(at.host, worst)
    elif chosen.keys() & {"postfile", "bodyfile"}:
        file = chosen.get("postfile", chosen.get("bodyfile"))
        yield Sends(at.host, fed(call.stdin or "") if file in ("-", "/dev/stdin") else "content")
    elif at.tells:
        yield Sends(at.host, "content")
    elif sent or method not in ("GET", "HEAD", "OPTIONS"):
        yield Sends(at.host, "data")
    yield from _stored(call, at.host, at.path, chosen)


def _stored(call: Call, host: str, path: str, chosen: Mapping[str, str]) -> Iterator[Effect]:
    output = chosen.get("outputdocument")
    if "spider" in chosen or (output is not None and output in SCREENS):
        yield Connects(host)
        return
    folder = chosen.get("directoryprefix", ".")
    if output is not None:
        target = call.at(output)
    elif chosen.keys() & {"recursive", "mirror", "pagerequisites"}:
        target = call.at(f"{folder}/{host or HOLE}/{BELOW}")
    else:
        target = call.at(f"{folder}/{path.rpartition('/')[2] or 'index.html'}")
    yield Fetches(host, target)
    yield Writes(target)


_ARIA = options(
    flags="hvVZcDR",
    values="doiljsxktmTUuMSOlp",
    long_values="dir out input-file log header referer user-agent split max-connection-per-server "
    "save-session "
    "load-cookies save-cookies conf-path http-user http-passwd all-proxy min-split-size "
    "max-tries timeout checksum",
)
_GETTERS: Mapping[str, Options] = {
    "aria2c": _ARIA,
    "axel": options(flags="akqvnc", values="nosSHUNT", long_values="output num-connections max-speed header"),
    "fetch": options(flags="146AaFlMmnPpqRrsUv", values="BhiNoSTw"),
    "yt-dlp": options(
        values="ofPacru", long_values="output paths format batch-file config-location cookies exec"
    ),
    "youtube-dl": options(
        values="ofarup", long_values="output format batch-file config-location cookies exec"
    ),
    "gallery-dl": options(values="dDofciup", long_values="directory destination config exec"),
    "httrack": options(values="O"),
    "gdown": options(values="O", long_values="output id"),
}
_TARGETS = ("-o", "-O", "--out", "--output", "--destination")
_FOLDERS = ("-d", "-P", "-D", "--dir", "--paths", "--directory")


def getter(call: Call) -> Iterator[Effect | Nested]:
    """Downloads into files; a command that is told what to run afterwards runs it."""
    given = read(call.argv[1:], _GETTERS[call.name])
    for name, value in given.options:
        if name in ("--exec", "--on-download-complete", "--on-download-start", "--on-download-error"):
            yield Words(tuple(value.split()), call.name)
        elif name in ("-i", "-a", "--input-file", "--batch-file", "--cookies", "--load-cookies"):
            yield Reads(call.at(value))
        elif name in ("--log", "--save-session", "--save-cookies"):
            yield from saves(call, value)
    if given.has("--conf-path", "--config-location", "--config", "-c") and call.name != "aria2c":
        yield Unknown("guard.unknown_option", call.argv[0])
    folder = given.value(*_FOLDERS) or "."
    output = given.value(*_TARGETS)
    worst = carried(*call.argv)
    for url in given.operands or ((HOLE,) if given.has("-i", "-a", "--input-file", "--batch-file") else ()):
        at = address(url)
        if worst or at.tells:
            yield Sends(at.host, worst or "content")
        if output in SCREENS and output is not None:
            yield Connects(at.host)
            continue
        name = output or at.path.rpartition("/")[2] or "download"
        target = call.at(name if name.startswith("/") else f"{folder}/{name}")
        yield Fetches(at.host, target)
        yield Writes(target)


_BROWSER = options(
    single="post_data cfg cmd_script cmd_log auth useragent width eval config-dir o T I cols "
    "display_charset assume_charset",
    single_flags="dump source listonly nolist accept_all_cookies mime_header head stdin no-numbering "
    "no-references",
)


def browser(call: Call) -> Iterator[Effect | Nested]:
    """Text browsers; what is no address is a file."""
    given = read(call.argv[1:], _BROWSER)
    for name in ("-cmd_log", "-error_file"):
        for value in given.all(name):
            yield from saves(call, value)
    if given.has("-cmd_script", "-cfg", "-eval", "-config-dir"):
        yield Unknown("guard.unknown_option", call.argv[0])
    worst = carried(*call.argv) or ("data" if given.has("-post_data") else None)
    if given.has("-stdin") and call.stdin:
        worst = fed(call.stdin)
    for url in given.operands:
        at = address(url)
        if at.scheme == "file":
            yield local_file(at.path)
        elif (
            not at.scheme
            and not url.startswith(("localhost", "www."))
            and ("/" not in url or url[0] in "/.~")
        ):
            yield Reads(call.at(url))
            yield Connects(at.host)
        else:
            if worst or at.tells:
                yield Sends(at.host, worst or "content")
            yield Connects(at.host)


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("wget", "wget2"), wget),
    **dict.fromkeys(_GETTERS, getter),
    **dict.fromkeys(("lynx", "w3m", "links", "links2", "elinks", "browsh"), browser),
}
