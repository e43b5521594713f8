"""Who reviews the work of a run: a program or a model of the user's choice, else a configured model that is
not the author's. The author's own is left out, and that is said.

Calls are paid from the run's one account and end with the run. What a review came to stands in the ledger at
once, so that no tree is reviewed twice, however often the process dies.
"""

from functools import reduce
from typing import TYPE_CHECKING

from donewhen.config.paths import cache_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.budget import MILLION
from donewhen.core.codec import freeze
from donewhen.core.errors import UserError
from donewhen.core.events import facts, run
from donewhen.core.quality.model import GateResult
from donewhen.core.texts import Phrase, say
from donewhen.run.engine.live import Run
from donewhen.secrets.redact import Redactor
from donewhen.store.crashing import crash_point
from donewhen.verify.change import Looked
from donewhen.verify.review import (
    TIMEOUT,
    Judge,
    ProgramJudge,
    SemanticResult,
    as_gate,
    review_change,
    subject_of,
    who,
)
from donewhen.verify.review_protocol import Rounds, to_data

if TYPE_CHECKING:
    from donewhen.agents.models.judging import ModelJudge

_SHOWN = 20  # criteria in one sentence


class RunReviewer:
    """The reviewer of one attempt."""

    def __init__(self, live: Run) -> None:
        self._live = live
        self.notes: tuple[Phrase, ...] = ()  # what people are told at the end

    async def review(self, looked: Looked, holds: bool) -> GateResult | None:
        """None where nothing is reviewed; `holds`: else it is not worth asking anybody."""
        live = self._live
        if not live.terms.config.verification.semantic.enabled or not looked.change.changed:
            return None
        if not holds:
            return _still_open(live.state.rounds)
        if live.terms.config.verification.semantic.command:
            return await self._by(ProgramJudge(looked, live.terms.means, live.purse), looked)
        try:
            judge = model_judge(live)
        except UserError as error:  # a key that was there when the run began
            why = Phrase(error.key, error.values)
            return as_gate(SemanticResult("could_not_run", why=why, state=live.state.rounds), asked=True)
        try:
            return await self._by(judge, looked)
        finally:
            if judge is not None:
                await judge.close()

    async def _by(self, judge: Judge | None, looked: Looked) -> GateResult | None:
        live, semantic = self._live, self._live.terms.config.verification.semantic
        earlier = live.state.rounds
        if judge is not None:
            live.progress(Phrase("semantic.reviewing"))
        subject = subject_of(looked, live.state.promise, earlier)
        result = await review_change(judge, subject, semantic, earlier, live.language, TIMEOUT)
        if judge is None:
            author = _author(live)
            alone = Phrase("semantic.only_author", {"model": author}) if author else None
            result = result._replace(why=alone or Phrase("semantic.nobody_asked"))
        self.notes = _notes(result)
        if result.asked:
            said = (run.Noted(say(each.key, live.language, **each.values)) for each in self.notes)
            live.ledger.append(_reviewed(result, subject.fingerprint), *said)
            crash_point("reviewed")
        return as_gate(result, asked=judge is not None)


def _still_open(rounds: Rounds) -> GateResult | None:
    """What the last review found: nobody has said that it is mended."""
    left = tuple(each for each in rounds.feedback if each.status == "fail")
    return as_gate(SemanticResult("fail", left, state=rounds), asked=True) if left else None


def model_judge(live: Run) -> "ModelJudge | None":
    """The model that reviews; None where none is configured but the one that did the work."""
    from donewhen.agents.models.judging import ModelJudge, choose_reviewer, reviewing_means
    from donewhen.context.tokens import counter_for
    from donewhen.run.engine.desk import RunAccount

    config, env = live.terms.config, live.terms.means.env
    author = _author(live)
    chosen = choose_reviewer(config, env, author)
    if chosen is None or not chosen.order:
        return None
    desk = RunAccount(live, counter_for(chosen.order[0]).count)
    for note in chosen.notes if not live.state.rounds.done else ():
        desk.note(note)
    return ModelJudge(
        reviewing_means(config, env, cache_folder(env), chosen, author),
        desk,
        lambda: live.state.account.spent.micros,
        Redactor.from_environment(env, secret_names(config)).text,
        max_output=config.tools.llm.max_output,
        temperature=config.tools.llm.temperature,
    )


def _author(live: Run) -> str:
    if not live.agent.talks:
        return ""
    from donewhen.agents.llm import LlmAgent

    return live.agent.model if isinstance(live.agent, LlmAgent) else ""


def _reviewed(result: SemanticResult, tree: str) -> facts.Reviewed:
    settled = result.overall != "could_not_run"
    return facts.Reviewed(
        result.judge,
        result.overall,
        result.rounds,
        result.model,
        tree,
        freeze(dict(result.state.verdicts)) if settled else {},
        say(result.why.key, "en", **result.why.values) if result.why else "",
        round(result.cost * MILLION),
        result.duration_ms,
        freeze(to_data(result.state)) if settled else {},
    )


def _notes(result: SemanticResult) -> tuple[Phrase, ...]:
    """Who reviewed, what it said of each criterion, and what that cost."""
    if result.why is not None:
        return () if result.overall in ("fail", "could_not_run") else (result.why,)
    if not result.judge:
        return ()
    values = {"judge": who(result), "round": result.rounds, "verdicts": _verdicts(result)}
    if result.again:
        return (Phrase("semantic.reviewed_before", values),)
    return (Phrase("semantic.reviewed", {**values, "cost": _cost(result)}),)


def _verdicts(result: SemanticResult) -> Phrase | str:
    verdicts = list(result.state.verdicts.items())
    told = [_verdict(*each) for each in verdicts[:_SHOWN]]
    more = len(verdicts) - len(told)
    if not told:
        found = sum(each.status in ("fail", "warning") for each in result.feedback)
        return Phrase("semantic.no_criteria", {"findings": found})
    listed: list[Phrase | str] = [*told, *([f"+ {more}"] if more else [])]
    return reduce(lambda rest, first: Phrase("semantic.both", {"first": first, "rest": rest}), listed[::-1])


def _verdict(name: str, verdict: str) -> Phrase | str:
    known = verdict in ("met", "unmet", "unclear")
    return Phrase(f"semantic.verdict_{verdict}", {"name": name}) if known else f"{name} {verdict}"


def _cost(result: SemanticResult) -> Phrase:
    if not result.model:
        return Phrase("semantic.no_cost")
    return Phrase("semantic.cost", {"dollars": f"{result.cost:.4f}"})
