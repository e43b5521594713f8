"""What git prints about itself: the folder of the work tree, branches, commits, names of tracked files.

Texts that others wrote (messages, diffs, file contents) are holes. Names of refs and tracked files never hold
`..`, so a mark for a path below says enough.
"""

import re
from collections.abc import Sequence

from donewhen.guard.call import Call
from donewhen.guard.marks import BELOW, HOLE, STAR, anything, certain
from donewhen.guard.options import names
from donewhen.guard.programs.finding.paths import as_marks, below
from donewhen.guard.programs.printing.lines import joined, unknown

_VALUED = names("-C -c --git-dir --work-tree --namespace --config-env --exec-path --super-prefix")
_COMMIT = re.compile(r"(?:HEAD|@|[0-9a-f]{7,40}|ORIG_HEAD|FETCH_HEAD)(?:[~^]\d{0,4}){0,8}")
_HASHES = re.compile(r"(?:%[Hht]|%[ac][dtisI]|%[ac][tsI]|[-_. ])+")
_NAMES_ONLY = frozenset(("--name-only",))
_LISTED = names("ls-files diff diff-tree diff-index diff-files ls-tree log show")


def git(call: Call) -> str:
    words = call.argv[1:]
    at = 0
    elsewhere = False
    while at < len(words) and words[at].startswith("-"):
        elsewhere = elsewhere or words[at].startswith(("-C", "--git-dir", "--work-tree"))
        at += 2 if words[at] in _VALUED else 1
    name, rest = (words[at], words[at + 1 :]) if at < len(words) else ("", ())
    if not certain(name):
        return unknown(*words)
    if name in _LISTED and (name == "ls-files" or _NAMES_ONLY.intersection(rest)):
        return _files(name, rest)
    if name == "grep":
        return _matches(rest)
    printed = {"rev-parse": _rev_parse, "branch": _branch, "symbolic-ref": _symbolic}.get(name)
    if printed is not None:
        return printed(call, rest, elsewhere)
    return _other(name, rest)


def _other(name: str, rest: Sequence[str]) -> str:
    if name in ("log", "show"):
        forms = [word.partition("=")[2].removeprefix("tformat:").removeprefix("format:") for word in rest
                 if word.startswith(("--format=", "--pretty="))]  # fmt: skip
        return f"{STAR}\n" if forms and _HASHES.fullmatch(forms[-1][:64]) else unknown(*rest)
    if name in ("merge-base", "rev-list", "hash-object", "write-tree", "commit-tree"):
        return f"{STAR}\n"
    if name in ("tag", "describe", "for-each-ref", "remote") and not any(
        word.startswith("--format") or word in ("-v", "get-url", "show") for word in rest
    ):
        return f"{BELOW}\n"
    return unknown(*rest)


def _rev_parse(call: Call, rest: Sequence[str], elsewhere: bool) -> str:
    flags = [word for word in rest if word.startswith("-")]
    others = [word for word in rest if not word.startswith("-")]
    inside = not elsewhere and (call.folder + "/").startswith(call.ground.workspace + "/")
    if "--show-toplevel" in flags and not others:
        return f"{call.ground.workspace}\n" if inside else HOLE
    if flags and flags[-1] in ("--git-dir", "--absolute-git-dir", "--git-common-dir") and not others:
        return f"{call.ground.workspace}/.git\n" if inside else HOLE
    if "--abbrev-ref" in flags and others in (["HEAD"], ["@"]):
        return _current(call, elsewhere)
    # words that name no commit are printed as they stand
    if others and all(_COMMIT.fullmatch(word) for word in others) and all(_shortens(flag) for flag in flags):
        return f"{STAR}\n"
    return unknown(*rest)


def _shortens(flag: str) -> bool:
    return flag.partition("=")[0] in ("--short", "--verify", "-q", "--quiet")


def _current(call: Call, elsewhere: bool) -> str:
    return f"{call.ground.branch}\n" if call.ground.branch and not elsewhere else f"{BELOW}\n"


def _branch(call: Call, rest: Sequence[str], elsewhere: bool) -> str:
    if "--show-current" in rest:
        return _current(call, elsewhere)
    if any(word.startswith("--format") and "refname" not in word for word in rest):
        return unknown(*rest)
    return f"{BELOW}\n"


def _symbolic(call: Call, rest: Sequence[str], elsewhere: bool) -> str:
    head = [word for word in rest if not word.startswith("-")] == ["HEAD"]
    if not head:
        return f"{BELOW}\n"
    return _current(call, elsewhere) if "--short" in rest else f"refs/heads/{_current(call, elsewhere)}"


def _files(name: str, rest: Sequence[str]) -> str:
    """Paths, narrowed by the path patterns that were given."""
    if "--no-index" in rest or any(anything(word) for word in rest):
        return unknown(*rest)
    if name == "ls-files":
        wanted = [word for word in rest if not word.startswith("-")]
    else:
        wanted = list(rest[rest.index("--") + 1 :]) if "--" in rest else []
    return joined(_paths(wanted))


def _paths(wanted: Sequence[str]) -> list[str]:
    if not wanted or any(word.startswith(":") for word in wanted):
        return [BELOW]
    out: list[str] = []
    for word in wanted:
        if ".." in word.split("/") or word.startswith("/"):
            out.append(HOLE)
        elif "*" in word or "?" in word:
            out += (
                [path.removeprefix("./") for path in below(".", [word])]
                if "/" not in word
                else [_globbed(word)]
            )
        else:
            plain = word.rstrip("/")
            out += [BELOW] if plain == "." else [plain, f"{plain}/{BELOW}"]
    return out


def _globbed(word: str) -> str:
    """In git's patterns a star passes slashes."""
    return as_marks(word).replace(STAR, BELOW)


def _matches(rest: Sequence[str]) -> str:
    if not any(word in ("-l", "--files-with-matches", "--name-only", "-L") for word in rest) and not any(
        word[:1] == "-" and word[1:2] != "-" and "l" in word for word in rest
    ):
        return unknown(*rest)
    return joined(_paths(list(rest[rest.index("--") + 1 :]) if "--" in rest else []))
