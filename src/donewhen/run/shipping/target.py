"""The branch that accepted work is merged into: which one it is, and whether it may be. Nothing is changed.

Everything that can be known before a run starts is told then, as UserError: nobody wants to hear after hours
of work that the result had no place to go.
"""

import os
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.errors import SetupError, UserError
from donewhen.core.texts import Phrase
from donewhen.guard.branches import protected
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.results import check_branch_name

if TYPE_CHECKING:
    from donewhen.config import Config, Loaded


class Target(NamedTuple):
    name: str
    note: Phrase | None = None  # where nobody named it


def find_target(user: Repository, loaded: "Loaded", run_branch: str = "") -> Target:
    """The branch that the configuration names, else the usual one, else the one that the user is on."""
    wanted = loaded.config.project.target_branch
    found = Target(wanted)
    if not is_named(loaded) and not tip_of_target(user, wanted):
        if not user.branch:
            raise UserError("shipping_target.detached", branch=wanted, folder=user.root)
        values = {"default": wanted, "branch": user.branch}
        found = Target(user.branch, Phrase("shipping_target.followed", values))
    check_target(user, found.name, loaded.config, run_branch)
    return found


def check_target(user: Repository, name: str, config: "Config", run_branch: str = "") -> None:
    """UserError when nothing could or may be merged into this branch."""
    try:
        check_branch_name(name)
    except SetupError as error:
        raise UserError(error.key, **error.values) from None
    if name == run_branch:
        raise UserError("shipping_target.same", branch=name)
    if not tip_of_target(user, name):
        key = "a_tag" if user.commit(f"refs/tags/{name}") else "missing"
        raise UserError(f"shipping_target.{key}", branch=name, folder=user.root)
    other = alias_of(user, name)
    if other:
        raise UserError("shipping_target.alias", branch=name, other=other)
    if is_closed(name, config):
        raise UserError("shipping_target.protected", branch=name)


def is_closed(name: str, config: "Config") -> bool:
    """Whether it is protected, and nobody said that work may be merged into it."""
    return not config.ship.to_protected and protected(name, config.guardrails.protected_branches)


def alias_of(user: Repository, name: str) -> str:
    """The branch that this is only another name of; empty when it is one itself."""
    alias = user.git().attempt("symbolic-ref", "--quiet", f"refs/heads/{name}")
    return os.fsdecode(alias.out).strip().removeprefix("refs/heads/") if alias.exit == 0 else ""


def tip_of_target(user: Repository, name: str) -> str:
    """Where the branch is; empty when it is no more."""
    return user.commit(f"refs/heads/{name}")


def is_named(loaded: "Loaded") -> bool:
    """Whether somebody said which branch it is."""
    return loaded.names("project", "target_branch")
