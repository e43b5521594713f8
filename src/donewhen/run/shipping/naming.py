"""Names: of the branch that a result goes to, one that can be taken; and of files, as people can read them.

A branch that could not be had is told before any work is done. Nothing is changed.
"""

import os
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from donewhen.core.errors import SetupError, UserError
from donewhen.core.shown import one_name
from donewhen.guard.branches import protected
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.results import check_branch_name, checked_out_here, free, movable

_SHOWN = 5
_LONGEST = 100
_WORDS, _LETTERS = 3, 16
_SMALL = frozenset("a an the of in on at to for and or is are be it its this that with by as so".split())


def shown(paths: Sequence[str]) -> str:
    """The first of some paths; a name may hold anything, and a secret in it is not repeated."""
    from donewhen.secrets.redact import Redactor

    clean = Redactor().text
    names = [one_name(clean(path), _LONGEST) for path in paths[:_SHOWN]]
    return ", ".join([*names, "…"] if len(paths) > _SHOWN else names)


def own_branch(goal: str, run_id: str) -> str:
    """The branch of a run whose user names none: three words of its goal, and the end of its id."""
    from donewhen.secrets.redact import Redactor

    words = re.findall(r"[^\W_]+", Redactor().text(goal).lower())
    said = [word[:_LETTERS] for word in words if word not in _SMALL][:_WORDS]
    return f"donewhen/{'-'.join(said) or 'run'}-{run_id[-4:]}"


def branch_for(
    user: Repository, run_id: str, wanted: str, base: str, protected_branches: tuple[str, ...]
) -> str:
    """The wanted name, or the run's id; UserError when the result could not go there."""
    name = wanted or f"donewhen/{run_id}"
    try:
        check_branch_name(name)
        if protected(name, protected_branches):
            raise UserError("shipping.protected", branch=name)
        if _is_new(user, name):
            free(user, name)
        else:
            _may_move(user, name, base)
    except SetupError as error:
        raise UserError(error.key, **error.values) from None
    return name


def _is_new(user: Repository, name: str) -> bool:
    """Whether there is neither such a branch nor one in its way, told by one look."""
    above = [str(part) for part in PurePosixPath(name).parents if str(part) != "."]
    # a pattern matches all that lies below it, too; with an escaped letter it matches that name alone
    exact = [f"refs/heads/{part[:-1]}\\{part[-1]}" for part in above]
    listed = user.git().run("for-each-ref", "--count=1", "--format=%(refname)", f"refs/heads/{name}", *exact)
    return not listed.strip()


def _may_move(user: Repository, name: str, base: str) -> None:
    in_the_way = _in_the_way(user, name)
    if in_the_way:
        raise UserError("shipping.name_taken", branch=name, other=in_the_way, folder=user.root)
    checked_out_here(user, name, user.root)
    movable(user, name, base, user.root)


def _in_the_way(user: Repository, name: str) -> str:
    """A branch `a` forbids one `a/b`, and the other way round; empty when there is none."""
    below = user.git().run("for-each-ref", "--count=1", "--format=%(refname)", f"refs/heads/{name}/")
    if below.strip():
        return os.fsdecode(below).strip().removeprefix("refs/heads/")
    above = (str(part) for part in PurePosixPath(name).parents)
    return next((part for part in above if part != "." and user.commit(f"refs/heads/{part}")), "")
