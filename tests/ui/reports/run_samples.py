"""Dossiers for tests: one with everything in it, one that hostile people wrote every text of."""

from typing import Any

from donewhen.core.texts import Phrase
from donewhen.run.reporting_model import (
    Attempt,
    Catch,
    Change,
    Dossier,
    Evidence,
    File,
    Hooked,
    Moment,
    Note,
    Proven,
    Question,
    Record,
    Spent,
)

RUN = "r-20261115043750-0a1b2c"
AT = "2026-11-15T04:37:50.123Z"
TREE = "a" * 40
ATTACK = (
    "</pre></details><script>alert(1)</script>\x1b[31mred\x1b[0m\x00 \u202ekcab `x` | @ann <img src=x onerror=alert(1)>"
    "\n\r\n```\n# heading\n[l](javascript:x) &lt;b&gt; \udc80 \ufffe ]]> -->"
)


def evidence(**more: Any) -> Evidence:
    plain = Evidence(
        7,
        AT,
        "command_ended",
        "python3 -m unittest",
        by="harness",
        status="completed",
        exit=1,
        counts={"executed": 3, "passed": 2, "failed": 1},
        duration_ms=1234,
        before=TREE,
        after=TREE,
        output="FAIL: test_adds_up\nRan 3 tests\n",
        size=31,
    )
    return plain._replace(**more)


def dossier(**more: Any) -> Dossier:
    """A run that was refused twice and then handed over."""
    plain = Dossier(
        run=RUN,
        kind="run",
        state="paused",
        verdict="waiting",
        executed=False,
        exit_code=4,
        decision={
            "status": "stopped",
            "stop_reason": "escalated",
            "cause": "max_retries",
            "summary": "1 proof is missing",
            "details": ["python3 -m unittest: 1 of 3 tests failed"],
            "results": [],
        },
        goal="Fix the cart",
        promise={
            "objective": "Fix the cart",
            "acceptance": [{"id": "c1", "description": "the cart adds up", "evidence_required": ["command"]}],
            "accept": ["python3 -m unittest"],
            "checks": [{"kind": "file_exists", "target": "cart.py"}],
            "allowed_scope": ["src/**"],
        },
        amended=1,
        created=AT,
        updated="2026-11-15T04:39:50.123Z",
        duration=120.0,
        turns=9,
        tool_calls=12,
        budget_micros=2_000_000,
        budget_used=12.5,
        total_micros=250_000,
        proofs=(
            Proven(
                "python -m unittest",
                "command_success",
                "python3 -m unittest",
                "python3 -m unittest",
                "promise",
                "failed",
                "1 of 3 tests failed",
                (evidence(),),
            ),
            Proven(
                "file_exists:cart.py", "file_exists", "cart.py", "cart.py", "plan", "passed", "it is there"
            ),
            Proven("gate:lint", "quality_gate", "lint", "lint", "change", "stale", "the tree changed since"),
            Proven("t1", "todo", "t1", "write the test", "todo", "pending", "open"),
            Proven("make", "command_success", "make", "make", "promise", "masked", "the line can return 0"),
        ),
        optional=(
            evidence(type="verified", what="types", status="passed", exit=None, reason="mypy", output=""),
        ),
        attempts=(
            Attempt(
                1,
                5,
                AT,
                "continue",
                "All tests pass.",
                "1 proof is missing",
                ("1 failed",),
                3,
                4,
                ("cart.py",),
            ),
            Attempt(2, 9, AT, "stopped", "Really.", "1 proof is missing", ("1 failed",), 6, 8, (), TREE),
        ),
        caught=(
            Catch(3, AT, "masked", "make || true", "the line can return 0"),
            Catch(4, AT, "denied", "git push --force", "it would force main", "force-push"),
            Catch(6, AT, "integrity", "test_cart.py:3", "a test was switched off", "test-skipped"),
            Catch(8, AT, "rolled_back", "cart.py", "it made things worse"),
        ),
        todos=({"id": "t1", "content": "write the test", "status": "pending", "required": False},),
        change=Change(
            "workspace",
            "b" * 40,
            TREE,
            (File("cart.py", "modified", 1, 2), File("logo.png", "added")),
            "diff --git a/cart.py b/cart.py\n@@ -1 +1 @@\n-a < b\n+a > b\n",
        ),
        spent=(Spent("llm", "example-model", 250_000, 1000, 100, 3),),
        timeline=(Moment(1, AT, "state", "executing"), Moment(9, AT, "decided", "escalated")),
        hooks=(Hooked("log-operations", "after_tool", "passed", "", 12, 30),),
        questions=(Question("a-1", AT, "may I push?", "run_command", "push"),),
        notes=(Note(AT, "warning", "no reviewer is configured"),),
        resumed=(Moment(6, AT, "resumed", "executing"),),
        about={"repo": "/home/ann/shop", "agent": "scripted", "branch": "donewhen/x", "donewhen": "0.1.0"},
        events=12,
        head="c" * 64,
        left_out=(Phrase("reporting.older", {"what": Phrase("reporting.notes"), "count": 3}),),
    )
    return plain._replace(**more)


WAITING = dossier()
ACCEPTED = dossier(
    state="done",
    verdict="accepted",
    exit_code=0,
    decision={
        "status": "accepted",
        "stop_reason": "accepted",
        "summary": "all is proven",
        "details": [],
        "results": [],
    },
    about={"repo": "/home/ann/shop", "branch": "donewhen/x", "commit": "d" * 40},
    record=Record("/home/ann/.local/state/donewhen/records/x.json", 11, "e" * 64, TREE, AT),
    questions=(),
)


def attacked(text: str = ATTACK) -> Dossier:
    """Every text of somebody else's is the attack."""

    def swap(value: Any) -> Any:
        if isinstance(value, str):
            return text
        if isinstance(value, dict):
            return {key: swap(each) for key, each in value.items()}
        if isinstance(value, list):
            return [swap(each) for each in value]
        if isinstance(value, Phrase):
            return value
        if isinstance(value, tuple) and hasattr(value, "_asdict"):
            return type(value)(**{key: _kept(key, each, swap) for key, each in value._asdict().items()})
        return tuple(map(swap, value)) if isinstance(value, tuple) else value

    swapped: Dossier = swap(WAITING)
    return swapped._replace(run=RUN, kind="run", state="paused", verdict="waiting")


def _kept(name: str, value: Any, swap: Any) -> Any:
    """Names of closed sets stay as the ledger's types have them."""
    return (
        value if name in ("where", "answer", "type") or (name == "kind" and value in _CAUGHT) else swap(value)
    )


_CAUGHT = {each.kind for each in WAITING.caught}
