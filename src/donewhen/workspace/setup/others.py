"""The languages beside Python and JavaScript: what a fresh folder must fetch, and whether it was fetched.

Pure over files and the user's caches; the rows are in the table. A language counts when its manifest is at
the root and a command needs its tools; where nothing is to be fetched, nothing is set up.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from donewhen.core.texts import Phrase
from donewhen.project.folder import Folder
from donewhen.project.programs import PROGRAMS, absent, has_other_languages, need
from donewhen.workspace.setup.model import AtHand, Setup, Step
from donewhen.workspace.setup.others_table import KINDS, Kind

Commands = Sequence[Sequence[str]]
_DEEPEST = 3  # of the parts of a project
_MOST_INPUTS = 500


def other_setups(folder: Path, commands: Commands) -> tuple[Setup, ...]:
    """How each of these languages is prepared in a fresh `folder` for `commands`."""
    found = Folder(folder)
    return tuple(
        Setup(
            kind.language,
            "",
            steps,
            _inputs(kind, found),
            _provides(kind, found),
            kind.path,
            kind.env,
            _again(kind, found, steps),
        )
        for kind, _ in _concerned(found, commands)
        if (steps := _steps(kind, found, commands))
    )


def others_at_hand(folder: Path, commands: Commands, env: Mapping[str, str]) -> AtHand | None:
    """All of these languages at once; None when one is missing something, or when no command needs any."""
    found = Folder(folder)
    hands: list[AtHand] = []
    for kind, wanted in _concerned(found, commands):
        source = kind.there(found, env) if kind.steps(found) else kind.language
        if not source and (wanted == "sure" or not has_other_languages(found, kind.language)):
            return None
        hands.append(_at_hand(kind, folder, source) if source else AtHand(kind.language))
    if not hands or others_missing(commands, env):
        return None
    return AtHand(
        "+".join(hand.language for hand in hands),
        tuple(path for hand in hands for path in hand.path),
        {name: value for hand in hands for name, value in hand.env.items()},
        ", ".join(hand.source for hand in hands if hand.source),
    )


def others_missing(commands: Commands, env: Mapping[str, str]) -> Phrase | None:
    """What is said when a command starts a tool of these languages that is not installed."""
    for kind in KINDS:
        name = absent(commands, PROGRAMS[kind.language], env)
        if name:
            how = Phrase("setup_node.install_toolchain", {"language": kind.language})
            return Phrase("setup_node.missing", {"program": name, "how": how})
    return None


def _concerned(folder: Folder, commands: Commands) -> Iterator[tuple[Kind, str]]:
    for kind in KINDS:
        wanted = need(commands, kind.language)
        if wanted != "no" and _is_here(kind, folder):
            yield kind, wanted


def _is_here(kind: Kind, folder: Folder) -> bool:
    return bool(folder.first(*kind.manifests)) if kind.manifests else bool(kind.steps(folder))


def _steps(kind: Kind, folder: Folder, commands: Commands) -> tuple[Step, ...]:
    unsure = need(commands, kind.language) == "maybe" and has_other_languages(folder, kind.language)
    return tuple(
        step._replace(optional=step.optional or unsure, env={**kind.env, **step.env})
        for step in kind.steps(folder)
    )


def _inputs(kind: Kind, folder: Folder) -> tuple[str, ...]:
    own = folder.there(*kind.manifests, *kind.locks)
    parts = (path for name in kind.nested for path in folder.files(name, _DEEPEST))
    return tuple(dict.fromkeys((*own, *parts)))[:_MOST_INPUTS]


def _provides(kind: Kind, folder: Folder) -> tuple[str, ...]:
    """What the steps fill; a lock file that the project keeps is its own, not ours."""
    return tuple(name for name in kind.provides if name not in kind.locks or not folder.has(name))


def _again(kind: Kind, folder: Folder, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps for a copied set-up: where a lock file is made by them, or what they fill knows its place."""
    made = any(name in kind.locks for name in _provides(kind, folder))
    return steps if made or kind.bound else ()


def _at_hand(kind: Kind, folder: Path, source: str) -> AtHand:
    own = not kind.provides or source in kind.provides or source == kind.language
    path = tuple(str(folder / name) for name in kind.path)
    return AtHand(kind.language, path, kind.env if own else {}, source)
