"""Programs that put files elsewhere: mv, cp, ln, install, rename.

A target that is a folder gets the sources' names; where only a disk could tell, the target's own path stands
for both, since they lie in the same place. A copy reads what it copies.
"""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Words
from donewhen.guard.effects import Deletes, Effect, Raises, Reads, Unknown, Writes
from donewhen.guard.ground import absolute
from donewhen.guard.marks import ANY, BELOW, HOLE, STAR, anything
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.files.modes import grants
from donewhen.guard.secret_paths import secret

Found = Iterator[Effect | Nested]

_COMMON = (
    "backup force interactive no-clobber no-target-directory update verbose strip-trailing-slashes context "
    "debug"
)
_MV = options("bfinTuvZ", "tS", f"{_COMMON} exchange no-copy", "target-directory suffix")
_CP = options(
    "abcdfHiLlnNPpRrsTuvXxZ", "tS",
    f"{_COMMON} archive attributes-only copy-contents dereference link no-dereference one-file-system "
    "parents preserve recursive reflink remove-destination symbolic-link keep-directory-symlink",
    "target-directory suffix no-preserve sparse",
)  # fmt: skip
_LN = options(
    "bdfFhiLnPrsTvw", "tS", f"{_COMMON} directory logical no-dereference physical relative symbolic",
    "target-directory suffix",
)  # fmt: skip
_INSTALL = options(
    "bcCdDpsTUvZM", "gmotSBfhlN",
    f"{_COMMON} compare directory preserve-timestamps strip preserve-context",
    "group mode owner target-directory suffix strip-program",
)  # fmt: skip
_RENAME = options("acdfhlnosvVuX", "e", "all last no-act no-overwrite symlink verbose", "expr")
_PLAIN = re.compile(r"[\w .+-]+")
_PERL = re.compile(r"(?:s|y|tr)([/|,#!:@])(.*)\1([a-z]*)", re.DOTALL)


def _parts(given: Given) -> tuple[tuple[str, ...], str, bool]:
    """Sources, target, and whether that must be a folder."""
    folder = given.value("-t", "--target-directory")
    operands = tuple(one for one in given.operands if one)
    if folder is not None:
        return operands, folder, True
    if len(operands) < 2:
        return operands, "", False
    sources, target = operands[:-1], operands[-1]
    if given.has("-T", "--no-target-directory"):
        return sources, target, False
    return sources, target, len(sources) > 1 or f"/{target}".endswith(("/", "/.", "/.."))


def is_folder(path: str, call: Call) -> bool:
    ground = call.ground
    if path in ground.writable or path == "/" or f"{ground.workspace}/".startswith(f"{path}/"):
        return not path.startswith("/dev/")
    return f"{ground.home}/".startswith(f"{path}/") or ground.disk.names(path) is not None


def _name(source: str) -> str:
    """What a source is called in its new folder; the content of `.` keeps its names."""
    name = source.rstrip("/").rpartition("/")[2]
    if name in ("", ".", ".."):
        return BELOW
    return STAR if anything(name) else name


def landing(call: Call, given: Given) -> Iterator[tuple[str, str]]:
    """Each source, absolute, with the path that it gets."""
    sources, target, folder = _parts(given)
    path = call.at(target) if target else ""
    if path and not folder and not given.has("-T", "--no-target-directory"):
        folder = is_folder(path, call)
    for source in sources:
        if not path:
            yield call.at(source), ""
        else:
            yield call.at(source), f"{path.rstrip('/')}/{_name(source)}" if folder else path


def _mv(call: Call) -> Found:
    given = read(call.argv[1:], _MV)
    for source, target in landing(call, given):
        if not target:
            continue
        if secret(source, call.ground) and not secret(target, call.ground):
            yield Reads(source)  # under its new name nobody would know it
        yield Deletes(source, True, moved=True)
        yield Writes(target)
        if given.has("--exchange"):
            yield Writes(source)


def _cp(call: Call) -> Found:
    given = read(call.argv[1:], _CP)
    parents = given.has("--parents")
    for source, target in landing(call, given):
        if not target:
            continue
        yield Reads(source)
        yield Writes(f"{target.rpartition('/')[0]}/{BELOW}" if parents else target)
        if given.has("-l", "--link"):
            yield Writes(source, "link")


def _ln(call: Call) -> Found:
    given = read(call.argv[1:], _LN)
    symbolic = given.has("-s", "--symbolic")
    from_here = not symbolic or given.has("-r", "--relative")
    words = _parts(given)[0]
    for word, (source, target) in zip(words, landing(call, given), strict=True):
        link = target or call.at(_name(word))
        # what a symbolic link says is read from the folder that it lies in
        yield Reads(source if from_here else absolute(word, link.rpartition("/")[0] or "/"))
        yield Writes(link, "link")
        if not symbolic:  # who has another name for a file writes it by that name
            yield Writes(source, "link")


def _install(call: Call) -> Found:
    given = read(call.argv[1:], _INSTALL)
    if grants(given.value("-m", "--mode") or ""):
        yield Raises("setuid")
    stripping = given.value("--strip-program")
    if stripping:
        yield Words((stripping,), "install")
    if given.has("-d", "--directory"):
        for one in given.operands:
            yield Writes(call.at(one), "folder")
        return
    for source, target in landing(call, given):
        if target:
            yield Reads(source)
            yield Writes(target)


def _rename(call: Call) -> Found:
    """Two programs of one name: perl code over names, or one text for another."""
    given = read(call.argv[1:], _RENAME)
    code = given.value("-e", "--expr")
    operands = given.operands
    if code is None:
        code, operands = (operands[0], operands[1:]) if operands else ("", ())
    if given.has("-n", "--no-act"):
        return
    found = _PERL.fullmatch(code.strip(" ;\n\t"))
    if found is None and len(operands) > 1 and _PLAIN.fullmatch(code):
        leads_out, operands = "/" in operands[0], operands[1:]
    else:
        if found is None or "e" in found[3] or any(one in code for one in ("`", "@{", "${")):
            yield Unknown("guard.unknown_code", code)
        leads_out = found is None or "/" in found[2].replace(found[1], "", 1)
    for path in (call.at(one) for one in operands if one):
        yield Writes(path)
        yield Writes(HOLE if leads_out else f"{path.rpartition('/')[0]}/{STAR}")


def globs(word: str) -> str:
    """The word with its globs live, for programs that expand quoted ones themselves."""
    return word.replace("**", BELOW).replace("*", STAR).replace("?", ANY)


def _copies(table: Options) -> Reader:
    """Package scripts' copiers: sources, then a folder."""

    def reader(call: Call) -> Found:
        given = read(tuple(map(globs, call.argv[1:])), table)
        for source, target in landing(call, given):
            if target:
                yield Reads(source)
                yield Writes(target)

    return reader


_COPIER = options(
    "aefuvVcLCEs", "", "verbose soft all flat follow error clean update", "up exclude cwd rename ignore"
)
COPYING: Mapping[str, Reader] = {
    "mv": _mv, "gmv": _mv, "cp": _cp, "gcp": _cp, "ln": _ln, "gln": _ln, "link": _ln, "install": _install,
    "ginstall": _install, "rename": _rename, "prename": _rename, "file-rename": _rename,
    "perl-rename": _rename,
    "cpy": _copies(_COPIER), "cpx": _copies(_COPIER), "copyfiles": _copies(_COPIER), "ncp": _copies(_COPIER),
    "ditto": _copies(_COPIER),
}  # fmt: skip
