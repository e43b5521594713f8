"""A run as it ended, put together from its ledger for whoever asked for it."""

from collections.abc import Mapping

from donewhen.core.checks import scenarios_of
from donewhen.core.codec import Json, thaw
from donewhen.core.errors import SetupError
from donewhen.core.events.facts import Verified
from donewhen.core.events.run import Decided
from donewhen.core.reasons import STOP_REASONS, exit_code
from donewhen.core.texts import Phrase
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Linked, Outcome
from donewhen.verify.record import decision_data

_WAITING = 4  # exit code of a run that is left paused
_INTERRUPTED = 130
_MACHINE = 5  # of one that waits for the machine
_NOT_FINISHED = decision_data(Decided("continue"))


def outcome_of(live: Run) -> Outcome:
    state = live.state
    site = live.room.site if live.has_room else None
    position = state.position.state
    row = live.ledger.store.summary(live.ledger.run_id)  # lists, pages and figures say the same
    return Outcome(
        live.ledger.run_id,
        position,
        _decision(live),
        _exit(live),
        branch=live.shipped.branch if live.shipped else "",
        commit=live.shipped.commit if live.shipped else "",
        target=live.shipped.into if live.shipped else "",
        merged=live.shipped.merged if live.shipped else "",
        workspace=site.folder if site and site.workspace and site.folder.exists() else None,
        record=live.record,
        feedback=live.attempt.feedback if live.attempt else (),
        changed=_changed(live),
        scenarios=_scenarios(live),
        pull=live.pull,
        warnings=live.warnings,
        notes=_notes(live),
        turns=row.turns,
        tool_calls=row.tool_calls,
        attempts=row.attempts,
        work=live.rescued,
        cost_micros=state.account.spent.micros,
        budget_micros=state.account.limit,
        duration=round(live.elapsed, 3),
        sandbox=live.room.sandbox if live.has_room else live.sandbox,
        error=live.error,
    )


def _decision(live: Run) -> Mapping[str, Json]:
    """The decision as it stands; a run that waits says for what."""
    decided = live.state.decided
    data = decision_data(decided) if decided else _NOT_FINISHED
    if live.error is None or (decided is not None and decided.stop_reason):
        return data
    said = live.error.say(live.language)
    return {**data, "cause": live.error.key, "summary": said, "details": (said, *data["details"])}


def _exit(live: Run) -> int:
    decided = live.state.decided
    if live.put_aside:
        return _INTERRUPTED
    if live.state.position.state == "paused":
        return _MACHINE if isinstance(live.error, SetupError) else _WAITING
    reason = decided.stop_reason if decided else ""
    return next((exit_code(known) for known in (reason,) if known in STOP_REASONS), 1)  # type: ignore[arg-type]


def _scenarios(live: Run) -> tuple[Linked, ...]:
    """Those that the promise still asks for."""
    found = live.state.scenarios
    wanted = [check for check in live.state.promise.checks if check.kind == "scenario"]
    names = dict.fromkeys(name for check in wanted for name in scenarios_of(check))
    return tuple(_linked(name, *found[name]) for name in names if name in found)


def _linked(name: str, seq: int, body: Verified) -> Linked:
    tests = thaw(body.details).get("linked")
    listed = tuple(map(str, tests)) if isinstance(tests, list) else ()
    return Linked(name, body.verdict, listed, seq)


def _changed(live: Run) -> tuple[str, ...]:
    return live.changed_paths


def _notes(live: Run) -> tuple[Phrase | str, ...]:
    more = live.attempt.notes if live.attempt else ()
    return (*live.terms.rules.notes, *live.terms.planned.plan.warnings, *more, *live.notes)
