"""Two promises side by side: what was added, removed and changed, and what of it asks for less.

For people who are about to change what a run has to prove. Where it can't be told that a change is at least
as strict, it counts as weaker: better one warning too many. Nothing is decided here, and no command is read.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from donewhen.core.checks import Check
from donewhen.core.promise import Condition, Criterion, Promise
from donewhen.core.shown import LONGEST_LINE, one_name
from donewhen.core.texts import Language, Phrase, say

Sign = Literal["+", "-", "~"]
_STRICTNESS = ("prefix", "argv", "exact")  # modes of a check, the loosest first


class Line(NamedTuple):
    """One line of the diff; `was` is what a changed entry said before."""

    sign: Sign
    part: str  # a field of the promise
    name: str
    text: str
    was: str = ""


def parts_of(promise: Promise) -> dict[str, dict[str, str]]:
    """Every part of a promise as named entries, in words that people compare."""
    return {part: entries(promise) for part, entries in _PARTS.items()}


def differences(before: Promise, after: Promise) -> tuple[Line, ...]:
    """What differs, part by part; entries are known by their names, their order says nothing."""
    old, new = parts_of(before), parts_of(after)
    return tuple(line for part in _PARTS for line in _compare(part, old[part], new[part]))


def line_text(line: Line, language: Language) -> str:
    """A line for people: whatever a promise says stands on one line."""
    part = say(f"amend.part_{line.part}", language)
    text, was = one_name(line.text, LONGEST_LINE), one_name(line.was, LONGEST_LINE)
    key = "changed" if line.sign == "~" else "entry"
    return say(f"amend.{key}", language, sign=line.sign, part=part, text=text, was=was)


def weaker(before: Promise, after: Promise) -> tuple[Phrase, ...]:
    """A sentence for everything that the second promise asks less strictly than the first."""
    return tuple(phrase for find in _WEAKER for phrase in find(before, after))


def _compare(part: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterable[Line]:
    for name, text in old.items():
        if name not in new:
            yield Line("-", part, name, text)
        elif new[name] != text:
            yield Line("~", part, name, new[name], text)
    for name, text in new.items():
        if name not in old:
            yield Line("+", part, name, text)


def _criterion(criterion: Criterion) -> str:
    text = f"{criterion.id}: {criterion.description}"
    if not criterion.evidence_required:
        return text
    return f"{text} [{criterion.evidence_mode}: {', '.join(criterion.evidence_required)}]"


def _check(check: Check) -> str:
    words = [check.name if check.id else "", check.kind, check.target]
    words += [f"match={check.match}"] if check.match != "argv" else []
    words += [f"{key}={value}" for key, value in sorted(check.params.items())]
    words += [] if check.required else ["(optional)"]
    return " ".join(word for word in words if word)


def condition_text(condition: Condition) -> str:
    return f"{condition.type} {condition.target}".strip()


def _texts(entries: Iterable[str]) -> dict[str, str]:
    return {entry: entry for entry in entries}


def _named(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Entries by name; a second one of the same name is told apart by its place."""
    found: dict[str, str] = {}
    for name, text in pairs:
        number, unique = 2, name
        while unique in found:
            unique, number = f"{name} #{number}", number + 1
        found[unique] = text
    return found


_PARTS: Mapping[str, Callable[[Promise], dict[str, str]]] = {
    "objective": lambda promise: {"objective": promise.objective},
    "acceptance": lambda promise: _named((each.id, _criterion(each)) for each in promise.acceptance),
    "accept": lambda promise: _texts(each.line for each in promise.accept),
    "checks": lambda promise: _named((each.name, _check(each)) for each in promise.checks),
    "allowed_scope": lambda promise: _texts(promise.allowed_scope),
    "disallowed_scope": lambda promise: _texts(promise.disallowed_scope),
    "required_evidence": lambda promise: _texts(promise.required_evidence),
    "permits": lambda promise: _texts(promise.permits),
    "done_when": lambda promise: _texts(map(condition_text, promise.conditions)),
    "abort_when": lambda promise: _texts(map(condition_text, promise.abort_when)),
    "answer_only": lambda promise: {"answer_only": "answer_only"} if promise.answer_only else {},
}
PARTS = tuple(_PARTS)
_Found = Iterable[Phrase]


def _gone(part: str, key: str) -> Callable[[Promise, Promise], _Found]:
    """Every entry of a part that is not there any more."""

    def find(before: Promise, after: Promise) -> _Found:
        kept = _PARTS[part](after)
        return (Phrase(f"amend.{key}", {"name": name}) for name in _PARTS[part](before) if name not in kept)

    return find


def _criteria(before: Promise, after: Promise) -> _Found:
    kept = {criterion.id: criterion for criterion in after.acceptance}
    for criterion in before.acceptance:
        new = kept.get(criterion.id)
        if new is None:
            yield Phrase("amend.less_criterion", {"name": criterion.id})
        elif _asks_less(criterion, new):
            yield Phrase("amend.less_evidence_of", {"name": criterion.id})


def _asks_less(old: Criterion, new: Criterion) -> bool:
    """Any of fewer, or all of more, is stricter; one without evidence leans on the checks, which stay."""
    was, now = set(old.evidence_required), set(new.evidence_required)
    if not was or not now:
        return bool(was)
    if new.evidence_mode == "all":
        return not (was <= now if old.evidence_mode == "all" else now & was)
    return not now <= was if old.evidence_mode == "any" else not (len(was) == 1 and now == was)


def _checks(before: Promise, after: Promise) -> _Found:
    for check in before.checks:
        if check.required and not any(_at_least(check, other) for other in after.checks):
            yield Phrase("amend.less_check", {"name": check.name})


def _at_least(held: Check, other: Check) -> bool:
    same = (held.kind, held.target, dict(held.params)) == (other.kind, other.target, dict(other.params))
    return same and other.required and _STRICTNESS.index(other.match) >= _STRICTNESS.index(held.match)


def _scope(before: Promise, after: Promise) -> _Found:
    if not before.allowed_scope:
        return
    if not after.allowed_scope:
        yield Phrase("amend.less_scope_all")
    for glob in after.allowed_scope:
        if glob not in before.allowed_scope:
            yield Phrase("amend.less_scope", {"name": glob})


def _permits(before: Promise, after: Promise) -> _Found:
    return (
        Phrase("amend.less_permit", {"name": each}) for each in after.permits if each not in before.permits
    )


def _answer(before: Promise, after: Promise) -> _Found:
    if after.answer_only and not before.answer_only:
        yield Phrase("amend.less_answer")


_WEAKER: tuple[Callable[[Promise, Promise], _Found], ...] = (
    _criteria,
    _gone("accept", "less_accept"),
    _checks,
    _scope,
    _gone("disallowed_scope", "less_disallowed"),
    _gone("required_evidence", "less_evidence"),
    _permits,
    _gone("done_when", "less_done"),
    _gone("abort_when", "less_abort"),
    _answer,
)
