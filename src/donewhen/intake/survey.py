"""A look round a project: languages, managers, tests, checks that are set up, and the parts it is made of.

Built on what `project.detect` tells about one folder. It only reads, bounded everywhere, and decides nothing:
what must pass is the word of whoever keeps the file that is written from it.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.texts import Phrase
from donewhen.intake.survey_ci import CiCommand, ci_commands
from donewhen.intake.survey_documents import Documents, documents
from donewhen.intake.survey_gates import Configured, configured
from donewhen.intake.survey_ground import Ground, ground
from donewhen.intake.survey_managers import Manager, managers
from donewhen.intake.survey_tests import ProjectTest, Whole, part_tests, whole_of
from donewhen.intake.survey_workspaces import Workspace, workspaces
from donewhen.project.folder import Folder
from donewhen.project.node_package import node_manager
from donewhen.project.project import Project, detect

MOST_PARTS = 200
_MOST_GATES = 60
_TEST = re.compile(r"(?<![\w-])npm test(?![\w-])")
_SCRIPT = re.compile(r"(?<![\w-])npm run ")


class Part(NamedTuple):
    """A folder with a project of its own."""

    folder: str
    source: str  # what makes it a part: the words that declare it, or its manifest
    languages: tuple[str, ...]
    tests: tuple[ProjectTest, ...] = ()  # that nothing above it runs, as lines for the root
    covered_by: tuple[str, ...] = ()  # commands of the whole that run its tests


class Survey(NamedTuple):
    project: Project  # of the root
    languages: tuple[str, ...]
    managers: tuple[Manager, ...]
    tests: tuple[ProjectTest, ...]  # of the whole, each as a line for the root
    gates: tuple[Configured, ...]
    ci: tuple[CiCommand, ...]
    parts: tuple[Part, ...]
    documents: Documents
    notes: tuple[Phrase, ...]


class _Seen(NamedTuple):
    """One folder of the tree, looked at."""

    folder: str
    root: Folder
    project: Project
    spaces: tuple[Workspace, ...] = ()
    manager: str = ""  # of the workspace above that runs its scripts


def survey(folder: Path, tracked: Sequence[str] | None) -> Survey:
    """What `folder` holds; `tracked` are the files that count, relative to it, or None for all."""
    found = ground(folder, tracked)
    top = _look(folder, found, "")
    sources, left_out = _parts(folder, found, top)
    seen = {name: _look(folder, found, name) for name in sources}
    seen = {
        name: each._replace(manager=_manager_of(name, (top, *seen.values()))) for name, each in seen.items()
    }
    whole = whole_of(top.root, top.project, top.spaces, seen)
    parts = _judged(top, whole, seen, sources)
    everyone = (top, *seen.values())
    notes = [*top.project.notes, *_about(found, left_out)]
    return Survey(
        top.project,
        _once(language for each in everyone for language in each.project.languages),
        _managers(everyone),
        (*whole.tests, *(test for part in parts for test in part.tests)),
        _gates(everyone),
        ci_commands(top.root, found.paths),
        parts,
        documents(top.root, found.paths),
        tuple(notes),
    )


def _look(folder: Path, found: Ground, name: str) -> _Seen:
    root = Folder(folder / name)
    return _Seen(name, root, detect(folder / name), workspaces(root, found.below(name)))


def _parts(folder: Path, found: Ground, top: _Seen) -> tuple[dict[str, str], int]:
    """Each part and what makes it one: members of workspaces, then folders with a manifest."""
    sources = {member: space.source for space in top.spaces for member in space.members}
    plain = [name for name in found.plain() if name not in sources]
    for name in plain:
        sources.setdefault(name, sorted(found.folders[name])[0])  # it may be a member of one found meanwhile
        for space in (
            workspaces(Folder(folder / name), found.below(name)) if len(sources) < MOST_PARTS else ()
        ):
            sources |= {f"{name}/{m}": f"{name}/{space.source}" for m in space.members}
    kept = dict(sorted(sources.items())[:MOST_PARTS])
    return kept, len(sources) - len(kept)


def _manager_of(name: str, everyone: Iterable[_Seen]) -> str:
    """The manager of the workspace that a folder is a member of: its lock file lies there."""
    for each in everyone:
        start = f"{each.folder}/" if each.folder else ""
        inside = name.startswith(start) and name.removeprefix(start)
        if any(inside in space.members for space in each.spaces if "javascript" in space.languages):
            return node_manager(each.root)[0]
    return ""


def _judged(top: _Seen, whole: Whole, seen: dict[str, _Seen], sources: dict[str, str]) -> tuple[Part, ...]:
    """The parts, each with the tests that neither the root nor a part above it runs."""
    covers = list(whole.covers)
    parts = []
    for name, each in seen.items():  # in the order of names: a folder comes before what it holds
        own = whole_of(each.root, _by_manager(each), each.spaces, _inside(name, seen))
        tests, by = part_tests(name, own, Whole((), tuple(covers)))
        covers += [cover._replace(part=f"{name}/{cover.part}") for cover in own.covers]
        parts.append(Part(name, sources[name], each.project.languages, tests, by))
    return tuple(parts)


def _inside(name: str, seen: Iterable[str]) -> list[str]:
    return [other.removeprefix(f"{name}/") for other in seen if other.startswith(f"{name}/")]


def _by_manager(each: _Seen) -> Project:
    """The project with its scripts run by the manager of the workspace, not by the one of no lock file."""
    if not each.manager or each.manager == "npm":
        return each.project
    run = f"{each.manager} run "
    test = f"{run}test" if each.manager == "bun" else f"{each.manager} test"
    commands = []
    for command in each.project.commands:
        line = _SCRIPT.sub(run, _TEST.sub(test, command.command))
        commands.append(command._replace(command=line))
    return each.project._replace(commands=tuple(commands))


def _managers(everyone: Iterable[_Seen]) -> tuple[Manager, ...]:
    """Each manager once, with where it was seen; a member's scripts are its workspace's business."""
    found: dict[str, Manager] = {}
    for each in everyone:
        for manager in managers(each.root):
            if each.manager and manager.name == "npm" and not manager.locked:
                continue
            places = tuple(f"{each.folder}/{source}" if each.folder else source for source in manager.sources)
            known = found.get(manager.name, Manager(manager.name, ()))
            found[manager.name] = Manager(
                manager.name, (*known.sources, *places)[:6], known.locked or manager.locked
            )
    return tuple(found.values())


def _gates(everyone: Iterable[_Seen]) -> tuple[Configured, ...]:
    found = [
        gate._replace(source=f"{each.folder}/{gate.source}" if each.folder else gate.source)
        for each in everyone
        for gate in configured(each.root)
    ]
    return tuple(found[:_MOST_GATES])


def _about(found: Ground, left_out: int) -> list[Phrase]:
    notes = []
    if left_out:
        notes.append(Phrase("init.parts_left_out", {"count": left_out, "most": MOST_PARTS}))
    if found.odd:
        notes.append(Phrase("init.odd_folders", {"count": found.odd}))
    return notes


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
