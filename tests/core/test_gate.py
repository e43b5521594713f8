"""The gate on facts that gate cases can't tell: machine counts, files a command wrote, verifiers that crash."""

from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.core.checks import Check
from donewhen.core.counts import Counts
from donewhen.core.events import facts
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.feedback import acceptance_line, reasons, track
from donewhen.core.freshness import trees_proven
from donewhen.core.gate import Accepted, Continue, Failed, decide
from donewhen.core.outcome import outcome
from donewhen.core.promise import Criterion, Promise
from donewhen.core.tally import Flaky
from donewhen.core.texts import say
from donewhen.core.todos import read_todos
from donewhen.core.view import MemoryFiles, View
from tests.tables import table_test

PROMISE = Promise("cp-1760000000000-1a2b", "ship", (Criterion("c1", "it works"),))
GREEN = "8 passed in 0.2s\n"


def promise(*commands, **more):
    entries = tuple(entry for command in commands for entry in read_accept(command, parse))
    return PROMISE._replace(accept=entries, **more)


def view(tree="t1", files=(), changed=()):
    return View(f"full-{tree}", tree, MemoryFiles(dict(files)), dict(changed))


def ended(command, tree="t1", code=0, **more):
    return facts.CommandEnded("", command, exit=code, before=tree, **{"by": "harness", **more})


def exam(promised, *bodies, seen=None, flaky=(0, 0), **more):
    evidence = Evidence(parse, Flaky(*flaky))
    for body in bodies:
        evidence.take(body)
    return Exam(promised, evidence, seen or view(), parse, **{"answer": "Done.", **more})


def test_acceptance_carries_its_proofs_and_the_tree_that_ships():
    checks = (Check("file_exists", "a.md", id="f"),)
    decision = decide(
        exam(promise("pytest"), ended("pytest", tail=GREEN), seen=view(files={"a.md": "x"}), checks=checks)
    )
    assert isinstance(decision, Accepted)
    assert decision.proofs == ("command:pytest", "file:a.md")
    assert (decision.fingerprint, decision.stop_reason) == ("full-t1", "accepted")


def test_one_refusal_names_everything_that_is_missing():
    checks = (Check("file_exists", "a.md", id="f"), Check("workspace_change", id="w"))
    todos = read_todos([{"id": "a", "content": "x"}])
    decision = decide(exam(promise("pytest", "ruff check ."), checks=checks, todos=todos, answer=""))
    assert isinstance(decision, Continue)
    findings = decision.findings
    assert [result.id for result in findings.failed] == ["f", "w"]
    assert [command.entry.label for command in findings.pending] == ["pytest", "ruff check ."]
    assert findings.todos_open == ("a",)
    assert findings.open_proofs == 6  # and the criterion, which is met when all checks are
    assert [say(each.key, "en", **each.values) for each in reasons(findings)] == [
        "pytest: it was not run",
        "ruff check .: it was not run",
        "f: a.md is not in the workspace",
        "w: nothing in the workspace differs from the start",
        "the todo a is not done",
    ]


def test_an_abort_condition_wins_over_every_proof():
    decision = decide(exam(promise("pytest"), ended("pytest", tail=GREEN)), "unsafe")
    assert isinstance(decision, Failed)
    assert decision.stop_reason == "unsafe"


def test_optional_checks_are_reported_and_change_nothing():
    checks = (Check("output_only"), Check("file_exists", "a.md", required=False, id="f"))
    decision = decide(exam(PROMISE, checks=checks))
    assert isinstance(decision, Accepted)
    assert [(result.id, result.passed) for result in decision.findings.results] == [
        ("output_only:", True),
        ("f", False),
    ]


def test_the_harness_is_asked_for_unless_the_agent_is_trusted():
    by_agent = ended("pytest", tail=GREEN, by="agent")
    assert decide(exam(promise("pytest"), by_agent)).status == "continue"
    assert decide(exam(promise("pytest"), by_agent, trust="agent")).status == "accepted"
    assert decide(exam(promise("pytest"), by_agent._replace(by="hook"))).status == "continue"


@table_test(
    ("code", "counts", "tail", "state", "verdict"),
    [
        (0, None, "", "completed", "green"),
        (1, None, "", "completed", "red"),
        (2, None, "", "completed", "red"),
        (None, None, "", "completed", "red"),
        (0, None, "", "failed", "red"),
        (0, None, "", "running", "nothing"),
        (126, None, "", "completed", "nothing"),
        (127, None, "", "completed", "nothing"),
        (124, None, "", "completed", "nothing"),
        (64, None, "", "completed", "nothing"),
        (128, None, "", "completed", "red"),
        (129, None, "", "completed", "nothing"),
        (137, None, "", "failed", "nothing"),
        (192, None, "", "completed", "nothing"),
        (193, None, "", "completed", "red"),
        (255, None, "", "completed", "red"),
        (-9, None, "", "completed", "nothing"),
        (3, None, "", "completed", "nothing"),
        (4, None, "", "completed", "nothing"),
        (5, None, "", "completed", "nothing"),
        (6, None, "", "completed", "red"),
        (0, Counts(0, 0), "", "completed", "nothing"),
        (1, Counts(0, 0), "", "completed", "nothing"),
        (0, Counts(3, 2, 1), "", "completed", "red"),
        (0, Counts(3, 3, errors=1), "", "completed", "red"),
        (137, Counts(3, 2, 1), "", "completed", "red"),
        (0, Counts(None), "", "completed", "green"),
        (1, Counts(3, 3), "", "completed", "red"),
        (1, Counts(3, 3), "usage: x\n", "completed", "red"),
        (1, None, "error: unexpected argument '--x'\n", "completed", "nothing"),
        (1, None, "x\nusage: pytest [options]\n", "completed", "red"),
        (2, None, "usage: pytest\n" + "x\n" * 20, "completed", "red"),
        (2, None, "usage: pytest\n2 failures\n", "completed", "red"),
        (2, None, "usage: pytest [options]\n", "completed", "nothing"),
        (2, Counts(3, 2, 1), "usage: pytest [options]\n", "completed", "red"),
        (7, None, "usage: pytest [options]\n", "completed", "red"),
    ],
)
def test_the_end_of_a_test_command_is_green_red_or_nothing(code, counts, tail, state, verdict):
    body = facts.CommandEnded("", "pytest", exit=code, state=state, tail=tail)
    assert outcome(body, counts, is_test=True, program="pytest")[0] == verdict


