"""A human's change of a stored promise: shown, validated, written or handed to who executes the run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.core.codec import freeze, thaw
from donewhen.core.errors import UserError
from donewhen.core.events import facts, run
from donewhen.core.promise import Promise
from donewhen.core.promise_data import read_promise
from donewhen.core.promise_diff import line_text
from donewhen.core.protocols import Control, Request
from donewhen.core.session import fold
from donewhen.core.texts import say
from donewhen.core.todos import read_todos
from donewhen.run.amending import (
    amend_run,
    confirm_run,
    confirmable,
    file_changes,
    preview,
    take_amend,
    take_confirm,
)
from donewhen.run.amending_changes import MOST_ENTRIES, Changes, from_payload, to_payload
from donewhen.store import Opened, open_store
from tests.helpers import RUN
from tests.tables import table_test

ELSEWHERE = "another-host/b/n/1/1"
ID = "cp-1760000000000-0000"
PROMISE: dict[str, Any] = {
    "id": ID,
    "objective": "fix it",
    "acceptance": [{"id": "c1", "description": "it works", "evidence_required": ["check:tests"]}],
    "checks": [{"id": "tests", "kind": "command_success", "target": "npm test"}],
    "accept": ["pytest"],
    "allowed_scope": ["src/**"],
    "required_evidence": ["approval:the colours are right"],
    "done_when": [
        {"type": "acceptance-met", "target": "*"},
        {"type": "user-confirmed", "target": "it looks right"},
    ],
}
TODO = {"id": "t1", "content": "write it down"}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    with open_store("user", state=tmp_path / "state", folder=tmp_path) as made:
        made.store.append(
            RUN,
            run.RunStarted("fix it"),
            run.PromiseSet(ID, freeze(PROMISE)),
            run.TodoChanged("t1", freeze(TODO)),
            run.StateChanged("idle", "executing"),
        )
        yield made


def promise_of(opened: Opened) -> Promise:
    return read_promise(thaw(fold(RUN, opened.store.read(RUN)).promise), parse)


def request(payload: object, kind="amend", who="ada") -> Request:
    return Request(1, RUN, "2026-11-15T04:37:50.000Z", Control(kind, "", freeze(payload), who))


def bodies(opened: Opened, after: int = 4) -> list[Any]:
    return [event.body for event in opened.store.read(RUN, after)]


def test_a_run_that_nobody_executes_is_amended_at_once(opened):
    changes = Changes(accept=("make docs",), scope=("docs/**",))
    assert amend_run(opened, RUN, changes, "ada", "the docs too") == "done"
    (body,) = bodies(opened)
    assert (type(body), body.id, body.by, body.reason) == (
        run.PromiseAmended,
        ID,
        "ada",
        "the docs too",
    )
    after = promise_of(opened)
    assert [entry.line for entry in after.accept] == ["pytest", "make docs"]
    assert after.allowed_scope == ("src/**", "docs/**")
    assert after.checks == read_promise(PROMISE, parse).checks
    assert opened.store.holder(RUN) == ""


def test_a_run_that_is_executed_gets_a_request_and_takes_it(opened):
    opened.store.lease(RUN, ELSEWHERE, 3600)
    changes = Changes(accept=("make docs",), drop=("tests",), optional=("t1",))
    assert amend_run(opened, RUN, changes, "ada", "why") == "asked"
    assert bodies(opened) == []
    (waiting,) = opened.store.requests(RUN)
    assert (waiting.control.kind, waiting.control.who) == ("amend", "ada")
    before = promise_of(opened)
    taken = take_amend(waiting, before, read_todos([TODO]))
    assert [entry.line for entry in taken.promise.accept] == ["pytest", "make docs"]
    assert taken.promise.checks == ()
    assert not taken.todos.entries["t1"].required
    kinds = [type(body) for body in taken.bodies]
    assert kinds == [run.PromiseAmended, run.TodoChanged, run.Noted]
    assert taken.bodies[2].text == "ada made the todo t1 optional: why"


def test_a_later_change_never_overtakes_one_that_waits(opened):
    lease = opened.store.lease(RUN, ELSEWHERE, 3600)
    amend_run(opened, RUN, Changes(accept=("make docs",)), "ada")
    opened.store.release(lease)
    assert amend_run(opened, RUN, Changes(drop=("make docs",)), "ada") == "waits"
    promise = promise_of(opened)
    for waiting in opened.store.requests(RUN):
        promise = take_amend(waiting, promise).promise
    assert [entry.line for entry in promise.accept] == ["pytest"]


def test_a_todo_alone_leaves_the_promise_as_it_is(opened):
    assert amend_run(opened, RUN, Changes(optional=("t1",)), "ada") == "done"
    assert [type(body) for body in bodies(opened)] == [run.TodoChanged, run.Noted]
    (todo,) = fold(RUN, opened.store.read(RUN)).todos
    assert todo["required"] is False


def test_what_would_change_is_shown_before_it_does(opened):
    found = preview(opened, RUN, Changes(drop=("tests",), permits=("tests/old/**",), optional=("t1",)))
    assert [line_text(line, "en") for line in found.lines] == [
        "- check: tests command_success npm test",
        "+ permit: tests/old/**",
    ]
    assert [say(each.key, "en", **each.values) for each in found.weaker] == [
        "the check tests is gone, optional or looser",
        "integrity lets pass: tests/old/**",
        "the todo t1 need not be done",
    ]
    notes = [say(each.key, "en", **each.values) for each in found.notes]
    assert "c1 still asks for check:tests, which nothing gives any more" in notes
    assert bodies(opened) == []


@pytest.mark.parametrize("state", ["done", "fail"])
def test_an_ended_run_keeps_its_promise(opened, state):
    opened.store.append(RUN, run.StateChanged("executing", state))
    with pytest.raises(UserError, match=f"has ended \\({state}\\)"):
        amend_run(opened, RUN, Changes(accept=("make",)), "ada")
    with pytest.raises(UserError, match=f"has ended \\({state}\\)"):
        confirm_run(opened, RUN, "it looks right", "ada")
    assert opened.store.requests(RUN) == []


@table_test(
    ("changes", "said"),
    [
        (Changes(drop=("nothing",)), "has no entry nothing; it has: tests, c1, pytest"),
        (Changes(drop=("c1",)), "the promise would be invalid"),
        (Changes(drop=("tests", "pytest")), "nothing that has to be run or verified"),
        (Changes(accept=("pytest | tee x",)), "pytest | tee x"),
        (Changes(accept=("",)), "--accept"),
        (Changes(optional=("t9",)), "t9"),
        (Changes(accept=("pytest",)), "says all of this already"),
        (Changes(given=freeze({"objective": " "})), "the promise would be invalid"),
        (Changes(given=freeze({"id": "cp-1760000000001-ffff"})), "leave the id out"),
        (Changes(given=freeze({"colour": "red"})), "colour"),
        (Changes(scope=("x",) * (MOST_ENTRIES + 1)), "too large"),
        (Changes(scope=("x" * 5000,)), "too large"),
    ],
)
def test_what_can_not_be_is_refused_and_changes_nothing(opened, changes, said):
    with pytest.raises(UserError) as caught:
        amend_run(opened, RUN, changes, "ada")
    assert said in str(caught.value)
    assert bodies(opened) == []
    assert opened.store.holder(RUN) == ""


def test_an_entry_that_several_parts_have_must_be_named_with_its_part(opened):
    amend_run(opened, RUN, Changes(permits=("src/**",)), "ada")
    with pytest.raises(UserError, match="allowed_scope:src.*permits:src"):
        amend_run(opened, RUN, Changes(drop=("src/**",)), "ada")
    amend_run(opened, RUN, Changes(drop=("permits:src/**",)), "ada")
    assert (promise_of(opened).permits, promise_of(opened).allowed_scope) == ((), ("src/**",))


def test_of_two_commands_with_one_label_the_whole_line_says_which(opened):
    amend_run(opened, RUN, Changes(accept=("cd a && make", "cd b && make")), "ada")
    with pytest.raises(UserError, match="accept:cd a && make, accept:cd b && make"):
        amend_run(opened, RUN, Changes(drop=("make",)), "ada")
    amend_run(opened, RUN, Changes(drop=("cd a && make",)), "ada")
    assert [entry.line for entry in promise_of(opened).accept] == ["pytest", "cd b && make"]


def test_a_command_may_be_called_by_what_it_normally_is(opened):
    amend_run(opened, RUN, Changes(accept=("python -m pytest -q",)), "ada")
    amend_run(opened, RUN, Changes(drop=("python -m pytest -q",)), "ada")
    assert [entry.line for entry in promise_of(opened).accept] == ["pytest"]


def test_a_long_reason_is_refused(opened):
    with pytest.raises(UserError, match="too long"):
        amend_run(opened, RUN, Changes(accept=("make",)), "ada", "x" * 2001)


def test_a_run_without_a_promise_has_nothing_to_amend(opened):
    other = RUN[:-6] + "ffffff"
    opened.store.append(other, run.RunStarted("goal"))
    with pytest.raises(UserError, match="has no promise yet"):
        amend_run(opened, other, Changes(accept=("make",)), "ada")


def test_keys_of_a_promise_file_replace_those_of_the_promise(opened, tmp_path):
    file = tmp_path / "p.yml"
    file.write_text("objective: fix all of it\naccept: [make, make docs]\n")
    amend_run(opened, RUN, file_changes(file), "ada")
    after = promise_of(opened)
    assert (after.objective, [entry.line for entry in after.accept]) == (
        "fix all of it",
        ["make", "make docs"],
    )
    assert after.acceptance == read_promise(PROMISE, parse).acceptance
    assert after.id == ID


@table_test(
    ("text", "said"),
    [
        ("colour: red\n", "p.yml:1"),
        ("todos: [{id: a, content: b}]\n", "--optional"),
        ("accept: pytest\n", "p.yml:1"),
        ("- a\n", "p.yml:1"),
    ],
)
def test_a_wrong_promise_file_is_refused_with_its_place(tmp_path, text, said):
    file = tmp_path / "p.yml"
    file.write_text(text)
    with pytest.raises(UserError) as caught:
        file_changes(file, "p.yml")
    assert said in str(caught.value)


def deep(levels: int) -> object:
    data: object = "x"
    for _ in range(levels):
        data = [data]
    return data


@table_test(
    "payload",
    [
        {"unknown": 1},
        {"accept": "make"},
        {"accept": [1]},
        {"given": [1]},
        {"reason": 5},
        {"reason": "x" * 5000},
        {"given": {"checks": deep(40)}},
        {"given": {"accept": {"a": 1}}},
        {"given": {"acceptance": []}},
        {"given": {"done_when": [{"type": "never"}]}},
    ],
)
def test_a_request_of_a_stranger_changes_nothing(payload):
    with pytest.raises(UserError):
        take_amend(request(payload), read_promise(PROMISE, parse))


def test_a_request_of_another_kind_is_none():
    with pytest.raises(UserError, match="request 1 to run"):
        take_amend(request({"accept": ["make"]}, "abort"), read_promise(PROMISE, parse))


_texts = st.lists(st.text(max_size=20), max_size=4).map(tuple)


@given(st.builds(Changes, st.just(freeze({"objective": "x"})), *[_texts] * 5), st.text(max_size=20))
def test_changes_come_back_from_a_request_as_they_were(changes, reason):
    assert from_payload(freeze(to_payload(changes, reason))) == (changes, reason)


# -- confirm ---------------------------------------------------------------------------------------


def test_only_what_the_promise_asks_for_can_be_confirmed(opened):
    assert confirmable(promise_of(opened)) == ("it looks right", "the colours are right")
    with pytest.raises(UserError, match="it asks for: it looks right; the colours are right"):
        confirm_run(opened, RUN, "anything", "ada")
    assert confirm_run(opened, RUN, "  it looks right ", "ada") == "done"
    assert bodies(opened) == [facts.Answered("confirm:it looks right", True, "human", "it looks right")]
    assert confirm_run(opened, RUN, "it looks right", "ada") == "before"
    assert len(bodies(opened)) == 1


def test_a_promise_that_asks_nobody_says_so(opened):
    amend_run(
        opened, RUN, Changes(drop=("user-confirmed it looks right", "approval:the colours are right")), "ada"
    )
    with pytest.raises(UserError, match="needs no confirmation"):
        confirm_run(opened, RUN, "it looks right", "ada")


def test_a_live_run_takes_a_confirmation(opened):
    opened.store.lease(RUN, ELSEWHERE, 3600)
    assert confirm_run(opened, RUN, "it looks right", "ada") == "asked"
    (waiting,) = opened.store.requests(RUN)
    answer = take_confirm(waiting, promise_of(opened))
    assert answer == facts.Answered("confirm:it looks right", True, "human", "it looks right")
    assert bodies(opened) == []


@table_test(
    ("payload", "kind"),
    [
        ({"text": "anything"}, "confirm"),
        ({"text": 5}, "confirm"),
        ({}, "confirm"),
        ({"text": "it looks right"}, "approve"),
    ],
)
def test_a_stranger_confirms_nothing(payload, kind):
    with pytest.raises(UserError):
        take_confirm(request(payload, kind), read_promise(PROMISE, parse))
