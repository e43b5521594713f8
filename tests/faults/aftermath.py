"""What a run left in the world, in a form in which two runs of one play can be compared."""

import os
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.events import Body, facts, run
from donewhen.core.reasons import STOP_REASONS
from tests.faults.stage import Stage

_PATIENCE = 400  # looks at the processes, 50 ms apart: supervisors end what a killed harness had begun
_OWN = "donewhen/"


class Aftermath(NamedTuple):
    exit: int
    state: str
    reason: str
    cause: str
    tree: str  # of the result, or of the folder for a run in place
    commits: tuple[str, ...]
    judged: tuple[str, ...]  # decisions and corrections that count
    turns: int
    tool_calls: int
    counts: Mapping[str, int]  # outside effects
    refs: tuple[str, ...]
    folders: tuple[str, ...]  # of the run in the cache
    locks: tuple[str, ...]
    files: Mapping[str, bytes]  # of the user's own folder
    head: str
    main: tuple[str, ...]  # trees and subjects of the branch that work may be merged into
    status: str  # of the user's own folder


def aftermath(stage: Stage, code: int) -> Aftermath:
    row, events = stage.row, [event.body for event in stage.events()]
    decided = [body for body in events if isinstance(body, run.Decided)]
    run_id = row.run_id

    def plain(text: str) -> str:
        return re.sub(rf"({_OWN}[a-z-]+-){run_id[-4:]}\b", r"\1ID", text.replace(run_id, "RUN"))

    refs = [ref for ref in _refs(stage) if not _told_of(ref, run_id, stage, events)]
    result = _result(refs, run_id)
    return Aftermath(
        code,
        row.state,
        row.stop_reason,
        decided[-1].cause if decided else "",
        stage.git("rev-parse", f"{result}^{{tree}}") if result else "",
        tuple(map(plain, stage.git("log", "--format=%s", result).splitlines())) if result else (),
        _judged(events),
        *_counted(events),
        _counts(stage),
        tuple(sorted(map(plain, refs))),
        tuple(sorted(plain(name) for name in _folders(stage))),
        tuple(plain(name) for name in _locks(stage)),
        _files(stage.repo),
        stage.git("symbolic-ref", "HEAD"),
        tuple(map(plain, stage.git("log", "--first-parent", "--format=%T %s", "main").splitlines())),
        stage.git("status", "--porcelain"),
    )


def _counted(bodies: Sequence[Body]) -> tuple[int, int]:
    """Turns and tool calls that count: what was interrupted is made again."""
    turns = calls = 0
    for body in bodies:
        if isinstance(body, run.TurnStarted):
            turns = body.turn
        elif isinstance(body, facts.ToolCalled):
            calls += 1
        elif isinstance(body, run.Resumed):
            turns, calls = body.turn, body.tool_calls
    return turns, calls


def _judged(bodies: Sequence[Body]) -> tuple[str, ...]:
    """What was decided and corrected, in order; what was interrupted is judged once more and counts then."""
    settled: list[str] = []
    pending: list[str] = []
    for body in bodies:
        if isinstance(body, run.Decided):
            pending.append(body.stop_reason or body.status)
        elif isinstance(body, run.CorrectionMade):
            pending.append(body.result)
        elif isinstance(body, run.Checkpointed):
            settled, pending = settled + pending, []
        elif isinstance(body, run.Resumed) and not any(each in STOP_REASONS for each in pending):
            pending = []
    return (*settled, *pending)


def _refs(stage: Stage) -> list[str]:
    return stage.git("for-each-ref", "--format=%(refname)").splitlines()


def _told_of(ref: str, run_id: str, stage: Stage, events: Sequence[Body]) -> bool:
    """In place the tree is the user's: what a call that was undone left there is kept, and its commit is said."""
    if ref != f"refs/donewhen/{run_id}/undone":
        return False
    commit = stage.git("rev-parse", ref)[:12]
    return any(isinstance(body, run.Noted) and commit in body.text for body in events)


def _result(refs: list[str], run_id: str) -> str:
    branch = re.compile(rf"refs/heads/{_OWN}[a-z-]+-{run_id[-4:]}")
    work = f"refs/donewhen/{run_id}/work"
    return next(filter(branch.fullmatch, refs), work if work in refs else "")


def _counts(stage: Stage) -> dict[str, int]:
    return {path.name.partition(".")[2]: path.read_text().count("\n") for path in stage.base.glob("count.*")}


def _folders(stage: Stage) -> list[str]:
    """What lies in the cache for a run; caches that all runs share are nobody's leftover."""
    cache = stage.base / "cache"
    found = [path for name in ("runs", "scratch", "homes") for path in cache.glob(f"*/{name}/*")]
    return [f"{path.parent.name}/{path.name}" for path in found]


def _locks(stage: Stage) -> list[str]:
    found = list((stage.repo / ".git").rglob("*.lock"))
    return sorted(str(path.relative_to(stage.repo)) for path in found)


def _files(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in files if "__pycache__" not in path.parts
    }


def unknown_effects(stage: Stage) -> Counter[str]:
    """Effects that were begun by a process that was killed: nobody can tell whether they happened."""
    intended: dict[str, str] = {}
    done: set[str] = set()
    for event in stage.events():
        body = event.body
        if isinstance(body, facts.EffectIntended):
            intended[body.key] = "notify" if body.effect == "notify" else body.target
        elif isinstance(body, facts.EffectDone):
            done.add(body.key)
    unknown = Counter(name for key, name in intended.items() if key not in done)
    unknown["run_end"] += any(
        "hook run_end" in event.body.text for event in stage.events() if isinstance(event.body, run.Noted)
    )
    return unknown


def interrupted_calls(stage: Stage) -> int:
    return sum(isinstance(event.body, facts.CallInterrupted) for event in stage.events())


def living(base: Path) -> list[str]:
    """Processes that were started for a stage, by their folder, command line or environment."""
    marker, found = os.fsencode(base) + b"/", []
    for folder in Path("/proc").iterdir():
        if not re.fullmatch(r"[0-9]+", folder.name) or int(folder.name) == os.getpid():
            continue
        line = _read(folder / "cmdline")
        if marker in line or marker in _read(folder / "environ") or marker in _cwd(folder):
            found.append(f"{folder.name} {line.replace(bytes(1), b' ').decode(errors='replace')[:200]}")
    return found


def orphans(base: Path) -> list[str]:
    """Those that stay, although nobody is there any more who waits for them."""
    for _ in range(_PATIENCE):
        if not living(base):
            return []
        time.sleep(0.05)
    return living(base)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _cwd(folder: Path) -> bytes:
    try:
        return os.fsencode((folder / "cwd").readlink()) + b"/"
    except OSError:
        return b""
