"""The way of a change: Change → Exam → Findings → Decision, for `verify`, `run` and hooks alike.

Read from top to bottom. `verify_change` is the whole road of `donewhen verify` and of a client's stop;
`examine_change` is the part that a run shares, which has a ledger and a gate call of its own. What is run is
in `exam_run` and `base_exam`, what is asked in `findings`, what it comes to in `decision`.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from donewhen.commands import parse
from donewhen.config.paths import state_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.accept import Accept
from donewhen.core.base_tests import Elsewhere
from donewhen.core.budget import Purse
from donewhen.core.checks import promised_scenarios
from donewhen.core.codec import freeze
from donewhen.core.events import Body
from donewhen.core.events.facts import Verified
from donewhen.core.findings import Feedback
from donewhen.core.freshness import trees_proven
from donewhen.core.gate import RED_BEFORE
from donewhen.core.profiles import Applied
from donewhen.core.quality.model import GateResult
from donewhen.core.questions import Answer, Question, questions_fact
from donewhen.core.scenarios import Proof
from donewhen.core.scenarios import verified as scenario_facts
from donewhen.core.tally import Flaky
from donewhen.core.texts import Language, Phrase
from donewhen.core.view import Files
from donewhen.intake.verifiers import scopes_of
from donewhen.project.behind import doubt_about
from donewhen.secrets.redact import Redactor
from donewhen.store import Opened, open_store
from donewhen.store.cases import CaseStore
from donewhen.store.questions import QuestionStore
from donewhen.store.results import Results
from donewhen.verify.acceptance_record import signing_by
from donewhen.verify.base_exam import about_files, red_before, red_elsewhere
from donewhen.verify.change import Change, Looked, Means, Wanted, look, look_round
from donewhen.verify.decision import (
    Judgement,
    blockers_of,
    concluded,
    judge,
    owing,
    promised,
    with_commands,
    with_unproven,
)
from donewhen.verify.exam.command import TIMED_OUT, missing_package
from donewhen.verify.exam.model import OFFLINE
from donewhen.verify.exam_run import CommandResult, ExamCommand, Memory, is_green, is_tried, run_command
from donewhen.verify.finding import Finding, finding_feedback, integrity_fact, owed
from donewhen.verify.findings import ExamFindings, gather_findings
from donewhen.verify.place import ExamPlace, open_exam_place
from donewhen.verify.quality.coverage.gate import unexecuted
from donewhen.verify.quality.required import Wishes
from donewhen.verify.quality.secrets import questions_of_secrets
from donewhen.verify.quality.session import GateFindings, not_reached
from donewhen.verify.quality.session import Session as GateSession
from donewhen.verify.quality.telling import SCOPE, gate_facts, gate_feedback, owed_by_gates
from donewhen.verify.record import (
    Record,
    Recorder,
    begun,
    decision_data,
    feedback_of_question,
    keep_record,
)
from donewhen.verify.rerun import ExamContext, run_within
from donewhen.verify.review import Spending, later_reviewer, review, stops, within_limits
from donewhen.verify.scenario_proofs import prove_change
from donewhen.workspace.fingerprint.files import files_of
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.caching import using

if TYPE_CHECKING:
    from donewhen.verify.review import Reviewer

_KNOWN_SECONDS = 300.0  # for tests that no declared command runs
_MOST_NAMES = 200
_SHOWN = 5
Begin = Callable[[Opened, Repository, Change, str], Record]


class Verification(NamedTuple):
    """A change with its verdict, as `verify` shows it."""

    run_id: str
    branch: str
    head: str
    change: Change
    judgement: Judgement
    profile: Applied
    place: ExamPlace | None  # None where nothing had to be run
    files: Files
    blockers: tuple[Phrase, ...]  # what stands against it beside the exam
    feedback: tuple[Feedback, ...]
    decided: Mapping[str, Any]
    notes: tuple[Phrase | str, ...]
    config_files: tuple[str, ...]
    store: Path
    duration_ms: int
    integrity: tuple[Finding, ...] = ()
    record: Path | None = None  # the acceptance record, where it was accepted
    gates: tuple[GateResult, ...] = ()
    questions: tuple[Question, ...] = ()  # that wait for a human
    answers: tuple[Answer, ...] = ()
    red_elsewhere: Elsewhere = ""  # where the agent's part of the change has no share in what fails


async def verify_change(
    wanted: Wanted, means: Means, begin: Begin = begun, looked: Looked | None = None
) -> Verification:
    """Judge the change in the repository around `means.folder`; `begin` opens the ledger it is told in."""
    began = time.monotonic()
    means.progress(Phrase("verify.looking"))
    looked = looked or look_round(wanted, means)
    signing_by(looked.rules.config)  # a missing key is an error before anything is run
    reviewed = await review(looked, wanted, means)
    looked = promised(looked, means, reviewed)
    asking = later_reviewer(looked, wanted, means)
    url, root = wanted.store or looked.rules.config.store.url, looked.repository.root
    redactor = Redactor.from_environment(means.env, secret_names(looked.rules.config))
    with (
        using(looked.places),
        open_store(url, state=state_folder(means.env), folder=root, redactor=redactor) as opened,
        begin(opened, looked.repository, looked.change, looked.profile.name) as record,
    ):
        files, spending = files_of(root), Spending(wanted.budget, record.spent)
        record.promise(looked.judged.plan.promise, looked.repository, looked.change)
        blockers = blockers_of(looked)
        session = ExamSession(
            wanted,
            means,
            opened.path,
            record,
            skip=bool(blockers) or stops(looked, reviewed),
            reviewed=reviewed,
            reviewer=asking(spending) if asking else None,
            purse=spending.purse,
        )
        examined = await examine_change(session, looked)
        exam, change = examined.exam, examined.exam.after.change
        judged = within_limits(judge(exam.after, exam.commands, examined.facts), exam.gates)
        decided = concluded(judged, (*blockers, *examined.owed), change, means.language)
        record.found(looked.judged.plan, change, files, examined.facts)
        record.decided(decided)
        kept = keep_record(opened, record.run_id, exam.after, exam.place, wanted, means, judged.accepted)
    return Verification(
        run_id=record.run_id,
        branch=looked.repository.branch,
        head=looked.repository.head,
        change=change,
        judgement=judged,
        profile=looked.profile,
        place=exam.place,
        files=files,
        blockers=blockers,
        feedback=examined.feedback(means.language),
        decided=decision_data(decided),
        notes=(*_notes(session, exam, judged), *examined.notes),
        config_files=looked.rules.loaded.files,
        store=opened.path,
        duration_ms=int((time.monotonic() - began) * 1000),
        integrity=tuple(finding for finding in examined.found.findings if not finding.asks),
        record=kept,
        gates=exam.gates,
        questions=examined.open_questions,
        answers=examined.answers,
        red_elsewhere=examined.red_elsewhere,
    )


class ExamSession(NamedTuple):
    """Who asks for the exam and where it is recorded; the same however often it runs."""

    wanted: Wanted
    means: Means
    store: Path
    record: Recorder
    skip: bool = False  # something stands against the change already
    reviewed: GateResult | None = None
    lenient: bool = False  # what a command writes beside source does not age its result
    reviewer: "Reviewer | None" = None  # is asked once everything else holds
    purse: Purse | None = None  # pays for gates that have a price

    @property
    def state(self) -> Path:
        return state_folder(self.means.env)

    def context(self, looked: Looked, place: ExamPlace) -> ExamContext:
        """All that it takes to run the exam once more on another tree."""
        wanted, means = self.wanted, self.means
        entries = looked.judged.entries
        return ExamContext(
            looked, wanted, means, self.store, self.record, self.memory(looked), place, entries, self.purse
        )

    def memory(self, looked: Looked) -> Memory:
        config = looked.rules.config
        return Memory(
            Results(self.state / "results"),
            self.record.run_id,
            self.wanted.cache,
            Flaky(config.evidence.flaky.passes, config.evidence.flaky.of),
            parse,
            config.verification.source_extensions,
            self.lenient,
            CaseStore(self.state / "results"),
        )


class ExamResult(NamedTuple):
    """The exam as it ran, and the change before and after it."""

    session: ExamSession
    looked: Looked
    after: Looked
    commands: list[ExamCommand]
    place: ExamPlace | None
    gates: tuple[GateResult, ...]
    notes: tuple[Phrase, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing that ran says no."""
        commands = all(is_green(each.result) and each.result.why is None for each in self.commands)
        return commands and not any(gate.blocks for gate in self.gates)

    def context(self) -> ExamContext:
        assert self.place is not None
        return self.session.context(self.after, self.place)


