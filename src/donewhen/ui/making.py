"""Who does the work of a run: a script, an agent that the configuration names, or a model.

Where nothing names a model, the first is taken that can be used here, and that is said.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.core.errors import UserError
from donewhen.ui.output import complain
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.config import Config
    from donewhen.core.agent import Agent
    from donewhen.ui.finding import Choice

BUILT_IN = "llm"


class AgentMaker:
    """Makes the agent when the configuration of the run is known; `model` is what was named or chosen."""

    def __init__(self, name: str, script: str, folder: Path, model: str = "") -> None:
        if script and model:
            raise UserError("models_found.script_and_model")
        self._name = name
        self._script = script
        self._folder = folder
        self.model = model
        self.tell: Callable[[str], None] = complain
        self.names = True  # a model that was named or configured is said as well

    def __call__(self, config: "Config") -> "Agent":
        if self._script:
            return _scripted(Path(os.path.realpath(self._folder / self._script)), self._name or "scripted")
        wanted = self._name or (BUILT_IN if self.model else next(iter(config.agents), BUILT_IN))
        found = config.agents.get(wanted)
        if (found is not None and found.kind == "command") or (
            found is None and wanted != BUILT_IN and _is_client(wanted)
        ):
            return self._command(config, wanted)
        if found is None and wanted != BUILT_IN:
            raise UserError("engine.unknown_agent", name=wanted, known=_known(config))
        if found is None or found.kind == "llm":
            return self._llm(config, wanted)
        if self.model:
            raise UserError("models_found.agent_takes_no_model", name=wanted, kind=found.kind)
        if found.kind != "scripted" or not found.script:
            raise UserError("engine.unknown_agent", name=wanted, known=_known(config))
        return _scripted(self._folder / found.script, wanted)

    def _llm(self, config: "Config", name: str) -> "Agent":
        from donewhen.agents.llm import llm_agent
        from donewhen.config.paths import cache_folder
        from donewhen.ui.finding_names import full_name

        model = full_name(self.model, config.tools.llm.provider) if self.model else ""
        usual = configured_model(config, name)
        if not model and not usual:
            chosen = choose(config, name)
            model, said = chosen.name, _took(chosen)
        else:
            said = t("models_found.works_with", model=model or usual) if self.names else ""
        agent = llm_agent(config, os.environ, cache_folder(os.environ), name=name, model=model)
        if said:
            self.tell(said)
        roles = config.tools.llm.roles
        self.model = model or ("" if roles.plan or roles.fix else usual)
        return agent

    def _command(self, config: "Config", name: str) -> "Agent":
        """A program of others; whether it is there is told before anything is begun."""
        from donewhen.agents.clients.choosing import configured_client, named_client
        from donewhen.agents.command import CommandAgent

        found = config.agents.get(name)
        if found is None:
            return CommandAgent(named_client(name, self._folder, os.environ, self.model), name)
        return CommandAgent(configured_client(name, found, self._folder, os.environ, self.model), name)


def _is_client(name: str) -> bool:
    from donewhen.agents.clients.choosing import is_client

    return is_client(name)


def _scripted(path: Path, name: str) -> "Agent":
    from donewhen.agents.scripted import Scripted, load_script

    return Scripted(load_script(path), name)


def configured_model(config: "Config", name: str = BUILT_IN) -> str:
    """The model that an agent is to work with by the configuration; empty when it says nothing."""
    own, section = config.agents.get(name), config.tools.llm
    if section.roles.execute:
        return with_provider(section.provider, section.roles.execute)
    if own and own.model:
        return with_provider(own.provider or section.provider, own.model)
    by_profile = section.by_profile.get(config.verification.profile)
    return with_provider(section.provider, by_profile or section.model or "")


def with_provider(provider: str | None, model: str) -> str:
    """A configured model under its full name; one that can't be read stays as it is, for others to refuse."""
    from donewhen.agents.models.naming import parse_name

    try:
        return str(parse_name(model, provider)) if model else ""
    except UserError:
        return model


def choose(config: "Config", name: str = BUILT_IN) -> "Choice":
    """The first model that can be used, of the configured provider where there is one; else UserError."""
    from donewhen.ui.finding import NothingUsable, look_around

    own, section = config.agents.get(name), config.tools.llm
    provider = (own and own.provider) or section.provider
    if section.base_url and not provider:
        raise UserError("models_found.endpoint_without_model")
    found = look_around(os.environ)
    usable = [choice for choice in found.usable if choice.provider == provider or not provider]
    if usable:
        return usable[0]
    if provider:
        raise UserError("models_found.no_default", provider=provider)
    raise NothingUsable(found)


def _took(chosen: "Choice") -> str:
    from donewhen.ui.finding_text import why

    return t("models_found.took", model=chosen.name, why=why(chosen))


def _known(config: "Config") -> str:
    from donewhen.agents.clients.known import KNOWN

    playable = [name for name, agent in config.agents.items() if agent.kind != "acp"]
    return ", ".join(dict.fromkeys((*playable, BUILT_IN, *KNOWN, "'command:…'")))
