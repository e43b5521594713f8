"""What the user's own configuration (global and system) says about how files become content.

Filters such as LFS, line ends, and what is ignored everywhere. They are the user's wish for all repositories.
The settings of a repository are never read here: whoever can write in it could name a program there.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError
from donewhen.workspace.git.user_files import user_pairs

_PLAIN = ("core.autocrlf", "core.eol")
_FILTER_KEYS = frozenset(("clean", "smudge", "process", "required"))


class UserSettings(NamedTuple):
    pairs: tuple[tuple[str, str], ...]  # filters and line ends
    excludes: bytes  # content of the file that `core.excludesFile` names
    attributes: bytes  # the same for `core.attributesFile`


def user_settings(env: Mapping[str, str]) -> UserSettings:
    """As they are now; a file that can't be read counts as empty, as it does for git."""
    found = user_pairs(env)
    pairs = tuple((name, value) for name, value in found if name in _PLAIN or _is_filter(name))
    last = dict(found)
    return UserSettings(
        pairs,
        _content(last.get("core.excludesfile"), "ignore", env),
        _content(last.get("core.attributesfile"), "attributes", env),
    )


def settings_text(pairs: Iterable[tuple[str, str]]) -> bytes:
    """Settings as git's own file has them; a name is `section.key` or `section.part.key`."""
    lines = []
    for name, value in pairs:
        section, _, rest = name.partition(".")
        part, _, key = rest.rpartition(".")
        title = f'{section} "{_escaped(part)}"' if part else section
        lines.append(f'[{title}]\n\t{key} = "{_escaped(value)}"\n')
    return os.fsencode("".join(lines))


def _is_filter(name: str) -> bool:
    return name.startswith("filter.") and name.rpartition(".")[2] in _FILTER_KEYS and name.count(".") > 1


def _content(named: str | None, usual: str, env: Mapping[str, str]) -> bytes:
    home = env.get("HOME", "")
    base = env.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")
    name = f"{base}/git/{usual}" if named is None else named
    if name.startswith("~/"):
        name = home + name[1:]
    if not name.startswith("/"):  # git would look for it in the repository
        return b""
    try:
        found = read_regular(Path(name), name)
    except DonewhenError:
        return b""
    return found.data if found else b""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
