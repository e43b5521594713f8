"""tar in all its spellings: old letters without a dash, bundles, long names, options of the environment.

It runs programs by several options; those are yielded as texts. `-C` moves what comes after it.
"""

import shlex
from collections.abc import Iterator

from donewhen.guard.call import Call, Nested, Text
from donewhen.guard.effects import Connects, Deletes, Effect, Fetches, Reads, Sends, Unknown, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import BELOW, HOLE, NETWORK
from donewhen.guard.options import Given, options, read

Found = Iterator[Effect | Nested]

_VALUES = "fCbTXKNVgFIHLs"
_TABLE = options(
    "AcdrtuxEGhiJjkmlnOopPRqSsUvWwZzaB0123456789", _VALUES,
    "catenate concatenate create diff compare delete append list test-label update extract get check-device "
    "incremental ignore-failed-read seek no-seek sparse keep-newer-files keep-directory-symlink "
    "keep-old-files overwrite overwrite-dir recursive-unlink remove-files skip-old-files unlink-first "
    "verify to-stdout no-same-owner no-same-permissions preserve-permissions same-permissions same-owner "
    "preserve-order same-order numeric-owner multi-volume ignore-zeros read-full-records auto-compress "
    "bzip2 xz lzip lzma lzop gzip gunzip ungzip zstd compress uncompress no-auto-compress absolute-names "
    "dereference hard-dereference one-file-system no-recursion recursion null no-null verbatim-files-from "
    "verbose interactive confirmation totals checkpoint exclude-vcs exclude-vcs-ignores exclude-caches "
    "exclude-backups wildcards no-wildcards anchored one-top-level force-local backup touch acls selinux "
    "xattrs show-transformed-names full-time utc",
    "file directory files-from exclude-from exclude blocking-factor record-size starting-file newer "
    "after-date newer-mtime mtime label listed-incremental info-script new-volume-script "
    "use-compress-program to-command checkpoint-action rsh-command rmt-command transform xform "
    "strip-components format owner group mode sort suffix tape-length volno-file index-file level "
    "quoting-style occurrence exclude-tag exclude-ignore pax-option add-file warning hole-detection "
    "owner-map group-map",
)  # fmt: skip
_RUNS = ("-I", "--use-compress-program", "--to-command", "--rsh-command", "--rmt-command", "-F",
         "--info-script", "--new-volume-script")  # fmt: skip
_MAKES = (
    "-c",
    "--create",
    "-r",
    "--append",
    "-u",
    "--update",
    "-A",
    "--catenate",
    "--concatenate",
    "--delete",
)
_TAKES_OUT = ("-x", "--extract", "--get")
_MOST = 512  # pairs of folder and file
_MOST_MOVES = 64


def _dashed(words: list[str]) -> list[str]:
    """Old letters as options: `xfC a.tar dir` is `-x -f a.tar -C dir`."""
    if not words or words[0].startswith("-") or not words[0].isalnum():
        return words
    rest = words[1:]
    found: list[str] = []
    for letter in words[0]:
        found.append(f"-{letter}")
        if letter in _VALUES and rest:
            found.append(rest.pop(0))
    return found + rest


def tar(call: Call) -> Found:
    given = read(_dashed([*call.argv[1:]]), _TABLE)
    outside = call.env.get("TAR_OPTIONS", "")
    if outside:
        try:
            words = shlex.split(outside)
        except ValueError:
            yield Unknown("guard.unknown_option", outside)
            words = outside.split()
        more = read(words, _TABLE)
        given = Given(
            given.options + more.options, given.operands + more.operands, given.unsure + more.unsure
        )
    yield from _runs(given)
    yield from (Writes(call.at(target)) for target in given.all("--index-file"))
    bases = [call.folder]
    moves = given.all("-C", "--directory")
    for folder in moves if len(moves) <= _MOST_MOVES else [HOLE]:
        bases.append(absolute(folder, bases[-1]))
    if given.has(*_MAKES):
        yield from _makes(call, given, bases)
        return
    yield from _archives(call, given)
    if given.has(*_TAKES_OUT):
        yield from _takes_out(call, given, bases[-1])


def _runs(given: Given) -> Found:
    for program in given.all(*_RUNS):
        yield Text(program, "tar")
    for action in given.all("--checkpoint-action"):
        kind, _, text = action.partition("=")
        if kind == "exec":
            yield Text(text, "tar")


def _host(archive: str, given: Given) -> str:
    host, colon, _ = archive.partition(":")
    return host.rpartition("@")[2] if colon and "/" not in host and not given.has("--force-local") else ""


def _archives(call: Call, given: Given) -> Found:
    for archive in given.all("-f", "--file"):
        if host := _host(archive, given):
            yield Connects(host)
            yield Fetches(host)
        elif archive not in ("-", ""):
            yield Reads(call.at(archive))
    for listing in given.all("-T", "--files-from", "-X", "--exclude-from"):
        if listing != "-":
            yield Reads(call.at(listing))


def _makes(call: Call, given: Given, bases: list[str]) -> Found:
    for archive in given.all("-f", "--file"):
        if host := _host(archive, given):
            yield Sends(host, "content")
        elif archive not in ("-", ""):
            yield Writes(call.at(archive))
    for target in given.all("-g", "--listed-incremental", "--volno-file"):
        yield Writes(call.at(target))
    if given.has("-A", "--catenate", "--concatenate", "--delete"):
        bases = bases[:1]
    for listing in given.all("-T", "--files-from"):
        if listing != "-":
            yield Reads(call.at(listing))
    lines = (
        [line for line in (call.stdin or "").split("\n") if line]
        if "-" in given.all("-T", "--files-from")
        else []
    )
    yield from _members(given, [*given.operands, *given.all("--add-file"), *lines], bases)


def _members(given: Given, sources: list[str], bases: list[str]) -> Found:
    """What is packed; which `-C` stands before which file is not kept, so each may be meant."""
    removes = given.has("--remove-files")
    likely = bases[1:] or bases
    if len(likely) * len(sources) > _MOST:
        likely = likely[-1:]
    for base in dict.fromkeys(likely):
        for source in sources:
            path = absolute(source.removeprefix("@"), base)
            yield Reads(path)
            if removes:
                yield Deletes(path, True)


def _takes_out(call: Call, given: Given, folder: str) -> Found:
    if given.has("-O", "--to-stdout", "--to-command"):
        for member in given.operands[:_MOST]:
            yield Reads(absolute(member, folder))
        return
    top = given.value("--one-top-level")
    path = f"{(absolute(top, folder) if top else folder).rstrip('/')}/{BELOW}"
    if call.stdin and NETWORK in call.stdin:
        yield Fetches("", path)
    yield Writes(path)
    for member in given.operands[:_MOST]:
        yield Writes(absolute(member, path[:-2] or "/"))
    if given.has("-P", "--absolute-names"):
        yield Writes(HOLE)  # the archive says where
