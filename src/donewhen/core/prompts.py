"""What the agent is told about the verification of its change: not run, or failed. Beside these stands
`feedback.incomplete`, for a refused attempt.

All words come from the catalogue. A prompt names what is missing and one next step; it is bounded, and what
files and programs are called or print stands in it as theirs.
"""

from collections.abc import Iterable

from donewhen.core.delivery import Statistics
from donewhen.core.shown import LONGEST_LINE, LONGEST_NAME, one_name, tail_of
from donewhen.core.task_state import Proof, TaskState
from donewhen.core.texts import Language, say

SHOWN = 12
_NOT_RUN = "gate.not_run"


def not_run(state: TaskState, language: Language, command: str = "") -> str:
    """Changed source lacks a test run; `command` is how the project runs its tests, where that is known.

    Empty when nothing is waiting to be run.
    """
    waiting = [proof for proof in state.proofs if proof.status == "pending"]
    if not waiting:
        return ""
    first = next((proof for proof in waiting if proof.is_test), waiting[0])
    if state.untested and first.is_test:
        lines = [say("feedback.not_run", language), *_bullets(state.untested, language)]
    else:  # it is other commands that are missing
        names = [_name(proof, language) for proof in waiting]
        lines = [say("feedback.not_run_commands", language), *_bullets(names, language)]
    if first.reason.key != _NOT_RUN:
        lines.append(say("feedback.why_not", language, reason=_reason(first, language)))
    named = one_name(first.name or command, LONGEST_LINE)
    key = "next_own_tests" if not named else "next_tests" if first.is_test else "next_command"
    lines.append(say(f"feedback.{key}", language, command=named, label=named))
    return "\n".join(lines)


def failed(state: TaskState, language: Language, tail: str = "") -> str:
    """What failed on the current tree, with the end of the failing output; empty when nothing did."""
    red = [proof for proof in state.proofs if proof.status in ("failed", "flaky")]
    if not red:
        return ""
    lines = [say("feedback.failed", language)]
    lines += _bullets([_verdict(proof, language) for proof in red], language, LONGEST_LINE)
    end = tail_of(tail)
    if end:
        lines.append(say("feedback.tail", language))
        lines += [f"| {line}".rstrip() for line in end.split("\n")]
    named = one_name(red[0].name, LONGEST_LINE)
    lines.append(say(f"feedback.{'next_mend' if named else 'next_mend_tests'}", language, command=named))
    return "\n".join(lines)


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


def _bullets(texts: Iterable[str], language: Language, longest: int = LONGEST_NAME) -> list[str]:
    every = list(texts)
    lines = [f"- {one_name(text, longest)}" for text in every[:SHOWN]]
    return [*lines, say("feedback.more", language, count=len(every) - SHOWN)] if every[SHOWN:] else lines


def _verdict(proof: Proof, language: Language) -> str:
    name = one_name(_name(proof, language))
    return say("gate.check_open", language, check=name, reason=_reason(proof, language))


def _reason(proof: Proof, language: Language) -> str:
    return one_name(say(proof.reason.key, language, **proof.reason.values), LONGEST_LINE)


def _name(proof: Proof, language: Language) -> str:
    return proof.name or say("state.own_tests", language)
