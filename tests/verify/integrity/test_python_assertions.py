"""What Python assertions demand, and which of them can't fail."""

from textwrap import dedent, indent

from donewhen.core.integrity.model import Assertion
from donewhen.core.integrity.model import Test as Found
from donewhen.verify.integrity.python.reader import read
from tests.tables import table_test


def found_in(code: str) -> dict[str, Found]:
    sheet = read("tests/test_it.py", dedent(code).encode(), "test")
    return {test.name: test for test in sheet.tests}


def asserted(body: str, head: str = "") -> tuple[Assertion, ...]:
    """The assertions of one test with this body."""
    code = (
        f"import unittest, pytest\nfrom shop import total, cart\nfrom unittest import mock\n{dedent(head)}\n"
    )
    code += "class T(unittest.TestCase):\n    def test_it(self):\n" + indent(dedent(body), " " * 8)
    return found_in(code)["T.test_it"].asserts


@table_test(
    "body",
    [
        "self.assertEqual(total([1, 2]), 3)",
        "self.assertEqual(3, total([1, 2]))",
        "assert total([1,2]) == 3",
        "assert 3 == total( [1, 2] ), 'message'",
        "assert (total([1, 2]) == 3)",
        "self.assertIs(total([1, 2]), 3)",
        "self.assertTrue(total([1, 2]) == 3)",
        "self.assertFalse(total([1, 2]) != 3)",
        "assert not total([1, 2]) != 3",
        "result = total([1, 2])\nself.assertEqual(result, 3)",
        "values = [1, 2]\nassert total(values) == 3",
        "expected = 3\nassert total([1, 2]) == expected",
        "if total([1, 2]) != 3:\n    raise AssertionError('no')",
        "if total([1, 2]) != 3:\n    self.fail('no')",
        "assert_that(total([1, 2])).is_equal_to(3)",
        "assert_that(total([1, 2]), equal_to(3))",
        "self.assertEqual(total((1, 2)), 3.0)",
        "import shop\nassert shop.total([1, 2]) == 3",
    ],
)
def test_ways_to_say_the_same_demand_the_same(body: str) -> None:
    (one,) = asserted(body)
    assert (one.kind, one.subjects, one.given, one.expected, one.hollow) == (
        "equal",
        ("total",),
        ("[1, 2]", "1", "2"),
        ("3",),
        False,
    )


@table_test(
    ("body", "kind", "expected"),
    [
        ("assert total(1) != 3", "unequal", ("3",)),
        ("self.assertNotEqual(total(1), 3)", "unequal", ("3",)),
        ("assert total(1)", "true", ("true",)),
        ("self.assertTrue(total(1))", "true", ("true",)),
        ("assert not total(1)", "false", ("false",)),
        ("self.assertFalse(total(1))", "false", ("false",)),
        ("assert total(1) is True", "equal", ("true",)),
        ("assert total(1) is None", "null", ("null",)),
        ("self.assertIsNone(total(1))", "null", ("null",)),
        ("assert total(1) is not None", "not_null", ()),
        ("self.assertIsNotNone(total(1))", "not_null", ()),
        ("with self.assertRaises(ValueError):\n    total(1)", "raises", ("ValueError",)),
        ("self.assertRaises(ValueError, total, 1)", "raises", ("ValueError",)),
        ("with pytest.raises(ValueError, match='no'):\n    total(1)", "raises", ("ValueError", '"no"')),
        ("with self.assertRaisesRegex(ValueError, 'no'):\n    total(1)", "raises", ("ValueError", '"no"')),
        ("assert 'x' in total(1)", "contains", ('"x"',)),
        ("self.assertIn('x', total(1))", "contains", ('"x"',)),
        ("assert total(1) in (3, 4)", "contains", ("[3, 4]",)),
        ("self.assertAlmostEqual(total(1), 2.5, places=1)", "close", ("2.5", "1")),
        ("assert total(1) == pytest.approx(2.5, abs=0.1)", "close", ("2.5", "0.1")),
        ("assert total(1) < 3", "order", ("3",)),
        ("self.assertGreater(total(1), 3)", "order", ("3",)),
        ("assert isinstance(total(1), int)", "type", ("int",)),
        ("self.assertIsInstance(total(1), int)", "type", ("int",)),
        ("self.assertRegex(total(1), 'a+')", "matches", ('"a+"',)),
        ("assert total(1) == snapshot", "snapshot", ()),
        (
            "self.assertEqual(total(1), {'a': [1, None], 'b': True})",
            "equal",
            ('{"a": [1, null], "b": true}',),
        ),
        ("self.assertEqual(total(1), list('ab'))", "equal", ('["a", "b"]',)),
        ("self.assertEqual(total(1), -1_000)", "equal", ("-1000",)),
        ("self.assertEqual(total(1), 'a' 'b')", "equal", ('"ab"',)),
        ("self.assertEqual(total(1), '\\u00e9\\n')", "equal", ('"é\\n"',)),
        ("self.assertEqual(total(1), 60 * 60)", "equal", ("3600",)),
    ],
)
def test_kinds(body: str, kind: str, expected: tuple[str, ...]) -> None:
    (one,) = asserted(body)
    assert (one.kind, one.expected, one.hollow) == (kind, expected, False)
    assert "total" in one.subjects
    assert "1" in one.given


def test_a_mock_is_asked_whether_it_was_called() -> None:
    (one,) = asserted("send = mock.Mock()\ncart.order(send)\nsend.assert_called_once_with('a', 2)")
    assert (one.kind, one.expected) == ("called", ('"a"', "2"))


