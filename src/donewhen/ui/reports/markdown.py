"""A comment for a pull request, and the summary of a CI step: verdict, proofs, gates, findings by file.

Bounded to what a comment may hold; sections come in order of weight, and what does not fit is said to be left
out. Texts of others never become markup (see markup.py).
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from donewhen.core.findings import Feedback
from donewhen.core.texts import Language, say
from donewhen.ui.reports.markup import cell, code, fenced, folded, table
from donewhen.ui.reports.model import VERDICT_MARKS, Report
from donewhen.ui.reports.told import (
    MARKS,
    about,
    by_file,
    command_facts,
    command_status,
    command_word,
    details,
    findings,
    gate_about,
    gate_status,
    gate_word,
    proof_name,
    proof_status,
    proofs,
    seconds,
    summary,
)

LARGEST = 60_000  # characters; forges refuse comments of more than 65 536
_MOST_ROWS = 50
_MOST_FINDINGS = 100
_MOST_FOLDED = 20
_LONGEST_FOLDED = 2000
_RUN = re.compile(r"[A-Za-z0-9-]{1,64}")


def markdown(report: Report, largest: int = LARGEST) -> str:
    """The comment, with a line end."""
    run = report.run if _RUN.fullmatch(report.run) else "RUN"
    left_out = say("reports.left_out", report.language, run=run)
    kept: list[str] = []
    size = len(left_out) + 10
    for section in _sections(report):
        size += len(section) + 2
        if size > largest:
            kept.append(left_out)
            break
        kept.append(section)
    return "\n\n".join(kept) + "\n"


def _sections(report: Report) -> Iterator[str]:
    language = report.language
    verdict = say(f"verify.{report.verdict}", language)
    yield f"### {VERDICT_MARKS[report.verdict]} {say('reports.title', language, verdict=verdict)}"
    yield from filter(None, (code(summary(report)),))
    yield " · ".join(_about(report))
    yield from _missing(report)
    yield from _proofs(report)
    yield from _exam(report)
    yield from _gates(report)
    told = findings(report)
    yield from _findings([each for each in told if each.status != "pass"], language)
    if report.notes:
        notes = (f"- {code(note)}" for note in report.notes[:_MOST_ROWS])
        yield _heading("notes", language) + "\n\n" + "\n".join(notes)
    yield from _folded(report, told)


def _heading(key: str, language: Language) -> str:
    return f"#### {say(f'reports.{key}', language)}"


def _about(report: Report) -> Iterator[str]:
    for key, value in about(report):
        if value and key != "record":  # a path of this machine helps nobody who reads a comment
            short = value[:12] if key == "tree" else value
            yield f"{say(f'reports.about_{key}', report.language)} {code(short, 200)}"
    yield f"{say('reports.about_took', report.language)} {seconds(report.duration_ms)}"


def _missing(report: Report) -> Iterator[str]:
    lines = [f"- {code(each)}" for each in details(report)]
    if lines and report.verdict != "accepted":
        yield _heading("missing", report.language) + "\n\n" + _cut(lines, _MOST_ROWS, report.language)


def _proofs(report: Report) -> Iterator[str]:
    language = report.language
    rows = [
        (_state(proof_status(each), language), cell(proof_name(each)), cell(each.get("reason") or ""))
        for each in proofs(report)
    ]
    if rows:
        head = [say(f"reports.{key}", language) for key in ("state", "proof", "reason")]
        yield _heading("proofs", language) + "\n\n" + _table(head, rows, language)


def _exam(report: Report) -> Iterator[str]:
    language = report.language
    rows = [
        (
            f"{MARKS[command_status(each)]} {command_word(each, language)}",
            cell(each.get("command") or ""),
            cell(", ".join(command_facts(each, language))),
        )
        for each in report.commands
    ]
    if rows:
        head = [say(f"reports.{key}", language) for key in ("state", "command", "figures")]
        yield _heading("exam", language) + "\n\n" + _table(head, rows, language)


def _gates(report: Report) -> Iterator[str]:
    language = report.language
    rows = []
    for gate in report.gates:
        state = f"{MARKS[gate_status(gate)]} {gate_word(gate, language)}"
        told = cell("; ".join(gate_about(gate, language)))
        needed = say("reports.yes" if gate.required else "reports.no", language)
        rows.append((state, cell(gate.gate), cell(gate.tool), needed, told))
    if rows:
        head = [say(f"reports.{key}", language) for key in ("state", "gate", "tool", "required", "figures")]
        yield _heading("gates", language) + "\n\n" + _table(head, rows, language)


def _findings(told: Sequence[Feedback], language: Language) -> Iterator[str]:
    if not told:
        return
    yield _heading("findings", language)
    shown = told[:_MOST_FINDINGS]
    for file, group in by_file(shown).items():
        head = f"**{code(file, 300) if file else say('reports.nowhere', language)}**"
        yield head + "\n\n" + "\n".join(_finding(each, language) for each in group)
    if len(told) > len(shown):
        yield say("reports.more", language, count=len(told) - len(shown))


def _finding(each: Feedback, language: Language) -> str:
    place = ":".join(str(number) for number in (each.line, each.column) if number > 0)
    rule = code(f"[{each.rule}]", 200) if each.rule else ""
    parts = (MARKS[each.status], place, code(each.message), rule)
    text = "- " + " ".join(part for part in parts if part)
    if each.fix_suggestion:
        text += "\n  - " + say("reports.fix", language, text=code(each.fix_suggestion))
    return text


def _folded(report: Report, told: Iterable[Feedback]) -> Iterator[str]:
    language = report.language
    for command in report.commands[:_MOST_FOLDED]:
        if command_status(command) != "pass" and str(command.get("tail") or "").strip():
            body = fenced(str(command["tail"])[-_LONGEST_FOLDED:], _LONGEST_FOLDED)
            yield folded(say("reports.output_of", language), command.get("command"), body)
    detailed = [each for each in told if each.details.strip()]
    for each in detailed[:_MOST_FOLDED]:
        label = f"{MARKS[each.status]} {say('reports.details', language)}"
        yield folded(label, each.place or each.rule, fenced(each.details, _LONGEST_FOLDED))


def _state(status: str, language: Language) -> str:
    return f"{MARKS[status]} {say(f'reports.status_{status}', language)}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], language: Language) -> str:
    text = table(head, rows[:_MOST_ROWS])
    more = len(rows) - _MOST_ROWS
    return text if more <= 0 else f"{text}\n\n{say('reports.more', language, count=more)}"


def _cut(lines: Sequence[str], most: int, language: Language) -> str:
    more = len(lines) - most
    shown = list(lines[:most])
    return "\n".join(shown if more <= 0 else [*shown, f"- {say('reports.more', language, count=more)}"])
