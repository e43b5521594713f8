"""The proof board as HTML: criterion → check → evidence → output."""

from collections.abc import Iterator
from html import escape

from donewhen.run.reporting_criteria import Criterion, criteria
from donewhen.run.reporting_model import Dossier, Evidence, Proven
from donewhen.ui.reports.run_markup import Page, code, fold, pairs, state, text
from donewhen.ui.reports.run_words import (
    MARKS,
    facts_of,
    kind_of,
    name_of,
    output_label,
    source_of,
    status_of,
)

_LONGEST_OUTPUT = 64_000
_MOST_NAMED = 12
_CODES = ("ev_command", "ev_what", "ev_tree", "ev_env")
_OPEN = ("failed", "masked")


def board(dossier: Dossier, page: Page) -> str:
    t = page.t
    parts = []
    found = criteria(dossier.promise, dossier.proofs, accepted=dossier.verdict == "accepted")
    if found:
        parts += [f"<h3>{escape(t('criteria'))}</h3>", '<ul class="board">']
        parts += [_criterion(each, len(dossier.proofs), page) for each in found]
        parts.append("</ul>")
    parts.append(f"<h3>{escape(t('all_proofs'))}</h3>")
    if not dossier.proofs:
        parts.append(f"<p>{escape(t('no_proofs'))}</p>")
    else:
        parts += ['<ul class="board">', *(_proof(each, page) for each in dossier.proofs), "</ul>"]
    if dossier.optional:
        parts += [f"<h3>{escape(t('optional'))}</h3>", '<ul class="plain">']
        parts += [_optional(each, page) for each in dossier.optional]
        parts.append("</ul>")
    return "\n".join(parts)


def _state(status: str, page: Page) -> str:
    return state(MARKS.get(status, "○"), page.t(status) if status in MARKS else status)


def _class(status: str) -> str:
    return status if status in MARKS else "pending"


def _criterion(each: Criterion, whole: int, page: Page) -> str:
    t = page.t
    rests = t("rests_on_all") if len(each.proofs) >= whole else t("rests_on", proofs=_named(each.proofs))
    told = f"<strong>{text(each.id, 80)}</strong> {text(each.description, 1000)}"
    lines = [
        f'<li class="{_class(each.status)}">',
        f"<p>{_state(each.status, page)} {told}</p>",
        f'<p class="soft">{text(rests, 1000)}{_asked(each.source, page)}</p>',
        "</li>",
    ]
    return "\n".join(lines)


def _named(names: tuple[str, ...]) -> str:
    shown = ", ".join(name.rstrip(":") for name in names[:_MOST_NAMED])
    return shown + (", …" if len(names) > _MOST_NAMED else "") or "–"


def _asked(source: str, page: Page) -> str:
    return f" · {text(page.t('source', source=source_of(source, page.t)))}" if source else ""


def _proof(proof: Proven, page: Page) -> str:
    label = code(name_of(proof, page.t))
    lines = [
        f'<li class="{_class(proof.status)}">',
        f'<p>{_state(proof.status, page)} {label} <span class="soft">{_about(proof, page)}</span></p>',
        f"<p>{text(proof.reason, 1000)}</p>" if proof.reason else "",
        *_evidence(proof, page),
        "</li>",
    ]
    return "\n".join(part for part in lines if part)


def _about(proof: Proven, page: Page) -> str:
    return text(kind_of(proof, page.t)) + _asked(proof.source, page)


def _evidence(proof: Proven, page: Page) -> Iterator[str]:
    if not proof.evidence:
        yield f'<p class="soft">{escape(page.t("no_evidence"))}</p>'
        return
    opened = proof.status in _OPEN
    newest = _one(proof.evidence[-1], page, opened=opened)
    inner = "\n".join([newest, *(_one(each, page) for each in reversed(proof.evidence[:-1]))])
    said = status_of(proof.evidence[-1], page.t)
    last = text(said, 200) if said else ""
    yield fold(f"{escape(page.t('evidence'))}{': ' if last else ''}{last}", inner, opened=opened)


def _one(each: Evidence, page: Page, *, opened: bool = False) -> str:
    rows = (
        (page.t(key), code(value) if key in _CODES else text(value)) for key, value in facts_of(each, page.t)
    )
    parts = [pairs(rows)]
    if each.output.strip():
        parts.append(
            page.folded(text(output_label(each, page.t)), each.output, _LONGEST_OUTPUT, opened=opened)
        )
    elif each.note:
        parts.append(f'<p class="soft">{text(page.t.phrase(each.note))}</p>')
    return "\n".join(parts)


def _optional(each: Evidence, page: Page) -> str:
    shown = f"{code(each.what)} {text(status_of(each, page.t))}"
    if not each.output.strip():
        return f"<li>{shown}</li>"
    return f"<li>{page.folded(shown, each.output, _LONGEST_OUTPUT)}</li>"
