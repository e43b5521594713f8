"""Verbs of git that move, rename or delete branches of this repository.

Each names the branch in full; whether that branch is protected is for the rules. Verbs that only add
commits to the current branch (`merge`, `cherry-pick`, `revert`) rewrite nothing.
"""

from donewhen.guard.effects import Destroys, Loses, Reads, Rewrites, SkipsHooks, Unknown
from donewhen.guard.marks import anything, certain, shown
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.git.frame import (
    Found,
    Frame,
    branch_name,
    commands,
    doubts,
    every_branch,
    is_protected,
    rewrites,
    touched,
)

BRANCH = options(
    flags="vqradDmMcCflti", values="u",
    long_flags="verbose quiet remotes all delete move copy force list track no-track show-current "
    "create-reflog "
    "edit-description unset-upstream ignore-case column no-column abbrev no-abbrev color no-color omit-empty "
    "recurse-submodules",
    long_values="set-upstream-to contains no-contains merged no-merged points-at format sort",
)  # fmt: skip
CHECKOUT = options(
    flags="fqdmptl23", values="bB", attached="t",
    long_flags="quiet force detach track no-track merge patch ours theirs guess no-guess overlay no-overlay "
    "ignore-skip-worktree-bits ignore-other-worktrees recurse-submodules no-recurse-submodules "
    "progress no-progress "
    "overwrite-ignore pathspec-file-nul",
    long_values="orphan conflict pathspec-from-file",
)  # fmt: skip
SWITCH = options(
    flags="fqdmt", values="cC",
    long_flags="quiet force detach track no-track merge discard-changes guess no-guess "
    "ignore-other-worktrees "
    "recurse-submodules progress no-progress overwrite-ignore",
    long_values="create force-create orphan conflict",
)  # fmt: skip
REBASE = options(
    flags="iqvnmkfp", values="xsXC", attached="rS",
    long_flags="interactive quiet verbose no-verify verify continue abort skip quit edit-todo "
    "show-current-patch root "
    "autosquash no-autosquash autostash no-autostash force-rebase no-ff fork-point no-fork-point "
    "keep-base keep-empty "
    "no-keep-empty merge apply signoff stat no-stat reset-author-date committer-date-is-author-date "
    "ignore-date "
    "ignore-whitespace rebase-merges no-rebase-merges update-refs no-update-refs "
    "reschedule-failed-exec gpg-sign "
    "no-gpg-sign rerere-autoupdate",
    long_values="onto exec strategy strategy-option whitespace empty",
)  # fmt: skip
RESET = options(
    flags="qpN", values="U",
    long_flags="quiet soft mixed hard merge keep patch intent-to-add recurse-submodules "
    "no-recurse-submodules "
    "refresh no-refresh pathspec-file-nul",
    long_values="pathspec-from-file unified inter-hunk-context",
)  # fmt: skip
UPDATE_REF = options(
    flags="dz", values="m", long_flags="stdin no-deref deref create-reflog batch-updates", long_values=""
)
_TAG = options(
    flags="aslfdvei", values="mFu", attached="n",
    long_flags="annotate sign list force delete verify edit create-reflog no-sign ignore-case column "
    "omit-empty",
    long_values="message file local-user cleanup sort format contains no-contains merged no-merged "
    "points-at trailer",
)  # fmt: skip
_SYMBOLIC_REF = options(flags="dq", values="m", long_flags="delete quiet short recurse no-recurse")
_PAUSED = ("--continue", "--abort", "--skip", "--quit", "--edit-todo", "--show-current-patch")
_STDIN_VERBS = frozenset(("update", "delete", "create", "symref-update", "symref-delete", "symref-create"))


