"""Set-ups carried out in a room: once for the same inputs, whole or not at all, one process at a time.

What is run goes through the caller's `run`, which brings guard, sandbox and time limits; nothing is started
here. A mark says that a set-up is done in a room; when anything that it filled was changed since, it is not.
A finished one is kept for other rooms.
"""

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from shlex import join

from donewhen.config.files import locked
from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Finished
from donewhen.workspace.setup import kept
from donewhen.workspace.setup.digest import environment_digest
from donewhen.workspace.setup.inputs import input_digest
from donewhen.workspace.setup.marks import Mark, mark, marked, unmark
from donewhen.workspace.setup.model import Prepared, Setup, Step

Run = Callable[[Step, Path, Mapping[str, str]], Awaitable[Finished]]

_FORMAT = 2
_WAIT = 1800.0
_PAUSE = 0.1
_TAIL = 1500
_SHOWN, _PATH = 3, 120
_NOT_FOUND = (126, 127, None)


async def prepare(
    setups: Sequence[Setup], root: Path, cache: Path, env: Mapping[str, str], run: Run
) -> Prepared:
    """Make the room `root` able to run commands; SetupError when a step that is needed fails."""
    root = root.resolve()
    notes: list[Phrase] = []
    for setup in setups:
        notes += await _prepared(setup, root, cache, env, run)
    path = tuple(dict.fromkeys(str(root / folder) for setup in setups for folder in setup.path))
    own = {name: value for setup in setups for name, value in setup.env.items()}
    sources = dict.fromkeys(step.source for setup in setups for step in setup.steps)
    digest = environment_digest(root, path, {**command_environment(env), **own})
    return Prepared("own", path, own, digest, tuple(sources), tuple(notes))


def setup_digest(setup: Setup, root: Path, env: Mapping[str, str]) -> str:
    """Names what a set-up makes: its steps, what its inputs ask for, the programs that it starts.

    Not the variables that the commands get: they come after it.
    """
    steps = [[step.argv, step.instead, step.rest, dict(step.env)] for step in (*setup.steps, *setup.again)]
    parts = [_FORMAT, setup.language, setup.folder, steps, setup.provides, setup.salt]
    parts += [[name, input_digest(root, name)] for name in setup.inputs]
    parts += [_facts(step.argv[0], env) for step in setup.steps]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


async def _prepared(setup: Setup, root: Path, cache: Path, env: Mapping[str, str], run: Run) -> list[Phrase]:
    name = setup_digest(setup, root, env)
    done = await asyncio.to_thread(marked, setup, root, cache, name)
    if done is not None and not done.altered:
        return list(done.notes)
    async with _alone(cache / f"{name}.lock"):
        unmark(setup, root, cache)
        found = await asyncio.to_thread(kept.find, cache, name) if setup.provides else None
        if found:
            await asyncio.to_thread(kept.bring, found, root, setup.provides)
            notes = await _run_steps(setup, setup.again, root, env, run)
        else:
            for path in setup.provides:
                kept.remove(root / path)
            notes = await _run_steps(setup, setup.steps, root, env, run)
        await asyncio.to_thread(mark, setup, root, cache, name, notes)
        if not found and setup.provides:
            notes += await _keep(setup, root, cache, name)
    return [*_told(done), *notes]


def _told(done: Mark | None) -> list[Phrase]:
    if done is None:
        return []
    shown = ", ".join(repr(path)[1:-1][:_PATH] for path in done.altered[:_SHOWN])
    return [Phrase("setup.altered", {"count": len(done.altered), "paths": shown})]


async def _keep(setup: Setup, root: Path, cache: Path, name: str) -> list[Phrase]:
    try:
        await asyncio.to_thread(kept.keep, cache, name, root, setup.provides)
    except OSError as error:
        return [Phrase("setup.not_kept", {"why": error.strerror or str(error)[:200]})]
    return []


