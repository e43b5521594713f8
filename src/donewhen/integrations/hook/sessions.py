"""The client's session as the fast path sees it: what the worker wrote when it began."""

import math
from typing import Any, NamedTuple

from donewhen.core.errors import SetupError
from donewhen.integrations.hook.compiled import Compiled, read_compiled, read_object
from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.payload import Payload
from donewhen.integrations.hook.places import CONFIG, SESSION
from donewhen.integrations.hook.worker import ask


class Session(NamedTuple):
    run: str
    root: str
    store: str
    heads: str
    since: float


def read_session(course: Course) -> Session:
    data = read_object(f"{course.folder}/{SESSION}") or {}
    run, root, store, since = (data.get(name) for name in ("run", "root", "store", "since"))
    if data.get("version") != 1 or not all(isinstance(each, str) and each for each in (run, root, store)):
        raise SetupError("hooked.no_session", folder=course.folder)
    if data.get("language") in ("en", "zh"):
        course.language = data["language"]
    return Session(str(run), str(root), str(store), _heads(course), _seconds(since))


def config_of(course: Course, payload: Payload) -> Compiled:
    """The compiled configuration; made anew by the worker where what it was made of has changed."""
    path = f"{course.folder}/{CONFIG}"
    config = read_compiled(path, course.env)
    if config is None:
        ask(course, payload, "compile")
        config = read_compiled(path, course.env)
    if config is None:
        raise SetupError("hooked.not_compiled", folder=course.folder)
    course.language = config.language
    return config


def _heads(course: Course) -> str:
    return f"{course.folder.rpartition('/sessions/')[0]}/heads"


def _seconds(since: Any) -> float:
    return float(since) if isinstance(since, int | float) and not isinstance(since, bool) else math.inf
