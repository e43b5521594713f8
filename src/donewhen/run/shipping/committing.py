"""Commits as the harness makes them: from a tree that is known, without index, hooks, filters or signing.

The object is written to the folder of the harness, where nobody else sees it; bringing it to the user is
another step. The author is who the user is for git; no setting of a workspace is asked.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git
from donewhen.workspace.rooms.results import lending

_NAMED_BY_USER = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_OURS = {"user.name": "donewhen", "user.email": "donewhen@localhost"}
_LONGEST_NAME = 200


class Made(NamedTuple):
    """What a commit says."""

    tree: str
    parents: tuple[str, ...]
    text: str


def make_commit(user: Repository, made: Made, lent: Sequence[Path], env: Mapping[str, str]) -> str:
    """The id of a new commit, written to the first of the `lent` folders of objects."""
    own, *others = lent
    name, email = author(user, env)
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", name), ("EMAIL", email))
    }
    words = ["commit-tree", made.tree]
    for parent in made.parents:
        words += ["-p", parent]
    git = user.git()._replace(settings=("i18n.commitEncoding=UTF-8",))
    where = {
        "GIT_OBJECT_DIRECTORY": str(own),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": lending((user.objects, *others)),
    }
    return git.run(*words, stdin=made.text.encode(errors="replace"), **who, **where).decode().strip()


def author(user: Repository, env: Mapping[str, str]) -> tuple[str, str]:
    """Name and address as the user's own settings and those of the repository have them, else ours."""
    more: dict[str, str | None] = {"GIT_CONFIG_NOSYSTEM": None, "GIT_CONFIG_GLOBAL": None}
    more |= {name: env[name] for name in _NAMED_BY_USER if name in env}
    git = Git(user.root, env, user.git_dir, more=more)
    found = dict(_OURS)
    listed = git.attempt("config", "--null", "--get-regexp", r"^user\.(name|email)$").out
    for entry in listed.split(b"\0"):
        key, _, value = os.fsdecode(entry).partition("\n")
        if key in found and any(each.isalnum() for each in value):
            found[key] = value[:_LONGEST_NAME]
    return found["user.name"], found["user.email"]
