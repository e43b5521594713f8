"""How long a decision takes after a long history, and what folding one event costs."""

import time

from benchmarks.measure import Figure
from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.core.checks import Check
from donewhen.core.events import facts
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.gate import decide
from donewhen.core.promise import Criterion, Promise
from donewhen.core.view import MemoryFiles, View

HOW = (
    "a promise with 4 acceptance commands, 20 checks and one criterion; 100,000 commands on ten trees are folded "
    "one by one; then the same decision is taken 200 times (median), and as a ratio after 1,000 events"
)
_COMMANDS = (
    "npm test",
    "npm run build",
    "ls -la src",
    "git status",
    "pytest -q tests/x.py",
    "cat a.txt | head",
    "npx vitest run",
    "sed -n 1,5p a.py",
    "npm ci",
    "npm run test:e2e",
)


def figures() -> list[Figure]:
    promise = Promise(
        "cp-1760000000000-1a2b",
        "measure",
        (Criterion("c1", "it works", ("command:npm test",)),),
        checks=tuple(Check("file_exists", f"src/f{number}.py") for number in range(20)),
        accept=tuple(
            entry
            for command in ("npm ci", "npm test", "npm run build", "npm run test:e2e")
            for entry in read_accept(command, parse)
        ),
    )
    evidence = Evidence(parse)
    files = MemoryFiles({f"src/f{number}.py": "x" for number in range(1000)})
    changed = {f"src/f{number}.py": "modified" for number in range(30)}
    exam = Exam(promise, evidence, View("t9", "t9", files, changed), parse, answer="done", trust="agent")  # type: ignore[arg-type]
    decide(exam)
    _fold(evidence, 1_000)
    early = _decide(exam)
    started = time.perf_counter()
    _fold(evidence, 99_000)
    folding = (time.perf_counter() - started) / 99_000
    late = _decide(exam)
    return [
        Figure(
            "decision after 100,000 events",
            late * 1e3,
            "ms",
            "≤ 1 ms",
            late <= 1e-3,
            f"{late / early:.2f} × after 1,000",
        ),
        Figure("folding one command into the evidence", folding * 1e6, "µs"),
    ]


def _fold(evidence: Evidence, count: int) -> None:
    for number in range(count):
        tail = "8 passed in 0.1s" if number % 3 == 0 else ""
        tree = f"t{number % 7 + 3}"
        evidence.take(facts.CommandEnded("", _COMMANDS[number % 10], exit=0, before=tree, tail=tail))


def _decide(exam: Exam) -> float:
    taken = []
    for _ in range(200):
        started = time.perf_counter()
        decision = decide(exam)
        taken.append(time.perf_counter() - started)
    assert decision.status == "accepted"
    return sorted(taken)[100]
