"""What became of accepted changes later, as people read it and as `--json` tells it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from donewhen.core.stats import Later
from donewhen.ui.output import one_line
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.ui.stats_looking import Fate

_SHOWN = 20


def shipped(later: Mapping[str, Later]) -> dict[str, Later]:
    """Those that left a commit somewhere; an answer leaves none."""
    return {run_id: each for run_id, each in later.items() if each.commits}


def false_accepts(later: Mapping[str, Later], fates: "Sequence[Fate]") -> list[str]:
    """Accepted runs whose change failed in CI or was taken back, as far as anybody knows."""
    found = [run_id for run_id, each in later.items() if each.ci == "ci_failed"]
    return list(dict.fromkeys(found + [fate.run_id for fate in fates if fate.state == "reverted"]))


def later_lines(later: Mapping[str, Later], fates: "Sequence[Fate] | None") -> Iterator[str]:
    """`fates` is None where nobody looked."""
    if not later:
        return
    yield f"\n{t('stats.audits')}"
    told = Counter(each.ci for each in later.values())
    counts = {"failed": told["ci_failed"], "passed": told["ci_passed"], "silent": told[""]}
    yield "  " + t("stats.audits_told", **counts)
    if fates is None:
        yield "  " + t("stats.audits_not_looked")
    else:
        yield "  " + t("stats.audits_looked", **_states(fates))
    doubted = list(_doubted(later, fates or ()))
    for run_id, word, commit in doubted[:_SHOWN]:
        yield "  ✗ " + t("stats.doubted_line", run=one_line(run_id), word=word, commit=commit[:12] or "–")
    if len(doubted) > _SHOWN:
        yield f"  … ({len(doubted) - _SHOWN})"


def _doubted(later: Mapping[str, Later], fates: "Sequence[Fate]") -> Iterator[tuple[str, str, str]]:
    for run_id, each in later.items():
        if each.ci == "ci_failed":
            yield run_id, t("stats.ci_failed"), next(reversed(each.commits), "")
    for fate in fates:
        if fate.state == "reverted":
            yield fate.run_id, t("stats.reverted", by=fate.by[:12]), fate.commit
        elif fate.state == "gone":
            yield fate.run_id, t("stats.gone"), fate.commit


def _states(fates: "Sequence[Fate]") -> dict[str, int]:
    counted = Counter(fate.state for fate in fates)
    return {state: counted[state] for state in ("reverted", "stands", "waiting", "gone", "unknown")}


def later_data(later: Mapping[str, Later], fates: "Sequence[Fate] | None") -> dict[str, Any]:
    told = Counter(each.ci for each in later.values())
    looked: dict[str, Any] | None = None
    if fates is not None:
        changes = [
            {"run": each.run_id, "state": each.state, "commit": each.commit, "by": each.by} for each in fates
        ]
        looked = {**_states(fates), "changes": changes}
    return {
        "accepted": len(later),
        "ci": {"failed": told["ci_failed"], "passed": told["ci_passed"], "not_told": told[""]},
        "looked": looked,
        "false_accepts": false_accepts(later, fates or ()),
    }
