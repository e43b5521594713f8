"""What only the layers together can get wrong: entries that lack a part, numbers that contradict.

Pure: a merged layer in, problems out, at the places of the settings they are about.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.config.fields import Section, keys_of
from donewhen.config.layers import Layer, to_lists
from donewhen.config.naming import documented_path
from donewhen.config.places import ConfigError, Place, Remark
from donewhen.config.places import Path as KeyPath
from donewhen.config.schema import Config
from donewhen.config.sections_guard import Agent
from donewhen.config.sections_verify import Verifier

_Places = Mapping[KeyPath, Place]


class Checked(NamedTuple):
    config: Config
    problems: tuple[Remark, ...]


def check(layer: Layer) -> Checked:
    """The configuration that a complete layer gives, and what is missing in it."""
    config = Config.model_validate(to_lists(layer.data))
    return Checked(config, tuple(_incomplete(config, layer)))


def checked(layer: Layer) -> Config:
    """The configuration, or a refusal with everything that is missing."""
    found = check(layer)
    if found.problems:
        raise ConfigError(found.problems)
    return found.config


def _incomplete(config: Config, layer: Layer) -> Iterator[Remark]:
    places = _first_places(layer)
    flaky = config.evidence.flaky
    if flaky.passes > flaky.of:
        yield _at(places, ("evidence", "flaky"), "flaky_passes", passes=flaky.passes, of=flaky.of)
    for name, agent in config.agents.items():
        yield from _agent_problems(places, name, agent)
    for name, verifier in config.verification.verifiers.items():
        yield from _verifier_problems(places, name, verifier)
    for name, server in config.tools.mcp.items():
        if bool(server.command) == (server.url is not None):
            yield _at(places, ("tools", "mcp", name), "mcp_command_or_url", entry=name)


def idle(layer: Layer) -> tuple[Remark, ...]:
    """The settings that somebody made and that nothing goes by yet."""
    found: dict[str, Remark] = {}
    for path, origin in layer.origins.items():
        named = _idle_part(path)
        if named and origin.layer != "default":
            found.setdefault(named, Remark("config.note_idle", origin.place, {"path": named}))
    return tuple(sorted(found.values(), key=lambda each: (each.place.source, each.place.line)))


def _idle_part(path: KeyPath) -> str:
    """The documented name of the part of a path that has no effect; empty where it has one."""
    model: type[Section] | None = Config
    for length, part in enumerate(path, 1):
        entry = next((each for each in keys_of(model) if each.attr == part), None) if model else None
        if entry is None:
            continue  # a name in a mapping
        if entry.facts.idle:
            return documented_path(path[:length])
        model = entry.model
    return ""


def _agent_problems(places: _Places, name: str, agent: Agent) -> Iterator[Remark]:
    at = ("agents", name)
    if agent.kind in ("acp", "command") and not agent.command:
        yield _at(places, at, "needs_key", entry=f"agents.{name}", needed="command")
    if agent.kind == "scripted" and agent.script is None:
        yield _at(places, at, "needs_key", entry=f"agents.{name}", needed="script")


def _verifier_problems(places: _Places, name: str, verifier: Verifier) -> Iterator[Remark]:
    at = ("verification", "verifiers", name)
    if not verifier.command:
        yield _at(places, at, "needs_key", entry=f"verification.verifiers.{name}", needed="command")
    if (verifier.parser == "regex") != (verifier.pattern is not None):
        yield _at(places, at, "parser_and_pattern", entry=name, path=f"verification.verifiers.{name}")


def _at(places: _Places, path: KeyPath, name: str, /, **values: object) -> Remark:
    return Remark(f"config.{name}", places.get(path, Place("")), values)


def _first_places(layer: Layer) -> dict[KeyPath, Place]:
    """Where the first setting below each path stands."""
    found: dict[KeyPath, Place] = {}
    for path, origin in layer.origins.items():
        if origin.place.source:
            for length in range(1, len(path) + 1):
                known = found.get(path[:length], origin.place)
                found[path[:length]] = min(known, origin.place, key=lambda place: place.line)
    return found
