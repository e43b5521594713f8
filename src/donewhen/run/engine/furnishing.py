"""What a run has once its workspace is open: tools, hooks, walls, a background, the guard with its bounds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config.files import read_bytes, write_whole
from donewhen.config.paths import state_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.errors import AgentError
from donewhen.core.events import facts, run
from donewhen.core.texts import Phrase, say
from donewhen.guard.bounds import Bounds
from donewhen.guard.configured import guard_at
from donewhen.guard.decision import Decision, Finding
from donewhen.guard.guard import Guard
from donewhen.guard.secret_paths import secret
from donewhen.hooks.hooks import Hooks
from donewhen.run.approvals import Question
from donewhen.run.engine.commands import Commands
from donewhen.run.engine.committing import Commits
from donewhen.run.engine.executor import Executor, Parts
from donewhen.run.engine.keepsakes import keepsakes
from donewhen.run.engine.live import Room, Run
from donewhen.run.engine.looking import entries_of, looked_at
from donewhen.run.engine.own_tools import AskUser, Complete, PlanUpdate, PrCreate, TodoWrite
from donewhen.run.engine.shelling import Walls, command_maker, walls_of
from donewhen.run.engine.tree import Tree
from donewhen.run.shipping.leaving import leave
from donewhen.run.shipping.site import Site
from donewhen.run.shipping.watching import Watched
from donewhen.secrets.redact import Redactor
from donewhen.tools.commands import command_tools
from donewhen.tools.git import git_tools
from donewhen.tools.model import Shell, Tool, ToolContext
from donewhen.tools.registry import Toolbox, built_in, installed
from donewhen.verify.change import refuse_unknown
from donewhen.verify.place import Bench, furnished
from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Finished
from donewhen.workspace.rooms.leaving import Kept, Removed
from donewhen.workspace.setup.model import Prepared

if TYPE_CHECKING:
    from donewhen.run.engine.clienting import CallClient

_WATCHED = "watched.json"


async def furnish(live: Run, site: Site, *, bare: bool = False) -> Room:
    """`bare`: nothing is prepared for commands, where there will be none."""
    terms, ledger = live.terms, live.ledger
    redactor = Redactor.from_environment(terms.means.env, secret_names(terms.config))
    prepared = Prepared("shared") if bare else await _prepared(live, site, redactor)
    walls = walls_of(terms, site, prepared, ledger.opened.path)
    for gap in walls.plan.gaps:
        ledger.post(run.Noted(say(gap.key, live.language, **gap.values), "debug"))

    def reported(handle: str, finished: Finished) -> None:
        commands.reported(handle, finished)

    background = Background(reported)
    tree = Tree(site, live.state.exempt, lambda: bool(background.alive()))
    watched = _watched(site, again=live.resumed)  # after the set-up, which may do what an agent may not
    ledger.post(*(facts.FileChanged(path, "write") for path in watched.harms()))
    commands = Commands(ledger, tree, watched)
    hooks = _hooks(live, site, redactor)
    bound = _bound(live, site)
    clients = _clients(live, site, prepared, tree, commands, bare)
    ours = (
        *built_in(live.language),
        *command_tools(live.language),
        *git_tools(live.language),
        *_own(live, bound),
        *clients,
    )
    toolbox = Toolbox((*ours, *installed()))
    context = _context(live, site, walls, background, bound)
    commits = Commits(site, terms.config.guardrails.secret_patterns)
    walled = walls.plan.own_processes
    parts = Parts(toolbox, context, hooks, live.approvals, bound, commands, commits, live.purse, walled)
    executor = Executor(ledger, parts, terms.config, live.backoff)
    sandbox = _walled_by(live, walls, clients, bare)
    room = Room(
        site,
        tree,
        toolbox,
        executor,
        commands,
        background,
        prepared,
        sandbox,
        hooks,
        tree.branch(),
        _keepsakes(live, site),
    )
    if live.agent.talks and not bare:
        _seat(live, room)
    return room


def _seat(live: Run, room: Room) -> None:
    from donewhen.run.engine.desk import desk_for  # with all that a conversation needs

    live.agent.join(desk_for(live, room))


def _hooks(live: Run, site: Site, redactor: Redactor) -> Hooks:
    terms = live.terms

    async def remove() -> Removed | Kept:
        left = leave(site)
        live.left = isinstance(left, Removed)
        return left

    return Hooks(
        terms.rules.loaded,
        env=terms.means.env,
        workspace=site.folder,
        run_id=terms.run_id,
        record=live.ledger.post,
        redactor=redactor,
        remove=None if terms.wish.keep else remove,
    )


async def _prepared(live: Run, site: Site, redactor: Redactor) -> Prepared:
    bench = Bench(looked_at(live, site), live.terms.means, _hidden(live), live.ledger, redactor)
    live.progress(Phrase("engine.preparing"))
    return await furnished(bench, entries_of(live.state.promise))


def _keepsakes(live: Run, site: Site) -> frozenset[str]:
    """As the run found them: a process that goes on must not take what is gone for granted."""
    if site.kind != "in_place":
        return frozenset()
    file = live.terms.places.home / f"{live.terms.run_id}.kept.json"
    known = read_bytes(file, file.name) if live.resumed else None
    if known is not None:
        return frozenset(json.loads(known))
    found = keepsakes(site)
    write_whole(file, json.dumps(sorted(found)).encode())
    return found


def _watched(site: Site, *, again: bool) -> Watched:
    """In place the git directory is the user's, and may change while nobody runs."""
    watched = Watched(site)
    if site.workspace is not None:
        file = site.workspace.home / _WATCHED
        (watched.recall if again else watched.keep)(file)
    return watched


