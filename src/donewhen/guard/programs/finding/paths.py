"""Which paths `find` and `fd` come upon: their roots, and how far their tests narrow that down.

A test that leaves nearly everything in (`-type f`, `-maxdepth`, a negation) narrows nothing: then a root
stands for all that is below it, and deleting that is deleting the root.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from donewhen.guard.call import Call
from donewhen.guard.globs import matches
from donewhen.guard.marks import ANY, BELOW, STAR, certain
from donewhen.guard.options import Given, names, options, read
from donewhen.guard.programs.finding.regexes import globs_of

_BRACES = re.compile(r"\{([^{},]*(?:,[^{},]*)+)\}")
_PLAIN_REGEX = re.compile(r"\^?(?:[\w.\-]|\\\.){1,200}\$?")
_SET = re.compile(r"\[[^\]/]+\]")
_LEADING = names("-H -L -P -O0 -O1 -O2 -O3 -X -d -s -x -E")  # before the roots; some of BSD
ACTIONS = names("-exec -execdir -ok -okdir")
_WRITING = names("-fprint -fprint0 -fls")
_WHOLE = names(
    "-type -maxdepth -mindepth -depth -mount -xdev -follow -noleaf -daystart -true -warn -nowarn -print "
    "-delete -print0 -ls -printf -d -regextype -ignore_readdir_race -noignore_readdir_race -quit"
)
_VALUED = names(
    "-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath "
    "-iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -path -perm -printf -regex "
    "-regextype -samefile -size -type -uid -used -user -wholename -xtype -files0-from -Bmin -Btime -flags"
)
_ONLY_STARS = frozenset("*?./")
_ANY_REGEX = frozenset("*?./+^$()|\\")
_NAMES = ("-name", "-iname")
_PLACES = ("-path", "-ipath", "-wholename", "-iwholename")
_REGEXES = ("-regex", "-iregex")
_PRINTS = frozenset(("-print", "-print0", "-ls", "-printf"))
_MOST_PATHS = 2000
_LONGEST_GLOB = 500
_COMMON_TYPES = frozenset("fd,")
_FD = options(
    "HIugsiaL0plF1",
    "EtedocSj",
    long_values="exclude type extension max-depth min-depth exact-depth owner color threads changed-within "
    "changed-before size base-directory search-path max-results ignore-file newer older and format "
    "path-separator batch-size",
)


class Search(NamedTuple):
    """What a search finds: `paths` as the program prints them, and what it does with them."""

    roots: tuple[str, ...]
    paths: tuple[str, ...]
    narrowed: bool
    commands: tuple[tuple[str, tuple[str, ...]], ...] = ()  # option and words with `{}`
    deletes: bool = False
    empty: bool = False  # only what is empty, so that nothing is lost
    named: bool = False  # narrowed by names
    written: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    prints: bool = True


@lru_cache(maxsize=256)
def as_marks(glob: str) -> str:
    """A pattern's stars as marks."""
    return _SET.sub(ANY, glob).replace("**/", STAR).replace("*", STAR).replace("?", ANY)


def spread(glob: str) -> list[str]:
    """Its braces multiplied out, within reason."""
    out = [glob]
    for _ in range(4 if len(glob) <= _LONGEST_GLOB else 0):
        found = [(one, _BRACES.search(one)) for one in out]
        if not any(hit for _, hit in found) or len(out) > 64:
            break
        out = [
            one[: hit.start()] + part + one[hit.end() :] if hit else one
            for one, hit in found
            for part in (hit[1].split(",") if hit else ("",))
        ]
    return out


def below(root: str, patterns: Sequence[str]) -> list[str]:
    """Paths under a root whose name fits one of the patterns (none: any)."""
    start = root if root.endswith("/") else f"{root}/"
    if not patterns:
        return [start + BELOW]
    own = root.rstrip("/").rpartition("/")[2].lower()
    out: list[str] = []
    for glob in patterns:
        name = as_marks(glob)
        if own and matches(name.lower(), own):
            out.append(root)  # the root is found, too
        if name.startswith(STAR) and certain(name[1:]):
            out.append(start + BELOW + name[1:])
        else:
            out += [start + name, f"{start}{BELOW}/{name}"]
    return out


def narrows(glob: str) -> bool:
    return not _ONLY_STARS.issuperset(glob)


