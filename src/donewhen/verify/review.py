"""Who reviews a change, and what his review means for the gate.

A reviewer is a program, a model, or a file; what he is asked and what his reply is worth is in
`review_protocol`. A change never chooses its reviewer.
"""

import asyncio
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from donewhen.config.files import read_bytes
from donewhen.config.paths import cache_folder
from donewhen.config.places import ConfigError, harmless
from donewhen.config.secret_names import secret_names
from donewhen.config.sections_verify import Semantic
from donewhen.config.yamltext import Odd, decode, plain, read_yaml
from donewhen.core import budget
from donewhen.core.budget import Account, Call, Exhausted, Granted, Price, Purse, Usage
from donewhen.core.correction import REVIEWS_USED_UP
from donewhen.core.errors import LimitReached, SetupError, UserError
from donewhen.core.events import Body
from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult, GateVerdict, Unreadable, Violation
from donewhen.core.reasons import StopReason
from donewhen.core.texts import LANGUAGES, Language, Phrase, say
from donewhen.hooks.stdout import stdout_in
from donewhen.secrets.redact import Redactor
from donewhen.verify.decision import Judgement
from donewhen.verify.quality.required import CHECK
from donewhen.verify.review_protocol import (
    LONGEST_REPLY,
    NO_ROUNDS,
    NOTHING,
    STAGES,
    Brief,
    Criterion,
    LeftOut,
    Review,
    ReviewError,
    Rounds,
    Stage,
    Tree,
    again,
    asked_about,
    assess,
    changed_since,
    check_quotes,
    pleas,
    prompt_for,
    read_review,
)
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished, Limits
from donewhen.workspace.processes.running import run
from donewhen.workspace.rooms.rooms import clean_room

if TYPE_CHECKING:
    from donewhen.agents.models.judging import ModelJudge
    from donewhen.core.promise import Promise
    from donewhen.verify.change import Looked, Means, Wanted

    Reviewer = Callable[[Looked, bool], Awaitable[GateResult | None]]
    "Asked whether all else holds: else nobody is asked, and only what was said before counts."

NAME = "semantic"
TIMEOUT = 600.0  # seconds for one answer
RETRIES = 2
Overall = Literal["pass", "fail", "could_not_run", "skipped"]


class JudgeError(SetupError):
    """The judge could not be asked; whatever goes wrong inside of one is mapped to this at its door."""


class Judge(Protocol):
    """Answers a prompt with text. Bounding time is the caller's business; being cancelled must end it."""

    @property
    def name(self) -> str:
        """As people are told."""

    @property
    def model(self) -> str:
        """The model behind it; empty where there is none."""

    @property
    def cost(self) -> float:
        """What it has spent so far, in the run's money."""

    async def review(self, prompt: str, stage: Stage = "spec") -> str:
        """A JudgeError when there is no answer."""


class Subject(NamedTuple):
    """What is reviewed. `since`: the diff from the tree of the last review to this one, if there was any."""

    brief: Brief
    tree: Tree
    fingerprint: str
    since: str = ""


class SemanticResult(NamedTuple):
    """`state` is for the next review of this run; `why`: why it was skipped, could not run, stays failed."""

    overall: Overall
    feedback: tuple[Feedback, ...] = ()
    judge: str = ""
    model: str = ""
    cost: float = 0.0
    duration_ms: int = 0
    state: Rounds = NO_ROUNDS
    why: Phrase | None = None
    again: bool = False  # nothing changed since the last review: its result stands

    @property
    def rounds(self) -> int:
        return self.state.done

    @property
    def asked(self) -> bool:
        """Whether somebody was asked just now, not at an earlier time or not at all."""
        return bool(self.judge) and not self.again and (self.overall == "could_not_run" or self.why is None)

    @property
    def blocks(self) -> bool:
        """A reviewer that is set up and could not review leaves the question open."""
        return self.overall in ("fail", "could_not_run")


_LONGEST_WHY = 500
_MOST_UNSEEN = 20


