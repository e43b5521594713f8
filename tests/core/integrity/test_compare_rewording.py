"""Tests that were renamed with what they test, or poured into another form: kept, asked about, or gone."""

from donewhen.core.integrity.compare import review
from donewhen.core.integrity.model import Pair, Rerun
from donewhen.core.integrity.settling import settle
from tests.core.integrity.sheets import ask, case, edited, eq, sheet, source
from tests.tables import table_test

PATH = "tests/test_shop.py"


def renamed(*names, path="src/shop.py"):
    """The product with other names."""
    old, new = zip(*names, strict=True)
    return Pair(source(path, *old), source(path, *new))


def seen(names, before, now):
    return review(
        [
            renamed(*names),
            Pair(sheet("tests/test_a.py", *before), None),
            Pair(None, sheet("tests/test_b.py", *now)),
        ]
    )


FOLLOWED = [
    ([("getUser", "fetchUser")],
     [case("getUser finds", eq("getUser", "1", '"ann"')), case("getUser none", eq("getUser", "9", "null"))],
     [case("fetchUser finds", eq("fetchUser", "1", '"ann"')), case("fetchUser none", eq("fetchUser", "9", "null"))]),
    ([("trunc", "shorten"), ("pad", "fill")],
     [case("T.test_trunc", eq("trunc", '"abc"', '"a"')), case("T.test_pad", eq("pad", '"a"', '" a"'))],
     [case("S.test_shorten", eq("shorten", '"abc"', '"a"')), case("S.test_fill", eq("fill", '"a"', '" a"'))]),
    ([("Customer", "Member"), ("addCustomer", "addMember"), ("Customers", "Members")],
     [case("customer needs a name", ask("raises", "Customer", ('""',), ('"customer needs a name"',)))],
     [case("member needs a name", ask("raises", "Member", ('""',), ('"member needs a name"',)))]),
]  # fmt: skip


@table_test(("names", "before", "now"), FOLLOWED)
def test_a_test_renamed_with_what_it_tests_is_the_same_test(names, before, now):
    found = seen(names, before, now)
    assert found.findings == ()
    assert {known.state for known in found.account.tests} == {"kept"}


NOT_FOLLOWED = [
    # another value beside the new name
    ([("getUser", "fetchUser")], [case("getUser finds", eq("getUser", "1", '"ann"'))],
     [case("fetchUser finds", eq("fetchUser", "1", '"bo"'))]),
    # a text that has nothing to do with the renamed thing
    ([("Customer", "Member")], [case("customer fails", ask("raises", "Customer", ('""',), ('"customer is bad"',)))],
     [case("member fails", ask("raises", "Member", ('""',), ('"member is fine"',)))]),
    # one of two is gone
    ([("getUser", "fetchUser")],
     [case("getUser finds", eq("getUser", "1", '"ann"')), case("getUser none", eq("getUser", "9", "null"))],
     [case("fetchUser finds", eq("fetchUser", "1", '"ann"'))]),
    # the product has its old name still
    ([("getUser", "getUser")], [case("getUser finds", eq("getUser", "1", '"ann"'))],
     [case("fetchUser finds", eq("fetchUser", "1", '"ann"'))]),
]  # fmt: skip


@table_test(("names", "before", "now"), NOT_FOLLOWED)
def test_a_new_name_covers_nothing_else(names, before, now):
    assert any(finding.blocks for finding in seen(names, before, now).findings)


SINGLE = [case("T.test_one", eq("c2f", "0", "32")), case("T.test_two", eq("c2f", "100", "212"))]
LOOP = case("T.test_c2f", ask("equal", "c2f"), literals=('"c"', '"f"'))
DATA = sheet("tests/cases.json", role="support", language="")


def poured(now, *more, constants=()):
    tests = Pair(sheet(PATH, *SINGLE), sheet(PATH, now, constants=constants))
    return review([tests, *more])


@table_test(
    ("found", "policy"),
    [
        (poured(LOOP, Pair(None, DATA), constants=('"cases.json"',)), "ask"),
        (poured(LOOP, Pair(None, DATA)), "deny"),  # nobody reads that file
        (poured(LOOP._replace(disabled="skip"), Pair(None, DATA), constants=('"cases.json"',)), "deny"),
        (poured(case("T.test_c2f", eq("c2f", "5", "41"))), "deny"),
        (review([edited(PATH, SINGLE, [SINGLE[0]])]), "deny"),
    ],
)
def test_a_test_that_may_live_on_in_another_form_is_asked_about(found, policy):
    gone = [finding for finding in found.findings if finding.rule == "test-deleted"]
    assert gone
    assert {finding.policy for finding in gone} == {policy}


@table_test(("green", "blocks"), [(True, False), (False, True)])
def test_only_the_tests_of_the_base_vouch_for_it(green, blocks):
    found = poured(LOOP, Pair(None, DATA), constants=('"cases.json"',))
    base = Rerun(green, 2)
    settled = settle(
        found.findings,
        Rerun(True, 1),
        base,
        Rerun(True, 2),
        found.account,
        source_changed=False,
        goal_given=True,
    )
    assert any(finding.blocks for finding in settled) is blocks