def find(call: Call) -> Search:
    """The roots and the expression of `find`."""
    words = call.argv[1:]
    at = 0
    while at < len(words) and (words[at] in _LEADING or words[at][:2] in ("-O", "-D")):
        at += 2 if words[at] == "-D" else 1
    start = at
    while at < len(words) and words[at][:1] not in ("-", "(", "!") and words[at] != ",":
        at += 1
    roots = words[start:at] or (".",)
    return _expression(roots, words[at:])


class _Branch:
    """One side of an `-o`: the names it wants, whether it narrows."""

    __slots__ = ("empty", "names", "narrowed", "places", "pruned")

    def __init__(self) -> None:
        self.narrowed = self.pruned = self.empty = False
        self.names: list[str] = []
        self.places: list[str] = []

    def test(self, word: str, value: str) -> None:
        """A test that must hold; options and actions narrow nothing."""
        if word == "-prune":
            self.pruned = True
        elif word in _NAMES:
            if narrows(value):
                self.names.append(value)
                self.narrowed = True
        elif word in _PLACES:
            if narrows(value):
                self.places.append(value)
                self.narrowed = True
        elif word == "-samefile":
            self.names.append(value.rpartition("/")[2])
            self.narrowed = True
        elif word in _REGEXES:
            self.places += [glob for glob in globs_of(value) if narrows(glob)]
            self.narrowed = self.narrowed or not _ANY_REGEX.issuperset(value)
        elif word == "-type":
            self.narrowed = self.narrowed or not _COMMON_TYPES.issuperset(value)
        elif word.startswith("-") and word not in _WHOLE:
            self.narrowed = True
            self.empty = self.empty or word == "-empty"


class _Reading:
    """An expression on its way to a `Search`."""

    __slots__ = ("branches", "commands", "listed", "negated", "outer", "written")

    def __init__(self) -> None:
        self.branches = [_Branch()]
        self.commands: list[tuple[str, tuple[str, ...]]] = []
        self.written: list[str] = []
        self.listed: list[str] = []
        self.negated = False
        self.outer: list[bool] = []  # of each open parenthesis: whether it is negated

    def word(self, words: Sequence[str], at: int) -> int:
        """Takes the word before `at` and its value; the place of the next one."""
        word = words[at - 1]
        if word in ACTIONS:
            end = _end(words, at)
            self.commands.append((word, tuple(words[at:end])))
            return end + 1
        value = words[at] if at < len(words) else ""
        if word in _WRITING or word == "-fprintf":
            self.written.append(value)
            return at + (2 if word == "-fprintf" else 1)
        if word == "-files0-from":
            self.listed.append(value)
        elif not self.structure(word):
            # what must not hold leaves nearly everything in
            if not (self.negated or any(self.outer)):
                self.branches[-1].test(word, value)
            self.negated = False
        return at + (word in _VALUED or word.startswith("-newer"))

    def structure(self, word: str) -> bool:
        if word in ("-o", "-or", ","):
            self.branches.append(_Branch())
        elif word in ("!", "-not"):
            self.negated = not self.negated
        elif word == "(":
            self.outer.append(self.negated)
            self.negated = False
        elif word == ")":
            self.outer = self.outer[:-1]
        else:
            return word in ("-a", "-and")
        return True


def _expression(roots: tuple[str, ...], words: Sequence[str]) -> Search:
    reading = _Reading()
    at = 0
    while at < len(words):
        at = reading.word(words, at + 1)
    live = [branch for branch in reading.branches if not branch.pruned] or reading.branches
    wanted = 1 + sum(len(branch.names) + len(branch.places) for branch in live)
    # of too many names the roots are said, which is the graver answer
    narrowed = all(branch.narrowed for branch in live) and len(roots) * wanted <= _MOST_PATHS
    named = narrowed and all(branch.names or branch.places for branch in live)
    paths = [path for root in roots for path in (_found(root, live, named) if narrowed else [root])]
    acts = "-delete" in words
    silent = acts or reading.commands or reading.written
    return Search(
        roots,
        tuple(paths),
        narrowed,
        tuple(reading.commands),
        acts,
        all(branch.empty for branch in live),
        named,
        tuple(reading.written),
        tuple(reading.listed),
        not silent or not _PRINTS.isdisjoint(words),
    )


