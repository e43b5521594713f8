"""A verification as people read it and as `--json` prints it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from donewhen import __version__
from donewhen.core.counts import summary
from donewhen.core.questions import question_data
from donewhen.core.texts import Language, say
from donewhen.ui.gates_data import gate_data
from donewhen.ui.integrity_text import integrity_data, print_integrity
from donewhen.ui.output import clean, one_line, paint, print_line
from donewhen.ui.reports.gates_text import print_gates
from donewhen.ui.reports.model import Report
from donewhen.ui.words import t
from donewhen.verify.decision import counts_data
from donewhen.verify.exam_run import CommandResult
from donewhen.verify.failures import frame

if TYPE_CHECKING:
    from donewhen.verify.failures import Failure
    from donewhen.verify.pipeline import Verification
    from donewhen.verify.place import ExamPlace

_SHOWN = 5  # failures of one command with their code
_TAIL_LINES = 20
_LONGEST = 120  # characters of a command
_MARKS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "open": ("○", "yellow")}


def print_verification(done: "Verification", language: Language, *, verbose: bool, quiet: bool) -> None:
    print_line(_headline(done))
    if verbose:
        print_line(t("cli.read_files", files=", ".join(done.config_files) or t("cli.defaults_only")))
        print_line(t("cli.opened_store", path=done.store))
    if quiet and done.judgement.accepted:
        return
    print_integrity(done.integrity, language, verbose=verbose)
    _print_exam(done, language, verbose=verbose)
    print_gates(done.gates, language, verbose=verbose)
    _print_checks(done, language)
    _print_questions(done, language)
    if not done.judgement.accepted and not done.judgement.needs_word:
        print_line()
        if done.judgement.unproven is None:
            print_line(paint(t("verify.missing"), "bold"))
        for text in done.decided["details"]:
            print_line(f"  - {one_line(text)}")
    if not quiet:
        _print_rest(done, language)


def _headline(done: "Verification") -> str:
    judged = done.judgement
    if judged.accepted:
        word = paint(f"✓ {t('verify.accepted')}", "green", "bold")
    elif judged.needs_word:
        word = paint(f"? {t('verify.needs_word')}", "yellow", "bold")
    elif judged.unproven is not None:
        key = "verify.nothing_proven" if judged.unproven.allowed else "verify.unprovable"
        word = paint(f"○ {t(key)}", "yellow", "bold")
    elif judged.exit_code == 1:
        word = paint(f"✗ {t('verify.not_accepted')}", "red", "bold")
    else:
        word = paint(f"✗ {t('verify.could_not')}", "yellow", "bold")
    return f"{word} · {t('verify.about', tree=done.change.fingerprint.tree[:12])} · {_changed(done)}"


def _changed(done: "Verification") -> str:
    base, count = done.change.base, len(done.change.changed)
    if not base.commit:
        return t("verify.all_new", count=count)
    name = base.name if base.name == "HEAD" else f"{one_line(base.name)} ({base.commit[:8]})"
    if not count:
        return t("verify.nothing_changed", base=name)
    key = "verify.one_changed_since" if count == 1 else "verify.changed_since"
    return t(key, count=count, base=name)


def _print_exam(done: "Verification", language: Language, *, verbose: bool) -> None:
    if not done.judgement.commands:
        return
    print_line()
    print_line(paint(t("verify.exam"), "bold"))
    width = max(len(_short(result.entry.line)) for result in done.judgement.commands)
    for result in done.judgement.commands:
        status = _status(done, result)
        mark, colour = _MARKS[status]
        name = _short(result.entry.line).ljust(min(width, 60))
        flaky = [paint(t("verify.flaky"), "yellow")] if _is_flaky(done, result) else []
        said = "  ".join(part for part in (*flaky, *_about(result, language)) if part)
        print_line(f"  {paint(mark, colour)} {name}  {said}")
        if status != "passed" and result.way in ("ran", "could_not_run"):
            for line in _details(done, result, verbose=verbose):
                print_line(f"      {line}".rstrip())


def _short(line: str) -> str:
    text = one_line(line)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _is_flaky(done: "Verification", result: CommandResult) -> bool:
    standing = done.judgement.standing(result.entry)
    return standing is not None and standing.status == "flaky"


def _status(done: "Verification", result: CommandResult) -> str:
    standing = done.judgement.standing(result.entry)
    if standing is not None and standing.passed:
        return "passed"
    if standing is not None and standing.status in ("failed", "flaky"):
        return "failed"
    if standing is None and result.ended is not None and result.ended.exit == 0 and not result.why:
        return "passed"
    return "failed" if result.way == "masked" else "open"


def _about(result: CommandResult, language: Language) -> Iterator[str]:
    if result.why is not None:
        yield t(f"verify.way_{result.way}")
    elif result.counts is not None:
        yield one_line(summary(result.counts, language))
    elif result.ended is not None:
        yield f"exit {result.ended.exit}"
    if result.way == "cached":
        yield t("verify.cached")
    elif result.ended is not None:
        yield f"{result.ended.duration_ms / 1000:.1f} s"
    if result.runs > 1:
        yield t("verify.runs", count=result.runs)


def _details(done: "Verification", result: CommandResult, *, verbose: bool) -> Iterator[str]:
    shown = result.failures if verbose else result.failures[:_SHOWN]
    for failure in shown:
        yield from _failure(done, failure)
    more = len(result.failures) - len(shown)
    if more > 0:
        yield t("verify.more_failures", count=more)
    tail = clean(result.tail).strip().splitlines()
    if tail and (verbose or not shown):
        yield paint(t("verify.tail"), "dim")
        yield from (f"  {line}" for line in tail[-_TAIL_LINES:])


def _failure(done: "Verification", failure: "Failure") -> Iterator[str]:
    place = f"{failure.file}:{failure.line}" if failure.file and failure.line else failure.file or ""
    yield "  ".join(part for part in (paint(one_line(place), "cyan"), one_line(failure.name)) if part.strip())
    if failure.file and failure.line:
        yield from (f"  {line}" for line in frame(done.files.text, failure.file, failure.line))
    if failure.message.strip():
        yield f"  {one_line(failure.message)[:300]}"


def _print_checks(done: "Verification", language: Language) -> None:
    apart = (
        "command_success",
        "integrity",
        "question",
    )  # shown in sections of their own, like what gates came to
    gates = {gate.gate for gate in done.gates}
    shown = [
        result
        for result in done.judgement.findings.results
        if result.kind not in apart and not (result.kind == "quality_gate" and result.target in gates)
    ]
    if not shown:
        return
    print_line()
    print_line(paint(t("verify.checks"), "bold"))
    for result in shown:
        mark, colour = _MARKS["passed" if result.passed else "failed" if result.required else "open"]
        reason = (
            "" if result.passed else "  " + one_line(say(result.reason.key, language, **result.reason.values))
        )
        print_line(f"  {paint(mark, colour)} {one_line(result.id.rstrip(':'))}{reason}")


def _print_questions(done: "Verification", language: Language) -> None:
    if not done.questions:
        return
    print_line()
    print_line(paint(t("questions.heading"), "bold"))
    for question in done.questions:
        message = say(question.message.key, language, **question.message.values)
        place = paint(one_line(question.place), "cyan")
        first, *more = message.splitlines()
        print_line(f"  {paint('?', 'yellow')} {paint(question.id, 'bold')}  {place}  {one_line(first)}")
        for row in more:
            print_line(f"        {one_line(row)}")
        if question.wanted is not None:
            print_line(f"      {one_line(say(question.wanted.key, language, **question.wanted.values))}")


def _print_rest(done: "Verification", language: Language) -> None:
    print_line()
    if done.place:
        prepared = done.place.prepared
        what = ", ".join(one_line(source) for source in prepared.sources)
        kind = prepared.kind if what or prepared.kind == "shared" else "bare"
        print_line(t(f"verify.environment_{kind}", what=what or t("verify.as_it_is")))
    if done.record is not None:
        print_line(t("record.written", path=one_line(str(done.record))))
    for note in done.notes:
        text = note if isinstance(note, str) else say(note.key, language, **note.values)
        print_line(f"! {one_line(text)}")
    nexts = {1: "verify.next_failed", 4: "questions.next", 5: "verify.next_error"}
    if any(gate.blocks for gate in done.gates) and not _is_exam_open(done):
        only_review = all(gate.gate == "semantic" for gate in done.gates if gate.blocks)
        nexts[5] = "verify.next_review" if only_review else "verify.next_gate"
    if done.judgement.stop_reason == "verification_execution_denied":
        nexts[5] = "verify.next_denied"
    if not done.judgement.accepted and done.judgement.unproven is None:
        print_line(t(nexts.get(done.judgement.exit_code, "verify.next_failed")))


def _is_exam_open(done: "Verification") -> bool:
    return any(_status(done, result) != "passed" for result in done.judgement.commands)


def verification_data(done: "Verification", language: Language) -> dict[str, Any]:
    """What `--json` prints; `decision` is the object that all interfaces share."""
    change = done.change
    return {
        "run": done.run_id,
        "decision": done.decided,
        "exit_code": done.judgement.exit_code,
        "unproven": done.judgement.unproven is not None,
        "fingerprint": change.fingerprint.tree,
        "relevant": change.fingerprint.relevant,
        "base": {"commit": change.base.commit, "name": change.base.name},
        "branch": done.branch,
        "head": done.head,
        "changed": dict(sorted(change.changed.items())),
        "profile": {
            "name": done.profile.name,
            "stages": done.profile.stages,
            "lifted": bool(done.profile.lifted),
        },
        "environment": _environment_data(done.place) if done.place else None,
        "commands": [_command_data(done, result, language) for result in done.judgement.commands],
        "integrity": integrity_data(done.integrity, language),
        "questions": [question_data(question, language) for question in done.questions],
        "answers": [answer._asdict() for answer in done.answers],
        "gates": [gate_data(gate, language) for gate in done.gates],
        "record": str(done.record) if done.record else None,
        "feedback": [each.to_data() for each in done.feedback],
        "notes": [
            note if isinstance(note, str) else say(note.key, language, **note.values) for note in done.notes
        ],
        "metrics": {"duration_ms": done.duration_ms},
    }


def report_of(done: "Verification", language: Language) -> Report:
    """What every report is made of."""
    data = verification_data(done, language)
    return Report(
        __version__,
        done.run_id,
        done.decided,
        done.judgement.exit_code,
        data["fingerprint"],
        data["base"],
        done.branch,
        data["changed"],
        tuple(data["commands"]),
        done.gates,
        done.feedback,
        tuple(data["notes"]),
        done.duration_ms,
        language,
        str(done.record or ""),
    )


def _environment_data(place: "ExamPlace") -> dict[str, Any]:
    return {
        "kind": place.prepared.kind,
        "digest": place.environment,
        "sources": place.prepared.sources,
        "place": place.site.where,
        "sandbox": place.sandbox,
    }


def _command_data(done: "Verification", result: CommandResult, language: Language) -> dict[str, Any]:
    ended, standing = result.ended, done.judgement.standing(result.entry)
    return {
        "command": result.entry.line,
        "argv": result.entry.argv,
        "cwd": result.entry.cwd,
        "source": result.entry.source,
        "status": standing.status if standing else _status(done, result),
        "way": result.way,
        "reason": say(result.why.key, language, **result.why.values) if result.why else "",
        "exit": ended.exit if ended else None,
        "duration_ms": ended.duration_ms if ended else 0,
        "counts": counts_data(result.counts),
        "machine_report": result.reported,
        "runs": result.runs,
        "from_run": result.from_run,
        "output": ended.output if ended else "",
        "tail": result.tail,
    }