class Examined(NamedTuple):
    """Everything that was found out about a change, and the change as it is afterwards."""

    exam: ExamResult
    found: ExamFindings
    proofs: tuple[Proof, ...]  # of scenarios
    facts: tuple[Body, ...]  # for ledger and gate, on the tree as it is
    red_before: Mapping[str, tuple[str, ...]] = {}  # tests that failed at the base too, by command
    answers: tuple[Answer, ...] = ()
    red_elsewhere: Elsewhere = ""

    @property
    def open_questions(self) -> tuple[Question, ...]:
        answered = {answer.id for answer in self.answers}
        return tuple(question for question in self.found.questions if question.id not in answered)

    @property
    def owed(self) -> tuple[Phrase, ...]:
        """What stands against the change beside the commands of the exam, a sentence each."""
        about = {question.id: question for question in self.found.questions}
        denied = [
            Phrase("questions.denied_owed", {**_question_values(about[answer.id]), "because": answer.because})
            for answer in self.answers
            if not answer.allowed
        ]
        asked = [Phrase("questions.owed", {**_question_values(q), "id": q.id}) for q in self.open_questions]
        unproven = (self.found.unproven,) if self.found.unproven else ()
        return (*owed(self.found.findings), *unproven, *denied, *asked, *owed_by_gates(self.exam.gates))

    @property
    def notes(self) -> tuple[Phrase, ...]:
        names = [name for tests in self.red_before.values() for name in tests]
        values = {"count": len(names), "names": ", ".join(names[:_SHOWN])}
        red = (Phrase("questions.red_before", values),) if names else ()
        unlinked = (proof.reason for proof in self.proofs if not proof.linked)
        return (*red, *self.found.notes, *unlinked)

    def feedback(self, language: Language) -> tuple[Feedback, ...]:
        return (
            *(feedback for each in self.exam.commands for feedback in each.result.feedback()),
            *(finding_feedback(finding, language) for finding in self.found.findings if not finding.asks),
            *(feedback_of_question(question, language) for question in self.open_questions),
            *(feedback for gate in self.exam.gates for feedback in gate_feedback(gate, language)),
        )