async def review_change(
    judge: Judge | None,
    subject: Subject,
    config: Semantic,
    earlier: Rounds = NO_ROUNDS,
    language: Language = "en",
    timeout: float | None = TIMEOUT,
) -> SemanticResult:
    """`timeout`: seconds for each answer of the judge."""
    spoken = pleas(subject.brief.diff, language)
    if judge is None:
        result = SemanticResult("skipped", state=earlier, why=Phrase("semantic.nobody"))
        return result._replace(feedback=(*spoken, *result.feedback))
    started, spent = time.monotonic(), judge.cost
    settled = _without_asking(subject, config, earlier, language)
    result = settled or await _round(judge, subject, config, earlier, language, timeout)
    took = 0 if settled else round((time.monotonic() - started) * 1000)
    return result._replace(
        feedback=(*spoken, *result.feedback),
        judge=judge.name,
        model=judge.model,
        cost=judge.cost - spent,
        duration_ms=took,
    )


def _without_asking(
    subject: Subject, config: Semantic, earlier: Rounds, language: Language
) -> SemanticResult | None:
    """The result where no review is needed or left; None: there is one to make."""
    if not subject.brief.objective.strip() and not subject.brief.criteria:
        return SemanticResult("skipped", state=earlier, why=Phrase("semantic.nothing_promised"))
    if earlier.subject == _digest(subject, config):  # also where somebody granted new rounds
        return SemanticResult(earlier.overall, earlier.feedback, state=earlier, again=True)
    if earlier.done < config.rounds:
        return None
    left = tuple(each for each in earlier.feedback if each.status == "fail")
    values = {"rounds": earlier.done}
    if not left:
        return SemanticResult("skipped", state=earlier, why=Phrase("semantic.used_up", values))
    why = Phrase("semantic.stays_open", values)
    over = Feedback("fail", "semantic", say(why.key, language, **values), rule=REVIEWS_USED_UP)
    return SemanticResult("fail", (*left, over), state=earlier, why=why)


async def _round(
    judge: Judge,
    subject: Subject,
    config: Semantic,
    earlier: Rounds,
    language: Language,
    timeout: float | None,
) -> SemanticResult:
    """Spec compliance first; what it says is not told to the second stage."""
    try:
        since = changed_since(subject.since) if earlier.done else None
    except Unreadable as error:
        why = Phrase("semantic.since_unreadable", {"why": Phrase(error.key, error.values)})
        return SemanticResult("could_not_run", state=earlier, why=why)
    brief, whole = subject.brief, Review()
    left_out: tuple[LeftOut, ...] = ()
    for stage in STAGES:
        prompt = prompt_for(stage, brief, language, earlier.open, since)
        criteria = asked_about(stage, brief.criteria, earlier.open)
        answer = await _ask(judge, prompt.text, criteria, stage, language, timeout)
        if isinstance(answer, Phrase):
            return SemanticResult("could_not_run", state=earlier, why=answer)
        whole = Review((*whole.judged, *answer.judged), (*whole.remarks, *answer.remarks))
        left_out = prompt.left_out
    gone = {each.id for each in earlier.open if each.remark.file and subject.tree(each.remark.file) is None}
    checked = check_quotes(whole, subject.tree, gone)
    found = assess(checked, brief.criteria, config.min_confidence, earlier, since or NOTHING, language)
    feedback = (*found.feedback, *_not_seen(left_out, language))
    state = found._replace(subject=_digest(subject, config), tree=subject.fingerprint, feedback=feedback)
    return SemanticResult(state.overall, feedback, state=state)


async def _ask(
    judge: Judge,
    question: str,
    criteria: Sequence[Criterion],
    stage: Stage,
    language: Language,
    timeout: float | None,
) -> Review | Phrase:
    """The review, or why there is none."""
    prompt = question
    for _ in range(RETRIES + 1):
        try:
            async with asyncio.timeout(timeout) as limit:
                reply = await judge.review(prompt, stage)
        except SetupError as error:
            return _failed(judge, Phrase(error.key, error.values))
        except OSError as error:  # a TimeoutError is one, ours or the judge's own
            if limit.expired():
                return Phrase("semantic.judge_slow", {"judge": judge.name, "seconds": timeout})
            return _failed(judge, str(error)[:_LONGEST_WHY] or type(error).__name__)
        try:
            return read_review(reply, criteria, stage)
        except ReviewError as error:
            wrong, prompt = error, again(question, error.say(language), language)
    values = {"judge": judge.name, "times": RETRIES + 1, "problems": Phrase(wrong.key, wrong.values)}
    return Phrase("semantic.no_review", values)


def _failed(judge: Judge, why: Phrase | str) -> Phrase:
    return Phrase("semantic.judge_failed", {"judge": judge.name, "why": why})