@contextlib.asynccontextmanager
async def _alone(lock: Path) -> AsyncIterator[None]:
    end = time.monotonic() + _WAIT
    with contextlib.ExitStack() as stack:
        while True:
            try:
                stack.enter_context(locked(lock, wait=0))
                break
            except SetupError:
                if time.monotonic() >= end:
                    raise SetupError("setup.busy", lock=str(lock)) from None
            await asyncio.sleep(_PAUSE)
        yield


async def _run_steps(
    setup: Setup, steps: Sequence[Step], root: Path, env: Mapping[str, str], run: Run
) -> list[Phrase]:
    folder = root / setup.folder
    first = os.pathsep.join(str(root / path) for path in setup.path)
    own = {**env, **setup.env}
    if first:
        own["PATH"] = f"{first}{os.pathsep}{env.get('PATH', os.defpath)}"
    notes: list[Phrase] = []
    for step in steps:
        # also as the step's own: a caller that passes on only what it knows must not lose them
        told = step._replace(env={**setup.env, **step.env})
        notes += await _run_step(setup, told, folder, {**own, **step.env}, run)
    return notes


async def _run_step(setup: Setup, step: Step, folder: Path, env: Mapping[str, str], run: Run) -> list[Phrase]:
    """The step, or what may be run instead of it; what failed is told."""
    failed: list[tuple[tuple[str, ...], Finished]] = []
    for argv in (step.argv, *step.instead):
        if failed and not _is_there(argv[0], folder, env):
            continue
        ended = await run(_single(step, argv, folder), folder, env)
        if ended.exit == 0:
            if not failed:
                return []
            notes = [_phrase("setup.simpler", step, *failed[0], instead=_words(argv))]
            return notes + await _rest(step, folder, env, run)
        failed.append((argv, ended))
    if step.optional:
        return [_phrase("setup.optional_failed", step, *failed[0])]
    telling = [one for one in failed if one[1].exit not in _NOT_FOUND] or failed[:1]
    argv, ended = telling[-1]
    raise SetupError(
        "setup.failed",
        language=setup.language,
        command=_words(argv),
        source=step.source,
        why=_why(ended),
        tail=ended.output.text.strip()[-_TAIL:],
    )


async def _rest(step: Step, folder: Path, env: Mapping[str, str], run: Run) -> list[Phrase]:
    notes: list[Phrase] = []
    for argv in step.rest:
        ended = await run(_single(step, argv, folder), folder, env)
        if ended.exit != 0:
            notes.append(_phrase("setup.optional_failed", step, argv, ended))
    return notes


def _single(step: Step, argv: tuple[str, ...], folder: Path) -> Step:
    """One command of a step; a program in the room is named in full, whatever the working folder."""
    head = argv[0]
    if "/" in head and not head.startswith("/"):
        argv = (str(folder / head), *argv[1:])
    return step._replace(argv=argv, instead=(), rest=())


def _is_there(program: str, folder: Path, env: Mapping[str, str]) -> bool:
    if "/" in program:
        return os.access(folder / program, os.X_OK)
    return shutil.which(program, path=env.get("PATH", os.defpath)) is not None


def _words(argv: Sequence[str]) -> str:
    """The command for people; a long list of requirements is cut."""
    text = join(argv)
    return text if len(text) <= 300 else f"{text[:299]}…"


def _phrase(key: str, step: Step, argv: Sequence[str], ended: Finished, **more: str) -> Phrase:
    values = {"command": _words(argv), "source": step.source, "why": _why(ended), **more}
    return Phrase(key, values)


def _why(ended: Finished) -> Phrase:
    if ended.failure:
        return ended.failure
    if ended.timed_out:
        return Phrase("setup.timed_out")
    if ended.signal:
        return Phrase("setup.killed", {"signal": ended.signal})
    return (
        Phrase("setup.exit", {"exit": ended.exit}) if ended.exit is not None else Phrase("setup.not_started")
    )


def _facts(program: str, env: Mapping[str, str]) -> str:
    own = "/" in program and not program.startswith("/")  # made by a step before it
    found = None if own else shutil.which(program, path=env.get("PATH", os.defpath))
    if not found:
        return program
    real = Path(found).resolve()
    facts = real.stat()
    return f"{real} {facts.st_size} {facts.st_mtime_ns}"
