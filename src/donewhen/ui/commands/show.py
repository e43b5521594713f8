"""`donewhen show RUN`: what the ledger says about one run."""

import json
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from donewhen.core.codec import thaw
from donewhen.core.errors import SetupError
from donewhen.core.session import Session, Standing, client_of, fold, standing
from donewhen.core.shown import titled
from donewhen.core.summary import is_verification
from donewhen.store import resolve
from donewhen.store.owner import described
from donewhen.ui.app import App, command
from donewhen.ui.causes import said_cause
from donewhen.ui.completing import complete_run
from donewhen.ui.logs_text import event_json
from donewhen.ui.output import clean, one_line, pad, paint, print_json, print_line, width
from donewhen.ui.proof_text import result_line
from donewhen.ui.runs_text import as_data, held, lasted, money, size, state, todo_word
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.core.protocols import EventStore


@command("show", "help.show")
@click.argument("run", shell_complete=complete_run)
@click.option("--events", is_flag=True, help=t("help.show_events"))
def show(app: App, run: str, events: bool) -> None:
    with app.open() as opened:
        run_id = resolve(opened, run)
        stream = opened.store.read(run_id)
        if events:
            for event in list(stream):  # proven whole before the first line is printed
                print_line(event_json(event))
            return
        session = fold(run_id, stream)
        stands = standing(session, _holder(opened.store, run_id))
    if app.as_json:
        print_json(_data(session, stands))
    elif app.quiet:
        print_line(one_line(f"{run_id} {session.summary.state} {session.summary.stop_reason}"))
    else:
        _print(session, stands)
        if app.verbose:
            _print_whole(session)


def _holder(store: "EventStore", run_id: str) -> str:
    """Who executes the run; a damaged row does not say, and hides nothing else."""
    with suppress(SetupError):
        return described(store.holder(run_id))
    return ""


def _data(session: Session, stands: Standing) -> dict[str, object]:
    return {
        **as_data(session.summary, session.lived),
        "models": list(session.models),
        "held": session.held_micros / 1_000_000,
        "deliverables": session.deliverables.to_data(),
        "promise": thaw(session.promise) or None,
        "todos": thaw(session.todos),
        "artifacts": [artifact._asdict() for artifact in session.artifacts],
        "decision": session.decision._asdict() if session.decision else None,
        "metadata": thaw(session.metadata),
        "waits": _said(stands),
        "target": session.shipment.target or None,
        "merged": session.shipment.merged or None,
        "pull_request": session.shipment.pull or None,
        "questions": [{"ask": body.ask, "question": body.question} for body in session.asked],
        "next": [shlex.split(words) for words in _commands(stands)],
    }


def _commands(stands: Standing) -> list[str]:
    return [
        *map(one_line, stands.shell),
        *(f"donewhen {one_line(shlex.join(words))}" for words in stands.commands),
    ]


def _said(stands: Standing) -> str:
    return t(stands.waits.key, **stands.waits.values)


def _print(session: Session, stands: Standing) -> None:
    row = session.summary
    spent = {name: money(getattr(row, f"{name}_micros")) for name in ("total", "llm", "api", "other")}
    budget = money(row.budget_micros)
    lines = {
        "run": paint(row.run_id, "bold"),
        "state": state(row),
        **{name: one_line(getattr(row, name)) for name in ("repo", "base")},
        "branch": one_line(_branch(session)),
        "merged": _merged(session),
        "pull": one_line(session.shipment.pull),
        **{name: one_line(getattr(row, name)) for name in ("workspace", "agent", "profile")},
        "goal": one_line(row.goal),
        "promise": one_line(row.promise),
        "created": one_line(row.created),
        "updated": one_line(row.updated),
        "duration": lasted(session.lived),
        "models": ", ".join(map(one_line, session.models)),
        "cost": t("cli.cost_line", **spent) + held(session.held_micros),
        "budget": t("cli.budget_line", budget=budget, used=row.budget_used) if row.budget_micros else "",
        "counts": t(
            "cli.counts_line", events=row.events, turns=row.turns, calls=row.tool_calls, attempts=row.attempts
        ),
        "waits": one_line(_said(stands)),
    }
    names = {name: t("seeing.waits" if name == "waits" else f"cli.col_{name}") for name in lines}
    columns = max(map(width, names.values()))
    for name, value in lines.items():
        if value:
            print_line(f"{pad(names[name], columns)}  {value}")
    _print_parts(session)
    if stands.commands or stands.shell:
        print_line(f"\n{t('seeing.next')}")
    for line in _commands(stands):
        print_line(f"  {line}")


def _branch(session: Session) -> str:
    """The run's branch; it is there once the work is accepted, and a run that failed before has none."""
    row = session.summary
    own = is_verification(row) or client_of(session.metadata)  # the branch that the user was on
    if not row.branch or session.shipment.commit or own or row.state == "done":
        return row.branch
    return "" if row.ended else t("seeing.branch_later", branch=row.branch)


def _merged(session: Session) -> str:
    shipment = session.shipment
    return one_line(f"{shipment.target} ({shipment.merged[:12]})") if shipment.merged else ""


def _print_parts(session: Session) -> None:
    if session.todos:
        print_line(f"\n{t('cli.col_todos')}")
        for todo in session.todos:
            name, content = (one_line(todo.get(key, "")) for key in ("id", "content"))
            print_line(f"  [{todo_word(todo)}] {titled(name, content)}")
    if session.decision:
        decision = session.decision
        summary = f": {one_line(decision.summary)}" if decision.summary else ""
        parts = (decision.stop_reason, said_cause(decision.cause))
        why = " · ".join(one_line(part) for part in parts if part)
        named = f" ({why})" if why and why != decision.status else ""
        word = paint(one_line(said_cause(decision.status)), "bold")
        print_line(f"\n{t('cli.col_decision')}\n  {word}{named}{summary}")
        for result in decision.results:
            print_line(result_line(result))
    if session.artifacts:
        print_line(f"\n{t('cli.col_artifacts')}")
        for artifact in session.artifacts:
            print_line(
                f"  {one_line(artifact.digest)[:12]}  {size(artifact.size)}  {one_line(artifact.name)}"
            )


def _print_whole(session: Session) -> None:
    """What only `-v` shows: the promise and the metadata as they stand in the ledger."""
    for name, data in (("promise", session.promise), ("metadata", session.metadata)):
        if data:
            text = json.dumps(thaw(data), ensure_ascii=False, indent=2)
            print_line(f"\n{t(f'cli.col_{name}')}\n{clean(text)}")
