"""The built-in agent: a model behind a desk. It holds no history; the ledger does, and the desk reads it."""

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from donewhen.core.agent import AgentView, Phase, Step, Stepped, ToolRequest
from donewhen.core.chat import Reply, Role
from donewhen.core.codec import EMPTY, Json
from donewhen.core.errors import LimitReached, UserError

if TYPE_CHECKING:
    from donewhen.agents.models.calling import Caller, Means
    from donewhen.config import Config
    from donewhen.core.chat import Desk

NAME = "llm"
_ROLES: Mapping[Phase, Role] = {"plan": "plan", "execute": "execute", "fix": "fix"}
_TIGHTEST = 3  # times that a conversation is made smaller because an endpoint found it too long
_WAITS = Step()


class LlmAgent:
    def __init__(self, means: "Means", name: str = NAME, *, plans: bool = False) -> None:
        self._means = means
        self._name = name
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

    def join(self, desk: "Desk") -> None:
        from donewhen.agents.models.calling import Caller

        self._desk = desk
        self._caller = Caller(self._means, desk)

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
    order = _order(config, name, model)
    for each in {named for names in order.values() for named in names}:
        find_source(each, section, env)  # what is wrong with it is told before anything is begun

    def price(named: str) -> Priced:
        source = find_source(named, section, env)
        return price_of(*source.named, config.budget, cache, address=source.url, most_input=most)

    Thread(target=_load_early, daemon=True).start()
    means = Means(order, lambda named: make_model(named, section, env), price, section.retries, random.random)
    return LlmAgent(means, name, plans=bool(section.roles.plan))


def _load_early() -> None:
    """What the first call needs loads while git opens the workspace; what is missing is told by the call."""
    with suppress(ImportError):
        import_module("donewhen.agents.models.clients")
        import_module("httpx2")
        import_module("httpcore2")


def _order(config: "Config", name: str, model: str) -> dict[Role, tuple[str, ...]]:
    """The models of each role, the first one first; what was asked for by name does all but review."""
    section, own = config.tools.llm, config.agents.get(name)
    named = _full(own.provider or section.provider, own.model) if own else ""
    by_profile = section.by_profile.get(config.verification.profile, "")
    usual = model or named or by_profile or _full(section.provider, section.model)
    roles = section.roles
    execute = usual if model else roles.execute or usual
    if not execute:
        raise UserError("models.none_named")
    first: dict[Role, str] = {
        "plan": execute if model else roles.plan or execute,
        "execute": execute,
        "review": roles.review or execute,
        "fix": execute if model else roles.fix or execute,
    }
    return {role: tuple(dict.fromkeys((each, *section.fallback))) for role, each in first.items()}


def _full(provider: str | None, model: str | None) -> str:
    if not model:
        return ""
    return f"{provider}:{model}" if provider and not model.startswith(f"{provider}:") else model
