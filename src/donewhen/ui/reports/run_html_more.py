"""The rest of a run's page, as HTML: promise, todos, cost, time line, hooks, questions, notes, record."""

from html import escape
from pathlib import PurePath

from donewhen.run.reporting_model import Dossier
from donewhen.ui.reports.run_markup import Cell, Page, code, items, pairs, table, text
from donewhen.ui.reports.run_words import SHORT, TODOS, Words, by_of, clock, goal_of, hour, promise_rows
from donewhen.ui.runs_text import held, lasted, money

_MOST_ROWS = 300
_ABOUT = (
    "repo",
    "base",
    "branch",
    "commit",
    "target",
    "merged",
    "pull",
    "agent",
    "profile",
    "sandbox",
    "donewhen",
    "parent",
)
_MOMENTS = frozenset(
    "state decided resumed amended asked answered effect mode interrupted undone undone_inside".split()
)


def _head(t: Words, *names: str) -> list[str]:
    return [t(f"col_{name}") for name in names]


def promise(dossier: Dossier, page: Page) -> str:
    t = page.t
    rows = [
        (escape(t(key)), text(part, 1000), text(source) or "–")
        for key, part, source in [*promise_rows(dossier.promise, t)][:_MOST_ROWS]
    ]
    parts = [f"<p><strong>{escape(t('goal'))}:</strong> {text(goal_of(dossier), 8000)}</p>"]
    if rows:
        parts.append(table("promise", _head(t, "part", "text", "source"), rows))
    if dossier.amended:
        parts.append(f"<p>{escape(t('amended', count=dossier.amended))}</p>")
    return "\n".join(parts)


def todos(dossier: Dossier, page: Page) -> str:
    rows = []
    for todo in dossier.todos[:_MOST_ROWS]:
        optional = f" ({page.t('optional_word')})" if todo.get("required") is False else ""
        rows.append(
            (
                text(f"{page.t.known('todo', str(todo.get('status') or 'pending'), TODOS)}{optional}"),
                code(todo.get("id"), 80),
                text(todo.get("content")),
            )
        )
    return table("todos", _head(page.t, "state", "part", "text"), rows) if rows else ""


def cost(dossier: Dossier, page: Page) -> str:
    t, used = page.t, dossier.budget_used
    spent = money(dossier.total_micros) + held(dossier.held_micros)
    if dossier.budget_micros and used is not None:
        told = t(
            "cost_line",
            cost=spent,
            budget=money(dossier.budget_micros),
            used=f"{used:g}",
        )
        meter = f'<meter min="0" max="100" high="90" value="{min(used, 100):g}">{used:g} %</meter>'
        parts = [f"<p>{escape(told)} {meter}</p>"]
    else:
        parts = [f"<p>{escape(t('cost_free', cost=spent))}</p>"]
    rows = [
        (
            text(each.kind),
            code(each.model),
            Cell(str(each.calls), "number"),
            Cell(f"{each.tokens_in} / {each.tokens_out}", "number"),
            Cell(money(each.micros), "number"),
        )
        for each in dossier.spent
    ]
    if rows:
        parts.append(table("cost", _head(t, "kind", "model", "calls", "tokens", "cost"), rows))
    return "\n".join(parts)


def questions(dossier: Dossier, page: Page) -> str:
    t = page.t
    rows = [
        (
            text(clock(each.at)),
            text(each.question, 1000),
            escape(t(f"answer_{each.answer or 'open'}")) + (f": {text(each.text)}" if each.text else ""),
            text(by_of(each.by, t)),
            code(each.rule, 120),
        )
        for each in dossier.questions
    ]
    return table("questions", _head(t, "when", "question", "answer", "by", "rule"), rows) if rows else ""


def notes(dossier: Dossier, page: Page) -> str:
    return items((f"{text(each.level)}: {text(each.text, 1000)}" for each in dossier.notes), "plain")


def timeline(dossier: Dossier, page: Page) -> str:
    t = page.t
    rows = [
        (
            text(hour(each.at)),
            text(t(f"m_{each.what}") if each.what in _MOMENTS else each.what, 80),
            text(each.text),
        )
        for each in dossier.timeline
    ]
    return table("timeline", _head(t, "when", "kind", "what"), rows) if rows else ""


def resumed(dossier: Dossier, page: Page) -> str:
    told = (
        f"{text(clock(each.at))} {text(each.text)} ({page.t('event', seq=each.seq)})"
        for each in dossier.resumed
    )
    return items(told, "plain")


def hooks(dossier: Dossier, page: Page) -> str:
    rows = [
        (
            code(each.hook, 120),
            text(each.point, 80),
            text(f"{each.outcome}: {each.reason}" if each.reason else each.outcome, 600),
            Cell(str(each.times), "number"),
            Cell(lasted(each.duration_ms / 1000), "number"),
        )
        for each in dossier.hooks
    ]
    head = [*_head(page.t, "hook", "point", "outcome", "times"), page.t("fig_time")]
    return table("hooks", head, rows) if rows else ""


def about(dossier: Dossier, page: Page) -> str:
    """Of folders only the name is told: the page is made to be handed on."""
    t = page.t
    known = {**dossier.about, "repo": PurePath(dossier.about.get("repo", "")).name}
    known.setdefault("sandbox", t("no_sandbox"))
    rows = [(t("a_run"), code(dossier.run))]
    rows += [(t(f"a_{name}"), code(known[name])) for name in _ABOUT if known.get(name)]
    rows += [(t("a_created"), text(clock(dossier.created))), (t("a_updated"), text(clock(dossier.updated)))]
    return pairs(rows) + ("" if dossier.verdict == "accepted" else f"\n{_checks(dossier, page)}")


def _checks(dossier: Dossier, page: Page) -> str:
    """How a reader convinces himself."""
    t, found = page.t, dossier.record
    head = t("head", events=dossier.events, hash=dossier.head[:SHORT])
    checks = [f"{code(f'donewhen audit {dossier.run}')} {escape(t('check_ledger'))} ({text(head)})"]
    if found:
        name = PurePath(found.path).name
        checks.append(f"{code(f'donewhen audit --record {name}')} {escape(t('check_record'))}")
    return "\n".join([f"<p>{escape(t('record_check'))}:</p>", items(checks)])


def record(dossier: Dossier, page: Page) -> str:
    t, found = page.t, dossier.record
    if dossier.verdict != "accepted":
        return ""
    told = t("record_says", tree=found.tree[:SHORT], seq=found.seq) if found else t("record_gone")
    return f"<p>{text(told, 600)}</p>\n{_checks(dossier, page)}"


def left_out(dossier: Dossier, page: Page) -> str:
    return items(text(page.t.phrase(each), 600) for each in dossier.left_out)
