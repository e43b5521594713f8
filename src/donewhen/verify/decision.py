"""What a verification comes to, as one word of the closed set and as data. Pure.

Red is not *could not run*, and neither is a pass: what failed is the change's fault (exit 1), what could not
be tried is the machine's or the configuration's (exit 5). A failure that was seen outweighs everything that
was not.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.codec import Json
from donewhen.core.counts import Counts
from donewhen.core.deliverables import may_be_empty
from donewhen.core.events import Body
from donewhen.core.events.facts import FileConfirmed
from donewhen.core.events.run import Decided
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Commanded, Exam, Findings, Result
from donewhen.core.feedback import reasons
from donewhen.core.gate import Accepted, Continue, Decision, decide, examine
from donewhen.core.paths import is_source
from donewhen.core.quality.model import GateResult
from donewhen.core.reasons import REASONS, StopReason
from donewhen.core.scope import outside
from donewhen.core.tally import Flaky, Standing
from donewhen.core.texts import Language, Phrase, say
from donewhen.core.todos.model import TodoList
from donewhen.core.view import View
from donewhen.intake.compose import Plan
from donewhen.verify.change import Change, Looked, Means
from donewhen.verify.exam_run import CommandResult, ExamCommand, Way
from donewhen.verify.quality.required import CHECK, Wishes, checks_of
from donewhen.verify.wellformed import well_formed
from donewhen.workspace.fingerprint.files import files_of

_NOTHING_ASKED = 2  # the exit code


class Unproven(NamedTuple):
    """Nothing can be proven: no test, no declared command."""

    why: Phrase
    allowed: bool = False  # whoever asked can live with that


class Judgement(NamedTuple):
    stop_reason: StopReason
    decision: Decision
    commands: tuple[CommandResult, ...]
    unproven: Unproven | None = None  # only where nothing else stands against the change

    @property
    def accepted(self) -> bool:
        return self.stop_reason == "accepted"

    @property
    def needs_word(self) -> bool:
        """Whether nothing is missing but a human's answers."""
        return self.stop_reason == "escalated"

    @property
    def findings(self) -> Findings:
        return self.decision.findings

    @property
    def exit_code(self) -> int:
        if self.unproven is not None:
            return 0 if self.unproven.allowed else _NOTHING_ASKED
        return REASONS[self.stop_reason].exit_code

    def standing(self, entry: Accept) -> Standing | None:
        return next((c.standing for c in self.findings.commands if c.entry.identity == entry.identity), None)


def judgement(
    decision: Decision,
    commands: tuple[CommandResult, ...],
    *,
    blocked: bool = False,
    unproven: Unproven | None = None,
) -> Judgement:
    """`blocked`: something beside promise and exam stands against the change."""
    if unproven is not None and not blocked and not decision.findings.failed:
        return Judgement("verification_config_missing", decision, commands, unproven)
    return Judgement(stop_reason(decision, commands, blocked=blocked), decision, commands)


def stop_reason(
    decision: Decision, commands: tuple[CommandResult, ...], *, blocked: bool = False
) -> StopReason:
    if isinstance(decision, Accepted) and not blocked:
        return "accepted"
    confirms = bool(decision.findings.to_confirm)  # a text of a run: nobody can say it of a change alone
    if isinstance(decision, Continue) and decision.waits_for == "human" and not (blocked or confirms):
        return "escalated"
    if not blocked and any(result.kind == "integrity" for result in decision.findings.failed):
        return "integrity_violation"
    passed = {each.entry.identity for each in decision.findings.commands if each.standing.passed}
    ways: set[Way] = {result.way for result in commands if result.entry.identity not in passed}
    if any(map(_could_not, decision.findings.failed)):
        ways.add("could_not_run")
    if blocked or _seen_to_fail(decision.findings) or not ways & {"refused", "could_not_run"}:
        return "verification_failed"
    return "verification_execution_denied" if "refused" in ways else "verification_execution_error"


def _seen_to_fail(findings: Findings) -> bool:
    """Whether anything is known to be wrong, apart from what could not be tried."""
    red = any(command.standing.status in ("failed", "flaky") for command in findings.commands)
    checks = any(result.kind != "command_success" and not _could_not(result) for result in findings.failed)
    return bool(red or checks or findings.todos_failed or findings.todos_open)


