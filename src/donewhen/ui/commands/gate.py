"""`donewhen gate decide|test`: what would the gate say? Asked of a small story, a corpus, or a stored run."""

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.help import Group
from donewhen.ui.output import one_line, paint, print_json, print_line, table
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.core.exam import Findings

gate = Group("gate", help=t("help.gate"))

_COLOURS = {"accepted": "green", "continue": "yellow"}


class Verdict(NamedTuple):
    """The gate's answer to one case; an input that is refused has an error and no decision."""

    id: str
    decision: str
    stop_reason: str
    failed: tuple[str, ...]
    pending: tuple[str, ...]
    error: bool
    reasons: tuple[str, ...]
    proofs: tuple[str, ...] = ()  # of an accepted story

    def data(self) -> dict[str, Any]:
        data = self._asdict()
        return data | {"decision": self.decision or None, "stop_reason": self.stop_reason or None}


@command("decide", "help.gate_decide", gate)
@click.argument("file", required=False)
@click.option("--run", metavar="RUN", shell_complete=complete_run, help=t("help.gate_run"))
@click.option("--at", type=int, metavar="SEQ", help=t("help.gate_at"))
def decide_(app: App, file: str | None, run: str | None, at: int | None) -> int:
    if (file is None) == (run is None) or (at is not None and run is None):
        raise UserError("cli.gate_one_of")
    verdict = _stored(app, run, at) if run else play(_read_one(file or ""))
    if app.as_json:
        print_json(verdict.data())
    else:
        _print(app, verdict)
    return _exit_code(verdict)


@command("test", "help.gate_test", gate)
@click.argument("file")
def test(app: App, file: str) -> int:
    from donewhen.ui.corpus import cases

    rows = []
    for case in cases(file, {"expect": dict}):
        try:
            verdict = play(case)
        except UserError as error:
            verdict = Verdict(str(case.get("id", "")), "", "", (), (), True, (error.say(language()),))
        rows.append((verdict, _wrong(verdict, case["expect"])))
    _report(app, rows)
    return 1 if any(wrong for _, wrong in rows) else 0


def play(case: object) -> Verdict:
    """Plays one case; a UserError says what is wrong with it."""
    from donewhen.commands import parse
    from donewhen.run.case import read_case
    from donewhen.run.story import Story

    read = read_case(case, parse)
    told = Story(read, parse).play(read.events)
    return _verdict(read.id, told.status, told.stop_reason, told.findings)


def _verdict(name: str, status: str, stop_reason: str, findings: "Findings") -> Verdict:
    from donewhen.core.feedback import reasons
    from donewhen.core.gate import proofs
    from donewhen.core.texts import say

    return Verdict(
        name,
        status,
        stop_reason,
        tuple(dict.fromkeys(result.id for result in findings.failed)),
        tuple(command.entry.label for command in findings.pending),
        False,
        tuple(say(phrase.key, language(), **phrase.values) for phrase in reasons(findings)),
        proofs(findings) if status == "accepted" else (),
    )


def _stored(app: App, run: str, at: int | None) -> Verdict:
    from donewhen.commands import parse
    from donewhen.run.past import decide_run
    from donewhen.store import resolve

    with app.open() as opened:
        run_id = resolve(opened, run)
        asked = decide_run(opened.store.read(run_id), parse, at)
    decision = asked.decision
    return _verdict(f"{run_id}:{asked.seq}", decision.status, decision.stop_reason, decision.findings)


def _read_one(file: str) -> object:
    from donewhen.ui.corpus import read_json

    return read_json(file)


def _wrong(verdict: Verdict, expect: dict[str, Any]) -> dict[str, Any]:
    """The parts of the expectation that were not met, with what was expected."""
    if verdict.error or expect.get("error"):
        return {} if verdict.error and expect.get("error") else {"error": bool(expect.get("error"))}
    got = verdict.data()
    wrong = {
        key: expect[key] for key in ("decision", "stop_reason") if key in expect and expect[key] != got[key]
    }
    lists = (key for key in ("failed", "pending") if key in expect)
    return wrong | {key: expect[key] for key in lists if set(expect[key]) != set(got[key])}


def _difference(verdict: Verdict, wrong: dict[str, Any]) -> str:
    got = verdict.data()
    parts = [
        t("cli.expected_got", part=part, expected=_plain(wrong[part]), got=_plain(got[part]))
        for part in wrong
    ]
    return "; ".join([*parts, *(verdict.reasons if verdict.error else ())])


def _plain(value: Any) -> str:
    return ", ".join(value) or "-" if isinstance(value, list | tuple) else str(value)


def _report(app: App, rows: list[tuple[Verdict, dict[str, Any]]]) -> None:
    right = sum(not wrong for _, wrong in rows)
    if app.as_json:
        summary = {"cases": len(rows), "right": right, "wrong": len(rows) - right}
        print_json(
            {"summary": summary, "cases": [v.data() | {"ok": not w, "wrong": list(w)} for v, w in rows]}
        )
        return
    kinds: dict[str, list[bool]] = {}
    for verdict, wrong in rows:
        kinds.setdefault(verdict.decision or "error", []).append(not wrong)
    if not app.quiet:
        head = [t("cli.col_decision"), t("cli.col_cases"), t("cli.col_right")]
        counted = [(kind, str(len(all_)), str(sum(all_))) for kind, all_ in sorted(kinds.items())]
        for line in table(head, counted):
            print_line(line)
    for verdict, wrong in rows:
        if wrong:
            print_line(one_line(f"✗ {verdict.id}: {_difference(verdict, wrong)}"))
    print_line(t("cli.corpus_score", right=right, cases=len(rows)))


def _print(app: App, verdict: Verdict) -> None:
    reason = f" ({verdict.stop_reason})" if verdict.stop_reason not in ("", verdict.decision) else ""
    print_line(paint(verdict.decision, "bold", _COLOURS.get(verdict.decision, "red")) + reason)
    if not app.quiet:
        for sentence in verdict.reasons:
            print_line(f"  - {one_line(sentence)}")
        for proof in verdict.proofs:
            print_line(f"  ✓ {one_line(proof)}")


def _exit_code(verdict: Verdict) -> int:
    from donewhen.core.reasons import REASONS

    ending = REASONS.get(verdict.stop_reason)  # type: ignore[call-overload]
    return ending.exit_code if ending else 1
