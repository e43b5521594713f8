"""Single rules round the decision, each with the case that would notice its absence."""

from donewhen.commands import parse
from donewhen.core.aborting import abort_reason, budget_reason
from donewhen.core.accept import read_accept
from donewhen.core.checks import Check
from donewhen.core.course import Course, Limits, attempt, reply, turn
from donewhen.core.deliverables import survey
from donewhen.core.events import facts
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.fulfilment import fulfil
from donewhen.core.gate import decide, examine
from donewhen.core.promise import Condition, Criterion, Promise
from donewhen.core.repeat import Call, Turn
from donewhen.core.tally import Flaky
from donewhen.core.view import MemoryFiles, View
from tests.tables import table_test

PROMISE = Promise("cp-1760000000000-1a2b", "ship", (Criterion("c1", "it works"),))
GREEN = "8 passed in 0.2s\n"
LIMITS = {"money": 10.0, "tokens": None, "time": 3600.0, "tool-calls": 1000.0, "turns": 90.0}


def promise(*commands, **more):
    entries = tuple(entry for command in commands for entry in read_accept(command, parse))
    return PROMISE._replace(accept=entries, **more)


def ended(command, code=0, **more):
    return facts.CommandEnded("", command, exit=code, before="t1", **{"by": "harness", **more})


def exam(promised, *bodies, files=(), changed=(), flaky=(0, 0), **more):
    evidence = Evidence(parse, Flaky(*flaky))
    for body in bodies:
        evidence.take(body)
    seen = View("full", "t1", MemoryFiles(dict(files)), dict(changed))
    return Exam(promised, evidence, seen, parse, **{"answer": "Done.", **more})


def aborting(*conditions):
    return PROMISE._replace(abort_when=tuple(Condition(*each) for each in conditions))


@table_test(
    ("conditions", "spent", "reason"),
    [
        ([("budget-exhausted",)], {"money": 9.99}, None),
        ([("budget-exhausted",)], {"money": 10}, "budget_exceeded"),
        ([("budget-exhausted",)], {"money": 11}, "budget_exceeded"),
        ([("budget-exhausted",)], {"tokens": 1e9}, None),
        ([("budget-exhausted",)], {"tool-calls": 1000}, "budget_exceeded"),
        ([("budget-exhausted",)], {"time": 3600}, "time_exceeded"),
        ([("budget-exhausted",)], {"turns": 90}, "max_turn_exceeded"),
        ([("budget-exhausted",)], {"turns": 90, "money": 10}, "budget_exceeded"),
        ([("budget-exhausted", "money")], {"time": 9999}, None),
        ([("budget-exhausted", "time")], {"time": 9999}, "time_exceeded"),
        ([("budget-exhausted", "time"), ("budget-exhausted", "turns")], {"turns": 91}, "max_turn_exceeded"),
        ([("stuck",)], {"money": 11}, None),
        ([("stuck",), ("budget-exhausted",)], {"money": 11}, "budget_exceeded"),
        ([], {"money": 11}, None),
        ([("budget-exhausted",)], {}, None),
    ],
)
def test_a_budget_ends_a_run_when_the_promise_watches_it(conditions, spent, reason):
    assert budget_reason(aborting(*conditions), spent, LIMITS) == reason


def test_a_budget_of_nothing_is_used_up_by_the_first_spending():
    assert budget_reason(PROMISE, {"money": 0.01}, {"money": 0.0}) == "budget_exceeded"
    assert budget_reason(PROMISE, {"money": 0.0}, {"money": 0.0}) is None


def denied(rule, command, approval="never"):
    return facts.Denied("run_command", rule, command=command, approval=approval)


def folded(*bodies):
    return exam(PROMISE, *bodies).evidence


def test_unsafe_is_the_same_critical_rule_at_the_same_target_three_times():
    hit = denied("force-push", "git push -f")
    assert abort_reason(PROMISE, folded(hit, hit)) is None
    assert abort_reason(PROMISE, folded(hit, hit, denied("force-push", "git  push -f"))) == "unsafe"
    assert abort_reason(PROMISE, folded(hit, hit, denied("force-push", "git push -f x"))) is None
    assert abort_reason(PROMISE, folded(hit, hit, denied("other", "git push -f"))) is None
    assert abort_reason(PROMISE, folded(*[denied("force-push", "git push -f", "user")] * 5)) is None
    assert abort_reason(aborting(("stuck",)), folded(hit, hit, hit)) is None


