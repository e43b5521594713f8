"""The report of a run as a comment for a pull request: verdict, board, story, what was caught, what changed.

Bounded to what a comment may hold; sections come in order of weight, and what does not fit is said to be left
out. Texts of others never become markup (see markup.py), and no path of this machine is told.
"""

from collections.abc import Iterator, Sequence

from donewhen import __version__
from donewhen.core.texts import Language
from donewhen.run.reporting_criteria import criteria
from donewhen.run.reporting_model import Attempt, Dossier, Evidence, Proven
from donewhen.ui.reports.markup import cell, code, fenced, folded, table
from donewhen.ui.reports.run_words import (
    ATTEMPT_MARKS,
    MARKS,
    SHORT,
    VERDICT_MARKS,
    Words,
    cause,
    figures,
    goal_of,
    hour,
    kind_of,
    lead,
    missing,
    name_of,
    next_of,
    status_of,
    told_attempts,
)

LARGEST = 60_000  # bytes; forges refuse comments of more than 65 536 characters
_MOST_ROWS = 40
_MOST_FOLDED = 12
_LONGEST_FOLDED = 3000
_LONGEST_DIFF = 12_000


def run_markdown(dossier: Dossier, language: Language, largest: int = LARGEST) -> str:
    """The comment, with a line end."""
    t = Words(language)
    ending = f"<sub>{t('by_version', version=__version__)}</sub>"
    left_out = t("rest_left_out", run=dossier.run)
    kept: list[str] = []
    size = len(left_out.encode()) + len(ending.encode()) + 10
    for section in _sections(dossier, t):
        size += len(section.encode(errors="replace")) + 2
        if size > largest:
            kept.append(left_out)
            break
        kept.append(section)
    return "\n\n".join([*kept, ending]) + "\n"


def _sections(dossier: Dossier, t: Words) -> Iterator[str]:
    yield f"### {VERDICT_MARKS[dossier.verdict]} {t('title', verdict=t(dossier.verdict))}"
    yield code(lead(dossier, t), 600)
    owed = missing(dossier, t)
    if owed:
        yield code(owed, 600)
    why = cause(dossier, t)
    if why:
        yield code(why)
    yield f"**{t('goal')}**: {code(goal_of(dossier), 600)}"
    todo = next_of(dossier, t)
    command = f": {code(todo.shown)}" if todo.shown else ""
    yield f"**{t('next')}**: {todo.sentence}{command}"
    shown = (
        f"{t(each.name)} **{each.value}**{f' ({each.more})' if each.more else ''}"
        for each in figures(dossier, t)
    )
    yield " · ".join(shown)
    yield from _board(dossier, t)
    yield from _attempts(dossier, t)
    yield from _caught(dossier, t)
    yield from _change(dossier, t)
    yield from _questions(dossier, t)
    yield from _notes(dossier, t)
    yield from _check(dossier, t)
    yield from _outputs(dossier, t)
    if dossier.change.diff.strip():
        yield folded(t("diff"), "", _diff(dossier.change.diff))
    if dossier.left_out:
        yield _listed("left_out", [code(t.phrase(each)) for each in dossier.left_out], t)


def _listed(key: str, lines: Sequence[str], t: Words) -> str:
    more = len(lines) - _MOST_ROWS
    shown = [f"- {each}" for each in lines[:_MOST_ROWS]]
    shown += [f"- {t('more', count=more)}"] if more > 0 else []
    return f"#### {t(key)}\n\n" + "\n".join(shown)


def _tabled(key: str, head: Sequence[str], rows: Sequence[Sequence[str]], t: Words) -> str:
    more = len(rows) - _MOST_ROWS
    ending = f"\n\n{t('more', count=more)}" if more > 0 else ""
    return f"#### {t(key)}\n\n{table([t(name) for name in head], rows[:_MOST_ROWS])}{ending}"


def _status(status: str, t: Words) -> str:
    return f"{MARKS[status]} {t(status)}" if status in MARKS else code(status)


