"""The report of a run as one JSON object; docs/report.md has its fields.

The whole dossier, with the criteria as they stand and the sentences of the headline in the reader's language.
Texts of others are left as they are, except that they are JSON; whoever shows them makes them harmless.
"""

from typing import Any

from donewhen import __version__
from donewhen.core.codec import thaw
from donewhen.core.texts import Language, Phrase
from donewhen.run.reporting_criteria import criteria
from donewhen.run.reporting_model import Dossier
from donewhen.ui.reports.run_words import Words, lead, next_of

_MICROS = 1_000_000
_MONEY = ("budget_micros", "total_micros", "held_micros")
_OWN = ("proofs", "optional", "change", "spent", "record", "left_out")
_TOLD = ("turns", "tool_calls", "budget_used", "duration", "events", "head")  # under metrics and ledger


def run_data(dossier: Dossier, language: Language) -> dict[str, Any]:
    """What `report --json` prints, without the version of its form."""
    t = Words(language)
    todo = next_of(dossier, t)
    own = {name: value for name, value in dossier._asdict().items() if name not in (*_MONEY, *_OWN, *_TOLD)}
    return {
        "report": "run",
        "donewhen": __version__,
        **{name: _plain(value, t) for name, value in own.items()},
        "explanation": lead(dossier, t),
        "next": {"sentence": todo.sentence, "command": todo.command},
        "criteria": _plain(
            criteria(dossier.promise, dossier.proofs, accepted=dossier.verdict == "accepted"), t
        ),
        "proofs": _plain(dossier.proofs, t),
        "optional": _plain(dossier.optional, t),
        "change": _plain(dossier.change, t),
        "cost": _cost(dossier),
        "metrics": {
            "duration": dossier.duration,
            "turns": dossier.turns,
            "tool_calls": dossier.tool_calls,
            "attempts": len(dossier.attempts),
            "budget_used": dossier.budget_used,
        },
        "record": _plain(dossier.record, t),
        "ledger": {"events": dossier.events, "head": dossier.head},
        "left_out": [t.phrase(each) for each in dossier.left_out],
    }


def _cost(dossier: Dossier) -> dict[str, Any]:
    budget = dossier.budget_micros
    return {
        "total": dossier.total_micros / _MICROS,
        "held": dossier.held_micros / _MICROS,
        "budget": None if budget is None else budget / _MICROS,
        "spent": [
            {
                "kind": each.kind,
                "model": each.model,
                "cost": each.micros / _MICROS,
                "tokens_in": each.tokens_in,
                "tokens_out": each.tokens_out,
                "calls": each.calls,
            }
            for each in dossier.spent
        ],
    }


def _plain(value: Any, t: Words) -> Any:
    """NamedTuples with all their fields, phrases as sentences."""
    if isinstance(value, Phrase):
        return t.phrase(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(each, t) for name, each in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(each, t) for each in value]
    return thaw(value)
