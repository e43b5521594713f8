"""What a call would commit or push, told before it is made: for hooks that look at commits.

Which files it means is read from its words, generously: what can't be told apart counts as everything that
differs from the last commit. What it did commit is looked at again when it is over (`committing`). Nothing is
run for it that the repository could name.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.guard.decision import Found
from donewhen.guard.effects import Executes
from donewhen.run.engine.calls import Call
from donewhen.run.shipping.before import ToCommit
from donewhen.run.shipping.site import Site
from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS
from donewhen.workspace.git.runner import names

_WITH_VALUE = frozenset(
    ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env")
)
# Options of `git commit` that take no further files; any other word may name some.
_MESSAGE = re.compile(r"-[qs]*[mFCc]|--(?:message|file|author|date|trailer)")
_PLAIN = re.compile(
    r"-[qs]*[mF].+|-[qs]+|--(?:quiet|signoff|amend|no-edit|allow-empty|no-gpg-sign|(?:message|file|author|date)=.*)",
    re.DOTALL,
)
_SPECIAL = frozenset("*?[]{}$`\\\0:~")


class Held(NamedTuple):
    """Which part of the workspace a call would commit or push."""

    everything: bool = False
    staged: bool = False
    paths: tuple[str, ...] = ()
    pushed: bool = False

    def __or__(self, other: "Held") -> "Held":
        return Held(
            self.everything or other.everything,
            self.staged or other.staged,
            tuple(dict.fromkeys((*self.paths, *other.paths))),
            self.pushed or other.pushed,
        )


NOTHING = Held()


def held_by(call: Call) -> Held:
    """What a call means to commit; NOTHING for any other call."""
    if call.tool.name == "git_commit" and not call.tool.foreign:
        paths = tuple(getattr(call.args, "paths", ()))
        return Held(paths=paths) if paths else Held(everything=True)
    if call.tool.name == "git_push" and not call.tool.foreign:
        return Held(pushed=True)
    held = NOTHING
    for found in call.decision.effects if call.is_command else ():
        held = held | _by_command(found)
    return held


def pending(site: Site, held: Held, head: str, tree: str) -> ToCommit:
    """The files and the text of what would be committed; `head`: the last commit, `tree`: the workspace's."""
    prints = site.fingerprints
    try:
        last = prints.tree(head)
    except SetupError:
        last = site.base_tree  # a commit that can't be read: all since the base is looked at
    staged = _staged(site, last) if held.staged else ToCommit((), "")
    everything = held.everything or staged is None
    changed = sorted(prints.changed(last, tree))
    wanted = changed if everything else [path for path in changed if _meant(path, held.paths)]
    files, texts = set(wanted), list[str]()
    if wanted:
        after = tree if everything else prints.composed(tree, last, wanted)
        texts.append(prints.diff(last, after, context=3))
    if staged is not None:
        files.update(staged.files)
        texts.append(staged.diff)
    if held.pushed:
        files.update(prints.changed(site.base_tree, last))
        texts.append(prints.diff(site.base_tree, last, context=3))
    return ToCommit(tuple(sorted(files)), "".join(texts))


def _by_command(found: Found) -> Held:
    if not isinstance(found.effect, Executes) or found.effect.program != "git":
        return NOTHING
    name, words = _subcommand(found.argv[1:])
    if name == "add" or name == "stage":
        paths = tuple(word for word in words if not word.startswith("-"))
        sweeping = len(paths) < len(words) - words.count("--") or not all(map(_is_plain, paths))
        return Held(everything=True) if sweeping or not paths else Held(paths=paths)
    if name == "commit":
        return Held(everything=True) if any(_further(words)) else Held(staged=True)
    return {"stash": Held(everything=True), "push": Held(pushed=True)}.get(name, NOTHING)


def _subcommand(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _WITH_VALUE else 1
    return (words[at], words[at + 1 :]) if at < len(words) else ("", ())


def _further(words: Sequence[str]) -> Iterator[str]:
    """The words of `git commit` that may make it take more than what is staged."""
    at = 0
    while at < len(words):
        if _MESSAGE.fullmatch(words[at]):
            at += 1
        elif not _PLAIN.fullmatch(words[at]):
            yield words[at]
        at += 1


def _is_plain(path: str) -> bool:
    return _SPECIAL.isdisjoint(path) and path.strip("./") != "" and ".." not in path.split("/")


def _meant(path: str, wanted: tuple[str, ...]) -> bool:
    """Whether a path may be one that is wanted, from whatever folder that was said."""
    for each in wanted:
        name = each.removeprefix("./").rstrip("/")
        if f"/{name}/" in f"/{path}/" or name in ("", ".") or name.startswith("/"):
            return True
    return False


def _staged(site: Site, last: str) -> ToCommit | None:
    """What is in the index; None when it can't be read."""
    git = site.repository.git()
    words = ("diff-index", "--cached", "-r", "--no-renames")
    listed = git.attempt(*words, "--name-only", "-z", last)
    text = git.attempt(*words, "-p", *GIT_DIFF_ARGUMENTS, last) if listed.out else listed
    if listed.exit or text.exit:
        return None
    return ToCommit(tuple(names(listed.out)), text.out.decode(errors="surrogateescape"))