def _board(dossier: Dossier, t: Words) -> Iterator[str]:
    found = criteria(dossier.promise, dossier.proofs, accepted=dossier.verdict == "accepted")
    if found:
        yield _listed(
            "criteria", [f"{_status(each.status, t)} {code(each.description)}" for each in found], t
        )
    rows = []
    for proof in dossier.proofs:
        behind = status_of(proof.evidence[-1], t) if proof.evidence else t("no_evidence")
        name = cell(name_of(proof, t))
        rows.append(
            (_status(proof.status, t), name, cell(kind_of(proof, t)), cell(proof.reason), cell(behind))
        )
    if rows:
        yield _tabled("proofs", ("col_state", "col_what", "col_kind", "col_why", "evidence"), rows, t)


def _attempts(dossier: Dossier, t: Words) -> Iterator[str]:
    if dossier.kind == "verify" or not dossier.attempts:
        return
    yield _listed("attempts", [_attempt(each, times, t) for each, times in told_attempts(dossier)], t)


def _attempt(each: Attempt, times: int, t: Words) -> str:
    known = ("continue", "accepted", "failed", "stopped")
    status = t(f"st_{each.status}") if each.status in known else code(each.status, 40)
    mark = ATTEMPT_MARKS.get(each.status, "✗")
    claim = f": {t('claimed')} {code(each.claim)}" if each.claim else ""
    again = f" {t('times', count=times)}" if times > 1 else ""
    lines = [f"{mark} **{t('attempt', number=each.number)}, {status}{again}**{claim}"]
    if each.status != "accepted":
        lines += [f"  - {code(why)}" for why in each.why[:8]]
    return "\n".join(lines)


def _caught(dossier: Dossier, t: Words) -> Iterator[str]:
    rows = [
        (cell(hour(each.at)), t(f"c_{each.kind}"), cell(each.what), cell(each.why), cell(each.rule))
        for each in dossier.caught
    ]
    if rows:
        yield _tabled("caught", ("col_when", "col_kind", "col_what", "col_why", "col_rule"), rows, t)


def _change(dossier: Dossier, t: Words) -> Iterator[str]:
    found = dossier.change
    if found.note:
        yield f"#### {t('change')}\n\n{code(t.phrase(found.note))}"
        return
    rows = [
        (cell(file.path), cell(file.change), _count(file.added), _count(file.removed)) for file in found.files
    ]
    if rows:
        yield _tabled("change", ("col_file", "col_change", "col_added", "col_removed"), rows, t)


def _count(number: int | None) -> str:
    return "–" if number is None else str(number)


def _questions(dossier: Dossier, t: Words) -> Iterator[str]:
    lines = [f"{code(each.question)}: {t('answer_' + (each.answer or 'open'))}" for each in dossier.questions]
    if lines:
        yield _listed("questions", lines, t)


def _notes(dossier: Dossier, t: Words) -> Iterator[str]:
    if dossier.notes:
        yield _listed("notes", [code(each.text) for each in dossier.notes], t)


def _check(dossier: Dossier, t: Words) -> Iterator[str]:
    head = t("head", events=dossier.events, hash=dossier.head[:SHORT])
    yield f"{t('record_check')}: {code(f'donewhen audit {dossier.run}')} ({code(head)})"


def _telling(proof: Proven) -> tuple[Evidence, ...]:
    """The newest; of scenarios each, since one check may ask for several."""
    return proof.evidence if proof.kind == "scenario" else proof.evidence[-1:]


def _outputs(dossier: Dossier, t: Words) -> Iterator[str]:
    """The end of the output behind each proof; what did not pass first."""
    behind = [(proof, each) for proof in dossier.proofs for each in _telling(proof)]
    behind.sort(key=lambda pair: pair[0].status == "passed")
    for proof, evidence in behind[:_MOST_FOLDED]:
        if evidence.output.strip():
            body = fenced(evidence.output.rstrip()[-_LONGEST_FOLDED:], _LONGEST_FOLDED)
            yield folded(f"{MARKS.get(proof.status, '')} {t('evidence')}", evidence.what, body)


def _diff(text: str) -> str:
    return fenced(text[:_LONGEST_DIFF] + ("\n…" if len(text) > _LONGEST_DIFF else ""), _LONGEST_DIFF + 2)
