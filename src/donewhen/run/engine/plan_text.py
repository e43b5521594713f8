"""A plan as a human reads it before saying yes: all of it, one line for each thing."""

from collections.abc import Iterable, Sequence

from donewhen.core.checks import Check
from donewhen.core.revising import Plan
from donewhen.core.shown import one_name, titled
from donewhen.core.texts import Language, say
from donewhen.core.todos import Todo

_LONGEST = 2000  # characters of one todo


def plan_text(plan: Plan, refused: Sequence[str], language: Language) -> str:
    parts = [
        ("plan_todos", [_todo(each, language) for each in plan.todos.entries.values()]),
        ("plan_checks", [_check(each, language) for each in plan.checks]),
        ("plan_files", [one_name(each) for each in plan.files]),
        ("plan_refused", [one_name(each, _LONGEST) for each in refused]),
    ]
    lines = [line for head, found in parts if found for line in _part(head, found, language)]
    return "\n".join(lines) or say("engine.plan_empty", language)


def _part(head: str, found: Iterable[str], language: Language) -> Iterable[str]:
    yield say(f"engine.{head}", language)
    yield from (f"- {each}" for each in found)


def _todo(todo: Todo, language: Language) -> str:
    name, content = one_name(todo.id), one_name(todo.content, _LONGEST)
    said = [f"[{todo.status}] {titled(name, content)}"]
    if not todo.required:
        said.append(say("engine.plan_optional", language))
    if todo.dependencies:
        said.append(say("engine.plan_after", language, names=_names(todo.dependencies)))
    if todo.paths:
        said.append(say("engine.plan_paths", language, names=_names(todo.paths)))
    return "; ".join(said)


def _check(check: Check, language: Language) -> str:
    said = f"{one_name(check.name)} ({check.kind}): {one_name(check.target, _LONGEST)}".rstrip(": ")
    params = "; ".join(f"{name}: {one_name(value, _LONGEST)}" for name, value in check.params.items())
    optional = "" if check.required else say("engine.plan_optional", language)
    return "; ".join(part for part in (said, params, optional) if part)


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(one_name, names))
