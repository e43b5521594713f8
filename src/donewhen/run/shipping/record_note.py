"""The acceptance record as a git note on the shipped commit: it stays beside the commit, and changes none.

Notes are local until somebody pushes `refs/notes/donewhen`. Without one nothing is missing: the record lies
in the state folder.
"""

from collections.abc import Mapping
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.run.shipping.committing import author
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import failed

NOTES = "refs/notes/donewhen"
_LARGEST = 4 * 1024 * 1024
_TRIES = 3  # another run may write its own at the same moment


def attach(user: Repository, commit: str, record: Path, env: Mapping[str, str]) -> Phrase | None:
    """Write the note, unless it is there; why it could not be, else None."""
    try:
        text = record.read_bytes()
        if len(text) <= _LARGEST:
            _written(user, commit, text, env)
    except (OSError, SetupError) as error:
        why = Phrase(error.key, error.values) if isinstance(error, SetupError) else str(error.strerror)
        return Phrase("shipping_target.no_note", {"commit": commit[:12], "why": why})
    return None


def _written(user: Repository, commit: str, text: bytes, env: Mapping[str, str]) -> None:
    name, email = author(user, env)
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", name), ("EMAIL", email))
    }
    git = user.git()
    shown = git.attempt("notes", f"--ref={NOTES}", "show", commit)
    if shown.exit == 0 and shown.out.strip() == text.strip():
        return
    words = ("notes", f"--ref={NOTES}", "add", "--force", "--file=-", commit)
    for _ in range(_TRIES):
        ran = git.attempt(*words, stdin=text, **who)
        if ran.exit == 0:
            return
    raise failed(ran, *words)