@table_test("path", ["../out.txt", "/etc/hosts", ".git/config", "sub/.git/HEAD", ".donewhen/x"])
def test_harm_is_never_accepted_whether_or_not_it_aborts(path):
    wrote = facts.FileChanged(path, "write")
    assert abort_reason(PROMISE, folded(wrote)) == "unsafe"
    careless = aborting(("stuck",))
    assert abort_reason(careless, folded(wrote)) is None
    decision = decide(exam(careless, wrote))
    assert [result.id for result in decision.findings.failed] == ["unsafe"]


def test_paths_that_only_look_like_ours_are_no_harm():
    assert abort_reason(PROMISE, folded(facts.FileChanged(".gitignore", "write"))) is None
    moved = facts.FileChanged("a.txt", "move", origin="../b.txt")
    assert abort_reason(PROMISE, folded(moved)) == "unsafe"


def test_three_writes_or_refusals_outside_the_scope_are_drift():
    scoped = PROMISE._replace(allowed_scope=("src",))
    evidence = Evidence(parse, outside=lambda path: not path.startswith("src/"))
    evidence.take(facts.FileChanged("docs/b.md", "move", origin="docs/a.md"))
    assert abort_reason(scoped, evidence) is None
    evidence.take(denied("scope", "write docs/c.md", "user"))
    assert abort_reason(scoped, evidence) == "scope_drift"
    assert abort_reason(scoped._replace(abort_when=()), evidence) is None


def ends(case, attempts):
    course = Course()
    for _ in range(attempts):
        if course.end is None:
            course = attempt(course, decide(case), case, Limits())
    return course.end and course.end.stop_reason


def test_the_fourth_refusal_without_progress_ends_the_run():
    case = exam(promise("pytest"))
    assert [ends(case, number) for number in (3, 4)] == [None, "accept_continue_exhausted"]
    strict = attempt(Course(), decide(case), case, Limits(continues=0))
    assert strict.end is not None


def test_evidence_that_was_denied_and_never_came_is_the_reason():
    no = denied("network", "pytest", "user")
    assert ends(exam(promise("pytest"), no), 4) == "accept_check_failed"
    assert (
        ends(exam(promise("pytest"), denied("network", "curl x", "user")), 4) == "accept_continue_exhausted"
    )
    red_since = ended("pytest", 1)
    assert ends(exam(promise("pytest"), no, red_since), 4) == "accept_continue_exhausted"
    assert ends(exam(promise("pytest"), red_since, no), 4) == "accept_check_failed"


@table_test("kind", ["file_exists", "content_contains", "workspace_change"])
def test_a_denied_way_to_a_missing_file_is_the_reason(kind):
    params = {"contains": "x"} if kind == "content_contains" else {}
    checks = (Check(kind, "docs/a.md", params=params, id="f"),)
    by_command = denied("network", "curl -o docs/a.md example.org", "user")
    by_tool = facts.Denied("write_file", "scope-of-tool", target="docs/a.md")
    expected = "accept_continue_exhausted" if kind == "workspace_change" else "accept_check_failed"
    assert ends(exam(PROMISE, by_command, checks=checks), 4) == expected
    assert ends(exam(PROMISE, by_tool, checks=checks), 4) == expected
    other = denied("network", "curl -o docs/b.md example.org", "user")
    assert ends(exam(PROMISE, other, checks=checks), 4) == "accept_continue_exhausted"


def test_an_optional_check_that_was_denied_is_no_reason():
    checks = (Check("command_success", "pytest", required=False), Check("file_exists", "a.md"))
    assert ends(exam(PROMISE, denied("x", "pytest"), checks=checks), 4) == "accept_continue_exhausted"


def test_integrity_is_the_reason_when_nothing_was_denied():
    finding = facts.Verified("integrity", "change", "failed", "t0")
    assert ends(exam(PROMISE, finding), 4) == "integrity_violation"
    assert ends(exam(promise("pytest"), finding, denied("x", "pytest")), 4) == "accept_check_failed"
    cleared = facts.Verified("integrity", "change", "passed", "t1")
    assert ends(exam(PROMISE, finding, cleared), 1) == "accepted"


def test_answers_without_signal_and_thinking_are_counted_apart():
    course = Course()
    for _ in range(5):
        course = reply(course, "miss", Limits())
    assert (course.end, course.reminded) == (None, True)
    for _ in range(6):
        course = reply(course, "thinking", Limits())
    assert course.end is None
    over = reply(course, "thinking", Limits()).end
    missed = reply(course, "miss", Limits()).end
    assert over and over.stop_reason == "missing_completion_signal"
    assert missed and missed.stop_reason == "missing_completion_signal"
    assert reply(course, "tools", Limits()) == Course()
    spoken = reply(Course(misses=(course.misses._replace(missing=0))), "miss", Limits())
    assert spoken.misses.thinking == 0


