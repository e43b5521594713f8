"""Programs that delete, create, resize and patch files; and the table of all that handle files.

Each argument is read as the program takes it, no more: redirections, wrappers and what runs before are the
walker's. Whether a path may be touched is for the rules.
"""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Words
from donewhen.guard.effects import Deletes, Destroys, Effect, Exhausts, Fetches, Reads, Writes
from donewhen.guard.ground import TEMPORARY
from donewhen.guard.marks import BELOW, NETWORK, STAR
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.files.apply_patch import apply_patch
from donewhen.guard.programs.files.copy import COPYING, globs, is_folder
from donewhen.guard.programs.files.modes import MODES
from donewhen.guard.programs.files.rsync import rsync
from donewhen.guard.programs.git.patches import written

Found = Iterator[Effect | Nested]

_RM = options(
    "dfiIrRvWPx",
    long_flags="force recursive dir verbose interactive one-file-system no-preserve-root preserve-root",
)
_RMDIR = options("pv", long_flags="parents verbose ignore-fail-on-non-empty")
_SHRED = options("fuvxz", "ns", "force remove verbose exact zero", "iterations size random-source")
_SRM = options("dfiIrRsmzv", long_flags="force recursive simple medium zero verbose")
_MKDIR = options("pvZ", "m", "parents verbose context", "mode")
_MKNOD = options("Z", "m", "context", "mode")
_TOUCH = options("acfhm", "drtA", "no-create no-dereference", "date reference time")
_TRUNCATE = options("co", "sr", "no-create io-blocks", "size reference")
_FALLOCATE = options(
    "cdinpvxzw", "lo", "collapse-range dig-holes insert-range keep-size punch-hole zero-range posix verbose",
    "length offset",
)  # fmt: skip
_MKTEMP = options("dqut", "p", "directory dry-run quiet", "suffix tmpdir")
_PATCH = options(
    "bceEflnNRstTuvZ", "BDdFgiopprVxYzr",
    "backup context ed forward force normal reverse silent quiet batch unified dry-run posix "
    "remove-empty-files ignore-whitespace binary verbose backup-if-mismatch no-backup-if-mismatch merge "
    "set-time set-utc follow-symlinks",
    "prefix ifdef directory fuzz get input output strip reject-file quoting-style basename-prefix suffix "
    "version-control reject-format read-only",
)  # fmt: skip
_TRASH = options("dfirRvF", long_flags="force recursive verbose interactive", long_values="trash-dir")
_RIMRAF = options(
    "givfrh", "", "glob no-glob interactive verbose no-preserve-root preserve-root dot dry-run force",
    "impl tmp backoff",
)  # fmt: skip
_GIO = {"trash": "trash", "remove": "rm", "copy": "cp", "move": "mv", "mkdir": "mkdir", "save": "touch"}
_ENDLESS = frozenset(("/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"))
_SIZE = re.compile(r"[+<>/%]?(\d{1,18})([kmgtpezy]?)i?b?", re.IGNORECASE)
_UNITS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6, "z": 7, "y": 8}
_HUGE = 64 * 1024**3


def paths(call: Call, operands: tuple[str, ...]) -> Iterator[str]:
    """Operands as absolute paths; an empty one is no path."""
    return (call.at(one) for one in operands if one)


def _rm(call: Call) -> Found:
    given = read(call.argv[1:], _RM)
    deep = given.unsure > 0 or given.has("-r", "-R", "--recursive")
    for path in paths(call, given.operands):
        yield Deletes(path, deep)


def _deletes(table: Options, deep: bool) -> Reader:
    def reader(call: Call) -> Found:
        for path in paths(call, read(call.argv[1:], table).operands):
            yield Deletes(path, deep)

    return reader


def _rimraf(call: Call) -> Found:
    """Deletes, and expands globs itself when they were quoted."""
    given = read(call.argv[1:], _RIMRAF)
    if given.has("--dry-run"):
        return
    for operand in given.operands:
        if operand and not operand.startswith("!"):
            yield Deletes(call.at(globs(operand)), True)


def _shred(call: Call) -> Found:
    given = read(call.argv[1:], _SHRED)
    remove = given.has("-u", "--remove")
    for path in paths(call, given.operands):
        yield from _overwrites(call, path)
        if remove:
            yield Deletes(path)


def _overwrites(call: Call, path: str) -> Found:
    writable = call.ground.writable
    if path.startswith("/dev/") and not any(path == one or path.startswith(f"{one}/") for one in writable):
        yield Destroys("disk", path)
    else:
        yield Writes(path)


def _writes(table: Options) -> Reader:
    def reader(call: Call) -> Found:
        for path in paths(call, read(call.argv[1:], table).operands):
            yield Writes(path)

    return reader


def _mknod(call: Call) -> Found:
    for path in paths(call, read(call.argv[1:], _MKNOD).operands[:1]):
        yield Writes(path)


def _sized(call: Call, given: Given, size: str | None) -> Found:
    for path in paths(call, given.operands):
        yield from _overwrites(call, path)
    if _bytes(size or "") >= _HUGE:
        yield Exhausts(call.name)


def _bytes(size: str) -> int:
    found = _SIZE.fullmatch(size)
    return int(found[1]) * 1024 ** _UNITS[found[2].lower()] if found else 0


def _truncate(call: Call) -> Found:
    yield from _sized(call, read(call.argv[1:], _TRUNCATE), None)  # sparse: takes no room


