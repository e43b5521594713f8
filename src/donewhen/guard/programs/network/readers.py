"""Programs that talk to other machines, and all their readers in one table.

Here are the small ones: names looked up, mail, tunnels, load and port tools. A lookup is a message to
whoever owns the name, so text that is not known inside a name leaves the machine.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader
from donewhen.guard.effects import Alters, Connects, Effect, Fetches, Reads, Sends, Unknown, Writes
from donewhen.guard.marks import BELOW, HOLE, NETWORK
from donewhen.guard.options import Options, first_of, options, read
from donewhen.guard.programs.network import backups as network_backups
from donewhen.guard.programs.network import httpie as network_httpie
from donewhen.guard.programs.network import remote as network_remote
from donewhen.guard.programs.network import sockets as network_sockets
from donewhen.guard.programs.network import wget as network_wget
from donewhen.guard.programs.network.address import carried, fed, host_of, leaves, saves
from donewhen.guard.programs.network.curl import curl

_LOOKUPS: Mapping[str, Options] = {
    "dig": options(flags="46mruvh", values="bcfkpqtxy"),
    "drill": options(flags="46DTSVQuatdshvxz", values="cikobpfwW"),
    "kdig": options(values="bcfkpqtxy"),
    "host": options(flags="46aCdilrsTUvVw", values="cNpRtWm"),
    "nslookup": options(),
    "resolvectl": options(values="it", long_values="type class interface"),
    "getent": options(values="s"),
    "ping": options(flags="46AabBDdfhLnOqRrUvV", values="cIiFlMmNpQSsTtwWe"),
    "ping6": options(flags="AabBDdfhLnOqRrUvV", values="cIiFlMmNpQSsTtwW"),
    "fping": options(values="bBcCHiIklmMOpPqQrRsStTxXf"),
    "traceroute": options(values="fgimpqstwzlNMO"),
    "tracepath": options(values="lmp"),
    "mtr": options(values="acfFimoPsuyBGQ"),
    "whois": options(values="hpTtisg"),
    "finger": options(),
    "arping": options(values="cIwsS"),
    "dog": options(),
    "doggo": options(),
}


# options that name a file of names
_LISTS = {**dict.fromkeys(("dig", "kdig", "drill", "fping"), "-f"), "mtr": "-F"}


def lookup(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _LOOKUPS[call.name])
    for path in given.all(_LISTS.get(call.name, "")):
        yield Reads(call.at(path))
        yield Sends(path, "content")
    names = [*given.operands, *given.all("-q")]
    for name in names:
        worst = carried(name) or ("data" if HOLE in name or NETWORK in name else None)
        if worst:
            yield Sends(name, worst)
    for name in names:
        if "." in name and not name.startswith(("+", "@")):
            yield Connects(name)


_MAIL = options(
    flags="dEFiInNvtBR~",
    values="abcrsSuAHefhMO",
    long_flags="quiet",
    long_values="subject attach to from server body header auth-user auth-password data account file "
    "attach-body",
)


def mail(call: Call) -> Iterator[Effect | Nested]:
    """Attachments are files; the text comes on the input or by an option."""
    if call.argv[1:] in (("-bp",), ("-V",), ("--version",), ("--help",)):
        return
    given = read(call.argv[1:], _MAIL)
    reading = given.has("-H", "-e") or (call.name in ("mail", "mailx", "mutt") and not given.operands)
    if reading and call.stdin is None:
        return
    files = [value for value in given.all("-a", "-A", "--attach", "--file", "--attach-body") if value]
    for path in files:
        yield Reads(call.at(path.removeprefix("@")))
    to = first_of(given.operands) or given.value("--to") or "mail"
    worst = carried(*call.argv, call.stdin)
    yield Sends(to.rpartition("@")[2], worst or ("content" if files else fed(call.stdin or "")))


_HARMLESS = frozenset("--help -h help version --version -v list status ls ip netcheck whois ping".split())


def tunnel(call: Call) -> Iterator[Effect | Nested]:
    """This machine would be reachable from outside."""
    bare = len(call.argv) < 2
    if (bare and call.name != "tor") or (call.argv[1:2] and call.argv[1] in _HARMLESS):
        return
    yield Alters(" ".join(call.argv[:2]))


_PROBES: Mapping[str, Options] = {
    "nmap": options(values="epigDSTM", single="oN oX oG oA oS iL sI script"),
    "ab": options(flags="kqvlSrhiVd", values="ncstbpuTCHAPXBegfEZwxyzm"),
    "wrk": options(values="ctdsHT"),
    "hey": options(values="nqczomdDHtTaxU", single="host disable-compression cpus"),
    "siege": options(values="crtdlfRmHAT"),
    "vegeta": options(),
    "nikto": options(),
}


def probe(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _PROBES[call.name])
    for name, value in given.options:
        if name in ("-oN", "-oX", "-oG", "-oA", "-oS", "-e", "-g") and value:
            yield from saves(call, value)
        elif name == "-iL" or (name in ("-p", "-u", "-D") and call.name != "nmap"):
            yield Reads(call.at(value))
        elif name == "-script" and "/" in value:
            yield Unknown("guard.unknown_code", value)
    host = host_of(given.operands[-1]) if given.operands else ""
    yield from leaves(call, host)
    if call.name in ("ab", "hey") and given.has("-p", "-u", "-D", "-d", "-m"):
        yield Sends(host, "data")
    if host:
        yield Connects(host)


_ATTACKING = (
    "msfconsole msfvenom hydra medusa sqlmap masscan john hashcat aircrack-ng bettercap ettercap responder "
    "gobuster ffuf wfuzz dirb nuclei"
).split()
_SENDERS = "slack slackcat slack-cli telegram-send telegram-cli ntfy apprise pushover discord.sh".split()


def attack(call: Call) -> Iterator[Effect | Nested]:
    """Programs that try other machines' doors: whom, is for people to say."""
    if not any(word in _HARMLESS for word in call.argv[1:2]):
        yield Alters(" ".join(call.argv[:2]))


