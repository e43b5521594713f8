"""May the harness run this command, and for how long? Decided before anything is started.

What the user gives himself may be asked about, and he has answered by giving it; what a project's files or an
agent give is run only when nothing in it needs a question. Nothing is run here.
"""

from shlex import quote
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase
from donewhen.guard.guard import Guard
from donewhen.project.programs import Names, head_of, heads_of, is_build, is_compiler

if TYPE_CHECKING:
    from donewhen.config.sections_verify import Execution

Given = Literal["user", "project", "agent"]
_AGAIN, _AGAIN_COMPILED = 30.0, 120.0  # seconds that every command gets when it is run once more …
_TIMES = 10  # … and longer ones so many times what they took
_ALL_AGAIN, _ALL_TIMES = 300.0, 20  # the same for everything that is run once more for one change


class Refusal(NamedTuple):
    """`ask`: a human may permit it by giving the command himself; `denied`: not like this."""

    reason: Phrase
    rule: str
    kind: Literal["denied", "ask"]


def judge(entry: Accept, guard: Guard, execution: "Execution", given: Given) -> Refusal | None:
    """Why the harness does not run this command; None: it does."""
    return _listed(entry, execution) or _guarded(entry, guard, given)


def _listed(entry: Accept, execution: "Execution") -> Refusal | None:
    heads = heads_of(entry.argv)
    denied = frozenset(map(head_of, execution.denied_commands))
    found = next((sorted(names & denied)[0] for names in heads.all if names & denied), "")
    if found:
        return Refusal(Phrase("exam.denied_command", {"program": found}), "denied_commands", "denied")
    allowed = frozenset(map(head_of, execution.allowed_commands))
    other = next((_shown(names) for names in heads.last if not names & allowed), "") if allowed else ""
    if other:
        return Refusal(Phrase("exam.not_allowed_command", {"program": other}), "allowed_commands", "denied")
    return None


def _guarded(entry: Accept, guard: Guard, given: Given) -> Refusal | None:
    variables = tuple(f"{name}={value}" for name, value in entry.env)
    words = ("env", *variables, *entry.argv) if variables else entry.argv
    decision = guard.argv(words, entry.cwd)
    if decision.action == "deny":
        return Refusal(Phrase("exam.guard_denies", {"why": decision.reason}), decision.rule, "denied")
    if decision.action == "ask" and given != "user":
        key = "exam.guard_asks_project" if given == "project" else "exam.guard_asks_agent"
        return Refusal(
            Phrase(key, {"why": decision.reason, "command": quote(entry.line)}), decision.rule, "ask"
        )
    return None


def _shown(names: Names) -> str:
    return min(names, key=lambda name: (len(name), name))


def timeout_for(entry: Accept, execution: "Execution") -> float:
    """Seconds that a command may take: tests and builds longer than others."""
    long = accept_target(entry, parse).is_test or is_build(entry.argv)
    if not long:
        return execution.timeout
    usual = type(execution).model_fields["test_timeout"].default
    if execution.test_timeout != usual:
        return execution.test_timeout
    return max(execution.test_timeout, execution.timeout)


def timeout_again(entry: Accept, execution: "Execution", took: float | None) -> float:
    """Seconds for a command that passed within `took` and is run once more, on this tree or another.

    One that now takes many times as long won't end; nobody should wait for it as for one that nobody knows.
    """
    usual = timeout_for(entry, execution)
    if took is None:
        return usual
    compiled = is_compiler(entry.argv)
    return min(usual, max(_AGAIN_COMPILED if compiled else _AGAIN, _TIMES * took))


def time_again(took: float) -> float:
    """Seconds for all of that together; `took`: the exam that passed."""
    return _ALL_AGAIN + _ALL_TIMES * took
