"""`donewhen approve` and `deny`: a human's answer to a question of a run, from any terminal.

The answer is written beside the ledger; the process that executes the run takes it. Without a question,
`approve` lists all that wait. Nothing is answered twice, and nothing of a run that has ended.
"""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from donewhen.core.errors import DonewhenError, UserError
from donewhen.core.ids import seconds
from donewhen.core.protocols import Control, EventStore, Request
from donewhen.ui.app import App, command
from donewhen.ui.output import fit, one_line, print_json, print_line, room, table, width
from donewhen.ui.runs_text import ago
from donewhen.ui.who import who
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.run.approvals_ledger import Questions, Told

MOST_NOTE = 2000
_PLAN = "plan_update"  # the tool whose questions are plans
MOST_NAMED = 5
MOST_ECHOED = 80  # columns of an id that there is not


class Found(NamedTuple):
    """Questions of the store by run; runs whose ledger does not hold are named, not read."""

    questions: list["Questions"]
    broken: list[str]


@command("approve", "help.approve")
@click.argument("ask", required=False)
@click.option("--run", "for_run", is_flag=True, help=t("help.approve_run"))
@click.option("--always", is_flag=True, help=t("help.approve_always"))
@click.option("--note", default="", metavar="TEXT", help=t("help.approve_note"))
def approve(app: App, ask: str | None, for_run: bool, always: bool, note: str) -> None:
    if for_run and always:
        raise UserError("approvals.one_scope")
    if ask is None:
        if for_run or always or note:
            raise UserError("approvals.no_question")
        _list(app)
        return
    scope = "always" if always else "run" if for_run else "once"
    _answer(app, ask, "approve", scope, note)


@command("deny", "help.deny")
@click.argument("ask")
@click.option("--note", "--because", "note", default="", metavar="TEXT", help=t("help.deny_note"))
def deny(app: App, ask: str, note: str) -> None:
    if ask.startswith("q-"):
        from donewhen.ui.commands.confirm import deny_question

        deny_question(app, ask, note)
        return
    _answer(app, ask, "deny", "once", note)


def _answer(app: App, ask: str, kind: Any, scope: str, note: str) -> None:
    if len(note) > MOST_NOTE:
        raise UserError("approvals.long_note", most=MOST_NOTE)
    if not ask:
        raise UserError("approvals.which_ask")
    with app.open() as opened:
        store = opened.store
        told = _meant(ask, _candidates(store, ask), store)
        plan = told.key.tool == _PLAN
        if plan and scope == "always":
            raise UserError("approvals.plan_always", ask=told.ask)
        payload = {"scope": scope, **({"note": note} if note else {})}
        made = store.request(told.run_id, Control(kind, told.ask, payload, who()))
        check_in_time(told.ask, made, store)
        executed = bool(store.holder(told.run_id))
    denied = "refused" if not plan else "refused_plan_why" if note else "refused_plan"
    name = f"allowed_{scope}" if kind == "approve" else denied
    if app.as_json:
        allowed = kind == "approve"
        data = {"ask": told.ask, "run": told.run_id, "allowed": allowed, "scope": scope, "note": note}
        print_json({**data, "executed": executed})
    elif not app.quiet:
        print_line(one_line(t(f"approvals.{name}", ask=told.ask, run=told.run_id)))
    if not executed:
        app.note(t("approvals.nobody_executes", run=told.run_id))


def _meant(ask: str, found: Found, store: EventStore) -> "Told":
    """The one open question that a person means by an id or the beginning of one."""
    named = [(run, told) for run in found.questions for told in run.told.values() if _names(ask, told)]
    exact = [(run, told) for run, told in named if ask in _ids(told)]
    still_open = [(run, told) for run, told in named if not (told.answer or run.ended)]
    chosen = exact or still_open or named
    if not chosen:
        for run_id in found.broken:
            list(store.read(run_id))  # it says itself what is wrong with it
        raise UserError("approvals.no_ask", ask=fit(ask, MOST_ECHOED))
    if len(chosen) > 1:
        full = len({told.ask for _, told in chosen}) < len(chosen)
        names = [_ids(told)[1] if full else told.ask for _, told in chosen]
        some = ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
        raise UserError("approvals.ambiguous", ask=ask, some=some)
    run, told = chosen[0]
    if told.answer:
        raise _answered(told, store)
    if run.ended:
        raise UserError("approvals.ended", ask=told.ask, run=told.run_id, state=run.state)
    return told


def check_in_time(ask: str, made: Request, store: EventStore) -> None:
    """An error where the question was answered otherwise while this answer was written: it does not count."""
    from donewhen.run.approvals_ledger import Questions

    told = Questions(made.run_id).take(store.read(made.run_id)).told.get(ask)
    if told is None or told.answer is None:
        return
    agrees = told.answer.by == "human" and told.answer.allowed == (made.control.kind == "approve")
    if told.answered_at < made.at or not agrees:
        raise _answered(told, store, made.number)