def _could_not(result: Result) -> bool:
    """A gate that could not be tried says nothing against the change, and nothing for it."""
    return result.kind == "quality_gate" and result.reason.key == "gate.verifier_could_not"


def counts_data(counts: Counts | None) -> Mapping[str, int | None] | None:
    names = ("executed", "passed", "failed", "errors", "skipped")
    return {name: getattr(counts, name) for name in names} if counts is not None else None


def _exam(looked: Looked, commands: Iterable[ExamCommand], verified: Iterable[Body] = ()) -> Exam:
    config, change, promise = looked.rules.config, looked.change, looked.judged.plan.promise
    flaky = config.evidence.flaky
    evidence = Evidence(
        parse,
        Flaky(flaky.passes, flaky.of),
        lambda path: bool(outside(promise, [path], looked.exempt)),
    )
    for each in commands:
        for result in each.history:
            evidence.take(result.ended)
        ended = each.result.ended
        if ended is not None and each.result.why is None and not each.history:
            evidence.take(ended)
    for fact in verified:
        evidence.take(fact)
    files, empty = files_of(looked.repository.root), may_be_empty(promise.checks)
    for path, kind in change.changed.items():
        text = files.text(path) if kind != "deleted" and not is_source(path) else None
        if text is not None and (well_formed(path, text) or (not text.strip() and path in empty)):
            evidence.take(FileConfirmed(path, 0, "harness"))
    view = View(change.fingerprint.tree, change.fingerprint.relevant, files, change.changed)
    return Exam(
        promise,
        evidence,
        view,
        parse,
        todos=TodoList(MappingProxyType({todo.id: todo for todo in looked.judged.plan.todos})),
        exempt=looked.exempt,
        extensions=config.verification.source_extensions,
        answered=False,
    )


def blockers_of(looked: Looked) -> tuple[Phrase, ...]:
    """What is wrong whatever the commands say: nothing of it has to be run to be seen."""
    found = examine(_exam(looked, ()))
    failed = [
        Phrase("gate.check_open", {"check": result.id.rstrip(":"), "reason": result.reason})
        for result in found.failed
        if result.kind not in ("command_success", "tool_fact", "quality_gate", "scenario", "question")
    ]
    if looked.change.conflicts:
        paths = ", ".join(looked.change.conflicts[:12])
        failed.insert(0, Phrase("verify.conflicts", {"paths": paths}))
    return tuple(failed)


def judge(looked: Looked, ran: Sequence[ExamCommand], verified: Iterable[Body] = ()) -> Judgement:
    """`verified`: what others than the commands found out about this tree."""
    commands = tuple(each.result for each in ran)
    decision = decide(_exam(looked, ran, verified))
    why = looked.judged.unproven
    unproven = Unproven(why, looked.allow_unproven) if why is not None else None
    return judgement(decision, commands, blocked=bool(looked.change.conflicts), unproven=unproven)


_SHOWN = 50


def concluded(judged: Judgement, blockers: Iterable[Phrase], change: Change, language: Language) -> Decided:
    findings = judged.findings
    if judged.unproven is not None:
        return _unproven(judged.unproven, change, language)
    told = (say(each.key, language, **each.values) for each in (*blockers, *open_proofs(judged)))
    owed = () if judged.accepted else tuple(dict.fromkeys(told))
    if judged.accepted:
        total = len(findings.commands)
        summary = say("verify.summary_accepted", language, done=total - len(findings.pending), total=total)
    elif judged.needs_word:
        summary = say("questions.summary", language, count=len(findings.failed))
    else:
        count = max(1, len(owed))
        summary = say(
            "verify.summary_open" if count > 1 else "verify.summary_one_open", language, count=count
        )
    return Decided(
        "accepted" if judged.accepted else "stopped" if judged.needs_word else "failed",
        judged.stop_reason,
        "question" if judged.needs_word else "",
        summary=summary,
        fingerprint=change.fingerprint.tree,
        details=owed[:_SHOWN],
        results=(
            *(_of_command(command, judged, language) for command in findings.commands),
            *(_of_check(result, language) for result in findings.results),
        ),
    )


