"""The gate's word on a change: promise, evidence of the exam, and the tree as it is."""

from collections.abc import Iterable, Sequence
from types import MappingProxyType

from donewhen.core.deliverables import may_be_empty
from donewhen.core.events import Body
from donewhen.core.events.facts import FileConfirmed
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.gate import decide, examine
from donewhen.core.paths import is_source
from donewhen.core.scope import outside
from donewhen.core.tally import Flaky
from donewhen.core.texts import Phrase
from donewhen.core.todos.model import TodoList
from donewhen.core.view import View
from donewhen.run.verifying.looking import Looked
from donewhen.run.verifying.sitting import Told
from donewhen.run.verifying.verdict import Judgement, Unproven, judgement
from donewhen.run.wellformed import well_formed
from donewhen.shell import parse
from donewhen.workspace.fingerprint.files import files_of


def _exam(looked: Looked, told: Iterable[Told], verified: Iterable[Body] = ()) -> Exam:
    config, change, promise = looked.rules.config, looked.change, looked.judged.plan.promise
    flaky = config.evidence.flaky
    evidence = Evidence(
        parse,
        Flaky(flaky.passes, flaky.of),
        lambda path: bool(outside(promise, [path], looked.exempt)),
    )
    for each in told:
        for result in each.history:
            evidence.take(result.ended)
        ended = each.sitting.ended
        if ended is not None and each.sitting.why is None and not each.history:
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


def judge(looked: Looked, told: Sequence[Told], verified: Iterable[Body] = ()) -> Judgement:
    """`verified`: what others than the commands found out about this tree."""
    sittings = tuple(each.sitting for each in told)
    decision = decide(_exam(looked, told, verified))
    why = looked.judged.unproven
    unproven = Unproven(why, looked.allow_unproven) if why is not None else None
    return judgement(decision, sittings, blocked=bool(looked.change.conflicts), unproven=unproven)
