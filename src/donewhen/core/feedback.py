"""What the agent is told: the acceptance line after a command, and the message after a refused attempt.

Texts come from the catalogue. A message is bounded: it names what is missing and one next step, never all
of the output.
"""

from typing import NamedTuple

from donewhen.core.counts import Counts, summary
from donewhen.core.delivery import Statistics
from donewhen.core.exam import Findings
from donewhen.core.shown import LONGEST_LINE, one_name, tail_of
from donewhen.core.tally import Status
from donewhen.core.texts import Language, Phrase, say

SHOWN = 12
_CRITERIA = "gate.unmet_acceptance_met"


class Tracked(NamedTuple):
    """An acceptance command as people and prompts see it."""

    key: str
    label: str
    cwd: str
    status: Status
    evidence: str = ""  # `<run>:<seq>` or the seq of the event that decided


def track(findings: Findings) -> tuple[Tracked, ...]:
    return tuple(
        Tracked(
            command.entry.key,
            command.entry.label,
            command.entry.cwd,
            command.standing.status,
            str(command.standing.seq or ""),
        )
        for command in findings.commands
    )


def acceptance_line(label: str, counts: Counts | None, findings: Findings, language: Language) -> str:
    """The system note of the turn in which an acceptance command ended, or was started."""
    total = len(findings.commands)
    done = total - len(findings.pending)
    command = next(each for each in findings.commands if each.entry.label == label)
    if counts is not None:
        what = summary(counts, language)
    else:
        what = say(command.standing.reason.key, language, **command.standing.reason.values)
    line = say("feedback.acceptance", language, label=label, what=what, done=done, total=total)
    if total and done == total:
        line += "\n" + say("feedback.all_passed", language, total=total)
    return line


def reasons(findings: Findings) -> tuple[Phrase, ...]:
    """A sentence for everything that is still owed, commands first.

    That the criteria are not met says nothing new beside what they wait for.
    """
    owed = (
        *(_of(command.entry.label, command.standing.reason) for command in findings.pending),
        *(_of(result.id, result.reason) for result in findings.failed),
        *(Phrase("gate.todo_failed", {"todo": todo}) for todo in findings.todos_failed),
        *(Phrase("gate.todo_open", {"todo": todo}) for todo in findings.todos_open),
        *(Phrase("gate.missing_evidence", {"name": name}) for name in findings.missing),
        *(each for each in findings.blockers if each.key != _CRITERIA),
        *findings.deliverables,
    )
    return owed or findings.blockers


def incomplete(
    findings: Findings, language: Language, tail: str = "", statistics: Statistics | None = None
) -> str:
    """The one message after a refused attempt: what is missing, and the next step."""
    owed = reasons(findings)
    lines = [say("feedback.not_complete", language)]
    lines += [
        f"- {one_name(say(phrase.key, language, **phrase.values), LONGEST_LINE)}" for phrase in owed[:SHOWN]
    ]
    if len(owed) > SHOWN:
        lines.append(say("feedback.more", language, count=len(owed) - SHOWN))
    if statistics and statistics.required:
        lines.append(say("state.deliverables", language, **statistics._asdict()))
    end = tail_of(tail)
    if end:
        lines += [say("feedback.tail", language), end]
    lines.append(_next_step(findings, language))
    return "\n".join(lines)


def _of(name: str, reason: Phrase) -> Phrase:
    return Phrase("gate.check_open", {"check": name.rstrip(":"), "reason": reason})


def _next_step(findings: Findings, language: Language) -> str:
    if findings.pending:
        entry = findings.pending[0].entry
        return say("feedback.next_command", language, label=one_name(entry.label, LONGEST_LINE))
    if findings.todos_open:
        return say("feedback.next_todo", language, todo=one_name(findings.todos_open[0]))
    if findings.failed:
        return say("feedback.next_check", language, check=one_name(findings.failed[0].id, LONGEST_LINE))
    return say("feedback.next_rest", language)
