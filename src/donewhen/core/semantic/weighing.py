"""What a review comes to: which of its verdicts and findings stand against acceptance, and which are told.

Doubt is no failure and silence no pass. After the first round only what was open, or what is about lines that
changed since, may block: else a reviewer could move the goal for ever. Quotes must have been checked before.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.findings import Feedback, FeedbackStatus
from donewhen.core.quality.lines import place_now
from donewhen.core.semantic.model import GRAVITIES, Criterion, Judged, Remark, Review, Verdict
from donewhen.core.semantic.quotes import plain
from donewhen.core.semantic.rounds import NO_ROUNDS, Ground, Open, Rounds, Settled
from donewhen.core.semantic.since import NOTHING, Since
from donewhen.core.semantic.telling import tell_criterion, tell_finding, tell_remark
from donewhen.core.texts import Language

_BLOCKING = ("medium", "high")


class Weighed(NamedTuple):
    """`feedback` in the order of the criteria, then what was open, then what is new, the gravest first."""

    overall: Settled
    feedback: tuple[Feedback, ...]
    open: tuple[Open, ...]
    met: tuple[str, ...]
    grounds: tuple[Ground, ...]
    named: int
    verdicts: Mapping[str, Verdict]


class _Case(NamedTuple):
    """What all decisions of one round look at."""

    min_confidence: float
    earlier: Rounds
    since: Since
    language: Language

    @property
    def first(self) -> bool:
        return not self.earlier.done


def weigh(
    review: Review,
    criteria: Sequence[Criterion],
    min_confidence: float,
    earlier: Rounds = NO_ROUNDS,
    since: Since = NOTHING,
    language: Language = "en",
) -> Weighed:
    """One round. `since`: what changed from the tree of the last one; of no matter in the first."""
    case = _Case(min_confidence, earlier, since, language)
    judged = {each.criterion: each for each in review.judged}
    told = [
        tell_criterion(judged[each.id], each, _status(judged[each.id], each, case), language)
        for each in criteria
        if each.id in judged
    ]
    asked = [each for each in earlier.open if each.id in judged]
    told += [tell_finding(_moved(each, since), judged[each.id], language) for each in asked]
    left = [_moved(each, since) for each in earlier.open if not _is_mended(judged.get(each.id))]
    fresh = sorted(_fresh(review.remarks, left), key=lambda remark: -GRAVITIES.index(remark.severity))
    statuses = [(remark, _weight(remark, case)) for remark in fresh]
    told += [tell_remark(remark, status, language) for remark, status in statuses]
    new = [remark for remark, status in statuses if status == "fail"]
    named = tuple(_named(new, earlier.named, {each.id for each in criteria}))
    met = tuple(_met(criteria, judged, case))
    return Weighed(
        "fail" if left or any(each.status == "fail" for each in told) else "pass",
        tuple(told),
        (*left, *named),
        met,
        tuple(_grounds(met, judged, case)),
        max((int(each.id.rpartition("-")[2]) for each in named), default=earlier.named),
        {each.id: judged[each.id].verdict for each in criteria if each.id in judged},
    )


def _status(judged: Judged, criterion: Criterion, case: _Case) -> FeedbackStatus:
    sure = judged.confidence >= case.min_confidence
    if judged.verdict == "met":
        return "pass" if sure else "warning"
    counts = sure if judged.verdict == "unmet" else not criterion.covered
    return "fail" if counts and criterion.required and _may_block(judged, case) else "warning"


def _may_block(judged: Judged, case: _Case) -> bool:
    """A criterion that was met stays so, unless what it was met by, or what is complained about, changed."""
    if case.first or judged.criterion not in case.earlier.met:
        return True
    grounds = [each for each in case.earlier.grounds if each.criterion == judged.criterion]
    return any(case.since.lost(each.file, each.line) for each in grounds) or any(
        case.since.changed(quote.file, quote.line) for quote in judged.quotes
    )


def _is_mended(judged: Judged | None) -> bool:
    return judged is not None and judged.verdict == "met"


def _weight(remark: Remark, case: _Case) -> FeedbackStatus:
    counts = remark.severity in _BLOCKING and remark.confidence >= case.min_confidence
    about = case.first or (bool(remark.file) and case.since.changed(remark.file, remark.line))
    return "fail" if counts and about and not remark.misplaced else "warning"


def _fresh(remarks: Sequence[Remark], left: Sequence[Open]) -> Iterator[Remark]:
    """Each once, without those that are open under a name already."""
    seen = {(each.remark.file, plain(each.remark.message)) for each in left}
    for remark in remarks:
        key = (remark.file, plain(remark.message))
        if key not in seen:
            seen.add(key)
            yield remark


def _named(new: Sequence[Remark], last: int, taken: set[str]) -> Iterator[Open]:
    number = last
    for remark in new:
        number += 1
        while f"finding-{number}" in taken:
            number += 1
        yield Open(f"finding-{number}", remark)


def _moved(each: Open, since: Since) -> Open:
    """The finding at the place where its line is now; where that is gone, the file alone."""
    remark = each.remark
    if not remark.file:
        return each
    now = place_now(since.moves, remark.file, remark.line)
    if now is not None:
        return each._replace(remark=remark._replace(file=now[0], line=now[1]))
    move = since.moves[remark.file]
    return each._replace(remark=remark._replace(file=move.path or remark.file, line=0))


def _met(criteria: Sequence[Criterion], judged: Mapping[str, Judged], case: _Case) -> Iterator[str]:
    for criterion in criteria:
        said = judged.get(criterion.id)
        if said is None:
            continue
        kept = criterion.id in case.earlier.met and not _may_block(said, case)
        if kept or (said.verdict == "met" and said.confidence >= case.min_confidence):
            yield criterion.id


def _grounds(met: Sequence[str], judged: Mapping[str, Judged], case: _Case) -> Iterator[Ground]:
    for name in met:
        quotes = judged[name].quotes if judged[name].verdict == "met" else ()
        yield from (Ground(name, quote.file, quote.line) for quote in quotes)
        if quotes:
            continue
        for ground in case.earlier.grounds:
            now = place_now(case.since.moves, ground.file, ground.line)
            if ground.criterion == name and now is not None:
                yield Ground(name, *now)
