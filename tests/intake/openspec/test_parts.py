"""A change as parts of a promise: objective, criteria, checks, todos, each with its source line."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from donewhen.intake.openspec import (
    ArchivePlan,
    Change,
    Check,
    Criterion,
    Merged,
    Objective,
    Refused,
    SpecFile,
    Todo,
    Write,
    archive_plan,
    change_to_parts,
    merged_view,
    read_delta,
    read_proposal,
    read_tasks,
    slug,
    validate_change,
)
from tests.intake.openspec.support import (
    FILE,
    MAIN,
    added,
    change_of,
    found,
    modified,
    removed,
    renamed,
    requirement,
    spec,
)
from tests.tables import table_test

DAY = date(2026, 11, 15)
AT = "openspec/changes/add-login"


def test_requirements_become_criteria_and_scenarios_their_checks():
    delta = (
        added(requirement("Sign in", "People SHALL\nget in.", "It works", "It fails!"))
        + "\n"
        + modified(requirement("New name"))
        + removed("Old way")
        + renamed(("Was", "New name"), ("A", "B"))
    )
    parts = change_to_parts(change_of(delta))
    line = "WHEN it is asked; THEN it answers"
    assert parts.criteria == (
        Criterion(
            "auth/sign-in",
            f"Sign in: People SHALL get in.\n- It works: {line}\n- It fails!: {line}",
            "ADDED",
            ("check:auth/sign-in",),
            f"{FILE}:3",
        ),
        Criterion(
            "auth/new-name",
            f"New name: The system SHALL let people in.\n- works: {line}",
            "MODIFIED",
            ("check:auth/new-name",),
            f"{FILE}:17",
        ),
        Criterion("auth/b", "A is renamed to B", "RENAMED", (), f"{FILE}:30"),
        Criterion("auth/old-way", "Old way is removed", "REMOVED", (), f"{FILE}:25"),
    )
    several = "auth/sign-in/it-works\nauth/sign-in/it-fails"
    assert parts.checks == (
        Check(
            {"id": "auth/sign-in", "kind": "scenario", "target": "", "params": {"scenarios": several}},
            f"{FILE}:3",
        ),
        Check(
            {"id": "auth/new-name", "kind": "scenario", "target": "auth/new-name/works", "params": {}},
            f"{FILE}:17",
        ),
    )
    assert parts.scenarios == (
        ("auth/sign-in/it-works", f"{FILE}:7"),
        ("auth/sign-in/it-fails", f"{FILE}:11"),
        ("auth/new-name/works", f"{FILE}:20"),
    )


def test_ids_have_three_parts_and_are_unique():
    one = read_delta(added(requirement("Log in", "It SHALL.", "a b", "A-B"), requirement("LOG IN")))
    two = read_delta(added(requirement("Log in")))
    files = (
        SpecFile("platform/session", "f", one, "m", None),
        SpecFile("platform-session", "g", two, "n", None),
    )
    parts = change_to_parts(Change("c", AT, files))
    assert [name for name, _ in parts.scenarios] == [
        "platform-session/log-in/a-b",
        "platform-session/log-in/a-b-2",
        "platform-session/log-in-2/works",
        "platform-session/log-in-3/works",
    ]


@table_test(
    ("text", "wanted"),
    [
        ("Log in, twice!", "log-in-twice"),
        ("导出 报表（CSV）", "导出-报表-csv"),
        ("  C# / F# ", "c-f"),
        ("Ünïcode Straße", "ünïcode-straße"),
        ("2FA_code", "2fa-code"),
        ("???", "unnamed"),
    ],
)
def test_slugs(text, wanted):
    assert slug(text) == wanted


@given(st.text())
def test_a_slug_stays_as_it_is(text):
    once = slug(text)
    assert slug(once) == once and "/" not in once and once.strip("-") == once != ""


@table_test(
    ("proposal", "objective", "source"),
    [
        ("# Change: Add login\n## Why\nx\n", "Add login", f"{AT}/proposal.md:1"),
        ("intro\n\n# Add login\n", "Add login", f"{AT}/proposal.md:3"),
        (
            "## Why\n<!-- note -->\nPeople can't\nget in. It hurts.\n",
            "People can't get in",
            f"{AT}/proposal.md:1",
        ),
        ("# Proposal\n\n## Why\n- 登录失败。很多人抱怨。\n", "登录失败", f"{AT}/proposal.md:1"),
        ("## Why\n**Much** is slow. Yes.\n", "**Much** is slow", f"{AT}/proposal.md:1"),
        ("## Why\nIs v1.2 slow? Yes.\n", "Is v1.2 slow?", f"{AT}/proposal.md:1"),
        ("```\n# No\n```\n", "add-login", AT),
        (None, "add-login", AT),
    ],
)
def test_the_objective_is_the_title_or_the_reason_or_the_id(proposal, objective, source):
    read = read_proposal(proposal) if proposal is not None else None
    parts = change_to_parts(change_of(added(requirement()), proposal=read))
    assert parts.objective == Objective(objective, source)


def test_tasks_become_todos_in_their_order():
    tasks = read_tasks("## 1. A\n- [x] 1.1 one\n- [ ] 1.1 two\n- [ ]\n")
    assert change_to_parts(change_of(added(requirement()), tasks=tasks)).todos == (
        Todo({"id": "1.1", "content": "1.1 one", "status": "completed"}, f"{AT}/tasks.md:2"),
        Todo({"id": "1.1-2", "content": "1.1 two", "status": "pending"}, f"{AT}/tasks.md:3"),
        Todo({"id": "task-3", "content": "task-3", "status": "pending"}, f"{AT}/tasks.md:4"),
    )


def test_the_archive_step_is_proposed():
    tasks = read_tasks("- [x] a\n- [ ] b\n")
    change = change_of(added(requirement("B")), spec(requirement("A")), tasks=tasks)
    text = spec(requirement("A"), requirement("B"))
    assert archive_plan(change, DAY) == ArchivePlan(
        (Write(MAIN, text),), AT, "openspec/changes/archive/2026-11-15-add-login", 1, (), ()
    )
    view = merged_view(change)["auth"]
    assert isinstance(view, Merged) and view.text == text


def test_one_refusal_keeps_everything_from_being_written():
    good = SpecFile("a", "f", read_delta(added(requirement())), "m", None)
    bad = SpecFile("b", "g", read_delta(modified(requirement())), "n", None)
    change = Change("c", AT, (good, bad))
    plan = archive_plan(change, DAY)
    assert (plan.writes, found(list(plan.refusals))) == ((), [("ERROR", "modified_new", 3)])
    view = merged_view(change)
    assert (type(view["a"]), type(view["b"])) == (Merged, Refused)


def test_what_is_in_sync_is_not_written_again():
    change = change_of(added(requirement("A")), spec(requirement("A")))
    assert archive_plan(change, DAY).writes == ()


@table_test(
    ("why", "many", "notes"),
    [
        ("x" * 49, 1, [("WARNING", "why_length", 1)]),
        ("x" * 50, 10, []),
        ("x" * 1001, 11, [("WARNING", "why_length", 1), ("WARNING", "many_deltas", 0)]),
    ],
)
def test_the_proposal_is_remarked_on_when_archiving_and_never_before(why, many, notes):
    delta = added(*(requirement(f"R{n}") for n in range(many)))
    change = change_of(delta, proposal=read_proposal(f"## Why\n{why}\n"))
    assert found(list(archive_plan(change, DAY).notes)) == notes
    assert validate_change(change) == []
