"""What it takes to make a fresh folder able to run a project's commands, as plain data."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.core.texts import Phrase


class Step(NamedTuple):
    """One command of a set-up, run in the folder of the set-up."""

    argv: tuple[str, ...]
    source: str  # what in the project asks for it: `package-lock.json`, `pyproject.toml [project]`
    optional: bool = False  # a failure is noted, the set-up goes on
    instead: tuple[tuple[str, ...], ...] = ()  # tried in order when `argv` fails
    env: Mapping[str, str] = {}
    rest: tuple[
        tuple[str, ...], ...
    ] = ()  # what `argv` has beyond `instead`: each is tried when that was used


class Setup(NamedTuple):
    """How a fresh folder of a project is prepared. Pure data: nothing has been run."""

    language: str
    folder: str  # where, relative to the root; "" is the root
    steps: tuple[Step, ...]
    inputs: tuple[str, ...]  # files, relative to the root, whose content decides what the steps install
    provides: tuple[
        str, ...
    ] = ()  # folders, relative to the root, that the steps fill: `.venv`, `node_modules`
    path: tuple[str, ...] = ()  # folders that go first in PATH: `.venv/bin`, `node_modules/.bin`
    env: Mapping[str, str] = {}
    again: tuple[Step, ...] = ()  # run as well when what it provides is a copy: they fill the tree itself
    salt: str = ""  # what else decides what the steps do


class AtHand(NamedTuple):
    """An environment that is there already, in or beside the user's own working tree."""

    language: str
    path: tuple[str, ...] = ()  # absolute folders that go first in PATH
    env: Mapping[str, str] = {}
    source: str = ""  # how it was found: `.venv`, `node_modules`, `VIRTUAL_ENV`


class Prepared(NamedTuple):
    """What the commands of an exam run with."""

    kind: Literal["shared", "own"]  # shared: the user's own, as it is; own: set up by the harness
    path: tuple[str, ...] = ()  # absolute folders that go first in PATH
    env: Mapping[str, str] = {}
    digest: str = ""  # names the environment: red and green are compared within one
    sources: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()