def message(call: Call) -> Iterator[Effect | Nested]:
    """Words, files or the input go to people."""
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    if words[:1] and words[0] in ("auth", "login", "version", "help", "serve", "subscribe", "sub", "run"):
        return
    files = [word for word in words if "/" in word and "://" not in word and " " not in word]
    yield from (Reads(call.at(word)) for word in files)
    if words or call.stdin is not None:
        yield Sends(call.name, carried(*call.argv, call.stdin) or ("content" if files else "data"))


def keep_alike(call: Call) -> Iterator[Effect | Nested]:
    """Folders are made the same as on other machines, both ways."""
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    if not any(word in _HARMLESS for word in call.argv[1:2]):
        yield Sends(next((host_of(word) for word in words if "://" in word), call.name), "content")
    for word in words:
        if "://" not in word and call.name == "unison":
            yield Writes(f"{call.at(word)}/{BELOW}")


_LOGGER = options(
    "deisTu",
    "fnPptS",
    "udp tcp stderr no-act prio-prefix octet-count skip-empty",
    "file server port priority tag size socket journald msgid id rfc3164 rfc5424 sd-id sd-param",
)


def logger(call: Call) -> Iterator[Effect | Nested]:
    """Words or a file go to the log, of another machine when one is named."""
    given = read(call.argv[1:], _LOGGER)
    files = [path for path in given.all("-f", "--file") if path not in ("", "-")]
    yield from (Reads(call.at(path)) for path in files)
    host = given.value("-n", "--server")
    if host:
        yield Sends(host, carried(*call.argv, call.stdin) or ("content" if files else fed(call.stdin or "")))


_GIVERS = frozenset(("send", "up", "upload", "share", "put"))


def give(call: Call) -> Iterator[Effect | Nested]:
    """Programs that hand files to whoever knows a code: croc, wormhole, transfer.sh."""
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    if call.name in ("croc", "wormhole", "ffsend") and not _GIVERS & set(words):
        if words and words[0] not in _HARMLESS:
            yield Fetches(call.name)
        return
    yield from (Reads(call.at(word)) for word in words if word not in _GIVERS)
    if words or call.stdin:
        yield Sends(call.name, carried(*call.argv, call.stdin) or "content")


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("curl", "curlie"), curl),
    **network_wget.READERS,
    **network_httpie.READERS,
    **network_sockets.READERS,
    **network_remote.READERS,
    **network_backups.READERS,
    **dict.fromkeys(_LOOKUPS, lookup),
    **dict.fromkeys(
        "mail mailx s-nail mutt neomutt sendmail msmtp ssmtp swaks sendemail mpack".split(), mail
    ),
    **dict.fromkeys(
        "ssh-copy-id sshfs sshuttle ngrok cloudflared lt localtunnel bore frpc frps zrok "
        "pagekite tailscale zerotier-cli "
        "expose inlets chisel tor tor-browser i2pd yggdrasil".split(),
        tunnel,
    ),
    **dict.fromkeys(_ATTACKING, attack),
    **dict.fromkeys(_SENDERS, message),
    **dict.fromkeys(("syncthing", "unison", "resilio-sync", "rslsync"), keep_alike),
    **dict.fromkeys(_PROBES, probe),
    "logger": logger,
    **dict.fromkeys(("croc", "wormhole", "ffsend", "transfer.sh", "pastebinit", "gist"), give),
}
