"""One test of the base beside the one that stands for it now: every way in which it got easier.

Each check is a small function of the two tests; together they also tell whether the test demands the same as
before. Values that a test holds outside of its assertions count as input.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from donewhen.core.integrity.account import State
from donewhen.core.integrity.demands import KEPT, Fate, Names, asked_by, fates, spread_over
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Assertion, Finding, Test
from donewhen.core.integrity.near import Near
from donewhen.core.integrity.renames import mapped
from donewhen.core.integrity.rewording import NO_WORDING, Wording
from donewhen.core.integrity.seen import Seen
from donewhen.core.integrity.skips import honest_condition, marker_values
from donewhen.core.integrity.steps import stepped
from donewhen.core.integrity.values import canonical, held, parts, pieces, tally
from donewhen.core.integrity.words import demanding, last, patches
from donewhen.core.texts import Phrase

_MOST_PER_TEST = 4
_PRINTED = re.compile(
    r"%[-+#]?\d*[.]?\d*[dvsqftTxw]\b|\{\}|\{:\?\}"
)  # what Go and Rust print when a test fails


class Around(NamedTuple):
    """What lies round the two tests."""

    names: Names
    near: Near
    added: tuple[Seen, ...]
    helpers: frozenset[str]  # names that changed test files define anew
    source_changed: bool
    said: Wording = NO_WORDING  # what the change calls things that it renamed

    def others(self, before: Seen, but: Seen | None = None) -> tuple[Seen, ...]:
        """Running tests of the change that exercise the same."""
        return tuple(s for s in self.near.to(before, self.names.renamed) if s is not but)

    def incidental(self, literal: str, seen: Seen) -> bool:
        """Also a text that names what was renamed, or the test itself."""
        text = literal.strip("\"'")
        return incidental(literal) or text in seen.name or any(old in text for old in self.names.renamed)


class Compared(NamedTuple):
    findings: tuple[Finding, ...]
    state: State
    snapshot: bool = False
    gutted: bool = False


def differences(before: Seen, now: Seen, around: Around) -> Compared:
    flags = tuple(_flags(before.test, now))
    if before.test.digest and before.test.digest == now.test.digest:
        return Compared(flags, "changed" if flags else "same")
    if before.sheet.language == "shell":
        steps = stepped(before, now, around.said)
        return Compared((*flags, *steps.findings), "kept" if steps.same and not flags else "changed")
    done = [_elsewhere(fate, before, now, around) for fate in fates(before, now, around.names)]
    worse = [fate for fate in done if fate.verdict not in KEPT and not fate.before.hollow]
    if _is_gutted(now, done):
        findings = (*flags, _gutted(worse[0], before, now))
        return Compared(findings, "changed", gutted=now.called <= mapped(before.called, around.names.renamed))
    asserted = [*(_told(fate, before, now) for fate in worse[:_MOST_PER_TEST]), *_hollow(before, now, worse)]
    inputs = [] if asserted else [*_rows(before, now, around), *_inputs(before, now, around)][:1]
    reached = [] if asserted or inputs else [*_unreached(before, now, around)]
    findings = (*flags, *asserted, *inputs, *reached, *_patched(before, now))
    snapshot = bool(worse) and around.source_changed and all(f.before.kind == "snapshot" for f in worse)
    if snapshot:
        findings = tuple(f._replace(policy="warn") if f.rule == "expected-changed" else f for f in findings)
    kept = not findings and all(fate.verdict == "same" for fate in done) and _whole(before, now, around)
    return Compared(findings, "kept" if kept else "changed", snapshot)


def _whole(before: Seen, now: Seen, around: Around) -> bool:
    """Nothing else of the test went away: its values and what it exercises are all there."""
    if not before.test.asserts and not before.reach:
        return False
    gone = tally(v for v in _own(before, now) if not around.incidental(v, before))
    return not gone - tally(now.test.literals) and mapped(before.reach, around.names.renamed) <= now.reach


def _own(before: Seen, now: Seen) -> list[str]:
    """The values of the test, without those of a marker that is gone."""
    marks = marker_values(before.test, now.test)
    return [value for value in before.test.literals if value not in marks]


def _flags(before: Test, now: Seen) -> Iterator[Finding]:
    test = now.test
    softer = bool(before.disabled) and (test.conditional or not before.conditional)
    if test.disabled and not softer:
        finding = found(
            "test-skipped", now.path, test.line, now=test.disabled, before=before.disabled, test=before.name
        )
        yield finding._replace(policy="warn") if honest_condition(test) else finding
    if test.focused and not before.focused:
        yield found("test-focused", now.path, test.line, now=test.focused, test=before.name)
    if test.swallows and not before.swallows:
        yield found("test-swallowed", now.path, test.line, now=test.swallows, test=before.name)


def _elsewhere(fate: Fate, before: Seen, now: Seen, around: Around) -> Fate:
    """An assertion that another test asks, or that a helper in another file may ask, is not gone."""
    if fate.verdict in KEPT or fate.before.hollow:
        return fate
    others = around.others(before, now)
    if before.test.cases != 1 and spread_over(fate.before, before, (now, *others), around.names):
        return fate._replace(verdict="open")
    other = asked_by(fate.before, before, others, around.names)
    if other is not None or (fate.verdict in ("gone", "other") and _helped(fate.before, before, now, around)):
        return fate._replace(verdict="open")
    return fate


def _helped(assertion: Assertion, before: Seen, now: Seen, around: Around) -> bool:
    fresh = now.called - before.called
    return bool(demanding(fresh) | (fresh & around.helpers)) and held(
        (*assertion.given, *assertion.expected), now.pool
    )


def _is_gutted(now: Seen, done: Sequence[Fate]) -> bool:
    had = [fate for fate in done if not fate.before.hollow]
    return bool(had) and not now.test.asserts and all(fate.verdict == "gone" for fate in had)


def _gutted(fate: Fate, before: Seen, now: Seen) -> Finding:
    return found("test-emptied", now.path, now.test.line, before=fate.before.text, test=before.name)


def _told(fate: Fate, before: Seen, now: Seen) -> Finding:
    """The finding for an assertion that is not what it was."""
    was, test = fate.before.text, before.name
    if fate.now is None:
        return found("test-emptied", now.path, now.test.line, before=was, test=test)
    place, text = fate.now.line, fate.now.text
    if fate.verdict == "hollow":
        return found("test-hollow", now.path, place, now=text, before=was, test=test)
    if fate.verdict in ("expected", "given", "other"):
        if was == text:
            was, text = _shown(fate.before), _shown(fate.now)
        return found("expected-changed", now.path, place, now=text, before=was, test=test)
    message = Phrase("comparing.weaker", {"test": test, "now": text, "before": was})
    if fate.verdict == "subject":
        message = Phrase("comparing.subject", {"test": test, "now": text, "before": was})
    return found("test-emptied", now.path, place, now=text, before=was, test=test, message=message)


def _shown(assertion: Assertion) -> str:
    return f"{', '.join(assertion.given)} → {', '.join(assertion.expected)}".strip(" →")


def _hollow(before: Seen, now: Seen, worse: Sequence[Fate]) -> Iterator[Finding]:
    """A test that had something to demand, and has only what can't fail."""
    had = [assertion for assertion in before.test.asserts if not assertion.hollow]
    asserts = now.test.asserts
    told = any(fate.verdict == "hollow" for fate in worse[:_MOST_PER_TEST])
    if had and asserts and all(assertion.hollow for assertion in asserts) and not told:
        first = asserts[0]
        yield found("test-hollow", now.path, first.line, now=first.text, before=had[0].text, test=before.name)


