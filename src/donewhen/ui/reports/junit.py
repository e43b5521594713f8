"""JUnit XML: a suite per command of the exam, per gate, and for what else was found.

A gate that could not run is an error, a required one that failed a failure; what is only a warning is told as
output of a test that passed. Written as text with everything escaped: no document type, no entity of our own,
only characters that XML 1.0 has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.texts import Language, say
from donewhen.ui.reports.model import Report
from donewhen.ui.reports.plain import block, line, tail
from donewhen.ui.reports.told import command_facts, findings, gate_facts, remedy, why

MOST_CASES = 1000  # of one suite
Outcome = Literal["", "failure", "error", "skipped"]


class Case(NamedTuple):
    name: str
    group: str
    outcome: Outcome = ""
    message: str = ""
    text: str = ""  # of the outcome, or what a passed test has to say
    file: str = ""
    line: int = 0
    seconds: float = 0.0


class Suite(NamedTuple):
    name: str
    cases: tuple[Case, ...]
    seconds: float = 0.0


def junit(report: Report) -> str:
    """The document, with a line end."""
    language = report.language
    suites = [
        *(_of_command(each, language) for each in report.commands),
        *(_of_gate(each, language) for each in report.gates),
    ]
    rest = _rest(report)
    if rest:
        suites.append(Suite("findings", rest))
    if report.verdict != "accepted" and not any(_wrong(suite) for suite in suites):
        suites.append(_undecided(report))
    attributes = _counts([case for suite in suites for case in suite.cases])
    head = f'<testsuites name="donewhen"{attributes}{_time(report.duration_ms / 1000)}>'
    lines = [head, *(text for suite in suites for text in _suite(suite)), "</testsuites>"]
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + "\n".join(lines) + "\n"


def _of_command(command: Mapping[str, Any], language: Language) -> Suite:
    name, took = line(command.get("command") or ""), (command.get("duration_ms") or 0) / 1000
    told, output = ", ".join(command_facts(command, language)), tail(command.get("tail") or "")
    status = command.get("status")
    outcome: Outcome = "failure" if status in ("failed", "flaky") else "error"
    if status == "passed":
        outcome = ""
    elif command.get("way") == "skipped":
        outcome = "skipped"
    text = output if outcome else told
    return Suite(name, (Case(name, "donewhen.exam", outcome, told, text, seconds=took),), took)


def _of_gate(gate: GateResult, language: Language) -> Suite:
    took, group = gate.duration_ms / 1000, f"donewhen.gates.{line(gate.gate, 100)}"
    told = ", ".join(part for part in (line(gate.tool), *gate_facts(gate, language)) if part)
    if gate.verdict in ("could_not_run", "skipped"):
        outcome: Outcome = "error" if gate.blocks else "skipped"
        case = Case(
            line(gate.gate, 100), group, outcome, why(gate, language), remedy(gate, language), seconds=took
        )
        return Suite(case.name, (case,), took)
    failed: Outcome = "failure" if gate.verdict == "failed" and gate.required else ""
    cases = [
        _of_violation(each, group, failed if each.severity == "error" else "") for each in gate.violations
    ]
    if not cases or gate.why is not None:
        cases.insert(0, Case(line(gate.gate, 100), group, failed, why(gate, language), told, seconds=took))
    return Suite(line(gate.gate, 100), _bounded(cases, language), took)


def _of_violation(each: Violation, group: str, outcome: Outcome) -> Case:
    place = f"{each.file}:{each.line}" if each.line else each.file
    text = "\n".join(part for part in (f"{line(place)}: {line(each.message)}", line(each.fix)) if part)
    return Case(
        f"{line(each.rule, 200)} {line(place)}",
        group,
        outcome,
        line(each.message),
        text,
        each.file,
        each.line,
    )


def _rest(report: Report) -> tuple[Case, ...]:
    """What no gate tells in its own suite: failed tests, integrity, the reviewer."""
    gates = {gate.gate for gate in report.gates}
    told = {(v.file, v.line, v.column, v.rule) for gate in report.gates for v in gate.violations}
    cases = [
        _of_feedback(each, report.language)
        for each in findings(report)
        if each.status != "pass"
        and (each.file, each.line, each.column, each.rule) not in told
        and (each.file or each.rule not in gates)
    ]
    return _bounded(cases, report.language)


def _bounded(cases: Sequence[Case], language: Language) -> tuple[Case, ...]:
    """The gravest come first; the rest is one case that says how many they are."""
    if len(cases) <= MOST_CASES:
        return tuple(cases)
    rest = cases[MOST_CASES:]
    more = say("reports.more", language, count=len(rest))
    return (*cases[:MOST_CASES], Case(more, rest[0].group, rest[0].outcome, more))


def _of_feedback(each: Feedback, language: Language) -> Case:
    outcomes: Mapping[str, Outcome] = {"fail": "failure", "warning": "", "skipped": "skipped"}
    fix = say("reports.fix", language, text=line(each.fix_suggestion)) if each.fix_suggestion else ""
    text = "\n".join(
        part for part in (line(each.place), line(each.message), block(each.details), fix) if part
    )
    name = f"{line(each.rule, 200) or each.category} {line(each.place)}".strip()
    group = f"donewhen.{each.category}"
    return Case(name, group, outcomes[each.status], line(each.message), text, each.file, each.line)


def _undecided(report: Report) -> Suite:
    """A change that is not accepted never gives a green report, whatever else is known."""
    text = "\n".join(line(each) for each in report.decision.get("details") or ())
    message = line(report.decision.get("summary") or say(f"verify.{report.verdict}", report.language))
    outcome: Outcome = "failure" if report.verdict == "not_accepted" else "error"
    return Suite("decision", (Case("decision", "donewhen", outcome, message, text),))


def _wrong(suite: Suite) -> bool:
    return any(case.outcome in ("failure", "error") for case in suite.cases)


def _suite(suite: Suite) -> Iterator[str]:
    yield f"  <testsuite name={quoteattr(suite.name)}{_counts(suite.cases)}{_time(suite.seconds)}>"
    for case in suite.cases:
        yield from _case(case)
    yield "  </testsuite>"


def _case(case: Case) -> Iterator[str]:
    place = f" file={quoteattr(line(case.file))}" if case.file else ""
    place += f' line="{case.line}"' if case.file and case.line > 0 else ""
    named = f"name={quoteattr(case.name)} classname={quoteattr(case.group)}"
    head = f"    <testcase {named}{place}{_time(case.seconds)}"
    if not case.outcome and not case.text:
        yield f"{head}/>"
        return
    yield f"{head}>"
    if case.outcome:
        kind = f' type="{case.outcome}"' if case.outcome != "skipped" else ""
        told = f"message={quoteattr(case.message)}{kind}"
        yield f"      <{case.outcome} {told}>{escape(case.text)}</{case.outcome}>"
    else:
        yield f"      <system-out>{escape(case.text)}</system-out>"
    yield "    </testcase>"


def _counts(cases: Iterable[Case]) -> str:
    shown = list(cases)
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    numbers = {name: sum(case.outcome == kind for case in shown) for name, kind in kinds.items()}
    return "".join(f' {name}="{value}"' for name, value in {"tests": len(shown), **numbers}.items())


def _time(seconds: float) -> str:
    return f' time="{seconds:.3f}"'
