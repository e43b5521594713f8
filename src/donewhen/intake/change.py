"""The promise that a change which is there already has to keep: what `verify` asks of it.

The sources of `plan` and the commands of the configuration, or else the project's own tests. There is no
answer to wait for and nobody asks whether anything changed. What the user gave is told apart from what the
repository says, because only the former may run what the guard would ask about.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from donewhen.core.accept import Accept, read_accept
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.promise import Promise
from donewhen.core.texts import Language, Phrase, say
from donewhen.intake.compose import Plan, Sources, compose, is_executable
from donewhen.intake.goal import accept_flags, checked_goal, goal_parts
from donewhen.intake.parts import Parts
from donewhen.intake.request import Request
from donewhen.intake.union import union_of_accept, union_of_checks
from donewhen.project.project import Project

NOTHING = "verify.nothing_to_prove"  # how the keys begin of why nothing can be proven


class Judged(NamedTuple):
    plan: Plan
    entries: tuple[Accept, ...]  # every command that is to be run, acceptance commands first
    given: frozenset[object]  # identities of those that the user gave himself
    notes: tuple[Phrase | str, ...] = ()
    unproven: Phrase | None = None  # why nothing can be proven, and what would change that


def judge_change(
    request: Request,
    folder: Path,
    project: Project,
    config: Parts | None,
    parse: Parse,
    *,
    promise_id: str,
    language: Language = "en",
    hollow: bool = False,
    tests: bool = True,
) -> Judged:
    """What `request`, seen from `folder`, asks of a change; `config` is what the configuration declares.

    UserError where that is nothing; with `hollow`, `unproven` says so. Without
    `tests` the project's own don't join: whoever chose such a profile asks for no more than whole files.
    """
    promise = _promise(request, folder, project, parse)
    flags = accept_flags(request.accept, parse) if request.accept else None
    sources = Sources(
        _judgeable(promise), flags, config, _judgeable(_spec(request, folder, parse)), _goal(request, parse)
    )
    objective, unproven = say("verify.objective", language), None

    def composed(hollow: bool = False) -> Plan:
        return compose(
            sources,
            project,
            parse,
            promise_id=promise_id,
            language=language,
            objective=objective,
            adds=request.adds,
            hollow=hollow,
            tests=tests,
        )

    try:
        plan = composed()
    except UserError as error:
        said = _said_here(error)
        if not hollow or not said.key.startswith(NOTHING):
            raise said from None
        plan, unproven = composed(hollow=True), Phrase(said.key, said.values)
    permits = (*plan.promise.permits, *request.permits)
    plan = plan._replace(promise=_left(plan.promise._replace(permits=permits), request.dropped))
    entries = (*plan.promise.accept, *_commands(plan.promise.checks, parse))
    own = [entry for parts in (promise, flags, config) if parts for entry in parts.accept]
    own += [entry for parts in (promise, config) if parts for entry in _commands(parts.checks, parse)]
    dropped = () if _judgeable(promise) == promise else (Phrase("verify.no_answer_here"),)
    once = {entry.identity: entry for entry in reversed(entries)}
    return Judged(
        plan,
        tuple(reversed(once.values())),
        frozenset(entry.identity for entry in own),
        (*dropped, *(note for note in plan.warnings if not _is_advice(note))),
        unproven,
    )


def _left(promise: Promise, dropped: frozenset[str]) -> Promise:
    """Without what a human took out; where nothing is left there is nothing to prove."""
    if not dropped:
        return promise
    left = promise._replace(
        accept=tuple(entry for entry in promise.accept if entry.line not in dropped),
        checks=tuple(check for check in promise.checks if f"{check.kind} {check.target}" not in dropped),
    )
    if not is_executable(left):
        raise UserError(NOTHING)
    return left


def _said_here(error: UserError) -> UserError:
    """The same for somebody who has no goal and can't ask for an answer."""
    if not error.key.startswith("intake.nothing_to_prove"):
        return error
    if "why" in error.values:
        return UserError(f"{NOTHING}_because", why=error.values["why"])
    return UserError(NOTHING)


def _is_advice(note: Phrase | str) -> bool:
    """What else a plan could ask for is no news about a change."""
    return isinstance(note, Phrase) and note.key == "intake.not_joined"


def _promise(request: Request, folder: Path, project: Project, parse: Parse) -> Parts | None:
    if not request.promise:
        return None
    from donewhen.intake.promise_file import promise_file

    return promise_file(folder / request.promise, parse, frozenset(project.targets), request.promise)


def _spec(request: Request, folder: Path, parse: Parse) -> Parts | None:
    if not request.spec:
        return None
    from donewhen.intake.spec import read_spec

    return read_spec(request.spec, folder, parse)


def _goal(request: Request, parse: Parse) -> Parts | None:
    if request.goal is None:
        return None
    if request.adds:
        return prompted(request.prompts, parse)
    from donewhen.commands.goals import parse_goal

    text = checked_goal(request.goal, request.goal_name)
    return goal_parts(text, parse_goal(text), parse, request.goal_name)


def prompted(prompts: Iterable[tuple[str, str]], parse: Parse) -> Parts:
    """What several prompts ask for together; one that can't be read as a goal asks for nothing."""
    given = [parts for name, text in prompts if (parts := asked_by(name, text, parse)) is not None]
    return Parts(
        "prompts",
        next((parts.objective for parts in given), ""),
        checks=union_of_checks(parts.checks for parts in given),
        accept=union_of_accept(parts.accept for parts in given),
    )


def asked_by(name: str, text: str, parse: Parse) -> Parts | None:
    """What one prompt asks for; None where it is no goal at all.

    A prompt has no flag beside it, so one command suffices, where its words demand that it passes.
    """
    from donewhen.commands.goals import parse_goal

    try:
        text = checked_goal(text, name)
    except UserError:
        return None
    goal = parse_goal(text)
    if not goal.active:
        demanded = tuple(each for each in goal.commands if each.why != "goal.why_ordered")
        goal = goal._replace(commands=demanded, active=bool(demanded))
    return goal_parts(text, goal, parse, name)


def _judgeable(parts: Parts | None) -> Parts | None:
    """Without what only an answer could prove: nobody answers here."""
    if parts is None:
        return None
    return parts._replace(checks=tuple(check for check in parts.checks if check.kind != "output_only"))


def _commands(checks: tuple[Check, ...], parse: Parse) -> tuple[Accept, ...]:
    """The commands that checks are about, as the harness runs them."""
    found: list[Accept] = []
    for check in checks:
        if check.kind == "command_success":
            found += read_accept(check.target, parse, check.source or check.name)
    return tuple(found)
