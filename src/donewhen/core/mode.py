"""Free or forced: whether the agent is led one step at a time, as a reducer over rounds.

Signals of a round lead in, quiet rounds lead out, and every forced state can be left: a signal that merely
lasts (the same long diff, another branch still checked out) counts once, and what the plan says counts only
while something is pending. The goal's text is no input. A write belongs to a todo that is in progress; the
limits on edits and red commands give a hint, never a refusal.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from donewhen.core.paths import Scope
from donewhen.core.texts import Phrase
from donewhen.core.todos import TodoList

Mode = Literal["free", "forced"]
Level = Literal["off", "adaptive", "strict"]
Signal = Literal[
    "checkpoint_resumed",
    "task_graph_active",
    "branch_switched",
    "pending_steps",
    "tool_failure",
    "multi_write",
    "large_diff",
    "explicit_impl",
]
MOST_EDITS = 3
MOST_RED_RUNS = 2


class Settings(NamedTuple):
    """Section `executionMode` of the configuration."""

    level: Level = "adaptive"
    pending_steps_enter_threshold: int = 2
    write_targets_enter_threshold: int = 1
    diff_lines_enter_threshold: int = 200
    stable_rounds_exit_threshold: int = 2
    mode_lock_rounds: int = 2
    forced_min_dwell_rounds: int = 1
    readonly_tool_names: tuple[str, ...] = ("read_file", "glob", "grep", "list_dir")


class Round(NamedTuple):
    """What one round of the agent showed."""

    tools: tuple[str, ...] = ()  # names of the tools that were called
    pending_steps: int = 0  # open todos
    task_graph: bool = False  # some open todo has dependencies
    explicit: bool = False  # some open todo has paths
    checkpoint_resumed: bool = False
    branch_switched: bool = False
    tool_failure: bool = False  # a broken tool; a red test is none
    write_targets: int = 0  # different files written in this round
    diff_lines: int = 0  # changed since the last checkpoint


class ModeState(NamedTuple):
    mode: Mode = "free"
    reason: Signal | None = None  # the primary one that led into forced mode
    lock: int = 0  # rounds until it may be left
    dwell: int = 0  # rounds served in forced mode
    stable: int = 0  # quiet rounds in a row
    last: Round = Round()


def start(settings: Settings) -> ModeState:
    """The state before the first round: strict begins forced."""
    return _enter("explicit_impl", settings, Round()) if settings.level == "strict" else ModeState()


def advance(state: ModeState, seen: Round, settings: Settings) -> ModeState:
    """The state after one more round."""
    if settings.level == "off":
        return ModeState(last=seen)
    found = signals(seen, state.last, settings)
    if state.mode == "free":
        return _enter(found[0], settings, seen) if found else ModeState(last=seen)
    acted = not read_only(seen, settings)
    stays = state._replace(
        lock=max(0, state.lock - 1),
        dwell=state.dwell + acted,
        stable=0 if found else state.stable + acted,
        last=seen,
    )
    return ModeState(last=seen) if _may_leave(stays, settings) else stays


def signals(seen: Round, before: Round, settings: Settings) -> tuple[Signal, ...]:
    """What speaks for forced mode in a round, in the order in which one is the primary reason."""
    writes = 0 if read_only(seen, settings) else seen.write_targets
    pending = seen.pending_steps > 0
    strict = settings.level == "strict" and (pending or writes > 0)
    holds: Mapping[Signal, bool] = {
        "checkpoint_resumed": seen.checkpoint_resumed and not before.checkpoint_resumed,
        "task_graph_active": seen.task_graph and pending,
        "branch_switched": seen.branch_switched and not before.branch_switched,
        "pending_steps": seen.pending_steps >= max(1, settings.pending_steps_enter_threshold),
        "tool_failure": seen.tool_failure,
        "multi_write": writes > settings.write_targets_enter_threshold,
        "large_diff": seen.diff_lines > max(settings.diff_lines_enter_threshold, before.diff_lines),
        "explicit_impl": strict or (seen.explicit and pending),
    }
    return tuple(signal for signal, held in holds.items() if held)


def read_only(seen: Round, settings: Settings) -> bool:
    """Whether tools were called and all of them only read."""
    return bool(seen.tools) and set(seen.tools) <= set(settings.readonly_tool_names)


def _enter(reason: Signal, settings: Settings, seen: Round) -> ModeState:
    return ModeState("forced", reason, lock=settings.mode_lock_rounds, last=seen)


def _may_leave(state: ModeState, settings: Settings) -> bool:
    return (
        state.lock == 0
        and state.dwell >= settings.forced_min_dwell_rounds
        and state.last.pending_steps == 0
        and state.stable >= settings.stable_rounds_exit_threshold
    )


def out_of_step(todos: TodoList, paths: Iterable[str]) -> Phrase | None:
    """Why these paths may not be written in forced mode; None where a todo in progress covers them."""
    current = [todo for todo in todos.entries.values() if todo.status == "in_progress"]
    scope = Scope(glob for todo in current for glob in todo.paths)
    free = any(not todo.paths for todo in current)
    path = next((path for path in paths if not free and not scope.match(path)), None)
    if path is None:
        return None
    if not current:
        return Phrase("mode.no_todo", {"path": path})
    named = {"todos": ", ".join(todo.id for todo in current)}
    return Phrase("mode.not_its_paths", {"path": path, **named})


class Efforts(NamedTuple):
    """What was tried since the last message of the user, who starts a new one."""

    edits: Mapping[str, int] = MappingProxyType({})
    red_runs: Mapping[str, int] = MappingProxyType({})


class Tried(NamedTuple):
    efforts: Efforts
    hints: tuple[Phrase, ...] = ()


def edited(efforts: Efforts, paths: Iterable[str]) -> Tried:
    """Files were edited by one call; a hint for each that was edited too often."""
    counts = dict(efforts.edits)
    hints = []
    for path in dict.fromkeys(paths):
        counts[path] = counts.get(path, 0) + 1
        if counts[path] > MOST_EDITS:
            hints.append(Phrase("mode.edits", {"path": path, "count": counts[path]}))
    return Tried(efforts._replace(edits=MappingProxyType(counts)), tuple(hints))


def ran(efforts: Efforts, command: str, *, passed: bool) -> Tried:
    """A command ended; a hint when it failed too often. A pass begins the count anew."""
    counts = dict(efforts.red_runs)
    count = 0 if passed else counts.get(command, 0) + 1
    counts[command] = count
    hint = Phrase("mode.red_runs", {"command": command, "count": count})
    return Tried(
        efforts._replace(red_runs=MappingProxyType({name: n for name, n in counts.items() if n})),
        (hint,) if count > MOST_RED_RUNS else (),
    )
