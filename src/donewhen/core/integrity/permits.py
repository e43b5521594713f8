"""What is allowed all the same: by a person's permits, or because the goal's own words ask for it.

A goal allows only what it speaks of, and nothing where it says that the tests stay. What no words allow is
not allowed; nothing here asks whether it would be sensible.
"""

import difflib
import re
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from donewhen.core.errors import UserError
from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.model import RULES, Finding
from donewhen.core.integrity.permits_calls import follows_signature
from donewhen.core.integrity.permits_config import named
from donewhen.core.integrity.permits_formats import rewritten
from donewhen.core.integrity.permits_orders import Change, Kind, Order, Orders, orders_of
from donewhen.core.integrity.permits_reading import complains, pattern
from donewhen.core.integrity.permits_release import released
from donewhen.core.integrity.permits_scope import Subject, about, mentions, named_alike, subject
from donewhen.core.integrity.permits_values import edit_of, vetoed, wanted
from donewhen.core.integrity.tolerance import answers_kept
from donewhen.core.paths import Patterns
from donewhen.core.texts import Phrase

LEANING = frozenset(("permits.goal_behaviour", "permits.goal_tests_any"))
"""Permissions that hold only for tests that were green at the base: a test that was red already says what the
code must do, and a goal that only speaks of behaviour does not unsay it."""

_RULE = re.compile(r"[A-Za-z][A-Za-z_-]{2,40}")
_EVERYTHING = ("*", "**", "**/*")
_LONGEST = 120
_SHORT = 3  # clauses
_FAILED = "base-tests-failed"
_CALLS = re.compile(r"\b(?!assert|expect|self|self\.|with|pytest|throws|raises|not\b)[A-Za-z_]\w{0,80}\(")
_WAS_GREEN = "integrity.base_tests_failed"  # the test passed at the base
_RED = "comparing.not_satisfied"  # the test was red at the base as well
_ASKED_FOR = frozenset(("permits.goal_behaviour", "permits.goal_value", "permits.goal_tests_any"))
_RECORDED = re.compile(
    r"snap|golden|approved|fixture|expected|__snapshots__|cassette|baseline|testdata", re.IGNORECASE
)


class Permit(NamedTuple):
    """What a person wrote in the promise or on the command line."""

    rule: str  # of RULES, or "*"
    paths: tuple[str, ...]  # globs as in gitignore files

    def allows(self, finding: Finding) -> bool:
        if self.rule not in ("*", finding.rule):
            return False
        return any(path in _EVERYTHING for path in self.paths) or Patterns(self.paths).match(finding.file)


def read_permit(text: str) -> Permit:
    """`RULE=GLOB`, or `GLOB` for every rule."""
    left, equals, right = text.strip().partition("=")
    rule, glob = left.strip(), right.strip()
    if not equals or not (rule == "*" or _RULE.fullmatch(rule)):
        rule, glob = "*", text.strip()
    rule = rule.lower().replace("_", "-")
    if rule != "*" and rule not in RULES:
        _refuse(text, rule)
    if not glob or glob in RULES or glob.startswith("#"):
        raise UserError("permits.empty", text=text[:_LONGEST])
    if glob.startswith("!"):
        raise UserError("permits.takes_away", text=text[:_LONGEST])
    Patterns((glob,))
    return Permit(rule, (glob,))


def _refuse(text: str, rule: str) -> None:
    known = ", ".join(RULES)
    near = difflib.get_close_matches(rule, RULES, 1, 0.6)
    if near:
        raise UserError("permits.misspelt_rule", text=text[:_LONGEST], near=near[0], rules=known)
    raise UserError("permits.unknown_rule", text=text[:_LONGEST], rules=known)


def permit(
    findings: Sequence[Finding],
    *,
    goal: str = "",
    permits: Sequence[Permit] = (),
    criteria: Sequence[str] = (),
    passed: Collection[str] = (),
) -> tuple[Finding, ...]:
    """The findings, those that are allowed with the reason; give all findings of a change at once.

    `passed`: tests that are known to have passed at the base. What they expected was how things were, so a
    goal that says how things should be is enough to change it; of others it must say that they change.
    """
    said = orders_of("\n\n".join((goal, *criteria)))
    judged = [f if f.permitted else _permitted(f, permits, said, f.test in passed) for f in findings]
    otherwise = frozenset(each.test for each in judged if each.rule != _FAILED)
    followed = [_followed(_fewer(finding, judged, said), otherwise, said) for finding in judged]
    return tuple(_beside(finding, judged, otherwise, said) for finding in followed)


