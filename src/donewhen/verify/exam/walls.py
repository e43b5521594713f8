"""The walls round an exam: it writes the tree it examines and its own scratch, and nothing else.

The repository's git directory stays as it is (a hook that a test plants would run later, as the user), the
harness's own folders are not seen, and there is no network unless the user's settings say so. What a command
leaves in its scratch (temporary files, layers over caches, its desk) is gone before anybody could read it:
a set-up that took a package from a cache that a test had written would install whatever the test wanted.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config.files import is_file
from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.removal import put_away
from donewhen.workspace.sandbox.caches import GRADLE
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.layers import gradle
from donewhen.workspace.sandbox.lending import lend_gradle
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.support import Support, probe

if TYPE_CHECKING:
    from donewhen.config.sections_guard import Sandbox

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST = 200


@contextmanager
def exam_scratch(scratch: Path) -> Iterator[Path]:
    """A scratch for one command of an exam, in that of its repository; removed when the command is over.

    What a killed exam left is removed by the next one: a folder that nobody holds locked is nobody's.
    """
    top = scratch / "exams"
    try:
        top.mkdir(parents=True, exist_ok=True, mode=0o700)
        _sweep(top)
        own, held = _held(top)
    except OSError as error:
        raise SetupError("exam.no_scratch", folder=top, why=error.strerror) from None
    try:
        yield own
    finally:
        with suppress(SetupError):
            put_away(own)
        os.close(held)


def _held(top: Path) -> tuple[Path, int]:
    """A new folder, and the lock on it."""
    while True:
        own = Path(tempfile.mkdtemp(dir=top))
        with suppress(FileNotFoundError):  # swept by another exam before it was locked
            held = os.open(own, _FOLDER)
            fcntl.flock(held, fcntl.LOCK_EX)
            if os.path.lexists(own):
                return own, held
            os.close(held)


def _sweep(top: Path) -> None:
    for entry in sorted(top.iterdir())[:_MOST]:
        with suppress(OSError, SetupError):
            handle = os.open(entry, _FOLDER)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                put_away(entry)
            finally:
                os.close(handle)


def harness_folder_of(scratch: Path) -> Path:
    """The part of `scratch` that commands may write under its own name."""
    return scratch / "desk"


def exam_plan(
    root: Path,
    env: Mapping[str, str],
    sandbox: "Sandbox",
    scratch: Path,
    *,
    git: Sequence[Path] = (),
    room: bool = False,
    hide: Sequence[Path] = (),
    path: Sequence[str] = (),
    lender: Path | None = None,
    caches: Sequence[Path] = (),
    writable: Sequence[Path] = (),
    support: Support | None = None,
) -> Plan:
    """How the commands of an exam in `root` are confined.

    `git` are the git directories of the user's repository. A room's own is made anew for every exam, so there
    it may be written. `path` are folders of the prepared environment, which must be seen wherever they lie.
    `scratch` is the command's own. `lender` is the scratch of the set-up that the exam builds on: what that
    put into caches is read; without one the user's own are.
    `caches` are those that the user's settings add, `writable` are folders of ours that stay.
    """
    harness = harness_folder_of(scratch)
    harness.mkdir(parents=True, exist_ok=True, mode=0o700)
    seen = [*git, *(place for folder in path for place in _environment(folder))]
    wish = confine(
        root,
        scratch,
        env,
        mode=sandbox.mode,
        network=sandbox.exam_network,
        temp=sandbox.temp,
        writable=[harness, *writable],
        readable=seen,
        hide=hide,
        read_only=() if room else _guarded(root, git),
        caches=caches,
        lent=True,
        lender=lender,
    )
    here = support or probe()
    walls = plan(wish, here)
    mounts = walls.mechanism == "bubblewrap"
    lent = gradle(wish, mounts, mounts and here.overlays)
    if lent and walls.env.get(GRADLE) == lent.folder:
        lend_gradle(lent)
    return walls


def unguarded(plan: Plan, git: Sequence[Path]) -> tuple[Path, ...]:
    """The git directories that a plan can't keep from being written: what becomes of them is watched."""
    open_places = {str(gap.values.get("path", "")) for gap in plan.gaps if gap.key == "exam.gap_read_only"}
    return tuple(place for place in git if not plan.confined or os.path.realpath(place) in open_places)


def _guarded(root: Path, git: Sequence[Path]) -> list[Path]:
    """Git directories in the tree, and the file that stands for one in a linked working tree."""
    top = f"{os.path.realpath(root).rstrip('/')}/"
    return [place for place in (root / ".git", *git) if os.path.realpath(place).startswith(top)]


def _environment(folder: str) -> list[Path]:
    """What a folder of programs belongs to: a virtual environment, and the interpreter it was made from."""
    bin = Path(folder)
    if not is_file(bin.parent / "pyvenv.cfg"):
        return [bin]
    return [bin.parent, Path(os.path.realpath(bin / "python")).parent.parent]


_SHARED = (".cache", ".config", ".local", ".local/share", ".local/state")
_MOST_LINKS = 2000


def lay_home(folder: Path, home: str) -> Path | None:
    """A home for one command at `folder`: what it reads is the user's, what it writes is gone afterwards.

    Every entry is a link to the real one; the few folders that everybody writes into are real and hold links.
    None where the user has none that could be looked at.
    """
    real = Path(home)
    if not home or not real.is_absolute() or real == Path("/") or not real.is_dir():
        return None
    folder.mkdir()
    for name in ("", *_SHARED):
        (folder / name).mkdir(exist_ok=True)
        _link(real / name, folder / name, name)
    return folder


def _link(real: Path, folder: Path, name: str) -> None:
    try:
        entries = sorted(real.iterdir())[:_MOST_LINKS]
    except OSError:
        return
    for entry in entries:
        if f"{name}/{entry.name}".lstrip("/") not in _SHARED:
            with suppress(OSError):
                (folder / entry.name).symlink_to(entry)
