"""The repository that somebody works in: found, and asked a few questions. Nothing is written to it.

The working tree is the folder that holds `.git`, whatever the settings inside say: `core.worktree` and
`core.bare` of a repository could send the harness elsewhere. Variables like GIT_DIR have no say either.
"""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.workspace.git.runner import Git

_LARGEST_REFS = 16 * 1024 * 1024
_HEADS = "refs/heads/"
_LENGTHS = {"sha1": 40, "sha256": 64}
_LONGEST_LINK = 8192  # bytes of a `.git` file or a `commondir`

# a file of the git directory that is there while the operation is not finished
_BUSY = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


class _At(NamedTuple):
    """Where HEAD is."""

    format: str
    head: str
    branch: str
    tree: str = ""


class Repository(NamedTuple):
    root: Path  # of the working tree
    git_dir: Path  # of this working tree
    common: Path  # the git directory that all its working trees share
    format: str  # of object ids: sha1 or sha256
    head: str  # the commit; empty when there is none yet
    branch: str  # empty when HEAD is detached
    busy: str  # the operation that is not finished: merge, rebase, …; empty for none
    env: Mapping[str, str]
    tree: str = ""  # of the head; empty when nobody looked

    @property
    def objects(self) -> Path:
        return self.common / "objects"

    def git(self) -> Git:
        return Git(self.root, self.env, self.git_dir)

    def commit(self, name: str) -> str:
        """The commit that a name means; empty when there is none."""
        if not name or name.startswith("-") or "\0" in name:
            return ""
        ran = self.git().attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        found = os.fsdecode(ran.out).strip()
        return found if ran.exit == 0 and found.isalnum() else ""  # `^HEAD` means all but a commit

    def merge_base(self, one: str, other: str) -> str:
        """The commit that two have in common; empty when their histories are unrelated."""
        ran = self.git().attempt("merge-base", one, other)
        return os.fsdecode(ran.out).strip() if ran.exit == 0 else ""

    def upstream(self) -> str:
        """The branch that this one follows, as people write it (`origin/main`); empty when there is none."""
        if not self.branch:
            return ""
        return _answer(self.git(), "rev-parse", "--abbrev-ref", "--quiet", f"{self.branch}@{{upstream}}")


def find_repository(folder: Path, env: Mapping[str, str]) -> Repository:
    """The repository whose working tree `folder` lies in; SetupError when there is none or git refuses it."""
    start = Path(os.path.realpath(folder))
    if not start.is_dir():
        raise SetupError("git.no_folder", folder=folder)
    device = start.stat().st_dev
    for above in (start, *start.parents):
        if above.stat().st_dev != device:  # as git does: a repository doesn't reach across file systems
            break
        git_dir = git_directory(above)
        if git_dir is not None:
            return _described(above, git_dir, env)
        if _is_git_directory(above):
            raise SetupError("git.no_work_tree", folder=above)
    raise SetupError("git.no_repository", folder=folder)


def repository_at(root: Path, env: Mapping[str, str]) -> Repository | None:
    """The repository whose working tree begins in this very folder; None when it is none."""
    git_dir = git_directory(root)
    if git_dir is None:
        return None
    try:
        return _described(root, git_dir, env)
    except SetupError:
        return None


def git_directory(root: Path) -> Path | None:
    """What the `.git` of a folder is or points to; None when that is no git directory."""
    found = root / ".git"
    if not found.is_dir():
        text = _first_line(found)
        if not text.startswith("gitdir: "):
            return None
        found = root / text.removeprefix("gitdir: ")
    found = Path(os.path.realpath(found))
    return found if _is_git_directory(found) else None


def _described(root: Path, git_dir: Path, env: Mapping[str, str]) -> Repository:
    _regular(root, ".gitignore", ".gitattributes", ".gitmodules")
    _regular(git_dir, "HEAD", "index", "config", "packed-refs")
    named = _first_line(git_dir / "HEAD")
    if named.startswith("ref: "):
        _regular(_common(git_dir), named.removeprefix("ref: "))
    git = Git(root, env, git_dir)
    at = _usual(git, named) or _step_by_step(git, git_dir)
    busy = next((name for file, name in _BUSY.items() if (git_dir / file).exists()), "")
    return Repository(root, git_dir, _common(git_dir), at.format, at.head, at.branch, busy, env, at.tree)


def _usual(git: Git, named: str) -> _At | None:
    """All answers of one call, where HEAD is as in nearly every repository; None to ask for each alone."""
    words = ("--show-object-format", "HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD")
    asked = git.attempt("rev-parse", *words)
    lines = os.fsdecode(asked.out).split("\n")
    if (
        asked.exit
        or len(lines) != 5
        or _LENGTHS.get(lines[0]) != len(lines[1])
        or len(lines[1]) != len(lines[2])
    ):
        return None
    format, head, tree, full, _ = lines
    if named == f"ref: {full}" and full.startswith(_HEADS):
        return _At(format, head, full.removeprefix(_HEADS), tree)
    return _At(format, head, "", tree) if full == "HEAD" and named == head else None


def _step_by_step(git: Git, git_dir: Path) -> _At:
    asked = git.attempt("rev-parse", "--show-object-format")
    if asked.exit:
        why = " ".join(asked.err.split()) or f"exit {asked.exit}"
        raise SetupError("git.refused", folder=git.folder, why=why[:300])
    format = os.fsdecode(asked.out).strip() or "sha1"
    head = _answer(git, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    full = _answer(git, "symbolic-ref", "--quiet", "HEAD")
    branch = full.removeprefix(_HEADS)
    if not full.startswith(_HEADS):
        branch = _answer(git, "symbolic-ref", "--quiet", "--short", "HEAD")
    if not head and not _is_unborn(git, git_dir, branch):
        raise SetupError("git.damaged_head", folder=git.folder)
    return _At(format, head, branch)


def _is_unborn(git: Git, git_dir: Path, branch: str) -> bool:
    """Whether HEAD names a branch that has no commit yet; one that has, and can't be read, is damage."""
    full = _answer(git, "symbolic-ref", "--quiet", "HEAD")
    if not branch or _answer(git, "rev-parse", "--verify", "--quiet", "HEAD"):
        return False
    packed = _first_line(_common(git_dir) / "packed-refs", _LARGEST_REFS)
    return not os.path.lexists(_common(git_dir) / full) and f" {full}\n" not in f"{packed}\n"


def _regular(folder: Path, *names: str) -> None:
    """git would wait for ever for a pipe that nobody writes to."""
    for name in names:
        mode = stat.S_IFREG
        with suppress(OSError):
            mode = (folder / name).stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise SetupError("git.not_a_file", path=folder / name)


def _is_git_directory(folder: Path) -> bool:
    if not os.path.lexists(folder / "HEAD"):
        return False
    common = _common(folder)
    return (common / "objects").is_dir() and (common / "refs").is_dir()


def _common(git_dir: Path) -> Path:
    text = _first_line(git_dir / "commondir")
    return Path(os.path.realpath(git_dir / text)) if text else git_dir


def _first_line(file: Path, longest: int = 0) -> str:
    if not file.is_file():
        return ""
    try:
        with file.open("rb") as stream:
            return os.fsdecode(stream.read(longest or _LONGEST_LINK)).rstrip("\r\n").replace("\0", "")
    except OSError:
        return ""


def _answer(git: Git, *words: str) -> str:
    ran = git.attempt(*words)
    return os.fsdecode(ran.out).strip() if ran.exit == 0 else ""
