"""What became of accepted changes in their repositories: git is read, within bounds, never written.

A change counts as reverted when a later commit on the target says so in git's own words. One that a forge
squashed or rebased has no commit that could be found again: it is told as gone, and is no false accept.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.reverts import SENTENCE, taken_back
from donewhen.core.stats import COMMIT, Later
from donewhen.run.reporting_change import read_bounded
from donewhen.workspace.git.repository import Repository, repository_at

MOST_RUNS = 200
_LARGEST_LOG = 4_000_000  # bytes
_LARGEST_LIST = 1_000_000
_MOST_REVERTS = 1000
_MOST_MERGES = 50  # reverted ones that are looked into

State = Literal["reverted", "stands", "waiting", "gone", "unknown"]


class Fate(NamedTuple):
    run_id: str
    state: State
    commit: str
    by: str = ""  # the commit that took it back


def look(shipped: Mapping[str, Later], target: str) -> list[Fate]:
    """The newest accepted changes, each with what became of it."""
    by_repo: dict[str, dict[str, Later]] = {}
    for run_id, later in list(shipped.items())[:MOST_RUNS]:
        by_repo.setdefault(later.repo, {})[run_id] = later
    found = [fate for repo, runs in by_repo.items() for fate in _in_repository(repo, runs, target)]
    order = list(shipped)
    return sorted(found, key=lambda fate: order.index(fate.run_id))


def _in_repository(repo: str, runs: Mapping[str, Later], target: str) -> list[Fate]:
    user = repository_at(Path(repo), os.environ) if repo else None
    if user is None:
        return [Fate(run_id, "unknown", later.commits[-1]) for run_id, later in runs.items()]
    try:
        tips = _tips(user, target)
        reverted = _reverted(user, tips, runs.values()) if tips else {}
        return [_fate(user, run_id, later, tips, reverted) for run_id, later in runs.items()]
    except SetupError:  # git does not get through what it finds there
        return [Fate(run_id, "unknown", later.commits[-1]) for run_id, later in runs.items()]


def _tips(user: Repository, target: str) -> list[str]:
    """The commits that accepted work ends up below: what is checked out, and the target, here and remote."""
    words = ("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes")
    listed, _ = read_bounded(user.git(), _LARGEST_LIST, *words)
    found = [user.head] if user.head else []
    for line in os.fsdecode(listed).splitlines():
        commit, _, name = line.partition(" ")
        kind, _, rest = name.removeprefix("refs/").partition("/")
        short = rest if kind == "heads" else rest.partition("/")[2]
        if short == target and COMMIT.fullmatch(commit):
            found.append(commit)
    return list(dict.fromkeys(found))


def _reverted(user: Repository, tips: Iterable[str], shipped: Iterable[Later]) -> dict[str, str]:
    """What was taken back on the way to the tips; of a merge, all that it had brought.

    Dates of commits say nothing; what all changes have in common was there before any of them.
    """
    there = [commit for later in shipped for commit in later.commits if user.commit(commit)]
    before = user.git().attempt("merge-base", "--octopus", *there) if there else None
    common = os.fsdecode(before.out).split() if before and before.exit == 0 else []
    words = ("log", "--topo-order", "--fixed-strings", f"--grep={SENTENCE}", f"--max-count={_MOST_REVERTS}")
    ends = (*tips, *(f"^{commit}" for commit in common))
    out, _ = read_bounded(user.git(), _LARGEST_LOG, *words, "-z", "--format=%H %B", *ends, "--")
    lines = (entry.partition(" ") for entry in out.decode(errors="replace").split("\0"))
    found = taken_back((commit.strip(), message) for commit, _, message in lines)
    for commit, by in list(found.items())[:_MOST_MERGES]:
        if user.commit(f"{commit}^2"):
            brought, _ = read_bounded(user.git(), _LARGEST_LIST, "rev-list", commit, f"^{commit}^1", "--")
            for each in brought.decode().split():
                found.setdefault(each, by)
    return found


def _fate(
    user: Repository, run_id: str, later: Later, tips: Iterable[str], reverted: Mapping[str, str]
) -> Fate:
    for commit in later.commits:
        if commit in reverted:
            return Fate(run_id, "reverted", commit, reverted[commit])
    commit = later.commits[-1]
    if not user.commit(commit):
        return Fate(run_id, "gone", commit)
    git = user.git()
    if any(git.attempt("merge-base", "--is-ancestor", commit, tip).exit == 0 for tip in tips):
        return Fate(run_id, "stands", commit)
    words = ("for-each-ref", "--count=1", "--format=1", f"--contains={commit}", "refs/heads", "refs/remotes")
    held, _ = read_bounded(git, _LARGEST_LIST, *words)
    return Fate(run_id, "waiting" if held.strip() else "gone", commit)
