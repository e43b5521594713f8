"""What the loop counts between two steps, kept in the ledger so that a later process counts on.

Everything else of a run's state is folded from what happened; these are the judgements on it that no fact
repeats. They are written at the end of a turn and with every change of state, in the same transaction.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.agent import Phase
from donewhen.core.backoff import Backoff
from donewhen.core.codec import Json, freeze, from_json, thaw, to_json
from donewhen.core.completion import Misses
from donewhen.core.correction import Corrections, Refused
from donewhen.core.course import Course
from donewhen.core.events import run
from donewhen.core.mode import Efforts, ModeState
from donewhen.core.repeat import RepeatState
from donewhen.core.states import Cycles

if TYPE_CHECKING:
    from donewhen.run.engine.live import Run


class _Refused(NamedTuple):
    """The attempt that a fix is compared with: what was red and what was not known."""

    verification_failed: bool
    open_proofs: int
    failed: frozenset[str] = frozenset()
    unproven: frozenset[str] = frozenset()
    tests: Mapping[str, frozenset[str]] = {}


class Memory(NamedTuple):
    phase: Phase = "execute"
    reminded: bool = False
    checkpoint: str = ""
    continues: int = 0
    fewest: int | None = None
    misses: Misses = Misses()
    repeats: RepeatState = RepeatState()
    cycles: Cycles = Cycles()
    retries: int = 0
    attempts: int = 0
    best: int | None = None
    before: _Refused | None = None
    mode: ModeState = ModeState()
    efforts: Efforts = Efforts()
    backoff: Backoff = Backoff()
    era: int = 0
    beside: str | None = None
    tools: Mapping[str, str] = {}
    pins: Mapping[str, str] = {}  # files of the workspace that hooks are made of
    tree: str = ""  # of the workspace, where it was known
    sandbox: str = ""
    refused: bool = False
    planned: bool = False
    denials: int = 0
    told: bool = False
    looked: bool = False


def checkpointed(live: "Run", turn: int | None = None) -> run.Checkpointed:
    """Where the run stands now; `turn` is the last one that is over."""
    over = live.state.turns if turn is None else turn
    elapsed = round(live.elapsed * 1000)
    return run.Checkpointed(over, elapsed, freeze(to_json(_of(live))), freeze(thaw(live.agent.memory())))


def _of(live: "Run") -> Memory:
    state = live.state
    course, corrections = state.course, state.corrections
    before = corrections.before
    return Memory(
        live.phase,
        live.reminded,
        live.checkpoint,
        course.continues,
        course.fewest,
        course.misses,
        course.repeats,
        state.cycles,
        corrections.retries,
        corrections.attempts,
        corrections.fewest,
        _kept(before) if before else None,
        live.mode,
        live.efforts,
        live.room.executor.backoff if live.has_room else Backoff(),
        live.ledger.eras.number,
        live.ledger.eras.last,
        live.tools,
        live.room.hooks.pins if live.has_room else live.pins,
        _tree(live),
        live.room.sandbox if live.has_room else live.sandbox,
        live.refused,
        live.planned,
        live.denials,
        corrections.told,
        corrections.looked,
    )


def _tree(live: "Run") -> str:
    known = live.room.tree.sure if live.has_room else None
    return known.tree if known else ""


def _kept(refused: Refused) -> _Refused:
    return _Refused(
        refused.verification_failed, refused.open_proofs, refused.failed, refused.unproven, refused.tests
    )


def recall(live: "Run", kept: Mapping[str, Json], *, afresh: bool = False) -> None:
    """Count on from there; `afresh` gives new tries to a run that a human lets go on."""
    memory: Memory = from_json(Memory, thaw(kept))
    state = live.state
    live.phase, live.reminded, live.checkpoint = memory.phase, memory.reminded, memory.checkpoint
    live.mode, live.efforts, live.tools = memory.mode, memory.efforts, memory.tools
    live.backoff, live.pins = memory.backoff, memory.pins
    live.known_tree, live.sandbox, live.refused = memory.tree, memory.sandbox, memory.refused
    live.planned, live.denials = memory.planned, memory.denials
    live.ledger.eras.go_on(memory.era, memory.beside)
    if afresh:
        state.rounds = state.rounds._replace(done=0)
        state.corrections = Corrections(looked=True)
        return
    state.course = Course(memory.continues, memory.fewest, memory.misses, memory.repeats)
    state.cycles = memory.cycles
    before = Refused(**memory.before._asdict()) if memory.before else None
    state.corrections = Corrections(
        memory.retries, memory.attempts, memory.best, before, memory.told, memory.looked
    )
