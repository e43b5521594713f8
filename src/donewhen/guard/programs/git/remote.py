"""Verbs of git that talk to other repositories or make new ones: clone, fetch, remotes, submodules,
worktrees.

Getting from the configured remote is ordinary; a clone brings foreign files and is a fetch. Which address a
configured remote has is not looked up.
"""

from donewhen.guard.call import Text, Words
from donewhen.guard.effects import (
    Connects,
    Deletes,
    Fetches,
    Persists,
    Publishes,
    Pushes,
    Sends,
    Unknown,
    Writes,
)
from donewhen.guard.ground import absolute
from donewhen.guard.marks import shown
from donewhen.guard.options import options, read
from donewhen.guard.programs.git.config import setting
from donewhen.guard.programs.git.frame import (
    Found,
    Frame,
    address,
    commands,
    doubts,
    placed,
    reached,
    rewrites,
    touched,
    transport,
)
from donewhen.guard.programs.git.refs import all_rewritten

_CLONE = options(
    flags="vqlns", values="obucj",
    long_flags="verbose quiet progress no-checkout bare mirror local no-hardlinks shared "
    "recurse-submodules recursive "
    "dissociate single-branch no-single-branch no-tags tags shallow-submodules sparse also-filter-submodules "
    "remote-submodules reject-shallow ipv4 ipv6",
    long_values="origin branch upload-pack reference reference-if-able separate-git-dir depth shallow-since "
    "shallow-exclude config jobs template filter bundle-uri ref-format server-option revision",
)  # fmt: skip
_FETCH = options(
    flags="aftTnkpPvqmu46", values="jo", attached="rS",
    long_flags="all append force prune prune-tags tags no-tags multiple verbose quiet dry-run keep "
    "update-shallow "
    "update-head-ok unshallow refetch no-recurse-submodules recurse-submodules write-fetch-head "
    "no-write-fetch-head "
    "auto-gc no-auto-gc progress ipv4 ipv6 atomic stdin rebase no-rebase ff ff-only no-ff no-commit "
    "commit squash "
    "no-squash edit no-edit autostash no-autostash no-verify verify set-upstream "
    "allow-unrelated-histories signoff",
    long_values="depth deepen shallow-since shallow-exclude upload-pack jobs refmap server-option "
    "negotiation-tip "
    "filter strategy strategy-option",
)  # fmt: skip
_REMOTE = options(flags="vfn", values="tm", long_flags="push all add delete tags no-tags verbose auto prune")
_SUBMODULE = options(
    flags="qfN", values="bj",
    long_flags="quiet force init remote recursive checkout merge rebase cached files all single-branch "
    "progress no-fetch recommend-shallow",
    long_values="name reference depth jobs branch filter",
)  # fmt: skip
_EACH = options(flags="q", long_flags="recursive quiet", first=True)
_WORKTREE = options(
    flags="fdqnvz", values="bB", long_flags="force detach checkout no-checkout lock orphan quiet track "
    "guess-remote "
    "porcelain dry-run verbose relative-paths", long_values="reason expire",
)  # fmt: skip
_INIT = options(flags="q", values="b", long_flags="bare quiet", attached="",
                long_values="template separate-git-dir object-format initial-branch ref-format")  # fmt: skip
_LFS = options(flags="aI", values="", long_flags="all local worktree everything force skip-smudge system",
               long_values="include exclude include-ref exclude-ref file")  # fmt: skip
_LS_REMOTE = options(flags="htqb", values="o", long_flags="heads branches tags refs quiet get-url "
"exit-code symref",
                     long_values="upload-pack sort server-option")  # fmt: skip


def clone(frame: Frame) -> Found:
    given = read(frame.args, _CLONE)
    yield from doubts(frame, given)
    yield from commands(frame, given, "-u", "--upload-pack")
    for pair in given.all("-c", "--config"):
        name, _, value = pair.partition("=")
        yield from setting(frame, name.lower(), value)
    if given.has("--template"):
        yield Unknown("guard.unknown_option", "git clone --template")
    if not given.operands:
        return
    source = given.operands[0]
    goal = frame.at(given.operands[1] if len(given.operands) > 1 else _basename(source))
    yield from transport(frame, source)
    host, path = address(source)
    if host or not path:
        yield Fetches(host or shown(source), goal)
    yield from placed(frame, goal)
    for folder in given.all("--separate-git-dir"):
        yield from placed(frame, frame.at(folder))


def _basename(source: str) -> str:
    return (
        source.rstrip("/").removesuffix("/.git").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
        or "."
    )


def fetch(frame: Frame) -> Found:
    given = read(frame.args, _FETCH)
    yield from doubts(frame, given)
    yield from commands(frame, given, "--upload-pack", "--exec")
    force = given.has("-f", "--force")
    refs = given.operands if given.has("--multiple") else given.operands[1:]
    yield from reached(frame, given.operands[0] if given.operands else frame.call.ground.remote)
    specs = list(refs) + given.all("--refmap")
    specs += [value for key, value in frame.settings if key.startswith("remote.") and key.endswith(".fetch")]
    for spec in specs:
        _, colon, goal = spec.partition(":")
        prunes = given.has("-p", "--prune") and "*" in goal
        if colon and goal and (force or prunes or spec.startswith("+")):
            yield from rewrites(frame, goal, "fetch")


def pull(frame: Frame) -> Found:
    yield from touched(frame)
    yield from fetch(frame)


def ls_remote(frame: Frame) -> Found:
    given = read(frame.args, _LS_REMOTE)
    yield from commands(frame, given, "--upload-pack", "--exec")
    yield from reached(frame, given.operands[0] if given.operands else frame.call.ground.remote)


