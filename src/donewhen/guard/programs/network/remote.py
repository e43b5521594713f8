"""Other machines by ssh and file transfer: ssh's own options, scp, sftp, ftp, lftp, rclone.

The command that ssh runs over there is the walker's. A key that is used (`-i`) is not read out, so it is no
read; a configuration file can name programs, so it is unknown.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text, Words
from donewhen.guard.effects import (
    Alters,
    Connects,
    Deletes,
    Destroys,
    Effect,
    Fetches,
    Loads,
    Reads,
    Sends,
    Unknown,
    Writes,
)
from donewhen.guard.marks import HOLE, certain
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.network.address import address, carried, fed, host_of, leaves, saves

_SSH = options(flags="46AaCfGgKkMNnqsTtVvXxYy", values="BbcDEeFIiJLlmOoPpQRSWw", first=True)
_COMMANDS = frozenset(("proxycommand", "localcommand", "knownhostscommand", "match"))
_LIBRARIES = frozenset(("pkcs11provider", "securitykeyprovider"))
_TUNNELS = frozenset(("localforward", "remoteforward", "dynamicforward", "tunnel"))


def ssh(call: Call) -> Iterator[Effect | Nested]:
    """Options stand before and behind the host."""
    before = read(call.argv[1:], _SSH)
    after = read(before.operands[1:], _SSH)
    both = Given(before.options + after.options, before.operands[:1])
    if before.unsure:
        yield Unknown("guard.unknown_option", call.argv[0])
    yield from _ssh_options(call, both)
    for name, value in both.options:
        if name in ("-L", "-R", "-D", "-w"):
            yield Alters(f"ssh {name} {value}")
        elif name == "-E":
            yield from saves(call, value)
        elif name == "-I":
            yield Loads("ssh -I")
        elif name == "-W":
            yield Connects(host_of(value))
    for name in both.operands:
        host = host_of(name)
        sent = leaves(call, host)
        yield from sent
        if not sent and call.stdin and not both.has("-n", "-N"):
            yield Sends(host, fed(call.stdin))
        yield Connects(host)


def _ssh_options(call: Call, given: Given) -> Iterator[Effect | Nested]:
    """What ssh and its copying kin share: -o, -F, -J, -S."""
    for value in given.all("-o"):
        key, _, setting = value.strip().replace("=", " ", 1).partition(" ")
        key, setting = key.lower(), setting.strip().strip('"')
        if not certain(key):
            yield Unknown("guard.unknown_option", value)
        elif key in _COMMANDS and setting.lower() != "none":
            yield Text(setting, "ssh")
        elif key in _LIBRARIES and setting.lower() not in ("none", "internal"):
            yield Loads(f"ssh -o {key}")
        elif key in _TUNNELS and setting.lower() != "no":
            yield Alters(f"ssh -o {key}")
        elif key == "proxyjump":
            yield Connects(host_of(setting))
    for value in given.all("-F"):
        if value not in ("none", "/dev/null"):
            yield Reads(call.at(value))
            yield Unknown("guard.unknown_option", f"-F {value}")
    for value in given.all("-J"):
        yield Connects(host_of(value))


_SCP = options(flags="346ABCOpqRrTvV", values="cDFiJloPSXbsx")


def _remote(word: str) -> tuple[str, str] | None:
    """Host and path of `host:path` and `scp://host/path`; None for a path here."""
    if "://" in word:
        at = address(word)
        return at.host, at.path
    before, colon, path = word.partition(":")
    if word.startswith("["):
        before, colon, path = word.partition("]:")
    if not colon or "/" in before:
        return None
    return before.rpartition("@")[2].strip("[").lower(), path


def scp(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _SCP)
    yield from _ssh_options(call, given)
    for value in given.all("-S", "-D"):
        yield Words((value,), call.name)
    if len(given.operands) < 2 and call.name == "scp":
        return
    if given.unsure:
        yield Unknown("guard.unknown_path", call.argv[0])
    target = given.operands[-1] if given.operands else ""
    yield from _copied(call, given.operands[:-1], target)


def _copied(call: Call, sources: tuple[str, ...], target: str) -> Iterator[Effect]:
    there = _remote(target)
    for source in sources:
        origin = _remote(source)
        if origin is None:
            yield Reads(call.at(source))
            if there is None:
                yield Writes(call.at(target))
        elif there is None:
            name = origin[1].rpartition("/")[2] or HOLE
            path = call.at(f"{target}/{name}" if target.endswith(("/", ".")) else target)
            yield Fetches(origin[0], path)
            yield Writes(path)
        else:
            yield Connects(origin[0])
        if there is not None:
            yield Sends(there[0], carried(source) or "content")


def sftp(call: Call) -> Iterator[Effect | Nested]:
    """Interactive, unless its commands come by -b or on its input."""
    given = read(call.argv[1:], options(flags="46AaCfNpqrv", values="BbcDFiJloPRSsX"))
    yield from _ssh_options(call, given)
    for value in given.all("-S", "-D"):
        yield Words((value,), call.name)
    batch = given.value("-b")
    if batch is not None and batch != "-":
        yield Reads(call.at(batch))
        yield Unknown("guard.unknown_text", batch)
    for word in given.operands[:1]:
        origin = _remote(word) or (word.rpartition("@")[2], "")
        if origin[1].strip("/"):
            yield from _copied(call, (word,), given.operands[1] if len(given.operands) > 1 else "./")
        yield Connects(origin[0])
        if call.stdin:
            yield from commands(call, call.stdin, origin[0])


_PUTS = frozenset("put mput reput send append mirror-r".split())
_GETS = frozenset("get mget reget recv pget mirror".split())
_ERASES = frozenset("rm mrm del delete mdelete rmdir glob-rm".split())


def commands(call: Call, text: str, host: str) -> Iterator[Effect | Nested]:
    """The commands that sftp, ftp and lftp share."""
    if carried(text):
        yield Sends(host, carried(text) or "data")
    if not certain(text):
        yield Unknown("guard.unknown_text", text)
    for line in text.replace(";", "\n").split("\n")[:400]:
        words = line.split()
        verb = words[0].lower() if words else ""
        files = [word for word in words[1:] if not word.startswith("-")]
        if verb.startswith("!"):
            yield Text(line.strip()[1:], call.name)
        elif verb in _PUTS or (verb == "mirror" and {"-R", "--reverse"} & set(words)):
            yield from (Reads(call.at(file)) for file in files[: None if verb == "mput" else 1])
            yield Sends(host, "content")
        elif verb in _GETS:
            target = call.at((files[1] if len(files) > 1 else files[0].rpartition("/")[2]) if files else HOLE)
            yield Fetches(host, target)
            yield Writes(target)
        elif verb in _ERASES:
            yield Destroys("remote", host, sure=False)


def ftp(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], options(flags="46Aadginpqvt", values="cefuNoPrsTw"))
    host = host_of(given.operands[0]) if given.operands else ""
    for text in given.all("-c", "-e") if call.name == "lftp" else ():
        where = next((word for word in text.split() if "://" in word), "")
        yield from commands(call, text, host or host_of(where))
    for path in given.all("-f") if call.name == "lftp" else ():
        yield Reads(call.at(path))
        yield Unknown("guard.unknown_text", path)
    if call.name in ("ncftpput", "ftp-upload"):
        yield from (Reads(call.at(path)) for path in given.operands[2:])
        yield Sends(host, "content")
    elif call.name == "ncftpget" or (given.operands and "://" in given.operands[0] and call.name == "ftp"):
        yield Fetches(host)
    if call.stdin:
        yield from commands(call, call.stdin, host)
    if host:
        yield Connects(host)


_RCLONE = options(
    flags="nvPqiu",
    long_flags="dry-run interactive progress update",
    long_values="config filter include exclude include-from exclude-from filter-from files-from "
    "transfers checkers "
    "log-file log-level max-depth max-size min-size bwlimit backup-dir password-command "
    "rc-addr",
)
_RCLONE_ERASES = frozenset("delete purge deletefile rmdir rmdirs cleanup".split())


def rclone(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _RCLONE)
    verb, places = (given.operands[0], given.operands[1:]) if given.operands else ("", ())
    for text in given.all("--password-command"):
        yield Text(text, call.name)
    if given.has("--dry-run", "-n"):
        return
    if verb in _RCLONE_ERASES:
        yield from (
            Destroys("cloud", place) if _remote(place) else Deletes(call.at(place), deep=True)
            for place in places
        )
    elif verb in _RCLONE_COPIES and places:
        yield from _rclone_copy(call, verb, places)
    elif verb in ("serve", "mount", "rcd"):
        yield Alters(f"rclone {verb}")
    elif verb == "config" and places[:1] in (("show",), ("dump",)):
        yield Reads(f"{call.ground.home}/.config/rclone/rclone.conf")
    elif verb in ("cat", "md5sum", "sha1sum", "hashsum", "size"):
        yield from (Reads(call.at(place)) for place in places if not _remote(place))
    elif verb in ("link", "rc") and places:
        yield Sends(places[0], "data")


_RCLONE_COPIES = frozenset("copy sync move copyto moveto bisync copyurl rcat".split())


def _rclone_copy(call: Call, verb: str, places: tuple[str, ...]) -> Iterator[Effect]:
    target = places[-1]
    yield from _copied(call, places[:-1], target)
    if verb in ("sync", "bisync"):
        yield (
            Destroys("cloud", target, sure=False) if _remote(target) else Deletes(call.at(target), deep=True)
        )
    if verb.startswith("move"):
        yield from (Deletes(call.at(one), deep=True) for one in places[:-1] if _remote(one) is None)
    if verb == "rcat":
        yield Sends(target, fed(call.stdin or ""))


READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("ssh", "slogin", "autossh", "rsh"), ssh),
    **dict.fromkeys(("scp", "pscp", "rcp"), scp),
    **dict.fromkeys(("sftp", "psftp"), sftp),
    **dict.fromkeys(("ftp", "lftp", "tnftp", "ncftp", "ncftpput", "ncftpget", "ftp-upload"), ftp),
    "rclone": rclone,
}
