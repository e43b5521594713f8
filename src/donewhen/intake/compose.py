"""Sources add up to one promise: nothing removes what another gave, and everything says where it came from.

Pure: files were read before, the id is handed in. A promise that would prove nothing is refused here, and
so is one that its own validation denies.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donewhen.core.accept import Accept, read_accept
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.promise import (
    ABORT_BY_DEFAULT,
    DONE_BY_DEFAULT,
    Criterion,
    Issue,
    Promise,
    is_valid,
    validate,
)
from donewhen.core.target import accept_target, match_target
from donewhen.core.texts import Language, Phrase, say
from donewhen.core.todos.model import Todo
from donewhen.intake.goal import ONLY_NAMED
from donewhen.intake.parts import Parts, joined, short
from donewhen.intake.union import (
    union_of_accept,
    union_of_checks,
    union_of_criteria,
    union_of_todos,
    with_own_names,
)
from donewhen.project.project import Project, ProjectCommand

EXECUTABLE = frozenset(
    {"command_success", "file_exists", "content_contains", "tool_fact", "quality_gate", "scenario"}
)
PLACED = ("allowed_scope", "disallowed_scope", "required_evidence", "permits", "done_when", "abort_when")


class Sources(NamedTuple):
    """All that was handed in; the order of the fields is the order of the union."""

    promise: Parts | None = None
    accept: Parts | None = None
    config: Parts | None = None
    spec: Parts | None = None
    goal: Parts | None = None

    def given(self) -> tuple[Parts, ...]:
        return tuple(parts for parts in self if parts is not None)

    def heads(self) -> tuple[Parts, ...]:
        """Those that may name the objective, in order."""
        return tuple(parts for parts in (self.promise, self.spec, self.goal) if parts is not None)


class Plan(NamedTuple):
    promise: Promise
    todos: tuple[Todo, ...] = ()
    objective_source: str = ""
    places: tuple[tuple[str, str], ...] = ()  # (field, source) of what has no source of its own
    todo_sources: tuple[tuple[str, str], ...] = ()
    issues: tuple[Issue, ...] = ()  # soft denials and warnings of the validation
    warnings: tuple[Phrase | str, ...] = ()
    change: str = ""  # the folder of the OpenSpec change that it is about, absolute

    @property
    def executable(self) -> bool:
        return is_executable(self.promise)


def compose(
    sources: Sources,
    project: Project,
    parse: Parse,
    *,
    promise_id: str,
    answer_only: bool = False,
    language: Language = "en",
    objective: str = "",
    adds: bool = False,
    hollow: bool = False,
    tests: bool = True,
) -> Plan:
    """The promise of all sources together, and why each part is in it.

    Commands that only the goal names come beside the project's own tests, not in their place; with `adds`,
    those of flags too.

    Without `tests` the project's own don't join, and what the change leaves proves enough.

    `hollow`: one that proves nothing is no error; whoever asks for it must never call it kept.

    `objective` stands in where no source gives one: a change that is there already is only judged, and
    whether it changed anything is nobody's question.
    """
    given = with_own_names(sources.given())
    made_up = objective
    objective, objective_source = _objective(sources, made_up)
    answer_only = answer_only or any(parts.answer_only for parts in given)
    accept = union_of_accept(parts.accept for parts in given)
    checks = union_of_checks(parts.checks for parts in given)
    warnings = [text for parts in given for text in parts.warnings]
    if answer_only:
        _nothing_else(accept, checks)
    else:
        declared = sources._replace(goal=None, accept=None if adds else sources.accept)
        own = () if not tests or _gives_command(declared.given()) else _of_project(project, accept, parse)
        accept, warnings = union_of_accept([accept, own]), [*warnings, *_about(project, own)]
        checks = checks if made_up else union_of_checks([checks, (_change(language),)])
    todos, todo_sources = union_of_todos(given)
    promise = _promise(given, objective, promise_id, answer_only, language)._replace(
        checks=checks, accept=accept
    )
    if not answer_only and not hollow and tests and not is_executable(promise):
        raise _nothing_to_prove(project, sources)
    issues = validate(promise)
    if not is_valid(issues):
        raise _denied(issues, joined(*(parts.source for parts in given)))
    places = _places(given, language)
    change = next((parts.change for parts in given if parts.change), "")
    return Plan(promise, todos, objective_source, places, todo_sources, issues, _distinct(warnings), change)


def is_executable(promise: Promise) -> bool:
    """Whether anything required has to be proven by more than a change or an answer."""
    return bool(promise.accept) or any(c.required and c.kind in EXECUTABLE for c in promise.checks)


def _objective(sources: Sources, made_up: str) -> tuple[str, str]:
    for parts in sources.heads():
        if parts.objective.strip():
            return parts.objective, parts.places.get("objective", parts.source)
    if made_up:
        return made_up, ""
    raise UserError("intake.no_objective", place=joined(*(p.source for p in sources.given())) or "plan")


def _promise(
    given: Sequence[Parts], objective: str, promise_id: str, answer_only: bool, language: Language
) -> Promise:
    first = next((parts for parts in given if parts.own_ids), Parts())  # the promise file
    criteria = union_of_criteria(given)
    if not criteria:
        key = "intake.made_up_answer" if answer_only else "intake.made_up_criterion"
        made_up = say(key, language, objective=short(objective, 120))
        criteria = (Criterion("c1", made_up, source=say("intake.made_up", language)),)
    return Promise(
        id=first.id or promise_id,
        objective=objective,
        acceptance=criteria,
        allowed_scope=_once(parts.allowed_scope for parts in given),
        disallowed_scope=_once(parts.disallowed_scope for parts in given),
        required_evidence=_once(parts.required_evidence for parts in given),
        permits=_once(parts.permits for parts in given),
        done_when=DONE_BY_DEFAULT if first.done_when is None else first.done_when,
        abort_when=ABORT_BY_DEFAULT if first.abort_when is None else first.abort_when,
        derived_from=first.derived_from,
        answer_only=answer_only,
    )


def _once(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for texts in lists for text in texts))


def _places(given: Iterable[Parts], language: Language) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for name in PLACED:
        source = joined(*(parts.places.get(name, "") for parts in given))
        if source or name in ("done_when", "abort_when"):
            found.append((name, source or say("intake.by_default", language)))
    return tuple(found)


def _gives_command(given: Iterable[Parts]) -> bool:
    return any(
        parts.accept or any(check.required and check.kind == "command_success" for check in parts.checks)
        for parts in given
    )


def _change(language: Language) -> Check:
    return Check("workspace_change", source=say("intake.every_goal", language), by="goal")


def _of_project(project: Project, given: Sequence[Accept], parse: Parse) -> tuple[Accept, ...]:
    """The project's tests, without those that a given command runs as well."""
    commands = (read_accept(each.command, parse, each.source) for each in project.tests())
    return tuple(entry for entry in union_of_accept(commands) if not _is_run(entry, given, parse))


