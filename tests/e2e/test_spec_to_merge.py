"""An OpenSpec change from `run --spec` over the fake endpoint to the accepted branch, and what it leaves."""

from donewhen.core.events import facts
from tests.helpers import Cli
from tests.projects import git
from tests.spec_project import SCENARIOS, TASK_LIST, TASKS, play_spec

GATES = False


def at_branch(cli: Cli, commit: str, path: str) -> str:
    return git(cli.folder, "show", f"{commit}:{path}") + "\n"


def test_a_change_is_accepted_with_all_scenarios_linked_and_tasks_ticked(cli: Cli):
    played = play_spec(cli)
    assert played.why == (0, "accepted", ""), played.done
    assert (played.fake.problems, played.fake.left) == ([], 0)
    proven = [
        each for each in played.bodies if isinstance(each, facts.Verified) and each.verifier == "scenario"
    ]
    assert {each.scope: each.verdict for each in proven} == dict.fromkeys(SCENARIOS, "passed")
    assert all(each.details["linked"][0].startswith("test_discount.py:") for each in proven)
    data = played.done.json
    assert at_branch(cli, data["commit"], TASKS) == TASK_LIST.replace("[ ]", "[x]")
    assert data["changed"] == ["cart.py", TASKS, "test_discount.py"]
    assert (cli.folder / TASKS).read_text() == TASK_LIST