async def examine_change(session: ExamSession, looked: Looked) -> Examined:
    """Run the exam, then what it takes to trust it; nothing is decided here."""
    exam = await run_exam(session, looked)
    tree = exam.after.change.fingerprint.relevant
    before = await _red_before(exam)
    elsewhere = "" if before else await _red_elsewhere(exam)
    passed = exam.passed or (bool(before) and not any(gate.blocks for gate in exam.gates))
    found = ExamFindings()
    if passed and exam.place is not None:
        context = exam.context()
        found = await gather_findings(
            context, exam.commands, [name for names in before.values() for name in names]
        )
        secrets = questions_of_secrets(exam.gates, lambda path: about_files(context, (path,)))
        found = found._replace(questions=(*found.questions, *secrets))
        exam = exam._replace(after=with_unproven(exam.after, found.unproven))
    answers = _answers(session, looked, found.questions)
    proofs = await _scenario_proofs(exam)
    facts = (
        *(
            Verified(RED_BEFORE, key, "passed", tree, freeze({"tests": names[:_MOST_NAMES]}))
            for key, names in before.items()
        ),
        integrity_fact(found.findings, tree),
        questions_fact(found.questions, tree),
        *(answer.event for answer in answers),
        *gate_facts(exam.gates, _tree_of_gates(exam), scopes_of(looked.rules.config)),
        *_tests_fact(exam, tree),
        *scenario_facts(proofs, tree),
    )
    examined = Examined(exam, found, proofs, facts, before, answers, elsewhere)
    return await _reviewed(session, examined, passed) if session.reviewer else examined


def _tests_fact(exam: ExamResult, tree: str) -> tuple[Verified, ...]:
    """The exam's own word, where a check asks for it as for that of a gate."""
    asked = any(check.verifier == "tests" for check in exam.after.judged.plan.promise.checks)
    verdict: Literal["passed", "failed"] = "passed" if exam._replace(gates=()).passed else "failed"
    return (Verified("tests", SCOPE, verdict, tree),) if asked and exam.commands else ()


