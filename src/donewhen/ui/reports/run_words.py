"""What every report of a run says, in the same words: headline, next step, figures, facts of an evidence.

Pure: reads a dossier, makes no markup. Texts that it returns may hold foreign text, which each format makes
harmless in its own way.
"""

import shlex
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from donewhen.core.reasons import STOP_REASONS, explain, next_step
from donewhen.core.texts import Language, Phrase, say
from donewhen.run.reporting_model import Attempt, Dossier, Evidence, Proven
from donewhen.ui.causes import said_cause
from donewhen.ui.runs_text import held, lasted, money, size

MARKS: Mapping[str, str] = {"passed": "✓", "pending": "○", "failed": "✗", "stale": "↻", "masked": "◐"}
VERDICT_MARKS: Mapping[str, str] = {"accepted": "✓", "not_accepted": "✗", "waiting": "‖", "running": "…"}
ATTEMPT_MARKS: Mapping[str, str] = {"accepted": "✓"}
_KINDS = frozenset(
    "command_success workspace_change output_only file_exists content_contains tool_fact quality_gate "
    "scenario integrity scope unsafe todo deliverable evidence gate-passed user-confirmed".split()
)
_SOURCES = frozenset({"promise", "plan", "change", "todo"})
_BY = frozenset({"agent", "harness", "hook", "human"})
_VERDICTS = frozenset({"passed", "failed", "warning", "skipped", "could_not_run"})
_PROOFS = frozenset({"command", "file", "content", "verification", "approval"})
_MOST_MISSING = 3
TODOS = frozenset({"pending", "in_progress", "blocked", "completed", "failed", "canceled"})
_COUNTS = ("executed", "passed", "failed", "errors", "skipped")
SHORT = 12  # characters of an object id


class Next(NamedTuple):
    """What the reader can do now."""

    sentence: str
    command: str = ""
    place: str = ""  # where the work is, when nothing has to be typed

    @property
    def shown(self) -> str:
        """What stands behind the sentence; others may have named parts of it."""
        return self.command or self.place


class Figure(NamedTuple):
    name: str  # key of the catalogue
    value: str
    more: str = ""


