"""A client of others at work in a run: one call of it is one call of the tool `client`.

It runs in the workspace with its own login and, unless a sandbox is required, without walls: what it does on
the machine is its own matter and the user's. What it changed is found by comparing trees, what it cost is
booked from its report, and all its processes end with the call.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import ConfigDict, Field

import donewhen
from donewhen.agents.clients.model import Ask, Client, Report, Spent
from donewhen.agents.clients.reaching import reach
from donewhen.agents.command import HIDDEN, TOOL, CommandAgent, Seat, Session, read_session, write_result
from donewhen.context.promise_text import promise_text
from donewhen.core import budget
from donewhen.core.budget import MOST, Usage
from donewhen.core.errors import LimitReached
from donewhen.core.events import run
from donewhen.core.shown import LONGEST_LINE, one_name, tail_of
from donewhen.core.texts import Phrase, say
from donewhen.core.todos import OPEN
from donewhen.run.engine.client_refusals import Refusals
from donewhen.run.engine.client_settings import Launch, launch
from donewhen.run.engine.commands import Commands
from donewhen.run.engine.live import Run
from donewhen.run.engine.shelling import Own, Walls, walls_of
from donewhen.run.engine.tree import Tree
from donewhen.run.shipping.site import Site
from donewhen.tools.model import MOST_SHOWN, Arguments, ToolContext, ToolResult
from donewhen.verify.record import discard
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.running import run as ran
from donewhen.workspace.setup.model import Prepared

_LONGEST = 100_000  # bytes of a prompt: the system takes no longer argument than 128 KiB
_LARGEST = 64 * 1024 * 1024
_ERRORS = "client-stderr"
_LARGEST_ERRORS = 64 * 1024
_MOST_TODOS = 50
# Its words are arguments of the shell's own, never part of what it reads; the report stays free of stderr.
_APART = ("/bin/sh", "-c", 'err=$1; shift; exec "$@" 2>"$err"', "sh")
# Landlock lets everything be asked about and not everything be opened.
_SEEN = 'for f; do [ -x "$f" ] && { [ ! -r "$f" ] || : <"$f"; } || { printf %s "$f"; exit 1; }; done'
_LOOKS = 0.5  # seconds between looks at what was refused
_LOOK = 20.0  # seconds for a look round inside the walls
_OF_A_SESSION = ("CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_ENV_FILE", "CLAUDE_PROJECT_DIR")


class ClientArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    prompt: str = Field(min_length=1)
    session: dict[str, str | int] | None = None


class Desk(NamedTuple):
    """Where a client works."""

    site: Site
    walls: Walls
    tree: Tree
    commands: Commands
    launch: Launch
    starts: tuple[str, ...] = ()  # files that must be there inside the walls


def client_tools(
    live: Run, site: Site, prepared: Prepared, tree: Tree, commands: Commands
) -> "tuple[CallClient, ...]":
    """The one tool of an agent that is a program; none for any other agent."""
    agent = live.agent
    if not isinstance(agent, CommandAgent):
        return ()
    made = launch(live, site, agent.client)
    agent.sit(Seat(live.language, lambda: _task(live), made.remove))
    live.reminded = True  # it keeps its own plan
    client, reached = agent.client, reach(agent.client.argv[0], live.terms.means.env)
    hook = reach(sys.executable, live.terms.means.env).places
    own = _own(live, client, made, _outside(site, (*reached.places, *hook, Path(donewhen.__file__).parent)))
    walls = walls_of(live.terms, site, prepared, live.ledger.opened.path, own)
    _say_open(live, client, walled=walls.plan.confined)
    starts: tuple[str, ...] = ()
    if walls.plan.confined:
        client, starts = client._replace(argv=(reached.program, *client.argv[1:])), reached.starts
    return (CallClient(live, client, Desk(site, walls, tree, commands, made, starts)),)


class CallClient:
    name = TOOL
    arguments: type[Arguments] = ClientArguments
    dangerous = requires_permission = scans = foreign = False
    writes = True
    timeout: float | None = 0.0  # its own, and what is left of the run's

    def __init__(self, live: Run, client: Client, desk: Desk) -> None:
        self._live = live
        self._client = client
        self._desk = desk
        self._told = False  # that nobody knows what it costs
        self._seen = not desk.starts
        self._refusals = Refusals(desk.launch.denied)
        self.description = say("clients.about", live.language)

    @property
    def sandbox(self) -> str:
        """The walls that the client works in."""
        return self._desk.walls.plan.mechanism

    async def execute(self, args: ClientArguments, context: ToolContext) -> ToolResult:
        hidden = await self._hidden()
        if hidden:
            return ToolResult(False, hidden, error_class=HIDDEN)
        before = self._desk.tree.now()
        known = read_session(args.session)
        ask = self._ask(context.redact(args.prompt), known.id)
        finished = await self._called(ask)
        printed = _printed(finished)
        errors = context.redact(self._errors())
        report = self._client.kind.read(printed)
        failed, why = self._ending(finished, report, errors)
        session = self._booked(report, known, failed=bool(failed))
        changed = self._desk.commands.since(before)
        text = (report.text if not failed else "") or why
        shown = write_result(session, context.redact(text)[: MOST_SHOWN // 2])
        return ToolResult(not failed, shown, error_class=failed, facts=changed)

    async def _called(self, ask: Ask) -> Finished:
        """One call of the client; what the hook refuses meanwhile is told as it comes."""
        watch = asyncio.create_task(self._watch())
        try:
            return await ran(self._command(ask))
        finally:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch
            self._live.ledger.post(*self._refusals.last())

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_LOOKS)
            self._live.ledger.post(*self._refusals.new())

    async def _hidden(self) -> str:
        """A file without which the client can't start, and which its walls don't show; looked for once."""
        if self._seen:
            return ""
        words = ("/bin/sh", "-c", _SEEN, "sh", *self._desk.starts)
        finished = await ran(self._in_walls(words, _LOOK))
        missing = _printed(finished)
        self._seen = finished.exit != 1 or not missing  # walls that can't be put up say so at the call itself
        return "" if self._seen else missing

    def _ask(self, prompt: str, session: str) -> Ask:
        """LimitReached when nothing may be spent any more."""
        account = self._live.state.account
        for kind, left, floor in (
            ("money", account.left, account.floor),
            ("tokens", account.left_tokens, 1),
        ):
            if left is not None and left < max(floor, 1):
                raise LimitReached(f"clients.no_{kind}", kind=kind, client=self._client.kind.name)
        words = self._desk.launch.hooks.words
        return Ask(_cut(prompt), session, self._live.ledger.run_id, account.left, words)

    def _command(self, ask: Ask) -> Command:
        started = self._client.kind.start(self._client, ask)
        walls = self._desk.walls
        with suppress(FileNotFoundError):
            self._errors_file.unlink()
        left = self._live.terms.config.loop.max_total_time - self._live.elapsed
        own = self._client.timeout
        errors = f"{walls.env.get('TMPDIR', self._errors_file.parent)}/{_ERRORS}"
        timeout = max(1.0, left if own is None else min(own, left))
        return self._in_walls((*_APART, errors, *started.argv), timeout, started.stdin)

    def _in_walls(self, argv: tuple[str, ...], timeout: float, stdin: bytes = b"") -> Command:
        walls, site = self._desk.walls, self._desk.site
        return Command(
            site.folder,
            site.scratch / "outputs",
            argv,
            env=walls.env,
            stdin=stdin,
            timeout=timeout,
            plan=walls.plan,
            redactor=self._live.ledger.opened.redactor,
        )

    @property
    def _errors_file(self) -> Path:
        return self._desk.site.scratch / "tmp" / _ERRORS

    def _errors(self) -> str:
        """The end of what it wrote to stderr; the file lies where an agent could put anything."""
        try:
            handle = os.open(self._errors_file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return ""
        with os.fdopen(handle, "rb") as file, suppress(OSError):
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LARGEST_ERRORS))
            return tail_of(file.read(_LARGEST_ERRORS).decode(errors="replace"))
        return ""

    def _booked(self, report: Report, known: Session, *, failed: bool) -> Session:
        """What the call cost is booked; where a report is of the whole session, what came since the last."""
        live, spent = self._live, report.spent or Spent()
        total = Session(report.session, spent.micros or 0, spent.tokens_in, spent.tokens_out)
        used = (total.micros, total.tokens_in, total.tokens_out)
        if self._client.kind.adds_up and known.id == report.session:
            parts = zip(used, (known.micros, known.tokens_in, known.tokens_out), strict=True)
            used = tuple(now - then if now >= then else now for now, then in parts)  # type: ignore[assignment]
        if spent.micros is None and not self._told and (any(used) or not failed):
            self._told = True
            key = "clients.cost_unknown" if any(used) else "clients.cost_not_known"
            said = say(key, live.language, client=self._client.kind.name)
            live.ledger.post(run.Noted(said, "warning"))
        if any(used):
            micros, read, written = (min(each, MOST) for each in used)
            usage = Usage(micros, read, written, spent.model or self._client.model)
            key = f"client-{live.state.seq}"
            live.ledger.post(budget.booking(live.state.account, key, "llm", usage))
        return total

    def _ending(self, finished: Finished, report: Report, errors: str) -> tuple[str, str]:
        """The class of a failure, empty for none, and what there is to say about it."""
        said = report.text if not report.ok else ""
        tail = "\n".join(part for part in (said, errors) if part)
        language, name = self._live.language, self._client.kind.name
        if finished.timed_out:
            return "timeout", say("clients.timed_out", language, client=name)
        if finished.failure is not None:
            why = finished.failure
            return "not_started", say(why.key, language, **why.values)
        if report.why == "budget":
            return "budget", tail
        if finished.exit != 0:
            return "exit", tail or say("clients.exit", language, client=name, code=finished.exit)
        if report.ok and (report.text.strip() or self._client.kind.silent):
            return "", say("clients.silent_end", language, client=name)
        return "silent", tail or say("clients.no_report", language, client=name)


def _printed(finished: Finished) -> str:
    """All of stdout, as far as it was kept."""
    output = finished.output
    try:
        with output.file.open("rb") as file:
            whole = file.read(_LARGEST).decode(errors="replace")
    except OSError:
        whole = ""
    discard(output)
    return whole or output.text


def _cut(prompt: str) -> str:
    data = prompt.replace("\0", "").encode(errors="replace")
    if len(data) <= _LONGEST:
        return data.decode()
    return data[:_LONGEST].decode(errors="ignore") + "\n…"


def _outside(site: Site, places: tuple[Path, ...]) -> tuple[Path, ...]:
    """What is to be seen of the client and our hook; in the workspace all is seen, and stays writable."""
    return tuple(each for each in places if not each.is_relative_to(os.path.realpath(site.folder)))


def _own(live: Run, client: Client, made: Launch, seen: tuple[Path, ...]) -> Own:
    """What it may see and write beyond a command. Walls are put up only where they are required."""
    env, kind = live.terms.means.env, client.kind
    required = live.terms.config.sandbox.mode == "required"
    passed = tuple(name for name in env if name.startswith(kind.passed) and name not in _OF_A_SESSION)
    given = {name: value for name, value in kind.env.items() if name not in passed}
    return Own(
        "required" if required else "off",
        _places(client, env),
        (*passed, *client.passed),
        {**given, **made.env},
        (made.known, *((made.settings,) if made.hooks.text else ()), *seen),
    )


def _places(client: Client, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Its own folders and files that are there."""
    home = env.get("HOME", "")
    named = (env.get(each, "") if each.isupper() else f"{home}/{each}" for each in client.kind.homes)
    return tuple(Path(each) for each in named if each.startswith("/") and Path(each).exists())


def _say_open(live: Run, client: Client, *, walled: bool) -> None:
    """What the harness does not hold in its hands is said before the client begins, and at the end."""
    keys = ["clients.not_enforceable", *([] if walled else ["clients.no_walls"])]
    for key in keys:
        phrase = Phrase(key, {"client": client.kind.name})
        live.notes = (*live.notes, phrase)
        if not live.resumed:
            live.ledger.post(run.Noted(say(key, live.language, **phrase.values), "warning"))


def _task(live: Run) -> str:
    """All that a client has to know: the rules, the promise, and todos that are open."""
    parts = [say("clients.rules", live.language), promise_text(live.state.promise, live.language)]
    todos = [todo for todo in live.state.todos.entries.values() if todo.status in OPEN]
    if todos:
        lines = [f"- {todo.id}: {one_name(todo.content, LONGEST_LINE)}" for todo in todos[:_MOST_TODOS]]
        parts.append("\n".join((say("clients.todos", live.language), *lines)))
    return "\n\n".join(parts)
