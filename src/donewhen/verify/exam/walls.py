"""The walls round an exam: it writes the tree it examines and its own scratch, and nothing else.

The repository's git directory stays as it is (a hook that a test plants would run later, as the user), the
harness's own folders are not seen, and there is no network unless the user's settings say so.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config.files import is_file
from donewhen.workspace.sandbox.caches import GO, GRADLE
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.layers import gradle
from donewhen.workspace.sandbox.lending import lend_go, lend_gradle
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.support import Support, probe

if TYPE_CHECKING:
    from donewhen.config.sections_guard import Sandbox


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
    if walls.env.get(GO, "").startswith(wish.layer):
        lend_go(wish, root)
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
