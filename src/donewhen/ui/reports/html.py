"""One page that needs nothing else: no script, no font, no picture, no network.

Its policy allows just its own style sheet, by digest. Everything that is not ours is escaped; states are
words and not only colours; headings and landmarks lead a screen reader through it.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from donewhen.core.findings import Feedback
from donewhen.core.texts import Language, say
from donewhen.ui.reports.model import VERDICT_MARKS, Report
from donewhen.ui.reports.page import Frame, framed
from donewhen.ui.reports.plain import block, line, tail
from donewhen.ui.reports.style import CSS
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

MOST_FINDINGS = 2000
MOST_DETAILED = 300  # findings with their code; a page must stay one that a phone can open


def html(report: Report) -> str:
    """The page, with a line end."""
    language = report.language
    verdict = say(f"verify.{report.verdict}", language)
    title = escape(say("reports.title", language, verdict=verdict))
    sections = [(key, body) for key, body in _sections(report) if body]
    links = "".join(f'<li><a href="#{key}">{_word(key, language)}</a></li>' for key, _ in sections)
    by = escape(say("reports.by", language, version=line(report.version)))
    words = (_word("skip", language), _word("contents", language))
    header = (
        f'<h1 class="verdict {report.verdict}">{VERDICT_MARKS[report.verdict]} {title}</h1>',
        f"<p>{escape(summary(report))}</p>",
    )
    shown = (_section(key, body, language) for key, body in sections)
    return framed(Frame(language, title, CSS, *words, by), header, links, shown)


def _sections(report: Report) -> Iterator[tuple[str, str]]:
    told = findings(report)
    missing = details(report) if report.verdict != "accepted" else ()
    yield "missing", _list(missing)
    yield "proofs", _proofs(report)
    yield "exam", _exam(report)
    yield "gates", _gates(report)
    yield "findings", _findings(told, report.language)
    yield "notes", _list(line(note) for note in report.notes)
    yield "about", _about(report)


def _section(key: str, body: str, language: Language) -> str:
    head = f'<h2 id="{key}">{_word(key, language)}</h2>'
    return f'<section aria-labelledby="{key}">\n{head}\n{body}\n</section>'


def _word(key: str, language: Language) -> str:
    return escape(say(f"reports.{key}", language))


def _list(texts: Iterable[str]) -> str:
    items = "\n".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>\n{items}\n</ul>" if items else ""


class Row(NamedTuple):
    status: str
    word: str  # what that is called
    cells: Sequence[str]  # escaped; the first one names the row


def _state(status: str, word: str, tag: str) -> str:
    return f'<{tag} class="state">{MARKS[status]} {escape(word)}</{tag}>'


def _table(name: str, keys: Sequence[str], rows: Sequence[Row], language: Language) -> str:
    """The table of the section `name`; a narrow screen scrolls it, so a keyboard can reach it."""
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{_word(key, language)}</th>' for key in ("state", *keys))
    lines = [f'<div class="wide" role="region" tabindex="0" aria-labelledby="{name}">', "<table>"]
    lines += [f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for row in rows:
        cells = "".join(f"<td>{each}</td>" for each in row.cells[1:])
        head = f'<th scope="row">{row.cells[0]}</th>'
        lines.append(f'<tr class="{row.status}">{_state(row.status, row.word, "td")}{head}{cells}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>", "</div>"])


def _status_word(status: str, language: Language) -> str:
    return say(f"reports.status_{status}", language)


def _code(text: object) -> str:
    plain = line(text)
    return f"<code>{escape(plain)}</code>" if plain else ""


def _proofs(report: Report) -> str:
    rows = []
    for each in proofs(report):
        status = proof_status(each)
        cells = (_code(proof_name(each)), escape(line(each.get("reason") or "")))
        rows.append(Row(status, _status_word(status, report.language), cells))
    return _table("proofs", ("proof", "reason"), rows, report.language)


def _exam(report: Report) -> str:
    language = report.language
    rows = []
    for each in report.commands:
        status = command_status(each)
        cells = (_code(each.get("command") or ""), escape(", ".join(command_facts(each, language))))
        rows.append(Row(status, command_word(each, language), cells))
    parts = [_table("exam", ("command", "figures"), rows, language)]
    for command in report.commands:
        output = tail(command.get("tail") or "")
        if output and command_status(command) != "pass":
            label = f"{_word('output_of', language)} {_code(command.get('command') or '')}"
            parts.append(_folded(label, output))
    return "\n".join(part for part in parts if part)


def _folded(label: str, text: str) -> str:
    return f"<details>\n<summary>{label}</summary>\n<pre>{escape(text)}</pre>\n</details>"


def _gates(report: Report) -> str:
    language = report.language
    rows = []
    for gate in report.gates:
        figures = "<br>".join(escape(part) for part in gate_about(gate, language))
        needed = _word("yes" if gate.required else "no", language)
        shown = (_code(gate.gate), escape(line(gate.tool)), needed, figures)
        rows.append(Row(gate_status(gate), gate_word(gate, language), shown))
    return _table("gates", ("gate", "tool", "required", "figures"), rows, language)


def _findings(told: Sequence[Feedback], language: Language) -> str:
    shown = told[:MOST_FINDINGS]
    detailed = frozenset(told[:MOST_DETAILED])
    parts = []
    for file, group in by_file(shown).items():
        parts.append(f"<h3>{_code(file) if file else _word('nowhere', language)}</h3>")
        items = "\n".join(_finding(each, language, detailed=each in detailed) for each in group)
        parts.append(f'<ul class="findings">\n{items}\n</ul>')
    if len(told) > len(shown):
        parts.append(f"<p>{escape(say('reports.more', language, count=len(told) - len(shown)))}</p>")
    return "\n".join(parts)


def _finding(each: Feedback, language: Language, *, detailed: bool) -> str:
    place = ":".join(str(number) for number in (each.line, each.column) if number > 0)
    rule = f' <span class="soft">{escape(f"[{line(each.rule, 200)}]")}</span>' if each.rule else ""
    word = _status_word(each.status, language)
    head = f"{_state(each.status, word, 'span')} {place} {escape(line(each.message))}{rule}"
    lines = [f'<li class="{each.status}">{" ".join(head.split())}']
    if each.fix_suggestion:
        fix = say("reports.fix", language, text=line(each.fix_suggestion))
        lines.append(f"<p>{escape(fix)}</p>")
    if detailed and each.details.strip():
        lines.append(_folded(_word("details", language), block(each.details).strip("\n")))
    return "\n".join([*lines, "</li>"])


def _about(report: Report) -> str:
    known = [(key, _code(value)) for key, value in about(report) if value]
    known.append(("took", seconds(report.duration_ms)))
    rows = (f"<dt>{_word(f'about_{key}', report.language)}</dt><dd>{value}</dd>" for key, value in known)
    return "<dl>\n" + "\n".join(rows) + "\n</dl>"