def leans_on_base(finding: Finding) -> bool:
    """Whether its permission falls where the test was red at the base as well."""
    return finding.permitted is not None and finding.permitted.key in LEANING


def _permitted(finding: Finding, permits: Sequence[Permit], said: Orders, passed: bool) -> Finding:
    for each in permits:
        if each.allows(finding):
            text = "=".join((each.rule, " ".join(each.paths)))
            return finding._replace(permitted=Phrase("permits.by_person", {"permit": text}))
    repairs = any(clause.broken for clause in said.clauses)  # then what passed has to go on passing
    if repairs or (not passed and finding.message.key != _WAS_GREEN):
        said = said._replace(changes=tuple(change for change in said.changes if change.plain))
    judge = _BY_GOAL.get(finding.rule)
    reason = judge(finding, said) if judge else named(finding, said.clauses)
    return finding._replace(permitted=reason) if reason else finding


def _is_banned(kind: Kind, what: Subject, said: Orders) -> bool:
    bans = (ban for ban in said.bans if kind in ban.kinds)
    return any(not ban.targets or any(about(target, what) for target in ban.targets) for ban in bans)


def _ordered(kind: Kind, what: Subject, said: Orders) -> Order | None:
    """The order of this kind that speaks of the subject; one that names it goes first."""
    if _is_banned(kind, what, said):
        return None
    fitting = [o for o in said.orders if o.kind == kind and any(about(target, what) for target in o.targets)]
    return next((order for order in fitting if order.firm), next(iter(fitting), None))


def _reason(key: str, said: str, **values: object) -> Phrase:
    flat = " ".join(said.split())
    short = flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
    return Phrase(f"permits.{key}", {"words": short, **values})


def _deleted(finding: Finding, said: Orders) -> Phrase | None:
    what = subject(finding)
    order = _ordered("remove", what, said) or _ordered("merge", what, said)
    return _reason("goal_removes", order.words) if order else None


def _skipped(finding: Finding, said: Orders) -> Phrase | None:
    values = dict(finding.message.values)
    bare = finding._replace(
        message=Phrase(finding.message.key, {**values, "now": ""})
    )  # its reason is the agent's
    order = _ordered("skip", subject(bare), said)
    return _reason("goal_skips", order.words) if order else None


def _changed(finding: Finding, said: Orders) -> Phrase | None:
    """Another expectation: ordered for this test, asked for by value, or by what the goal changes."""
    what = subject(finding)
    if _is_banned("update", what, said):
        return None
    order = _ordered("update", what, said)
    if order and order.firm:
        return _reason("goal_tests", order.words)
    if finding.rule == "expected-changed":
        before, now = _edited(finding)
        shaped = follows_signature(before, now, said.clauses)
        if shaped:
            return _reason("goal_form", shaped.raw)
        edit = edit_of(before, now)
        asked = wanted(edit, said.clauses)
        if not asked and vetoed(edit, said.clauses):
            return None
        asked = asked or released(before, now, finding.test, said.clauses)
        if asked:
            return _reason("goal_value", asked[1].raw, value=asked[0])
        form = _ordered("restyle", what, said)
        if (
            form
            and form.firm
            and pattern(words.REWRITE).search(form.words.lower())
            and answers_kept(before, now)
        ):
            return _reason("goal_tests", form.words)
    removal = _ordered("remove", what, said)
    if removal:
        return _reason("goal_removes", removal.words)
    return None if finding.message.key == _RED else _by_behaviour(finding, what, order, said)


def _edited(finding: Finding) -> tuple[str, str]:
    values = finding.message.values
    return str(values.get("before", "") or finding.before), str(values.get("now", ""))


def _by_behaviour(finding: Finding, what: Subject, order: Order | None, said: Orders) -> Phrase | None:
    if order:
        return _reason("goal_tests_any", order.words)
    if finding.rule == "test-emptied":
        return None  # another behaviour is no reason to ask for less
    whole, what = what, _own_words(finding) or what
    loose = not finding.test and (not finding.file or _RECORDED.search(finding.file) is not None)
    for change in said.changes:
        if loose or any(mentions(target, what) for target in change.targets):
            return _reason("goal_behaviour", change.clause.raw)
        if finding.rule == "expected-changed" and rewritten(*_edited(finding), whole, change):
            return _reason("goal_behaviour", change.clause.raw)
    return _by_no_name(finding, said)


