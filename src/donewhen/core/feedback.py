"""What the agent reads of single proofs: the line after an acceptance command, and why one is still owed."""

from collections.abc import Iterator
from typing import NamedTuple

from donewhen.core.counts import Counts, summary
from donewhen.core.exam import Findings
from donewhen.core.shown import LONGEST_LINE, one_name
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


def acceptance_line(
    label: str, counts: Counts | None, findings: Findings, language: Language, *, changed: bool = True
) -> str:
    """The system note after an acceptance command ended; `changed`: there is something to deliver."""
    total = len(findings.commands)
    done = total - len(findings.pending)
    command = next(each for each in findings.commands if each.entry.label == label)
    if counts is not None:
        what = summary(counts, language)
    else:
        what = say(command.standing.reason.key, language, **command.standing.reason.values)
    line = say("feedback.acceptance", language, label=label, what=what, done=done, total=total)
    if changed and total and done == total:
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
        *_open_todos(findings),
        *(Phrase("gate.missing_evidence", {"name": name}) for name in findings.missing),
        *(each for each in findings.blockers if each.key != _CRITERIA),
        *findings.deliverables,
    )
    return owed or findings.blockers


def _open_todos(findings: Findings) -> Iterator[Phrase]:
    """Those that are not done; of a completed one, what its files lack."""
    lacking = {each.todo: each for each in reversed(findings.todos_lacking)}
    for todo in findings.todos_open:
        each = lacking.get(todo)
        if each is None:
            yield Phrase("gate.todo_open", {"todo": todo})
        else:
            values = {"todo": todo, "path": each.artifact, "text": one_name(each.text)}
            yield Phrase("gate.todo_content" if each.text else "gate.todo_artifact", values)


def _of(name: str, reason: Phrase) -> Phrase:
    return Phrase("gate.check_open", {"check": name.rstrip(":"), "reason": reason})


def next_step(findings: Findings, language: Language) -> str:
    """The one thing to do first, where no run of tests is it."""
    if findings.pending:
        entry = findings.pending[0].entry
        return say("feedback.next_command", language, label=one_name(entry.label, LONGEST_LINE))
    if findings.todos_lacking:
        lacks = findings.todos_lacking[0]
        return say(
            "feedback.next_content", language, todo=one_name(lacks.todo), path=one_name(lacks.artifact)
        )
    if findings.todos_open:
        return say("feedback.next_todo", language, todo=one_name(findings.todos_open[0]))
    if findings.failed:
        return say("feedback.next_check", language, check=one_name(findings.failed[0].id, LONGEST_LINE))
    return say("feedback.next_rest", language)