def _digest(subject: Subject, config: Semantic) -> str:
    """Of all that a verdict rests on; another diff of the same tree has another base."""
    parts = (subject.fingerprint, subject.brief, config.min_confidence)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _not_seen(left_out: Sequence[LeftOut], language: Language) -> Iterator[Feedback]:
    """What a reviewer did not see nobody reviewed."""
    for each in left_out[:_MOST_UNSEEN]:
        message = say("semantic.not_seen", language, lines=each.lines)
        yield Feedback("warning", "semantic", message, each.file, rule="not-reviewed")
    rest = left_out[_MOST_UNSEEN:]
    if rest:
        lines = sum(each.lines for each in rest)
        message = say("semantic.not_seen_more", language, lines=lines, count=len(rest))
        yield Feedback("warning", "semantic", message, rule="not-reviewed")


# A review that a human wrote.


class WrittenReview:
    """One review for both stages. Findings go to the stage that they name, the first where they name none."""

    model = ""
    cost = 0.0

    def __init__(self, review: Mapping[str, Any], name: str) -> None:
        self.name = name
        self._review = review

    async def review(self, prompt: str, stage: Stage = "spec") -> str:
        reply = {**self._review, **({"criteria": []} if stage == "robustness" else {})}
        found = reply.get("findings", [])
        if isinstance(found, list):
            reply["findings"] = [each for each in found if _is_robustness(each) is (stage == "robustness")]
        return json.dumps(reply, ensure_ascii=False)


def _is_robustness(finding: Any) -> bool:
    return isinstance(finding, dict) and finding.get("stage") == "robustness"


def written_review(path: Path) -> WrittenReview:
    """YAML or JSON; UserError when it can't be read or is no review."""
    why = Phrase("semantic.written_absent")
    try:
        data = read_bytes(path, str(path))
        if data is not None:
            found = _load(decode(data, str(path)), str(path))
            if isinstance(found, dict) and found and found.keys() <= {"criteria", "findings"}:
                return WrittenReview(found, path.name)
            why = Phrase("semantic.written_shape")
    except ConfigError as error:
        why = Phrase(error.key, error.values)
    raise UserError("semantic.written_unreadable", file=harmless(str(path)), why=why)


