"""The story of a run from its events alone: attempts, what was caught, costs, hooks, questions, notes.

Pure. Takes every event once and keeps a bounded number of each kind: the newest where there are many, with
a count of what went. An event of a kind that it does not know changes nothing.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Literal, TypeVar

from donewhen.core.codec import thaw
from donewhen.core.events import Event
from donewhen.core.summary import JUDGED, VERIFIES
from donewhen.run.reporting_model import Attempt, Catch, Caught, Hooked, Moment, Note, Question, Spent

Item = TypeVar("Item")
MOST = 200  # of each list
_MOST_WHY = 40
_MOST_FILES = 40
_NO_WORDS = ("fingerprint", "exam")  # they say something of trees and commands, not of the change
_QUIET_HOOKS = ("passed", "noted")


class Kept(Generic[Item]):
    """The newest of a list, and how many there were before."""

    def __init__(self, most: int = MOST) -> None:
        self._items: deque[Item] = deque(maxlen=most)
        self.count = 0

    def add(self, item: Item) -> None:
        self._items.append(item)
        self.count += 1

    def take_back(self) -> Item | None:
        """The newest, which does not count after all."""
        self.count -= bool(self._items)
        return self._items.pop() if self._items else None

    @property
    def items(self) -> tuple[Item, ...]:
        return tuple(self._items)

    @property
    def gone(self) -> int:
        return self.count - len(self._items)


class StoryFold:
    """`take` every event in order; the rest is read at the end."""

    def __init__(self) -> None:
        self.attempts: Kept[Attempt] = Kept()
        self.caught: Kept[Catch] = Kept()
        self.timeline: Kept[Moment] = Kept()
        self.notes: Kept[Note] = Kept()
        self.resumed: Kept[Moment] = Kept()
        self.started: Any = None
        self.shipped = ""  # the commit on the result's branch
        self.workspace: Any = None
        self.decided: Event | None = None
        self.amended = 0
        self.verified: dict[str, int] = {}  # verifier → its last word
        self._hooks: dict[tuple[str, ...], Hooked] = {}
        self._spent: dict[tuple[str, str], Spent] = {}
        self._questions: dict[str, Question] = {}
        self._branches: set[str] = set()  # keys of effects on the result's branch
        self._claim = ""
        self._status = ""  # of the last decision; empty while a claim is judged and when it may try again
        self._human_said_no: str | None = None  # and why
        self._turns = self._calls = 0
        self._files: dict[str, None] = {}

    def take(self, event: Event) -> None:
        told = _TELLS.get(event.type)
        if told is not None:
            told(self, event)

    def catch(self, event: Event, kind: Caught, what: str, why: str = "", rule: str = "") -> None:
        self.caught.add(Catch(event.seq, event.at, kind, what, why, rule))

    def moment(self, event: Event, what: str, text: str = "") -> None:
        self.timeline.add(Moment(event.seq, event.at, what, text))

    @property
    def hooks(self) -> tuple[Hooked, ...]:
        return tuple(self._hooks.values())[:MOST]

    @property
    def spent(self) -> tuple[Spent, ...]:
        return tuple(self._spent.values())[:MOST]

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(self._questions.values())[-MOST:]

    @property
    def gone(self) -> Mapping[str, int]:
        """How many older entries of each list were left out."""
        kept = {
            "attempts": self.attempts.gone,
            "caught": self.caught.gone,
            "timeline": self.timeline.gone,
            "notes": self.notes.gone,
            "questions": max(0, len(self._questions) - MOST),
        }
        return {name: count for name, count in kept.items() if count}

    # One method for each kind of event.

    def _started(self, event: Event) -> None:
        self.started = event.body

    def _amended(self, event: Event) -> None:
        self.amended += 1
        self.moment(event, "amended", f"{event.body.by}: {event.body.reason}".rstrip(": "))

    def _opened(self, event: Event) -> None:
        self.workspace = event.body

    def _state(self, event: Event) -> None:
        body = event.body
        if body.state == "validating" and body.was != "paused":
            self._status = ""
        self.moment(event, "state", f"{body.state}: {body.reason}" if body.reason else body.state)

    def _resumed(self, event: Event) -> None:
        if event.body.state == "validating" and self._status == "continue":
            self._judged_again()
        text = f"{event.body.state}: {event.body.by}".rstrip(": ")
        self.moment(event, "resumed", text)
        self.resumed.add(Moment(event.seq, event.at, "resumed", text))

    def _turn(self, event: Event) -> None:
        self._turns += 1

    def _called(self, event: Event) -> None:
        self._calls += 1

    def _mode(self, event: Event) -> None:
        self.moment(event, "mode", f"{event.body.mode}: {event.body.reason}".rstrip(": "))

    def _changed(self, event: Event) -> None:
        self._files[event.body.path] = None

    def _claimed(self, event: Event) -> None:
        if event.body.signal:
            self._claim = event.body.text

    def _corrected(self, event: Event) -> None:
        self._status = ""

    def _judged_again(self) -> None:
        """A claim that is judged once more is one attempt."""
        was = self.attempts.take_back()
        if was is not None:
            self._claim, self._turns, self._calls = was.claim, was.turns, was.calls
            self._files = dict.fromkeys((*was.files, *self._files))

    def _decided(self, event: Event) -> None:
        """An attempt is a claim that was judged; a hand-over or another end is none."""
        body = event.body
        self.decided = event
        if self._status == "accepted":
            self._judged_again()
        self._status = body.status
        if body.status in JUDGED or (self.started and self.started.agent == VERIFIES):
            self._attempted(event)
        self.moment(event, "decided", body.stop_reason or body.status)

    def _attempted(self, event: Event) -> None:
        body = event.body
        self.attempts.add(
            Attempt(
                self.attempts.count + 1,
                event.seq,
                event.at,
                body.status,
                self._claim,
                body.summary,
                tuple(body.details[:_MOST_WHY]),
                self._turns,
                self._calls,
                tuple(self._files)[:_MOST_FILES],
                body.fingerprint,
            )
        )
        self._claim, self._turns, self._calls, self._files = "", 0, 0, {}

    def _denied(self, event: Event) -> None:
        body = event.body
        note, self._human_said_no = self._human_said_no, None
        kind: Caught = "denied" if note is None else "human"
        what = body.command or body.target or body.tool
        self.catch(event, kind, what, note or body.reason, body.rule)

    def _verified(self, event: Event) -> None:
        body = event.body
        if body.verifier not in _NO_WORDS:
            self.verified[body.verifier] = event.seq
        if body.verdict != "failed" or body.verifier not in ("integrity", "secrets"):
            return
        kind: Caught = "integrity" if body.verifier == "integrity" else "secret"
        for found in _findings(thaw(body.details)):
            place = ":".join(str(found[key]) for key in ("file", "line") if found.get(key))
            message = str(found.get("message") or "")
            self.catch(event, kind, place or body.verifier, message, str(found.get("rule") or ""))

    def _rolled_back(self, event: Event) -> None:
        what = ", ".join(event.body.paths[:_MOST_FILES]) or event.body.tree
        self.catch(event, "rolled_back", what, event.body.reason)

    def _interrupted(self, event: Event) -> None:
        body = event.body
        what = "interrupted" if not body.undone else "undone_inside" if body.outside else "undone"
        self.moment(event, what, body.tool)

    def _hooked(self, event: Event) -> None:
        body = event.body
        said = "" if body.outcome in _QUIET_HOOKS else body.reason
        key = (body.hook, body.point, body.outcome, said)
        was = self._hooks.get(key)
        if was is not None:
            more = {"times": was.times + 1, "duration_ms": was.duration_ms + body.duration_ms}
            self._hooks[key] = was._replace(**more)
        elif len(self._hooks) < 5 * MOST:
            self._hooks[key] = Hooked(body.hook, body.point, body.outcome, said, 1, body.duration_ms)
        if body.outcome == "blocked":
            self.catch(event, "blocked", body.point, body.reason, body.hook)

    def _booked(self, event: Event) -> None:
        body = event.body
        was = self._spent.get((body.kind, body.model)) or Spent(body.kind, body.model, 0, 0, 0, 0)
        self._spent[body.kind, body.model] = Spent(
            body.kind,
            body.model,
            was.micros + body.micros,
            was.tokens_in + body.tokens_in,
            was.tokens_out + body.tokens_out,
            was.calls + 1,
        )

    def _asked(self, event: Event) -> None:
        body = event.body
        self._questions[body.ask] = Question(body.ask, event.at, body.question, body.tool, body.rule)
        self.moment(event, "asked", body.question)

    def _answered(self, event: Event) -> None:
        body = event.body
        was = self._questions.get(body.ask) or Question(body.ask, event.at, body.text)
        self._human_said_no = body.text if body.by == "human" and not body.allowed else None
        answer: Literal["allowed", "denied"] = "allowed" if body.allowed else "denied"
        self._questions[body.ask or f"#{event.seq}"] = was._replace(
            answer=answer, by=body.by, text=body.text, answered=event.at
        )
        self.moment(event, "answered", f"{body.by}: {answer}")

    def _intended(self, event: Event) -> None:
        if event.body.effect == "branch":
            self._branches.add(event.body.key)
        self.moment(event, "effect", f"{event.body.effect} {event.body.target}".strip())

    def _done(self, event: Event) -> None:
        if event.body.key in self._branches and event.body.ok:
            self.shipped = event.body.reference

    def _noted(self, event: Event) -> None:
        if event.body.level != "debug":
            self.notes.add(Note(event.at, event.body.level, event.body.text))


def _findings(details: Any) -> Iterable[Mapping[str, Any]]:
    found = details.get("findings") or details.get("violations") or [{}]
    listed = found if isinstance(found, list) else [{}]
    return [each for each in listed if isinstance(each, dict)][:_MOST_WHY]


_TELLS: Mapping[str, Callable[[StoryFold, Event], None]] = {
    "run_started": StoryFold._started,
    "promise_amended": StoryFold._amended,
    "workspace_opened": StoryFold._opened,
    "state_changed": StoryFold._state,
    "resumed": StoryFold._resumed,
    "turn_started": StoryFold._turn,
    "tool_called": StoryFold._called,
    "mode_changed": StoryFold._mode,
    "file_changed": StoryFold._changed,
    "candidate_kept": StoryFold._claimed,
    "correction_made": StoryFold._corrected,
    "decided": StoryFold._decided,
    "denied": StoryFold._denied,
    "verified": StoryFold._verified,
    "rolled_back": StoryFold._rolled_back,
    "call_interrupted": StoryFold._interrupted,
    "hook_called": StoryFold._hooked,
    "cost_booked": StoryFold._booked,
    "asked": StoryFold._asked,
    "answered": StoryFold._answered,
    "effect_intended": StoryFold._intended,
    "effect_done": StoryFold._done,
    "noted": StoryFold._noted,
}
