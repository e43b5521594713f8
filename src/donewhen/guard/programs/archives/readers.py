"""Programs that pack, unpack and compress; and the table of all of them (tar has a module of its own).

Unpacking writes below a folder, under names that only the archive knows; packing reads what it packs. What
comes from the network and is unpacked at once counts as fetched.
"""

from collections.abc import Iterator, Mapping, Sequence

from donewhen.guard.call import Call, Nested, Reader, Text
from donewhen.guard.effects import Deletes, Effect, Fetches, Reads, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import BELOW, HOLE, NETWORK
from donewhen.guard.options import options, read
from donewhen.guard.programs.archives.single import COMPRESSORS
from donewhen.guard.programs.archives.tar import tar
from donewhen.guard.programs.files.copy import globs
from donewhen.guard.secret_paths import secret

Found = Iterator[Effect | Nested]

_ZIP = options(
    "rmTjquvyxiDdfFgekloXz0123456789@A!$-", "bOPntZ",
    "recurse-paths move test junk-paths quiet update verbose symlinks delete freshen encrypt grow "
    "latest-time no-dir-entries",
    "output-file out unzip-command temp-path password suffixes compression-method split-size logfile-path",
    single="TT lf t tt n s sp Z O ws la", single_flags="sf su sc FF FS db dc dd dg ds du dv li mm MM nw tt",
)  # fmt: skip
_ZIP_LISTS = ("-x", "-i", "--exclude", "--include")
_UNZIP = options("fluvztpcZnojqaCKLMUVWX:^", "dPI")
_CPIO = options(
    "0AabBcdfiklmnoprRsStuvV", "CDEFHIMOR",
    "create extract pass-through list append make-directories unconditional null verbose dot link "
    "no-preserve-owner preserve-modification-time to-stdout no-absolute-filenames absolute-filenames "
    "dereference quiet reset-access-time nonmatching only-verify-crc sparse swap",
    "directory file format io-size owner pattern-file message rsh-command block-size device",
)  # fmt: skip
_PAX = options("rwabcdiklntuvzjHLPXYZ0AD", "BEfopsxTUGO")
_JAR = options(
    "cxtuvMm0ie", "fC", "create extract list update",
    "file dir main-class manifest module-version release",
)  # fmt: skip
_LISTING = frozenset("lvtzpcZ")


def unpacks(call: Call, folder: str) -> Found:
    """Files appear below the folder, named by what is unpacked."""
    path = f"{folder.rstrip('/')}/{BELOW}"
    if call.stdin and NETWORK in call.stdin:
        yield Fetches("", path)
    yield Writes(path)


def listed(call: Call) -> Found:
    """Names that come on its input, one a line."""
    for line in (call.stdin or "").split("\n"):
        if line:
            yield Reads(call.at(line))


def _without_lists(words: Sequence[str]) -> Iterator[str]:
    """Patterns behind -x and -i reach up to the next option and are no files."""
    skipping = False
    for word in words:
        if word in _ZIP_LISTS or (skipping and word == "@"):
            skipping = word != "@"
        elif not skipping or word.startswith("-"):
            skipping = False
            yield word


def _parted(words: Sequence[str]) -> Iterator[str]:
    """`-qTTsh`: an option of two letters may end a bundle and have its value attached."""
    for word in words:
        lead, found, value = word.partition("TT")
        if found and lead.startswith("-") and not lead.startswith("--"):
            yield from (one for one in (lead, "-TT", value.removeprefix("=")) if one.strip("-"))
        else:
            yield word


def _zip(call: Call) -> Found:
    words = [*call.env.get("ZIPOPT", "").split(), *_without_lists(call.argv[1:])]
    given = read(list(_parted(words)), _ZIP)
    testing = given.value("-TT", "--unzip-command")
    if testing:
        yield Text(testing.replace("{}", "archive.zip"), "zip")
    archive, sources = (given.operands[0], given.operands[1:]) if given.operands else ("", ())
    for target in (archive, *given.all("-O", "--output-file", "--out"), *given.all("-lf", "--logfile-path")):
        if target and target != "-":
            yield Writes(call.at(target))
    if given.has("-d", "--delete"):
        return
    if given.has("-@"):
        yield from listed(call)
    for source in sources:
        if source and source != "-":
            yield Reads(call.at(source))
            if given.has("-m", "--move"):
                yield Deletes(call.at(source), True)


