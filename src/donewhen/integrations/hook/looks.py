"""Which files a tool call changed: the working tree is looked at before the call and after it.

A look asks git for what differs from HEAD and notes each file's stamp; contents are not read. What differs
between the two looks is the agent's, and so is what changes while a process lives that a call of it left
behind. This decides about blocking alone: a look that fails makes everything the agent's.
"""

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from donewhen.integrations.hook.compiled import read_object
from donewhen.integrations.hook.payload import Payload, read_until
from donewhen.integrations.hook.places import CLIENT_PROCESS, private_folder, short

LOOKS = "looks"  # in the folder of a session
LAST = "last"  # the look after the last call
PROMPT = "prompt"  # the look when the user spoke
_SECONDS = 3.0
_MOST = 5000  # files that differ
_TICK = 10_000_000  # nanoseconds that the times of files may be behind the clock
_GIT = "git --no-optional-locks -c core.fsmonitor=false status --porcelain=v1 -z --no-renames -uall".split()
_PASSED = ("PATH", "HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")


class Look(NamedTuple):
    at: int  # nanoseconds since 1970
    files: Mapping[str, str]  # that differ from HEAD, with their stamps; empty for one that is gone
    children: tuple[int, ...] = ()  # processes of the client
    left: tuple[int, ...] = ()  # of them that a call left behind


class Looking(NamedTuple):
    """A look that has begun: git works while the hook does something else."""

    at: int
    root: str
    git: int  # its process
    said: int  # where it writes


def begin_look(root: str, env: Mapping[str, str]) -> Looking | None:
    at = time.time_ns()
    return _asked(root, env, at)


def look_at(root: str, env: Mapping[str, str]) -> Look | None:
    return end_look(begin_look(root, env), children_of(env))


def end_look(looking: Looking | None, children: tuple[int, ...]) -> Look | None:
    """`children`: processes of the client. None where git can't say, in time or at all."""
    listed = _answer(looking) if looking else None
    if listed is None or looking is None:
        return None
    root, at = looking.root, looking.at
    names = [os.fsdecode(entry[3:]) for entry in listed.split(b"\0") if len(entry) > 3]
    if len(names) > _MOST:
        return None
    return Look(at, {name: _stamp(root, name) for name in names}, children)


def changed_between(before: Look, after: Look, root: str) -> tuple[str, ...]:
    """What was written from one look to the other, `after` being the tree as it is."""
    found = []
    for name in sorted({*before.files, *after.files}):
        was, now = before.files.get(name), after.files.get(name)
        if was is None:
            if not now or int(now.partition(" ")[0]) >= before.at - _TICK:
                found.append(name)
        elif was != (_stamp(root, name) if now is None else now):
            found.append(name)
    return tuple(found)


def before_call(folder: str, looking: Looking | None, payload: Payload, env: Mapping[str, str]) -> None:
    """Keep what there is before a call that may write."""
    look = end_look(looking, children_of(env))
    name = _name(payload)
    if look is None:
        with suppress(OSError):
            os.unlink(f"{folder}/{LOOKS}/{name}")  # noqa: PTH108 - no path objects on this way
    else:
        keep(folder, name, look)


def after_call(
    folder: str, looking: Looking | None, payload: Payload, children: tuple[int, ...]
) -> tuple[str, ...] | None:
    """The files that the call changed; None where nobody can say. `children`: of the client when it ended."""
    name, root = _name(payload), looking.root if looking else ""
    before, last, now = kept(folder, name), kept(folder, LAST), end_look(looking, children)
    with suppress(OSError):
        os.unlink(f"{folder}/{LOOKS}/{name}")  # noqa: PTH108
    if now is None:
        return None
    left = tuple(each for each in now.children if before and each not in before.children)
    keep(folder, LAST, now._replace(left=left))
    if before is None:
        return None
    found = changed_between(before, now, root)
    return tuple(dict.fromkeys((*found, *left_behind(last, before, root))))


def left_behind(last: Look | None, now: Look | None, root: str) -> tuple[str, ...]:
    """What changed since the last call while a process lived that it had left behind."""
    if last is None or now is None or not last.left:
        return ()
    return changed_between(last, now, root)


def keep(folder: str, name: str, look: Look) -> None:
    """On a full disk nothing is kept, and what the call changes is the agent's."""
    with suppress(OSError):
        private_folder(f"{folder}/{LOOKS}")
        whole = f"{folder}/{LOOKS}/{name}"
        with open(f"{whole}.{os.getpid()}", "w", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            json.dump(look._asdict(), file)
        os.replace(file.name, whole)  # noqa: PTH105


def kept(folder: str, name: str) -> Look | None:
    data = read_object(f"{folder}/{LOOKS}/{name}")
    if data is None or not isinstance(data.get("files"), dict) or not isinstance(data.get("at"), int):
        return None
    return Look(data["at"], data["files"], _numbers(data.get("children")), _numbers(data.get("left")))


def _numbers(found: Any) -> tuple[int, ...]:
    return tuple(each for each in found if isinstance(each, int)) if isinstance(found, list) else ()


def _name(payload: Payload) -> str:
    """Clients that number no calls make one after the other."""
    call = payload.text("tool_use_id", 200) or payload.text("tool_name", 200)
    return f"before-{short(call)}"


def _stamp(root: str, name: str) -> str:
    try:
        facts = os.lstat(f"{root}/{name}")
    except (OSError, ValueError):
        return ""
    return f"{facts.st_ctime_ns} {facts.st_mtime_ns} {facts.st_size} {facts.st_ino} {facts.st_mode}"


def _asked(root: str, env: Mapping[str, str], at: int) -> Looking | None:
    """Git is asked, without a shell and without `subprocess`, which takes longer to load than git to run."""
    reading, writing = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        actions = [(os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, writing, 1)]
        actions.append((os.POSIX_SPAWN_DUP2, nothing, 2))
        passed = {name: env[name] for name in _PASSED if name in env}
        child = os.posix_spawnp(
            _GIT[0], [*_GIT[:1], "-C", root, *_GIT[1:]], {**passed, "LC_ALL": "C"}, file_actions=actions
        )
    except OSError:
        os.close(reading)
        return None
    finally:
        os.close(writing)
        os.close(nothing)
    return Looking(at, root, child, reading)


def _answer(looking: Looking) -> bytes | None:
    """What git says."""
    said = read_until(looking.said, time.monotonic() + _SECONDS)
    os.close(looking.said)
    if said is None:
        with suppress(OSError):
            os.kill(looking.git, 9)
    _, status = os.waitpid(looking.git, 0)
    return said if status == 0 else None


def children_of(env: Mapping[str, str]) -> tuple[int, ...]:
    """Processes that the client has started; empty where the system does not say."""
    client = env.get(CLIENT_PROCESS, "")
    if not client.isdigit():
        return ()
    found: set[int] = set()
    with suppress(OSError):
        for task in os.listdir(f"/proc/{client}/task"):  # noqa: PTH208
            with open(f"/proc/{client}/task/{task}/children", "rb") as file:  # noqa: PTH123
                found.update(map(int, file.read().split()))
    return tuple(sorted(found - {os.getpid(), os.getppid()}))
