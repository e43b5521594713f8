"""New tests must fail on the base's source; old ones, and those that only moved, need not."""

from donewhen.core.checks import Check, promised_scenarios
from donewhen.core.scenarios import Case
from donewhen.core.texts import say
from donewhen.verify.scenario_links import find_links
from donewhen.verify.scenario_proofs import AtBase, ChangedTests, needs_base, prove_scenarios
from donewhen.verify.test_functions import read_test_functions

ID = "cart/total/adds"
PATH = "tests/test_cart.py"
OLD = b"from cart import total\n\ndef test_old():\n    assert total([2]) == 2\n"
NEW = OLD + f"\ndef test_new():\n    # scenario: {ID}\n    assert total([1, 2]) == 3\n".encode()
PASSED = Case("test_new", group="tests.test_cart")
FAILED = PASSED._replace(outcome="failed")


def pair(base: bytes | None, now: bytes | None, path: str = PATH) -> ChangedTests:
    before, after = (None if data is None else read_test_functions(path, data) for data in (base, now))
    return ChangedTests(path, before, after)


def verdict(
    at_base: AtBase | None, *pairs: ChangedTests, now: bytes = NEW, path: str = PATH, case: Case = PASSED
) -> str:
    (proof,) = prove_scenarios([ID], find_links(path, now), [case], pairs, at_base)
    return proof.reason.key.removeprefix("scenarios.")


def test_a_new_test_must_fail_at_the_base() -> None:
    change = pair(OLD, NEW)
    assert needs_base([ID], find_links(PATH, NEW), [change])
    assert verdict(AtBase(False, (FAILED,)), change) == "passed"
    assert verdict(AtBase(True, (PASSED,)), change) == "passes_at_base"
    assert verdict(AtBase(False, (PASSED,)), change) == "passes_at_base"
    assert verdict(AtBase(True), change) == "base_unknown"
    assert verdict(None, change) == "base_unknown"


def test_what_can_not_even_be_loaded_at_the_base_fails_there() -> None:
    broken = Case("tests.test_cart", "failed")
    assert verdict(AtBase(False, (broken,)), pair(None, NEW)) == "passed"
    assert verdict(AtBase(False), pair(None, NEW)) == "passed"


def test_a_test_of_the_base_that_is_linked_now_needs_no_base() -> None:
    now = OLD.replace(b"def test_old():\n", f"def test_old():\n    # scenario: {ID}\n".encode())
    case = Case("test_old", group="tests.test_cart")
    assert not needs_base([ID], find_links(PATH, now), [pair(OLD, now)])
    assert verdict(None, pair(OLD, now), now=now, case=case) == "passed"


def test_a_test_in_an_unchanged_file_is_not_new() -> None:
    assert verdict(None) == "passed"


def test_a_moved_test_is_not_new() -> None:
    there = "tests/cart/test_total.py"
    case = Case("test_new", group="tests.cart.test_total")
    assert verdict(None, pair(NEW, None), pair(None, NEW, there), path=there, case=case) == "passed"


def test_a_test_inside_of_source_can_not_be_tried_on_another_one() -> None:
    path = "src/cart.rs"
    now = f"#[test]\nfn adds() {{\n    // scenario: {ID}\n    assert_eq!(total(1), 1);\n}}\n".encode()
    change = pair(b"", now, path)
    assert not needs_base([ID], find_links(path, now), [change])
    assert verdict(None, change, now=now, path=path, case=Case("cart::adds")) == "passed"


def test_the_scenarios_of_a_promise() -> None:
    checks = [
        Check("scenario", "a/b/c"),
        Check("scenario", "", params={"scenarios": "a/b/d\n a/b/c \n"}),
        Check("file_exists", "x/y/z"),
    ]
    assert promised_scenarios(checks) == ("a/b/c", "a/b/d")


def test_a_scenario_that_no_test_names_tells_what_to_write() -> None:
    proofs = prove_scenarios([ID, "cart/total/open"], find_links(PATH, NEW), [PASSED], [], None)
    (reason,) = [proof.reason for proof in proofs if not proof.linked]
    assert "`scenario: cart/total/open` in a comment" in say(reason.key, **reason.values)