def _unzip(call: Call) -> Found:
    words: list[str] = []
    for word in call.argv[1:]:
        if word == "-x":
            break
        words.append(word)
    rest = call.argv[1 + len(words) :]
    given = read(words, _UNZIP)
    folder = given.value("-d")
    if folder is None and "-d" in rest[:-1]:
        folder = rest[rest.index("-d") + 1]
    for archive in given.operands[:1]:
        yield Reads(call.at(archive))
    if given.operands and not any(name[1:] in _LISTING for name, _ in given.options):
        yield from unpacks(call, call.at(folder or "."))
        for member in given.operands[1:]:
            yield Writes(absolute(globs(member), call.at(folder or ".")))
        if given.has("-:"):
            yield Writes(HOLE)  # names with `..` are taken as they are
    elif given.has("-p", "-c"):
        shown = (call.at(globs(member)) for member in given.operands[1:])
        yield from (Reads(path) for path in shown if secret(path, call.ground))


def _seven(call: Call) -> Found:
    """7z and rar: a verb, switches with their values attached, the archive, files."""
    words = [word for word in call.argv[1:] if word and not word.startswith("-")]
    switches = [word for word in call.argv[1:] if word.startswith("-")]
    if len(words) < 2:
        return
    verb, archive, rest = words[0].lower(), words[1], words[2:]
    if verb in ("x", "e"):
        yield Reads(call.at(archive))
        if not {"-so", "-inul-p"} & set(switches):
            yield from unpacks(call, call.at(_seven_folder(switches, rest)))
            if any(one.startswith("-spf") for one in switches):
                yield Writes(HOLE)
        else:
            yield from map(Reads, map(call.at, rest))
        return
    if verb not in ("a", "u", "m", "mf", "f", "d", "rn", "c", "k", "s"):
        yield Reads(call.at(archive))
        return
    yield Writes(call.at(archive))
    for source in rest if verb not in ("d", "rn", "c", "k", "s") else ():
        yield Reads(call.at(source.removeprefix("@")))
        if verb in ("m", "mf") or "-sdel" in switches or "-df" in switches:
            yield Deletes(call.at(source), True)


def _seven_folder(switches: Sequence[str], rest: Sequence[str]) -> str:
    for switch in switches:
        if switch.startswith("-op"):
            return switch[3:] or "."
        if switch.startswith("-o") and len(switch) > 2 and switch not in ("-or", "-o+", "-o-"):
            return switch[2:]
    return rest[-1] if rest and rest[-1].endswith("/") else "."


def _ar(call: Call) -> Found:
    words = list(call.argv[1:])
    folder = "."
    for at, word in enumerate(words):
        if word.startswith("--output"):
            folder = word.partition("=")[2] or next(iter(words[at + 1 : at + 2]), ".")
            del words[at : at + (1 if "=" in word else 2)]
            break
    words = [word for word in words if not word.startswith("--")]
    if len(words) < 2:
        return
    verb, rest = words[0].lstrip("-"), words[1:]
    if any(letter in verb for letter in "abi") and any(letter in verb for letter in "rm"):
        rest = rest[1:]  # the member to put it before or behind
    for archive in rest[:1]:
        if "x" in verb:
            yield Reads(call.at(archive))
            yield from unpacks(call, call.at(folder))
        elif "t" in verb or "p" in verb:
            yield Reads(call.at(archive))
        else:
            yield Writes(call.at(archive))
    if "r" in verb or "q" in verb:
        for source in rest[1:]:
            yield Reads(call.at(source))


