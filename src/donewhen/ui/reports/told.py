"""What all reports tell, in the same order and words: findings, proofs, gates that did not run.

Pure: reads a report, makes no markup. Findings come from the feedback; a gate that could not run or was
skipped is told as a finding as well unless the feedback says it already, so that no format can lose it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from donewhen.core.budget import MILLION
from donewhen.core.findings import Feedback, FeedbackStatus
from donewhen.core.quality.model import CATEGORIES, GateResult
from donewhen.core.texts import Language, say
from donewhen.ui.reports.model import Report
from donewhen.ui.reports.plain import line
from donewhen.ui.runs_text import money

ORDER: tuple[FeedbackStatus, ...] = ("fail", "warning", "skipped", "pass")
MARKS: Mapping[str, str] = {"fail": "✗", "warning": "!", "skipped": "○", "pass": "✓"}
_COST = "cost"  # of the numbers of a gate: dollars
_NOT_RUN = ("could_not_run", "skipped")
_WAYS = ("ran", "masked", "refused", "could_not_run", "skipped")  # of a command that proves nothing


def findings(report: Report) -> tuple[Feedback, ...]:
    """Everything found, gravest first, then by place; nothing twice."""
    said = {each.rule for each in report.feedback if not each.file and each.status != "pass"}
    silent = [
        not_run(gate, report.language)
        for gate in report.gates
        if gate.verdict in _NOT_RUN and gate.gate not in said
    ]
    unique = dict.fromkeys((*report.feedback, *silent))
    return tuple(sorted(unique, key=_rank))


def _rank(each: Feedback) -> tuple[object, ...]:
    place = (each.file == "", each.file, each.line, each.column)
    return (ORDER.index(each.status), *place, each.rule, each.message, each)


def by_file(told: Iterable[Feedback]) -> dict[str, list[Feedback]]:
    """Findings below their file, the file with the gravest first; an empty name holds what has no file."""
    groups: dict[str, list[Feedback]] = {}
    for each in told:
        groups.setdefault(each.file, []).append(each)
    return groups


def not_run(gate: GateResult, language: Language) -> Feedback:
    """A gate that gave no verdict: it stands against the change where it is required."""
    return Feedback(
        "fail" if gate.blocks else "skipped",
        CATEGORIES.get(gate.gate, "quality"),
        f"{gate.gate}: {why(gate, language)}",
        fix_suggestion=remedy(gate, language),
        rule=gate.gate,
    )


def why(gate: GateResult, language: Language) -> str:
    """One sentence on a gate that did not run, or that failed beyond its violations."""
    if gate.why is not None:
        return line(say(gate.why.key, language, **gate.why.values))
    return say(f"reports.gate_{gate.verdict}", language) if gate.verdict in _NOT_RUN else ""


def remedy(gate: GateResult, language: Language) -> str:
    """How to bring what is missing, unless the reason says it already."""
    command = line(gate.install)
    return say("reports.install", language, command=command) if command not in why(gate, language) else ""


def gate_status(gate: GateResult) -> FeedbackStatus:
    if gate.verdict == "passed":
        return "pass"
    if gate.verdict == "failed":
        return "fail" if gate.required else "warning"
    return "fail" if gate.blocks else "skipped"


def gate_word(gate: GateResult, language: Language) -> str:
    """The verdict in a word or two; one that could not run has not failed."""
    if gate.verdict in _NOT_RUN:
        return say(f"reports.gate_{gate.verdict}", language)
    status = gate_status(gate)
    return say("reports.gate_advice" if status == "warning" else f"reports.status_{status}", language)


def gate_about(gate: GateResult, language: Language) -> tuple[str, ...]:
    """What else there is to say of a gate, a sentence each: figures where it ran, why and what to do."""
    figures = ", ".join(gate_facts(gate, language)) if gate.verdict not in _NOT_RUN else ""
    reason = why(gate, language) if gate.why is not None else ""
    return tuple(part for part in (figures, reason, remedy(gate, language)) if part)


def gate_facts(gate: GateResult, language: Language) -> tuple[str, ...]:
    """The figures of a gate, a few words each: violations, numbers, files, time."""
    new = len(gate.violations)
    told = [count("violation", new, language)] if new else []
    told += [say("reports.old", language, count=gate.old)] if gate.old else []
    told += _numbers(gate, language)
    told += [count("file", gate.files, language)] if gate.files else []
    told.append(say("reports.cached", language) if gate.cached else seconds(gate.duration_ms))
    return tuple(told)


def _value(name: str, value: float) -> str:
    return money(round(value * MILLION)) if name == _COST else f"{value:g}"


def _numbers(gate: GateResult, language: Language) -> list[str]:
    numbers = dict(gate.numbers)
    if "total" not in numbers:
        return [
            f"{line(name, 40).replace('_', ' ')} {_value(name, value)}" for name, value in numbers.items()
        ]
    changed = f"{numbers['changed']:.1f} %" if "changed" in numbers else "–"
    return [say("quality.covered", language, changed=changed, total=f"{numbers['total']:.1f} %")]


def count(what: str, number: int, language: Language) -> str:
    """`1 file`, `3 files`."""
    return say(f"reports.{what}" if number == 1 else f"reports.{what}s", language, count=number)


def seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s"


def summary(report: Report) -> str:
    return line(report.decision.get("summary") or "")


def details(report: Report) -> tuple[str, ...]:
    """What is missing, a sentence each."""
    return tuple(line(each) for each in report.decision.get("details") or ())


def about(report: Report) -> Iterator[tuple[str, str]]:
    """What was judged, as pairs of the label's key and a value that is foreign text."""
    base = report.base.get("name") or ""
    commit = report.base.get("commit") or ""
    yield "tree", report.fingerprint
    yield "base", f"{base} ({commit[:12]})" if base and commit and base != commit else base or commit
    yield "branch", report.branch
    yield "changed", str(len(report.changed))
    yield "run", report.run
    yield "record", report.record