def test_a_refused_attempt_clears_the_misses():
    case = exam(promise("pytest"))
    course = attempt(reply(Course(), "miss", Limits()), decide(case), case, Limits())
    assert (course.misses, course.reminded) == (Course().misses, False)


def test_equal_turns_bring_a_reminder_and_then_the_end_if_being_stuck_aborts():
    same = Turn((Call("read_file", {"path": "a"}, "x"),))
    course = Course()
    reminded = []
    for _ in range(4):
        course = turn(course, same, PROMISE, Limits())
        reminded.append(course.reminded)
    assert (reminded, course.end) == ([False, False, False, True], None)
    stopped = turn(course, same, PROMISE, Limits())
    assert stopped.end and (stopped.end.status, stopped.end.stop_reason) == ("stopped", "repeat_cycle")
    assert turn(course, same, aborting(("unsafe",)), Limits()).end is None


SOURCE = {"app.py": "modified"}


@table_test(
    ("case", "owed"),
    [
        (exam(PROMISE, changed=SOURCE), 1),
        (exam(PROMISE, ended("pytest", tail=GREEN), changed=SOURCE), 0),
        (exam(PROMISE, ended("pytest tests/one.py", tail=GREEN), changed=SOURCE), 1),
        (exam(PROMISE, ended("pytest | tail", tail=GREEN), changed=SOURCE), 1),
        (exam(PROMISE, ended("ruff check ."), changed=SOURCE), 1),
        (exam(promise("ruff check ."), ended("ruff check ."), changed=SOURCE), 0),
        (exam(promise("ruff check ."), changed=SOURCE), 1),
        (exam(promise("ruff check .", "make docs"), ended("make docs"), changed=SOURCE), 1),
        (
            exam(
                PROMISE,
                ended("make test"),
                checks=(Check("command_success", "make test"),),
                changed={"a.json": "added"},
                files={"a.json": "{"},
            ),
            0,
        ),
        (
            exam(
                PROMISE,
                ended("make docs"),
                checks=(Check("command_success", "make docs"),),
                changed={"a.json": "added"},
                files={"a.json": "{"},
            ),
            1,
        ),
        (
            exam(
                PROMISE,
                ended("make test"),
                checks=(Check("command_success", "make test", required=False), Check("output_only")),
                changed={"a.json": "added"},
                files={"a.json": "{"},
            ),
            1,
        ),
        (
            exam(
                PROMISE,
                checks=(Check("command_success", "make test"),),
                changed={"a.json": "added"},
                files={"a.json": "{"},
            ),
            1,
        ),
    ],
)
def test_a_change_owes_a_test_run_or_a_confirmation_unless_the_exam_covers_it(case, owed):
    assert len(examine(case).deliverables) == owed


def test_confirmation_is_of_the_last_version_of_a_file_that_is_there():
    changed = {"a.json": "modified", "gone.md": "deleted", "empty.md": "added"}
    files = {"a.json": "{", "empty.md": ""}
    wrote = [facts.FileChanged("a.json", "write", version=1), facts.FileChanged("a.json", "write", version=2)]
    late = facts.FileConfirmed("a.json", 2)
    found = survey(exam(PROMISE, *wrote, late, files=files, changed=changed))
    assert (found.required, found.pending, found.kind) == (
        ("a.json", "empty.md"),
        ("empty.md",),
        "file_deliverable",
    )
    early = survey(exam(PROMISE, *wrote, facts.FileConfirmed("a.json", 1), files=files, changed=changed))
    assert early.pending == ("a.json", "empty.md")
    assert survey(exam(PROMISE)).kind == "none"
    assert survey(exam(PROMISE, changed=SOURCE)).kind == "engineering"
    unseen = exam(PROMISE, files={"a.json": "{"}, changed={"a.json": "modified"})
    assert survey(unseen).pending == ("a.json",)
    read = exam(PROMISE, facts.FileConfirmed("a.json", 0), files={"a.json": "{"}, changed={"a.json": "added"})
    assert survey(read).pending == ()


def present(name, *bodies, **more):
    case = exam(PROMISE._replace(required_evidence=(name,)), *bodies, **more)
    findings = examine(case)
    kept = fulfil(case, findings.results, findings.commands)
    assert kept.fulfilled == (not kept.missing and not kept.blockers)
    return kept.missing == ()