def _own_words(finding: Finding) -> Subject | None:
    """What an edited assertion itself speaks of: class and file around it speak of its neighbours, too."""
    code = " ".join(_edited(finding))
    if finding.rule != "expected-changed" or not _CALLS.search(code):
        return None
    title = re.split(r" > |\.", finding.test)[-1]
    return subject(finding._replace(test=title, file=""))


def _by_no_name(finding: Finding, said: Orders) -> Phrase | None:
    """A short goal that says how things are to be other and names nothing: whatever that changes is meant."""
    named = any(t.firm or t.paths or t.names for change in said.changes for t in change.targets)
    plain = len(said.clauses) <= _SHORT and not named and not any(c.broken for c in said.clauses)
    if finding.rule == "expected-changed" and plain:
        for clause in said.clauses:
            unlike = pattern(words.UNLIKE).search(clause.text) and not complains(clause.text)
            if unlike and not re.search(r"\d|[\"'`“「]", clause.text):
                return _reason("goal_behaviour", clause.raw)
    return None


def _fewer(finding: Finding, all_findings: Sequence[Finding], said: Orders) -> Finding:
    """Fewer tests are explained by those that may go, unless others went as well."""
    if finding.rule != "fewer-tests" or finding.permitted:
        return finding
    gone = [
        each for each in all_findings if each.rule in ("test-deleted", "test-skipped", "test-uncollected")
    ]
    order = next((order for order in said.orders if order.kind in ("remove", "skip", "merge")), None)
    banned = any("remove" in ban.kinds and not ban.targets for ban in said.bans)
    if order is None or banned or any(each.blocks for each in gone):
        return finding
    return finding._replace(permitted=_reason("goal_removes", order.words))


def _followed(finding: Finding, otherwise: Collection[str], said: Orders) -> Finding:
    """A base test that fails on the new code, which the goal lets follow, say, another signature: it demands
    the same as ever if nothing else was found about it; of those in `otherwise` something was."""
    if finding.rule != _FAILED or finding.permitted or not finding.test or finding.test in otherwise:
        return finding
    what = subject(finding)
    order = _ordered("update", what, said) if finding.message.key == _RED else None
    order = order or _ordered("restyle", what, said)
    if order:
        return finding._replace(permitted=_reason("goal_tests", order.words))
    change = None if _is_banned("update", what, said) else _reshaped(what, said)
    return finding._replace(permitted=_reason("goal_form", change.clause.raw)) if change else finding


def _beside(finding: Finding, judged: Sequence[Finding], otherwise: Collection[str], said: Orders) -> Finding:
    """A test that was green, that demands the same as far as can be read, and whose code is not known: it
    changes with what the goal changes if its title says so, or if its neighbours in the file do so."""
    known = finding.rule != _FAILED or finding.message.key != _WAS_GREEN or finding.before
    repairs = any(clause.broken for clause in said.clauses)
    if known or repairs or finding.permitted or not finding.test or finding.test in otherwise:
        return finding
    what = subject(finding)
    if _is_banned("update", what, said):
        return finding
    near = [each for each in judged if each.file == finding.file and each.rule == "expected-changed"]
    agreed = bool(near) and all(
        each.permitted is not None and each.permitted.key in _ASKED_FOR for each in near
    )
    for change in said.changes:
        if agreed or any(named_alike(target, what) for target in change.targets):
            return finding._replace(permitted=_reason("goal_behaviour", change.clause.raw))
    return finding


def _reshaped(what: Subject, said: Orders) -> Change | None:
    """What gives the tested thing another form to its callers."""
    for change in said.changes:
        text = change.clause.text
        shaped = pattern(words.RESHAPED).search(text) or (
            change.plain and pattern(words.INTERFACE).search(text)
        )
        if shaped and any(mentions(target, what) for target in change.targets):
            return change
    return None


def _never(finding: Finding, said: Orders) -> Phrase | None:
    return None


_BY_GOAL: dict[str, Callable[[Finding, Orders], Phrase | None]] = {
    "test-deleted": _deleted,
    "test-uncollected": _deleted,
    "test-skipped": _skipped,
    "expected-changed": _changed,
    "test-emptied": _changed,
    "base-tests-failed": _changed,
    **dict.fromkeys(
        (
            "test-focused", "test-hollow", "test-swallowed", "fewer-tests", "always-equal", "path-trick",
            "keyed-answer", "hidden-work", "flaky-exam", "not-compared",
        ),
        _never,
    ),
}  # fmt: skip
