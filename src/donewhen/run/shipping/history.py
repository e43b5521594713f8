"""The agent's own commits: kept when they build on the base and carry out nothing that they shouldn't.

An accepted tree says nothing about what was in the commits before it: a key that was added and taken away
again would still be shipped. Read with the user's git directory and the workspace's objects; where the branch
of a workspace stands is read from its files, so git is never asked in a git directory that an agent wrote.
"""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.run.shipping.leaks import baseline, named, told
from donewhen.run.shipping.message import CONTROLS, FORGED
from donewhen.run.shipping.site import Site
from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS
from donewhen.secrets.scan import scan_text
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import names
from donewhen.workspace.rooms.gitdir import alternates_text, borrowed
from donewhen.workspace.rooms.results import builds_on, lending

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LARGEST_REFS = 16 * 1024 * 1024
_MOST_COMMITS = 500
_MOST_OBJECTS = 50_000
_LARGEST = 64 * 1024 * 1024  # bytes of all that is new
_SAID = "%an%n%ae%n%cn%n%ce%n%B%x00"


def own_objects(site: Site) -> tuple[Path, ...]:
    """The folders of objects that only this run has: the harness's first, the workspace's if it is whole."""
    objects = site.folder / ".git/objects"
    if site.kind != "clone" or not _is_whole(objects, site.user):
        return (site.fingerprints.objects,)
    return (site.fingerprints.objects, objects)


def tip_of(site: Site, user: Repository) -> str:
    """Where the agent's commits end, if they build on the base; the base when there are none."""
    lent = own_objects(site)
    if site.workspace is None:
        tip = user.head
    elif site.kind == "worktree":
        tip = user.commit(f"refs/heads/{site.workspace.branch}")
    else:
        tip = _read(site.folder / ".git", f"refs/heads/{site.workspace.branch}") if len(lent) > 1 else ""
    return tip if tip and builds_on(user, site.base, tip, lent) else site.base


def is_clean(site: Site, user: Repository, tip: str, patterns: tuple[str, ...] = ()) -> bool:
    """Whether the commits after the base may be shipped as they are; what is too much to read may not."""
    git = user.git()._replace(more={"GIT_ALTERNATE_OBJECT_DIRECTORIES": lending(own_objects(site))})
    new = [tip, f"^{site.base}"]
    if site.kind == "clone":
        new += ["--not", "--glob=refs/heads/*"]  # elsewhere an agent could have made these branches
    commits = git.run("rev-list", f"--max-count={_MOST_COMMITS + 1}", *new)
    listed = git.run("rev-list", "--objects", "--no-object-names", *new)
    if commits.count(b"\n") > _MOST_COMMITS or listed.count(b"\n") > _MOST_OBJECTS:
        return False
    sizes = git.run("cat-file", "--batch-check=%(objectsize)", stdin=listed).split()
    if not all(size.isdigit() for size in sizes) or sum(map(int, sizes)) > _LARGEST:
        return False
    said = git.run("rev-list", "--no-walk", "--stdin", f"--format={_SAID}", stdin=commits) if commits else b""
    words = ("diff-tree", "--stdin", "-r", "-m", "--root", "--no-commit-id")
    added = names(git.run(*words, "--diff-filter=A", "--name-only", "-z", stdin=commits))
    if not _is_decent(said) or named(added, patterns):
        return False
    diff = git.run(*words, "-p", "-U0", "-M", *GIT_DIFF_ARGUMENTS, stdin=commits)
    known = baseline(site.fingerprints, site.base_tree)
    return not told(diff.decode(errors="surrogateescape"), known)


def _is_decent(said: bytes) -> bool:
    """Messages that neither pretend to be ours nor play tricks on a terminal nor hold a secret."""
    try:
        text = said.decode()
    except UnicodeDecodeError:
        return False
    lines = (line for line in text.replace("\0", "\n").split("\n") if not line.startswith("commit "))
    plain = "\n".join(lines)
    return not CONTROLS.search(plain) and not FORGED.search(plain) and not scan_text("", plain)


def _is_whole(objects: Path, user: Repository) -> bool:
    """Whether a clone's objects are folders of its own and borrow from the user's repository alone."""
    for folder in (objects.parent, objects, objects / "info"):
        with suppress(OSError):
            if stat.S_ISDIR(folder.lstat().st_mode):
                continue
        return False
    try:
        found = read_regular(objects / "info/alternates", "alternates", follow=False)
    except DonewhenError:
        return False
    lines = found.data.splitlines(keepends=True) if found else []
    return set(lines) <= {alternates_text([folder]) for folder in borrowed(user)}


def _read(git_dir: Path, ref: str) -> str:
    """The commit of a reference by the files of its git directory; empty when none is told plainly."""
    try:
        loose = read_regular(git_dir / ref, ref, follow=False)
        packed = (
            None if loose else read_regular(git_dir / "packed-refs", ref, largest=_LARGEST_REFS, follow=False)
        )
    except DonewhenError:
        return ""
    if loose:
        said = os.fsdecode(loose.data).strip()
        return said if _ID.fullmatch(said) else ""
    ending = b" " + os.fsencode(ref)
    lines = packed.data.split(b"\n") if packed else []
    found = next((os.fsdecode(line.removesuffix(ending)) for line in lines if line.endswith(ending)), "")
    return found if _ID.fullmatch(found) else ""
