"""The promise in words: all of it, the same promise always in the same words."""

from collections.abc import Iterable

from donewhen.core.checks import Check
from donewhen.core.promise import Condition, Criterion, Promise
from donewhen.core.texts import Language, say


def promise_text(promise: Promise, language: Language) -> str:
    parts = [
        say("context.promise_head", language),
        _block("promise_objective", [promise.objective], language),
        _block(
            "promise_criteria", [f"- {_criterion(each, language)}" for each in promise.acceptance], language
        ),
        _listed("promise_accept", (each.line for each in promise.accept), language),
        _listed("promise_checks", (_check(each, language) for each in promise.checks), language),
        _listed("promise_evidence", promise.required_evidence, language),
        _listed("promise_allowed", promise.allowed_scope, language),
        _listed("promise_disallowed", promise.disallowed_scope, language),
        _listed("promise_permits", promise.permits, language),
        _listed("promise_done", map(_condition, promise.conditions), language),
        _listed("promise_abort", map(_condition, promise.abort_when), language),
        say("context.promise_answer", language) if promise.answer_only else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _listed(key: str, items: Iterable[str], language: Language) -> str:
    return _block(key, [f"- `{item}`" for item in items], language)


def _block(key: str, lines: list[str], language: Language) -> str:
    return "\n".join([say(f"context.{key}", language), *lines]) if lines else ""


def _criterion(criterion: Criterion, language: Language) -> str:
    text = f"{criterion.id}: {criterion.description}"
    if not criterion.evidence_required:
        return text
    mode = "all" if criterion.evidence_mode == "all" else "any"
    needs = say(f"context.promise_{mode}_of", language, names=", ".join(criterion.evidence_required))
    return f"{text} ({needs})"


def _check(check: Check, language: Language) -> str:
    words = [check.kind, check.target]
    if check.match != "argv":
        words.append(f"match={check.match}")
    words += [f"{name}={value}" for name, value in check.params.items()]
    if not check.required:
        words.append(say("context.promise_optional", language))
    said = " ".join(word for word in words if word)
    return f"{check.id}: {said}" if check.id else said


def _condition(condition: Condition) -> str:
    return f"{condition.type} {condition.target}".strip()
