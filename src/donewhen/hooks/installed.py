"""Installed hooks: callables of other packages, by the entry points `donewhen.hooks`.

Only those that the configuration names are loaded. One that can't be loaded, or that says nonsense about
itself, stops the run before it starts: a hook that somebody relies on must never get lost.
"""

from collections.abc import Iterable
from typing import Any, cast

from donewhen.config.places import harmless
from donewhen.core.errors import SetupError
from donewhen.core.hooking import POINTS, Point
from donewhen.hooks.model import Hook, Kit, Layer
from donewhen.hooks.threads import Threaded

GROUP = "donewhen.hooks"
_MOST = 1000  # of a priority, either way


def installed(name: str, kit: Kit, layer: Layer, points: Iterable[Point] | None = None) -> Hook:
    """The hook of that name; `points` are where it is called instead of those that it names itself."""
    code = _load(name)
    if not callable(code):
        raise SetupError("hooks.plugin_failed", hook=name, why=f"{type(code).__name__} is not callable")
    own = _points(name, getattr(code, "points", POINTS))
    priority = getattr(code, "priority", 0)
    if not isinstance(priority, int) or abs(priority) > _MOST:
        raise SetupError("hooks.plugin_failed", hook=name, why="priority must be a number from -1000 to 1000")
    return Hook(
        name,
        own if points is None else frozenset(points),
        Threaded(name, code, kit.loaded.config.hooks.timeout).ask,
        "installed",
        layer,
        priority,
        getattr(code, "fail_open", False) is True,
    )


def _load(name: str) -> Any:
    from importlib.metadata import entry_points

    found = list(entry_points(group=GROUP, name=name))
    if not found:
        raise SetupError("hooks.plugin_gone", hook=name)
    if len({entry.value for entry in found}) > 1:
        raise SetupError("hooks.plugin_twice", hook=name, values=", ".join(sorted(e.value for e in found)))
    try:
        return found[0].load()
    except Exception as error:  # foreign code may raise anything when it is imported
        why = harmless(f"{type(error).__name__}: {error}", 400)
        raise SetupError("hooks.plugin_failed", hook=name, why=why) from error


def _points(name: str, said: Any) -> frozenset[Point]:
    points = (said,) if isinstance(said, str) else tuple(said) if isinstance(said, Iterable) else ("?",)
    unknown = [point for point in points if point not in POINTS]
    if unknown:
        why = f"unknown point {harmless(str(unknown[0]))}"
        raise SetupError("hooks.plugin_failed", hook=name, why=why)
    return frozenset(cast("tuple[Point, ...]", points))
