"""A run while it lives: its frozen terms, its ledger, and the parts that come with its workspace."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core import mode
from donewhen.core.agent import Agent, AgentView, Message, MessageKind, Phase, Returned, Step
from donewhen.core.backoff import Backoff
from donewhen.core.budget import Purse
from donewhen.core.errors import DonewhenError
from donewhen.core.events import facts, run
from donewhen.core.events.run import State
from donewhen.core.exam import Exam
from donewhen.core.hooking import PASSED, Occasion, Point, Verdict
from donewhen.core.mode import Efforts, ModeState, Settings
from donewhen.core.states import entered, step
from donewhen.core.texts import Language, Phrase, say
from donewhen.run.engine.ledger import Ledger
from donewhen.run.engine.memory import checkpointed
from donewhen.run.engine.model import Attempt, Stop, Terms
from donewhen.run.engine.state import RunState
from donewhen.store.crashing import crash_point
from donewhen.verify.change import Progress

if TYPE_CHECKING:
    from donewhen.hooks.hooks import Hooks
    from donewhen.run.approvals import Approvals
    from donewhen.run.engine.commands import Commands
    from donewhen.run.engine.executor import Done, Executor
    from donewhen.run.engine.tree import Tree
    from donewhen.run.shipping.commit import Shipped
    from donewhen.run.shipping.site import Site
    from donewhen.tools.registry import Toolbox
    from donewhen.workspace.processes.background import Background
    from donewhen.workspace.setup.model import Prepared


class Room(NamedTuple):
    """What a run has once its workspace is open."""

    site: "Site"
    tree: "Tree"
    toolbox: "Toolbox"
    executor: "Executor"
    commands: "Commands"
    background: "Background"
    prepared: "Prepared"
    sandbox: str
    hooks: "Hooks"
    own_branch: str  # that the workspace was opened on
    keepsakes: frozenset[str] = frozenset()  # files of the user's that git does not hold


class Unheard(NamedTuple):
    """A step of the agent whose calls are all over, and of which nobody has drawn the meaning."""

    step: Step
    done: "tuple[Done, ...]"


class Run:
    def __init__(self, terms: Terms, ledger: Ledger, agent: Agent, approvals: "Approvals") -> None:
        self.terms = terms
        self.ledger = ledger
        self.agent = agent
        self.approvals = approvals
        self._room: Room | None = None
        self.phase: Phase = "execute"
        self.results: tuple[Returned, ...] = ()
        self.messages: list[Message] = []
        self.settings = _settings(terms)
        self.mode: ModeState = mode.start(self.settings)
        self.efforts = Efforts()
        self.attempt: Attempt | None = None  # the last validation
        self.reminded = False  # that work without a plan should get its todos
        self.planned = False  # planning is over, but for a human's yes
        self.denials = 0  # plans to which a human said no
        self.checkpoint = ""  # the tree of the last refused attempt
        self.shipped: Shipped | None = None
        self.changed_paths: tuple[str, ...] = ()  # of the work as it ended
        self.record: Path | None = None
        self.tools: Mapping[str, str] = {}  # what the exam of the accepted attempt ran with
        self.backoff = Backoff()  # of tools, from before a resume
        self.pins: Mapping[str, str] = {}  # of hooks, likewise
        self.known_tree = self.sandbox = ""  # likewise
        self.unheard: Unheard | None = None  # a step from before a resume, all of whose calls are over
        self.stop: Stop | None = None  # somebody may want the run put aside
        self.aborted_by: str | None = None  # who wants it ended now
        self.put_aside = False
        self.purse = Purse(lambda: ledger.state.account, ledger.append)
        ledger.state.low = False  # a run that is taken up again was told before
        self.rescued = ""  # the commit that keeps work which was not accepted
        self.notes: tuple[Phrase, ...] = ()  # for people, at the end
        self.error: DonewhenError | None = None
        self.resumed = False  # another process began it
        self.taken_up = False  # and the first turn since is still to come
        self.left = False  # a hook of the run removed its workspace
        self.pull = ""  # where its pull request is
        self.warnings: tuple[Phrase, ...] = ()  # of how it was shipped
        self.refused = False  # the attempt of this state is judged, counted and refused
        self.closed = False  # a run that has ended and owes nothing any more

    @property
    def state(self) -> RunState:
        return self.ledger.state

    @property
    def language(self) -> Language:
        return self.terms.means.language

    @property
    def progress(self) -> Progress:
        return self.terms.means.progress

    @property
    def room(self) -> Room:
        if self._room is None:
            raise RuntimeError("the workspace is not open")  # a bug: states open it before they use it
        return self._room

    @property
    def has_room(self) -> bool:
        return self._room is not None

    def move_in(self, room: Room) -> None:
        self._room = room

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.terms.began

    @property
    def last_tree(self) -> str:
        """The tree that was seen last, for a workspace that is no more."""
        known = self.room.tree.last
        return known.tree if known else ""

    def exam(self) -> Exam:
        """What the gate would look at now, with the tree as it is now."""
        return self.state.exam(self.room.tree.view())

    def take_unheard(self) -> Unheard | None:
        """A step from before a resume, once."""
        taken, self.unheard = self.unheard, None
        return taken

    def begin_turn(self) -> None:
        self.ledger.post(run.TurnStarted(self.state.turns + 1))

    def view(self, *, keep: bool = False) -> AgentView:
        """What the agent hears at this turn; it hears everything once, unless it is kept for the next."""
        told = AgentView(
            self.state.turns,
            self.phase,
            self.state.promise,
            self.results,
            tuple(self.messages),
            self.room.toolbox.specs(),
        )
        if not keep:
            self.results, self.messages = (), []
        return told

    def tell(self, kind: MessageKind, text: str) -> None:
        """Something for the agent's next turn; it stands in the ledger too."""
        if text:
            self.messages.append(Message(kind, text))
            self.ledger.post(facts.AgentTold(kind, text))

    def tell_phrase(self, kind: MessageKind, key: str, **values: object) -> None:
        self.tell(kind, say(key, self.language, **values))

    def warn(self, phrase: Phrase, commands: tuple[str, ...] = ()) -> None:
        """Something that people must not miss: in the ledger, and at the end; with what they can type."""
        self.warnings += (phrase,)
        self.ledger.post(run.Noted(say(phrase.key, self.language, **phrase.values), "warning", commands))

    def move(self, state: State, reason: str = "") -> None:
        """Enter a state: the table is asked, the ledger told, cycles counted."""
        was = self.state.position
        now = step(was, state)
        pending = frozenset(self.state.decided.pending) if self.state.decided else frozenset[str]()
        self.state.cycles = entered(self.state.cycles, was, now, pending)
        changed = run.StateChanged(was.state, state, reason)
        between = "paused" in (was.state, state)  # put aside, or taken up again: it stands where it stood
        if not between:
            self.refused = False
            self.ledger.recall_effects(())
        self.ledger.append(changed, *(() if between else (checkpointed(self),)))

    async def hook(self, point: Point, **data: object) -> Verdict:
        """Ask the hooks of a point; before the workspace is open there are none."""
        if self._room is None or not self._room.hooks.listens(point):
            return PASSED
        occasion = Occasion(point, self.ledger.run_id, str(self._room.site.folder), data)
        return await self._room.hooks.call(occasion)

    async def hook_once(self, point: Point, **data: object) -> Verdict:
        """The same for a point at which hooks act on the outside: never twice for one thing."""
        if self._room is None or not self._room.hooks.listens(point):
            return PASSED
        if self.ledger.had("hook", point):
            return PASSED
        key = f"{self.ledger.trace()}/{point}"
        self.ledger.append(facts.EffectIntended(key, "hook", point))
        verdict = await self.hook(point, **data)
        crash_point(f"hooked:{point}")
        self.ledger.append(facts.EffectDone(key, not verdict.blocked))
        return verdict


def _settings(terms: Terms) -> Settings:
    section = terms.config.execution_mode
    return Settings(*(getattr(section, name) for name in Settings._fields))
