"""Other version control: jj, hg, svn and their kin, and tools around git that push or delete on their own.

They are read for what leaves the machine or is lost: pushes, deletions elsewhere, settings that run commands.
What they do inside the workspace is the work itself.
"""

from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text
from donewhen.guard.effects import (
    Deletes,
    Destroys,
    Effect,
    Fetches,
    Loads,
    Persists,
    Pushes,
    Reads,
    Rewrites,
    Writes,
)
from donewhen.guard.marks import HOLE
from donewhen.guard.options import options, read

_Found = Iterator[Effect | Nested]
_JJ = options(
    values="brRcN", long_values="bookmark branch remote revisions change repository config named at-op color",
    long_flags="all tracked deleted allow-new allow-backwards allow-empty-description dry-run user repo",
)  # fmt: skip
_HG = options(values="RrbB", long_values="config rev branch bookmark repository cwd", flags="fnqvy",
              long_flags="force new-branch all dry-run")  # fmt: skip
_PLAIN = options()
_MOVING = frozenset("set s move m delete d forget f rename r".split())


def _jj(call: Call) -> _Found:
    given = read(call.argv[1:], _JJ)
    yield from _paths(call, given.operands)
    words = (*given.operands, "", "")
    if words[:2] == ("git", "push") and not given.has("--dry-run"):
        yield from _jj_push(call, given.all("-b", "--bookmark", "--branch"))
    elif words[:2] == ("git", "clone"):
        yield Fetches(words[2])
    elif words[0] in ("bookmark", "branch", "b") and words[1] in _MOVING:
        for name in given.operands[2:]:
            yield Rewrites(name, f"jj {words[0]} {words[1]}")
    elif words[:2] == ("config", "set") and given.has("--user"):
        yield Writes(f"{call.ground.home}/.config/jj/config.toml")


def _jj_push(call: Call, names: list[str]) -> _Found:
    """jj moves branches of the remote to wherever its own are: each push may be a force."""
    words = call.argv[1:]
    remote = call.ground.remote
    gone = "--deleted" in words
    if gone or "--all" in words or "--tracked" in words:
        for name in call.ground.protected:
            yield Pushes(remote, name, force=True, delete=gone)
    for name in dict.fromkeys(names):
        yield Pushes(remote, name, force="--allow-backwards" in words or name in call.ground.protected)
    if not names:
        yield Pushes(remote, HOLE, force=True)


def _hg(call: Call) -> _Found:
    given = read(call.argv[1:], _HG)
    for setting in given.all("--config"):
        name, _, value = setting.partition("=")
        section = name.partition(".")[0]
        if section == "extensions" and value:
            yield Loads(f"hg --config {name}")
        elif value.startswith("!") or section in ("hooks", "merge-tools") or name in ("ui.ssh", "ui.editor"):
            yield Text(value.lstrip("!"), "hg")
    yield from _paths(call, given.operands[1:])
    verb = given.operands[0] if given.operands else ""
    if verb == "push":
        yield Pushes("default", given.value("-b", "--branch", "-B", "--bookmark") or HOLE, force=True)
    elif verb == "clone":
        yield Fetches(given.operands[1] if len(given.operands) > 1 else HOLE)
    elif verb in ("strip", "histedit", "rollback"):
        yield Destroys("disk", f"hg {verb}", sure=False)


_SVN_CHANGES = frozenset("delete del remove rm commit ci import mkdir copy cp move mv ren propset".split())
_SVN_SHARED = frozenset("commit ci import".split())


def _svn(call: Call) -> _Found:
    given = read(
        call.argv[1:], options(values="mFr", long_values="message file revision config-option config-dir")
    )
    for value in given.all("--config-option"):
        if ":tunnels:" in value:
            yield Text(value.partition("=")[2], "svn")
    yield from (Reads(call.at(path)) for path in given.all("-F", "--file"))
    verb, paths = (given.operands[0] if given.operands else ""), given.operands[1:]
    far = [path for path in paths if "://" in path]
    if verb in _SVN_SHARED or (verb in _SVN_CHANGES and far):
        yield Destroys("remote", f"svn {verb}", sure=False)
    elif verb in ("checkout", "co", "export", "switch") and far:
        yield Fetches(far[0])
    elif verb in ("delete", "del", "remove", "rm"):
        yield from (Deletes(call.at(path), True) for path in paths)
    yield from _paths(call, paths)


def _scalar(call: Call) -> _Found:
    words = read(call.argv[1:], _PLAIN).operands
    if words[:1] == ("delete",):
        yield from (Deletes(call.at(path), True) for path in words[1:])
    elif words[:1] == ("clone",):
        yield Fetches(words[1] if len(words) > 1 else HOLE)
    elif words[:1] in (("register",), ("run",), ("reconfigure",)):
        yield Persists(f"scalar {words[0]}")


# verb → how sure it is that something elsewhere is lost
_SHARED: Mapping[str, Mapping[str, bool]] = {
    "p4": {"obliterate": True, "submit": False, "delete": False, "revert": False, "clean": False},
    "fossil": {"push": False, "sync": False, "purge": False, "scrub": True},
    "bzr": {"push": False, "uncommit": False},
    "brz": {"push": False, "uncommit": False},
    "darcs": {"push": False, "obliterate": False, "send": False},
    "pijul": {"push": False},
    "gt": {"submit": False, "ss": False, "s": False, "sync": False, "repo": False, "delete": False},
    "spr": {"diff": False, "land": False, "update": False, "merge": False},
    "git-branchless": {"submit": False, "sync": False, "hide": False},
    "sl": {"push": False, "pr": False, "hide": False},
}


def _shared(call: Call) -> _Found:
    words = read(call.argv[1:], _PLAIN).operands
    yield from _paths(call, words)
    if words and words[0] in _SHARED[call.name]:
        yield Destroys("remote", f"{call.name} {words[0]}", _SHARED[call.name][words[0]])


def _paths(call: Call, words: tuple[str, ...]) -> _Found:
    yield from (Reads(call.at(word)) for word in words if word and "://" not in word)


READERS: dict[str, Reader] = {
    "jj": _jj,
    "hg": _hg,
    "svn": _svn,
    "scalar": _scalar,
    **dict.fromkeys(_SHARED, _shared),
}
