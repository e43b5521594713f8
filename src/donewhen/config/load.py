"""One configuration from all layers: defaults < user file < project file < environment < flags.

An untrusted project file only tightens. Every problem of every layer is found before anything is refused,
also what would only show once the project is trusted; no half-read configuration leaves this room.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.config.checking import check, checked, idle
from donewhen.config.files import read_bytes
from donewhen.config.layers import Layer, defaults, lay
from donewhen.config.overrides import Given, from_environment, from_flags
from donewhen.config.paths import user_file
from donewhen.config.places import ConfigError, Origin, Place, Remark, refuse
from donewhen.config.places import Path as KeyPath
from donewhen.config.project import (
    Extended,
    ProjectFiles,
    ProjectText,
    ReadLayer,
    Source,
    extended_by,
    extends_any,
    misnamed,
    missing_extended,
    read_project,
    read_sources,
)
from donewhen.config.rules import INSIDE
from donewhen.config.schema import Config
from donewhen.config.tighten import Ignored, tighten
from donewhen.config.trusted import is_trusted
from donewhen.config.yamltext import utf8


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

    def names(self, *path: str) -> bool:
        """Whether somebody set this key; else its default holds."""
        origin = self.origins.get(path)
        return origin is not None and origin.layer != "default"


class _Project(NamedTuple):
    read: ReadLayer
    holds: Layer  # what is left of it when it is not trusted
    ignored: tuple[Ignored, ...] = ()
    files: tuple[str, ...] = ()
    digest: str | None = None
    trusted: bool = True
    whole: bool = True  # an extended file outside was not left unread


_NOTHING = ReadLayer(Layer({}, {}), (), ())


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
    if project.ignored and project.whole:
        checked(_merged(base, project.read.layer, given))
    merged = _merged(base, project.holds, given)
    notes = [*user.notes, *project.read.notes]
    for one in given:
        notes += one.notes
    notes += idle(merged)
    return Loaded(
        checked(merged),
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

    text = utf8(json.dumps(mapping, ensure_ascii=False), "mapping")
    read = read_sources((Source("config", "mapping", text.encode()),), "flag")
    if read.problems:
        raise ConfigError(read.problems)
    return checked(lay(defaults(), read.layer))


def validate_file(path: Path) -> list[Remark]:
    """Everything that is wrong with one file and the file it extends."""
    try:
        data = read_bytes(path, str(path))
        if data is None:
            raise refuse("config.no_file", Place(str(path)))
        return problems_in(Source(role_of(path), str(path), data), path)
    except ConfigError as error:
        return list(error.problems)


def role_of(path: Path) -> str:
    """What a file of this name holds."""
    return "context" if path.name == "context.yml" else "config"


def problems_in(source: Source, path: Path | None) -> list[Remark]:
    """What is wrong with the content of one file, and with the file it extends from `path`.

    Without a path nothing is read from disk, so what an extended file might complete is not judged.
    """
    below = None
    if path is not None and source.role == "config":
        below = extended_by(source, path, path.parent.parent)
    read = read_sources(_lowest_first(source, None, below), "project", extends_missing=_missing(below))
    if read.problems or (path is None and extends_any(source)):
        return list(read.problems)
    return list(check(lay(defaults(), read.layer)).problems)


def _merged(base: Layer, project: Layer, given: Sequence[Given]) -> Layer:
    merged = lay(base, project)
    for one in given:
        merged = lay(merged, one.layer)
    return merged


def _read_user(env: Mapping[str, str]) -> tuple[ReadLayer, tuple[str, ...]]:
    path = user_file(env)
    data = read_bytes(path, str(path))
    if data is None:
        return _NOTHING, ()
    config = Source("config", str(path), data)
    below = extended_by(config, path, path.parent)
    sources = _lowest_first(config, None, below)
    names = tuple(source.source for source in reversed(sources))
    return read_sources(sources, "user", extends_missing=_missing(below)), names


def _read_project(folder: Path, text: ProjectText | None, base: Layer, env: Mapping[str, str]) -> _Project:
    found = read_project(folder, text)
    if found is None:
        other = misnamed(folder) if text is None else None
        note = (Remark("config.note_misnamed", Place(str(other))),) if other else ()
        return _Project(_NOTHING._replace(notes=note), _NOTHING.layer)
    digest = found.digest()
    trusted = is_trusted(digest, env=env, folder=found.folder)
    below = found.extended
    outside = below is not None and not below.inside and not trusted
    read = _read_files(found, None if outside else below)
    names = tuple(source.source for source in found.sources())
    if trusted:
        return _Project(read, read.layer, (), names, digest, True)
    layer, ignored = tighten(base, read.layer, Config)
    if outside and below is not None:
        ignored = (Ignored(("extends",), below.wanted, Origin("project", below.place), INSIDE), *ignored)
    return _Project(read, layer, ignored, names, digest, False, not outside)


def _read_files(found: ProjectFiles, below: Extended | None) -> ReadLayer:
    sources = _lowest_first(found.config, found.context, below)
    read = read_sources(sources, "project", extends_missing=_missing(below))
    if found.unread is None:
        return read
    note = Remark("config.note_second_file", Place(found.unread), {"first": found.config.source})
    return read._replace(notes=(*read.notes, note))


def _lowest_first(config: Source, context: Source | None, below: Extended | None) -> tuple[Source, ...]:
    extended = below.file if below is not None else None
    return tuple(source for source in (extended, config, context) if source is not None)


def _missing(below: Extended | None) -> Remark | None:
    return missing_extended(below) if below is not None and below.file is None else None