def _answered(told: "Told", store: EventStore, but: int = 0) -> UserError:
    """Who answered it, and when; `but` is a request that did not."""
    answer = told.answer
    by = answer.by if answer else "human"
    given = [each for each in store.requests(told.run_id) if each.taken and each.number != but]
    rows = (each for each in given if each.control.target == told.ask)
    row: Request | None = next(rows, None) if by == "human" else None
    who = row.control.who if row and row.control.who else t(f"approvals.by_{by}")
    said = t("approvals.allow" if answer and answer.allowed else "approvals.deny")
    return UserError("approvals.answered", ask=told.ask, who=who, at=told.answered_at, answer=said)


def _ids(told: "Told") -> tuple[str, str]:
    """The id as it is shown, and with the whole id of its run."""
    return told.ask, f"{told.run_id}-{told.ask.rpartition('-')[2]}"


def _names(ask: str, told: "Told") -> bool:
    return any(name.startswith(ask) for name in _ids(told))


def _candidates(store: EventStore, ask: str) -> Found:
    """The questions that may be meant; whatever a ledger calls a question, that name answers it."""
    likely = _questions(store, ask)
    if likely.broken or any(_names(ask, told) for run in likely.questions for told in run.told.values()):
        return likely
    others = _questions(store).questions
    return Found([run for run in others if any(_names(ask, told) for told in run.told.values())], [])


def _questions(store: EventStore, ask: str = "") -> Found:
    """The questions of all runs that may be meant by an id; a broken ledger hides no other run's."""
    from donewhen.run.approvals_ledger import Questions, ask_id

    found, broken = [], []
    for run_id in store.asking():
        names = (run_id, ask_id(run_id, 0)[:-2])
        if not any(name.startswith(ask) or ask.startswith(f"{name}-") for name in names):
            continue
        try:
            found.append(Questions(run_id).take(store.read(run_id)))
        except DonewhenError:
            broken.append(run_id)
    return Found(found, broken)


def _list(app: App) -> None:
    with app.open() as opened:
        store = opened.store
        found = _questions(store)
        rows = [told for run in found.questions for told in _waiting(run, store)]
    rows.sort(key=lambda told: told.at)
    now = time.time()
    if app.as_json:
        print_json({"questions": [_data(told, now) for told in rows], "broken": found.broken})
    elif app.quiet:
        for told in rows:
            print_line(one_line(told.ask))
    elif rows:
        _print(rows, now, wide=app.verbose)
    for run_id in found.broken:
        app.note(t("approvals.unreadable_run", run=run_id))
    if not rows and not app.as_json:
        app.note(t("approvals.none_open"))


def _waiting(run: "Questions", store: EventStore) -> Iterable["Told"]:
    """Open questions without an answer that the run has yet to take."""
    if not run.open:
        return []
    given = {each.control.target for each in store.requests(run.run_id) if not each.taken}
    return [told for told in run.open if told.ask not in given]


def _data(told: "Told", now: float) -> dict[str, Any]:
    return {
        "ask": told.ask,
        "run": told.run_id,
        "tool": told.key.tool,
        "rule": told.key.rule,
        "action": told.action,
        "reason": told.reason,
        "asked": told.at,
        "waiting": _waited(told.at, now),
    }


def _waited(at: str, now: float) -> float | None:
    """Seconds; None where an imported ledger names no moment."""
    try:
        return round(max(0.0, now - seconds(at)), 1)
    except (ValueError, OverflowError):
        return None


def _print(rows: list["Told"], now: float, *, wide: bool) -> None:
    head = [t(f"approvals.col_{name}") for name in ("ask", "run", "waits", "action", "reason")]
    cells = [
        (one_line(told.ask), told.run_id, ago(told.at, now), *map(one_line, _what_and_why(told)))
        for told in rows
    ]
    taken = max(map(width, table(head[:3], [cell[:3] for cell in cells])))
    left = None if wide else room(taken + 4, least=48)
    each = None if left is None else left // 2
    for line in table(head, [(*cell[:3], fit(cell[3], each), fit(cell[4], each)) for cell in cells]):
        print_line(line)
    plans = [told for told in rows if told.key.tool == _PLAN]
    if plans:
        _print_plans(plans)


def _what_and_why(told: "Told") -> tuple[str, str]:
    if told.key.tool == _PLAN:
        return t("approvals.plan_below"), t("approvals.plan_waits")
    return told.action, told.reason


def _print_plans(plans: list["Told"]) -> None:
    """Whoever says yes to a plan reads all of it."""
    from donewhen.ui.question_text import plan_rows, rows

    for told in plans:
        print_line(f"\n{t('approvals.plan_head', ask=one_line(told.ask))}")
        for line in (*plan_rows(told.action), *rows(told.reason)):
            print_line(line)
