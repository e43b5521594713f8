"""Where a run stands is what its ledger says: folding the stored events gives the state that it had alive."""

from pathlib import Path

import pytest

from donewhen.commands import parse
from donewhen.core.events import facts, run
from donewhen.core.gate import examine
from donewhen.core.view import MemoryFiles, View
from donewhen.run.engine.state import RunState
from tests.projects import CART, TESTS
from tests.run.engine.support import Played, ground, of, played
from tests.runs import CLAIM, FIX, LOOK, Step

PLAN = {
    "plan": {
        "todos": [
            {"id": "t1", "content": "fix the sum"},
            {"id": "t2", "content": "say so", "required": False},
        ],
        "checks": [{"id": "cart", "kind": "file_exists", "target": "cart.py"}],
        "files": ["cart.py"],
    }
}
DONE = [
    {"tool": "todo_write", "args": {"todos": [{"id": "t1", "status": status}]}}
    for status in ("in_progress", "completed")
]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A run with a plan, a masked look, a refused claim, a change by a command, and an end."""
    where = ground(Path(tmp_path_factory.mktemp("story")))
    steps: list[Step] = [
        PLAN,
        {"bash": f"{TESTS} | tail -1"},
        CLAIM,
        {"bash": "printf 'a' > note.txt; printf 'b' > b.txt; rm b.txt"},
        {"bash": "git push -f origin main"},
        FIX,
        LOOK,
        *DONE,
        CLAIM,
    ]
    return played(where, *steps)


def folded(story: Played) -> RunState:
    state = RunState(story.live.terms.config, parse)
    for body in story.bodies:
        state.take(body)
    return state


@pytest.mark.parametrize(
    "name",
    ["promise", "checks", "todos", "turns", "tool_calls", "seq", "answer", "decided", "account", "position"],
)
def test_the_ledger_alone_brings_the_state_back(story: Played, name: str):
    assert getattr(folded(story), name) == getattr(story.live.state, name)


def test_evidence_stands_as_it_stood(story: Played):
    live, again = story.live.state, folded(story)
    tree = live.decided.fingerprint if live.decided else ""
    view = View(tree, tree, MemoryFiles({"cart.py": CART}), {"cart.py": "modified", "note.txt": "added"})
    here, there = examine(live.exam(view)), examine(again.exam(view))
    assert here == there
    assert [command.standing.passed for command in there.commands] == [True]
    assert examine(again.exam(view._replace(relevant="another"))).pending
    assert again.evidence.denials == live.evidence.denials
    assert len(again.evidence.denials) == 1
    assert again.evidence.versions.of("cart.py") == live.evidence.versions.of("cart.py")
    assert again.activity == live.activity


def test_what_was_watched_is_what_was_stored_in_the_same_order(story: Played):
    kinds = [type(body).__name__ for body in story.bodies]
    assert kinds == [type(body).__name__ for body in story.watched]
    assert (kinds[0], kinds.count("Decided")) == ("RunStarted", 2)


def test_the_run_was_what_it_was_meant_to_be(story: Played):
    assert story.live.state.position.state == "done"
    assert [body.status for body in of(story.bodies, run.Decided)] == ["continue", "accepted"]
    changed = [(body.path, body.change) for body in of(story.bodies, facts.FileChanged)]
    assert ("note.txt", "write") in changed
    assert not [path for path, _ in changed if path == "b.txt"]


def test_the_states_follow_each_other_as_the_table_allows(story: Played):
    moves = of(story.bodies, run.StateChanged)
    assert [move.was for move in moves[1:]] == [move.state for move in moves[:-1]]
    assert [move.state for move in moves] == [
        "parsing",
        "planning",
        "executing",
        "validating",
        "executing",
        "validating",
        "merging",
        "done",
    ]
