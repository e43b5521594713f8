"""A whole run inside the test's own process, so that its living parts can be compared with its ledger."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.agents.scripted import Scripted, load_script
from donewhen.config import load_config
from donewhen.config.paths import state_folder
from donewhen.core.agent import Agent, AgentView, Step, Stepped
from donewhen.core.events import Body
from donewhen.guard.configured import guard_at
from donewhen.guard.guard import Guard
from donewhen.intake.request import Request
from donewhen.run.approvals import Approvals
from donewhen.run.approvals_askers import Nobody
from donewhen.run.engine.driver import drive
from donewhen.run.engine.ledger import shared
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Wish
from donewhen.run.engine.starting import begin, terms_of
from donewhen.store import open_store
from donewhen.verify.change import Means
from donewhen.workspace.rooms.caching import using
from tests.projects import TESTS, repository
from tests.runs import BROKEN, script_text

Look = Callable[[Run], Awaitable[Any]]


class Ground(NamedTuple):
    folder: Path  # the user's repository
    env: Mapping[str, str]


class Played(NamedTuple):
    live: Run
    bodies: tuple[Body, ...]  # as the store gives them back
    watched: tuple[Body, ...]  # as they were seen when they happened
    looked: Any


def ground(base: Path, files: Mapping[str, str] = BROKEN) -> Ground:
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env |= {f"DONEWHEN_{name}_DIR": str(base / name.lower()) for name in ("STATE", "CACHE", "CONFIG")}
    env["DONEWHEN_VERIFICATION__QUALITY__ENABLED"] = "false"
    env["DONEWHEN_EVIDENCE__BASE_EXAM"] = "never"
    return Ground(repository(base / "work", files), env)


class Looking:
    """A scripted agent that lets the test in at its first turn of work, while everything is alive."""

    def __init__(self, inner: Agent, look: Look | None) -> None:
        self.name = inner.name
        self.follows_mode = inner.follows_mode
        self.talks = inner.talks
        self.join = inner.join
        self.live: Run | None = None
        self.found: Any = None
        self._inner = inner
        self._look = look

    async def step(self, view: AgentView) -> Step:
        if self._look and self.live and view.phase != "plan":
            look, self._look = self._look, None
            self.found = await look(self.live)
        return await self._inner.step(view)

    def memory(self) -> Mapping[str, Any]:
        return self._inner.memory()

    def recall(self, memory: Mapping[str, Any], since: Sequence[Stepped]) -> None:
        self._inner.recall(memory, since)

    async def close(self) -> None:
        await self._inner.close()


def played(where: Ground, *steps: Mapping[str, Any], look: Look | None = None) -> Played:
    """Play a script to its end; `look` is called at the first turn."""
    path = where.folder.parent / "script.yml"
    path.write_text(script_text(steps))
    request = Request("Fix the cart", "", "", "", (TESTS,), False, ())
    wish = Wish(request, lambda _: Scripted(load_script(path), "scripted"), on_ask="deny")
    return asyncio.run(_played(where, wish, look))


async def _played(where: Ground, wish: Wish, look: Look | None) -> Played:
    terms = terms_of(wish, Means(where.folder, where.env, (), "en", lambda *_: None))
    agent = Looking(wish.agent(terms.config), look)
    watched: list[Body] = []
    opening = open_store("user", state=state_folder(where.env), folder=where.folder)
    with using(terms.places), opening as opened:
        ledger = begin(terms, opened, agent, watched.append)
        approvals = Approvals(shared(ledger), terms.run_id, Nobody(), lease=ledger.lease)
        agent.live = live = Run(terms, ledger, agent, approvals)
        await drive(live)
        bodies = tuple(event.body for event in opened.store.read(terms.run_id, 0))
    return Played(live, bodies, tuple(watched), agent.found)


def guard_of(where: Ground) -> Guard:
    loaded = load_config(where.folder, env=where.env, flags=())
    return guard_at(str(where.folder), loaded, where.env)


def of(bodies: Sequence[Body], *kinds: type) -> list[Any]:
    return [body for body in bodies if isinstance(body, kinds)]
