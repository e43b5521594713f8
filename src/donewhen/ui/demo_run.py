"""The run that the demo records: a bug, a red test, a fix, a green one, and the decision."""

import os
import time
from hashlib import sha1
from pathlib import Path

from donewhen import __version__
from donewhen.core.events import Body, facts, run
from donewhen.core.ids import run_id
from donewhen.store import open_store
from donewhen.store.artifacts import Artifacts
from donewhen.store.owner import this_process

_RED = "FAILED tests/test_price.py::test_discount - assert 90.0 == 80.0\n1 failed, 7 passed in 0.21s\n"
_GREEN = "8 passed in 0.19s\n"
_PROMISE = {
    "id": "cp-1794717600000-0a1b",
    "objective": "a discount of 20 % gives 80 for 100",
    "acceptance": [{"id": "c1", "description": "the tests pass", "evidence_required": ["command:pytest"]}],
    "checks": [{"id": "tests", "kind": "command_success", "target": "pytest"}],
}


def record_example(state: Path, project: Path) -> str:
    """Write the example through the public store API and return its run id."""
    name = run_id(time.time(), os.urandom(3))
    with open_store("user", state=state, folder=project) as opened:
        opened.store.append(name, _start(project))
        lease = opened.store.lease(name, this_process(), ttl=60)
        opened.store.append(name, *_story(opened.artifacts), lease=lease)
        opened.store.release(lease)
    return name


def _start(project: Path) -> Body:
    return run.RunStarted(
        "fix the discount in price.py; pytest must pass",
        repo=str(project),
        base=_tree("base"),
        agent="scripted",
        profile="fix_bug",
        budget_micros=2_500_000,
        donewhen=__version__,
    )


def _story(artifacts: Artifacts) -> list[Body]:
    before, after = _tree("before"), _tree("after")
    red = facts.CommandEnded("2", "pytest", ("pytest",), exit=1, tail=_RED, before=before, after=before)
    green = facts.CommandEnded("3", "pytest", ("pytest",), exit=0, tail=_GREEN, before=after, after=after)
    proof = {"id": "tests", "kind": "command_success", "target": "pytest", "passed": True}
    return [
        run.PromiseSet(str(_PROMISE["id"]), _PROMISE),
        run.StateChanged("idle", "executing"),
        run.TurnStarted(1),
        run.CostReserved("1", 40_000, 9000),
        run.CostBooked("1", "llm", 21_000, 5200, 310, "example-model"),
        facts.ToolCalled("2", "run_command", {"command": "pytest"}),
        facts.CommandStarted("2", "pytest", ("pytest",), before=before),
        red._replace(output=artifacts.put(_RED.encode())),
        run.TurnStarted(2),
        facts.ToolCalled("3", "edit_file", {"path": "price.py"}),
        facts.Denied("run_command", "force-push", "main is protected", "git push -f origin main"),
        facts.FileChanged("price.py", "edit", _tree("price.py"), 1),
        run.StateChanged("executing", "validating"),
        green._replace(by="harness", output=artifacts.put(_GREEN.encode())),
        facts.Verified("integrity", "change", "passed", after),
        run.Decided("accepted", "accepted", summary="8 tests pass", fingerprint=after, results=(proof,)),
        run.StateChanged("validating", "done"),
    ]


def _tree(text: str) -> str:
    """Something that looks like a git tree id."""
    return sha1(text.encode(), usedforsecurity=False).hexdigest()
