"""`review_change`: both stages of one round, from the change to a result.

Without a judge nothing is reviewed, and that is said; with one, every doubt about whether it answered is
*could not run*. A tree that was reviewed already is not reviewed again, and no run is reviewed for ever.
"""

import hashlib
import time
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.config.sections_verify import Semantic
from donewhen.core.codec import dumps
from donewhen.core.findings import Feedback, FeedbackStatus
from donewhen.core.quality.model import Unreadable
from donewhen.core.semantic.addressed import addressed
from donewhen.core.semantic.cutting import LeftOut
from donewhen.core.semantic.model import STAGES, Review
from donewhen.core.semantic.prompt import Brief, asked_about, prompt_for
from donewhen.core.semantic.quotes import Tree, check_quotes
from donewhen.core.semantic.rounds import NO_ROUNDS, OVER, Rounds
from donewhen.core.semantic.since import NOTHING, Since, changed_since
from donewhen.core.semantic.weighing import weigh
from donewhen.core.texts import Language, Phrase, say
from donewhen.verify.semantic.asking import NoReview, Question, ask
from donewhen.verify.semantic.judge import Judge
from donewhen.verify.semantic.result import Overall, SemanticResult

_MOST_UNSEEN = 20


class Subject(NamedTuple):
    """What is reviewed. `since`: the diff from the tree of the last review to this one, if there was any."""

    brief: Brief
    tree: Tree
    fingerprint: str
    since: str = ""


class _Asked(NamedTuple):
    review: Review
    left_out: tuple[LeftOut, ...]


async def review_change(
    judge: Judge | None,
    subject: Subject,
    config: Semantic,
    earlier: Rounds = NO_ROUNDS,
    language: Language = "en",
    timeout: float | None = 600.0,
) -> SemanticResult:
    """`timeout`: seconds for each answer of the judge."""
    spoken = addressed(subject.brief.diff, config.min_confidence, language)
    if judge is None:
        return _told("skipped", Phrase("semantic.nobody"), spoken, earlier, language)
    settled = _without_asking(subject, config, earlier, language)
    if settled is not None:
        return _named(_with(settled, spoken), judge)
    started, spent = time.monotonic(), judge.cost
    result = await _round(judge, subject, config, earlier, language, timeout)
    took = round((time.monotonic() - started) * 1000)
    return _named(_with(result, spoken), judge)._replace(cost=judge.cost - spent, duration_ms=took)


def _without_asking(
    subject: Subject, config: Semantic, earlier: Rounds, language: Language
) -> SemanticResult | None:
    """The result where no review is needed or left; None: there is one to make."""
    if not subject.brief.objective.strip() and not subject.brief.criteria:
        return _told("skipped", Phrase("semantic.nothing_promised"), (), earlier, language)
    if earlier.subject == _digest(subject, config):  # also where somebody granted new rounds
        return SemanticResult(earlier.overall, earlier.feedback, earlier.done, state=earlier, again=True)
    if earlier.done < config.rounds:
        return None
    left = tuple(each for each in earlier.feedback if each.status == "fail")
    values = {"rounds": earlier.done}
    if left:
        why = Phrase("semantic.stays_open", values)
        over = Feedback("fail", "semantic", say(why.key, language, **values), rule=OVER)
        return SemanticResult("fail", (*left, over), earlier.done, state=earlier, why=why)
    return _told("skipped", Phrase("semantic.used_up", values), (), earlier, language)


async def _round(
    judge: Judge,
    subject: Subject,
    config: Semantic,
    earlier: Rounds,
    language: Language,
    timeout: float | None,
) -> SemanticResult:
    try:
        since = changed_since(subject.since) if earlier.done else None
    except Unreadable as error:
        why = Phrase("semantic.since_unreadable", {"why": Phrase(error.key, error.values)})
        return _told("could_not_run", why, (), earlier, language)
    asked = await _ask_both(judge, subject.brief, earlier, since, language, timeout)
    if isinstance(asked, NoReview):
        return _told("could_not_run", asked.why, (), earlier, language)
    gone = {each.id for each in earlier.open if each.remark.file and subject.tree(each.remark.file) is None}
    checked = check_quotes(asked.review, subject.tree, gone)
    found = weigh(checked, subject.brief.criteria, config.min_confidence, earlier, since or NOTHING, language)
    feedback = (*found.feedback, *_unseen(asked.left_out, language))
    state = Rounds(
        earlier.done + 1,
        _digest(subject, config),
        subject.fingerprint,
        found.overall,
        feedback,
        found.open,
        found.met,
        found.grounds,
        found.named,
        found.verdicts,
    )
    return SemanticResult(found.overall, feedback, state.done, state=state)


async def _ask_both(
    judge: Judge,
    brief: Brief,
    earlier: Rounds,
    since: Since | None,
    language: Language,
    timeout: float | None,
) -> _Asked | NoReview:
    """Spec compliance first; what it says is not told to the second stage."""
    whole = Review()
    left_out: tuple[LeftOut, ...] = ()
    for stage in STAGES:
        prompt = prompt_for(stage, brief, language, earlier.open, since)
        criteria = asked_about(stage, brief.criteria, earlier.open)
        answer = await ask(judge, Question(stage, prompt.text, criteria), language, timeout)
        if isinstance(answer, NoReview):
            return answer
        whole = Review((*whole.judged, *answer.judged), (*whole.remarks, *answer.remarks))
        left_out = prompt.left_out
    return _Asked(whole, left_out)


def _digest(subject: Subject, config: Semantic) -> str:
    """Of all that a verdict rests on; another diff of the same tree has another base."""
    brief = subject.brief
    parts = [
        subject.fingerprint,
        brief.objective,
        [list(each) for each in brief.criteria],
        list(brief.requirements),
        hashlib.sha256(brief.diff.encode("utf-8", "surrogatepass")).hexdigest(),
        config.min_confidence,
    ]
    return hashlib.sha256(dumps(parts).encode()).hexdigest()


def _unseen(left_out: Sequence[LeftOut], language: Language) -> tuple[Feedback, ...]:
    """What a reviewer did not see nobody reviewed."""
    named = tuple(
        _warning(say("semantic.not_seen", language, lines=each.lines))._replace(file=each.file)
        for each in left_out[:_MOST_UNSEEN]
    )
    rest = left_out[_MOST_UNSEEN:]
    if not rest:
        return named
    lines = sum(each.lines for each in rest)
    return (*named, _warning(say("semantic.not_seen_more", language, lines=lines, count=len(rest))))


def _warning(message: str) -> Feedback:
    return Feedback("warning", "semantic", message, rule="not-reviewed")


def _told(
    overall: Overall, why: Phrase, spoken: Sequence[Feedback], earlier: Rounds, language: Language
) -> SemanticResult:
    """A result of which there is one sentence to say."""
    status: FeedbackStatus = "fail" if overall == "could_not_run" else "skipped"
    told = Feedback(status, "semantic", say(why.key, language, **why.values), rule="review")
    result = SemanticResult(overall, (told,), earlier.done, state=earlier, why=why)
    return _with(result, spoken)


def _with(result: SemanticResult, spoken: Sequence[Feedback]) -> SemanticResult:
    """What the change says to its reviewer counts whether there is one or not."""
    overall = result.overall
    if overall != "could_not_run" and any(each.status == "fail" for each in spoken):
        overall = "fail"
    return result._replace(overall=overall, feedback=(*spoken, *result.feedback))


def _named(result: SemanticResult, judge: Judge) -> SemanticResult:
    return result._replace(judge=judge.name, model=judge.model)