class Words:
    """The catalogue in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        return say(f"reporting.{key}", self.language, **values)

    def phrase(self, phrase: Phrase) -> str:
        return say(phrase.key, self.language, **phrase.values)

    def known(self, prefix: str, name: str, names: frozenset[str]) -> str:
        """A word of ours for a name of a closed set; any other name as it is."""
        return self(f"{prefix}_{name}") if name in names else name


def brand(dossier: Dossier, t: Words) -> str:
    return t("brand_verify" if dossier.kind == "verify" else "brand", run=dossier.run)


def goal_of(dossier: Dossier) -> str:
    """A verification has no goal of its own but what it was to prove."""
    objective = dossier.promise.get("objective") if dossier.kind == "verify" else ""
    return str(objective or dossier.goal)


def lead(dossier: Dossier, t: Words) -> str:
    """The sentence below the verdict: why it is so."""
    decision, reason = dossier.decision, str(dossier.decision.get("stop_reason") or "")
    summary = str(decision.get("summary") or "")
    if dossier.verdict == "accepted":
        return summary or explain("accepted", t.language)
    client = dossier.about.get("client", "")
    if dossier.verdict == "running" and client:
        return t("lead_client", client=client)
    if dossier.verdict == "running":
        return t("lead_running" if dossier.executed else "lead_nobody", state=dossier.state)
    plain = explain(reason, t.language) if reason in STOP_REASONS else ""  # type: ignore[arg-type]
    if plain:
        return summary if summary.startswith(plain) else explain(reason, t.language, detail=summary)  # type: ignore[arg-type]
    return t("lead_waiting", text=summary or dossier.state) if dossier.verdict == "waiting" else summary


def missing(dossier: Dossier, t: Words) -> str:
    """The first proofs that are not there, with their reasons; empty where none is missing."""
    if dossier.verdict == "accepted":
        return ""
    owed = [proof for proof in dossier.proofs if proof.status != "passed"]
    told = [
        f"{name_of(proof, t)}: {proof.reason}" if proof.reason else name_of(proof, t)
        for proof in owed[:_MOST_MISSING]
    ]
    more = [t("more", count=len(owed) - len(told))] if len(owed) > len(told) else []
    return t("missing", proofs="; ".join([*told, *more])) if told else ""


def name_of(proof: Proven, t: Words) -> str:
    """What a person calls it; a kind that has one thing only is its own name."""
    return proof.label or proof.target or kind_of(proof, t)


def told_attempts(dossier: Dossier) -> Iterator[tuple[Attempt, int]]:
    """Attempts in order; the same claim refused for the same reasons again and again is one, with a count."""
    for _, same in groupby(dossier.attempts, key=lambda each: (each.status, each.claim, each.why, each.tree)):
        first, *others = same
        yield first, 1 + len(others)


def why_of(attempt: Attempt, t: Words) -> Iterator[str]:
    """Why it was refused, or what proved it, in words."""
    for each in attempt.why:
        kind, colon, rest = each.partition(":")
        named = colon and attempt.status == "accepted" and kind in _PROOFS
        yield t(f"why_{kind}", name=rest.rstrip("/")) if named else each


def cause(dossier: Dossier, t: Words) -> str:
    """The stop reason by its name, as `--json` has it, and its cause in words."""
    reason, why = (str(dossier.decision.get(key) or "") for key in ("stop_reason", "cause"))
    shown = " · ".join(part for part in (reason, said_cause(why)) if part)
    return t("cause", cause=shown) if shown and dossier.verdict != "accepted" else ""


def next_of(dossier: Dossier, t: Words) -> Next:
    """One step, with the command for it where there is one."""
    run = dossier.run
    if dossier.verdict == "accepted":
        branch = dossier.about.get("branch", "")
        if dossier.kind == "verify" or not dossier.about.get("commit"):
            return Next(t("next_nothing"))
        return _after_acceptance(dossier, branch, t)
    if dossier.kind == "verify":
        return Next(t("next_fix"), "donewhen verify")
    if dossier.about.get("client"):
        return Next(t("next_client", client=dossier.about["client"]), f"donewhen logs {run}")
    if dossier.verdict == "running":
        follow = Next(t("next_follow"), f"donewhen logs {run} -f")
        return follow if dossier.executed else Next(t("next_resume"), f"donewhen resume {run}")
    asked = next((each for each in reversed(dossier.questions) if not each.answer), None)
    if asked and dossier.verdict == "waiting":
        return Next(t("next_answer"), f"donewhen approve {asked.ask}")
    reason = str(dossier.decision.get("stop_reason") or "")
    cause = str(dossier.decision.get("cause") or "")
    over = dossier.verdict != "waiting"
    sentence = next_step(reason, t.language, cause, over=over) if reason in STOP_REASONS else t("next_look")  # type: ignore[arg-type]
    by_hand = " && ".join(dossier.by_hand) or f"donewhen show {run}"
    return Next(sentence, by_hand if over else f"donewhen resume {run}")


def _after_acceptance(dossier: Dossier, branch: str, t: Words) -> Next:
    """What is left to do with work that is proven: bring it to its place, unless it is there."""
    about = dossier.about
    if dossier.by_hand:
        return Next(t("next_by_hand"), " && ".join(dossier.by_hand))
    if about.get("pull"):
        return Next(t("next_pull"), place=about["pull"])
    if about.get("merged"):
        return Next(t("next_merged"), place=f"{about.get('target', '')} {about['merged'][:SHORT]}")
    return Next(t("next_merge"), f"git merge {shlex.quote(branch)}")


def figures(dossier: Dossier, t: Words) -> Iterator[Figure]:
    """The run in a few numbers; a verification alone has fewer."""
    worked = dossier.kind == "run"
    passed = sum(proof.status == "passed" for proof in dossier.proofs)
    yield Figure("fig_proofs", t("fig_of", part=passed, whole=len(dossier.proofs)), t("passed"))
    if worked:
        refused = sum(attempt.status == "continue" for attempt in dossier.attempts)
        yield Figure("fig_attempts", str(len(dossier.attempts)), t("fig_refused", count=refused))
    yield Figure("fig_caught", str(len(dossier.caught)))
    added, removed = lines_changed(dossier)
    yield Figure("fig_files", str(len(dossier.change.files)), f"+{added} −{removed}")
    if worked or dossier.total_micros:
        budget = dossier.budget_micros
        more = t("fig_of", part=f"{dossier.budget_used:g} %", whole=money(budget)) if budget else ""
        yield Figure("fig_cost", money(dossier.total_micros) + held(dossier.held_micros), more)
    turns = t("fig_turns", turns=dossier.turns, calls=dossier.tool_calls) if dossier.turns else ""
    yield Figure("fig_time", lasted(dossier.duration), turns)


def lines_changed(dossier: Dossier) -> tuple[int, int]:
    files = dossier.change.files
    return sum(file.added or 0 for file in files), sum(file.removed or 0 for file in files)


def kind_of(proof: Proven, t: Words) -> str:
    return t.known("kind", proof.kind, _KINDS)


def source_of(source: str, t: Words) -> str:
    return t.known("source", source, _SOURCES)


def by_of(by: str, t: Words) -> str:
    return t.known("by", by, _BY)


def status_of(evidence: Evidence, t: Words) -> str:
    """How something ended, in words: exit, counts, verdict, time."""
    told = []
    if evidence.type == "decided":
        return t("ev_decided")
    if evidence.exit is not None:
        told.append(t("exit", code=evidence.exit))
    elif evidence.status:
        told.append(t.known("verdict", evidence.status, _VERDICTS))
    told += [t(f"count_{name}", count=evidence.counts[name]) for name in _COUNTS if evidence.counts.get(name)]
    if evidence.reason:
        told.append(evidence.reason)
    if evidence.duration_ms:
        told.append(lasted(evidence.duration_ms / 1000))
    return ", ".join(told)


def tree_of(evidence: Evidence, t: Words) -> str:
    before, after = evidence.before[:SHORT], evidence.after[:SHORT]
    if not before or not after:
        return before or after
    return t("tree_same", before=before) if before == after else t("tree_moved", before=before, after=after)


def facts_of(evidence: Evidence, t: Words) -> Iterator[tuple[str, str]]:
    """Pairs of a label's key and a value that may hold foreign text; empty values are left out."""
    is_command = evidence.type == "command_ended"
    known = (
        ("ev_command" if is_command else "ev_what", "" if evidence.type == "decided" else evidence.what),
        ("ev_by", by_of(evidence.by, t)),
        ("ev_result", status_of(evidence, t)),
        ("ev_tree", tree_of(evidence, t)),
        ("ev_env", evidence.environment),
        ("ev_time", f"{clock(evidence.at)} · {t('event', seq=evidence.seq)}"),
    )
    return ((key, value) for key, value in known if value)


