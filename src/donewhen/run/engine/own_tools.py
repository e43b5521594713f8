"""Tools that change the run itself: todos, plan, a question to the human, and the claim to be done.

They write events, never files. What they are asked to do wrong is told to the agent and changes nothing; a
plan can add obligations and make them stricter, never take one away.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import Field

from donewhen.commands import parse
from donewhen.core.checks import Check, read_checks
from donewhen.core.codec import Json, freeze, to_json
from donewhen.core.errors import AgentError, UserError
from donewhen.core.events import Body, run
from donewhen.core.promise import Promise
from donewhen.core.revising import revise
from donewhen.core.texts import Language, Phrase, say
from donewhen.core.todos import TodoList, add, apply, replan, to_data, written
from donewhen.guard.guard import Guard
from donewhen.run.engine.plan_schema import CheckEntry, TodoEntry
from donewhen.run.engine.state import RunState
from donewhen.tools.model import Arguments, OwnTool, ToolContext, ToolResult

_MOST_FILES = 500


class _Own(OwnTool):
    """What all of them share."""

    about = "owntools.about_{name}"
    timeout: float | None = 0.0


class TodoArguments(Arguments):
    todos: list[TodoEntry] = Field(min_length=1, max_length=200)


class TodoWrite(_Own):
    name = "todo_write"
    arguments = TodoArguments

    def __init__(self, state: RunState, language: Language = "en") -> None:
        super().__init__(language)
        self._state = state

    async def execute(self, args: TodoArguments, context: ToolContext) -> ToolResult:
        before = todos = self._state.todos
        for number, entry in enumerate(args.todos, 1):
            place = f"todos[{number}]"
            known = isinstance(entry.get("id"), str) and entry["id"] in todos.entries
            changes = known or "content" not in entry  # a new todo says what it is about
            todos = apply(todos, entry, place) if changes else add(todos, entry, place)
        return ToolResult(True, todo_lines(todos, context.language), facts=_events(before, todos))


class PlanArguments(Arguments):
    todos: list[TodoEntry] | None = Field(default=None, max_length=200)
    checks: list[CheckEntry] | None = Field(default=None, max_length=200)
    files: list[str] | None = Field(default=None, max_length=_MOST_FILES)


class PlanUpdate(_Own):
    name = "plan_update"
    arguments = PlanArguments

    def __init__(
        self,
        state: RunState,
        guard: Callable[[], Guard],
        targets: frozenset[str],
        language: Language = "en",
        refuse: Callable[[Promise], None] = lambda _: None,
    ) -> None:
        super().__init__(language)
        self._state = state
        self._guard = guard
        self._refuse = refuse
        self._targets = targets

    async def execute(self, args: PlanArguments, context: ToolContext) -> ToolResult:
        state, refused = self._state, list[Phrase]()
        todos = state.todos
        if args.todos is not None:
            todos, refusals = replan(todos, args.todos)
            refused += [refusal.why for refusal in refusals]
        checks = state.checks
        if args.checks is not None:
            checks, softened = self._revised(args.checks, refused)
            refused += softened
        said = [_said(phrase, context.language) for phrase in refused]
        events = list(_events(state.todos, todos))
        if args.checks is not None or args.files is not None or said or state.refused:
            data = checks_data(checks)
            files = state.files if args.files is None else tuple(args.files)
            events.append(run.PlanRevised(data, tuple(said), files))
        lines = [todo_lines(todos, context.language), *_check_lines(checks), *said]
        return ToolResult(True, "\n".join(line for line in lines if line), facts=tuple(events))

    def _revised(self, data: list[Any], refused: list[Phrase]) -> tuple[tuple[Check, ...], list[Phrase]]:
        try:
            proposed = read_checks(data, parse, place="plan.checks", targets=self._targets, by="agent").checks
            self._refuse(self._state.promise._replace(checks=proposed))
        except UserError as error:
            raise AgentError(error.key, **error.values) from None
        allowed = []
        for check in proposed:
            decision = self._guard().command(check.target) if check.kind == "command_success" else None
            if decision is not None and decision.action != "allow":
                reason = {"check": check.name, "reason": decision.reason}
                refused.append(Phrase("engine.check_not_allowed", reason))
            else:
                allowed.append(check)
        revision = revise(self._state.checks, tuple(allowed), parse)
        return revision.checks, list(revision.refused)


class CompleteArguments(Arguments):
    summary: str = Field(default="", max_length=20_000)


class Complete(_Own):
    name = "complete"
    arguments = CompleteArguments

    async def execute(self, args: CompleteArguments, context: ToolContext) -> ToolResult:
        return ToolResult(True, say("engine.claim_noted", context.language))


class AskArguments(Arguments):
    question: str = Field(min_length=1, max_length=4000)


class AskUser(_Own):
    name = "ask_user"
    arguments = AskArguments

    def __init__(self, ask: Callable[[str], Awaitable[str | None]], language: Language = "en") -> None:
        super().__init__(language)
        self._ask = ask

    async def execute(self, args: AskArguments, context: ToolContext) -> ToolResult:
        answer = await self._ask(args.question)
        if answer is None:
            return ToolResult(
                False, error=say("engine.nobody_answers", context.language), error_class="no_answer"
            )
        return ToolResult(True, answer)


class PullRequestArguments(Arguments):
    title: str = Field(default="", max_length=200)
    body: str = Field(default="", max_length=20_000)


class PrCreate(_Own):
    """`open_draft` hands the work so far over, with the words of the agent before those of the harness."""

    name = "pr_create"
    arguments = PullRequestArguments
    requires_permission = True

    def __init__(self, open_draft: Callable[[str, str], Awaitable[str]], language: Language = "en") -> None:
        super().__init__(language)
        self._open_draft = open_draft

    async def execute(self, args: PullRequestArguments, context: ToolContext) -> ToolResult:
        url = await self._open_draft(args.title, args.body)
        return ToolResult(True, say("owntools.draft_opened", context.language, url=url))


def todo_lines(todos: TodoList, language: Language) -> str:
    """The list as the agent is shown it."""
    entries = list(todos.entries.values())
    if not entries:
        return say("engine.no_todos", language)
    return "\n".join(f"- [{todo.status}] {todo.id}: {todo.content[:200]}" for todo in entries[:100])


def _events(before: TodoList, after: TodoList) -> tuple[Body, ...]:
    return tuple(run.TodoChanged(todo.id, freeze(to_data(todo))) for todo in written(before, after))


def checks_data(checks: tuple[Check, ...]) -> tuple[Mapping[str, Json], ...]:
    """Checks of a plan as the ledger has them."""
    return tuple(freeze(_check_data(check)) for check in checks)


def _check_data(check: Check) -> dict[str, Any]:
    data = to_json(check)
    return {key: data[key] for key in ("id", "kind", "target", "match", "required", "params") if key in data}


def _check_lines(checks: tuple[Check, ...]) -> list[str]:
    return [f"- check {check.name}" for check in checks[:50]]


def _said(phrase: Phrase, language: Language) -> str:
    return say(phrase.key, language, **phrase.values)