def proofs(report: Report) -> tuple[Mapping[str, Any], ...]:
    return tuple(report.decision.get("results") or ())


def proof_status(result: Mapping[str, Any]) -> FeedbackStatus:
    if result.get("passed"):
        return "pass"
    return "fail" if result.get("required", True) else "warning"


def proof_name(result: Mapping[str, Any]) -> str:
    return line(result.get("target") or str(result.get("id") or "").rstrip(":"))


def command_status(command: Mapping[str, Any]) -> FeedbackStatus:
    if command.get("status") == "passed":
        return "pass"
    return "fail" if command.get("status") in ("failed", "flaky") else "skipped"


def command_word(command: Mapping[str, Any], language: Language) -> str:
    """A command that ended neither way may have run, and still proves nothing."""
    status = command_status(command)
    return say("reports.no_proof" if status == "skipped" else f"reports.status_{status}", language)


def command_facts(command: Mapping[str, Any], language: Language) -> tuple[str, ...]:
    """How a command ended: its counts, why it is no proof, its time."""
    counts = command.get("counts") or {}
    told = [
        say(f"reports.count_{name}", language, count=counts[name])
        for name in ("passed", "failed", "errors", "skipped")
        if counts.get(name)
    ]
    ended = command.get("exit")
    if not told and ended is not None:
        told.append(say("reports.exit", language, code=ended))
    if command.get("way") in _WAYS and command_status(command) == "skipped":
        told.append(say(f"verify.way_{command['way']}", language))
    if command.get("status") == "flaky":
        told.append(say("verify.flaky", language))
    if command.get("reason"):
        told.append(line(command["reason"]))
    cached = command.get("way") == "cached"
    told += [say("reports.cached", language)] if cached else []
    told += [seconds(command["duration_ms"])] if command.get("duration_ms") and not cached else []
    return tuple(told)
