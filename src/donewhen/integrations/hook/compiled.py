"""The configuration of a session as the worker compiled it, used only while nothing it was made of changed.

Reading YAML takes longer than a whole hook may. So the worker writes what the hook needs as JSON, with the
stamps of every file that it read; the two sides share this module, so that they can't disagree.
"""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from donewhen import __version__
from donewhen.core.texts import Language
from donewhen.integrations.hook.places import digest

VERSION = 1
LARGEST = 4 * 1024 * 1024
STOP_LIMIT = 120.0  # seconds that a stop waits for its exam where nobody says otherwise
Stamp = list[str | int | None]  # path, mtime_ns, ctime_ns, size, inode; or path, None for what is not there


class Compiled(NamedTuple):
    guard: Mapping[str, Any]
    bounds: Mapping[str, Any]
    secret_names: tuple[str, ...]
    language: Language
    store: str  # path of the database
    heads: str
    stop_limit: float = STOP_LIMIT


def stamp_of(path: str) -> Stamp:
    try:
        facts = os.stat(path)  # noqa: PTH116 - no path objects on this way
    except (OSError, ValueError):
        return [path, None]
    return [path, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino]


def env_digest(env: Mapping[str, str]) -> str:
    """Of all variables that can change the configuration."""
    lines = sorted(f"{name}={value}" for name, value in env.items() if name.startswith("DONEWHEN_"))
    return digest("\0".join(lines).encode("utf-8", "surrogateescape"))


def header(inputs: Iterable[str], env: Mapping[str, str]) -> dict[str, Any]:
    """The part of the file that tells for what it holds; the worker adds the rest."""
    return {
        "version": VERSION,
        "donewhen": __version__,
        "inputs": [stamp_of(path) for path in inputs],
        "env": env_digest(env),
    }


def read_object(path: str) -> dict[str, Any] | None:
    """A small JSON object of our own; None when there is none that can be used."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - no path objects on this way
            data = json.loads(file.read(LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def read_compiled(path: str, env: Mapping[str, str]) -> Compiled | None:
    """What holds now; None when it must be compiled anew."""
    data = read_object(path)
    if data is None or (data.get("version"), data.get("donewhen")) != (VERSION, __version__):
        return None
    inputs = data.get("inputs")
    if data.get("env") != env_digest(env) or not isinstance(inputs, list):
        return None
    for stamp in inputs:
        if not isinstance(stamp, list) or not stamp or not isinstance(stamp[0], str):
            return None
        if stamp != stamp_of(stamp[0]):
            return None
    return _whole(data)


def _whole(data: Mapping[str, Any]) -> Compiled | None:
    guard, bounds, names = data.get("guard"), data.get("bounds"), data.get("secret_names")
    store, heads, language = data.get("store"), data.get("heads"), data.get("language")
    if not isinstance(guard, dict) or not isinstance(bounds, dict) or not isinstance(names, list):
        return None
    if not is_texts(names):
        return None
    if not (isinstance(store, str) and isinstance(heads, str) and store.startswith("/")):
        return None
    limit = data.get("stop_limit")
    seconds = float(limit) if isinstance(limit, int | float) and limit > 0 else STOP_LIMIT
    return Compiled(guard, bounds, tuple(names), "zh" if language == "zh" else "en", store, heads, seconds)


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
