"""What the agent reads after a refused attempt: how its change stands, what is missing, what was found, and
one next step.

All words come from the catalogue. A message is bounded, and what files and programs are called or print
stands in it as theirs.
"""

from collections.abc import Iterable

from donewhen.core.delivery import Statistics
from donewhen.core.exam import Findings
from donewhen.core.feedback import SHOWN, next_step, reasons
from donewhen.core.findings import Category, Feedback, FeedbackStatus
from donewhen.core.shown import LONGEST_LINE, LONGEST_NAME, one_name, tail_of
from donewhen.core.task_state import Proof, TaskState
from donewhen.core.texts import Language, say

MOST_LINES = 40  # findings of a fix turn
MOST_BYTES = 8192
_LONGEST = 400  # characters of a message or a suggestion
_STATUSES: tuple[FeedbackStatus, ...] = ("fail", "warning")
_CATEGORIES: tuple[Category, ...] = ("integrity", "security", "semantic", "quality", "style")
_AGENTS_OWN = "gate.only_by_agent"
_NAMES_SOURCES = "gate.source_untested"  # how the keys begin of reasons that name the changed sources


def refusal(
    state: TaskState,
    findings: Findings,
    language: Language,
    feedback: Iterable[Feedback] = (),
    tail: str = "",
    *,
    broken: tuple[str, ...] = (),
) -> str:
    """The one message after a refused attempt: its change was not verified, failed, or lacks something."""
    lines = [told(state, language)]
    if broken:
        names = ", ".join(one_name(name) for name in broken[:SHOWN])
        lines.append(say("correction.rolled_back", language, checks=names))
    owed, case = reasons(findings), _case(state)
    lines.append(say(f"feedback.{case}", language))
    lines += _bullets((say(each.key, language, **each.values) for each in owed), language, LONGEST_LINE)
    if (
        case != "not_complete"
        and state.untested
        and not any(each.key.startswith(_NAMES_SOURCES) for each in owed)
    ):
        lines += [say("feedback.untested", language), *_bullets(state.untested, language)]
    found = found_lines(feedback, language)
    lines += [say("correction.found", language), *found] if found else []
    end = tail_of(tail)
    if end:
        lines.append(say("feedback.tail", language))
        lines += [f"| {line}".rstrip() for line in end.split("\n")]
    return "\n".join((*lines, _next_step(state, findings, language)))


def told(state: TaskState, language: Language) -> str:
    """The whole state in one line, for people and for the head of a prompt."""
    return say(
        "state.line",
        language,
        verification=say(f"state.{state.verification}", language),
        phase=say(f"state.phase_{state.phase}", language),
        deliverables=deliverables_line(state.deliverables.statistics, language),
    )


def deliverables_line(statistics: Statistics, language: Language) -> str:
    return say("state.deliverables", language, **statistics._asdict())


def found_lines(feedback: Iterable[Feedback], language: Language) -> list[str]:
    """`file:line: message → suggestion` for what failed or warns, most severe first, bounded."""
    told = [each for each in feedback if each.status in _STATUSES]
    told.sort(key=lambda each: (_STATUSES.index(each.status), _CATEGORIES.index(each.category)))
    lines: list[str] = []
    room = MOST_BYTES
    for each in told[:MOST_LINES]:
        line = _line(each, language)
        room -= len(line.encode(errors="replace")) + 1
        if room < 0:
            break
        lines.append(line)
    left = len(told) - len(lines)
    return [*lines, say("correction.more", language, count=left)] if left else lines


def _case(state: TaskState) -> str:
    if state.verification == "failed":
        return "failed"
    return "not_run" if state.untested and _waiting(state) is not None else "not_complete"


def _waiting(state: TaskState) -> Proof | None:
    """The run that is owed next, tests first; what the agent ran itself the harness will run too."""
    waiting = [each for each in state.proofs if each.status == "pending" and each.reason.key != _AGENTS_OWN]
    return next((each for each in waiting if each.is_test), next(iter(waiting), None))


def _next_step(state: TaskState, findings: Findings, language: Language) -> str:
    red = next((proof for proof in state.proofs if proof.status in ("failed", "flaky")), None)
    if red is not None:
        key = "feedback.next_fix" if red.name else "feedback.next_fix_tests"
        return say(key, language, command=one_name(red.name, LONGEST_LINE))
    waiting = _waiting(state)
    if waiting is not None and waiting.is_test and state.untested:
        key = "feedback.next_tests" if waiting.name else "feedback.next_own_tests"
        return say(key, language, command=one_name(waiting.name, LONGEST_LINE))
    return next_step(findings, language)


def _bullets(texts: Iterable[str], language: Language, longest: int = LONGEST_NAME) -> list[str]:
    every = list(texts)
    lines = [f"- {one_name(text, longest)}" for text in every[:SHOWN]]
    return [*lines, say("feedback.more", language, count=len(every) - SHOWN)] if every[SHOWN:] else lines


def _line(each: Feedback, language: Language) -> str:
    place = (
        one_name(":".join((each.file, str(each.line)))) if each.line and each.file else one_name(each.file)
    )
    key = "line" if place else "placeless"
    line = say(f"correction.{key}", language, place=place, message=one_name(each.message, _LONGEST))
    if each.fix_suggestion:
        line = say(
            "correction.suggested", language, line=line, suggestion=one_name(each.fix_suggestion, _LONGEST)
        )
    return line if each.status == "fail" else say("correction.warning", language, line=line)
