"""What happened, as HTML: the attempts as a story, what was tried and caught, and what changed."""

from collections.abc import Iterator
from html import escape

from donewhen.run.reporting_model import Attempt, Dossier
from donewhen.ui.reports.plain import block
from donewhen.ui.reports.run_markup import Cell, Page, code, fold, items, state, table, text
from donewhen.ui.reports.run_words import ATTEMPT_MARKS, SHORT, hour, told_attempts, why_of

_STATUSES = ("continue", "accepted", "failed", "stopped")
_CHANGES = ("added", "modified", "deleted", "renamed")
_LONGEST_DIFF = 400_000
_LONGEST_CLAIM = 2000


def story(dossier: Dossier, page: Page) -> str:
    told = "\n".join(_attempt(each, times, dossier, page) for each, times in told_attempts(dossier))
    return f'<ol class="story">\n{told}\n</ol>' if told else ""


def _attempt(each: Attempt, times: int, dossier: Dossier, page: Page) -> str:
    t = page.t
    status = each.status if each.status in _STATUSES else "stopped"
    mark = state(ATTEMPT_MARKS.get(status, "✗"), t(f"st_{status}"))
    name = t("judged") if dossier.kind == "verify" else t("attempt", number=each.number)
    again = f" {escape(t('times', count=times))}" if times > 1 else ""
    parts = [f'<li class="{status}">', f"<h3>{escape(name)}: {mark}{again}</h3>", *_before(each, page)]
    if each.claim:
        claim = escape(block(each.claim, _LONGEST_CLAIM)).strip()
        parts += [f"<p>{escape(t('claimed'))}:</p>", f"<blockquote><p>{claim}</p></blockquote>"]
    elif dossier.kind == "verify":
        parts.append(f"<p>{escape(t('no_claim'))}</p>")
    if each.summary:
        parts.append(f"<p>{text(each.summary, 1000)}</p>")
    if each.why:
        parts.append(f"<p>{escape(t('proven_by' if status == 'accepted' else 'because'))}:</p>")
        parts.append(items(text(why, 1000) for why in why_of(each, t)))
    tree = f" · {code(each.tree[:SHORT])}" if each.tree else ""
    parts += [
        f'<p class="soft">{text(hour(each.at))} · {escape(t("event", seq=each.seq))}{tree}</p>',
        "</li>",
    ]
    return "\n".join(parts)


def _before(each: Attempt, page: Page) -> Iterator[str]:
    """What the agent did since the attempt before."""
    told = []
    if each.turns or each.calls:
        told.append(escape(page.t("did_before", turns=each.turns, calls=each.calls)))
    if each.files:
        told.append(text(page.t("touched", files=", ".join(each.files)), 600))
    if told:
        yield f'<p class="soft">{"; ".join(told)}</p>'


def caught(dossier: Dossier, page: Page) -> str:
    t = page.t
    rows = [
        (
            text(hour(each.at)),
            escape(t(f"c_{each.kind}")),
            code(each.what),
            text(each.why, 600),
            code(each.rule, 120),
        )
        for each in dossier.caught
    ]
    head = [t(f"col_{name}") for name in ("when", "kind", "what", "why", "rule")]
    return table("caught", head, rows) if rows else ""


def change(dossier: Dossier, page: Page) -> str:
    found, t = dossier.change, page.t
    if found.note:
        return f"<p>{text(t.phrase(found.note), 600)}</p>"
    where = t(f"from_{found.where}") if found.where else ""
    parts = [
        f'<p class="soft">{escape(where)}: {code(found.base[:SHORT])} → {code(found.result[:SHORT])}</p>'
    ]
    if not found.files:
        parts.append(f"<p>{escape(t('nothing_changed'))}</p>")
        return "\n".join(parts)
    rows = [
        (
            code(file.path),
            text(t(f"ch_{file.change}") if file.change in _CHANGES else file.change, 40),
            Cell(_count(file.added), "number"),
            Cell(_count(file.removed), "number"),
        )
        for file in found.files
    ]
    parts.append(table("change", [t(f"col_{name}") for name in ("file", "change", "added", "removed")], rows))
    if found.diff.strip():
        parts.append(fold(escape(t("diff")), f"<pre>{_coloured(page.long(found.diff, _LONGEST_DIFF))}</pre>"))
    if found.cut:
        parts.append(f"<p>{text(t('diff_cut', run=dossier.run))}</p>")
    return "\n".join(parts)


def _count(number: int | None) -> str:
    return "–" if number is None else str(number)


def _coloured(diff: str) -> str:
    """Lines of an escaped diff; the sign at their beginning says the same as the colour."""
    return "\n".join(map(_line, diff.split("\n")))


def _line(line: str) -> str:
    kind = {"+": "add", "-": "del", "@": "hunk"}.get(line[:1])
    return f'<span class="{kind}">{line}</span>' if kind else line