def _load(text: str, source: str) -> Any:
    """JSON is tried first: it may be indented by tabs, which YAML refuses."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return _written(plain(read_yaml(text, source)))


def _written(value: Any) -> Any:
    """Dates and odd numbers as they are written; depth is bounded by the reader."""
    if isinstance(value, Odd):
        return value.text
    if isinstance(value, dict):
        return {key: _written(inner) for key, inner in value.items()}
    return [_written(inner) for inner in value] if isinstance(value, list) else value


# The review as a gate of `verify` and `run`.

_CONTEXT = 3  # lines around a change
_LARGEST = 2 * 1024 * 1024  # bytes of a file that quotes are looked for in
_VERDICTS: dict[str, GateVerdict] = {"pass": "passed", "fail": "failed", "could_not_run": "could_not_run"}


async def review(looked: "Looked", wanted: "Wanted", means: "Means") -> GateResult | None:
    """What is known before anything is run; None where nothing is reviewed, or somebody is asked later."""
    semantic = looked.rules.config.verification.semantic
    if not looked.change.changed or not (semantic.enabled or wanted.review):
        return None
    if not wanted.review and (wanted.reviewer or semantic.command):
        return None
    judge = written_review(means.folder / wanted.review) if wanted.review else None
    subject = subject_of(looked, looked.judged.plan.promise)
    result = await review_change(judge, subject, semantic, language=means.language)
    return as_gate(result, asked=bool(wanted.review))


def later_reviewer(
    looked: "Looked", wanted: "Wanted", means: "Means"
) -> "Callable[[Spending], Reviewer] | None":
    """Asks the model that was named, else the user's program, once all else holds; None where there is none.

    UserError, before anything, when the model can't be asked. What comes back wants to know how its calls are
    written down.
    """
    semantic = looked.rules.config.verification.semantic
    model = _model_judge(looked, wanted, means) if wanted.reviewer else None
    if model is None and (wanted.review or not semantic.enabled or not semantic.command):
        return None

    async def asked(spending: "Spending", now: "Looked", holds: bool) -> GateResult | None:
        if not now.change.changed or not holds:
            return None
        means.progress(Phrase("semantic.reviewing"))
        judge = model(spending) if model else ProgramJudge(now, means, spending.purse)
        try:
            subject = subject_of(now, now.judged.plan.promise)
            result = await review_change(judge, subject, semantic, language=means.language)
        except LimitReached as reached:
            why = Phrase(reached.key, reached.values)
            result = SemanticResult("could_not_run", why=why, judge=judge.name, cost=judge.cost)
        finally:
            await judge.close()
        return _for_verify(as_gate(result, asked=True))

    return lambda spending: partial(asked, spending)


def subject_of(looked: "Looked", promise: "Promise", earlier: Rounds = NO_ROUNDS) -> Subject:
    """The change as a reviewer is told of it; never what its author says about it."""
    change, fingerprints = looked.change, looked.fingerprints
    base = fingerprints.tree(change.base.commit)

    def text(path: str) -> str | None:
        data = fingerprints.content(change.fingerprint.tree, path)
        return data[:_LARGEST].decode(errors="surrogateescape") if data is not None else None

    criteria, requirements = _promised(promise)
    diff = fingerprints.diff(base, change.fingerprint.tree, _CONTEXT)
    brief = Brief(promise.objective, criteria, diff, tuple(sorted(change.changed)), requirements)
    return Subject(brief, text, change.fingerprint.relevant, _since(looked, earlier, base))


def _since(looked: "Looked", earlier: Rounds, base: str) -> str:
    """What changed after the last review; where its tree is gone, all that the change has."""
    if not earlier.done:
        return ""
    now = looked.change.fingerprint.relevant
    try:
        return looked.fingerprints.diff(earlier.tree, now)
    except SetupError:
        return looked.fingerprints.diff(base, now)


def _promised(promise: "Promise") -> tuple[tuple[Criterion, ...], tuple[str, ...]]:
    """What must hold, and the requirements of a spec with their scenarios, of which a criterion has one line.

    A command that is run speaks about every criterion that asks for no other evidence.
    """
    runs = bool(promise.accept) or any(check.kind == "command_success" for check in promise.checks)
    scenarios = {f"check:{check.id}" for check in promise.checks if check.kind == "scenario"}
    # that all checks pass a reviewer can't see
    made_up = {say("intake.made_up", language): say("semantic.whole", language) for language in LANGUAGES}
    criteria, requirements = list[Criterion](), list[str]()
    for each in promise.acceptance:
        first, _, rest = each.description.partition("\n")
        if rest and not scenarios.isdisjoint(each.evidence_required):
            source = f" ({each.source})" if each.source else ""
            requirements.append(f"{each.id}{source}\n{each.description}")
        else:
            first = each.description
        text = made_up.get(each.source, first)
        criteria.append(Criterion(each.id, text, covered=runs or bool(each.evidence_required)))
    return tuple(criteria), tuple(requirements)


def as_gate(result: SemanticResult, *, asked: bool) -> GateResult:
    """`asked`: somebody is set up to review. Reviews that are used up are told, and stand against nothing."""
    verdict: GateVerdict = _VERDICTS.get(result.overall, "skipped")
    told = (each for each in result.feedback if each.status in ("fail", "warning"))
    return GateResult(
        NAME,
        verdict,
        required=asked and verdict != "skipped",
        violations=tuple(map(_violation, told)),
        why=result.why,
        tool=who(result),
        numbers={"round": result.rounds, "cost": result.cost} if result.cost else {},
        duration_ms=result.duration_ms,
    )


def who(result: SemanticResult) -> str:
    return " ".join(dict.fromkeys(part for part in (result.judge, result.model) if part))


def _violation(each: Feedback) -> Violation:
    return Violation(
        each.rule or NAME,
        each.message,
        each.file,
        each.line,
        each.column,
        "error" if each.status == "fail" else "warning",
        fix=each.fix_suggestion,
        confidence=each.confidence,
        details=each.details,
    )


def stops(looked: "Looked", reviewed: GateResult | None) -> bool:
    """Whether nothing else is run because of what the reviewer said."""
    if reviewed is None or looked.rules.config.verification.semantic.continue_on_fail:
        return False
    return reviewed.blocks


_MOST = 4 * LONGEST_REPLY  # bytes
_SHOWN = 300
# The words of the command are arguments of the shell's own, never part of what it reads.
_APART = ("/bin/sh", "-c", 'out=$1; shift; exec "$@" >"$out"', "sh")


class ProgramJudge:
    """A program of the user, run in a fresh folder with the base of the change, never with its tree."""

    model = ""

    def __init__(self, looked: "Looked", means: "Means", purse: "Purse") -> None:
        config, root = looked.rules.config, looked.repository.root
        self.cost = 0.0
        self._price, self._purse = config.verification.semantic.cost, purse
        self._argv = config.verification.semantic.command
        self.name = harmless(Path(self._argv[0]).name)
        self._looked = looked
        self._redactor = Redactor.from_environment(means.env, secret_names(config))
        self._roots = tuple(dict.fromkeys((str(root), os.path.realpath(root))))
        self._env = command_environment(means.env, config.sandbox.env)
        self._env["PATH"] = self._path(self._env.get("PATH", ""))

    @contextmanager
    def _base(self) -> Iterator[Path]:
        """A folder with the base of the change, and nothing in it where there is none."""
        looked, commit = self._looked, self._looked.change.base.commit
        if not commit:
            with tempfile.TemporaryDirectory(prefix="donewhen-review-") as empty:
                yield Path(empty)
            return
        tree = looked.fingerprints.tree(commit)
        with clean_room(looked.repository, looked.fingerprints, tree, looked.places, commit) as room:
            yield room.folder

    async def review(self, prompt: str, stage: Stage = "spec") -> str:
        told = self._redactor.text(prompt).encode("utf-8", "backslashreplace")
        if not self._purse.hold(NAME, budget.amount("money", self._price)):
            raise LimitReached("quality.no_money", gate=self.name, cost=f"{self._price:.4f}")
        self._purse.book(NAME, "llm")
        self.cost += self._price
        try:
            with (
                self._base() as folder,
                tempfile.TemporaryDirectory(prefix="donewhen-review-") as desk,
                stdout_in(Path(desk), _MOST + 1) as stdout,
            ):
                argv = (*_APART, str(stdout.path), *self._words(folder))
                command = Command(
                    folder,
                    Path(desk),
                    argv,
                    env=self._env,
                    stdin=told,
                    timeout=TIMEOUT,
                    limits=Limits(output=_MOST),
                    redactor=self._redactor,
                )
                finished = await run(command)
                printed = stdout.whole()
        except OSError as error:
            raise JudgeError("hooks.not_run", why=error.strerror or "-") from None
        except JudgeError:
            raise
        except SetupError as error:  # no room for the base
            raise JudgeError(error.key, **error.values) from None
        return self._said(finished, printed)

    async def close(self) -> None:
        """Nothing stays open."""

    def _words(self, folder: Path) -> tuple[str, ...]:
        """The command, with files of the judged tree as those of the base; JudgeError where it can't run."""
        words = tuple(self._of_base(word, folder) for word in self._argv)
        program = words[0]
        found = shutil.which(folder / program if "/" in program else program, path=self._env["PATH"])
        if found is None:
            raise JudgeError("semantic.program_absent", program=harmless(self._argv[0]))
        return words

    def _of_base(self, word: str, folder: Path) -> str:
        below = self._below(word) if word.startswith("/") else None
        if below is not None:
            return str(folder / below)
        if any(re.search(rf"(?<![\w./-]){re.escape(root)}(?![\w.-])", word) for root in self._roots):
            raise JudgeError(
                "semantic.program_inside", word=harmless(word), folder=self._looked.repository.root
            )
        return word

    def _below(self, path: str) -> str | None:
        """A whole path as one from the judged tree's root; None for what lies elsewhere."""
        try:
            forms = (os.path.normpath(path), os.path.realpath(path))
        except (OSError, ValueError):  # a word may be anything
            return None
        for form in forms:
            for root in self._roots:
                if form == root or form.startswith(f"{root}/"):
                    return os.path.relpath(form, root)
        return None

    def _path(self, path: str) -> str:
        """Without folders of the judged tree, and those that depend on where it is run."""
        kept = (each for each in path.split(":") if each.startswith("/") and self._below(each) is None)
        return ":".join(kept)

    def _said(self, finished: Finished, printed: bytes) -> str:
        if finished.timed_out:
            raise JudgeError("hooks.timed_out", seconds=f"{TIMEOUT:g}")
        if finished.failure is not None:
            raise JudgeError("hooks.not_run", why=finished.failure)
        if len(printed) > _MOST:
            raise JudgeError("semantic.program_long", limit=_MOST)
        if finished.exit == 0 and printed.strip():
            return printed.decode(errors="replace")
        tail = harmless(finished.output.text.strip()[-_SHOWN:])
        if tail:
            raise JudgeError("semantic.program_failed", exit=finished.exit, tail=tail)
        raise JudgeError("semantic.program_silent", exit=finished.exit)


