"""The terms of a run that goes on: what it was begun with, as its ledger has it, and the world as it is now.

The configuration is that of the run's base, as it was for the first process; the promise is the ledger's,
with what a human amended since. Nothing is written here.
"""

import time
from collections.abc import Callable
from pathlib import Path

from donewhen.commands.goals import Goal
from donewhen.config import Config, load_config
from donewhen.core.agent import Agent
from donewhen.core.errors import SetupError
from donewhen.core.left import Left
from donewhen.core.promise import Promise
from donewhen.intake.compose import Plan
from donewhen.intake.planning import Planned
from donewhen.intake.request import Request
from donewhen.project.project import detect
from donewhen.run.engine.model import OnAsk, Terms, Wish
from donewhen.verify.change import Base, Means, rules_for
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.places import places

Makes = Callable[[str, str, Path, str], Callable[[Config], Agent]]  # by name, script, folder and model


def terms_again(
    run_id: str, left: Left, promise: Promise, means: Means, makes: Makes, on_ask: OnAsk | None
) -> Terms:
    """What the run is held to; SetupError when its repository or base is no more."""
    started = left.begun
    folder = Path(left.metadata.get("folder") or started.repo)
    if not folder.is_dir():
        raise SetupError("resume.no_folder", run=run_id, folder=folder)
    kept = tuple(str(each) for each in started.config.get("settings", ()))
    means = means._replace(folder=folder, settings=(*kept, *means.settings))
    user = find_repository(folder, means.env)
    if not user.commit(started.base):
        raise SetupError("shipping.base_gone", base=started.base[:12], run=run_id, folder=user.root)
    now = load_config(folder, env=means.env, flags=means.settings)
    moved = now.config.tools.git.worktree_base
    where = places(user, means.env, Path(moved) if moved else None)
    plain = Fingerprints(user, where.home)
    rules = rules_for(now, plain, Base(started.base, "base"), user, means.env, means.settings)
    planned = Planned(Plan(promise), Goal(), detect(folder))
    lived = left.checkpoint.elapsed_ms / 1000 if left.checkpoint else 0.0
    began = time.monotonic() - lived
    wish = _wish(left, makes, folder, on_ask)
    target = left.metadata.get("target", "")
    return Terms(run_id, wish, means, rules, planned, user, where, began, target)


def _wish(left: Left, makes: Makes, folder: Path, on_ask: OnAsk | None) -> Wish:
    words = left.metadata
    asked: OnAsk = {"deny": "deny", "pause": "pause"}.get(words.get("on_ask", ""), "wait")  # type: ignore[assignment]

    def flag(name: str) -> bool:
        return words.get(name) == "true"

    return Wish(
        Request(left.begun.goal, promise=words.get("promise", "")),
        makes(left.begun.agent, words.get("script", ""), folder, left.model),
        in_place=flag("in_place"),
        with_changes=flag("with_changes"),
        branch=words.get("branch", ""),
        everything=flag("all"),
        yes=True,
        approve_plan=flag("approve_plan"),
        on_ask=on_ask or asked,
        keep=flag("keep"),
        record=words.get("record", ""),
        change=words.get("change", ""),
        script=words.get("script", ""),
    )
