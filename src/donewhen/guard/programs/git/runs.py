"""Verbs of git that run commands for the user, rewrite history with them, or hand out credentials.

What they run is given on to be judged as if it stood alone. Code in other languages (callbacks of filter-
repo) is not read here.
"""

from donewhen.guard.call import Text, Words
from donewhen.guard.effects import Alters, Reveals, SkipsHooks, Unknown
from donewhen.guard.options import options, read
from donewhen.guard.programs.git.frame import Found, Frame, commands, rewrites, touched
from donewhen.guard.programs.git.paths import diff
from donewhen.guard.programs.git.refs import all_rewritten, named_or_all

_FILTERS = (
    "--setup", "--env-filter", "--tree-filter", "--index-filter", "--parent-filter", "--msg-filter",
    "--commit-filter", "--tag-name-filter",
)  # fmt: skip
_FILTER_BRANCH = options(
    flags="f", values="d", long_flags="force prune-empty remap-to-ancestor all branches tags",
    long_values="setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter "
    "tag-name-filter "
    "subdirectory-filter original state-branch",
)  # fmt: skip
_FILTER_REPO = options(
    flags="f", long_flags="force analyze dry-run invert-paths partial prune-empty replace-refs",
    long_values="path path-glob path-regex path-rename paths-from-file subdirectory-filter "
    "to-subdirectory-filter "
    "refs replace-text replace-message mailmap source target strip-blobs-bigger-than strip-blobs-with-ids "
    "tag-rename blob-callback commit-callback message-callback name-callback email-callback "
    "filename-callback "
    "refname-callback tag-callback reset-callback",
)  # fmt: skip
_TOOL = options(
    flags="gydr", values="tx", long_flags="gui no-prompt prompt dir-diff tool-help trust-exit-code "
    "cached staged",
    long_values="tool extcmd output",
)  # fmt: skip
_REPOS = options(long_values="config", long_flags="keep-going", first=True)
_SHELL = options(values="c")


def bisect(frame: Frame) -> Found:
    yield from touched(frame)
    if frame.args[:1] == ("run",):
        words = frame.args[1:]
        yield (
            Words(words, "git bisect", frame.folder)
            if words
            else Unknown("guard.unknown_command", "git bisect run")
        )


def filter_branch(frame: Frame) -> Found:
    given = read(frame.args, _FILTER_BRANCH)
    yield from touched(frame)
    for text in given.all(*_FILTERS):
        # filters run in a checkout of their own
        yield Text(text, "git filter-branch", f"{frame.tree}/.git-rewrite/t")
    yield from named_or_all(frame, given, "filter-branch")


def filter_repo(frame: Frame) -> Found:
    given = read(frame.args, _FILTER_REPO)
    if given.has("--analyze", "--dry-run"):
        return
    yield from touched(frame)
    for name, value in given.options:
        if name.endswith("-callback"):
            yield Unknown("guard.unknown_code", value)
    if not given.has("--refs"):
        yield from all_rewritten(frame, "filter-repo")
        return
    for name in (*given.all("--refs"), *given.operands):
        yield from rewrites(frame, name, "filter-repo")


def difftool(frame: Frame) -> Found:
    yield from commands(frame, read(frame.args, _TOOL), "-x", "--extcmd")
    if frame.verb == "difftool":
        yield from diff(frame)
    else:
        yield from touched(frame)


def for_each_repo(frame: Frame) -> Found:
    given = read(frame.args, _REPOS)
    yield Unknown("guard.unknown_path", "git for-each-repo")
    yield Words(("git", *given.operands), "git for-each-repo", frame.folder)


def shell(frame: Frame) -> Found:
    yield from commands(frame, read(frame.args, _SHELL), "-c")


def fast_import(frame: Frame) -> Found:
    yield from touched(frame)
    yield Unknown("guard.unknown_ref", f"git {frame.verb}")


def credential(frame: Frame) -> Found:
    verb = next((word for word in frame.args if not word.startswith("-")), "")
    if verb in ("fill", "get"):
        yield Reveals("credential", f"git {frame.verb} {verb}")
    elif verb != "capability":
        yield Alters(f"git {frame.verb} {verb}")


def hook(frame: Frame) -> Found:
    """Running a hook is what hooks are for; anything else about them is not known."""
    if frame.args[:1] not in ((), ("run",), ("list",)):
        yield SkipsHooks("git hook")


_HELPERS = "store cache osxkeychain libsecret manager manager-core wincred netrc gnome-keyring".split()
VERBS = {
    "bisect": bisect, "filter-branch": filter_branch, "filter-repo": filter_repo, "difftool": difftool,
    "mergetool": difftool, "for-each-repo": for_each_repo, "shell": shell, "fast-import": fast_import,
    "remote-ext": fast_import, "hook": hook, "credential": credential,
    **{f"credential-{name}": credential for name in _HELPERS},
}  # fmt: skip
