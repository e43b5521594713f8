"""What could do the work here: keys in the environment, a local Ollama, agent programs.

Nothing is started and nothing leaves this machine. Of a key only the name of its variable is ever kept.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import NamedTuple

from donewhen.agents.clients.known import KNOWN
from donewhen.core.errors import UserError
from donewhen.ui.finding_defaults import DEFAULT_MODELS
from donewhen.ui.finding_ollama import Ollama, look_for_ollama

LOCAL = "ollama"


class Offer(NamedTuple):
    """A provider that works with a key, and the model to begin with."""

    provider: str
    model: str
    variables: tuple[str, ...]  # any of which may hold its key
    found: str = ""  # the one that does
    needs: str = ""  # a package that is not installed

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"


class Program(NamedTuple):
    name: str
    path: str


class Choice(NamedTuple):
    """A model that can be used now, and why."""

    provider: str
    model: str
    source: str  # the variable with its key, or the address where it answers

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model}"


class Found(NamedTuple):
    offers: tuple[Offer, ...]
    ollama: Ollama
    programs: tuple[Program, ...]
    installed: bool  # what talks to models is

    @property
    def usable(self) -> tuple[Choice, ...]:
        """What a run could begin with now, the best first; a local model comes after all keys."""
        return tuple(self._usable())

    def _usable(self) -> Iterator[Choice]:
        for offer in self.offers:
            if offer.found and not offer.needs and offer.model:
                yield Choice(offer.provider, offer.model, offer.found)
        if self.ollama.best and self.installed:
            yield Choice(LOCAL, self.ollama.best, self.ollama.address)


class NothingUsable(UserError):
    """No model can be used; carries what was looked for, so that it can be shown."""

    def __init__(self, found: Found) -> None:
        super().__init__("models_found.none")
        self.found = found


def look_around(env: Mapping[str, str]) -> Found:
    """All that can be told without asking anybody outside of this machine."""
    return Found(tuple(_offers(env)), look_for_ollama(env), tuple(_programs(env)), not missing_package(LOCAL))


def _offers(env: Mapping[str, str]) -> Iterator[Offer]:
    for name, variables in key_variables().items():
        found = next((variable for variable in variables if env.get(variable, "").strip()), "")
        yield Offer(name, DEFAULT_MODELS.get(name, ""), variables, found, missing_package(name))


def key_variables() -> Mapping[str, tuple[str, ...]]:
    """Providers that want a key and the variables that may hold it, the preferred ones first."""
    from donewhen.agents.models.providers import PROVIDERS

    known = {name: provider.keys for name, provider in PROVIDERS.items() if provider.needs_key}
    first = [name for name in DEFAULT_MODELS if name in known]
    return {name: known[name] for name in (*first, *(name for name in known if name not in DEFAULT_MODELS))}


def missing_package(provider: str) -> str:
    """The package that a provider needs and that is not installed."""
    from donewhen.agents.models.providers import PROVIDERS

    needed = "pydantic_ai" if PROVIDERS[provider].speech == "library" else "h11"
    return needed if find_spec(needed) is None else ""


def _programs(env: Mapping[str, str]) -> Iterator[Program]:
    for name in KNOWN:
        path = shutil.which(name, path=env.get("PATH", os.defpath))
        if path:
            yield Program(name, path)