def test_a_conjunction_is_several_demands() -> None:
    first, second = asserted("assert total(1) == 2 and total(3) == 4")
    assert (first.given, first.expected, second.given, second.expected) == (("1",), ("2",), ("3",), ("4",))


def test_helpers_of_the_file_are_followed_with_their_arguments() -> None:
    code = """
    import unittest
    from shop import total

    def check(given, wanted):
        assert total(given) == wanted

    class T(unittest.TestCase):
        def same(self, given, wanted):
            self.assertEqual(total(given), wanted)

        def test_it(self):
            self.same([1], 1)
            self.same([2], 2)
            check([3], 3)
    """
    found = found_in(code)["T.test_it"].asserts
    assert [(one.given[0], one.expected) for one in found] == [
        ("[1]", ("1",)),
        ("[2]", ("2",)),
        ("[3]", ("3",)),
    ]
    assert {one.subjects for one in found} == {("total",)}


def test_helpers_that_call_each_other_come_to_an_end() -> None:
    code = """
    def one(x):
        assert x == 1
        two(x)
    def two(x):
        assert x == 2
        one(x)
    def test_it():
        one(shop())
    """
    assert len(found_in(code)["test_it"].asserts) == 2


def test_parameters_and_loops_give_all_their_values() -> None:
    code = """
    import pytest
    CASES = [("a", 1), ("b", 2)]

    @pytest.mark.parametrize("text, length", CASES)
    def test_table(text, length):
        assert size(text) == length

    def test_loop(self):
        for text, length in CASES:
            assert size(text) == length

    def test_pairs():
        for text, length in {"a": 1, "b": 2}.items():
            assert size(text) == length
    """
    found = found_in(code)
    for name in ("test_table", "test_loop", "test_pairs"):
        (one,) = found[name].asserts
        assert (one.given, one.expected, found[name].cases) == (('"a"', '"b"'), ("1", "2"), 2), name


@table_test(
    "body",
    [
        "assert True",
        "assert 1",
        "assert 'text'",
        "assert (total(1) == 2, 'message')",
        "assert total(1) == 2 or True",
        "assert True or total(1)",
        "assert 1 == 1",
        "x = 3\nassert x == 3",
        "x = total(1)\nassert x == x",
        "x = total(1)\nself.assertEqual(x, x)",
        "x = total(1)\nself.assertIs(x, x)",
        "self.assertTrue(True)",
        "self.assertTrue('text')",
        "self.assertFalse(False)",
        "self.assertFalse(None)",
        "self.assertEqual(1, 1)",
        "self.assertEqual([1], [1])",
        "x = total(1)\nself.assertTrue(x == x)",
        "assert len(total(1)) >= 0",
        "assert 0 <= len(total(1))",
        "self.assertGreaterEqual(len(total(1)), 0)",
        "assert abs(total(1)) > -1",
        "assert isinstance(total(1), object)",
        "self.assertIsInstance(total(1), object)",
        "self.assertIn(total(1), (True, False))",
        "assert [total(1)]",
        "assert not None",
        "assert not []",
        "x = total(1)\nassert x is None or x is not None",
        "x = total(1)\nassert x or not x",
        "assert '' in total(1)",
        "self.assertEqual(total(1), mock.ANY)",
        "self.assertIsNotNone('text')",
        "with self.assertRaises(ValueError):\n    raise ValueError",
        "with pytest.raises(AssertionError):\n    assert False",
        "assert all([])",
        "assert lambda: total(1)",
        "assert f'{total(1)} is it'",
        "x = total(1)\nassert x in [x, 2]",
        "assert bool(1)",
    ],
)
def test_what_can_not_fail_is_hollow(body: str) -> None:
    found = asserted(body)
    assert [one.hollow for one in found] == [True], found


@table_test(
    "body",
    [
        "values = [3, 1]\ntotal(values)\nself.assertEqual(values, [3, 1])",
        "self.assertEqual(total(1), total(1))",
        "assert total(1) is total(1)",
        "assert total(1) == total(2)",
        "assert len(total(1)) > 0",
        "assert total(1) == 2 or total(1) == 3",
        "assert total(1) is not None",
        "assert isinstance(total(1), int)",
        "calls = 0\ndef count():\n    nonlocal calls\n    calls += 1\ntotal(count)\nassert calls == 1",
        "with self.assertRaises(ValueError):\n    total(1)",
        "with self.assertRaises(ValueError), cart():\n    raise ValueError",
        "x = 1\nx = total(x)\nassert x == 1",
        "for x in total(1):\n    assert x == 1",
        "seen = []\ntotal(seen.append)\nassert seen == [1]",
        "assert not total(1)",
        "self.assertEqual(cart.ids, [mock.ANY, 2])",
    ],
)
def test_what_can_fail_is_not_hollow(body: str) -> None:
    found = asserted(body)
    assert found
    assert not any(one.hollow for one in found), found


def test_a_name_that_may_be_missing_settles_nothing() -> None:
    code = """
    import unittest
    try:
        import lzma
    except ImportError:
        lzma = None

    @unittest.skipUnless(lzma, "needs lzma")
    class T(unittest.TestCase):
        def test_it(self):
            self.assertTrue(lzma.open())
    """
    test = found_in(code)["T.test_it"]
    assert test.conditional
    assert test.disabled.startswith("@unittest.skipUnless")
