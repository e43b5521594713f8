"""What a pull request says: of an accepted run what was proved, of a hand-over what is missing. Pure.

A reviewer who knows nothing of the run must be able to tell what was promised, what proves it and how to
check that. Everything is bounded, so that a forge takes it; what does not fit is named. The first line is a
comment with the run's key, by which the pull request is found again.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.pull_request_text import block, cell, code, folded, line, table, title_of
from donewhen.core.texts import Language, say

LARGEST = 60_000  # bytes: forges take 65,536 characters and more, a program a word of 128 KiB
_MOST = 40  # entries of a list
_LONGEST_GOAL = 4000
_KEY = re.compile(r"\s*<!-- donewhen:key ([A-Za-z0-9_.-]{1,100}:[0-9]{1,12}) -->")


class Criterion(NamedTuple):
    """A criterion of the promise, with the proofs it rests on."""

    id: str
    description: str
    status: str
    proofs: tuple[str, ...] = ()  # ids


class Proof(NamedTuple):
    id: str
    label: str
    status: str
    reason: str = ""
    evidence: tuple[str, ...] = ()  # a few words each: event, exit, counts


class Verdict(NamedTuple):
    """What a gate or the reviewer said."""

    name: str
    verdict: str


class Finding(NamedTuple):
    """Most severe first is the order that whoever gathers them keeps."""

    status: str
    place: str
    message: str
    suggestion: str = ""


class Record(NamedTuple):
    """The acceptance record: its text, or only where it lies."""

    text: str = ""
    digest: str = ""
    name: str = ""


class Account(NamedTuple):
    """All that a pull request tells; texts of others stand in it as they were, without secrets."""

    run: str
    key: str
    goal: str
    branch: str
    base: str
    tree: str = ""
    summary: str = ""  # the agent's own words
    cause: str = ""
    criteria: tuple[Criterion, ...] = ()
    proofs: tuple[Proof, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    files: tuple[tuple[str, str], ...] = ()  # change and path
    missing: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    spent: str = ""
    record: Record = Record()


def key_of(body: str) -> str:
    """The key in a body's first line; empty when there is none. No text of others can stand there."""
    found = _KEY.match(body[:400])
    return found[1] if found else ""


def title(account: Account, language: Language) -> str:
    return title_of(account.goal, say("pull_request.no_title", language, run=account.run))


def accepted_body(account: Account, language: Language) -> str:
    """For a run whose every check is proved on the tree that the branch has."""
    t = _Words(language)
    return _whole(
        account,
        t,
        [
            t("accepted", run=code(account.run), tree=code(account.tree)),
            *_goal(account, t),
            *_proved(account, t),
            *_gates(account, t),
            *_files(account, t),
            *_spent(account, t),
            "\n".join(
                (t.head("check"), "", t("check", tree=code(account.tree), branch=code(account.branch)))
            ),
            *_record(account, t),
        ],
    )


def draft_body(account: Account, language: Language) -> str:
    """For a run that is handed over: nothing of this is accepted."""
    t = _Words(language)
    return _whole(
        account,
        t,
        [
            t("handed_over", run=code(account.run), cause=code(account.cause or "-")),
            "\n".join((t.head("resume"), "", block(f"donewhen resume {account.run}"))),
            *_goal(account, t),
            *_listed("missing", [code(each, 500) for each in account.missing], t),
            *_findings(account, t),
            *_proved(account, t),
            *_gates(account, t),
            *_files(account, t),
            *_spent(account, t),
        ],
    )


class _Words:
    def __init__(self, language: Language) -> None:
        self._language: Language = language

    def __call__(self, key: str, /, **values: object) -> str:
        return say(f"pull_request.{key}", self._language, **values)

    def head(self, key: str) -> str:
        return f"### {self(f'head_{key}')}"

    def status(self, status: str) -> str:
        known = status if status in ("passed", "failed", "pending", "stale", "masked") else ""
        return self(f"status_{known}") if known else cell(status)


def _whole(account: Account, t: _Words, sections: Sequence[str]) -> str:
    """Sections in their order, as many as fit; a cut is told."""
    first = f"<!-- donewhen:key {account.key} -->"
    told = t("cut", run=account.run)
    room = LARGEST - _size(first) - _size(told) - 8
    kept, cut = list[str](), False
    for section in filter(None, sections):
        size = _size(section) + 2
        cut = cut or size > room
        if size <= room:
            kept.append(section)
            room -= size
    return "\n\n".join((first, *kept, *((told,) if cut else ()))) + "\n"


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def _goal(account: Account, t: _Words) -> Iterator[str]:
    yield "\n".join((t.head("promise"), "", block(account.goal, _LONGEST_GOAL)))
    if account.summary.strip():
        yield folded(t("summary"), block(account.summary))


def _proved(account: Account, t: _Words) -> Iterator[str]:
    proofs = {proof.id: proof for proof in account.proofs}
    rows = list[tuple[str, str, str]]()
    told = set[str]()
    for criterion in account.criteria[:_MOST]:
        rows.append((cell(criterion.description or criterion.id), t.status(criterion.status), ""))
        for name in criterion.proofs[:_MOST]:
            if name in proofs and name not in told:
                told.add(name)
                rows.append(_row(proofs[name], t))
    rows += [_row(proof, t) for name, proof in list(proofs.items())[:_MOST] if name not in told]
    if rows:
        shown = table((t("criterion"), t("status"), t("evidence")), rows[: 3 * _MOST])
        more = len(rows) - 3 * _MOST
        rest = ("", t("more", count=more)) if more > 0 else ()
        yield "\n".join((t.head("proofs"), "", shown, *rest))


def _row(proof: Proof, t: _Words) -> tuple[str, str, str]:
    said = [cell(each, 160) for each in proof.evidence[:3]] or [cell(proof.reason, 200)]
    return f"→ {cell(proof.label or proof.id)}", t.status(proof.status), "<br>".join(filter(None, said))


def _gates(account: Account, t: _Words) -> Iterator[str]:
    lines = [f"{code(each.name)}: {code(each.verdict)}" for each in account.verdicts]
    yield from _listed("gates", lines, t)


def _findings(account: Account, t: _Words) -> Iterator[str]:
    lines = []
    for each in account.findings:
        place = f"{code(each.place)} " if each.place else ""
        fix = f" → {code(each.suggestion)}" if each.suggestion else ""
        lines.append(f"{place}{code(each.message, 600)}{fix}")
    yield from _listed("feedback", lines, t)


def _files(account: Account, t: _Words) -> Iterator[str]:
    lines = [f"{code(change)} {code(path)}" for change, path in account.files]
    yield from _listed("files", lines, t)


def _spent(account: Account, t: _Words) -> Iterator[str]:
    if account.spent:
        yield "\n".join((t.head("cost"), "", line(account.spent)))


def _record(account: Account, t: _Words) -> Iterator[str]:
    """Whole where it fits: one line of JSON, in which no fence can stand alone."""
    record = account.record
    plain = record.text.strip()
    if plain and "\n" not in plain and _size(plain) < LARGEST // 2:
        yield folded(t("record"), f"```json\n{plain}\n```")
    elif record.digest:
        yield t("record_elsewhere", digest=code(record.digest), name=code(record.name))


def _listed(head: str, lines: Sequence[str], t: _Words) -> Iterator[str]:
    if not lines:
        return
    shown = [f"- {each}" for each in lines[:_MOST]]
    more = len(lines) - _MOST
    rest = (f"- {t('more', count=more)}",) if more > 0 else ()
    yield "\n".join((t.head(head), "", *shown, *rest))
