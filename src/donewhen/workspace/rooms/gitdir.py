"""A git directory for a folder of the harness: it borrows the objects of a repository and owns all else.

Index, references, stash and settings are the folder's own, so whatever is done in it stays in it. It is made
without a transport, hooks or a template: nothing of the repository is run, and only plain values of its
settings (who the author is) are taken over.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.fingerprint.disk import disk
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git
from donewhen.workspace.git.user import settings_text
from donewhen.workspace.rooms.removal import GONE, remove_tree

_AUTHOR = ("user.name", "user.email")


class Head(NamedTuple):
    commit: str  # empty: there is none yet
    branch: str = ""  # empty: detached


class Ref(NamedTuple):
    id: str
    name: str


def refs(repository: Repository, *patterns: str) -> list[Ref]:
    """The references of a repository below the given prefixes; all without any."""
    listed = repository.git().run("for-each-ref", "--format=%(objectname) %(refname)", *patterns)
    pairs = (os.fsdecode(line).split(" ", 1) for line in listed.split(b"\n") if line)
    return [Ref(id, name) for id, name in pairs]


def borrowed(repository: Repository) -> tuple[Path, ...]:
    """Every folder of objects that a git directory which borrows from this repository has to read."""
    found: list[Path] = []
    waiting = [repository.objects]
    while waiting and len(found) < 20:
        folder = Path(os.path.realpath(waiting.pop(0)))
        if folder not in found and folder.is_dir():
            found.append(folder)
            waiting += _alternates(folder)
    return tuple(found)


def _alternates(objects: Path) -> list[Path]:
    try:
        with (objects / "info/alternates").open("rb") as file:
            lines = file.read(64 * 1024).split(b"\n")
    except OSError:
        return []
    return [objects / os.fsdecode(line) for line in lines if line and not line.startswith((b"#", b'"'))]


def alternates_text(objects: Iterable[Path]) -> bytes:
    return b"".join(quoted(folder, b"\n") + b"\n" for folder in objects)


def quoted(path: Path, separator: bytes) -> bytes:
    """A path as git reads it from a list; only one that holds the separator needs quotes."""
    plain = os.fsencode(path)
    if separator not in plain:
        return plain
    escaped = plain.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'


def make_git(
    folder: Path,
    repository: Repository,
    head: Head,
    known: Sequence[Ref],
    *,
    objects: Sequence[Path] = (),
    settings: Sequence[tuple[str, str]] = (),
) -> Git:
    """Make `folder`'s `.git` anew: objects borrowed, references as given, HEAD set, no index yet."""
    own = folder / ".git"
    for old in (own, *folder.glob(f".git{GONE}*")):
        remove_tree(old)
    for part in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        (own / part).mkdir(parents=True)
    lent = dict.fromkeys((*borrowed(repository), *objects))
    (own / "objects/info/alternates").write_bytes(alternates_text(lent))
    _take_shallow(repository, own)
    named = {ref.name: ref.id for ref in known}
    if head.branch and head.commit:
        named[f"refs/heads/{head.branch}"] = head.commit
    (own / "packed-refs").write_bytes(_packed(named))
    (own / "HEAD").write_bytes(_head(head))
    plain = [*_form(folder, own, repository.format), *author_of(repository), *settings]
    (own / "config").write_bytes(settings_text(plain))
    return Git(folder, repository.env, own)


def _form(folder: Path, own: Path, format: str) -> list[tuple[str, str]]:
    """What `git init` would write: the form of the git directory, and what the disk can't do."""
    version = "0" if format == "sha1" else "1"  # both keep references as files, which are written by us
    can = disk(folder, own, own)
    said = [
        ("core.repositoryformatversion", version),
        ("core.filemode", "true" if can.pop("filemode") else "false"),
        ("core.bare", "false"),
        ("core.logallrefupdates", "true"),
    ]
    if not _links(own / ".probe-link"):
        said.append(("core.symlinks", "false"))
    if format != "sha1":
        said.append(("extensions.objectformat", format))
    return said + [(f"core.{name}", "true") for name, value in can.items() if value]


def _links(probe: Path) -> bool:
    """Whether the disk has symbolic links."""
    try:
        probe.symlink_to("anywhere")
    except OSError:
        return False
    probe.unlink()
    return True


def _head(head: Head) -> bytes:
    if head.commit and not head.branch:
        return head.commit.encode() + b"\n"
    return b"ref: refs/heads/" + os.fsencode(head.branch or "main") + b"\n"


def _packed(named: dict[str, str]) -> bytes:
    lines = sorted((os.fsencode(name), id.encode()) for name, id in named.items())
    return b"# pack-refs with: sorted \n" + b"".join(b"%b %b\n" % (id, name) for name, id in lines)


def _take_shallow(repository: Repository, own: Path) -> None:
    """A cut history has a list of where it was cut; without it git would miss the commits before."""
    try:
        cut = (repository.common / "shallow").read_bytes()
    except OSError:
        return
    (own / "shallow").write_bytes(cut)


def author_of(repository: Repository) -> list[tuple[str, str]]:
    """Who the author is, where the repository says it: a commit in the folder would fail without."""
    listed = repository.git().attempt("config", "--null", "--get-regexp", r"^user\.(name|email)$")
    pairs = (os.fsdecode(entry).split("\n", 1) for entry in listed.out.split(b"\0") if b"\n" in entry)
    return [(name, value) for name, value in pairs if name in _AUTHOR]
