"""`verify --reviewer MODEL`: a model reviews a change that no agent of ours made, within a budget of its own.

The calls stand in the ledger of the verification as those of a run do: set aside before they are made.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from donewhen.config.paths import cache_folder
from donewhen.config.secret_names import secret_names
from donewhen.core import budget
from donewhen.core.budget import Account, Call, Exhausted, Granted, Price, Usage
from donewhen.core.errors import LimitReached
from donewhen.core.events import Body
from donewhen.core.quality.model import GateResult
from donewhen.core.reasons import StopReason
from donewhen.core.texts import Phrase
from donewhen.run.verifying.quality.applying import CHECK
from donewhen.run.verifying.reviewing import NAME, as_gate, subject_of
from donewhen.run.verifying.verdict import Judgement
from donewhen.secrets.redact import Redactor
from donewhen.verify.semantic.result import SemanticResult
from donewhen.verify.semantic.reviewing import review_change

if TYPE_CHECKING:
    from donewhen.core.agent import AgentView
    from donewhen.core.chat import Fitted, Talk
    from donewhen.run.verifying.looking import Looked, Means, Wanted
    from donewhen.run.verifying.reviewing import Reviewer

_AN_HOUR = 3600.0
_FAILED = "models.failed_"
_LONGER = {"key_missing": "key", "busy_long": "busy"}  # failures that the short form does not tell apart
_LIMITS: dict[str, StopReason] = {
    "models.no_money": "budget_exceeded",
    "models.no_tokens": "budget_exceeded",
    "models.no_time": "time_exceeded",
}

_NO_TALK = "a reviewer is asked by a prompt of its own"


class Silent:
    """The conversation of a reviewer, who has none."""

    def fit(self, view: "AgentView", *, tighter: int = 0) -> "Fitted":
        raise RuntimeError(_NO_TALK)  # a bug


class VerifyDesk:
    """An account for one verification. `post`: writes to its ledger."""

    plans = False
    seconds_left = _AN_HOUR

    def __init__(
        self,
        limit: float,
        post: Callable[..., None],
        count: Callable[[str], int],
        tell: Callable[[Phrase], None],
    ) -> None:
        self.account = Account(limit=budget.amount("money", limit))
        self.count = count
        self._post = post
        self._tell = tell
        self._calls = 0

    @property
    def talk(self) -> "Talk":
        return Silent()

    def alone(self, instructions: str, request: str) -> "Fitted":
        raise RuntimeError(_NO_TALK)  # a bug

    @property
    def left(self) -> int | None:
        return self.account.left

    def reserve(
        self, call: Call, price: Price, *, whole: bool = False, model: str = ""
    ) -> Granted | Exhausted:
        answer = budget.reserve(self.account, f"model-{self._calls + 1}", call, price)
        if isinstance(answer, Exhausted):
            return answer
        if whole and answer.output < call.output:
            return Exhausted("money")
        self._calls += 1
        self._take(answer.event._replace(model=model))
        return answer

    def book(self, key: str, used: Usage | None, *, model: str, cut: bool = False) -> None:
        self._take(budget.booking(self.account, key, "llm", used, cut=cut)._replace(model=model))

    def note(self, phrase: Phrase, *, warning: bool = False) -> None:
        self._tell(phrase)

    def _take(self, body: Body) -> None:
        self._post(body)
        self.account = budget.move(self.account, body)


def model_reviewer(
    looked: "Looked", wanted: "Wanted", means: "Means"
) -> "Callable[[Callable[..., None]], Reviewer] | None":
    """Asks the model that was named, once all else holds; UserError, before anything, when it can't be asked.

    What comes back wants to know how its calls are written down.
    """
    if not wanted.reviewer:
        return None
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

    async def asked(post: Callable[..., None], now: "Looked", holds: bool) -> GateResult | None:
        if not now.change.changed or not holds:
            return None
        means.progress(Phrase("semantic.reviewing"))
        desk = VerifyDesk(wanted.budget, post, counter_for(chosen.order[0]).count, means.progress)
        judge = ModelJudge(
            reviewing_means(config, means.env, cache_folder(means.env), chosen, ""),
            desk,
            lambda: desk.account.spent.micros,
            Redactor.from_environment(means.env, secret_names(config)).text,
            max_output=config.tools.llm.max_output,
            temperature=config.tools.llm.temperature,
        )
        try:
            subject = subject_of(now, now.judged.plan.promise)
            result = await review_change(judge, subject, named, language=means.language)
        except LimitReached as reached:
            why = Phrase(reached.key, reached.values)
            cost = desk.account.spent.micros / budget.MILLION
            result = SemanticResult("could_not_run", why=why, judge=judge.name, cost=cost)
        finally:
            await judge.close()
        return _for_verify(as_gate(result, asked=True))

    return lambda post: partial(asked, post)


def _for_verify(gate: GateResult) -> GateResult:
    """A verification can't be resumed: what a model's failure advises to a run is not said here."""
    why = gate.why
    inner = why.values.get("why") if why is not None else None
    failed = next((each for each in (why, inner) if _is_failure(each)), None)
    if not isinstance(failed, Phrase):
        return gate
    kind = failed.key.removeprefix(_FAILED)
    values = {name: failed.values.get(name, "") for name in ("model", "endpoint", "detail")}
    short = Phrase(f"models.why_{_LONGER.get(kind, kind)}")
    return gate._replace(why=Phrase("semantic.model_failed", {**values, "why": short}))


def _is_failure(each: object) -> bool:
    return isinstance(each, Phrase) and each.key.startswith(_FAILED)


def within_limits(judged: Judgement, gates: Iterable[GateResult]) -> Judgement:
    """The same, told as the end by a limit where nothing is wanting but a review that it did not allow."""
    limits = [_LIMITS[gate.why.key] for gate in gates if gate.why is not None and gate.why.key in _LIMITS]
    others = [each.id for each in judged.findings.failed if each.id != f"{CHECK}{NAME}"]
    if not limits or others or judged.stop_reason != "verification_execution_error":
        return judged
    return judged._replace(stop_reason=limits[0])