_AN_HOUR = 3600.0
_FAILED = "models.failed_"
_LONGER = {"key_missing": "key", "busy_long": "busy"}  # failures that the short form does not tell apart
_LIMITS: dict[str, StopReason] = {
    "models.no_money": "budget_exceeded",
    "models.no_tokens": "budget_exceeded",
    "models.no_time": "time_exceeded",
    "quality.no_money": "budget_exceeded",
}


class Spending:
    """What one verification may spend, and has spent. `post` writes to its ledger, at once."""

    def __init__(self, limit: float, post: Callable[[Body], object]) -> None:
        self.account = Account(limit=budget.amount("money", limit))
        self.purse = Purse(lambda: self.account, self.take)
        self._post = post

    def take(self, body: Body) -> None:
        self._post(body)
        self.account = budget.move(self.account, body)


class VerifyAccount:
    """The account of one verification, for calls of models."""

    seconds_left = _AN_HOUR

    def __init__(
        self,
        spending: Spending,
        count: Callable[[str], int],
        tell: Callable[[Phrase], None],
    ) -> None:
        self.count = count
        self._spending = spending
        self._tell = tell
        self._calls = 0

    @property
    def left(self) -> int | None:
        return self._spending.account.left

    def reserve(
        self, call: Call, price: Price, *, whole: bool = False, model: str = ""
    ) -> Granted | Exhausted:
        answer = budget.reserve(self._spending.account, f"model-{self._calls + 1}", call, price)
        if isinstance(answer, Exhausted):
            return answer
        if whole and answer.output < call.output:
            return Exhausted("money")
        self._calls += 1
        self._spending.take(answer.event._replace(model=model))
        return answer

    def book(self, key: str, used: Usage | None, *, model: str, cut: bool = False) -> None:
        booked = budget.booking(self._spending.account, key, "llm", used, cut=cut)
        self._spending.take(booked._replace(model=model))

    def note(self, phrase: Phrase, *, warning: bool = False) -> None:
        self._tell(phrase)


