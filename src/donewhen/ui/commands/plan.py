"""`donewhen plan`: the promise that a run would have to keep, and why each part is in it.

It reads, adds up and prints. It runs nothing and writes nothing.
"""

import os
import sys
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import UserError
from donewhen.core.profiles import PROFILES
from donewhen.core.promise import Condition, Issue, promise_id
from donewhen.core.promise_data import write_promise
from donewhen.core.texts import Language, Phrase, say
from donewhen.core.todos.model import Todo, to_data
from donewhen.ui.app import App, command, here
from donewhen.ui.output import complain, fit, one_line, paint, print_json, print_line, room, table
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.config import Loaded
    from donewhen.intake.compose import Plan
    from donewhen.intake.planning import Planned
    from donewhen.intake.request import Request
    from donewhen.verify.quality.required import PlannedGate

_BY_CHECKS = "promise.criterion_no_evidence"


@command("plan", "help.plan")
@click.argument("goal", required=False, default=None)
@click.option("--goal-file", metavar="FILE", help=t("help.plan_goal_file"))
@click.option("--spec", default="", metavar="SPEC", help=t("help.plan_spec"))
@click.option("--promise", default="", metavar="FILE", help=t("help.plan_promise"))
@click.option("--accept", multiple=True, metavar="CMD", help=t("help.plan_accept"))
@click.option("--profile", type=click.Choice(tuple(PROFILES)), default=None, help=t("help.verify_profile"))
@click.option("--gate", multiple=True, metavar="NAME", help=t("help.verify_gate"))
@click.option("--answer-only", is_flag=True, help=t("help.plan_answer_only"))
def plan(
    app: App,
    goal: str | None,
    goal_file: str | None,
    spec: str,
    promise: str,
    accept: tuple[str, ...],
    profile: str | None,
    gate: tuple[str, ...],
    answer_only: bool,
) -> None:
    from donewhen.intake.request import Request
    from donewhen.verify.change import refuse_unknown

    loaded = app.with_profile(profile).requiring(gate).config()
    text, name = goal_text(goal, goal_file)
    planned = _planned(Request(text, name, promise, spec, accept, answer_only), loaded)
    refuse_unknown(planned.plan.promise, loaded.config)
    gates = _gates(planned, loaded)
    if app.as_json:
        print_json({**plan_data(planned, language()), "gates": [_gate_data(each) for each in gates]})
    else:
        print_plan(planned, language(), gates=gates, verbose=app.verbose, quiet=app.quiet)


def _gates(planned: "Planned", loaded: "Loaded") -> "tuple[PlannedGate, ...]":
    from donewhen.verify.quality.required import planned_gates

    if planned.plan.promise.answer_only:
        return ()
    return planned_gates(here(), os.environ, loaded, planned.plan.promise, language())


def _gate_data(gate: "PlannedGate") -> dict[str, Any]:
    missing = _said(gate.missing, language()) if gate.missing else None
    return {"gate": gate.name, "required": gate.required, "tool": gate.tool or None, "missing": missing}


def goal_text(goal: str | None, file: str | None) -> tuple[str | None, str]:
    """The goal's text and how it is named as a source."""
    from donewhen.commands.goals.model import LARGEST_GOAL
    from donewhen.intake.reading import read_stream, read_text

    if goal is not None and file is not None:
        raise UserError("plan.two_goals")
    if goal == "-" or file == "-":
        if sys.stdin is None:
            raise UserError("cli.no_stdin")
        return read_stream(sys.stdin.buffer, "stdin"), "stdin"
    if file is not None:
        return read_text(here() / file, largest=LARGEST_GOAL, shown=file), file
    return goal, "goal"


