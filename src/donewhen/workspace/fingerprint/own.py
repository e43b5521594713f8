"""The git directory of the harness: outside every working tree, no setting of it comes from a repository.

It borrows the objects of the user's repository for reading. What is added lies in a folder of objects of its
own that borrows nothing: git marks an object that it finds again as new, and in the user's repository not
even a time may change. All of it can be made again, apart from kept checkpoints, which are never thrown away.
"""

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import private_folder
from donewhen.workspace.fingerprint.disk import disk
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git
from donewhen.workspace.git.user import UserSettings, settings_text

EXCLUDES = "exclude"
_MOST_ALTERNATES = 50
_LONGEST_ALTERNATES = 64 * 1024
_FIXED = (
    "core.fsync=none",  # what a crash tears is noticed and made again
    "core.fsyncObjectFiles=false",
    "core.bigFileThreshold=64m",  # larger files are streamed, not held in memory
    "core.safecrlf=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.sparseCheckout=false",
    "core.logAllRefUpdates=false",
    "index.version=2",
    "index.sparse=false",
)


class Own(NamedTuple):
    home: Path
    format: str
    env: Mapping[str, str]
    excludes: Path | None = None  # what is ignored in a repository inside; None: the file of the top

    @property
    def directory(self) -> Path:
        return self.home / "git"

    @property
    def made(self) -> Path:
        """The objects that the harness wrote."""
        return self.home / "objects"

    def reading(self, folder: Path, index: Path | None = None) -> Git:
        """git with `folder` as work tree; sees the user's objects and adds none."""
        fixed = (
            *_FIXED,
            f"core.excludesFile={self.excludes or self.home / EXCLUDES}",
            f"core.attributesFile={self.home}/attributes",
        )
        more: dict[str, str | None] = {"GIT_INDEX_FILE": str(index or self.home / "no-index")}
        return Git(folder, self.env, self.directory, fixed, more)

    def adding(self, folder: Path, index: Path) -> Git:
        """The same for calls that write objects; sees only those."""
        git = self.reading(folder, index)
        return git._replace(more={**git.more, "GIT_OBJECT_DIRECTORY": str(self.made)})


def make_own(own: Own, repository: Repository, user: UserSettings, excludes: bytes) -> None:
    """Make the git directory, or bring it up to date; checkpoints and objects that are there stay."""
    private_folder(own.home).chmod(0o700)
    for folder in (
        own.directory / "objects/info",
        own.directory / "refs",
        own.made / "pack",
        own.made / "info",
    ):
        folder.mkdir(parents=True, exist_ok=True)
    (own.made / "info/alternates").unlink(missing_ok=True)
    put_if_new(own.directory / "HEAD", b"ref: refs/heads/none\n")
    put_if_new(own.directory / "config", _config(own, repository, user))
    put_if_new(own.home / EXCLUDES, excludes)
    put_if_new(own.home / "attributes", user.attributes)
    lend(own, (repository.objects,), fresh=True)


def lend(own: Own, objects: Iterable[Path], fresh: bool = False) -> None:
    """Let the git directory read these folders of objects, and those that they borrow from."""
    file = own.directory / "objects/info/alternates"
    known = [] if fresh else _listed(file.parents[1])
    wanted = [own.made, *known]
    waiting = list(objects)
    while waiting and len(wanted) < _MOST_ALTERNATES:
        folder = Path(os.path.realpath(waiting.pop(0)))
        if folder not in wanted and folder.is_dir():
            wanted.append(folder)
            waiting += _listed(folder)
    lines = (_quoted(os.fsencode(folder)) + b"\n" for folder in dict.fromkeys(wanted))
    put_if_new(file, b"".join(lines))


def _config(own: Own, repository: Repository, user: UserSettings) -> bytes:
    version = "0" if own.format == "sha1" else "1"
    pairs = [("core.repositoryformatversion", version), ("core.bare", "true")]
    if own.format != "sha1":
        pairs.append(("extensions.objectformat", own.format))
    pairs += [
        (f"core.{name}", "true" if value else "false")
        for name, value in disk(repository.root, repository.git_dir, own.home).items()
    ]
    return settings_text([*pairs, *user.pairs])


def _listed(objects: Path) -> list[Path]:
    """The folders that a folder of objects borrows from."""
    try:
        with (objects / "info/alternates").open("rb") as file:
            lines = file.read(_LONGEST_ALTERNATES).split(b"\n")
    except OSError:
        return []
    return [objects / os.fsdecode(_plain(line)) for line in lines if line and not line.startswith(b"#")]


def _quoted(path: bytes) -> bytes:
    """git takes a line as it is unless it begins with a quote; only a line break needs one."""
    if b"\n" not in path:
        return path
    return b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'


def _plain(line: bytes) -> bytes:
    if not line.startswith(b'"') or not line.endswith(b'"'):
        return line
    return line[1:-1].replace(b"\\n", b"\n").replace(b'\\"', b'"').replace(b"\\\\", b"\\")


def put_if_new(file: Path, data: bytes) -> None:
    """Write only what differs, whole or not at all."""
    with contextlib.suppress(OSError):
        if file.read_bytes() == data:
            return
    put(file, data)


def put(file: Path, data: bytes) -> None:
    """Replace a file at once; a crash may lose it, and then it is made again."""
    new = file.with_name(f".new-{os.getpid()}-{file.name}")
    new.write_bytes(data)
    new.chmod(0o600)
    new.replace(file)
