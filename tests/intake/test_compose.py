"""Sources add up: what a promise is made of, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.promise import ABORT_BY_DEFAULT, DONE_BY_DEFAULT, Condition, Criterion, Promise
from donewhen.core.texts import Phrase
from donewhen.core.todos.model import Todo
from donewhen.intake.compose import Plan, Sources, compose
from donewhen.intake.parts import Parts, TodoPart
from donewhen.project.project import Project, ProjectCommand
from tests.tables import table_test

ID = "cp-1794717600000-0a1b"
NPM = Project(
    ("javascript",),
    (
        ProjectCommand("test", "npm test", "package.json scripts.test", True, "javascript"),
        ProjectCommand("lint", "npm run lint", "package.json scripts.lint", True, "javascript"),
    ),
)
LINT_ONLY = Project(commands=NPM.commands[1:])
CHANGE = Check("workspace_change", source="every goal", by="goal")


def accept(line: str, source: str, cwd: str = "") -> Accept:
    return Accept(line, line, tuple(line.split()), cwd, source=source)


def add_up(project: Project = NPM, *, answer_only: bool = False, **sources: Parts) -> Plan:
    return compose(Sources(**sources), project, parse, promise_id=ID, answer_only=answer_only)


GOAL = Parts("goal", "Fix it")


def test_a_bare_goal_is_proven_by_the_projects_own_tests():
    assert add_up(goal=GOAL) == Plan(
        Promise(
            ID,
            "Fix it",
            (
                Criterion(
                    "c1",
                    "all acceptance commands and required checks pass: Fix it",
                    source="default (no source gives one)",
                ),
            ),
            checks=(CHANGE,),
            accept=(accept("npm test", "package.json scripts.test"),),
        ),
        objective_source="goal",
        places=(("done_when", "default"), ("abort_when", "default")),
        issues=add_up(goal=GOAL).issues,
        warnings=(Phrase("intake.not_joined", {"commands": "npm run lint"}),),
    )


def test_a_command_that_only_the_goal_names_replaces_no_tests():
    named = add_up(goal=GOAL._replace(accept=(accept("dotenv --help", "goal"),)))
    assert [each.label for each in named.promise.accept] == ["dotenv --help", "npm test"]
    same = add_up(goal=GOAL._replace(accept=(accept("npm run test", "goal"),)))
    assert [each.label for each in same.promise.accept] == ["npm run test"]


def test_the_projects_tests_join_only_when_nobody_declared_a_command():
    with_flag = add_up(goal=GOAL, accept=Parts("--accept", accept=(accept("make e2e", "--accept"),)))
    assert [each.label for each in with_flag.promise.accept] == ["make e2e"]
    named = add_up(goal=GOAL._replace(checks=(Check("command_success", "tox"),)))
    assert [each.label for each in named.promise.accept] == ["npm test"]
    optional = add_up(goal=GOAL._replace(checks=(Check("command_success", "tox", required=False),)))
    assert [each.label for each in optional.promise.accept] == ["npm test"]
    with_file = add_up(goal=GOAL._replace(checks=(Check("file_exists", "a.md"),)))
    assert [each.label for each in with_file.promise.accept] == ["npm test"]


def test_the_objective_is_the_first_of_promise_spec_goal():
    promise, spec = Parts("p.yml", "P", places={"objective": "p.yml:3"}), Parts("s.md (Markdown)", "S")
    assert add_up(promise=promise, spec=spec, goal=GOAL).promise.objective == "P"
    assert add_up(promise=promise, goal=GOAL).objective_source == "p.yml:3"
    assert add_up(spec=spec, goal=GOAL).promise.objective == "S"
    assert add_up(promise=promise._replace(objective=" "), spec=spec).objective_source == "s.md (Markdown)"
    with pytest.raises(UserError, match="--accept has no objective"):
        add_up(accept=Parts("--accept", accept=(accept("pytest", "--accept"),)))


def test_the_same_entry_of_several_sources_is_one_with_all_of_them():
    same = Criterion("a", "it works", source="p.yml:2")
    plan = add_up(
        promise=Parts(
            "p.yml",
            "P",
            (same,),
            (Check("file_exists", "a.md", source="p.yml:5"),),
            (accept("npm test", "p.yml:9"),),
            (TodoPart({"id": "t", "content": "x"}, "p.yml:7"),),
            own_ids=True,
        ),
        accept=Parts(
            "--accept", accept=(accept("npm test", "--accept"), accept("npm test", "--accept", "web"))
        ),
        spec=Parts(
            "s", "S", (same._replace(source="s:1"),), todos=(TodoPart({"id": "t", "content": "x"}, "s:4"),)
        ),
        goal=GOAL._replace(
            checks=(Check("file_exists", "a.md", source="goal", by="goal", id="named"),),
            accept=(accept("npm test", "goal"),),
        ),
    )
    assert [(each.label, each.cwd, each.source) for each in plan.promise.accept] == [
        ("npm test", "", "p.yml:9, --accept, goal"),
        ("npm test", "web", "--accept"),
    ]
    assert plan.promise.checks == (
        Check("file_exists", "a.md", id="named", source="p.yml:5, goal"),
        CHANGE,
    )
    assert plan.promise.acceptance == (same._replace(source="p.yml:2, s:1"),)
    assert plan.todos == (Todo("t", "x", by="user"),)
    assert plan.todo_sources == (("t", "p.yml:7, s:4"),)


def test_entries_that_only_share_a_name_both_stay():
    plan = add_up(
        promise=Parts(
            "p.yml",
            "P",
            (Criterion("a", "one"),),
            (Check("file_exists", "x", id="k"),),
            todos=(TodoPart({"id": "1", "content": "x"}, "p"),),
            own_ids=True,
        ),
        spec=Parts(
            "s",
            "S",
            (Criterion("a", "two", ("check:k",)),),
            (Check("file_exists", "y", id="k"),),
            todos=(
                TodoPart({"id": "1", "content": "y"}, "s"),
                TodoPart({"id": "2", "content": "z", "dependencies": ["1"]}, "s"),
            ),
        ),
    )
    assert [(each.id, each.description, each.evidence_required) for each in plan.promise.acceptance] == [
        ("a", "one", ()),
        ("a-2", "two", ("check:k-2",)),
    ]
    assert [(each.id, each.target) for each in plan.promise.checks] == [("k", "x"), ("k-2", "y"), ("", "")]
    assert [(each.id, each.content, each.dependencies) for each in plan.todos] == [
        ("1", "x", ()),
        ("1-2", "y", ()),
        ("2", "z", ("1-2",)),
    ]


def test_one_check_under_two_names_keeps_both_because_criteria_may_name_either():
    checks = (Check("file_exists", "x", id="a"), Check("file_exists", "x", id="b"))
    plan = add_up(promise=Parts("p", "P", checks=checks, own_ids=True))
    assert [each.id for each in plan.promise.checks] == ["a", "b", ""]


def test_conditions_and_scopes_are_those_of_the_promise_file():
    promise = Parts(
        "p.yml",
        "P",
        accept=(accept("tox", "p.yml:2"),),
        allowed_scope=("src/**",),
        disallowed_scope=("src/**", "vendor/**"),
        required_evidence=("command",),
        done_when=(Condition("user-confirmed", "ok"),),
        abort_when=(),
        places={"allowed_scope": "p.yml:4", "done_when": "p.yml:6"},
        own_ids=True,
    )
    plan = add_up(promise=promise, goal=GOAL)
    assert plan.promise.done_when == (Condition("user-confirmed", "ok"),)
    assert plan.promise.abort_when == ()
    assert plan.promise.disallowed_scope == ("src/**", "vendor/**")
    assert plan.places == (("allowed_scope", "p.yml:4"), ("done_when", "p.yml:6"), ("abort_when", "default"))
    assert [issue.phrase.key for issue in plan.issues if issue.severity == "soft-deny"] == [
        "promise.glob_in_both"
    ]
    bare = add_up(goal=GOAL).promise
    assert (bare.done_when, bare.abort_when) == (DONE_BY_DEFAULT, ABORT_BY_DEFAULT)


@table_test(
    "checks",
    [
        (),
        (Check("workspace_change"),),
        (Check("output_only", "say it"),),
        (Check("file_exists", "a.md", required=False),),
    ],
)
def test_nothing_to_prove_is_no_promise(checks):
    goal = GOAL._replace(checks=checks)
    with pytest.raises(UserError, match="--accept CMD, a promise file, or --answer-only") as caught:
        add_up(Project(), goal=goal)
    assert caught.value.exit_code == 2
    with pytest.raises(UserError, match=r"no test command; give --accept CMD \(found here: npm run lint\)"):
        add_up(LINT_ONLY, goal=goal)


def test_why_the_projects_own_script_does_not_count_is_said():
    note = Phrase("intake.script_never_ends", {"source": "package.json scripts.test"})
    with pytest.raises(UserError, match="package.json scripts.test watches and never ends.*--answer-only"):
        add_up(Project(notes=(note,)), goal=GOAL)


@table_test(
    "check",
    [
        Check("command_success", "tox"),
        Check("file_exists", "a"),
        Check("content_contains", "a", params={"contains": "x"}),
        Check("tool_fact", "lint"),
        Check("quality_gate", "types"),
        Check("scenario", "a/b/c"),
    ],
)
def test_one_required_check_is_enough(check):
    plan = add_up(Project(), goal=GOAL._replace(checks=(check,)))
    assert plan.executable
    assert plan.promise.checks == (check, CHANGE)


def test_an_answer_needs_no_proof_and_no_change():
    for plan in (
        add_up(answer_only=True, goal=GOAL),
        add_up(goal=GOAL, promise=Parts("p.yml", answer_only=True, own_ids=True)),
    ):
        assert plan.promise.answer_only
        assert not plan.executable
        assert (plan.promise.checks, plan.promise.accept) == ((), ())
        assert plan.promise.acceptance[0].description == "there is an answer to: Fix it"


def test_an_answer_and_a_proof_contradict_each_other():
    with pytest.raises(UserError, match="--accept asks for tox"):
        add_up(answer_only=True, goal=GOAL, accept=Parts("--accept", accept=(accept("tox", "--accept"),)))
    with pytest.raises(UserError, match="goal asks for file_exists:a.md"):
        add_up(answer_only=True, goal=GOAL._replace(checks=(Check("file_exists", "a.md", source="goal"),)))


def test_a_hard_denial_is_the_first_sentence_and_the_number_of_others():
    promise = Parts("p.yml", "P", (Criterion("", ""),), accept=(accept("tox", "p"),), id="mine", own_ids=True)
    with pytest.raises(UserError, match="^p.yml: the promise's id 'mine' is not.*; and 2 more of this kind$"):
        add_up(promise=promise)
    with pytest.raises(UserError, match="^p.yml: the promise's id 'mine'.*to get one$"):
        add_up(promise=promise._replace(criteria=()))


def test_the_id_of_the_promise_file_counts():
    promise = Parts("p.yml", "P", accept=(accept("tox", "p"),), id="cp-1794717600001-ffff", own_ids=True)
    assert add_up(promise=promise).promise.id == "cp-1794717600001-ffff"


names = st.sampled_from("abc")
criteria = st.tuples(names, names, st.booleans(), names).map(
    lambda drawn: Criterion(drawn[0], drawn[1], ("check:a",) if drawn[2] else (), source=drawn[3])
)
checks = st.tuples(
    st.sampled_from(["file_exists", "quality_gate"]),
    names,
    st.booleans(),
    st.sampled_from(["", "a", "b"]),
    names,
).map(lambda drawn: Check(drawn[0], drawn[1], required=drawn[2], id=drawn[3], source=drawn[4]))
commands = st.tuples(names, names, st.sampled_from(["", "web"])).map(lambda drawn: accept(*drawn))
todos = st.dictionaries(names, names, max_size=2).map(
    lambda drawn: tuple(TodoPart({"id": name, "content": text}, name) for name, text in drawn.items())
)
parts = st.tuples(
    st.lists(criteria, max_size=3).map(tuple),
    st.lists(checks, max_size=3).map(tuple),
    st.lists(commands, max_size=2).map(tuple),
    todos,
).map(lambda drawn: Parts("s.md", "O", *drawn))


def content(plan: Plan) -> dict[str, set[object]]:
    """What a plan asks for, whatever its entries are called."""
    return {
        "criteria": {each.description for each in plan.promise.acceptance if each.id != "c1"},
        "checks": {each.identity for each in plan.promise.checks},
        "accept": {(each.argv, each.cwd) for each in plan.promise.accept},
        "todos": {each.content for each in plan.todos},
    }


@given(parts, parts, parts)
def test_adding_a_source_never_removes_what_another_gave(first, second, third):
    base = Parts("--accept", accept=(accept("tox", "--accept"),))
    less = compose(Sources(first, base, second), NPM, parse, promise_id=ID)
    more = compose(Sources(first, base, second, third), NPM, parse, promise_id=ID)
    for name, entries in content(less).items():
        assert entries <= content(more)[name]
    assert more == compose(Sources(first, base, second, third), NPM, parse, promise_id=ID)
    assert more.promise.accept[: len(less.promise.accept)] == tuple(
        next(m for m in more.promise.accept if (m.argv, m.cwd) == (each.argv, each.cwd))
        for each in less.promise.accept
    )
    ids = [each.id for each in more.promise.acceptance]
    assert len(set(ids)) == len(ids)