def _unproven(unproven: Unproven, change: Change, language: Language) -> Decided:
    why = say(unproven.why.key, language, **unproven.why.values)
    summary = say("verify.nothing_proven", language) if unproven.allowed else why
    tree = change.fingerprint.tree
    return Decided("failed", "verification_config_missing", summary=summary, fingerprint=tree, details=(why,))


def open_proofs(judged: Judgement) -> tuple[Phrase, ...]:
    """What is still owed; what a command says of its own trouble is better than that it is missing."""
    if judged.accepted:
        return ()
    own = {result.entry.identity: result.why for result in judged.commands if result.why}
    findings = judged.findings
    pending = [
        Phrase(
            "gate.check_open",
            {
                "check": command.entry.line,
                "reason": own.get(command.entry.identity) or command.standing.reason,
            },
        )
        for command in findings.pending
    ]
    apart = tuple(result for result in findings.results if not _is_told_apart(result))
    rest = findings._replace(commands=(), results=apart)
    if pending:  # that source is untested says nothing new beside the tests that did not pass
        rest = rest._replace(deliverables=())
    others = reasons(rest) if rest.open_proofs else ()
    told = bool(pending) or any(map(_is_told_apart, findings.failed))
    unmet = [phrase for phrase in others if not (told and phrase in findings.blockers)]
    return (*pending, *unmet)


def _is_told_apart(result: Result) -> bool:
    """Findings of integrity and of gates are told one by one."""
    return result.kind in ("integrity", "question") or result.id.startswith(CHECK)


def _of_command(command: Commanded, judged: Judgement, language: Language) -> dict[str, Json]:
    standing = command.standing
    why = next((s.why for s in judged.commands if s.why and s.entry.identity == command.entry.identity), None)
    reason = why if why and not standing.passed else standing.reason
    return {
        "id": command.entry.key,
        "kind": "command_success",
        "target": command.entry.line,
        "passed": standing.passed,
        "reason": say(reason.key, language, **reason.values),
        "evidence": f"command:{command.entry.key}" if standing.passed else "",
    }


def _of_check(result: Result, language: Language) -> dict[str, Json]:
    return {
        "id": result.id,
        "kind": result.kind,
        "target": result.target,
        "passed": result.passed,
        "reason": say(result.reason.key, language, **result.reason.values),
        "evidence": result.evidence,
    }


def promised(looked: Looked, means: Means, reviewed: GateResult | None) -> Looked:
    """With the gates that must pass among its checks, so that the gate knows what is owed."""
    return _with_more(looked, (*_owed(reviewed), *Wishes(looked, means).checks()))


def owing(looked: Looked, reviewed: GateResult) -> Looked:
    """With the review among what must pass, if it must."""
    return _with_more(looked, _owed(reviewed))


def _owed(reviewed: GateResult | None) -> tuple[Check, ...]:
    return checks_of((reviewed.gate,)) if reviewed is not None and reviewed.required else ()


def with_commands(looked: Looked, entries: Sequence[Accept]) -> Looked:
    """With these commands among what must pass, though nobody declared them."""
    judged = looked.judged
    plan = _with(judged.plan, accept=(*judged.plan.promise.accept, *entries))
    return looked._replace(judged=judged._replace(plan=plan, entries=(*judged.entries, *entries)))


def with_unproven(looked: Looked, why: Phrase | None) -> Looked:
    return looked._replace(judged=looked.judged._replace(unproven=why)) if why is not None else looked


def _with_more(looked: Looked, wanted: tuple[Check, ...]) -> Looked:
    checks = looked.judged.plan.promise.checks
    known = {(check.kind, check.target) for check in checks}
    more = (check for check in wanted if (check.kind, check.target) not in known)
    plan = _with(looked.judged.plan, checks=(*checks, *more))
    return looked._replace(judged=looked.judged._replace(plan=plan))


def _with(plan: Plan, **more: Any) -> Plan:
    return plan._replace(promise=plan.promise._replace(**more))
