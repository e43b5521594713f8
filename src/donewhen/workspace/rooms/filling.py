"""A fresh working tree is filled from its git directory; what the user's repository would run is off.

A repository's own settings can name programs for reading and writing files (filters). Those of the user
(LFS, line ends) are the user's wish for every repository and stay on.
"""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator

from donewhen.workspace.git.runner import Git, Ran
from donewhen.workspace.git.user import UserSettings, user_settings

_PROGRAMS = ("clean", "smudge", "process")
_OFF = {"clean": "", "smudge": "", "process": "", "required": "false"}


def nothing() -> None:
    """What is done meanwhile where there is nothing to do."""


def fill(git: Git, commit: str, *, ours: bool = False, meanwhile: Callable[[], None] = nothing) -> bool:
    """Make working tree and index equal to a commit; False when a filter of the user's could not be used.

    `ours`: the settings of the git directory were written by us a moment ago, and name no filter.
    `meanwhile`: done while git writes the files, which takes a millisecond each on some disks.
    """
    user = user_settings(git.env)
    pairs = [(name, f"{name}={value}") for name, value in user.pairs if "=" not in name]
    with _attributes(user) as named:
        base = (*(() if ours else own_filters_off(git)), *named)
        words = ("reset", "--hard", "--quiet", commit)
        whole = git._replace(settings=(*base, *(setting for _, setting in pairs)))
        if _while_filling(whole, words, meanwhile).exit == 0:
            return True
        plain = (setting for name, setting in pairs if not name.startswith("filter."))
        git._replace(settings=(*base, *plain)).run(*words)  # LFS that lacks a file, for one
        return False


def _while_filling(git: Git, words: tuple[str, ...], meanwhile: Callable[[], None]) -> Ran:
    started = git.start(*words)
    try:
        meanwhile()
    finally:
        ran = started.finish()
    return ran


@contextlib.contextmanager
def _attributes(user: UserSettings) -> Iterator[tuple[str, ...]]:
    """The setting that names what the user says about files everywhere."""
    if not user.attributes:
        yield ()
        return
    with tempfile.NamedTemporaryFile(prefix="donewhen-") as file:
        file.write(user.attributes)
        file.flush()
        yield (f"core.attributesFile={file.name}",)


def own_filters_off(git: Git) -> tuple[str, ...]:
    """Settings that switch off every filter which the repository itself defines."""
    return filters_off(own_filters(git))


def own_filters(git: Git) -> dict[str, set[str]]:
    """The filters that the repository itself defines, `filter.NAME`, with the programs that they name."""
    listed = git.attempt("config", "--null", "--get-regexp", r"^filter\.").out
    found: dict[str, set[str]] = {}
    for entry in listed.split(b"\0"):
        name, _, value = os.fsdecode(entry).partition("\n")
        filter, _, key = name.rpartition(".")
        if filter:
            found.setdefault(filter, set()).update({value} if key in _PROGRAMS and value else ())
    return found


def filters_off(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{name}.{key}={value}" for name in sorted(names) for key, value in _OFF.items())
