"""The pure parts of a report: criteria by their proofs, and which commands of a long run the board sees."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events import facts, run
from donewhen.run.board import Board
from donewhen.run.reporting_criteria import criteria
from donewhen.run.reporting_model import Proven
from donewhen.run.reporting_sieve import RECENT, SHORT, Sieve
from tests.tables import table_test

PROMISE = {"objective": "x", "accept": ["python3 -m pytest"], "checks": [{"kind": "workspace_change"}]}
TREES = ("a" * 40, "b" * 40)
COMMANDS = (
    "python3 -m pytest",
    "python -m pytest -q",
    "pytest tests/a.py",
    "python3 -m pytest | tail -3",
    "python3 -m pytest || true",
    "cat notes.txt",
    "sed -n 5p cart.py",
    "make build",
    "ls -la",
)


def proof(name: str, kind: str, status: str) -> Proven:
    return Proven(name, kind, name, name, "promise", status, "")


@table_test(
    ("required", "mode", "statuses", "status", "rests"),
    [
        ((), "any", ("passed", "passed"), "passed", ("pytest", "lint")),
        ((), "any", ("passed", "stale"), "stale", ("pytest", "lint")),
        ((), "any", ("masked", "failed"), "failed", ("pytest", "lint")),
        (("command",), "any", ("pending", "failed"), "pending", ("pytest",)),
        (("command:pytest", "verification:lint/"), "any", ("failed", "passed"), "passed", ("pytest", "lint")),
        (("command:pytest", "verification:lint/"), "all", ("failed", "passed"), "failed", ("pytest", "lint")),
        (("check:lint",), "all", ("failed", "passed"), "passed", ("lint",)),
        (("approval:yes",), "any", ("passed", "passed"), "pending", ()),
    ],
)
def test_a_criterion_stands_as_its_proofs_do(required, mode, statuses, status, rests):
    proofs = (proof("pytest", "command_success", statuses[0]), proof("lint", "quality_gate", statuses[1]))
    entry = {"id": "c1", "description": "it works", "evidence_required": required, "evidence_mode": mode}
    (found,) = criteria({"acceptance": (entry,)}, proofs, accepted=False)
    assert (found.status, found.proofs) == (status, rests)
    assert criteria({"acceptance": (entry,)}, proofs, accepted=True)[0].status == "passed"


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_promise_gives_criteria_or_none(value):
    assert isinstance(criteria({"acceptance": value}, (), accepted=False), tuple)


commands = st.builds(
    lambda command, by, exit, before, after: facts.CommandEnded(
        "k",
        command,
        by=by,
        exit=exit,
        before=before,
        after=after,
        tail="1 passed" if exit == 0 else "1 failed",
    ),
    st.sampled_from(COMMANDS),
    st.sampled_from(["agent", "harness"]),
    st.sampled_from([0, 1]),
    st.sampled_from(TREES),
    st.sampled_from(TREES),
)


@given(st.lists(commands | st.builds(facts.FileChanged, st.just("cart.py"), st.just("edit")), max_size=12))
def test_the_board_of_a_long_run_says_the_same(bodies):
    whole, sieved, sieve = Board(), Board(), Sieve(10**6)
    for seq, body in enumerate((run.PromiseSet("cp-1", PROMISE), *bodies), 1):
        whole.take(body, seq)
        sieved.take(sieve.through(body, seq), seq)
    assert sieved.proofs() == whole.proofs()


@table_test(
    ("promise", "last", "seq", "by", "whole"),
    [
        (PROMISE, SHORT, 3, "agent", True),
        (PROMISE, SHORT + 1, 3, "agent", False),
        (PROMISE, 10_000, 10_000 - RECENT, "agent", True),
        (PROMISE, 10_000, 3, "harness", True),
        ({"objective": "x"}, 10_000, 3, "agent", True),
    ],
)
def test_only_old_commands_of_the_agent_in_long_runs_are_cut_short(promise, last, seq, by, whole):
    sieve = Sieve(last)
    sieve.through(run.PromiseSet("cp-1", promise), 2)
    body = facts.CommandEnded("k", "sed -n 5p cart.py", by=by, before=TREES[0], after=TREES[1])
    found = sieve.through(body, seq)
    assert (found is body) == whole
    assert found.before == TREES[0] if whole else found.before == TREES[1]
