"""grep, rg, ag, ack: the pattern is no path, folders are searched as a whole, and some options run programs.

A recursive search reports its folder, not the files in it; a file pattern (`--include`, `-g`) is reported as
the files that it names, so that searching every `.env` is seen as reading them.
"""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Text, Words
from donewhen.guard.effects import Effect, Reads, Reveals, Unknown
from donewhen.guard.marks import BELOW, ENVIRONMENT
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.finding.paths import as_marks, narrows, spread
from donewhen.guard.programs.printing.lines import STANDARD_INPUT, is_environ

_GREP = options(
    "abcEFGhHiIlLnoPqrRsTUvVwxyzZ",
    "efmABCdD",
    "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match "
    "word-regexp line-regexp count only-matching quiet silent line-number with-filename no-filename "
    "no-messages recursive dereference-recursive files-with-matches files-without-match null null-data "
    "text byte-offset initial-tab line-buffered",
    "regexp file max-count after-context before-context context include exclude exclude-dir exclude-from "
    "label directories devices binary-files",
    numbers=True,
)
_RG = options(
    "abcFhHiIlLnNopPqsSuUvVwxz0.",
    "efmABCdEgjMrtT",
    "fixed-strings ignore-case invert-match word-regexp line-regexp count count-matches only-matching "
    "quiet line-number no-line-number no-filename with-filename files files-with-matches "
    "files-without-match hidden no-ignore multiline pcre2 smart-case case-sensitive text unrestricted "
    "vimgrep json stats trim type-list null follow no-heading heading no-ignore-vcs search-zip passthru "
    "no-messages no-config column debug multiline-dotall sort-files",
    "regexp file max-count after-context before-context context max-depth encoding glob iglob threads "
    "max-columns replace type type-not pre pre-glob hostname-bin ignore-file color colors sort sortr "
    "max-filesize type-add type-clear engine context-separator path-separator hyperlink-format "
    "dfa-size-limit regex-size-limit",
)
_AG = options(
    "acdDfFgHiLlnoQrRsStuUvVwz0",
    "ABCGmpW",
    "files-with-matches files-without-matches hidden literal count nogroup nocolor unrestricted",
    "ignore ignore-dir file-search-regex path-to-ignore depth pager after before context max-count color",
)
_TABLES: dict[str, Options] = {"rg": _RG, "ripgrep": _RG, "ag": _AG, "ack": _AG}
_DEEP = frozenset(("-r", "-R", "--recursive", "--dereference-recursive"))
_LISTS = ("-l", "-L", "--files-with-matches", "--files-without-match", "--files-without-matches", "--files")
_MOST_NAMES = 500


class Search(NamedTuple):
    given: Given
    patterns: tuple[str, ...]
    paths: tuple[str, ...]  # as given; the folder it stands in when a recursive one names none
    deep: bool
    lists: bool  # prints names of files
    globs: tuple[str, ...]


def searched(call: Call) -> Search:
    """What a search was told."""
    name = call.name.removeprefix("g") if call.name in ("ggrep", "gegrep", "gfgrep") else call.name
    given = read(call.argv[1:], _TABLES.get(name, _GREP))
    patterns = given.all("-e", "--regexp")
    paths = given.operands
    modern = name in _TABLES
    if (
        not patterns
        and not given.has("-f", "--file", "--files", "--type-list")
        and not _is_ag_files(name, given)
    ):
        patterns, paths = list(paths[:1]), paths[1:]
    deep = modern or name == "rgrep" or given.has(*_DEEP) or "recurse" in given.all("-d", "--directories")
    if deep and not paths and (call.stdin is None or not modern or given.has("--files")):
        paths = (".",)
    globs = given.all("--include", "-g", "--glob", "--iglob", "-G", "--file-search-regex")
    if name not in ("rg", "ripgrep"):
        globs = given.all("--include")
    wanted = tuple(glob for glob in globs if glob and not glob.startswith("!"))
    return Search(given, tuple(patterns), paths, deep, given.has(*_LISTS), wanted)


def _is_ag_files(name: str, given: Given) -> bool:
    return name in ("ag", "ack") and given.has("-f") and name == "ack"


def search(call: Call) -> Iterator[Effect | Nested]:
    found = searched(call)
    for path in (*found.paths, *found.given.all("-f", "--file", "--ignore-file", "--exclude-from")):
        if path in STANDARD_INPUT or not path:
            continue
        where = call.at(path)
        yield Reads(where)
        if is_environ(where):
            yield Reveals("filtered", _shown(found))
    if found.deep and found.globs:
        yield from _named(call, found)
    if call.stdin is not None and ENVIRONMENT in call.stdin and not _is_only_asked(found.given):
        yield Reveals("filtered", _shown(found))
    for program in found.given.all("--pre", "--hostname-bin"):
        if program:
            yield Words((program, f"{call.folder}/{BELOW}"), call.name)
    for pager in found.given.all("--pager"):
        if pager:
            yield Text(pager, call.name)


def _shown(found: Search) -> str:
    return "|".join(found.patterns)


def _is_only_asked(given: Given) -> bool:
    """Whether it says yes or no, or a number, and prints nothing of the text."""
    return given.has("-q", "--quiet", "--silent", "-c", "--count")


def _named(call: Call, found: Search) -> Iterator[Effect]:
    """The files that a pattern for names lets in."""
    if len(found.globs) * len(found.paths) > _MOST_NAMES:
        yield Unknown("guard.too_much", " ".join(found.globs)[:200])
        return
    for glob in found.globs:
        for one in spread(glob):
            name = as_marks(one.rpartition("/")[2])
            if narrows(one.rpartition("/")[2]):
                for path in found.paths:
                    yield Reads(call.at(f"{path}/{name}"))
