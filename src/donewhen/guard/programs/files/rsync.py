"""rsync: copies here, to or from another machine; may delete on either side; runs programs it is given.

Remote paths are not judged, only that something goes there or comes from there.
"""

from collections.abc import Iterator

from donewhen.guard.call import Call, Nested, Text
from donewhen.guard.effects import Alters, Deletes, Destroys, Effect, Fetches, Reads, Sends, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import BELOW, STAR, anything
from donewhen.guard.options import Given, options, read

Found = Iterator[Effect | Nested]

_TABLE = options(
    "vqcarRbulLkKHpEAXogDtUNJSOnWxIzsyhi08F460PCmd", "efBTM@",
    "verbose quiet checksum archive recursive relative backup update inplace append append-verify dirs "
    "mkpath links copy-links copy-unsafe-links safe-links munge-links copy-dirlinks keep-dirlinks "
    "hard-links perms executability acls xattrs owner group devices specials times atimes open-noatime "
    "crtimes omit-dir-times omit-link-times super fake-super sparse preallocate dry-run whole-file "
    "one-file-system existing ignore-existing remove-source-files del delete delete-before delete-during "
    "delete-delay delete-after delete-excluded ignore-missing-args delete-missing-args ignore-errors force "
    "partial delay-updates prune-empty-dirs numeric-ids ignore-times size-only fuzzy compress cvs-exclude "
    "from0 secluded-args protect-args trust-sender blocking-io stats 8-bit-output human-readable progress "
    "itemize-changes list-only fsync ipv4 ipv6 daemon server sender old-args",
    "rsh rsync-path filter exclude include exclude-from include-from files-from temp-dir partial-dir "
    "backup-dir suffix compare-dest copy-dest link-dest block-size log-file log-file-format password-file "
    "port bwlimit max-size min-size out-format chmod chown usermap groupmap timeout contimeout address "
    "sockopts skip-compress compress-level compress-choice checksum-choice info debug write-batch "
    "only-write-batch read-batch protocol iconv checksum-seed modify-window max-delete max-alloc stop-after "
    "stop-at early-input remote-option outbuf config copy-as no-motd",
)  # fmt: skip
_LOCAL = ("localhost", "127.0.0.1", "0.0.0.0")  # noqa: S104
_DELETING = (
    "--del", "--delete", "--delete-before", "--delete-during", "--delete-delay", "--delete-after",
    "--delete-excluded", "--delete-missing-args",
)  # fmt: skip
_WRITTEN = (
    "--log-file",
    "--write-batch",
    "--only-write-batch",
    "--backup-dir",
    "--partial-dir",
    "-T",
    "--temp-dir",
)
_READ = ("--files-from", "--exclude-from", "--include-from", "--read-batch", "--early-input")


def remote(word: str) -> str:
    """The host of `host:path`, `host::module`, `rsync://host/…`; empty for a local path."""
    if word.startswith("rsync://"):
        return word[8:].partition("/")[0].rpartition("@")[2].partition(":")[0]
    host, colon, _ = word.partition(":")
    return host.rpartition("@")[2] or "localhost" if colon and "/" not in host else ""


def _here(word: str, call: Call) -> str:
    """A path on this very machine by way of the network is a path from the home folder."""
    if remote(word) not in _LOCAL or word.startswith("rsync://") or "::" in word:
        return word
    return f"{absolute(word.partition(':')[2] or '.', call.ground.home)}{'/' if word.endswith('/') else ''}"


def rsync(call: Call) -> Found:
    given = read(call.argv[1:], _TABLE)
    operands = [_here(one, call) for one in given.operands if one]
    hosts = [remote(one) for one in operands]
    yield from _programs(call, given, next(filter(None, hosts), ""))
    for path in given.all(*_READ):
        if path != "-":
            yield Reads(call.at(path.removeprefix(":")))
    if given.has("--daemon"):
        yield Alters("rsync --daemon")
    if len(operands) > 1:  # one alone is listed
        yield from _copies(call, given, operands, hosts)


def _copies(call: Call, given: Given, operands: list[str], hosts: list[str]) -> Found:
    dry = given.has("-n", "--dry-run", "--list-only")
    if not dry:
        for path in given.all(*_WRITTEN):
            yield Writes(call.at(path))
    target, to = operands[-1], hosts[-1]
    for source, host in zip(operands[:-1], hosts[:-1], strict=True):
        yield from _source(call, given, source, host, dry)
        if not to and not dry:
            yield from _lands(call, given, source, host, target)
        elif to and not host:
            yield Sends(to, "content")
    if to and not dry and given.has(*_DELETING):
        yield Destroys("remote", to, sure=False)


def _programs(call: Call, given: Given, host: str) -> Found:
    shell = given.value("-e", "--rsh") or call.env.get("RSYNC_RSH")
    if shell:
        yield Text(f"{shell} {host or 'localhost'} rsync --server", "rsync")
    over_there = given.value("--rsync-path")
    if over_there:
        yield Text(over_there, "rsync", elsewhere="host")


def _source(call: Call, given: Given, source: str, host: str, dry: bool) -> Found:
    removes = given.has("--remove-source-files") and not dry
    if not host:
        path = call.at(source)
        yield Reads(path, names=dry)
        if removes:
            yield Deletes(path, True)
    elif removes:
        yield Destroys("remote", host, sure=False)


def _lands(call: Call, given: Given, source: str, host: str, target: str) -> Found:
    folder = call.at(target).rstrip("/")
    name = source.rpartition(":")[2].rpartition("/")[2]
    content = name in ("", ".", "..")
    path = f"{folder}/{BELOW if content else STAR if anything(name) else name}"
    if host:
        yield Fetches(host, path)
    yield Writes(path)
    if given.has(*_DELETING):
        yield Deletes((folder or "/") if content else path, True)