def test_counts_and_pytest_codes_mean_nothing_for_other_commands():
    build = ended("make build")
    assert outcome(build, Counts(0, 0), is_test=False, program="make")[0] == "green"
    assert outcome(build._replace(exit=3), None, is_test=False, program="make")[0] == "red"
    assert outcome(build, Counts(3, 2, 1), is_test=False, program="make")[0] == "green"
    assert outcome(build._replace(exit=1), Counts(0, 0), is_test=False, program="make")[0] == "red"


def test_counts_of_a_machine_report_win_over_printed_ones():
    none = ended("pytest", tail=GREEN, counts={"executed": 0, "passed": 0})
    assert decide(exam(promise("pytest"), none)).status == "continue"


def test_what_a_command_wrote_itself_does_not_age_its_result_unless_it_is_source():
    assert trees_proven("t1", "t2", ["coverage.xml"]) == ("t1", "t2")
    assert trees_proven("t1", "t1", []) == ("t1",)
    assert trees_proven("t1", "", ["coverage.xml"]) == ("t1",)
    assert trees_proven("t1", "t2", ["coverage.xml", "src/app.py"]) == ("t1",)
    assert trees_proven("t1", "t2", ["a.foo"], (".foo",)) == ("t1",)
    wrote = ended("pytest", tail=GREEN, after="t2", on=("t1", "t2"))
    assert decide(exam(promise("pytest"), wrote, seen=view("t2"))).status == "accepted"
    assert decide(exam(promise("pytest"), wrote._replace(on=()), seen=view("t2"))).status == "continue"


def test_flaky_runs_are_tolerated_only_as_configured():
    red, green = ended("pytest", code=1), ended("pytest", tail=GREEN)
    bodies = [red, green, green]
    assert decide(exam(promise("pytest"), *bodies)).status == "continue"
    assert decide(exam(promise("pytest"), *bodies, flaky=(2, 3))).status == "accepted"
    assert decide(exam(promise("pytest"), *bodies, flaky=(3, 3))).status == "continue"
    assert decide(exam(promise("pytest"), red, green, red, green, flaky=(2, 2))).status == "continue"
    assert decide(exam(promise("pytest"), red, green, flaky=(0, 2))).status == "continue"


def test_a_verifier_that_could_not_run_is_no_pass():
    check = Check("quality_gate", "types", id="q")
    passed = facts.Verified("types", "change", "passed", "t1")
    assert decide(exam(PROMISE, passed, checks=(check,))).status == "accepted"
    for verdict in ("could_not_run", "skipped", "warning"):
        said = facts.Verified("types", "change", verdict, "t1")
        assert decide(exam(PROMISE, said, checks=(check,))).status == "continue"
        assert decide(exam(PROMISE, passed, said, checks=(check,))).status == "continue"


def test_a_target_that_is_declared_later_sees_what_ran_before():
    before = exam(PROMISE, ended("pytest", tail=GREEN))
    later = before._replace(checks=(Check("command_success", "pytest"),))
    assert decide(later).status == "accepted"


def test_a_red_line_of_several_commands_blames_none_without_a_summary():
    line = "ruff check . && pytest"
    green = ended("pytest", tail=GREEN)
    assert decide(exam(promise("pytest"), green, ended(line, code=1))).status == "accepted"
    failed = ended(line, code=1, tail="1 failed, 7 passed in 0.2s\n")
    assert decide(exam(promise("pytest"), green, failed)).status == "continue"


def test_each_fact_is_folded_at_the_same_cost():
    evidence = Evidence(parse)
    promised = promise("pytest")
    for number in range(3000):
        evidence.take(ended("pytest", f"t{number}", tail=GREEN))
    seen = view("t2999")
    assert decide(Exam(promised, evidence, seen, parse, answer="x")).status == "accepted"


def test_the_acceptance_line_counts_what_passed():
    promised = promise("npm test", "npm run build")
    run = ended("npm test", tail=" Test Files  8 passed (8)\n      Tests  22 passed (22)\n")
    findings = decide(exam(promised, run)).findings
    assert [(each.label, each.status) for each in track(findings)] == [
        ("npm test", "passed"),
        ("npm run build", "pending"),
    ]
    counts = Counts(22, 22, files=8)
    assert acceptance_line("npm test", counts, findings, "en") == (
        "[System / Acceptance] npm test — 8 files / 22 tests passed (1/2 passed)"
    )
    done = decide(exam(promised, run, ended("npm run build"))).findings
    assert acceptance_line("npm run build", None, done, "en").splitlines()[1] == (
        "All acceptance commands pass (2). Finish what is still open, then call `complete` with a summary of at most"
        " 10 points."
    )
