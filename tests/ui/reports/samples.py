"""Reports to render: an accepted one, one with everything in it, and one where all foreign text attacks."""

from typing import Any

from donewhen.core.findings import Feedback
from donewhen.core.quality.model import GateResult, Violation
from donewhen.core.texts import Phrase
from donewhen.ui.reports.model import Report

TREE = "5d19019a49331dc1afea9a3cafd46ae7f1314b04"
COMMIT = "0098261dc120f5df87ace8ebf6ab805ce6aa16cd"
WHY = Phrase("exam.missing_inside", {"program": "mypy", "install": "see its manual"})


def command(**changed: Any) -> dict[str, Any]:
    plain = {
        "command": "pytest -q",
        "argv": ["pytest", "-q"],
        "cwd": "",
        "source": "--accept",
        "status": "passed",
        "way": "ran",
        "reason": "",
        "exit": 0,
        "duration_ms": 2155,
        "counts": {"executed": 2, "passed": 2, "failed": 0, "errors": 0, "skipped": 0},
        "machine_report": True,
        "runs": 1,
        "from_run": "",
        "output": "",
        "tail": "2 passed in 0.99s\n",
    }
    return plain | changed


def result(
    name: str, *, passed: bool, reason: str = "proven on the current tree", **more: Any
) -> dict[str, Any]:
    plain = {"id": name, "kind": "command_success", "target": "", "passed": passed, "reason": reason}
    return plain | {"evidence": ""} | more


ACCEPTED = Report(
    version="0.1.0",
    run="r-20261115200234-ea9685",
    decision={
        "status": "accepted",
        "stop_reason": "completed",
        "cause": "",
        "summary": "1 of 1 commands passed on this tree",
        "details": [],
        "results": [result("pytest", passed=True, target="pytest -q"), result("integrity", passed=True)],
    },
    exit_code=0,
    fingerprint=TREE,
    base={"commit": COMMIT, "name": "main"},
    branch="feature",
    changed={"src/price.py": "modified"},
    commands=(command(),),
    gates=(
        GateResult("secrets", "passed", required=True, tool="detect-secrets 1.5.0", files=1, duration_ms=120),
        GateResult(
            "lint", "passed", required=True, tool="ruff 0.17.4", files=3, duration_ms=100, old=4, cached=True
        ),
    ),
    duration_ms=3022,
    record="/state/records/r-20261115200234-ea9685.json",
)

VIOLATION = Violation("S602", "subprocess call with shell=True", "src/run.py", 12, 5, fix="pass a list")
EVERYTHING = ACCEPTED._replace(
    decision={
        "status": "failed",
        "stop_reason": "verification_failed",
        "cause": "",
        "summary": "3 proofs are missing",
        "details": ["pytest -q: its own summary reports 1 failed", "types: could not run"],
        "results": [
            result("pytest", passed=False, reason="its own summary reports 1 failed", target="pytest -q"),
            result("integrity", passed=False, reason="1 finding", kind="integrity"),
        ],
    },
    exit_code=1,
    commands=(
        command(
            status="failed",
            exit=1,
            counts={"executed": 2, "passed": 1, "failed": 1, "errors": 0, "skipped": 0},
            tail="E   assert 90.0 == 80.0\n1 failed, 1 passed in 0.99s\n",
        ),
        command(
            command="npm run build",
            status="pending",
            way="skipped",
            exit=None,
            counts=None,
            tail="",
            duration_ms=0,
        ),
    ),
    gates=(
        GateResult("secrets", "passed", required=True, tool="detect-secrets 1.5.0", files=2, duration_ms=120),
        GateResult(
            "security", "failed", True, (VIOLATION,), old=2, tool="ruff 0.17.4", files=2, duration_ms=90
        ),
        GateResult("types", "could_not_run", True, why=WHY, install="python -m pip install mypy"),
        GateResult(
            "coverage",
            "failed",
            violations=(Violation("uncovered", "lines 3-9 are not executed", "src/price.py", 3),),
            tool="coverage 7.13",
            numbers={"changed": 61.5, "total": 90.0},
            duration_ms=1100,
        ),
        GateResult("complexity", "skipped"),
    ),
    feedback=(
        Feedback(
            "warning",
            "quality",
            "lines 3-9 are not executed",
            "src/price.py",
            3,
            rule="uncovered",
            fixable=True,
        ),
        Feedback(
            "fail",
            "quality",
            "test_discount: assert 90.0 == 80.0",
            "tests/test_price.py",
            11,
            details="> 11 |     assert total([100.0], 20) == 80.0\n     |            ^",
            fixable=True,
            rule="pytest",
        ),
        Feedback(
            "fail",
            "security",
            "subprocess call with shell=True",
            "src/run.py",
            12,
            5,
            fixable=True,
            fix_suggestion="pass a list",
            rule="S602",
        ),
        Feedback(
            "fail",
            "integrity",
            "the test test_old is gone and nothing tests the same",
            "tests/test_old.py",
            details="before: def test_old(): …",
            fixable=True,
            fix_suggestion="put it back, or ask for its removal in the goal",
            rule="test-deleted",
        ),
        Feedback("pass", "integrity", "a test was renamed", "tests/test_new.py", 4, rule="test-renamed"),
        Feedback("skipped", "semantic", "no reviewer is configured", rule="reviewer"),
    ),
    notes=("the exam has no network but loopback",),
    record="",
)

ATTACK = (
    "x](http://evil.example) @admin #1 <script>alert(1)</script> <!-- --> `` ``` | \\| ]]> &amp; "
    "::error::planted ##[set-env name=A]b %0A\r\n::set-output name=a::b\n"
    "\u202e\x1b[31m\x00\udcff\ufffe\U0001f4a5"
)


def attacked(text: str = ATTACK) -> Report:
    """The same text in every place that a repository, a tool or an agent can fill."""
    gate = EVERYTHING.gates[1]._replace(gate=text, tool=text, install=text, numbers={text: 1.0})
    violation = Violation(text, text, text, 3, 4, subject=text, fix=text)
    phrase = Phrase("exam.missing_inside", {"program": text, "install": text})
    return EVERYTHING._replace(
        decision={
            "status": "failed",
            "summary": text,
            "details": [text],
            "results": [result(text, passed=False, reason=text, target=text)],
        },
        base={"commit": text, "name": text},
        branch=text,
        changed={text: "added"},
        commands=(command(command=text, reason=text, tail=text, status="failed", exit=1),),
        gates=(
            gate._replace(violations=(violation,)),
            GateResult("g", "could_not_run", why=phrase, install=text),
        ),
        feedback=(
            Feedback("fail", "quality", text, text, 3, 4, text, fix_suggestion=text, rule=text),
            Feedback("warning", "quality", text, text, 5, rule=text),
            Feedback("skipped", "semantic", text, details=text, rule=text),
        ),
        notes=(text,),
        record=text,
    )
