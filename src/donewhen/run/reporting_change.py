"""What a run changed, read from wherever its result still lies: branch, kept work, workspace, judged tree.

Only looks. A diff is read up to a bound and git is ended there, so that no change is too large to report; a
result that is no more is said, with what is missing. Programs that a repository names are never started.
"""

import os
import re
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.errors import DonewhenError, SetupError
from donewhen.core.texts import Phrase
from donewhen.run.reporting_model import Change, File
from donewhen.secrets.diff import GIT_DIFF_ARGUMENTS
from donewhen.workspace.git.repository import Repository, repository_at
from donewhen.workspace.git.runner import Git

LARGEST_DIFF = 400_000  # bytes
_LARGEST_LIST = 4_000_000
_MOST_FILES = 500
_PATIENCE = 60.0  # seconds for one look; a hung file system must not hang a report
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_CHANGES = {"A": "added", "D": "deleted", "R": "renamed", "C": "added"}


class Told(NamedTuple):
    """What the ledger says about where the result lies."""

    run_id: str
    repo: str
    base: str
    workspace: str
    in_place: bool
    ended: bool
    shipped: str  # the commit on the branch
    judged: str  # the tree of the last decision


class _Result(NamedTuple):
    where: Literal["branch", "work", "workspace", "judged"]
    git: Git
    after: str


def look(
    told: Told, env: Mapping[str, str], redact: Callable[[str], str], largest: int = LARGEST_DIFF
) -> Change:
    """The change of a run; `redact` takes secrets out of what no ledger has seen, `largest` cuts the diff."""
    user = repository_at(Path(told.repo), env) if told.repo else None
    if user is None:
        return Change(base=told.base, note=Phrase("reporting.no_repository"))
    if not user.commit(told.base):
        return Change(base=told.base, note=Phrase("reporting.no_base", {"base": told.base[:12] or "–"}))
    with tempfile.TemporaryDirectory(prefix="donewhen-report-") as scratch:
        try:
            found = _result(told, user, Path(scratch))
            return _compared(told.base, found, redact, largest) if found else _gone(told)
        except DonewhenError as error:
            why = Phrase("reporting.unreadable", {"why": str(error)})
            return Change(base=told.base, note=why)


def _gone(told: Told) -> Change:
    note = Phrase("reporting.no_tree" if told.in_place else "reporting.no_workspace")
    return Change(base=told.base, note=note)


def _result(told: Told, user: Repository, scratch: Path) -> _Result | None:
    """Of a run that goes on, its workspace; else what was shipped, kept or judged, whatever is left."""
    if told.ended:
        return _kept(told, user) or _judged(told, user) or _now(told, user, scratch)
    return _now(told, user, scratch) or _kept(told, user)


def _kept(told: Told, user: Repository) -> _Result | None:
    shipped, work = user.commit(told.shipped), user.commit(f"refs/donewhen/{told.run_id}/work")
    if shipped or work:
        return _Result("branch" if shipped else "work", user.git(), shipped or work)
    return None


def _now(told: Told, user: Repository, scratch: Path) -> _Result | None:
    if told.in_place and told.ended:
        return None  # the user has worked on in it since
    place = repository_at(Path(told.workspace), user.env) if told.workspace else None
    return _of_tree(user, place, scratch) if place else None


def _of_tree(user: Repository, place: Repository, scratch: Path) -> _Result:
    """The working tree as it is now, its new objects in a folder of ours."""
    from donewhen.workspace.fingerprint.fingerprints import Fingerprints
    from donewhen.workspace.fingerprint.ignoring import ignored_now

    fingerprints = Fingerprints(place, scratch / "home", ignored=ignored_now(user, user.env))
    tree = fingerprints.take().tree
    return _Result("workspace", _with(user, fingerprints.objects), tree)


def _judged(told: Told, user: Repository) -> _Result | None:
    """The tree that was judged, if the repository or the fingerprints of its working tree still have it."""
    from donewhen.workspace.fingerprint.fingerprints import Fingerprints
    from donewhen.workspace.rooms.places import places

    if not _ID.fullmatch(told.judged):
        return None
    objects = Fingerprints(user, places(user, user.env).home).objects
    for git in (user.git(), _with(user, objects)):
        if git.attempt("cat-file", "-e", f"{told.judged}^{{tree}}").exit == 0:
            return _Result("judged", git, told.judged)
    return None


def _with(user: Repository, objects: Path) -> Git:
    return user.git()._replace(more={"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)})


def _compared(base: str, found: _Result, redact: Callable[[str], str], largest: int) -> Change:
    words = ("diff-tree", "-r", "-M", "--no-commit-id", *GIT_DIFF_ARGUMENTS)
    ends = (f"{base}^{{tree}}", f"{found.after}^{{tree}}")
    stats, _ = read_bounded(found.git, _LARGEST_LIST, *words, "--numstat", "-z", *ends)
    names, _ = read_bounded(found.git, _LARGEST_LIST, *words, "--name-status", "-z", *ends)
    raw, cut = read_bounded(found.git, largest, *words, "-p", "-U3", *ends)
    files = tuple(_files(names, stats))
    diff = redact(raw.decode(errors="replace"))
    return Change(found.where, base, found.after, files[:_MOST_FILES], diff, cut or len(files) > _MOST_FILES)


def read_bounded(git: Git, largest: int, *words: str) -> tuple[bytes, bool]:
    """What git prints, up to a number of bytes, and whether there was more; SetupError when it fails."""
    process = git.start(*words).process
    assert process.stdin and process.stdout and process.stderr
    alarm = threading.Timer(_PATIENCE, _end, [process.pid])
    alarm.start()
    try:
        process.stdin.close()
        out = process.stdout.read(largest + 1)
        cut = len(out) > largest
        if cut:
            _end(process.pid)
        said = process.stderr.read(300).decode(errors="replace")
        process.stdout.close()
        process.stderr.close()
        code = process.wait()
    finally:
        alarm.cancel()
    if code and not cut:
        raise SetupError("git.failed", command=" ".join(words[:3]), why=" ".join(said.split()) or code)
    return out[:largest], cut


def _end(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _files(names: bytes, stats: bytes) -> Iterator[File]:
    """Each file with how it changed and by how many lines; a list that was cut ends with a whole entry."""
    counts = dict(_counts(stats))
    parts = iter(names.split(b"\0")[:-1])
    for letter in parts:
        path = next(parts, b"")
        if letter[:1] in b"RC":
            path = next(parts, b"")
        if not path:
            return
        added, removed = counts.get(path, (None, None))
        change = _CHANGES.get(letter[:1].decode(errors="replace"), "modified")
        yield File(os.fsdecode(path), change, added, removed)


def _counts(stats: bytes) -> Iterator[tuple[bytes, tuple[int | None, int | None]]]:
    parts = iter(stats.split(b"\0")[:-1])
    for entry in parts:
        added, _, rest = entry.partition(b"\t")
        removed, _, path = rest.partition(b"\t")
        if not path:  # a rename: the old and the new name follow
            next(parts, b"")
            path = next(parts, b"")
        yield path, (_number(added), _number(removed))


def _number(text: bytes) -> int | None:
    return int(text) if text.isdigit() else None