def branch(frame: Frame) -> Found:
    given = read(frame.args, BRANCH)
    yield from doubts(frame, given)
    names = given.operands
    force = given.has("-f", "--force")
    if given.has("-d", "-D", "--delete"):
        if given.has("-r", "--remotes"):
            return
        lost = given.has("-D") or force
        for name in names:  # -d alone leaves a branch that is not merged
            yield from rewrites(frame, name, "delete" if lost else "delete merged")
    elif given.has("-m", "-M", "--move", "-c", "-C", "--copy"):
        if given.has("-m", "-M", "--move"):
            yield from rewrites(frame, names[0] if len(names) > 1 else "HEAD", "rename")
        if names and (force or given.has("-M", "-C")):
            yield from rewrites(frame, names[-1], "replace")
    elif force and names:
        yield from rewrites(frame, names[0], "move")
    if (names and not given.has("-l", "--list")) or given.has("-u", "--set-upstream-to", "--unset-upstream"):
        yield from touched(frame)


def checkout(frame: Frame) -> Found:
    yield from _checked_out(frame, CHECKOUT, "-B")


def switch(frame: Frame) -> Found:
    yield from _checked_out(frame, SWITCH, "-C", "--force-create")


def _checked_out(frame: Frame, table: Options, *resets: str) -> Found:
    given = read(frame.args, table)
    for name in given.all(*resets):
        yield from rewrites(frame, name, "replace")
    if given.has("-f", "--force", "--discard-changes"):
        yield Loses("changes")
    strange = [name for name, _ in given.options if "\x00" in name]
    if strange:
        yield Unknown("guard.unknown_option", f"git {frame.verb} {shown(strange[0])}")
    yield from touched(frame)


def rebase(frame: Frame) -> Found:
    given = read(frame.args, REBASE)
    yield from touched(frame)
    yield from commands(frame, given, "-x", "--exec")
    if given.has("--no-verify"):
        yield SkipsHooks("git rebase --no-verify")
    if given.has(*_PAUSED):
        return
    yield from doubts(frame, given._replace(unsure=0))
    position = 0 if given.has("--root") else 1
    moved = given.operands[position] if len(given.operands) > position else "HEAD"
    kept = "" if position == 0 else given.operands[0] if given.operands else "@{upstream}"
    yield from rewrites(frame, moved, "rebase", _range(moved, kept))


def reset(frame: Frame) -> Found:
    given = read(frame.args, RESET)
    yield from touched(frame)
    moves = given.has("--soft", "--mixed", "--keep", "--merge") and bool(given.operands)
    goal = given.operands[0] if given.operands else "HEAD"
    if given.has("--hard") or (goal not in ("HEAD", "@") and (moves or _is_revision(goal))):
        yield from rewrites(frame, "HEAD", "reset", _range("HEAD", goal))
    if given.has("--hard"):
        yield Loses("changes")


def _range(moved: str, kept: str) -> tuple[str, ...]:
    """The commits of `moved` that `kept` does not have; none where one of them is no plain word."""
    words = (moved, f"^{kept}") if kept else (moved,)
    return words if all(certain(word) and word[:1] not in ("-", "") for word in words) else ()


def _is_revision(word: str) -> bool:
    return (
        "~" in word or "^" in word or "@{" in word or (len(word) > 6 and not word.strip("0123456789abcdef"))
    )


def update_ref(frame: Frame) -> Found:
    given = read(frame.args, UPDATE_REF)
    yield from doubts(frame, given)
    yield from touched(frame)
    if not given.has("--stdin"):
        if given.operands:
            yield from rewrites(frame, given.operands[0], "update-ref")
        return
    text = frame.call.stdin
    if text is None or "\x00" in text or "\x04" in text:
        yield Unknown("guard.unknown_ref", "git update-ref --stdin")
    for line in (text or "").splitlines():
        words = line.split()
        if len(words) > 1 and words[0] in _STDIN_VERBS:
            yield from rewrites(frame, words[1], "update-ref")


def symbolic_ref(frame: Frame) -> Found:
    given = read(frame.args, _SYMBOLIC_REF)
    if len(given.operands) > 1 or given.has("-d", "--delete"):
        yield from touched(frame)
        if given.operands and given.operands[0] not in ("HEAD", "@"):
            yield from rewrites(frame, given.operands[0], "symbolic-ref")


