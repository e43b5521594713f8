"""What a change contributes to a promise: objective, criteria, checks and todos, each with its source line.

Each requirement that is added or modified becomes a criterion with one `scenario` check; what is removed or
only renamed becomes a criterion without one, since no scenario says how to observe it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.intake.openspec.model import Change, Operation, Proposal, Requirement, Scenario, SpecFile
from donewhen.intake.openspec.proposal import first_sentence, without_bullet
from donewhen.intake.openspec.tasks import todo_ids
from donewhen.intake.slugs import Unique, slug

_NO_TITLE = frozenset({"", "proposal", "change", "change proposal", "title"})


class Objective(NamedTuple):
    text: str
    source: str


class Criterion(NamedTuple):
    """`evidence_required` names the check that proves it; empty when no scenario can."""

    id: str
    description: str
    operation: Operation
    evidence_required: tuple[str, ...]
    source: str


class Check(NamedTuple):
    """`data` is the check as a promise holds it."""

    data: Mapping[str, object]
    source: str


class Todo(NamedTuple):
    data: Mapping[str, str]
    source: str


class Parts(NamedTuple):
    objective: Objective
    criteria: tuple[Criterion, ...]
    checks: tuple[Check, ...]
    todos: tuple[Todo, ...]
    scenarios: tuple[tuple[str, str], ...]  # (id, source) of every scenario, in order


class _Ids(NamedTuple):
    criteria: Unique
    scenarios: Unique


def change_to_parts(change: Change) -> Parts:
    ids = _Ids(Unique(), Unique())
    criteria: list[Criterion] = []
    checks: list[Check] = []
    scenarios: list[tuple[str, str]] = []
    for spec in change.specs:
        for operation, requirement in _kept(spec):
            source = f"{spec.file}:{requirement.line}"
            name = ids.criteria(f"{slug(spec.capability)}/{slug(requirement.name)}")
            named = [
                (ids.scenarios(f"{name}/{slug(scenario.name)}"), f"{spec.file}:{scenario.line}")
                for scenario in requirement.scenarios
            ]
            checks += [_check(name, [one for one, _ in named], source)] if named else []
            proof = (f"check:{name}",) if named else ()
            criteria.append(Criterion(name, _description(requirement), operation, proof, source))
            scenarios += named
        criteria += _gone(spec, ids)
    return Parts(_objective(change), tuple(criteria), tuple(checks), _todos(change), tuple(scenarios))


def _kept(spec: SpecFile) -> list[tuple[Operation, Requirement]]:
    added: list[tuple[Operation, Requirement]] = [("ADDED", each) for each in spec.delta.added]
    return added + [("MODIFIED", each) for each in spec.delta.modified]


def _gone(spec: SpecFile, ids: _Ids) -> list[Criterion]:
    """Renames that nothing else speaks of, and removals."""
    base = slug(spec.capability)
    modified = {each.name for each in spec.delta.modified}
    found = [
        (rename.new, f"{rename.old} is renamed to {rename.new}", "RENAMED", rename.line)
        for rename in spec.delta.renamed
        if rename.new not in modified
    ]
    found += [(each.name, f"{each.name} is removed", "REMOVED", each.line) for each in spec.delta.removed]
    return [
        Criterion(
            ids.criteria(f"{base}/{slug(name)}"),
            description,
            "RENAMED" if operation == "RENAMED" else "REMOVED",
            (),
            f"{spec.file}:{line}",
        )
        for name, description, operation, line in found
    ]


def _check(name: str, scenarios: list[str], source: str) -> Check:
    one = len(scenarios) == 1
    params = {} if one else {"scenarios": "\n".join(scenarios)}
    data = {"id": name, "kind": "scenario", "target": scenarios[0] if one else "", "params": params}
    return Check(data, source)


def _description(requirement: Requirement) -> str:
    statement = " ".join(requirement.statement.split())
    head = f"{requirement.name}: {statement}" if statement else requirement.name
    return "\n".join([head, *map(_scenario_line, requirement.scenarios)])


def _scenario_line(scenario: Scenario) -> str:
    steps = "; ".join(_step(line) for line in scenario.body if line.strip())
    return f"- {scenario.name}: {steps}" if steps else f"- {scenario.name}"


def _step(line: str) -> str:
    """One line of a scenario as plain words: no bullet, no bold, no runs of white space."""
    return " ".join(without_bullet(line.strip()).replace("**", "").split())


def _objective(change: Change) -> Objective:
    proposal = change.proposal or Proposal()
    title = proposal.title if proposal.title.lower() not in _NO_TITLE else ""
    text = title or first_sentence(proposal.why)
    if text:
        return Objective(text, f"{change.place}/proposal.md:{proposal.line}")
    return Objective(change.id, change.place)


def _todos(change: Change) -> tuple[Todo, ...]:
    tasks = change.tasks.tasks if change.tasks else ()
    return tuple(
        Todo(
            {
                "id": name,
                "content": task.text or name,
                "status": "completed" if task.done else "pending",
            },
            f"{change.place}/tasks.md:{task.line}",
        )
        for task, name in zip(tasks, todo_ids(tasks), strict=True)
    )
