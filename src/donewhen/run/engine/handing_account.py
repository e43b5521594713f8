"""What a pull request tells of a run, gathered from its ledger as a report is; secrets go before any cut.

Where the ledger can't be read as a report, the promise and the decision are told alone: a hand-over must not
fail because there is little to say.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from donewhen.core import pull_request as told
from donewhen.core.budget import MILLION
from donewhen.core.errors import DonewhenError
from donewhen.core.events import facts
from donewhen.core.pull_request import Account, Criterion, Finding, Proof, Verdict
from donewhen.core.texts import Language, say
from donewhen.run.engine.live import Run
from donewhen.run.reporting import gather
from donewhen.run.reporting_criteria import criteria
from donewhen.run.reporting_model import Dossier, Evidence

_LARGEST_RECORD = 64 * 1024
_GRAVITY = ("fail", "warning")
_CATEGORIES = ("integrity", "security", "semantic", "quality", "style")
_OURS = "fingerprint"  # a verdict that only says which trees are alike
Clean = Callable[[str], str]


def account_of(live: Run, key: str, head: str, base: str, *, accepted: bool) -> Account:
    """All that the body of a pull request is made of."""
    clean = live.ledger.opened.redactor.text
    live.ledger.settle()
    decided = live.state.decided
    bare = Account(
        live.ledger.run_id,
        key,
        clean(live.state.promise.objective),
        head,
        base,
        tree=decided.fingerprint if decided else "",
        summary=clean(live.state.answer) if accepted else "",
        cause=clean(decided.cause or decided.stop_reason) if decided else "",
        missing=() if accepted or decided is None else tuple(map(clean, decided.details)),
        findings=() if accepted else tuple(_findings(live, clean)),
        verdicts=tuple(_verdicts(live, clean)),
        record=_record(live.record, clean) if accepted else told.Record(),
    )
    with suppress(DonewhenError):
        dossier = gather(live.ledger.opened, live.ledger.run_id, live.terms.means.env, live.language)
        return _with_dossier(bare, dossier, live.language, clean, accepted=accepted)
    return bare


def _with_dossier(
    account: Account, dossier: Dossier, language: Language, clean: Clean, *, accepted: bool
) -> Account:
    rests = criteria(dossier.promise, dossier.proofs, accepted=accepted)
    return account._replace(
        criteria=tuple(
            Criterion(clean(each.id), clean(each.description), each.status, each.proofs) for each in rests
        ),
        proofs=tuple(
            Proof(
                each.id,
                clean(each.label or each.target or each.id),
                each.status,
                clean(each.reason),
                tuple(clean(_evidence(one, language)) for one in each.evidence[-2:]),
            )
            for each in dossier.proofs
        ),
        files=tuple((each.change, clean(each.path)) for each in dossier.change.files),
        spent=_spent(dossier, language),
    )


def _evidence(evidence: Evidence, language: Language) -> str:
    counts = ", ".join(f"{name} {count}" for name, count in evidence.counts.items() if count)
    ended = f"exit {evidence.exit}" if evidence.exit is not None else evidence.status
    by = f"by {evidence.by}" if evidence.by else ""
    seq = say("pull_request.event", language, seq=evidence.seq)
    return ", ".join(part for part in (seq, evidence.what[:200], ended, by, counts) if part)


def _spent(dossier: Dossier, language: Language) -> str:
    values = {
        "spent": f"{dossier.total_micros / MILLION:.4f}",
        "turns": dossier.turns,
        "calls": dossier.tool_calls,
        "seconds": round(dossier.duration),
    }
    if dossier.budget_micros is None:
        return say("pull_request.cost_open", language, **values)
    return say("pull_request.cost", language, budget=f"{dossier.budget_micros / MILLION:.2f}", **values)


def _verdicts(live: Run, clean: Clean) -> Iterator[Verdict]:
    """What gates and the reviewer said last, each once."""
    last: dict[str, str] = {}
    for event in live.ledger.store.read(live.ledger.run_id):
        body = event.body
        if isinstance(body, facts.Verified) and body.verifier != _OURS:
            last[f"{body.verifier} {body.scope}".strip()] = body.verdict
    return (Verdict(clean(name), verdict) for name, verdict in last.items())


def _findings(live: Run, clean: Clean) -> Iterator[Finding]:
    """What failed or warns, most severe first."""
    told = [each for each in (live.attempt.feedback if live.attempt else ()) if each.status in _GRAVITY]
    told.sort(key=lambda each: (_GRAVITY.index(each.status), _CATEGORIES.index(each.category)))
    for each in told:
        yield Finding(each.status, clean(each.place), clean(each.message), clean(each.fix_suggestion))


def _record(path: Path | None, clean: Clean) -> told.Record:
    """The acceptance record whole, if it is short and no part of it would have to be taken out."""
    if path is None:
        return told.Record()
    try:
        data = path.read_bytes()
    except OSError:
        return told.Record()
    text = data.decode(errors="replace")
    fits = len(data) <= _LARGEST_RECORD and clean(text) == text
    return told.Record(text if fits else "", hashlib.sha256(data).hexdigest(), path.name)