def _cpio(call: Call) -> Found:
    given = read(call.argv[1:], _CPIO)
    base = call.at(given.value("-D", "--directory") or ".")
    shell = given.value("--rsh-command")
    if shell:
        yield Text(shell, "cpio")
    files = given.all("-F", "--file", "-I", "-O")
    if given.has("-p", "--pass-through"):
        yield from listed(call)
        for target in given.operands[-1:]:
            yield Writes(f"{call.at(target).rstrip('/')}/{BELOW}")
    elif given.has("-o", "--create"):
        yield from listed(call)
        for target in files:
            yield Writes(call.at(target))
    else:
        for source in files:
            yield Reads(call.at(source))
        if given.has("-i", "--extract") and not given.has("-t", "--list", "--to-stdout"):
            yield from unpacks(call, base)


def _pax(call: Call) -> Found:
    given = read(call.argv[1:], _PAX)
    reads, writes = given.has("-r"), given.has("-w")
    sources = given.operands
    if reads and writes:
        for target in sources[-1:]:
            yield Writes(f"{call.at(target).rstrip('/')}/{BELOW}")
        sources = sources[:-1]
    for archive in given.all("-f"):
        yield Writes(call.at(archive)) if writes else Reads(call.at(archive))
    if reads and not writes:
        yield from unpacks(call, call.folder)
    if writes:
        yield from listed(call) if not sources else ()
        for source in sources:
            yield Reads(call.at(source))


def _jar(call: Call) -> Found:
    """tar's letters, without or with a dash; `-C dir file` changes to a folder for one file."""
    words = list(call.argv[1:])
    letters = words[0].lstrip("-") if words and not words[0].startswith("--") else ""
    given = read(words[1:] if letters else words, _JAR)
    operands = list(given.operands)
    archive = given.value("-f", "--file") or (operands.pop(0) if "f" in letters and operands else "")
    extracts = "x" in letters or given.has("-x", "--extract")
    lists = "t" in letters or given.has("-t", "--list")
    if archive:
        yield Reads(call.at(archive)) if extracts or lists else Writes(call.at(archive))
    if extracts:
        yield from unpacks(call, call.at(given.value("--dir", "-C") or "."))
    elif not lists:
        for folder in (*given.all("-C"), "."):
            moved = call._replace(folder=call.at(folder))
            for source in operands[:64]:
                yield Reads(moved.at(source.removeprefix("@")))


def _unpacker(table: str, *folder: str) -> Reader:
    """Unpackers of one archive: their options with a value, and those that name the folder."""
    long = [one[2:] for one in folder if one.startswith("--")]
    single = [one[1:] for one in folder if len(one) > 2 and not one.startswith("--")]
    known = options("", table, single=" ".join(single), long_values=" ".join(long))

    def reader(call: Call) -> Found:
        given = read(call.argv[1:], known)
        for archive in given.operands[:1]:
            yield Reads(call.at(archive))
            yield from unpacks(call, call.at(given.value(*folder) or "."))

    return reader


def _dpkg_deb(call: Call) -> Found:
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    flags = [word for word in call.argv[1:] if word.startswith("-")]
    for source in words[:1]:
        yield Reads(call.at(source))
    if any(
        one in ("-x", "-X", "-e", "-R", "--extract", "--vextract", "--control", "--raw-extract")
        for one in flags
    ):
        yield from unpacks(call, call.at(words[1] if len(words) > 1 else "."))
    elif any(one in ("-b", "--build") for one in flags):
        yield Writes(call.at(words[1] if len(words) > 1 else f"{words[0]}.deb" if words else "."))


READERS: Mapping[str, Reader] = {
    "tar": tar, "gtar": tar, "bsdtar": tar, "star": tar, "zip": _zip, "unzip": _unzip, "bsdunzip": _unzip,
    **dict.fromkeys(("7z", "7za", "7zr", "7zz", "p7zip", "rar", "unrar"), _seven),
    **dict.fromkeys(("ar", "gar", "llvm-ar"), _ar), "cpio": _cpio, "gcpio": _cpio, "pax": _pax, "jar": _jar,
    "unar": _unpacker("oep", "-o", "--output-directory"), "cabextract": _unpacker("dFp", "-d", "--directory"),
    "unsquashfs": _unpacker("dpe", "-d", "-dest"), "aunpack": _unpacker("X", "-X", "--extract-to"),
    "dpkg-deb": _dpkg_deb, **COMPRESSORS,
}  # fmt: skip