def _fallocate(call: Call) -> Found:
    given = read(call.argv[1:], _FALLOCATE)
    yield from _sized(call, given, given.value("-l", "--length"))


def _dd(call: Call) -> Found:
    settings: dict[str, str] = {}
    for word in call.argv[1:]:
        name, _, value = word.partition("=")
        settings[name] = value
    source, target = settings.get("if", ""), settings.get("of", "")
    if source:
        yield Reads(call.at(source))
    if not target:
        return
    path = call.at(target)
    yield from _overwrites(call, path)
    if not source or call.at(source) not in _ENDLESS or path.startswith("/dev/"):
        return
    size = _bytes(settings.get("bs") or settings.get("obs") or "512") * _bytes(settings.get("count", ""))
    if "count" not in settings or size >= _HUGE:
        yield Exhausts("dd")


def _mktemp(call: Call) -> Found:
    given = read(call.argv[1:], _MKTEMP)
    folder = given.value("-p", "--tmpdir")
    template = given.operands[0] if given.operands else ""
    if given.has("-u", "--dry-run") or not (folder or template):
        return
    if folder or given.has("-t", "--tmpdir"):
        yield Writes(call.at(f"{folder or TEMPORARY[0]}/{template or STAR}"))
    else:
        yield Writes(call.at(template))


def _patch(call: Call) -> Found:
    given = read(call.argv[1:], _PATCH)
    base = call.at(given.value("-d", "--directory") or ".")
    moved = call._replace(folder=base)
    below = f"{base.rstrip('/')}/{BELOW}"
    if call.stdin and NETWORK in call.stdin:
        yield Fetches("", below)
    for source in (*given.all("-i", "--input"), *given.operands[1:2]):
        if source != "-":
            yield Reads(call.at(source))
    if given.has("--dry-run"):
        return
    for target in given.all("-o", "--output", "-r", "--reject-file"):
        if target != "-":
            yield Writes(moved.at(target))
    yield Writes(moved.at(given.operands[0]) if given.operands else below)
    if not given.operands:
        strip = given.value("-p", "--strip") or ""
        for path in written(call.stdin or "", int(strip) if strip.isdigit() else 0):
            # without a number only the last name counts, unless the folders are there
            yield Writes(moved.at(path))


def _mkdir(call: Call) -> Found:
    for path in paths(call, read(call.argv[1:], _MKDIR).operands):
        if not is_folder(path, call):  # `mkdir -p /tmp` changes nothing
            yield Writes(path, "folder")


def _nothing(call: Call) -> Found:
    """Sizes of disks, flushed buffers: no file is read or changed."""
    yield from ()


def _empties_trash(call: Call) -> Found:
    yield Deletes(f"{call.ground.home}/.local/share/Trash", True)


def _gio(call: Call) -> Found:
    """The desktop's file program: its verbs are those of others."""
    verb, rest = (call.argv[1], call.argv[2:]) if len(call.argv) > 1 else ("", ())
    stand_in = _GIO.get(verb)
    if stand_in and "--empty" not in rest:
        yield from READERS[stand_in](call._replace(argv=(stand_in, *rest)))
    elif stand_in:
        yield from _empties_trash(call)
    else:
        for word in rest:
            if not word.startswith("-"):
                yield Reads(call.at(word), names=verb in ("info", "list", "tree", "monitor"))


def _shx(call: Call) -> Found:
    """Unix commands for package scripts: `shx rm -rf dist`."""
    if len(call.argv) > 1:
        yield Words(call.argv[1:], "shx")


def _mmv(call: Call) -> Found:
    """Patterns for many names: what the stars of the first took stands as `#1` in the second."""
    given = read(call.argv[1:], _MMV)
    if len(given.operands) > 1 and not given.has("-n"):
        source, target = (_NUMBERED.sub(STAR, globs(one)) for one in given.operands[:2])
        yield Words((_MANY[call.name], source, target), call.name)


_MMV = options("hdpgtvnmxrcoalsy")
_MANY = {"mmv": "mv", "mcp": "cp", "mln": "ln", "mad": "cp"}
_NUMBERED = re.compile(r"#[lu]?\d")
_TRASHING = _deletes(_TRASH, True)
READERS: Mapping[str, Reader] = {
    "rm": _rm, "grm": _rm, "unlink": _deletes(options(), False), "rmdir": _deletes(_RMDIR, False),
    "shred": _shred, "gshred": _shred, "srm": _deletes(_SRM, True), "wipe": _deletes(_SRM, True),
    "trash": _TRASHING, "trash-put": _TRASHING, "rmtrash": _TRASHING, "trash-rm": _empties_trash,
    "trash-empty": _empties_trash, "rimraf": _rimraf, "del": _rimraf, "del-cli": _rimraf, "gio": _gio,
    "shx": _shx, "mkdir": _mkdir, "gmkdir": _mkdir, "mkdirp": _mkdir, "make-dir": _mkdir,
    "mkfifo": _writes(_MKDIR), "mknod": _mknod, "touch": _writes(_TOUCH), "gtouch": _writes(_TOUCH),
    "truncate": _truncate, "fallocate": _fallocate,
    "dd": _dd, "gdd": _dd, "dcfldd": _dd, "mktemp": _mktemp, "patch": _patch, "gpatch": _patch,
    "apply_patch": apply_patch, "applypatch": apply_patch,
    "df": _nothing, "sync": _nothing, "rsync": rsync, **dict.fromkeys(_MANY, _mmv), **COPYING, **MODES,
}  # fmt: skip
