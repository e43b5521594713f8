"""What a run lends to an agent that talks to models: the conversation, an account, a way to say things.

A reservation is in the ledger before the call it is for is made; what the call cost replaces it. A process
that dies in between leaves the reservation, which counts as spent for whoever goes on.
"""

from collections.abc import Callable
from weakref import WeakKeyDictionary

from donewhen.config.paths import cache_folder
from donewhen.config.secret_names import secret_names
from donewhen.context.conversation import conversation
from donewhen.context.facts import read_facts
from donewhen.context.settings import settings_of
from donewhen.context.tokens import counter_for
from donewhen.core import budget
from donewhen.core.budget import Call, Exhausted, Granted, Price, Usage
from donewhen.core.chat import Fitted, Piece, Prompt, Talk, UserSaid
from donewhen.core.events import run
from donewhen.core.texts import Phrase, say
from donewhen.project.project import Project
from donewhen.run.engine.live import Room, Run
from donewhen.run.engine.standing import Standing
from donewhen.secrets.redact import Redactor

_ROUND = 16  # tokens round two messages
_PRICE = "models.price_unknown"
_PRICED: WeakKeyDictionary[Run, set[object]] = WeakKeyDictionary()
"""Models whose price nobody knows, by run: author and reviewer may be the same, and it is said once."""


class RunAccount:
    """The account of a run, for calls of models."""

    def __init__(self, live: Run, count: Callable[[str], int]) -> None:
        self._live = live
        self._count = count

    @property
    def seconds_left(self) -> float:
        return self._live.terms.config.loop.max_total_time - self._live.elapsed

    @property
    def left(self) -> int | None:
        return self._live.state.account.left

    def count(self, text: str) -> int:
        return self._count(text)

    def reserve(
        self, call: Call, price: Price, *, whole: bool = False, model: str = ""
    ) -> Granted | Exhausted:
        state = self._live.state
        answer = budget.reserve(state.account, f"model-{state.reservations + 1}", call, price)
        if isinstance(answer, Exhausted):
            return answer
        if whole and answer.output < call.output:
            return Exhausted("money")
        self._live.ledger.append(answer.event._replace(model=model))
        return answer

    def book(self, key: str, used: Usage | None, *, model: str, cut: bool = False) -> None:
        booked = budget.booking(self._live.state.account, key, "llm", used, cut=cut)
        self._live.ledger.post(booked._replace(model=model))

    def note(self, phrase: Phrase, *, warning: bool = False) -> None:
        if phrase.key == _PRICE:
            told = _PRICED.setdefault(self._live, set())
            if phrase.values["model"] in told:
                return
            told.add(phrase.values["model"])
        said = say(phrase.key, self._live.language, **phrase.values)
        self._live.ledger.post(run.Noted(said, "warning" if warning else "info"))


class RunDesk(RunAccount):
    def __init__(self, live: Run, talk: Talk, count: Callable[[str], int]) -> None:
        super().__init__(live, count)
        self._talk = talk

    @property
    def talk(self) -> Talk:
        return self._talk

    def alone(self, instructions: str, request: str) -> Fitted:
        llm = self._live.terms.config.tools.llm
        said = f"{instructions}\n{request}"
        prompt = Prompt((instructions,), (), (Piece(UserSaid(request)),), "", llm.max_output, llm.temperature)

        def tokens(exact: bool) -> tuple[int, int]:
            words = self._count(said) if exact else len(said.encode(errors="replace"))
            return words + _ROUND, 0

        return Fitted(prompt, tokens)

    @property
    def plans(self) -> bool:
        return self._live.terms.wish.approve_plan


def desk_for(live: Run, room: Room) -> RunDesk:
    transcript = live.state.transcript
    if transcript is None:
        raise RuntimeError("nobody kept the transcript")  # a bug: it is kept for agents that talk
    redactor = Redactor.from_environment(live.terms.means.env, secret_names(live.terms.config))
    model = live.terms.config.tools.llm.model or ""
    counter = counter_for(model, folder=cache_folder(live.terms.means.env))
    project = live.terms.planned.project
    request = live.terms.wish.request
    named = "\n".join((live.state.promise.objective, request.goal or "", request.spec))
    facts = read_facts(room.site.folder, named, _commands(project))
    talk = conversation(
        transcript,
        settings_of(live.terms.config, live.language),
        Standing(live).text,
        facts,
        redactor.text,
        counter,
        lambda made: live.ledger.post(run.ContextCompressed(*made)),
    )
    return RunDesk(live, talk, counter.count)


def _commands(project: Project) -> tuple[str, ...]:
    return tuple(f"{command.role}: {command.command}" for command in project.commands)
