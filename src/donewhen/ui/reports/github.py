"""Workflow commands of GitHub Actions: findings as annotations of the change, everything else as a log.

Commands are processed only in lines that this module made: the log stands between `stop-commands` and a token
that nobody could know before. GitHub shows at most ten errors and ten warnings of a step; the rest is in the
log, and the log says so. Files are written only by `add_summary`, when the caller asks for it.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.core.findings import Feedback
from donewhen.core.texts import say
from donewhen.ui.reports.markdown import markdown
from donewhen.ui.reports.model import Report
from donewhen.ui.reports.plain import block, line
from donewhen.ui.reports.told import (
    MARKS,
    command_facts,
    command_status,
    details,
    findings,
    gate_about,
    gate_status,
    gate_word,
    proof_name,
    proof_status,
    proofs,
    summary,
)

MOST_OF_A_KIND = 10
LARGEST_SUMMARY = 250_000  # characters; GitHub refuses a summary of more than 1 MiB, and one may take 4 bytes
_LONGEST_LOG = 2000  # lines
_KINDS = {"fail": "error", "warning": "warning", "skipped": "notice"}


def github(report: Report, token: str = "") -> str:
    """What to print, with a line end; `token` is a random one unless a test needs to know it."""
    told = [each for each in findings(report) if each.status != "pass"]
    verdict = say(f"verify.{report.verdict}", report.language)
    title = say("reports.title", report.language, verdict=verdict)
    marked, hidden = _annotated(report, told, title)
    token = token or secrets.token_hex(16)
    lines = [
        f"::group::{_data(title)}",
        f"::stop-commands::{token}",
        *_log(report, told, hidden),
        f"::{token}::",
        "::endgroup::",
        *marked,
    ]
    return "\n".join(lines) + "\n"


def add_summary(report: Report, environ: Mapping[str, str]) -> bool:
    """Append the Markdown report to the step's summary, where the runner names a file for it."""
    path = environ.get("GITHUB_STEP_SUMMARY", "")
    if not path:
        return False
    try:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(markdown(report, LARGEST_SUMMARY))
    except OSError as error:
        raise SetupError("reports.no_summary_file", path=path, why=error.strerror or str(error)) from error
    return True


def _annotated(report: Report, told: Sequence[Feedback], title: str) -> tuple[list[str], int]:
    """Annotations, and how many findings got none. The verdict is first: a missing proof may have no file."""
    lines: list[str] = []
    hidden = 0
    room = dict.fromkeys(_KINDS.values(), MOST_OF_A_KIND)
    if report.verdict != "accepted":
        text = "\n".join((summary(report), *(f"- {each}" for each in details(report)[:20])))
        lines.append(_command("error", {"title": title}, text))
        room["error"] -= 1
    for each in told:
        kind = _KINDS[each.status]
        if room[kind] <= 0:
            hidden += 1
            continue
        room[kind] -= 1
        lines.append(_command(kind, _properties(each), _message(each, report)))
    return lines, hidden


def _properties(each: Feedback) -> dict[str, str]:
    known: dict[str, str] = {}
    if each.file and not each.file.startswith(("/", "../")):  # elsewhere is no place of the change
        known["file"] = each.file
        if each.line > 0:
            known["line"] = str(each.line)
            if each.column > 0:
                known["col"] = str(each.column)
    known["title"] = line(each.rule, 100) or each.category
    return known


def _message(each: Feedback, report: Report) -> str:
    fix = say("reports.fix", report.language, text=line(each.fix_suggestion)) if each.fix_suggestion else ""
    return "\n".join(part for part in (line(each.message), fix) if part)


def _command(name: str, properties: Mapping[str, str], text: str) -> str:
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {given}::{_data(text)}"


def _unarmed(text: str) -> str:
    """The older form of a command may start anywhere in a line."""
    return text.replace("##[", "## [")


def _data(text: str) -> str:
    """As the runner reads it back."""
    plain = _unarmed(block(text, 10_000))
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _log(report: Report, told: Sequence[Feedback], hidden: int) -> list[str]:
    lines = [_unarmed(line(text, 1000)) for text in _logged(report, told)]
    if hidden:
        lines.insert(0, say("reports.not_annotated", report.language, count=hidden, most=MOST_OF_A_KIND))
    more = len(lines) - _LONGEST_LOG
    return lines if more <= 0 else [*lines[:_LONGEST_LOG], say("reports.more", report.language, count=more)]


def _logged(report: Report, told: Sequence[Feedback]) -> Iterator[str]:
    language = report.language
    yield summary(report)
    for result in proofs(report):
        reason = "" if result.get("passed") else line(result.get("reason") or "")
        yield _logline(proof_status(result), proof_name(result), reason)
    for command in report.commands:
        name, told_of = line(command.get("command") or ""), command_facts(command, language)
        yield _logline(command_status(command), name, ", ".join(told_of))
    for gate in report.gates:
        parts = (gate_word(gate, language), line(gate.tool), *gate_about(gate, language))
        yield _logline(gate_status(gate), line(gate.gate), *parts)
    for each in told:
        place = f"{line(each.place)} " if each.file else ""
        rule = f" [{line(each.rule, 200)}]" if each.rule else ""
        yield _logline(each.status, f"{place}{line(each.message)}{rule}", line(each.fix_suggestion))
    for note in report.notes:
        yield f"! {line(note)}"


def _logline(status: str, *parts: str) -> str:
    return f"{MARKS[status]} {' · '.join(part for part in parts if part)}"