async def run_exam(session: ExamSession, looked: Looked) -> ExamResult:
    """The commands with the gates beside them; once more where the tree moved while they ran well."""
    ran = await _run_once(session, looked)
    after = _look_again(looked, session.wanted, ran.commands)
    if after.moved_from(looked) and ran.commands and _went_well(ran.commands):
        session = session._replace(lenient=True)
        ran = await _run_once(session, after)
        looked, after = after, _look_again(after, session.wanted, ran.commands)
    tried = [each for each in ran.known if is_tried(each.result)]
    notes = (*ran.notes, *(_left_out(each.result) for each in ran.known if not is_tried(each.result)))
    looked, after = (with_commands(one, [each.result.entry for each in tried]) for one in (looked, after))
    reviewed = (session.reviewed,) if session.reviewed else ()
    gates: tuple[GateResult, ...] = ()
    if looked.change.changed and ran.gates is not None:
        gates = (*reviewed, *await ran.gates.finish(ran.gate_findings))
    elif looked.change.changed:
        gates = (*reviewed, *not_reached(Wishes(looked, session.means), _kept_gates(session)))
    return ExamResult(session, looked, after, [*ran.commands, *tried], ran.place, gates, notes)


def _left_out(result: CommandResult) -> Phrase:
    why = result.why or Phrase("verify.way_could_not_run")
    return Phrase("verify.known_left_out", {"command": result.entry.line, "why": why})


class _Ran(NamedTuple):
    commands: list[ExamCommand]
    place: ExamPlace | None = None
    gates: GateSession | None = None  # None where they were not asked
    gate_findings: GateFindings = GateFindings()
    known: Sequence[ExamCommand] = ()  # the project's own tests beside the promise
    notes: tuple[Phrase, ...] = ()


async def _run_once(session: ExamSession, looked: Looked) -> _Ran:
    entries, root = looked.judged.entries, looked.repository.root
    if session.skip and not session.wanted.everything:
        why = Phrase("verify.not_run_yet")
        return _Ran([ExamCommand(CommandResult(entry, "skipped", why=why), ()) for entry in entries])
    doubts = {entry.identity: doubt_about(entry, root) for entry in entries}
    commands = {
        entry.identity: ExamCommand(CommandResult(entry, "masked", why=doubts[entry.identity]), ())
        for entry in entries
    }
    left: list[Accept] = [entry for entry in entries if not doubts[entry.identity]]
    wishes = Wishes(looked, session.means)
    if not left and not wishes.gates:
        return _Ran(list(commands.values()))
    began = time.time_ns()
    async with open_exam_place(
        looked, session.wanted, session.means, session.store, session.record, left
    ) as place:
        memory = session.memory(looked)
        gates = GateSession(
            wishes, session.context(looked, place)._replace(entries=tuple(left)), _kept_gates(session)
        )
        async with gates.beside() as beside:
            for entry in left:
                commands[entry.identity] = await run_command(entry, place, memory)
                session.record.command_ended(commands[entry.identity])
            well = _went_well([*commands.values()])
            known = await run_within(looked.known, place, memory, _KNOWN_SECONDS) if well else []
            gate_findings = await beside
        for each in known:
            session.record.command_ended(each)
        notes = tuple(unexecuted(place.folder, began, wishes)) if well else ()
        gate_findings = await gates.after(gate_findings, [commands[entry.identity] for entry in left])
    return _Ran(list(commands.values()), place, gates, gate_findings, known, notes)


def _kept_gates(session: ExamSession) -> Path:
    return session.state / "quality"


def _look_again(looked: Looked, wanted: Wanted, commands: list[ExamCommand]) -> Looked:
    """The change as it is after the exam: what commands or people wrote meanwhile is not proven."""
    ran = any(each.result.way in ("ran", "could_not_run") for each in commands)
    if wanted.clean_room or not ran:
        return looked
    base = looked.change.base
    return looked._replace(change=look(looked.repository, looked.fingerprints, base, looked.exempt))


def _went_well(commands: list[ExamCommand]) -> bool:
    ended = [each.result.ended for each in commands if each.result.way != "cached"]
    return all(one is not None and one.exit == 0 for one in ended)


def _tree_of_gates(exam: ExamResult) -> str:
    """Which tree the gates speak for: what the exam wrote beside source does not age their result."""
    looked, before, now = exam.looked, exam.looked.change.fingerprint, exam.after.change.fingerprint
    if before.relevant == now.relevant:
        return now.relevant
    wrote = looked.fingerprints.changed(before.tree, now.tree)
    extensions = looked.rules.config.verification.source_extensions
    proven = trees_proven(before.relevant, now.relevant, tuple(wrote), extensions)
    return now.relevant if now.relevant in proven else before.relevant