def test_evidence_is_present_while_it_is_successful_and_fresh():
    wrote = facts.FileChanged("a.md", "write")
    assert present("file:a.md", wrote, files={"a.md": "x"})
    assert present("file", wrote, files={"a.md": "x"})
    assert not present("file:a.md", wrote)
    assert not present("file:a.md", files={"a.md": "x"})
    assert not present("file:b.md", wrote, files={"a.md": "x"})
    exists = (Check("file_exists", "a.md"),)
    assert present("file:a.md", files={"a.md": "x"}, checks=exists)
    assert not present("file:a.md", checks=exists)
    content = (Check("content_contains", "a.md", params={"contains": "x"}),)
    assert present("content:a.md", files={"a.md": "x"}, checks=content)
    assert not present("content:a.md", files={"a.md": "y"}, checks=content)
    assert not present("content:a.md", files={"a.md": "x"}, checks=exists)
    assert present("check:t", checks=(Check("output_only", id="t"),))
    assert not present("check:t", checks=(Check("output_only", id="t"),), answer="")
    assert present("approval:the shed", facts.Answered("", True, "human", " the shed "))
    assert not present("approval:the shed", facts.Answered("", False, "human", "the shed"))
    assert not present("approval:the shed", facts.Answered("", True, "agent", "the shed"))
    said = facts.Verified("types", "src", "passed", "t1")
    assert present("verification:types/src", said)
    assert present("verification:types", said)
    assert present("verification", said)
    assert not present("verification:types/tests", said)
    assert not present("verification", said._replace(fingerprint="t0"))
    assert not present("smell:roses")


def test_a_bare_command_kind_needs_one_command_that_passed_and_was_never_red():
    assert not present("command")
    assert present("command", ended("make docs"))
    assert not present("command", ended("make docs", by="agent"))
    assert present("command", ended("make docs", by="agent"), trust="agent")
    assert not present("command", ended("make docs || true"))
    assert not present("command", ended("make docs", 1), ended("make docs"))
    assert present("command", ended("make docs", 1), ended("make html"))
    assert present("command:yarn test", ended("npm test"))


def test_a_criterion_without_evidence_needs_checks_and_commands():
    assert decide(exam(promise("pytest"), ended("pytest", tail=GREEN))).status == "accepted"
    case = exam(promise("pytest"))
    assert [phrase.key for phrase in examine(case).blockers] == ["gate.unmet_acceptance_met"]
    case = exam(PROMISE, answer="")
    assert [phrase.key for phrase in examine(case).blockers] == ["gate.unmet_acceptance_met"]


def test_a_file_that_must_not_be_empty():
    check = (Check("file_exists", "a.md", params={"nonempty": "true"}),)
    assert decide(exam(PROMISE, checks=check, files={"a.md": "x"})).status == "accepted"
    assert decide(exam(PROMISE, checks=check, files={"a.md": " \n"})).status == "continue"
    assert decide(exam(PROMISE, checks=check, files={"a.md/b": ""})).status == "accepted"
    assert decide(exam(PROMISE, checks=check)).status == "continue"
    assert (
        decide(exam(PROMISE, checks=(Check("file_exists", "a.md"),), files={"a.md": ""})).status == "accepted"
    )


def test_verdicts_of_one_tree_must_agree_and_the_last_word_counts():
    check = (Check("tool_fact", params={"tool": "mypy"}, id="m"),)

    def said(*verdicts, tree="t1", scope="src"):
        bodies = [facts.Verified("mypy", scope, verdict, tree) for verdict in verdicts]
        return decide(exam(PROMISE, *bodies, checks=check)).status

    assert said("passed") == "accepted"
    assert said("passed", "passed") == "accepted"
    assert said("failed", "passed") == "continue"
    assert said("passed", "failed") == "continue"
    assert said("could_not_run", "passed") == "accepted"
    assert said("failed", "skipped", "passed") == "continue"
    assert said("passed", tree="t0") == "continue"
    both = [facts.Verified("mypy", "src", "passed", "t1"), facts.Verified("mypy", "tests", "failed", "t1")]
    assert decide(exam(PROMISE, *both, checks=check)).status == "continue"


def test_a_change_outside_the_scope_counts_but_an_exempt_file_does_not():
    scoped = PROMISE._replace(allowed_scope=("src/**",), disallowed_scope=("src/gen/**", "tmp/keep/**"))

    def failed(path):
        return [each.id for each in examine(exam(scoped, changed={path: "added"})).failed]

    assert failed("src/a.md") == []
    assert failed("docs/a.md") == ["scope"]
    assert failed("src/gen/a.md") == ["scope"]
    assert failed("notes.bak") == []
    assert failed("tmp/keep/x") == ["scope"]