def _hidden(live: Run) -> tuple[Path, ...]:
    """Folders of the harness that no command sees."""
    return state_folder(live.terms.means.env), live.ledger.opened.path.parent


def _bound(live: Run, site: Site) -> Callable[[], Guard]:
    """The guard, with what the promise and the budget allow by now."""
    own = site.kind == "in_place"
    guard = guard_at(str(site.folder), live.terms.rules.loaded, live.terms.means.env, checkout=own)

    def bound() -> Guard:
        promise, account = live.state.promise, live.state.account
        left = account.left if account.spent.micros else None
        scopes = promise.allowed_scope, promise.disallowed_scope
        return guard._replace(bounds=Bounds(*scopes, budget_left=left, budget_floor=account.floor))

    return bound


def _context(
    live: Run, site: Site, walls: Walls, background: Background, bound: Callable[[], Guard]
) -> ToolContext:
    redactor = Redactor.from_environment(live.terms.means.env, secret_names(live.terms.config))
    after = live.terms.config.runtime.background_after_sec
    most = live.terms.config.loop.max_total_time
    return ToolContext(
        site.folder,
        site.repository,
        walls.env,
        live.language,
        live.state.exempt.match,
        lambda path: bool(secret(f"{site.folder}/{path}", bound().ground)),
        redactor.text,
        Shell(background, command_maker(site, walls, redactor), after, lambda: max(1.0, most - live.elapsed)),
    )


def _own(live: Run, bound: Callable[[], Guard]) -> tuple[Tool, ...]:
    targets = frozenset(live.terms.planned.project.targets)
    return (
        TodoWrite(live.state, live.language),
        PlanUpdate(
            live.state, bound, targets, live.language, lambda asked: refuse_unknown(asked, live.terms.config)
        ),
        AskUser(lambda question: ask_human(live, question), live.language),
        PrCreate(lambda title, body: open_draft(live, title, body), live.language),
        Complete(live.language),
        *_generating(live),
    )


def _generating(live: Run) -> tuple[Tool, ...]:
    """Only an agent that talks to models can have one write files."""
    if not live.agent.talks:
        return ()
    from donewhen.agents.llm import LlmAgent
    from donewhen.tools.code_generate import CodeGenerate

    agent = live.agent
    return (CodeGenerate(agent.answer, live.language),) if isinstance(agent, LlmAgent) else ()


def _clients(
    live: Run, site: Site, prepared: Prepared, tree: Tree, commands: Commands, bare: bool
) -> "tuple[CallClient, ...]":
    """Only an agent that is a program of others needs to be started."""
    if live.agent.talks or bare or not hasattr(live.agent, "client"):
        return ()
    from donewhen.run.engine.clienting import client_tools

    return client_tools(live, site, prepared, tree, commands)


def _walled_by(live: Run, walls: Walls, clients: "tuple[CallClient, ...]", bare: bool) -> str:
    """The walls round whoever works; where nobody does any more, those that there were."""
    if bare and live.sandbox:
        return live.sandbox
    return clients[0].sandbox if clients else walls.plan.mechanism


async def open_draft(live: Run, title: str, body: str) -> str:
    """The address of the draft; AgentError when there can be none."""
    from donewhen.run.engine.handing import hand_over  # all that speaks with forges
    from donewhen.run.shipping.leaving import rescue

    live.room.tree.spoil()
    live.rescued = rescue(live.room.site, live.ledger.run_id, live.last_tree, live.terms.means.env)
    opened = await hand_over(live, title, body)
    if isinstance(opened, Phrase):
        raise AgentError(opened.key, **opened.values)
    live.pull = opened.url
    return opened.url


async def ask_human(live: Run, question: str) -> str | None:
    """A question of the agent's own; None when nobody answers."""
    finding = Finding("ask-user", "ask", "user", Phrase("engine.agent_asks"))
    answer = await live.approvals.ask(Question(Decision("ask", (finding,)), question, "ask_user"))
    return (answer.text or say("engine.human_agrees", live.language)) if answer.allowed else None
