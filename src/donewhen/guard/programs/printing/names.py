"""Programs that print names of files and folders: find, ls, basename, mktemp, pwd, which, grep -l.

A listing is its folder with a mark for what lies in it, as the program prints it: relative to where it
stands, without `..` unless it was given.
"""

from collections.abc import Sequence

from donewhen.guard.call import Call
from donewhen.guard.ground import TEMPORARY
from donewhen.guard.marks import BELOW, HOLE, STAR, anything, certain
from donewhen.guard.options import options, read
from donewhen.guard.programs.finding import paths as finding_paths
from donewhen.guard.programs.finding.paths import below, narrows, spread
from donewhen.guard.programs.printing.filters import grep as filtered
from donewhen.guard.programs.printing.lines import given, joined, unknown
from donewhen.guard.programs.texts.search import searched

_LS = options(
    "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
    "IwT",
    "all almost-all directory recursive",
    "ignore width",
)
_BASENAME = options("az", "s", "multiple zero", "suffix")
_REALPATH = options(
    "efmqsLPzn",
    "",
    "canonicalize canonicalize-missing canonicalize-existing no-symlinks",
    "relative-to relative-base",
)
_MKTEMP = options("duqt", "p", "directory dry-run quiet", "suffix tmpdir")
_MOST_NAMES = 500
_LONG = frozenset(("-l", "-s", "-i", "-g", "-n", "-o", "-m", "-C", "-x"))


def find(call: Call) -> str:
    found = finding_paths.find(call)
    if not found.prints:
        return unknown() if found.commands else ""
    if "-printf" in call.argv or "-ls" in call.argv or found.read:
        return HOLE
    return _listing(found)


def fd(call: Call) -> str:
    found = finding_paths.fd(call)
    if found.commands or "--format" in call.argv:
        return HOLE
    return _listing(found)


def _listing(found: finding_paths.Search) -> str:
    if found.narrowed:
        return joined(found.paths)
    return joined([line for root in found.roots for line in (root, *below(root, ()))])


def ls(call: Call) -> str:
    """Names: bare ones of a folder, paths as they were given for files (nobody knows which it is)."""
    found = read(call.argv[1:], _LS)
    if found.has(*_LONG):
        return HOLE
    if found.has("-R", "--recursive"):
        return joined([*found.operands, BELOW])
    if found.has("-d", "--directory"):
        return joined(found.operands or (".",))
    hidden = found.has("-a", "-A", "--all", "--almost-all", "-f")
    lines: list[str] = []
    for path in found.operands:
        # a pattern or a name with an ending gives files, that print as they were given
        if not certain(path) or "." in path.strip("./"):
            lines.append(path)
        if certain(path) and path != ".":
            lines.append(STAR)
    if hidden:
        lines += [STAR, "." + STAR]
    return joined(list(dict.fromkeys(lines or [STAR])))


def pwd(call: Call) -> str:
    return call.folder + "\n"


def basename(call: Call) -> str:
    found = read(call.argv[1:], _BASENAME)
    suffix = found.value("-s", "--suffix")
    every = suffix is not None or found.has("-a", "--multiple")
    paths = found.operands if every else found.operands[:1]
    if not every and len(found.operands) > 1:
        suffix = found.operands[1]
    return joined([_base(path, suffix or "") for path in paths])


def _base(path: str, suffix: str) -> str:
    if anything(path):
        return unknown(path)
    name = path.rstrip("/").rpartition("/")[2] or path[:1]
    name = name.replace(BELOW, STAR)
    return name.removesuffix(suffix) if name != suffix else name


def dirname(call: Call) -> str:
    return joined([_folder(path) for path in read(call.argv[1:], options("z")).operands])


def _folder(path: str) -> str:
    if anything(path) or BELOW in path:
        return unknown(path)  # of `x/BELOW` it may be x itself
    start, slash, _ = path.rstrip("/").rpartition("/")
    return start.rstrip("/") or ("/" if slash or path.startswith("/") else ".")


def realpath(call: Call) -> str:
    """Links are followed only where the disk may be asked."""
    found = read(call.argv[1:], _REALPATH)
    plain = call.name == "realpath" or found.has("-f", "-e", "-m", "--canonicalize", "--canonicalize-missing")
    if not plain or found.has("--relative-to", "--relative-base"):
        return unknown(*found.operands)
    lines = [call.at(path) for path in found.operands or (".",)]
    return joined([call.ground.disk.real(line) if certain(line) else line for line in lines])


def mktemp(call: Call) -> str:
    found = read(call.argv[1:], _MKTEMP)
    folder = found.value("-p", "--tmpdir")
    template = found.operands[0] if found.operands else "tmp.XXXXXX"
    inside = folder is not None or not found.operands or found.has("-t")
    name = template.rstrip("X") + STAR if template.endswith("X") else _inner(template)
    name += found.value("--suffix") or ""
    temporary = call.env.get("TMPDIR") or call.ground.variables.get("TMPDIR") or TEMPORARY[0]
    return f"{folder or temporary}/{name}\n" if inside else f"{name}\n"


def _inner(template: str) -> str:
    """XXX in the middle; without any (as macOS takes it with -t) the name gets an ending."""
    at = template.rfind("XXX")
    if at < 0:
        return f"{template}.{STAR}"
    return template[:at].rstrip("X") + STAR + template[at + 3 :]


def which(call: Call) -> str:
    """The path of a program; what it would be is not looked up."""
    names = [word for word in call.argv[1:] if not word.startswith("-")]
    return joined(
        [
            unknown(name) if not certain(name) else name if "/" in name else f"/usr/bin/{name}"
            for name in names
        ]
    )


def command(call: Call) -> str:
    """`command -v NAME`; anything else is the output of what it runs."""
    return which(call) if call.argv[1:2] in (("-v",), ("-pv",)) else unknown(given(call), *call.argv)


def kind(call: Call) -> str:
    """`type -p NAME`"""
    return which(call) if call.argv[1:2] in (("-p",), ("-P",), ("-fP",)) else HOLE


def grep(call: Call) -> str:
    """grep, rg, ag: names of files with -l, else lines."""
    found = searched(call)
    if not found.lists:
        return filtered(call) if call.name.endswith("grep") else _lines(call, found.paths)
    lines: list[str] = []
    patterns = [glob for one in found.globs if narrows(one) for glob in spread(one)]
    if len(patterns) * len(found.paths) > _MOST_NAMES:
        return HOLE
    for path in found.paths:
        if found.deep and (certain(path) or BELOW in path):
            folder = path.rstrip("/")
            lines += [] if folder.rpartition("/")[2] in ("", ".", "..") else [path]
            lines += below(path, patterns)
        else:
            lines.append(path)
    return joined(_relative(call, lines))


def _lines(call: Call, paths: Sequence[str]) -> str:
    """`path:line` for each match; what stands in the line is not known."""
    if call.stdin is not None and not paths:
        return unknown(call.stdin)
    return joined([f"{path}/{BELOW}:{HOLE}" for path in paths])


def _relative(call: Call, lines: Sequence[str]) -> list[str]:
    """Without a folder given, names are printed without it."""
    if any(word == "." or word.startswith("./") for word in call.argv[2:]):
        return list(lines)
    return [line.removeprefix("./") for line in lines if line != "."]
