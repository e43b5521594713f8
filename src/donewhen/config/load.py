"""One configuration from all layers: defaults < user file < project file < environment < flags.

An untrusted project file only tightens. Every problem of every layer is found before anything is refused;
no half-read configuration leaves this room.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_bytes
from donewhen.config.layers import Layer, defaults, lay, to_lists
from donewhen.config.overrides import from_environment, from_flags
from donewhen.config.paths import user_file
from donewhen.config.places import ConfigError, Origin, Place, Remark, refuse
from donewhen.config.places import Path as KeyPath
from donewhen.config.project import (
    Extended,
    ProjectText,
    ReadLayer,
    Source,
    extended_by,
    missing_extended,
    read_project,
    read_sources,
)
from donewhen.config.rules import INSIDE
from donewhen.config.schema import Config
from donewhen.config.sections_guard import Agent
from donewhen.config.sections_verify import Verifier
from donewhen.config.tighten import Ignored, tighten
from donewhen.config.trusted import is_trusted


class Loaded(NamedTuple):
    """The effective configuration, where each leaf came from, and what was ignored or read as old."""

    config: Config
    origins: Mapping[KeyPath, Origin]
    ignored: tuple[Ignored, ...]
    notes: tuple[Remark, ...]
    files: tuple[str, ...]  # all that were read: the user's, the project's, what they extend
    project_files: tuple[str, ...]
    digest: str | None
    trusted: bool


class _Project(NamedTuple):
    read: ReadLayer
    ignored: tuple[Ignored, ...]
    files: tuple[str, ...]
    digest: str | None
    trusted: bool


def load_config(
    folder: Path,
    *,
    env: Mapping[str, str],
    flags: Sequence[str] = (),
    project_text: ProjectText | None = None,
) -> Loaded:
    """The configuration that holds in `folder`; raises ConfigError with all problems when there are any."""
    user, user_files = _read_user(env)
    base = lay(defaults(), user.layer)
    project = _read_project(folder, project_text, base, env)
    given = [*from_environment(env), *from_flags(flags)]
    problems = [*user.problems, *project.read.problems]
    for one in given:
        problems += one.problems
    if problems:
        raise ConfigError(problems)
    merged = lay(base, project.read.layer)
    for one in given:
        merged = lay(merged, one.layer)
    notes = [*user.notes, *project.read.notes]
    for one in given:
        notes += one.notes
    return Loaded(
        _checked(merged),
        merged.origins,
        project.ignored,
        tuple(notes),
        (*user_files, *project.files),
        project.files,
        project.digest,
        project.trusted,
    )


def config_from_mapping(mapping: Mapping[str, object]) -> Config:
    """The configuration that defaults and a mapping in any accepted spelling give."""
    import json

    text = json.dumps(mapping, ensure_ascii=False)
    read = read_sources((Source("config", "mapping", text.encode()),), "flag")
    if read.problems:
        raise ConfigError(read.problems)
    return _checked(lay(defaults(), read.layer))


def validate_file(path: Path) -> list[Remark]:
    """Everything that is wrong with one file and the file it extends."""
    role = "context" if path.name == "context.yml" and path.parent.name == ".gsd" else "config"
    try:
        data = read_bytes(path, str(path))
        if data is None:
            raise refuse("config.no_file", Place(str(path)))
        config = Source(role, str(path), data)
        below = extended_by(config, path, path.parent.parent) if role == "config" else None
        read = read_sources(_lowest_first(config, None, below), "project", extends_missing=_missing(below))
        return list(read.problems) or list(incomplete(lay(defaults(), read.layer)))
    except ConfigError as error:
        return list(error.problems)


def incomplete(layer: Layer) -> Iterator[Remark]:
    """What only the layers together can get wrong."""
    config = Config.model_validate(to_lists(layer.data))
    flaky = config.evidence.flaky
    if flaky.passes > flaky.of:
        yield _at(layer, ("evidence", "flaky"), "flaky_passes", passes=flaky.passes, of=flaky.of)
    for name, agent in config.agents.items():
        yield from _agent_problems(layer, name, agent)
    for name, verifier in config.verification.verifiers.items():
        yield from _verifier_problems(layer, name, verifier)
    for name, server in config.tools.mcp.items():
        if bool(server.command) == (server.url is not None):
            yield _at(layer, ("tools", "mcp", name), "mcp_command_or_url", entry=name)


def _agent_problems(layer: Layer, name: str, agent: Agent) -> Iterator[Remark]:
    at = ("agents", name)
    if agent.kind in ("acp", "command") and not agent.command:
        yield _at(layer, at, "needs_key", entry=f"agents.{name}", needed="command")
    if agent.kind == "scripted" and agent.script is None:
        yield _at(layer, at, "needs_key", entry=f"agents.{name}", needed="script")


def _verifier_problems(layer: Layer, name: str, verifier: Verifier) -> Iterator[Remark]:
    at = ("verification", "verifiers", name)
    if not verifier.command:
        yield _at(layer, at, "needs_key", entry=f"verification.verifiers.{name}", needed="command")
    if (verifier.parser == "regex") != (verifier.pattern is not None):
        yield _at(layer, at, "parser_and_pattern", entry=name, path=f"verification.verifiers.{name}")


def _at(layer: Layer, path: KeyPath, name: str, /, **values: object) -> Remark:
    found = [
        origin.place
        for at, origin in layer.origins.items()
        if at[: len(path)] == path and origin.place.source
    ]
    return Remark(f"config.{name}", min(found, key=lambda place: place.line, default=Place("")), values)


def _checked(layer: Layer) -> Config:
    problems = tuple(incomplete(layer))
    if problems:
        raise ConfigError(problems)
    return Config.model_validate(to_lists(layer.data))


def _read_user(env: Mapping[str, str]) -> tuple[ReadLayer, tuple[str, ...]]:
    path = user_file(env)
    data = read_bytes(path, str(path))
    if data is None:
        return ReadLayer(Layer({}, {}), (), ()), ()
    config = Source("config", str(path), data)
    below = extended_by(config, path, path.parent)
    sources = _lowest_first(config, None, below)
    names = tuple(source.source for source in reversed(sources))
    return read_sources(sources, "user", extends_missing=_missing(below)), names


def _read_project(folder: Path, text: ProjectText | None, base: Layer, env: Mapping[str, str]) -> _Project:
    found = read_project(folder, text)
    if found is None:
        return _Project(ReadLayer(Layer({}, {}), (), ()), (), (), None, True)
    digest = found.digest()
    trusted = is_trusted(digest, env=env)
    below = found.extended
    outside = below is not None and not below.inside and not trusted
    usable = None if outside else below
    read = read_sources(
        _lowest_first(found.config, found.context, usable), "project", extends_missing=_missing(usable)
    )
    names = tuple(source.source for source in found.sources())
    if trusted:
        return _Project(read, (), names, digest, True)
    layer, ignored = tighten(base, read.layer, Config)
    if outside and below is not None:
        ignored = (Ignored(("extends",), below.wanted, Origin("project", below.place), INSIDE), *ignored)
    return _Project(read._replace(layer=layer), ignored, names, digest, False)


def _lowest_first(config: Source, context: Source | None, below: Extended | None) -> tuple[Source, ...]:
    extended = below.file if below is not None else None
    return tuple(source for source in (extended, config, context) if source is not None)


def _missing(below: Extended | None) -> Remark | None:
    return missing_extended(below) if below is not None and below.file is None else None
