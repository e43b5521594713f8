"""What proves a scenario, and what does not."""

from typing import Any

from donewhen.core.scenarios import Case, Link, Tried, prove, read_case, verified
from donewhen.core.texts import LANGUAGES, say
from tests.tables import table_test

ID = "cart/total/adds"
LINK = Link(ID, "test_adds", "tests/test_cart.py", 3, True, language="python")
PASSED, FAILED = Case("test_adds"), Case("test_adds", "failed")


def tried(*cases: Case, new: bool = False, fails: bool | None = None, **link: Any) -> Tried:
    return Tried(LINK._replace(**link), cases, new, fails)


@table_test(
    ("links", "verdict", "key"),
    [
        ((), "failed", "unlinked"),
        ((tried(PASSED),), "passed", "passed"),
        ((tried(PASSED, PASSED),), "passed", "passed"),
        ((tried(PASSED, Case("x", "skipped")),), "passed", "passed"),
        ((tried(PASSED, FAILED),), "failed", "failed"),
        ((tried(PASSED), tried(FAILED, test="test_more")), "failed", "failed"),
        ((tried(PASSED), tried(test="test_more")), "passed", "passed"),
        ((tried(),), "failed", "not_executed"),
        ((tried(Case("x", "skipped")),), "failed", "not_executed"),
        ((tried(Case("x", "xfailed")),), "failed", "not_executed"),
        ((tried(PASSED, asserts=False),), "failed", "hollow"),
        ((tried(PASSED, disabled="@pytest.mark.xfail"),), "failed", "disabled"),
        ((tried(test="", asserts=False),), "failed", "no_test"),
        ((tried(PASSED, new=True, fails=True),), "passed", "passed"),
        ((tried(PASSED, new=True, fails=False),), "failed", "passes_at_base"),
        ((tried(PASSED, new=True),), "could_not_run", "base_unknown"),
        ((tried(PASSED, new=True, fails=False), tried(PASSED, new=True, fails=True)), "passed", "passed"),
        ((tried(PASSED, asserts=None, test=""),), "could_not_run", "unread"),
        ((tried(Case("x", assertions=2), asserts=None, test=""),), "passed", "passed"),
        ((tried(PASSED, asserts=None, test="", new=True, fails=True),), "passed", "passed"),
    ],
)
def test_what_a_scenario_comes_to(links: tuple[Tried, ...], verdict: str, key: str) -> None:
    (proof,) = prove([ID], links, reported=True)
    assert (proof.verdict, proof.reason.key) == (verdict, f"scenarios.{key}")
    assert all(ID in say(proof.reason.key, language, **proof.reason.values) for language in LANGUAGES)


@table_test("language", ["python", "javascript", "typescript", "go", "rust", "java", "ruby", ""])
def test_without_a_report_it_is_said_how_to_get_one(language: str) -> None:
    (proof,) = prove([ID], [tried(language=language)], reported=False)
    assert (proof.verdict, proof.reason.key) == ("could_not_run", "scenarios.no_report")
    assert "no machine report" in say(proof.reason.key, **proof.reason.values)


def test_of_a_table_the_marked_rows_decide() -> None:
    marked, other = Case("test_adds[1]", scenarios=(ID,)), Case("test_adds[2]", "failed")
    assert prove([ID], [tried(marked, other)], reported=True)[0].passed
    assert not prove([ID], [tried(other, marked._replace(outcome="failed"))], reported=True)[0].passed


def test_proofs_keep_the_order_of_the_ids_and_each_id_once() -> None:
    proofs = prove(["b", ID, "b"], [tried(PASSED)], reported=True)
    assert [(proof.id, proof.passed, proof.linked) for proof in proofs] == [
        ("b", False, ()),
        (ID, True, ("tests/test_cart.py:3",)),
    ]


def test_facts_carry_verdict_tree_and_reason() -> None:
    (fact,) = verified(prove([ID], [tried(PASSED)], reported=True), "tree")
    assert (fact.verifier, fact.scope, fact.verdict, fact.fingerprint) == ("scenario", ID, "passed", "tree")
    assert fact.details == {
        "reason": f"{ID} is proven by test_adds (tests/test_cart.py:3)",
        "linked": ["tests/test_cart.py:3"],
    }


def test_cases_survive_plain_data() -> None:
    case = Case("n", "failed", "g", ("a", "b"), "f", 3, 2, (ID,))
    assert read_case([list(part) if isinstance(part, tuple) else part for part in case]) == case
