"""A fresh working tree is filled from its git directory; what the user's repository would run is off.

A repository's own settings can name programs for reading and writing files (filters). Those of the user
(LFS, line ends) are the user's wish for every repository and stay on.
"""

import os
import tempfile

from donewhen.workspace.git.runner import Git
from donewhen.workspace.git.user import user_settings

_OFF = {"clean": "", "smudge": "", "process": "", "required": "false"}


def fill(git: Git, commit: str) -> bool:
    """Make working tree and index equal to a commit; False when a filter of the user's could not be used."""
    user = user_settings(git.env)
    own = [f"{name}={value}" for name, value in user.pairs if "=" not in name]
    with tempfile.NamedTemporaryFile(prefix="donewhen-") as attributes:
        attributes.write(user.attributes)
        attributes.flush()
        off = own_filters_off(git)
        named = f"core.attributesFile={attributes.name}"
        words = ("reset", "--hard", "--quiet", commit)
        if git._replace(settings=(*off, *own, named)).attempt(*words).exit == 0:
            return True
        without = [f"{name}={value}" for name, value in user.pairs if not name.startswith("filter.")]
        git._replace(settings=(*off, *without, named)).run(*words)  # LFS that lacks a file, for one
        return False


def own_filters_off(git: Git) -> tuple[str, ...]:
    """Settings that switch off every filter which the repository itself defines."""
    listed = git.attempt("config", "--null", "--name-only", "--get-regexp", r"^filter\.").out
    names = {os.fsdecode(name).rpartition(".")[0] for name in listed.split(b"\0") if name}
    return tuple(f"{name}.{key}={value}" for name in sorted(names) for key, value in _OFF.items())