def output_label(evidence: Evidence, t: Words) -> str:
    if evidence.type != "command_ended":
        return t("findings")
    shown = t("output", size=size(evidence.size))
    return f"{shown} · {t.phrase(evidence.note)}" if evidence.note else shown


def clock(at: str) -> str:
    """The moment of an event to the second, as it stands in the ledger (UTC)."""
    return f"{at[:10]} {at[11:19]} UTC" if len(at) >= len("2026-01-01T00:00:00") else at


def hour(at: str) -> str:
    return at[11:19] or at


def promise_rows(promise: Mapping[str, Any], t: Words) -> Iterator[tuple[str, str, str]]:
    """The promise part by part: what part it is, its text, and where it comes from."""
    default = str(promise.get("derived_from") or "")
    for key in ("objective", "accept", "checks", "required_evidence"):
        yield from _part(promise, key, default)
    for key in ("allowed_scope", "disallowed_scope", "permits", "done_when", "abort_when"):
        yield from _part(promise, key, default)
    if not promise.get("done_when"):
        yield "p_done_when", "acceptance-met *", t("p_default")


_PARTS = {"accept": "p_accept", "checks": "p_check"}


def _part(promise: Mapping[str, Any], key: str, default: str) -> Iterator[tuple[str, str, str]]:
    value = promise.get(key) or ()
    for entry in (value,) if isinstance(value, str) else value if isinstance(value, list | tuple) else ():
        name = _PARTS.get(key, f"p_{key}")
        if isinstance(entry, Mapping):
            words = (entry.get(part) for part in ("kind", "type", "target"))
            text = " ".join(str(word) for word in words if word)
            yield name, text, str(entry.get("source") or default)
        else:
            yield name, str(entry), default
