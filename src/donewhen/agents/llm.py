"""The built-in agent: a model behind a desk. It holds no history; the ledger does, and the desk reads it."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.core.agent import AgentView, Phase, Step, Stepped, ToolRequest
from donewhen.core.chat import Reply, Role
from donewhen.core.codec import EMPTY, Json
from donewhen.core.errors import AgentError, LimitReached, UserError
from donewhen.core.texts import Phrase

if TYPE_CHECKING:
    from donewhen.agents.models.calling import Caller, Means
    from donewhen.config import Config
    from donewhen.config.schema import Llm
    from donewhen.core.chat import Desk

NAME = "llm"
_ROLES: Mapping[Phase, Role] = {"plan": "plan", "execute": "execute", "fix": "fix"}
_TIGHTEST = 3  # times that a conversation is made smaller because an endpoint found it too long
_WAITS = Step()


class LlmAgent:
    def __init__(
        self, means: "Means", name: str = NAME, *, plans: bool = False, notes: Sequence[Phrase] = ()
    ) -> None:
        self._means = means
        self._name = name
        self._notes = tuple(notes)  # for people, once there is somewhere to write them
        self._plans = plans  # a model for planning is configured
        self._desk: Desk | None = None
        self._caller: Caller | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def follows_mode(self) -> bool:
        return True

    @property
    def talks(self) -> bool:
        return True

    @property
    def model(self) -> str:
        """That does the work."""
        return self._means.order["execute"][0]

    def join(self, desk: "Desk") -> None:
        from donewhen.agents.models.calling import Caller

        self._desk = desk
        self._caller = Caller(self._means, desk)
        for note in self._notes:
            desk.note(note, warning=True)

    async def step(self, view: AgentView) -> Step:
        from donewhen.agents.models.calling import TooLong

        if self._desk is None or self._caller is None:
            raise RuntimeError("an agent that talks works at a desk")  # a bug: the run lends it one
        if view.phase == "plan" and not (self._plans or self._desk.plans):
            return _WAITS
        for tighter in range(_TIGHTEST + 1):
            fitted = self._desk.talk.fit(view, tighter=tighter)
            try:
                reply, model = await self._caller.ask(_ROLES[view.phase], fitted)
            except TooLong:
                continue
            return _step(reply, model, view.turn)
        raise LimitReached("models.too_long", kind="context", model=self._means.order["execute"][0])

    async def answer(self, instructions: str, request: str) -> tuple[Reply, str]:
        """One answer apart from the conversation, and the model that gave it; paid like any other call."""
        from donewhen.agents.models.calling import TooLong

        if self._desk is None or self._caller is None:
            raise RuntimeError("an agent that talks works at a desk")
        try:
            return await self._caller.ask("execute", self._desk.alone(instructions, request))
        except TooLong:
            raise AgentError("codegen.too_long") from None

    def memory(self) -> Mapping[str, Json]:
        return EMPTY

    def recall(self, memory: Mapping[str, Json], since: Sequence[Stepped]) -> None:
        """The transcript is read from the ledger."""

    async def close(self) -> None:
        if self._caller is not None:
            await self._caller.close()


def _step(reply: Reply, model: str, turn: int) -> Step:
    return Step(reply.text, _told_apart(reply.calls, turn), reply.thinking, reply.finish, reply.opaque, model)


def _told_apart(calls: tuple[ToolRequest, ...], turn: int) -> tuple[ToolRequest, ...]:
    """Calls with ids of their own: endpoints leave them out or give one twice."""
    seen: set[str] = set()
    found = []
    for number, call in enumerate(calls, 1):
        own = call.id if call.id and call.id not in seen else f"call-{turn}-{number}"
        seen.add(own)
        found.append(call._replace(id=own))
    return tuple(found)


def llm_agent(
    config: "Config", env: Mapping[str, str], cache: Path, *, name: str = NAME, model: str = ""
) -> LlmAgent:
    """As configured, `model` first; UserError when no model is named or one can't be used."""
    from donewhen.agents.models.calling import Means
    from donewhen.agents.models.naming import find_source, make_model
    from donewhen.agents.models.prices import Priced, price_of

    section, most = config.tools.llm, config.context.max_tokens
    first = _first(config, name, model)
    main = first["execute"]  # whose provider an address without a name is meant for
    for each in dict.fromkeys(first.values()):
        find_source(each, section, env, main)  # what is wrong with it is told before anything is begun
    more, notes = _fallbacks(section, env, main)
    order = {role: tuple(dict.fromkeys((each, *more))) for role, each in first.items()}

    def price(named: str) -> Priced:
        source = find_source(named, section, env, main)
        return price_of(*source.named, config.budget, cache, address=source.url, most_input=most)

    means = Means(
        order, lambda named: make_model(named, section, env, main), price, section.retries, random.random
    )
    return LlmAgent(means, name, plans=bool(section.roles.plan), notes=notes)


def _fallbacks(section: "Llm", env: Mapping[str, str], main: str) -> tuple[list[str], list[Phrase]]:
    """Those that can be used; one without a key is left out, and that is said."""
    from donewhen.agents.models.naming import find_source

    usable, notes = list[str](), list[Phrase]()
    for each in section.fallback:
        try:
            usable.append(str(find_source(each, section, env, main).named))
        except UserError as error:
            if error.key != "models.no_key":
                raise
            why = Phrase(error.key, error.values)
            notes.append(Phrase("models.fallback_left_out", {"model": each, "why": why}))
    return usable, notes


def _first(config: "Config", name: str, model: str) -> dict[Role, str]:
    """The first model of each role; what was asked for by name does all but review."""
    from donewhen.agents.models.naming import parse_name

    section, own = config.tools.llm, config.agents.get(name)
    named = str(parse_name(own.model, own.provider or section.provider)) if own and own.model else ""
    by_profile = section.by_profile.get(config.verification.profile, "")
    usual = model or named or by_profile or section.model
    roles = section.roles
    execute = usual if model else roles.execute or usual
    if not execute:
        raise UserError("models.none_named")
    first: dict[Role, str] = {
        "plan": execute if model else roles.plan or execute,
        "execute": execute,
        "review": config.verification.semantic.model or roles.review or execute,
        "fix": execute if model else roles.fix or execute,
    }
    return {role: str(parse_name(each, section.provider)) for role, each in first.items()}
