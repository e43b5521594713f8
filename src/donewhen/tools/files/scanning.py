"""Which files a search looks at: what git tracks, and what it does not ignore, without the noise.

A folder that one asks for is searched whatever its name or git says: then it is walked, and only git
directories are left out. git runs with everything off that a repository could start.
"""

import os
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.tools.files.noise import NOISE, noisy
from donewhen.tools.files.walking import Walk
from donewhen.tools.files.working import Stop
from donewhen.tools.inside import is_git, top
from donewhen.tools.model import ToolContext
from donewhen.workspace.git.runner import names

_LITERAL = {"GIT_LITERAL_PATHSPECS": "1"}
_MODULE = "160000 "  # the mode of a repository inside another


class Found(NamedTuple):
    paths: list[str]  # from the workspace's root, sorted, each once
    notes: tuple[Phrase, ...] = ()


def files_below(context: ToolContext, folder: str, stop: Stop) -> Found:
    """The files of a search in a folder of the workspace."""
    if folder != "." and (noisy(folder) or _nested(context, folder) or is_ignored(context, folder, stop)):
        return _walked(context, [folder], stop, everything=noisy(folder))
    try:
        listed = _listed(context, folder, stop)
    except SetupError:
        found = _walked(context, [folder], stop)
        return found._replace(notes=(*found.notes, Phrase("toolbox.without_git")))
    others = {each for each in listed.others if not _left_out(each, context)}
    # git names a repository inside this one and says nothing of what is in it
    inner = [*listed.modules, *(each.rstrip("/") for each in others if each.endswith("/"))]
    kept = listed.tracked | {each for each in others if not each.endswith("/")}
    if not inner:
        return Found(sorted(kept))
    walked = _walked(context, inner, stop)
    return Found(sorted({*kept, *walked.paths}), walked.notes)


def is_ignored(context: ToolContext, path: str, stop: Stop) -> bool:
    return path in ignored(context, [path], stop)


def ignored(context: ToolContext, paths: list[str], stop: Stop) -> set[str]:
    """Those of the paths that git ignores; tracked ones never are."""
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    started = context.repository.git().start("check-ignore", "-z", "--stdin")
    with stop.over(started.process):
        ran = started.finish(given)
    return set(names(ran.out)) if ran.exit == 0 else set()


def tracked_below(context: ToolContext, folders: list[str], stop: Stop) -> set[str]:
    """Files that git tracks in some folders."""
    if not folders:
        return set()
    started = context.repository.git().start("ls-files", "-z", "--cached", "--", *folders, **_LITERAL)
    with stop.over(started.process):
        return set(names(started.finish().out))


def _left_out(path: str, context: ToolContext) -> bool:
    """Whether an untracked file is noise: by a folder that it is in, never by its own name."""
    return noisy(path.rpartition("/")[0]) or context.is_exempt(path)


class _Listed(NamedTuple):
    tracked: set[str]
    modules: list[str]  # tracked too, but as a repository
    others: set[str]


def _listed(context: ToolContext, folder: str, stop: Stop) -> _Listed:
    git = context.repository.git()
    words = ("ls-files", "-z")
    staged = git.start(*words, "--stage", "--", folder, **_LITERAL)
    others = git.start(*words, "--others", "--exclude-standard", "--", folder, **_LITERAL)
    with stop.over(staged.process), stop.over(others.process):
        answers = staged.finish(), others.finish()
    if any(ran.exit for ran in answers):
        raise SetupError("git.failed", command="ls-files", why="".join(ran.err for ran in answers)[:300])
    entries = [entry.partition("\t") for entry in names(answers[0].out)]
    modules = sorted({path for about, _, path in entries if about.startswith(_MODULE)})
    return _Listed({path for _, _, path in entries}.difference(modules), modules, set(names(answers[1].out)))


def _walked(context: ToolContext, folders: list[str], stop: Stop, *, everything: bool = False) -> Found:
    skip = is_git if everything else (lambda name: name in NOISE or is_git(name))
    with top(context.root) as root:
        walk = Walk(root, stop, skip)
        paths = sorted({path for folder in folders for path in walk.below(folder)})
    kept = [path for path in paths if not is_git(path.rpartition("/")[2])]  # a `.git` file of a worktree
    return Found(kept, () if walk.whole else (Phrase("toolbox.scan_cut"),))


def _nested(context: ToolContext, folder: str) -> bool:
    """Whether the folder lies in a repository of its own inside the workspace."""
    parts = folder.split("/")
    above = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return any(os.path.lexists(context.root / each / ".git") for each in above)
