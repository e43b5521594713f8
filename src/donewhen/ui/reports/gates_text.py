"""Quality gates as people read them on a terminal: a line per gate, then what each found.

What blocks comes first among the findings; they are shortened unless everything is asked for. A gate that
could not run says why and how to bring what is missing.
"""

from collections.abc import Iterator, Sequence

from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.texts import Language, say
from donewhen.ui.output import pad, paint, print_line, width
from donewhen.ui.reports.plain import line
from donewhen.ui.reports.told import MARKS, gate_facts, gate_status, remedy, why

_SHOWN = 10  # violations of one gate
_NOT_REACHED = "quality.not_reached"  # told once for all
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
    _print_each([each for each in results if each not in left], language, verbose=verbose)


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
    ran = gate.verdict in ("passed", "failed")
    if not ran:
        key = f"reports.gate_{gate.verdict}"
        yield paint(say(key, language), _COLOURS[gate_status(gate)])
    elif gate_status(gate) == "warning":
        yield paint(say("reports.status_warning", language), "yellow")
    if gate.tool:
        yield line(gate.tool, 80)
    if ran:
        yield from gate_facts(gate, language)


def _below(gate: GateResult, language: Language, *, verbose: bool) -> Iterator[str]:
    if gate.why is not None:
        yield why(gate, language)
    if remedy(gate, language):
        yield remedy(gate, language)
    if gate.verdict == "passed" and not verbose:
        return
    shown = gate.violations if verbose else gate.violations[:_SHOWN]
    for violation in shown:
        yield _violation(violation)
    if len(gate.violations) > len(shown):
        yield say("reports.more", language, count=len(gate.violations) - len(shown))


def _violation(each: Violation) -> str:
    numbers = [str(number) for number in (each.line, each.column) if number > 0]
    place = ":".join((line(each.file), *numbers)) if each.file else ""
    head = f"{paint(place, 'cyan')}  " if place else ""
    rule = f" {paint(f'[{line(each.rule, 100)}]', 'dim')}" if each.rule else ""
    fix = f"  → {line(each.fix)}" if each.fix else ""
    return f"{head}{line(each.message)}{rule}{fix}"
