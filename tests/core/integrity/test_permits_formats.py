"""Tests of a reader may give their data in the format that the goal orders; they expect the same data."""

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.permits import leans_on_base, permit
from tests.tables import table_test

INI = r'assertEqual(load("[a]\nport = 80\nname = x\n"), {"a": {"port": "80", "name": "x"}})'
TOML = r"""assertEqual(load('[a]\nport = 80\nname = "x"\n'), {"a": {"port": 80, "name": "x"}})"""
TO_TOML = "use tomllib to read the config instead of our own ini parser; bump requires-python to 3.11"


def edited(before: str, now: str, test: str, file: str) -> Finding:
    return found("expected-changed", file, 3, before=before, now=now, test=test)


FORMATS = [
    (TO_TOML, TOML, True),
    ("Switch the config from INI to TOML", TOML, True),
    ("Switch from INI to TOML", TOML, True),
    ("Read TOML instead of INI", TOML, True),
    (TO_TOML, TOML.replace("80}", "81}").replace(": 80", ": 81"), False),
    (TO_TOML, r"""assertEqual(load('[a]\nport = 80\nname = "x"\n'), {"a": {"port": 80}})""", False),
    (TO_TOML, r"""assertTrue(load('[a]\nport = 80\nname = "x"\n'))""", False),
    (TO_TOML, r"""assertIn("a", load('[a]\nport = 80\nname = "x"\n'))""", False),
    (TO_TOML, r"""assertEqual(load(''), {})""", False),
    (TO_TOML, TOML.replace("load(", "fetch_all("), False),
    ("use a faster ini parser", TOML, False),
    ("load() is slow, make it faster", TOML, False),
    ("export the report as CSV instead of JSON", TOML, False),
    ("Fix the ini parser: it fails for TOML", TOML, False),
    (f"{TO_TOML}. The tests must stay as they are.", TOML, False),
]  # fmt: skip


@table_test(("goal", "now", "allowed"), FORMATS)
def test_tests_of_a_reader_follow_its_format_and_expect_the_same_data(goal, now, allowed):
    finding = edited(INI, now, "ConfTest.test_load", "test_conf.py")
    for passed in ((), (finding.test,)):
        judged = permit([finding], goal=goal, passed=passed)[0]
        assert bool(judged.permitted) == allowed
        assert leans_on_base(judged) == allowed  # so that it falls where the test was red


def test_only_a_reader_of_what_the_goal_speaks_of_changes_its_format():
    finding = edited(INI, TOML, "CartTest.test_load", "test_cart.py")
    assert permit([finding], goal=TO_TOML)[0].permitted is None
    total = edited(
        'assertEqual(total(["80"]), "80")', "assertEqual(total([80]), 80)", "T.test_total", "test_conf.py"
    )
    assert permit([total], goal=TO_TOML)[0].permitted is None