def _model_judge(looked: "Looked", wanted: "Wanted", means: "Means") -> "Callable[[Spending], ModelJudge]":
    from donewhen.agents.models.judging import ModelJudge, choose_reviewer, reviewing_means
    from donewhen.context.tokens import counter_for

    config = looked.rules.config
    named = config.verification.semantic.model_copy(update={"model": wanted.reviewer, "enabled": True})
    config = config.model_copy(
        update={"verification": config.verification.model_copy(update={"semantic": named})}
    )
    chosen = choose_reviewer(config, means.env)
    if chosen is None:
        raise RuntimeError("a model is named")  # a bug

    def judge(spending: Spending) -> ModelJudge:
        desk = VerifyAccount(spending, counter_for(chosen.order[0]).count, means.progress)
        return ModelJudge(
            reviewing_means(config, means.env, cache_folder(means.env), chosen, ""),
            desk,
            lambda: spending.account.spent.micros,
            Redactor.from_environment(means.env, secret_names(config)).text,
            max_output=config.tools.llm.max_output,
            temperature=config.tools.llm.temperature,
        )

    return judge


def _for_verify(gate: GateResult) -> GateResult:
    """A verification can't be resumed: what a model's failure advises to a run is not said here."""
    told = (gate.why, gate.why.values.get("why") if gate.why else None)
    failed = next((each for each in told if isinstance(each, Phrase) and each.key.startswith(_FAILED)), None)
    if failed is None:
        return gate
    kind = failed.key.removeprefix(_FAILED)
    values = {name: failed.values.get(name, "") for name in ("model", "endpoint", "detail")}
    short = Phrase(f"models.why_{_LONGER.get(kind, kind)}")
    return gate._replace(why=Phrase("semantic.model_failed", {**values, "why": short}))


def within_limits(judged: Judgement, gates: Iterable[GateResult]) -> Judgement:
    """The same, told as the end by a limit where nothing is wanting but a review that it did not allow."""
    limits = [_LIMITS[gate.why.key] for gate in gates if gate.why is not None and gate.why.key in _LIMITS]
    others = [each.id for each in judged.findings.failed if each.id != f"{CHECK}{NAME}"]
    if not limits or others or judged.stop_reason != "verification_execution_error":
        return judged
    return judged._replace(stop_reason=limits[0])