def tag(frame: Frame) -> Found:
    given = read(frame.args, _TAG)
    if not given.operands or given.has("-l", "--list", "-v", "--verify"):
        return
    yield from touched(frame)
    yield from (Reads(frame.at(file)) for file in given.all("-F", "--file") if file != "-")
    if given.has("-d", "--delete", "-f", "--force"):
        names = given.operands if given.has("-d", "--delete") else given.operands[:1]
        for name in names:
            yield from rewrites(frame, f"refs/tags/{name}", "tag")


def reflog(frame: Frame) -> Found:
    """Expiring all of it takes the way back from every branch, also of the main checkout."""
    words = frame.args
    if words[:1] == ("delete",) or words[:1] == ("expire",):
        yield from touched(frame)
    if words[:1] == ("expire",) and not {"-n", "--dry-run"} & set(words):
        yield Destroys("disk", "reflog", sure=False)


def gc(frame: Frame) -> Found:
    yield from touched(frame)
    pruned = [
        word for word in frame.args if word.startswith("--pru") and word.partition("=")[2] in ("now", "all")
    ]
    expired = [
        value for key, value in frame.settings if key.startswith(("gc.reflogexpire", "gc.pruneexpire"))
    ]
    if pruned or any(value in ("now", "all", "0") for value in expired):
        yield Destroys("disk", "unreachable commits", sure=False)


def prune(frame: Frame) -> Found:
    yield from touched(frame)
    if not {"-n", "--dry-run"} & set(frame.args):
        yield Destroys("disk", "unreachable commits", sure=False)


def all_rewritten(frame: Frame, how: str) -> Found:
    for name in every_branch(frame):
        yield Rewrites(name, how)


def named_or_all(frame: Frame, given: Given, how: str) -> Found:
    """Refs that a history filter goes through: those it names, the current branch when it names none."""
    everything = ("--all", "--branches")
    if given.has(*everything, "--glob") or any(word in everything for word in given.operands):
        yield from all_rewritten(frame, how)
        return
    for word in given.operands or ("HEAD",):
        if not word.startswith(("-", "^")):
            yield from rewrites(frame, word.rpartition("..")[2].removeprefix(".") or "HEAD", how)


def head_after(frame: Frame) -> str | None:
    """The branch that HEAD is on when the call is done; None: as before, or it may be a file."""
    if frame.verb in ("checkout", "switch"):
        return _head_after_checkout(frame)
    if frame.verb == "symbolic-ref" and len(frame.args) == 2 and frame.args[0] == "HEAD":
        return branch_name(frame.args[1], frame)
    if frame.verb == "branch":
        given = read(frame.args, BRANCH)
        renamed = given.has("-m", "-M", "--move") and bool(given.operands)
        own = len(given.operands) == 1 or given.operands[:1] == (frame.branch,)
        return given.operands[-1] if renamed and own else None
    if frame.verb == "rebase":
        given = read(frame.args, REBASE)
        position = 0 if given.has("--root") else 1
        return branch_name(given.operands[position], frame) if len(given.operands) > position else None
    return None


def _head_after_checkout(frame: Frame) -> str | None:
    given = read(frame.args, SWITCH if frame.verb == "switch" else CHECKOUT)
    made = given.all("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan")
    if made:
        return made[-1]
    if len(given.operands) != 1 or given.has("-d", "--detach", "-p", "--patch"):
        return None
    if "--" in frame.args and frame.args[-1] != "--":
        return None
    name = branch_name(given.operands[0], frame)
    # a lone operand of checkout may be a file; from a protected branch, leaving it is the likelier reading
    surely = frame.verb == "switch" or frame.args[-1] == "--" or anything(name)
    return name if surely or is_protected(name, frame) or is_protected(frame.branch, frame) else None


VERBS = {
    "branch": branch, "checkout": checkout, "switch": switch, "rebase": rebase, "reset": reset,
    "update-ref": update_ref, "symbolic-ref": symbolic_ref, "tag": tag, "reflog": reflog, "gc": gc,
    "prune": prune,
}  # fmt: skip
