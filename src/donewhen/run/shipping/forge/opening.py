"""A pull request, once: pushed, looked for, then opened or brought up to date.

Each effect is told before and after. What a process that was killed may have done is not guessed from the
ledger but asked at the other end, by the branch and by the key in the body's first line.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from donewhen.core.events import Body, facts
from donewhen.core.pull_request import key_of
from donewhen.run.shipping.forge.calling import WAITS
from donewhen.run.shipping.forge.model import Door, Exists, Opened, Pull, Unsure, Wanted
from donewhen.run.shipping.forge.pushing import Remote, push
from donewhen.store.crashing import crash_point

PUSH = "push"
PULL_REQUEST = "pull_request"
Write = Callable[[Body], object]  # returns when the event is committed


class Pushed(NamedTuple):
    """What goes to a branch of the remote."""

    commit: str
    branch: str
    known: str = ""  # where that branch is now
    protected: tuple[str, ...] = ()


async def push_once(remote: Remote, pushed: Pushed, key: str, write: Write) -> None:
    """The push with its events; none when the branch is there already."""
    if pushed.known == pushed.commit:
        return
    write(facts.EffectIntended(f"{key}/{PUSH}", PUSH, f"{remote.name} {pushed.branch}"))
    try:
        await push(remote, pushed.commit, pushed.branch, pushed.known, pushed.protected)
    except BaseException:
        write(facts.EffectDone(f"{key}/{PUSH}", False))
        raise
    crash_point("branch pushed")
    write(facts.EffectDone(f"{key}/{PUSH}", True, pushed.commit))


async def open_once(door: Door, wanted: Wanted, key: str, write: Write, *, there: tuple[Pull, ...]) -> Opened:
    """One pull request for a branch: ours is brought up to date, somebody else's is left as it is."""
    target = f"{wanted.head} -> {wanted.base}"
    write(facts.EffectIntended(f"{key}/{PULL_REQUEST}", PULL_REQUEST, target))
    try:
        opened = await _opened(door, wanted, there)
    except BaseException:
        write(facts.EffectDone(f"{key}/{PULL_REQUEST}", False))
        raise
    crash_point("pull request opened")
    write(facts.EffectDone(f"{key}/{PULL_REQUEST}", True, opened.url))
    return opened


async def _opened(door: Door, wanted: Wanted, there: tuple[Pull, ...]) -> Opened:
    if there:
        return await _brought_up(door, wanted, there)
    for wait in (*WAITS, None):
        try:
            made = await door.create(wanted)
            return Opened(made.url, made.number, "opened", door.name)
        except Exists:
            found = await door.find(wanted.head)
            if not found:
                raise
            return await _brought_up(door, wanted, found)
        except Unsure as error:
            found = await door.find(wanted.head)
            if found:
                return await _brought_up(door, wanted, found)
            if wait is None:
                raise
            await asyncio.sleep(min(max(wait, error.retry_after), 20.0))
    raise AssertionError("the last try returns or raises")


async def _brought_up(door: Door, wanted: Wanted, there: tuple[Pull, ...]) -> Opened:
    run = key_of(wanted.body).partition(":")[0]
    ours = next((pull for pull in there if run and key_of(pull.body).partition(":")[0] == run), None)
    if ours is None:
        return Opened(there[0].url, there[0].number, "found", door.name)
    same = ours.body.replace("\r\n", "\n").strip() == wanted.body.strip() and ours.draft == wanted.draft
    now = ours if same else await door.update(ours, wanted)
    return Opened(now.url or ours.url, ours.number, "updated", door.name)