def _found(root: str, live: Sequence[_Branch], named: bool) -> list[str]:
    if not named:
        return below(root, ())
    out: list[str] = []
    for branch in live:
        if branch.names and branch.places:
            out += [path for glob in branch.places for path in _both(root, glob, branch.names)]
        elif branch.names:
            out += below(root, branch.names)
        else:
            out += [path for glob in branch.places for path in _placed(root, glob)]
    return out


def _both(root: str, glob: str, wanted: Sequence[str]) -> list[str]:
    """Paths that fit a pattern, with a name that fits one too."""
    places = _placed(root, glob)
    if not glob.endswith("*"):
        return places
    return [
        path
        for place in places
        for path in ([place] if place == root else below(place.rstrip(BELOW), wanted))
    ]


def _placed(root: str, glob: str) -> list[str]:
    """What a pattern for whole paths lets in; its stars pass slashes."""
    path = as_marks(glob).replace(STAR, BELOW)
    start = root if root.endswith("/") else f"{root}/"
    own = [root] if matches(path, root) else []
    if path.startswith(start):
        return [*own, path]
    if not path.startswith(BELOW):
        return [*own, start + BELOW]
    # a star before a dot may as well end in a slash: `*.git*` finds `./x/.git/config`
    return [*own, *dict.fromkeys((start + path, start + path.replace(f"{BELOW}.", f"{BELOW}/.")))]


def _end(words: Sequence[str], at: int) -> int:
    """Where the command of an -exec ends: `;` or `{} +`."""
    for place in range(at, len(words)):
        if words[place] in (";", "\\;") or (words[place] == "+" and words[place - 1] == "{}"):
            return place
    return len(words)


def fd(call: Call) -> Search:
    """`fd [pattern] [folders] [-x command]`"""
    words = list(call.argv[1:])
    commands: list[tuple[str, tuple[str, ...]]] = []
    for place, word in enumerate(words):
        option = "-x" if word in ("-x", "--exec") else "-X" if word in ("-X", "--exec-batch") else ""
        if option:
            rest = words[place + 1 :]
            end = rest.index(";") if ";" in rest else len(rest)
            commands.append((option, tuple(rest[:end])))
            words = words[:place] + rest[end + 1 :]
            break
    given = read(words, _FD)
    folders = (*given.all("--search-path"), *given.operands[1:]) or (given.value("--base-directory") or ".",)
    narrowed, patterns = _wanted(given)
    narrowed = narrowed and len(folders) * (1 + len(patterns)) <= _MOST_PATHS
    paths: list[str] = []
    for root in folders:
        paths += below(root, patterns) if narrowed else [root]
    if folders == (".",) and narrowed:
        paths = [path.removeprefix("./") for path in paths]
    return Search(folders, tuple(paths), narrowed, tuple(commands), named=bool(patterns))


def _as_glob(regex: str) -> str:
    """A plain expression (letters, `.`, `^`, `$`) as a pattern for names; empty for others."""
    if not _PLAIN_REGEX.fullmatch(regex):
        return ""
    inner = regex.strip("^$").replace("\\.", "\x01").replace(".", "?").replace("\x01", ".")
    return ("" if regex.startswith("^") else "*") + inner + ("" if regex.endswith("$") else "*")


def _wanted(given: Given) -> tuple[bool, list[str]]:
    wanted = given.operands[0] if given.operands else ""
    extensions = given.all("-e", "--extension")
    if extensions:
        return True, [f"*.{extension.lstrip('.')}" for extension in extensions]
    if given.has("-g", "--glob") and narrows(wanted):
        return True, spread(wanted)
    plain = _as_glob(wanted) if not given.has("-p", "--full-path") else ""
    if plain and narrows(plain):
        hidden = wanted.lstrip("^\\").startswith(".")
        # who looks for `.env` means the dot, though it stands for any character
        return True, [plain, plain.lstrip("*?.").join((".", ""))] if hidden else [plain]
    narrow = given.has(
        "-S", "--size", "--changed-within", "--changed-before", "--newer", "--older", "-o", "--owner"
    )
    odd = [kind for kind in given.all("-t", "--type") if kind not in ("f", "d", "file", "directory", "dir")]
    return narrow or bool(odd) or not frozenset(".*^$+").issuperset(wanted), []
