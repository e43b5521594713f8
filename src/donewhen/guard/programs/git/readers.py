"""Git: which effects a call has, whatever verb, options, settings and environment it is given.

The verbs live in modules beside this one, each a table of readers. A verb that is in none of them may be an
alias of the user's configuration, which is not read: it is unknown.
"""

from donewhen.guard.call import Call, Reader, Words
from donewhen.guard.effects import Loads, Reveals, Unknown
from donewhen.guard.marks import HOLE, SECRET, certain, shown
from donewhen.guard.programs.git import config as git_config
from donewhen.guard.programs.git import hooks as git_hooks
from donewhen.guard.programs.git import others as git_others
from donewhen.guard.programs.git import patches as git_patches
from donewhen.guard.programs.git import paths as git_paths
from donewhen.guard.programs.git import push as git_push
from donewhen.guard.programs.git import refs as git_refs
from donewhen.guard.programs.git import remote as git_remote
from donewhen.guard.programs.git import runs as git_runs
from donewhen.guard.programs.git import tree as git_tree
from donewhen.guard.programs.git.frame import Found, Frame, Verb, frame_of

VERBS: dict[str, Verb] = {
    **git_paths.VERBS, **git_refs.VERBS, **git_tree.VERBS, **git_push.VERBS, **git_config.VERBS,
    **git_remote.VERBS, **git_runs.VERBS, **git_patches.VERBS,
}  # fmt: skip


_PUBLIC = frozenset("commit tag notes branch commit-tree".split())  # their words go wherever a push goes


def read_git(call: Call) -> Found:
    frame = frame_of(call)
    if frame.settings:
        yield from _settings(frame)
    if call.env:
        yield from git_config.environment(frame)
    for word in frame.lead[1:]:
        if word.startswith("--exec-path="):
            yield Loads("git --exec-path")
        elif word.startswith("-") and not certain(word.partition("=")[0]):
            yield Unknown("guard.unknown_option", f"git {shown(word)}")
    reader = VERBS.get(frame.verb)
    if reader is None:
        yield from _other(frame)
    elif frame.args[:1] != ("--help",) and frame.args != ("-h",):
        yield from reader(frame)
        yield from git_paths.outputs(frame)
        if frame.verb in _PUBLIC and any(SECRET in word for word in frame.args):
            yield Reveals("variable", f"git {frame.verb}")


def _settings(frame: Frame) -> Found:
    """An alias counts where it is used; one for a verb of git itself is never used."""
    for key, value in frame.settings:
        if not key.startswith("alias.") or value.startswith("!"):
            yield from git_config.setting(frame, key, value)


def _other(frame: Frame) -> Found:
    verb = frame.verb
    if not verb:
        return
    value = frame.setting("alias." + verb.lower())
    if value is not None:
        yield from git_config.alias(frame, value, frame.args, _lead_without(frame, verb.lower()))
        return
    yield Unknown("guard.unknown_command", f"git {shown(verb)}")
    if verb.startswith(HOLE) and frame.args:
        # it may be empty, or an option
        yield Words((*frame.lead, *frame.args), "git", "", frame.call.env, frame.call.stdin)


def _lead_without(frame: Frame, name: str) -> tuple[str, ...]:
    """The global options but the alias itself, so that aliases of each other come to an end."""
    kept: list[str] = []
    for word in frame.lead:
        if kept and kept[-1] == "-c" and word.partition("=")[0].lower() == "alias." + name:
            kept.pop()
        else:
            kept.append(word)
    return tuple(kept)


def branch_after(call: Call) -> str | None:
    """The branch that the workspace is on when this call of git is done; None when it stays where it is.

    For whoever follows a line: `git checkout main && git reset --hard HEAD~3` resets main.
    """
    frame = frame_of(call)
    return git_refs.head_after(frame) if frame.inside(frame.git_dir or frame.folder) else None


def _program(call: Call) -> Found:
    """`git-push` and the like, as they lie in git's own folder."""
    return read_git(call._replace(argv=("git", call.name.removeprefix("git-"), *call.argv[1:])))


READERS: dict[str, Reader] = {
    "git": read_git,
    **git_hooks.READERS,
    **git_others.READERS,
    **{f"git-{verb}": _program for verb in VERBS},
}