async def _red_before(exam: ExamResult) -> dict[str, tuple[str, ...]]:
    """Commands that nobody declared and that fail only where they failed at the base."""
    if exam.passed or exam.place is None or not exam.after.change.base.commit:
        return {}
    return await red_before(exam.context(), exam.commands)


async def _red_elsewhere(exam: ExamResult) -> Elsewhere:
    """Only where somebody asks whose work it is."""
    mine = exam.session.wanted.mine
    if mine is None or exam.place is None or any(gate.blocks for gate in exam.gates):
        return ""
    return await red_elsewhere(exam.context(), exam.commands, mine)


def _answers(session: ExamSession, looked: Looked, questions: tuple[Question, ...]) -> tuple[Answer, ...]:
    """What humans said of these questions; those that still wait are kept for `donewhen confirm`."""
    store = QuestionStore(session.state, looked.places.repo_id)
    given = {id: Answer(id, True, "--confirmed") for id in session.wanted.confirmed}
    answers = {**given, **store.answers()}
    waiting = [question for question in questions if question.id not in answers]
    store.put(session.record.run_id, waiting, session.means.language)
    return tuple(answers[question.id] for question in questions if question.id in answers)


async def _scenario_proofs(exam: ExamResult) -> tuple[Proof, ...]:
    """What the exam proves of the scenarios that the promise lists."""
    if not promised_scenarios(exam.after.judged.plan.promise.checks):
        return ()
    context = exam.context() if exam.place else None
    return await prove_change(context, exam.after, [c for each in exam.commands for c in each.result.cases])


async def _reviewed(session: ExamSession, examined: Examined, passed: bool) -> Examined:
    """The reviewer comes last: a review has its price, and what is refused anyway will change."""
    exam = examined.exam
    holds = passed and not any(finding.refuses for finding in examined.found.findings)
    holds = holds and not examined.open_questions and all(answer.allowed for answer in examined.answers)
    assert session.reviewer is not None
    result = await session.reviewer(exam.after, holds or session.wanted.everything)
    if result is None:
        return examined
    fact = gate_facts((result,), exam.after.change.fingerprint.relevant)
    exam = exam._replace(gates=(*exam.gates, result), after=owing(exam.after, result))
    return examined._replace(exam=exam, facts=(*examined.facts, *fact))


def _question_values(question: Question) -> dict[str, object]:
    return {"place": question.place, "message": question.message}


def _notes(session: ExamSession, exam: ExamResult, judged: Judgement) -> tuple[Phrase | str, ...]:
    moved = exam.after.moved_from(exam.looked) and not judged.accepted
    return (
        *exam.looked.notes,
        *(exam.place.notes if exam.place else ()),
        *exam.notes,
        *((Phrase("verify.moved"),) if moved else ()),
        *_no_network(exam.looked, judged),
        *_time_limit(judged),
        *_no_package(exam),
        *Wishes(exam.looked, session.means).left_out(),
    )


def _no_package(exam: ExamResult) -> tuple[Phrase, ...]:
    """A hint where the environment at hand, which is used as it is, lacks what tests import."""
    if exam.passed or exam.place is None or exam.place.prepared.kind != "shared":
        return ()
    tails = "\n".join(each.result.tail for each in exam.commands)
    name = missing_package(tails, exam.looked.repository.root)
    values = {"package": name, "place": ", ".join(exam.place.prepared.sources)}
    return (Phrase("verify.no_package", values),) if name and values["place"] else ()


def _time_limit(judged: Judgement) -> tuple[Phrase, ...]:
    late = [s for s in judged.commands if s.ended is not None and s.ended.exit == TIMED_OUT]
    return tuple(Phrase("verify.time_limit", {"command": s.entry.line}) for s in late[:1])


def _no_network(looked: Looked, judged: Judgement) -> tuple[Phrase, ...]:
    """A hint where a failure looks like one of the network that an exam does not have."""
    if looked.rules.config.sandbox.exam_network != "none":
        return ()
    wanting = [s for s in judged.commands if s.way != "cached" and any(mark in s.tail for mark in OFFLINE)]
    open_ones = [s for s in wanting if s.ended is not None and s.ended.exit != 0]
    return tuple(Phrase("verify.no_network", {"command": s.entry.line}) for s in open_ones[:1])
