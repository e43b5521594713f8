"""The gate asked about a stored verification says what the verification said."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from donewhen.commands import parse
from donewhen.core.events import Body, facts, run
from donewhen.run.past import Asked, decide_run
from donewhen.store import open_store
from tests.helpers import RUN

TREE, RELEVANT = "t" * 40, "r" * 40
GREEN = facts.CommandEnded(
    "exam", "pytest", ("pytest",), by="harness", exit=0, tail="1 passed", before=TREE, after=TREE
)
STARTED = facts.CommandStarted("exam", "pytest", ("pytest",), by="harness", before=TREE)
DECIDED = run.Decided("accepted", "accepted", summary="as it was said", fingerprint=TREE)


@pytest.fixture
def ask(tmp_path: Path):
    """Record a run with a promise, and ask the gate about it."""

    def asked(
        promise: Mapping[str, Any], *bodies: Body, agent: str = "verify", at: int | None = None
    ) -> Asked:
        whole = {
            "id": "cp-1760000000000-1a2b",
            "objective": "ship",
            "acceptance": [{"id": "c1", "description": "it works"}],
            **promise,
        }
        with open_store("user", state=tmp_path / "state", folder=tmp_path) as opened:
            opened.store.append(
                RUN, run.RunStarted("ship", agent=agent), run.PromiseSet(whole["id"], whole), *bodies
            )
            return decide_run(opened.store.read(RUN), parse, at)

    return asked


def check(kind: str, target: str, **params: str) -> dict[str, Any]:
    return {"checks": [{"kind": kind, "target": target, "id": "it", "params": params}]}


def failed(asked: Asked) -> list[str]:
    return [result.id for result in asked.decision.findings.failed]


def human(path: str, change: Any = "write") -> facts.FileChanged:
    return facts.FileChanged(path, change, by="human")


def there(path: str, version: int = 0) -> facts.FileConfirmed:
    return facts.FileConfirmed(path, version, "harness")


def test_a_change_out_of_scope_is_refused(ask):
    promise = {"accept": ["pytest"], "allowed_scope": ["*.py"]}
    asked = ask(promise, human("README.md"), human("a.py"), STARTED, GREEN, DECIDED)
    assert (asked.decision.status, failed(asked)) == ("continue", ["scope"])


def test_a_change_within_the_scope_is_accepted(ask):
    promise = {"accept": ["pytest"], "allowed_scope": ["*.py"]}
    asked = ask(promise, human("a.py"), human("old.py", "delete"), STARTED, GREEN, DECIDED)
    assert asked.decision.status == "accepted"


@pytest.mark.parametrize("path", [" ", "~/x", "C:\\x", ".donewhen.d/x"])
def test_odd_names_in_a_change_are_no_harm_done_by_a_run(ask, path):
    promise = {"accept": ["pytest"], "abort_when": [{"type": "user-aborted", "target": "*"}]}
    assert ask(promise, human(path), STARTED, GREEN, DECIDED).decision.status == "accepted"


def test_an_unchanged_file_that_was_confirmed_exists(ask):
    assert ask(check("file_exists", "README.md"), there("README.md"), DECIDED).decision.status == "accepted"


def test_a_file_that_nobody_confirmed_does_not(ask):
    asked = ask(check("file_exists", "README.md"), there("OTHER.md"), DECIDED)
    assert (asked.decision.status, failed(asked)) == ("continue", ["it"])


def test_a_changed_file_exists_and_a_deleted_one_does_not(ask):
    assert not failed(ask(check("file_exists", "a.py"), human("a.py"), STARTED, GREEN, DECIDED))


def test_a_deleted_file_does_not_exist(ask):
    assert failed(ask(check("file_exists", "a.py"), human("a.py", "delete"), DECIDED)) == ["it"]


@pytest.mark.parametrize(
    ("seen", "open_checks"), [([], ["it"]), ([facts.ContentMatched("a", r"\S", TREE)], [])]
)
def test_that_a_file_is_not_empty_takes_more_than_that_it_is_there(ask, seen, open_checks):
    asked = ask(check("file_exists", "a", nonempty="true"), there("a"), *seen, DECIDED)
    assert failed(asked) == open_checks


@pytest.mark.parametrize("params", [{"contains": "Usage: x"}, {"regex": r"^Usa[g]e\b.*"}, {"regex": "x{3}"}])
@pytest.mark.parametrize("agent", ["verify", "someone"])
def test_content_that_was_found_on_this_tree_holds(ask, params, agent):
    matched = facts.ContentMatched("./README.md", next(iter(params.values())), TREE)
    answer = facts.CandidateKept("Done.")
    asked = ask(
        check("content_contains", "README.md", **params),
        there("README.md"),
        matched,
        answer,
        DECIDED,
        agent=agent,
    )
    assert failed(asked) == []


@pytest.mark.parametrize("params", [{"contains": "Usage"}, {"regex": "."}, {"regex": "a*"}, {"contains": ""}])
@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize(
    "matched",
    [
        facts.ContentMatched("README.md", "something else", TREE),
        facts.ContentMatched("README.md", "Usage", "another tree"),
        facts.ContentMatched("README.md", ".", ""),
        facts.ContentMatched("docs/README.md", "a*", TREE),
    ],
)
def test_content_that_was_not_found_on_this_tree_stays_open(ask, params, version, matched):
    asked = ask(
        check("content_contains", "README.md", **params), there("README.md", version), matched, DECIDED
    )
    assert failed(asked) == ["it"]


def test_evidence_of_content_is_there_for_the_promise_too(ask):
    promise = check("content_contains", "a", contains="x") | {"required_evidence": ["content:a"]}
    assert ask(promise, facts.ContentMatched("a", "x", TREE), DECIDED).decision.status == "accepted"


@pytest.mark.parametrize(("confirmed", "status"), [(0, "continue"), (1, "accepted")])
def test_a_changed_document_needs_to_be_found_well_formed(ask, confirmed, status):
    promise = check("file_exists", "notes.json")
    asked = ask(promise, human("notes.json"), there("notes.json", confirmed), DECIDED)
    assert asked.decision.status == status


def test_changed_source_without_a_test_is_still_owed_one(ask):
    assert ask(check("file_exists", "a.py"), human("a.py"), DECIDED).decision.status == "continue"


def test_proofs_of_the_relevant_part_hold_for_the_whole_tree(ask):
    green = GREEN._replace(before=RELEVANT, after=RELEVANT, on=(RELEVANT,))
    same = facts.Verified("fingerprint", TREE, "skipped", RELEVANT)
    assert ask({"accept": ["pytest"]}, STARTED, green, same, DECIDED).decision.status == "accepted"


@pytest.mark.parametrize("same", [[], [facts.Verified("fingerprint", "another", "skipped", RELEVANT)]])
def test_proofs_of_another_tree_do_not(ask, same):
    green = GREEN._replace(before=RELEVANT, after=RELEVANT)
    asked = ask({"accept": ["pytest"]}, STARTED, green, *same, DECIDED)
    assert asked.decision.status == "continue"


def test_what_a_tree_is_worth_is_no_verification_that_a_promise_may_ask_for(ask):
    same = facts.Verified("fingerprint", TREE, "passed", RELEVANT)
    promise = check("file_exists", "a") | {"required_evidence": ["verification"]}
    assert ask(promise, there("a"), same, DECIDED).decision.findings.missing == ("verification",)


def test_a_pass_that_the_exam_did_not_count_does_not_count_later(ask):
    uncounted = facts.Verified("exam", "pytest", "could_not_run", details={"command": "pytest"})
    assert ask({"accept": ["pytest"]}, STARTED, GREEN, uncounted, DECIDED).decision.status == "continue"


def test_an_earlier_pass_counts_though_the_command_was_not_run_again(ask):
    refused = facts.Verified("exam", "pytest", "could_not_run", details={"command": "pytest"})
    assert ask({"accept": ["pytest"]}, GREEN, refused, DECIDED).decision.status == "accepted"


def test_nobody_is_asked_for_an_answer_where_a_change_is_only_judged(ask):
    assert ask({"accept": ["pytest"]}, STARTED, GREEN, DECIDED, at=4).decision.status == "accepted"


def test_in_a_run_of_an_agent_an_answer_and_its_own_writes_count_as_before(ask):
    promise = {"accept": ["pytest"], "allowed_scope": ["src"]}
    bodies = (facts.FileChanged("../x", "write"), there("../x"), STARTED, GREEN)
    asked = ask(promise, *bodies, agent="someone")
    assert (asked.decision.status, failed(asked)) == ("continue", ["output_only:", "scope"])


@pytest.mark.parametrize("by", ["agent", "hook", "human"])
def test_only_the_harness_confirms_files_that_the_run_did_not_write(ask, by):
    asked = ask(check("file_exists", "a"), facts.FileConfirmed("a", 1, by), DECIDED, agent="someone")
    assert failed(asked) == ["it"]
