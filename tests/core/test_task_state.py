"""The state of a task: read from evidence and tree, so that it can't say more than they prove."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.checks import Check
from donewhen.core.codec import dumps
from donewhen.core.events import facts
from donewhen.core.gate import examine
from donewhen.core.paths import SOURCE_EXTENSIONS, Exempt, is_source
from donewhen.core.task_state import Activity, TaskState, act
from tests.core.state_support import Desk
from tests.tables import table_test

APP = {"app.py": "a = 1\n"}


def stands(desk):
    return desk.state.verification, desk.state.phase


def test_before_anything_happens_nothing_is_needed():
    assert Desk(APP).state == TaskState()
    assert stands(Desk(APP)) == ("not_required", "intent")


def test_looking_round_changes_the_phase_alone():
    assert stands(Desk(APP).read("app.py")) == ("not_required", "context")
    assert stands(Desk(APP).run("ls", by="agent", tail="app.py\n")) == ("not_required", "context")


def test_tests_on_the_untouched_tree_verify_no_change():
    assert stands(Desk(APP).run()) == ("not_required", "context")
    assert stands(Desk(APP, accept=["pytest"]).run(code=1)) == ("not_required", "context")


def test_a_change_of_source_needs_a_run_and_the_run_decides():
    desk = Desk(APP).write("app.py", "a = 2\n")
    assert stands(desk) == ("required", "editing")
    assert desk.state.untested == ("app.py",)
    assert stands(desk.begin()) == ("required", "verification")
    assert stands(desk.run()) == ("passed", "verification")
    assert desk.state.untested == ()


def test_a_deleted_source_is_a_change_of_source():
    assert stands(Desk(APP).delete("app.py")) == ("required", "editing")


def test_a_red_run_fails_it_and_a_second_green_on_the_same_tree_does_not_help():
    desk = Desk(APP).write("app.py", "a = 2\n").run(code=1)
    assert stands(desk) == ("failed", "verification")
    assert stands(desk.run()) == ("failed", "verification")  # flaky is no pass
    assert stands(desk.write("app.py", "a = 3\n")) == ("required", "editing")


def test_a_change_after_a_pass_needs_another_run_and_writing_back_does_not():
    desk = Desk(APP).write("app.py", "a = 2\n").run()
    assert stands(desk.write("app.py", "a = 3\n")) == ("required", "editing")
    assert stands(desk.write("app.py", "a = 2\n")) == ("passed", "verification")
    assert stands(desk.write("app.py", "a = 1\n")) == ("not_required", "context")


@table_test(
    ("command", "code", "by", "tail"),
    [
        ("pytest", 0, "agent", None),  # not trusted
        ("pytest tests/test_app.py", 0, "harness", None),  # narrower
        ("pytest || true", 0, "harness", None),  # masked
        ("pytest", 127, "harness", "pytest: not found\n"),  # could not run
        ("pytest", 5, "harness", "no tests ran in 0.01s\n"),
    ],
)
def test_what_proves_nothing_leaves_it_required(command, code, by, tail):
    desk = Desk(APP).write("app.py", "a = 2\n").run(command, code, by, tail)
    assert stands(desk) == ("required", "verification")


def test_where_commands_are_declared_all_of_them_must_pass():
    desk = Desk(APP, accept=["ruff check .", "pytest"]).write("app.py", "a = 2\n").run()
    assert stands(desk) == ("required", "verification")
    assert [(proof.name, proof.status) for proof in desk.state.proofs] == [
        ("ruff check .", "pending"),
        ("pytest", "passed"),
    ]
    assert desk.state.untested == ()  # it is not the tests that are missing
    assert desk.run("ruff check .", tail="All checks passed!\n").state.verification == "passed"
    assert desk.run("ruff check .", code=1, tail="E501\n").state.verification == "failed"


def test_a_part_that_failed_on_the_same_tree_spoils_the_pass():
    desk = Desk(APP, accept=["pytest"]).write("app.py", "a = 2\n").run()
    assert desk.run("pytest tests/test_app.py", code=1).state.verification == "failed"


def test_a_pass_of_tests_that_nobody_declared_still_counts_as_tested():
    desk = Desk(APP, accept=["ruff check ."]).write("app.py", "a = 2\n")
    assert desk.state.untested == ("app.py",)
    assert (desk.run().state.untested, desk.state.verification) == ((), "required")


def test_declared_commands_are_needed_for_other_files_too():
    desk = Desk({}, accept=["make docs"]).write("a.md", "# A\n")
    assert stands(desk) == ("required", "editing")
    assert stands(desk.begin("make docs")) == ("required", "verification")
    assert stands(desk.run("make docs", tail="")) == ("passed", "verification")


def test_a_required_test_check_counts_like_a_declared_command_but_not_the_agents_own():
    check = Check("command_success", "make test")
    desk = Desk(APP, checks=[check]).write("app.py", "a = 2\n").run()
    assert desk.state.verification == "required"
    assert desk.run("make test", tail="").state.verification == "passed"
    own = Desk(APP, checks=[check._replace(by="agent")]).write("app.py", "a = 2\n").run("make test", tail="")
    assert [proof.name for proof in own.state.proofs] == [""]


def test_other_files_alone_need_no_run():
    desk = Desk({}).write("a.md", "# A\n")
    assert stands(desk) == ("not_required", "editing")
    assert desk.state.deliverables.kind == "file_deliverable"


def test_exempt_changes_are_no_change():
    desk = Desk(APP).write("tmp/probe.py", "x").write("app.py.bak", "x")
    assert stands(desk) == ("not_required", "context")
    assert desk.state.deliverables.statistics == (0, 0, 2)


def test_a_verdict_on_this_tree_is_verification_and_one_on_another_is_not():
    desk = Desk(APP).write("app.py", "a = 2\n")
    assert desk.take(facts.Verified("lint", "", "passed", "elsewhere")).state.phase == "editing"
    assert desk.take(facts.Verified("fingerprint", "x", "skipped", desk.tree)).state.phase == "editing"
    assert desk.take(facts.Verified("lint", "", "passed", desk.tree)).state.phase == "verification"
    assert desk.state.verification == "required"  # lint is no test run


@table_test(
    "body",
    [facts.Denied("bash", "rm"), facts.Answered("a", True), facts.FileConfirmed("a", 1), facts.EffectDone("k", True)],
)  # fmt: skip
def test_other_events_are_no_activity(body):
    assert act(Activity(), body, lambda line: True) == Activity()


@pytest.mark.runs
def test_the_state_as_data_is_json_and_bounded():
    desk = Desk(APP, accept=["pytest"]).write("app.py", "a = 2\n").write("conf.json", "{}").read("conf.json")
    page = (Path(__file__).parents[2] / "docs" / "state.md").read_text(encoding="utf-8")
    example = page.partition("```json\n")[2].partition("```")[0]
    assert json.loads(dumps(desk.state.to_data())) == json.loads(example)
    for number in range(300):
        desk.write(f"docs/{number}.md", "x").write(f"src/{number}.py", "x")
    data = desk.state.to_data()
    assert data["deliverables"]["statistics"] == {"required": 301, "pending": 300, "exempt": 0}
    assert data["deliverables"]["sources"] == 301
    assert {len(data["deliverables"]["files"]), len(data["untested"])} == {50}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(["app.py", "b.ts"]), st.sampled_from(["1", "2", "3"])),
        st.tuples(st.just("write"), st.just("notes.md"), st.sampled_from(["", "n"])),
        st.tuples(st.just("delete"), st.sampled_from(["app.py", "b.ts", "notes.md"])),
        st.tuples(st.just("read"), st.sampled_from(["app.py", "notes.md"])),
        st.tuples(
            st.just("run"),
            st.sampled_from(["pytest", "pytest -q", "pytest a.py", "pytest | tail", "ruff check ."]),
            st.sampled_from([0, 1, 127]),
            st.sampled_from(["agent", "harness"]),
        ),
    ),
    max_size=14,
)


def trees(desk, steps):
    """Plays the steps; the trees that trusted whole runs were green on, whole runs red, and parts red."""
    green, red, red_in_part = set(), set(), set()
    for name, *values in steps:
        if name == "run" and values[0] in ("pytest", "pytest -q"):
            if values[1] == 1:
                red.add(desk.tree)
            elif values[1:] == [0, "harness"]:
                green.add(desk.tree)
        elif name == "run" and values[:2] == ["pytest a.py", 1]:
            red_in_part.add(desk.tree)
        getattr(desk, name)(*values)
    return green, red, red_in_part


@given(STEPS)
def test_passed_is_said_only_of_a_change_that_a_run_on_this_very_tree_has_proven(steps):
    desk = Desk({"app.py": "1"})
    green, red, red_in_part = trees(desk, steps)
    source_changed = desk.now.get("app.py") != "1" or "b.ts" in desk.now
    verification = desk.state.verification
    assert (verification == "not_required") == (not source_changed)
    if verification == "passed":
        assert desk.tree in green - red
    elif source_changed:
        assert desk.tree not in green - red - red_in_part


@given(STEPS, st.sampled_from([(), ("pytest",), ("pytest", "ruff check ."), ("ruff check .",)]))
def test_state_and_gate_never_disagree(steps, accept):
    desk = Desk({"app.py": "1"}, accept=accept)
    for name, *values in steps:
        getattr(desk, name)(*values)
    state, findings = desk.state, examine(desk.exam)
    if state.verification == "passed":
        assert not findings.pending
        assert not [each for each in findings.deliverables if each.key.startswith("gate.source_untested")]
    elif state.deliverables.kind != "none" and accept:
        assert findings.pending
    assert (state.phase in ("intent", "context")) == (state.deliverables.kind == "none")
    assert state.verification not in ("passed", "failed") or state.phase == "verification"


@given(STEPS)
def test_every_changed_path_is_counted_exactly_once(steps):
    desk = Desk({"app.py": "1", "old.md": "x"}).write("tmp/a.json", "{")
    for name, *values in steps:
        getattr(desk, name)(*values)
    found, changed = desk.state.deliverables, desk.exam.view.changed
    gone = {path for path, kind in changed.items() if kind == "deleted" and not is_source(path)}
    assert sorted([*found.sources, *found.required, *gone]) == sorted(changed)
    assert set(found.pending) <= set(found.required)
    assert tuple(file.path for file in found.files) == found.required
    assert found.exempt == ("tmp/a.json",)
    assert found.statistics == (len(found.required), len(found.pending), 1)
    assert (found.kind == "none") == (not changed)


NAMES = st.text(st.sampled_from("abtmp-_. verifychckscrath"), min_size=1, max_size=20).filter(
    lambda name: name.strip(".")
)


@given(NAMES, st.sampled_from(sorted(SOURCE_EXTENSIONS)), st.sampled_from(["", "src/", "scripts/deep/"]))
def test_a_source_file_is_never_exempt_for_its_name(name, extension, folder):
    path = f"{folder}{name}.{extension}"
    desk = Desk().write(path, "x")
    assert not Exempt().match(path)
    assert desk.state.deliverables.sources == (path,)
    assert desk.state.verification == "required"