def _planned(request: "Request", loaded: "Loaded") -> "Planned":
    from donewhen.commands import parse
    from donewhen.intake.openspec import ChangeRefused
    from donewhen.intake.planning import make_plan, profile_for

    open_spec_path = loaded.config.project.open_spec_path or ""
    try:
        return make_plan(
            request,
            here(),
            parse,
            promise_id=promise_id(time.time_ns() // 1_000_000, os.urandom(2)),
            open_spec_path=open_spec_path,
            language=language(),
            tests=profile_for(loaded).tests,
        )
    except ChangeRefused as error:
        if len(error.errors) == 1:
            raise
        for issue in error.errors:
            complain(one_line(issue.say(language())))
        place = request.spec or open_spec_path
        raise UserError("plan.broken_spec", place=place, count=len(error.errors)) from None


def plan_data(planned: "Planned", language: Language) -> dict[str, Any]:
    """What `--json` prints; `promise` can be given back as a promise file."""
    plan = planned.plan
    return {
        "promise": write_promise(plan.promise),
        "todos": [to_data(todo) for todo in plan.todos],
        "sources": _sources(plan),
        "issues": [
            {
                "severity": issue.severity,
                "checkpoint": issue.checkpoint,
                "message": _said(issue.phrase, language),
            }
            for issue in plan.issues
        ],
        "warnings": [_said(text, language) for text in plan.warnings],
        "executable": plan.executable,
        "ignored": [
            {"text": each.text, "kind": each.kind, "line": each.place.line, "why": say(each.why, language)}
            for each in planned.goal.ignored
        ],
    }


def _sources(plan: "Plan") -> dict[str, Any]:
    promise = plan.promise
    return {
        "objective": plan.objective_source,
        "accept": [
            {
                "label": each.label,
                "argv": each.argv,
                "cwd": each.cwd,
                "env": dict(each.env),
                "source": each.source,
            }
            for each in promise.accept
        ],
        "checks": [{"check": each.name, "by": each.by, "source": each.source} for each in promise.checks],
        "acceptance": [{"id": each.id, "source": each.source} for each in promise.acceptance],
        "todos": [{"id": name, "source": source} for name, source in plan.todo_sources],
        **dict(plan.places),
    }


def _said(text: Phrase | str, language: Language) -> str:
    return text if isinstance(text, str) else say(text.key, language, **text.values)


def print_plan(
    planned: "Planned",
    language: Language,
    *,
    gates: "Sequence[PlannedGate]" = (),
    verbose: bool,
    quiet: bool,
) -> None:
    plan = planned.plan
    promise = plan.promise
    head = paint(t("plan.objective"), "bold")
    print_line(f"{head}: {one_line(promise.objective)}  ({one_line(plan.objective_source)})")
    if promise.answer_only:
        print_line(paint(t("plan.answer_only"), "yellow"))
    _print_table(
        "accept",
        ("command", "folder", "source"),
        [(each.label, each.cwd or ".", each.source) for each in promise.accept],
    )
    _print_table("checks", ("check", "target", "source"), list(_check_rows(plan)))
    _print_table("gates", ("gate", "demand", "tool"), [_gate_row(each, language) for each in gates])
    _print_table(
        "criteria",
        ("id", "text", "source"),
        [(each.id, each.description, each.source) for each in promise.acceptance],
    )
    _print_table("scope", ("type", "target", "source"), list(_scope_rows(plan)))
    _print_table("conditions", ("type", "target", "source"), list(_condition_rows(plan)))
    sources = dict(plan.todo_sources)
    _print_table(
        "todos",
        ("id", "text", "source"),
        [(todo.id, _todo_text(todo), sources.get(todo.id, "")) for todo in plan.todos],
    )
    _print_issues(plan, language, quiet=quiet)
    if verbose:
        _print_table(
            "ignored",
            ("text", "why", "source"),
            [
                (each.text, say(each.why, language), f"{planned.goal_name}:{each.place.line}")
                for each in planned.goal.ignored
            ],
        )


def _print_table(name: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        return
    print_line()
    print_line(paint(t(f"plan.{name}"), "bold"))
    space = room(60)
    short = [[fit(one_line(cell), space) for cell in row] for row in rows]
    for line in table([t(f"plan.col_{column}") for column in columns], short):
        print_line(f"  {line}")


def _check_rows(plan: "Plan") -> Iterable[tuple[str, str, str]]:
    for check in plan.promise.checks:
        params = " ".join(f"{name}={value}" for name, value in check.params.items() if name != "nonempty")
        target = " ".join(text for text in (check.target, params) if text)
        kind = check.kind if check.required else f"{check.kind} ({t('plan.optional')})"
        yield kind, target, check.source


def _gate_row(gate: "PlannedGate", language: Language) -> tuple[str, str, str]:
    demand = t("plan.required" if gate.required else "plan.advice")
    missing = _said(gate.missing, language) if gate.missing else ""
    return gate.name, demand, "; ".join(part for part in (gate.tool, missing) if part) or "-"


def _scope_rows(plan: "Plan") -> Iterable[tuple[str, str, str]]:
    places = dict(plan.places)
    for name in ("allowed_scope", "disallowed_scope", "required_evidence", "permits"):
        for text in getattr(plan.promise, name):
            yield t(f"plan.{name}"), text, places.get(name, "")


def _condition_rows(plan: "Plan") -> Iterable[tuple[str, str, str]]:
    places = dict(plan.places)
    for name in ("done_when", "abort_when"):
        conditions: tuple[Condition, ...] = getattr(plan.promise, name)
        said = ", ".join(f"{each.type} {each.target}".strip() for each in conditions)
        yield t(f"plan.{name}"), said or "-", places.get(name, "")


def _todo_text(todo: Todo) -> str:
    """Beside its id, which tasks of a spec often begin with."""
    content = todo.content.removeprefix(f"{todo.id} ").strip() or todo.content
    return f"{content} ({t('plan.done')})" if todo.status == "completed" else content


def _print_issues(plan: "Plan", language: Language, *, quiet: bool) -> None:
    softly = [issue for issue in plan.issues if issue.severity == "soft-deny"]
    notes = [] if quiet else _notes(plan, language)
    if not softly and not notes:
        return
    print_line()
    print_line(paint(t("plan.issues"), "bold"))
    for issue in softly:
        print_line(f"  {paint(t('plan.needs_yes'), 'yellow')}: {one_line(_said(issue.phrase, language))}")
    for note in notes:
        print_line(f"  {t('plan.warning')}: {one_line(note)}")


def _notes(plan: "Plan", language: Language) -> list[str]:
    """Warnings; the one that most plans have for every criterion is said once."""
    warned: list[Issue] = [issue for issue in plan.issues if issue.severity == "warning"]
    plain = [issue for issue in warned if issue.phrase.key == _BY_CHECKS]
    notes = [_said(issue.phrase, language) for issue in warned if issue.phrase.key != _BY_CHECKS]
    if len(plain) > 1:
        notes.append(t("plan.by_checks", count=len(plain)))
    return notes + [_said(text, language) for text in plan.warnings]