def _rows(before: Seen, now: Seen, around: Around) -> Iterator[Finding]:
    """Rows of a parameter table that are gone and that no other test took over."""
    had, has = before.test.cases, now.test.cases
    if had <= 1 or not 0 < has < had:
        return
    gone = _counted(before.test.literals) - _counted(now.test.literals)
    if not gone:
        return
    others = [seen for seen in around.added if seen.reach & mapped(before.reach, around.names.renamed)]
    pool = frozenset(value for seen in others for value in seen.pool)
    if held(gone, pool) and has + sum(seen.test.cases for seen in others) >= had:
        return
    message = Phrase("comparing.rows", {"test": before.name, "now": has, "before": had})
    yield found(
        "test-emptied", now.path, now.test.line, before=", ".join(gone), test=before.name, message=message
    )


def _inputs(before: Seen, now: Seen, around: Around) -> Iterator[Finding]:
    """Values outside of assertions that are others now: what goes in is a part of the exam."""
    judged = pieces(v for a in before.test.asserts for v in (*a.given, *a.expected))
    own = [v for v in _own(before, now) if not around.incidental(v, before)]
    pool = now.pool | pieces(now.sheet.literals)
    for seen in around.added:
        if seen.reach & mapped(before.reach, around.names.renamed):
            pool |= seen.pool
    gone = [v for v in dict.fromkeys(map(canonical, own)) if not held((v,), judged) and not held((v,), pool)]
    fresh = [v for v in now.test.literals if not around.incidental(v, now) and not held((v,), before.pool)]
    if not gone and _tabled(before):
        gone = [*(_counted(own) - _counted(now.test.literals))]
        fresh = [*(_counted(now.test.literals) - _counted(own))]
        gone = gone if fresh else []
    if gone:
        was, text = ", ".join(gone), ", ".join(dict.fromkeys(fresh))
        yield found("expected-changed", now.path, now.test.line, now=text, before=was, test=before.name)


def _tabled(seen: Seen) -> bool:
    """Its values stand in a table or in variables, so that only their number tells."""
    return any(not a.expected and not a.given for a in seen.test.asserts)


def _counted(literals: Iterable[str]) -> Counter[str]:
    return Counter(part for literal in literals for part in parts(literal))


def incidental(literal: str) -> bool:
    """A text that is no value of the exam: a module's path, or what is printed when it fails."""
    if not literal.startswith('"'):
        return False
    return literal[1:].startswith(("./", "../", "@/", "node:")) or _PRINTED.search(literal) is not None


def _unreached(before: Seen, now: Seen, around: Around) -> Iterator[Finding]:
    wanted = mapped(before.reach, around.names.renamed)
    fresh = now.called - before.called
    if wanted and not wanted & now.reach and not (demanding(fresh) | (fresh & around.helpers)):
        gone = sorted(before.reach)[0]
        message = Phrase("comparing.unreached", {"test": before.name, "before": gone})
        yield found("test-emptied", now.path, now.test.line, before=gone, test=before.name, message=message)


def _patched(before: Seen, now: Seen) -> Iterator[Finding]:
    """Something put in the place of the very thing that the test asserts about."""
    fresh = patches(now.test.calls) - patches(before.test.calls)
    if not fresh:
        return
    asserted = {last(subject) for each in before.test.asserts for subject in each.subjects} & before.reach
    for literal in now.test.literals:
        target = last(literal.strip("\"'"))
        if literal.startswith('"') and target in (asserted or before.reach):
            values = {"test": before.name, "now": sorted(fresh)[0], "before": target}
            message = Phrase("comparing.patched", values)
            yield found(
                "test-emptied", now.path, now.test.line, before=target, test=before.name, message=message
            )
            return
