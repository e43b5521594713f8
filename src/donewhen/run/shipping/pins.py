"""References below refs/donewhen in the user's repository: they keep what a run needs and nobody else has.

Branches are never touched here. A pin is removed only by who knows that nothing is lost with it.
"""

from typing import Literal

from donewhen.core.texts import Phrase
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.gitdir import refs

# work: not on a branch, or not yet; merged and target: where the target is moved to, and was before
Pin = Literal["base", "work", "shipped", "undone", "merged", "target"]


def pin_name(run_id: str, what: Pin) -> str:
    return f"refs/donewhen/{run_id}/{what}"


def pin(user: Repository, run_id: str, what: Pin, commit: str) -> str:
    """Keep a commit; the name of its reference."""
    name = pin_name(run_id, what)
    user.git().run("update-ref", name, commit)
    return name


def unpin(user: Repository, run_id: str, what: Pin) -> None:
    user.git().attempt("update-ref", "-d", pin_name(run_id, what))


def kept_for(user: Repository, run_id: str, branch: str) -> Phrase:
    """What the user's repository has of a run, for people."""
    found = [ref.name for ref in refs(user, f"refs/donewhen/{run_id}/")]
    if branch and user.commit(f"refs/heads/{branch}"):
        found.append(branch)
    return (
        Phrase("shipping.kept_refs", {"names": ", ".join(found)}) if found else Phrase("shipping.kept_none")
    )
