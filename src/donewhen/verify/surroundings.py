"""Where and with what an exam is sat: in place with what is at hand, or in a room that is set up for it.

In place is the user's own folder with the user's own tools, read and run but not written by us. A room is a
private copy of exactly the tree that is judged. Either way every command goes through guard and sandbox;
what only running needs is loaded only then, because a result that is used again should cost next to nothing.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING

from donewhen.config import user_file
from donewhen.config.paths import state_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.accept import Accept
from donewhen.core.texts import Phrase
from donewhen.secrets.redact import Redactor
from donewhen.verify.parts import part_of
from donewhen.verify.place import Bench, ExamPlace, Site
from donewhen.verify.record import Recorder, discard
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.running import run as run_command
from donewhen.workspace.rooms.gitdir import borrowed
from donewhen.workspace.rooms.rooms import clean_room, open_room
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.plan import plan
from donewhen.workspace.sandbox.support import probe
from donewhen.workspace.setup.detect import at_hand, setups_for
from donewhen.workspace.setup.digest import DECIDING, environment_digest
from donewhen.workspace.setup.model import AtHand, Prepared, Setup, Step
from donewhen.workspace.setup.preparing import prepare

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means, Wanted

_SETUP_SECONDS = 1800.0
_WAIT = 900.0  # for another verification that has the room


@asynccontextmanager
async def surroundings(
    looked: "Looked",
    wanted: "Wanted",
    means: "Means",
    store: Path,
    record: Recorder,
    entries: Sequence[Accept],
) -> AsyncIterator[ExamPlace]:
    """Choose, open and prepare the place of the exam; closed again when it is over."""
    hide = (state_folder(means.env), user_file(means.env).parent, store.parent)
    redactor = Redactor.from_environment(means.env, secret_names(looked.rules.config))
    bench = Bench(looked, means, hide, record, redactor, repeats=not wanted.driven)
    commands = _by_folder(looked.repository.root, entries)
    config = looked.rules.config
    fresh = wanted.clean_room or config.evidence.clean_room
    whole = fresh or looked.change.fingerprint.absent > 0  # files that are not here could hide what fails
    hand = None if whole else _at_hand(bench, commands)
    if hand is not None and wanted.apart and _lies_in(hand, looked.repository.root):
        hand = None  # an agent worked there: what it may have altered must not sit the exam
    setups = () if hand is not None else _setups(bench, commands)
    if hand is None and not setups and not whole:
        hand = AtHand("")
    if hand is not None and not wanted.apart:
        site = Site(looked.repository.root, "in_place")
        yield ExamPlace(bench, site, _shared(bench, site, hand))
        return
    means.progress(Phrase("verify.laying"))
    tree = looked.change.fingerprint.tree
    args = (looked.repository, looked.fingerprints, tree, looked.places)
    commit = looked.repository.head if wanted.clean_room else ""
    opened = clean_room(*args, commit) if fresh else open_room(*args, wait=_WAIT)
    with opened as room:
        site = Site(room.folder, "clean_room" if fresh else "room", room.readable, room.notes)
        if hand is not None:
            prepared = _shared(bench, site, hand)
        else:
            prepared = await prepare(
                setups, room.folder, looked.places.environments, means.env, _stepper(bench, site)
            )
        room.settle([path for setup in setups for path in setup.provides])
        yield ExamPlace(bench, site, prepared)


def _lies_in(hand: AtHand, root: Path) -> bool:
    inside = f"{root}/"
    return any(f"{place}/".startswith(inside) for place in (*hand.path, *hand.env.values()))


async def furnished(bench: Bench, entries: Sequence[Accept]) -> Prepared:
    """What commands need in the folder itself, where an agent is to work: at hand, or set up there."""
    root = bench.looked.repository.root
    commands = _by_folder(root, entries)
    site = Site(root, "in_place", borrowed(bench.looked.repository))
    hand = _at_hand(bench, commands)
    setups = () if hand is not None else _setups(bench, commands)
    if not setups:
        return _shared(bench, site, hand or AtHand(""))
    stepper = _stepper(bench, site)
    return await prepare(setups, root, bench.looked.places.environments, bench.means.env, stepper)


def _by_folder(root: Path, entries: Sequence[Accept]) -> dict[str, list[tuple[str, ...]]]:
    """The commands by the project that they belong to."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for entry in entries:
        found.setdefault(part_of(root, entry.cwd), []).append(entry.argv)
    return found


def _at_hand(bench: Bench, commands: Mapping[str, Sequence[tuple[str, ...]]]) -> AtHand | None:
    """What all commands need, where it is there already; None when something has to be set up."""
    setup = bench.config.workspace.setup
    root = bench.looked.repository.root
    if setup not in ("auto", "off"):
        return None
    found = [at_hand(root / folder, words, bench.means.env) for folder, words in commands.items()]
    known = [each for each in found if each is not None]
    if len(known) < len(found) and setup == "auto":
        return None
    return AtHand(
        ", ".join(dict.fromkeys(each.language for each in known if each.language)),
        tuple(dict.fromkeys(path for each in known for path in each.path)),
        {name: value for each in known for name, value in each.env.items()},
        ", ".join(dict.fromkeys(each.source for each in known if each.source)),
    )


def _setups(bench: Bench, commands: Mapping[str, Sequence[tuple[str, ...]]]) -> tuple[Setup, ...]:
    """The declared set-up, else what the project's own files ask for."""
    declared = bench.config.workspace.setup
    if declared == "off":
        return ()
    if not isinstance(declared, str):
        steps = tuple(Step(tuple(argv), "workspace.setup") for argv in declared)
        return (
            Setup("", "", steps, DECIDING, (".venv", "node_modules"), (".venv/bin", "node_modules/.bin")),
        )
    root, env = bench.looked.repository.root, bench.means.env
    found = [setups_for(root / folder, words, env, folder) for folder, words in commands.items()]
    return tuple(setup for setups in found for setup in setups)


def _shared(bench: Bench, site: Site, hand: AtHand) -> Prepared:
    env = command_environment(bench.means.env, bench.config.sandbox.env)
    name = environment_digest(site.folder, hand.path, {**env, **hand.env})
    return Prepared("shared", hand.path, hand.env, name, (hand.source,) if hand.source else ())


def _stepper(bench: Bench, site: Site) -> Callable[[Step, Path, Mapping[str, str]], Awaitable[Finished]]:
    """How a step of a set-up is run: with the network that set-ups get, confined to its room."""
    sandbox = bench.config.sandbox
    wish = confine(
        site.folder,
        bench.scratch,
        bench.means.env,
        mode=sandbox.mode,
        network=sandbox.network,
        temp=sandbox.temp,
        readable=site.readable,
        caches=[Path(cache).expanduser() for cache in bench.config.workspace.caches],
        hide=bench.hide,
    )
    walls = plan(wish, probe())

    async def run(step: Step, folder: Path, env: Mapping[str, str]) -> Finished:
        bench.means.progress(Phrase("verify.setting_up", {"command": join(step.argv)}))
        finished = await run_command(
            Command(
                folder,
                bench.outputs,
                step.argv,
                env={**command_environment(env, sandbox.env), "CI": "1", **walls.env, **step.env},
                timeout=_SETUP_SECONDS,
                plan=walls,
                redactor=bench.redactor,
            )
        )
        discard(finished.output)
        return finished

    return run
