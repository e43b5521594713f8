"""The target branch is moved to a commit, and working trees that have it checked out follow.

Only forward, only from where it was looked at last, and only where no working tree would lose anything; files
that can't follow after all bring the branch back. What is moved is kept under references of ours
first, so that a process which dies in between is understood by the next one.
"""

import contextlib
import os
import time
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.run.shipping.naming import shown
from donewhen.run.shipping.pins import pin, pin_name, unpin
from donewhen.run.shipping.target import alias_of, tip_of_target
from donewhen.run.shipping.target_seats import Seat, Step, Way, behind, beside, git_of, kinds_of, seats, way
from donewhen.store.crashing import crash_point
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git
from donewhen.workspace.rooms.results import builds_on, move_branch

_LOOKS = 40  # at a lock of a git that a killed process left at work
_PAUSE = 0.05


class Move(NamedTuple):
    """What is to become of the target."""

    user: Repository
    run_id: str
    branch: str
    step: Step
    scratch: Path
    lent: str = ""  # where the objects are that are not in the user's repository yet


class MovedMeanwhile(Exception):
    """Somebody moved the branch, or made it another's name: what was proven is not what it would become."""


def hindrance(move: Move) -> Phrase | None:
    """Why the branch can't be moved without loss; None when it can."""
    found = (each for _, each in _ways(move) if isinstance(each, Phrase))
    return next(found, None)


def move_target(move: Move) -> Phrase | None:
    """Move the branch and let the files follow; why it stays where it is, else None."""
    found = _ways(move)
    hindered = next((each for _, each in found if isinstance(each, Phrase)), None)
    if hindered is not None:
        return hindered
    old, new = move.step
    pin(move.user, move.run_id, "target", old)
    pin(move.user, move.run_id, "merged", new)
    crash_point("merge pinned")
    _swap(move, old, new)
    crash_point("target moved")
    for seat, how in found:
        refused = _follow(move, seat, how, move.step)
        if refused is not None:
            return _back(move, refused)
    crash_point("files followed")
    return None


def moved_before(user: Repository, run_id: str, branch: str) -> Step | None:
    """The move that a process which is gone made, or had decided on and perhaps made; None for neither."""
    old, new = (user.commit(pin_name(run_id, what)) for what in ("target", "merged"))
    if not old or not new or not builds_on(user, new, f"refs/heads/{branch}"):
        return None
    return Step(old, new)


def finish(move: Move) -> Phrase | None:
    """Let files follow that a killed process left behind; what people must know, else None."""
    tip = tip_of_target(move.user, move.branch)
    if tip != move.step.new:
        return _taken_back(move, tip)  # somebody went on from there: the files are theirs
    for seat in seats(move.user, move.branch):
        _unlocked(seat)
        late = behind(seat, move.step)
        if seat.repository is not None and not late:
            continue
        how = way(seat, move.step, _index(move))
        refused = how if isinstance(how, Phrase) else _follow(move, seat, how, move.step)
        if refused is not None:
            values = {
                "branch": move.branch,
                "folder": seat.folder,
                "names": shown(sorted(late)),
                "why": refused,
            }
            return Phrase("shipping_target.not_followed", values)
    return None


def _taken_back(move: Move, tip: str) -> Phrase | None:
    """Files that whoever went on has as they were before: an index that had not followed was committed."""
    old, new = move.step
    git = move.user.git()
    lost = kinds_of(git, move.step).keys() & kinds_of(git, Step(new, tip)).keys()
    lost -= kinds_of(git, Step(old, tip)).keys()
    if not lost:
        return None
    values = {"branch": move.branch, "names": shown(sorted(lost)), "commit": new[:12]}
    return Phrase("shipping_target.taken_back", values)


def forget_move(user: Repository, run_id: str) -> None:
    unpin(user, run_id, "merged")
    unpin(user, run_id, "target")


def _ways(move: Move) -> list[tuple[Seat, Way | Phrase]]:
    return [(seat, way(seat, move.step, _index(move))) for seat in seats(move.user, move.branch, move.lent)]


def _index(move: Move) -> Path:
    move.scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
    return move.scratch / "merge.index"


def _swap(move: Move, old: str, new: str) -> None:
    if alias_of(move.user, move.branch):
        raise MovedMeanwhile
    try:
        move_branch(move.user, move.branch, new, old, f"donewhen: result of {move.run_id}")
    except SetupError:
        if tip_of_target(move.user, move.branch) != old:
            raise MovedMeanwhile from None
        raise


def _follow(move: Move, seat: Seat, how: Way | Phrase, step: Step) -> Phrase | None:
    """Make index and files what the new commit has; why they can't be, else None."""
    if how == "there" or seat.repository is None:
        return None
    git = git_of(seat.repository)
    if how == "index":
        ran = git.attempt("read-tree", step.new)
        git.attempt("update-index", "-q", "--refresh")
    else:
        ran = git.attempt("read-tree", "-m", "-u", step.old, step.new)
    if ran.exit == 0:
        return None
    if how == "files":
        _as_before(git, step, _index(move))
    why = " ".join(ran.err.split())[:300]
    return Phrase("shipping_target.refused", {"branch": seat.branch, "folder": seat.folder, "why": why})


def _as_before(git: Git, step: Step, aside: Path) -> None:
    """Take back what git had written when it gave up; what is neither old nor new is somebody's own."""
    other = beside(git, step.new, aside)
    back = []
    for path, letter in kinds_of(git, step).items():
        there = os.path.lexists(git.folder / path)
        if letter == b"A" and there and path not in other:
            with contextlib.suppress(OSError):  # a folder, of a repository inside
                (git.folder / path).unlink()
        elif letter != b"A" and (not there or path not in other):
            back.append(os.fsencode(path) + b"\0")
    git.attempt("checkout-index", "--force", "-z", "--stdin", stdin=b"".join(back))


def _back(move: Move, refused: Phrase) -> Phrase:
    """The branch goes back to where it was, and files that had followed do too."""
    old, new = move.step
    _swap(move, new, old)
    for seat in seats(move.user, move.branch):
        how = way(seat, Step(new, old), _index(move))
        if not isinstance(how, Phrase):
            _follow(move, seat, how, Step(new, old))
    forget_move(move.user, move.run_id)
    return refused


def _unlocked(seat: Seat) -> None:
    """Wait a moment for a git that outlived the process which had started it."""
    lock = seat.repository.git_dir / "index.lock" if seat.repository else None
    for _ in range(_LOOKS):
        if lock is None or not lock.exists():
            return
        time.sleep(_PAUSE)