def _is_run(entry: Accept, given: Sequence[Accept], parse: Parse) -> bool:
    target = accept_target(entry, parse)
    found = [match_target(target, other.text, parse) for other in given if other.cwd == entry.cwd]
    return any(one.match and not one.masked for one in found)


def _about(project: Project, taken: Sequence[Accept]) -> list[Phrase | str]:
    """Notes about the project, when it was asked at all; what it could prove besides is said."""
    if not taken:
        return []
    rest = _others(project.commands)
    notes: list[Phrase | str] = list(project.notes)
    if rest:
        notes.append(Phrase("intake.not_joined", {"commands": rest}))
    return notes


def _others(commands: Iterable[ProjectCommand]) -> str:
    found = [each.command for each in commands if each.role not in ("test", "format")]
    return ", ".join(found[:6]) + (", …" if len(found) > 6 else "")


def _nothing_else(accept: Sequence[Accept], checks: Sequence[Check]) -> None:
    """An answer proves nothing; whoever asks for a proof as well must say which of the two counts."""
    proofs = [(entry.label, entry.source) for entry in accept]
    proofs += [(check.name, check.source) for check in checks if check.kind != "output_only"]
    if proofs:
        what, source = proofs[0]
        raise UserError("intake.answer_and_proof", place=source, what=short(what, 120))


def _nothing_to_prove(project: Project, sources: Sources) -> UserError:
    place = joined(*(parts.source for parts in sources.given()))
    rest = _others(project.commands)
    for warning in sources.goal.warnings if sources.goal else ():
        if isinstance(warning, Phrase) and warning.key == ONLY_NAMED:
            return UserError("intake.nothing_but_named", place=place, commands=warning.values["commands"])
    if project.notes:
        return UserError("intake.nothing_to_prove_because", place=place, why=project.notes[0])
    if rest:
        return UserError("intake.nothing_to_prove_but", place=place, commands=rest)
    return UserError("intake.nothing_to_prove", place=place)


def _denied(issues: Iterable[Issue], place: str) -> UserError:
    denied = [issue.phrase for issue in issues if issue.severity == "hard-deny"]
    if len(denied) == 1:
        return UserError("intake.denied", place=place, first=denied[0])
    return UserError("intake.denied_more", place=place, first=denied[0], count=len(denied) - 1)


def _distinct(texts: Iterable[Phrase | str]) -> tuple[Phrase | str, ...]:
    return tuple({repr(text): text for text in texts}.values())
