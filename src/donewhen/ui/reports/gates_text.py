"""Quality gates as people read them on a terminal: a line per gate, then what each found.

What blocks comes first among the findings; they are shortened unless everything is asked for. A required gate
that could not run says why and how to bring what is missing; all others that did not run share one line.
"""

from collections.abc import Iterator, Sequence

from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.texts import Language, say
from donewhen.ui.output import pad, paint, print_line, width
from donewhen.ui.reports.plain import line
from donewhen.ui.reports.told import MARKS, gate_facts, gate_status, gate_word, remedy, why
from donewhen.verify.quality.telling import said_by

_SHOWN = 10  # violations of one gate
_NOT_REACHED = "quality.not_reached"  # told once for all
_REVIEW = "semantic"  # no tool: that nobody looked is said in full
_COLOURS = {"fail": "red", "warning": "yellow", "skipped": "yellow", "pass": "green"}


def print_gates(results: Sequence[GateResult], language: Language, *, verbose: bool) -> None:
    """All gates in the order in which they are given."""
    if not results:
        return
    print_line()
    print_line(paint(say("reports.gates", language), "bold"))
    left = [each for each in results if each.why is not None and each.why.key == _NOT_REACHED]
    if left:
        names = ", ".join(line(each.gate, 40) for each in left)
        print_line(f"  {paint('○', 'yellow')} {names}  {why(left[0], language)}")
    rest = [each for each in results if each not in left]
    quiet = [] if verbose else [each for each in rest if _lacks(each)]
    _print_each([each for each in rest if each not in quiet or _ran(each)], language, verbose=verbose)
    if quiet:
        names = ", ".join(_lacking(each) for each in quiet)
        told = say("reports.gates_not_run", language, gates=names)
        print_line(f"  {paint('○', 'dim')} {paint(told, 'dim')}")


def _ran(gate: GateResult) -> bool:
    return gate.verdict in ("passed", "failed")


def _lacks(gate: GateResult) -> bool:
    """Whether nobody requires it, and it or a part of it did not run."""
    return not gate.required and gate.gate != _REVIEW and (not _ran(gate) or bool(gate.install))


def _lacking(gate: GateResult) -> str:
    tool = gate.why.values.get("tool") if gate.why is not None else None
    return f"{line(gate.gate, 40)} ({line(str(tool), 40)})" if tool else line(gate.gate, 40)


def _print_each(results: Sequence[GateResult], language: Language, *, verbose: bool) -> None:
    names = max((width(line(each.gate, 40)) for each in results), default=0)
    for gate in results:
        status = gate_status(gate)
        mark = "○" if gate.verdict in ("could_not_run", "skipped") else MARKS[status]
        name = pad(line(gate.gate, 40), names)
        print_line(f"  {paint(mark, _COLOURS[status])} {name}  {'  '.join(_about(gate, language))}")
        for text in _below(gate, language, verbose=verbose):
            print_line(f"      {text}")


def _about(gate: GateResult, language: Language) -> Iterator[str]:
    if not _ran(gate) or gate_status(gate) == "warning":
        yield paint(gate_word(gate, language), _COLOURS[gate_status(gate)])
    if gate.tool:
        yield line(gate.tool, 80)
    if _ran(gate):
        yield from gate_facts(gate, language)


def _below(gate: GateResult, language: Language, *, verbose: bool) -> Iterator[str]:
    if verbose or not _lacks(gate):
        said = why(gate, language) if gate.why is not None else ""
        yield from (each for each in (said, remedy(gate, language)) if each)
    if gate.verdict == "passed" and not verbose:
        return
    shown = gate.violations if verbose else gate.violations[:_SHOWN]
    for violation in shown:
        yield _violation(violation, gate, language)
    if len(gate.violations) > len(shown):
        yield say("reports.more", language, count=len(gate.violations) - len(shown))


def _violation(each: Violation, gate: GateResult, language: Language) -> str:
    numbers = [str(number) for number in (each.line, each.column) if number > 0]
    place = ":".join((line(each.file), *numbers)) if each.file else ""
    head = f"{paint(place, 'cyan')}  " if place else ""
    rule = f" {paint(f'[{line(each.rule, 100)}]', 'dim')}" if each.rule else ""
    fix = f"  → {line(each.fix)}" if each.fix else ""
    message = said_by(each, language) if each.by != gate.tool else each.message  # the gate's line says it
    return f"{head}{line(message)}{rule}{fix}"
