"""The run that the demo records: a bug, a red test, a fix, a green one, and the decision."""

from hashlib import sha1
from pathlib import Path

from donewhen import __version__
from donewhen.core.events import facts, run
from donewhen.core.ids import run_id
from donewhen.store import open_store
from donewhen.store.owner import this_process

_RED = "FAILED tests/test_price.py::test_discount - assert 90.0 == 80.0\n1 failed, 7 passed in 0.21s\n"
_GREEN = "8 passed in 0.19s\n"


def _tree(text: str) -> str:
    return sha1(text.encode(), usedforsecurity=False).hexdigest()


def record_example(state: Path, project: Path) -> str:
    """Write the example through the public store API and return its run id."""
    import os
    import time

    name = run_id(time.time(), os.urandom(3))
    before, after = _tree("before"), _tree("after")
    promise = {
        "id": "cp-1794717600000-0a1b",
        "objective": "a discount of 20 % gives 80 for 100",
        "acceptance": [
            {"id": "c1", "description": "the tests pass", "evidence_required": ["command:pytest"]}
        ],
        "checks": [{"id": "tests", "kind": "command_success", "target": "pytest"}],
    }
    with open_store("user", state=state, folder=project) as opened:
        store = opened.store
        store.append(
            name,
            run.RunStarted(
                "fix the discount in price.py; pytest must pass",
                repo=str(project),
                base=before,
                agent="scripted",
                profile="fix_bug",
                budget_micros=2_500_000,
                donewhen=__version__,
            ),
        )
        lease = store.lease(name, this_process(), ttl=60)
        red, green = opened.artifacts.put(_RED.encode()), opened.artifacts.put(_GREEN.encode())

        def command(
            key: str, exit_code: int, output: str, tail: str, tree: str, by: facts.By
        ) -> facts.CommandEnded:
            return facts.CommandEnded(
                key,
                "pytest",
                ("pytest",),
                by=by,
                exit=exit_code,
                output=output,
                tail=tail,
                before=tree,
                after=tree,
            )

        story = [
            run.PromiseSet(promise["id"], promise),  # type: ignore[arg-type]
            run.StateChanged("idle", "executing"),
            run.TurnStarted(1),
            run.CostReserved("1", 40_000, 9000),
            run.CostBooked("1", "llm", 21_000, 5200, 310, "example-model"),
            facts.CommandStarted("2", "pytest", ("pytest",), before=before),
            command("2", 1, red, _RED, before, "agent"),
            run.TurnStarted(2),
            facts.Denied(
                "run_command",
                "force-push",
                "a protected branch is never force-pushed",
                "git push -f origin main",
            ),
            facts.FileChanged("price.py", "edit", _tree("price"), 1),
            run.StateChanged("executing", "validating"),
            command("3", 0, green, _GREEN, after, "harness"),
            facts.Verified("integrity", "change", "passed", after),
            run.Decided(
                "accepted",
                "accepted",
                summary="the discount is computed right",
                fingerprint=after,
                results=({"id": "tests", "kind": "command_success", "target": "pytest", "passed": True},),
            ),
            run.StateChanged("validating", "done"),
        ]
        store.append(name, *story, lease=lease)
        store.release(lease)
    return name
