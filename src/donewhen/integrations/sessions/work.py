"""Whose work a stop is judged for, and against what.

The agent's are the files that its own calls changed, as the hook noted them; what the user edits meanwhile is
the user's. This decides about blocking, never about *accepted*: the whole tree is under exam. The base is the
tree that was accepted or confirmed last, else the one that the session began with.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from donewhen.config.paths import state_folder
from donewhen.core.errors import DonewhenError
from donewhen.integrations.hook.ledger import EVERYTHING, files_changed
from donewhen.integrations.hook.looks import (
    LAST,
    LOOKS,
    PROMPT,
    changed_between,
    kept,
    left_behind,
    look_at,
)
from donewhen.integrations.sessions.opening import Live
from donewhen.integrations.sessions.past import Past
from donewhen.integrations.sessions.starting import fingerprints_of
from donewhen.store.questions import QuestionStore
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.places import places

_MAY_TELL_NOTHING = ("gemini",)  # clients that, over ACP, tell of no tool call


def with_unreported(live: Live, past: Past) -> Past:
    """With what no event told of: calls that were interrupted, processes that a call left behind."""
    folder, root = str(live.folder.path), live.session.root
    before = live.folder.path / LOOKS
    open_calls = [each.name for each in before.glob("before-*")] if before.is_dir() else []
    silent = live.session.client in _MAY_TELL_NOTHING and not past.writers
    names = [*open_calls, *([PROMPT] if silent else [])]
    last = kept(folder, LAST)
    if not names and not (last and last.left):
        return past
    now = look_at(root, live.env)
    found: set[str] = set(left_behind(last, now, root))
    for name in names:
        look = kept(folder, name)
        found.update(changed_between(look, now, root) if look and now else (EVERYTHING,))
    for name in open_calls:
        Path(before, name).unlink(missing_ok=True)
    fresh = sorted(found - past.edited_now)
    if fresh:
        with live.ledger() as opened:
            opened.store.append(live.session.run, *files_changed(root, fresh))
    return past._replace(edited=past.edited | found, edited_now=past.edited_now | found)


def base_tree(live: Live, past: Past) -> str:
    """The tree that a change is measured by."""
    if past.waiting:
        answers = _answers(live)
        for tree, ids in reversed(past.waiting):
            if ids and all(answers.get(each) for each in ids):
                return tree
    return past.base or live.session.tree


def keep_base(live: Live, repository: Repository, tree: str) -> None:
    """What a later change is measured by must not go with old objects."""
    fingerprints_of(repository, live.env).keep(f"sessions/{live.session.run}", tree)


def others_of(changed: Iterable[str], past: Past) -> tuple[str, ...]:
    """The files of a change that the agent did not touch."""
    return () if EVERYTHING in past.edited else tuple(sorted(set(changed) - past.edited))


def _answers(live: Live) -> dict[str, bool]:
    from donewhen.workspace.git.repository import find_repository

    try:
        repository = find_repository(Path(os.path.realpath(live.session.root)), live.env)
        store = QuestionStore(state_folder(live.env), places(repository, live.env).repo_id)
        return {id: answer.allowed for id, answer in store.answers().items()}
    except DonewhenError:
        return {}
