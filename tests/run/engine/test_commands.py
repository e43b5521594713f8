"""Commands of an agent as facts: what they changed is found by looking, on whichever way it was changed."""

from pathlib import Path

import pytest

from donewhen.core.events import facts
from tests.projects import CART, TESTS
from tests.run.engine.support import Played, ground, of, played
from tests.runs import BROKEN, Step

GEN = "import pathlib\npathlib.Path('made.txt').write_text('x')\npathlib.Path('old.txt').unlink()\n"
FILES = BROKEN | {"gen.py": GEN, "old.txt": "old\n"}
SLOW = "until test -e go; do sleep 0.05; done; echo late > late.txt; echo told"
STEPS: list[Step] = [
    {"bash": "python3 gen.py"},
    {"bash": "ls && cat cart.py"},
    {"bash": TESTS},
    {"tool": "run_command", "args": {"command": SLOW, "background": True}},
    {"bash": "touch go"},
    {"tool": "command_status", "args": {"handle": "b1", "wait": 30}},
    {"write": {"path": "cart.py", "content": CART}},
    {"bash": "exit 7"},
    {"bash": "cd sub 2>/dev/null; echo in > in.txt", "note": "in the root, there is no sub"},
    {"tool": "run_command", "args": {"command": "sleep 300", "background": True}},
    {"done": "fixed"},
]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return played(ground(Path(tmp_path_factory.mktemp("commands")), FILES), *STEPS)


def ended(story: Played, command: str) -> facts.CommandEnded:
    (found,) = [
        body
        for body in of(story.bodies, facts.CommandEnded)
        if body.command == command and body.by == "agent"
    ]
    assert isinstance(found, facts.CommandEnded)
    return found


def changes(story: Played) -> list[tuple[str, str]]:
    return [(body.path, body.change) for body in of(story.bodies, facts.FileChanged)]


@pytest.mark.runs
def test_what_a_program_wrote_and_deleted_is_found(story: Played):
    found = changes(story)
    assert ("made.txt", "write") in found
    assert ("old.txt", "delete") in found
    told = ended(story, "python3 gen.py")
    assert (told.exit, bool(told.before), told.before != told.after) == (0, True, True)


def test_what_only_looks_leaves_the_tree_alone(story: Played):
    told = ended(story, "ls && cat cart.py")
    assert (told.exit, told.before) == (0, told.after)
    assert "def total" in told.tail


def test_a_red_run_stands_on_the_tree_that_it_began_on(story: Played):
    told = ended(story, TESTS)
    assert (told.exit, bool(told.environment), told.before) == (1, True, told.after)
    assert told.before == ended(story, "python3 gen.py").after


def test_a_background_command_is_told_when_it_ends(story: Played):
    started = [body for body in of(story.bodies, facts.CommandStarted) if body.background]
    assert [body.command for body in started] == [SLOW, "sleep 300"]
    told = ended(story, SLOW)
    assert (told.exit, "told" in told.tail) == (0, True)
    assert ("late.txt", "write") in changes(story)


def test_what_still_runs_at_the_claim_is_ended_and_told(story: Played):
    told = ended(story, "sleep 300")
    assert told.exit is None or told.exit != 0
    assert any("b2" in body.text for body in of(story.bodies, facts.AgentTold))


def test_a_status_is_the_commands_own(story: Played):
    assert ended(story, "exit 7").exit == 7
    returned = [body for body in of(story.bodies, facts.ToolReturned) if not body.ok]
    assert [body.error_class for body in returned] == ["exit", "exit"]


def test_each_command_is_begun_before_it_ends_and_ends_once(story: Played):
    events = of(story.bodies, facts.CommandStarted, facts.CommandEnded)
    mine = [event for event in events if event.by == "agent"]
    started = [event.key for event in mine if isinstance(event, facts.CommandStarted)]
    over = [event.key for event in mine if isinstance(event, facts.CommandEnded)]
    assert len(set(started)) == len(started)
    assert sorted(over) == sorted(started)
    first = {event.key: number for number, event in reversed(list(enumerate(mine)))}
    assert all(isinstance(mine[number], facts.CommandStarted) for number in first.values())


def test_the_work_was_accepted_with_all_that_was_written(story: Played):
    assert story.live.state.position.state == "done"
    assert {"made.txt", "late.txt", "in.txt", "cart.py", "old.txt"} <= set(story.live.changed_paths)