def test_only_a_human_not_the_order_of_runs_decides_what_is_flaky():
    assert (
        decide(exam(promise("pytest"), ended("pytest", 1), ended("pytest"), flaky=(1, 2))).status
        == "accepted"
    )
    by_agent = [ended("pytest", 1, by="agent"), ended("pytest", by="agent"), ended("pytest")]
    assert decide(exam(promise("pytest"), *by_agent, flaky=(2, 3))).status == "continue"
    assert decide(exam(promise("pytest"), *by_agent, flaky=(2, 3), trust="agent")).status == "accepted"
    assert decide(exam(promise("pytest"), ended("pytest", 1), flaky=(0, 1))).status == "continue"
    older = [ended("pytest"), ended("pytest"), ended("pytest", 1), ended("pytest", 1)]
    assert decide(exam(promise("pytest"), *older, flaky=(2, 2))).status == "continue"


def test_the_latest_environment_on_a_tree_counts():
    old, new = {"environment": "lock-1"}, {"environment": "lock-2"}
    red, green = ended("pytest", 1, **old), ended("pytest", **new)
    assert decide(exam(promise("pytest"), red, green)).status == "accepted"
    assert decide(exam(promise("pytest"), green, red)).status == "continue"
    assert decide(exam(promise("pytest"), green, red, green)).status == "accepted"


def test_a_check_that_only_sounds_like_a_test_command_covers_nothing():
    checks = (Check("file_exists", "tox"), Check("content_contains", "pytest", params={"contains": "x"}))
    case = exam(PROMISE, checks=checks, files={"tox": "x", "pytest": "x"}, changed=SOURCE)
    assert len(examine(case).deliverables) == 1


def test_the_agents_own_check_covers_nothing():
    own = (Check("command_success", "make test", by="agent"),)
    case = exam(PROMISE, ended("make test"), checks=own, changed={"a.json": "added"}, files={"a.json": "{"})
    assert len(examine(case).deliverables) == 1


def test_fulfilled_means_neither_missing_nor_blocked():
    waiting = PROMISE._replace(done_when=(Condition("user-confirmed", "the shed"),))
    findings = examine(exam(waiting))
    kept = fulfil(exam(waiting), findings.results, findings.commands)
    assert (kept.missing, len(kept.blockers), kept.fulfilled) == ((), 1, False)


def test_a_tolerance_without_number_of_runs_tolerates_nothing():
    assert (
        decide(exam(promise("pytest"), ended("pytest", 1), ended("pytest"), flaky=(1, 1))).status
        == "accepted"
    )
    assert (
        decide(exam(promise("pytest"), ended("pytest", 1), ended("pytest"), flaky=(1, 0))).status
        == "continue"
    )


def test_an_answer_is_asked_for_unless_somebody_else_requires_something():
    own = Check("workspace_change", by="agent")
    optional = Check("file_exists", "a.md", required=False)
    for checks in ((), (own,), (optional,), (own, optional)):
        assert "output_only:" in [result.id for result in examine(exam(PROMISE, checks=checks)).results]
    asked = examine(exam(PROMISE, checks=(Check("workspace_change"),)))
    assert [result.id for result in asked.results] == ["workspace_change:"]


@table_test(
    ("pattern", "text", "found"),
    [
        ("version 2", "a\nversion 2\n", True),
        ("^b$", "a\nb\nc", True),
        ("a.*c", "x\na b c\n", True),
        ("a.*c", "a\nc", False),
        (r"a[\s\S]*c", "a\nb\nc", True),
        (r"a+\s+b+", "x\naa \n bb", True),
        ("z.*q", "y" * 5000, False),
    ],
)
def test_patterns_are_found_line_by_line_and_in_short_texts_across_lines(pattern, text, found):
    check = (Check("content_contains", "a.md", params={"regex": pattern}),)
    assert decide(exam(PROMISE, checks=check, files={"a.md": text})).status == (
        "accepted" if found else "continue"
    )


RED_ONE = "FAILED test_a.py::test_one - assert 1 == 2\n1 failed, 2 passed in 0.1s\n"


def test_a_narrower_red_that_names_its_test_overrides_the_pass_where_no_command_is_declared():
    green, red = ended("pytest", tail=GREEN), ended("pytest test_a.py", 1, tail=RED_ONE)
    source = {"a.py": "modified"}
    assert examine(exam(PROMISE, green, changed=source)).deliverables == ()
    assert len(examine(exam(PROMISE, green, red, changed=source)).deliverables) == 1