def remote(frame: Frame) -> Found:
    given = read(frame.args, _REMOTE)
    verb, words = (given.operands[0], given.operands[1:]) if given.operands else ("", ())
    if verb in ("", "show", "get-url"):
        return
    yield from touched(frame)
    for word in words[1:]:
        yield from transport(frame, word)
    if verb == "set-url":
        yield Unknown("guard.unknown_option", "git remote set-url " + shown(" ".join(words)))
    elif verb == "update" or (verb == "add" and given.has("-f")):
        yield from reached(frame, words[-1] if words else frame.call.ground.remote)


def submodule(frame: Frame) -> Found:
    """Updating takes what the project itself declares, like an install; adding brings something new."""
    given = read(frame.args, _SUBMODULE._replace(first=True))
    verb = given.operands[0] if given.operands else "status"
    rest = given.operands[1:]
    if verb not in ("status", "summary"):
        yield from touched(frame)
    if verb == "foreach":
        yield from _each(frame, read(rest, _EACH).operands)
    elif verb == "add":
        words = read(rest, _SUBMODULE).operands
        for source in words[:1]:
            yield from clone(frame._replace(args=words[:2]))
            yield from transport(frame, source)
    elif verb == "update":
        yield Connects(frame.call.ground.remote)
    elif verb == "set-url":
        yield Unknown("guard.unknown_option", "git submodule set-url")
    elif verb == "deinit":
        yield from (Deletes(frame.at(word), True) for word in read(rest, _SUBMODULE).operands)


def _each(frame: Frame, words: tuple[str, ...]) -> Found:
    """One word is a shell text, several are a command."""
    if len(words) == 1:
        yield Text(words[0], "git submodule", frame.folder)
    elif words:
        yield Words(words, "git submodule", frame.folder)


def worktree(frame: Frame) -> Found:
    given = read(frame.args, _WORKTREE)
    verb, words = (given.operands[0], given.operands[1:]) if given.operands else ("list", ())
    if verb == "add" and words:
        yield from placed(frame, frame.at(words[0]))
        for name in given.all("-B"):
            yield from rewrites(frame, name, "reset")
    elif verb in ("remove", "move") and words:
        yield from _removed(frame, words[0])
        yield from (Writes(frame.at(word)) for word in words[1:2] if verb == "move")


def _removed(frame: Frame, word: str) -> Found:
    """A worktree may be named by the end of its path; a bare name is then a neighbour of this one."""
    yield Deletes(frame.at(word), True)
    if "/" not in word and word not in (".", ".."):
        yield Deletes(absolute(f"../{word}", frame.call.ground.workspace), True)


def init(frame: Frame) -> Found:
    given = read(frame.args, _INIT)
    yield from placed(frame, frame.at(given.operands[0] if given.operands else "."))
    yield from (w for folder in given.all("--separate-git-dir") for w in placed(frame, frame.at(folder)))
    if given.value("--template"):
        yield Unknown("guard.unknown_option", "git init --template")


def lfs(frame: Frame) -> Found:
    given = read(frame.args, _LFS)
    verb, words = (given.operands[0], given.operands[1:]) if given.operands else ("", ())
    if verb == "push" and words:
        yield from (Pushes(words[0], name) for name in words[1:] or (frame.branch,))
    elif verb in ("fetch", "pull", "clone"):
        yield Connects(words[0] if words else frame.call.ground.remote)
    elif verb in ("install", "uninstall") and not given.has("--local", "--worktree"):
        yield Writes(frame.call.ground.home + "/.gitconfig")
    elif verb == "migrate" and words[:1] != ("info",):
        yield from touched(frame)
        if given.has("--everything"):
            yield from all_rewritten(frame, "lfs migrate")
        for name in given.all("--include-ref") or words[1:] or ["HEAD"]:
            yield from rewrites(frame, name, "lfs migrate")


def exposed(frame: Frame) -> Found:
    """The repository's content goes out: by mail, or served to whoever asks."""
    if "--dry-run" not in frame.args:
        yield Sends(f"git {frame.verb}", "content")


def bridged(frame: Frame) -> Found:
    """Other systems behind git: svn, p4, cvs."""
    verb = frame.args[0] if frame.args else ""
    if (
        verb in ("dcommit", "commit-diff", "submit", "set-tree", "branch", "tag")
        or frame.verb == "cvsexportcommit"
    ):
        yield Publishes(f"git {frame.verb}", verb)
    elif verb in ("clone", "init"):
        yield Fetches(f"git {frame.verb}", frame.folder)
    else:
        yield from touched(frame)
        yield Connects(f"git {frame.verb}")


def maintenance(frame: Frame) -> Found:
    verb = frame.args[0] if frame.args else ""
    if verb == "start":
        yield Persists("git maintenance start")
    elif verb in ("register", "unregister", "stop"):
        yield Writes(frame.call.ground.home + "/.gitconfig")
    else:
        yield from touched(frame)


VERBS = {
    "clone": clone, "fetch": fetch, "fetch-pack": fetch, "pull": pull, "ls-remote": ls_remote,
    "remote": remote, "submodule": submodule, "worktree": worktree, "init": init, "init-db": init, "lfs": lfs,
    "send-email": exposed, "imap-send": exposed, "daemon": exposed, "instaweb": exposed,
    "http-backend": exposed, "svn": bridged, "p4": bridged, "cvsexportcommit": bridged, "cvsimport": bridged,
    "archimport": bridged, "maintenance": maintenance, "request-pull": ls_remote,
}  # fmt: skip
