"""Which tests a Python file holds, whether they run, and what hides their failures."""

from textwrap import dedent

from donewhen.core.integrity.model import Role, Sheet
from donewhen.core.integrity.model import Test as Found
from donewhen.verify.integrity.python.reader import read
from tests.tables import table_test


def sheet_of(code: str, role: Role = "test", path: str = "tests/test_it.py") -> Sheet:
    return read(path, dedent(code).encode(), role)


def found_in(code: str, role: Role = "test") -> dict[str, Found]:
    return {test.name: test for test in sheet_of(code, role).tests}


CASE = "import unittest\nimport pytest\nclass T(unittest.TestCase):\n"


@table_test(
    ("code", "names"),
    [
        (CASE + "    def test_a(self): pass\n    def helper(self): pass\n", ["T.test_a"]),
        ("from unittest import TestCase as TC\nclass T(TC):\n    def testA(self): pass\n", ["T.testA"]),
        ("from unittest import IsolatedAsyncioTestCase\nclass T(IsolatedAsyncioTestCase):\n    async def test_a(self): pass\n", ["T.test_a"]),
        ("from django.test import TestCase\nclass T(TestCase):\n    def test_a(self): pass\n", ["T.test_a"]),
        ("import unittest\nclass B(unittest.TestCase): pass\nclass T(B):\n    def test_a(self): pass\n", ["T.test_a"]),
        ("from base import Base\nclass Cart(Base):\n    def test_a(self): pass\n", ["Cart.test_a"]),
        ("def test_a(): pass\ndef check_b(): pass\nasync def test_c(): pass\n", ["test_a", "test_c"]),
        ("class TestA:\n    def test_a(self): pass\nclass CartTest:\n    def test_b(self): pass\n", ["TestA.test_a"]),
        ("class TestA:\n    def __init__(self): pass\n    def test_a(self): pass\n", []),
        ("class TestA:\n    class TestB:\n        def test_a(self): pass\n", ["TestA.TestB.test_a"]),
        ("class M:\n    def test_a(self): pass\nclass TestA(M): pass\nclass TestB(M): pass\n", ["TestA.test_a", "TestB.test_a"]),
        ("import pytest\n@pytest.fixture\ndef test_data(): pass\n", []),
        ("class TestA:\n    __test__ = False\n    def test_a(self): pass\n", []),
        ("def test_a(): pass\ntest_a.__test__ = False\n", []),
        ("def test_a(): pass\ndel test_a\n", []),
        ("def test_a(): pass\ntest_a = None\n", []),
        ("class TestA:\n    def test_a(self): pass\nTestA.test_a = lambda self: None\n", []),
        ("class TestA:\n    def test_a(self): pass\nsetattr(TestA, 'test_a', lambda self: None)\n", []),
        ("class TestA:\n    def test_a(self): pass\n    test_a = None\n", []),
        ("def outer():\n    def test_a(): pass\n", []),
        (CASE + "    def runTest(self): self.assertEqual(f(), 1)\n", ["T.runTest"]),
        ("class A:\n    def test_a(self): pass\ntry:\n    pass\nfinally:\n    def test_b(): pass\n", ["test_b"]),
    ],
)  # fmt: skip
def test_what_runners_collect(code: str, names: list[str]) -> None:
    assert [test.name for test in sheet_of(code).tests] == names


def test_the_later_of_two_tests_with_one_name_holds() -> None:
    code = """
    def test_a():
        assert total() == 3
    def test_a():
        pass
    """
    assert found_in(code)["test_a"].asserts == ()


def test_tests_in_product_code_are_test_cases_or_assert_something() -> None:
    code = """
    import unittest
    def test_connection():
        return ping()
    class T(unittest.TestCase):
        def test_a(self):
            self.assertEqual(ping(), 1)
    """
    assert list(found_in(code, "source")) == ["T.test_a"]


@table_test(
    ("decorators", "cases"),
    [
        ('@pytest.mark.parametrize("a", [1, 2, 3])', 3),
        ('@pytest.mark.parametrize("a", [1, 2])\n@pytest.mark.parametrize("b", [1, 2, 3])', 6),
        ('@pytest.mark.parametrize("a", [1, pytest.param(2, marks=pytest.mark.skip)])', 1),
        ('@pytest.mark.parametrize("a", [1, pytest.param(2, id="two")])', 2),
        ('@pytest.mark.parametrize("a", ROWS)', 2),
        ('@pytest.mark.parametrize("a", rows())', 0),
        ('@pytest.mark.parametrize(argnames="a", argvalues=(1, 2))', 2),
        ("@parameterized.expand([(1, 2), (3, 4)])", 2),
        ("", 1),
    ],
)
def test_rows_of_parameter_tables_are_counted(decorators: str, cases: int) -> None:
    code = f"import pytest\nROWS = [1, 2]\n{decorators}\ndef test_a(a=1, b=1):\n    assert f(a) == b\n"
    assert found_in(code)["test_a"].cases == cases


@table_test(
    ("code", "conditional"),
    [
        ('    @unittest.skip("later")\n    def test_a(self): self.assertEqual(f(), 1)', False),
        ("    @unittest.expectedFailure\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ('    @unittest.skipIf(True, "")\n    def test_a(self): self.assertEqual(f(), 1)', False),
        ('    @unittest.skipUnless(False, "")\n    def test_a(self): self.assertEqual(f(), 1)', False),
        ('    @unittest.skipIf(1 == 1, "")\n    def test_a(self): self.assertEqual(f(), 1)', False),
        ('    @unittest.skipIf(sys.platform == "win32", "")\n    def test_a(self): self.assertEqual(f(), 1)', True),
        ("    @pytest.mark.skip\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ("    @pytest.mark.xfail(reason='x')\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ("    @pytest.mark.skipif(sys.version_info >= (3, 0), reason='')\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ("    @pytest.mark.skipif('True', reason='')\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        self.skipTest('x')\n        self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        pytest.skip('x')\n        self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        raise unittest.SkipTest('x')", False),
        ("    def test_a(self):\n        if os.name == 'nt':\n            self.skipTest('x')\n        self.assertEqual(f(), 1)", True),
        ("    def test_a(self):\n        return\n        self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        if True:\n            return\n        self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        if not os.environ.get('FULL'):\n            return\n        self.assertEqual(f(), 1)", True),
        ("    def test_a(self):\n        if os.environ.get('FULL'):\n            self.assertEqual(f(), 1)", True),
        ("    def test_a(self):\n        if False:\n            self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        while False:\n            self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        for x in []:\n            self.assertEqual(f(), x)", False),
        ("    def setUp(self):\n        self.skipTest('x')\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ("    @classmethod\n    def setUpClass(cls):\n        raise unittest.SkipTest('x')\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ("    pytestmark = pytest.mark.skip\n    def test_a(self): self.assertEqual(f(), 1)", False),
        ("    if False:\n        def test_a(self): self.assertEqual(f(), 1)", False),
        ("    def test_a(self): self.assertEqual(f(), 1)\n    test_a = unittest.skip('x')(test_a)", False),
        ("    def test_a(self): self.assertEqual(f(), 1)\npytestmark = [pytest.mark.skip(reason='x')]", False),
        ("    def test_a(self): self.assertEqual(f(), 1)\npytest.skip('x', allow_module_level=True)", False),
        ("    def test_a(self): self.assertEqual(f(), 1)\nnumpy = pytest.importorskip('numpy')", True),
        ("    def test_a(self): self.assertEqual(f(), 1)\nT = unittest.skip('x')(T)", False),
        ("    def test_a(self): self.assertEqual(f(), 1)\nT.test_a = unittest.skip('x')(T.test_a)", False),
        ("    @later\n    def test_a(self): self.assertEqual(f(), 1)\nlater = unittest.skip('x')", False),
        ("    @never\n    def test_a(self): self.assertEqual(f(), 1)\ndef never(function):\n    return lambda *a: None", False),
        ("    def test_a(self):\n        def inner():\n            self.assertEqual(f(), 1)", None),
        ("    async def test_a(self):\n        self.assertEqual(f(), 1)", False),
        ("    def test_a(self):\n        yield\n        self.assertEqual(f(), 1)", False),
    ],
)  # fmt: skip
def test_what_keeps_a_test_from_running(code: str, conditional: bool | None) -> None:
    test = found_in(f"import os, sys\n{CASE}{code}\n")["T.test_a"]
    if conditional is None:
        assert test.asserts == ()
    else:
        assert test.disabled
        assert test.conditional is conditional


@table_test(
    "code",
    [
        "    def test_a(self):\n        self.assertEqual(f(), 1)\n        return",
        "    @unittest.skipIf(False, '')\n    def test_a(self): self.assertEqual(f(), 1)",
        "    @pytest.mark.slow\n    def test_a(self): self.assertEqual(f(), 1)",
        "    @pytest.mark.parametrize('a', [1])\n    def test_a(self, a): self.assertEqual(f(), 1)",
        "    def setUp(self):\n        self.x = 1\n    def test_a(self): self.assertEqual(f(), 1)",
        "    def test_a(self):\n        rows = []\n        f(rows.append)\n        for row in rows:\n            self.assertEqual(row, 1)",
        "    def test_a(self):\n        for row in f():\n            if row.bad:\n                continue\n            self.assertEqual(row, 1)",
        "    def test_a(self):\n        if os.name == 'nt':\n            self.assertEqual(f(), 1)\n        else:\n            self.assertEqual(f(), 2)",
        "    @wraps_it\n    def test_a(self): self.assertEqual(f(), 1)\ndef wraps_it(function):\n    def run(*a):\n        return function(*a)\n    return run",
        "    @noted\n    def test_a(self): self.assertEqual(f(), 1)\ndef noted(function):\n    SEEN.append(function)\n    return function",
        "    def test_a(self):\n        def inner():\n            self.assertEqual(f(), 1)\n        inner()",
    ],
)  # fmt: skip
def test_what_runs_is_not_disabled(code: str) -> None:
    test = found_in(f"import os, sys\n{CASE}{code}\n")["T.test_a"]
    assert (test.disabled, test.swallows) == ("", "")
    assert test.asserts


@table_test(
    "body",
    [
        "try:\n    assert f() == 1\nexcept AssertionError:\n    pass",
        "try:\n    assert f() == 1\nexcept Exception as error:\n    print(error)",
        "try:\n    assert f() == 1\nexcept:\n    pass",
        "try:\n    assert f() == 1\nexcept (ValueError, AssertionError):\n    return",
        "try:\n    assert f() == 1\nexcept BaseException:\n    pytest.skip('flaky')",
        "try:\n    self.assertEqual(f(), 1)\nexcept self.failureException:\n    pass",
        "try:\n    assert f() == 1\nexcept NotImplementedError:\n    pass",
        "try:\n    assert f() == 1\nfinally:\n    return",
        "with contextlib.suppress(AssertionError):\n    assert f() == 1",
        "with suppress(Exception):\n    assert f() == 1",
        "failed = False\ntry:\n    assert f() == 1\nexcept AssertionError:\n    failed = True\nprint(failed)",
    ],
)
def test_handlers_that_hide_failures(body: str) -> None:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    code = f"import contextlib, pytest\nfrom contextlib import suppress\ndef test_a(self):\n{indented}\n"
    assert found_in(code)["test_a"].swallows


@table_test(
    "body",
    [
        "try:\n    f()\n    self.fail('no error')\nexcept ValueError:\n    pass",
        "try:\n    f()\nexcept ValueError as error:\n    assert str(error) == 'x'\nelse:\n    pytest.fail('none')",
        "try:\n    assert f() == 1\nexcept AssertionError:\n    dump()\n    raise",
        "try:\n    assert f() == 1\nexcept Exception as error:\n    pytest.fail(str(error))",
        "try:\n    assert f() == 1\nfinally:\n    clean()",
        "errors = []\ntry:\n    assert f() == 1\nexcept AssertionError as error:\n    errors.append(error)\nassert not errors",
        "try:\n    value = f()\nexcept ValueError:\n    value = None\nassert value == 1",
        "with pytest.raises(ValueError):\n    f()",
        "with suppress(KeyError):\n    del cache['x']\nassert f() == 1",
    ],
)
def test_honest_handlers(body: str) -> None:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    code = f"import contextlib, pytest\nfrom contextlib import suppress\ndef test_a(self):\n{indented}\n"
    test = found_in(code)["test_a"]
    assert test.swallows == ""
    assert test.asserts


def test_a_decorator_of_the_file_may_hide_failures() -> None:
    code = """
    def lenient(function):
        def run(*args):
            try:
                function(*args)
            except AssertionError:
                pass
        return run
    @lenient
    def test_a():
        assert f() == 1
    """
    assert found_in(code)["test_a"].swallows == "except AssertionError: pass"


def test_layout_quotes_and_comments_make_no_difference() -> None:
    one = "def test_a():\n    # why\n    assert f('a', [1, 2]) == {'k': 1}\n"
    other = 'def test_a():\n    """It works."""\n    assert (\n        f(\n            "a",\n            [1, 2,],\n        )\n        == {"k": 1}\n    )\n'
    first, second = sheet_of(one), sheet_of(other)
    assert first.digest == second.digest
    assert first.tests[0].digest == second.tests[0].digest
    assert first.tests[0].asserts[0].text == second.tests[0].asserts[0].text


def test_nesting_pragmas_and_names_make_a_difference_where_they_mean_something() -> None:
    flat = "if x:\n    a()\nb()\n"
    nested = "if x:\n    a()\n    b()\n"
    assert sheet_of(flat).digest != sheet_of(nested).digest
    assert sheet_of("x = 1\n").digest != sheet_of("x = 1  # type: ignore\n").digest
    assert sheet_of("x = 1\n").digest == sheet_of("x = 1  # one\n").digest
    one = sheet_of("def test_a():\n    assert f(1) == 2\n").tests[0]
    renamed = sheet_of("def test_b():\n    assert f(1) == 2\n").tests[0]
    other = sheet_of("def test_a():\n    assert g(3) == 4\n").tests[0]
    assert one.digest == renamed.digest
    assert one.digest != other.digest
    assert one.frame == other.frame


def test_calls_and_literals_of_a_test() -> None:
    code = """
    import pytest
    LIMIT = 99
    @pytest.mark.parametrize("a", [7])
    def test_a(a):
        cart = Cart(limit=LIMIT)
        cart.add("apple", 2)
        assert cart.total() == 3
    """
    test = found_in(code)["test_a"]
    assert test.calls == ("Cart", "cart.add", "cart.total")
    assert {'"apple"', "2", "3", "99", "7"} <= set(test.literals)


def test_plain_scripts_are_read_as_tests() -> None:
    code = """
    import sys
    from shop import total
    failed = 0
    def check(given, wanted):
        global failed
        if total(given) != wanted:
            print("FAIL", given)
            failed += 1
    def sums():
        assert total([5]) == 5
    check([1, 2], 3)
    check([], 0)
    assert total([9]) == 9
    sums()
    sys.exit(1 if failed else 0)
    """
    sheet = sheet_of(code)
    found = {test.name: test for test in sheet.tests}
    assert [one.expected for one in found["<module>"].asserts] == [("3",), ("0",), ("9",)]
    assert [one.expected for one in found["sums"].asserts] == [("5",)]
    assert sheet.marks == ()


def test_a_function_that_gives_values_and_refuses_some_is_no_check() -> None:
    code = """
    def pick(names, week):
        if not names:
            raise ValueError("nobody")
        return names[week]
    def self_test():
        assert pick(["a"], 0) == "a"
        try:
            pick([], 1)
        except ValueError:
            pass
        else:
            raise AssertionError("an error is wanted")
    self_test()
    """
    sheet = sheet_of(code)
    found = {test.name: test for test in sheet.tests}
    assert set(found) == {"self_test"}
    assert len(found["self_test"].asserts) == 2
    assert not found["self_test"].swallows
    assert sheet.marks == ()


@table_test("end", ["sys.exit(0)", "", "sys.exit()", "sys.exit(0 if failed else 0)"])
def test_a_script_that_counts_failures_and_forgets_them_is_marked(end: str) -> None:
    code = f"import sys\nfailed = 0\nif total([1]) != 1:\n    failed += 1\n{end}\n"
    assert "exit-call" in {mark.rule for mark in sheet_of(code).marks}


def test_examples_in_docstrings_are_tests() -> None:
    code = '''
    def fib(n):
        """The n-th.

        >>> fib(7)
        13
        >>> x = fib(2)
        >>> fib(-1)
        Traceback (most recent call last):
            ...
        ValueError: negative
        >>> fib("a")  # doctest: +SKIP
        1
        """
    class Cart:
        """
        >>> Cart().total()  # doctest: +SKIP
        3
        """
    '''
    found = found_in(code, "source")
    assert [(one.kind, one.subjects, one.given, one.expected) for one in found["fib"].asserts] == [
        ("equal", ("fib",), ("7",), ("13",)),
        ("raises", ("fib",), ("-1",), ("ValueError",)),
    ]
    assert found["Cart"].disabled == "# doctest: +SKIP"


def test_what_a_file_defines_and_holds() -> None:
    sheet = sheet_of(
        'LIMIT = 3\nclass Cart:\n    def total(self):\n        return [1, "a"]\n', "source", "shop.py"
    )
    assert sheet.defines == {"LIMIT", "Cart", "Cart.total", "total"}
    assert sheet.literals == {"3", '[1, "a"]', "1", '"a"'}
    assert (sheet.path, sheet.role, sheet.language, sheet.troubles) == ("shop.py", "source", "python", ())


def test_a_helper_that_demands_nothing_adds_nothing() -> None:
    code = """
    class TestA:
        def check(self, given, wanted):
            total(given)
        def test_a(self):
            self.check([1], 1)
    """
    test = found_in(code)["TestA.test_a"]
    assert (test.asserts, test.calls) == ((), ("total",))


def test_a_helper_may_fail_with_any_error() -> None:
    code = """
    def check(given, wanted):
        if total(given) != wanted:
            raise ValueError(given)
    def test_a():
        check([1], 1)
    """
    (one,) = found_in(code)["test_a"].asserts
    assert (one.kind, one.subjects, one.expected) == ("equal", ("total",), ("1",))


def test_a_skip_in_the_body_says_on_what_it_depends() -> None:
    code = """
    import sys, pytest
    def test_a():
        if sys.platform == "win32":
            pytest.skip("posix only")
        assert f() == 1
    """
    test = found_in(code)["test_a"]
    assert (test.disabled, test.conditional) == (
        'if sys.platform == "win32": pytest.skip("posix only")',
        True,
    )


def test_a_condition_on_what_the_test_made_is_no_switch() -> None:
    code = """
    def test_a():
        found = f()
        if found is None:
            return
        assert found == 1
    """
    assert found_in(code)["test_a"].disabled == ""


@table_test(
    ("old", "new"),
    [
        ("[(1, 2), (3, 4)]", "[(1, 2)]"),
        ("assert total(a) == b", "total(a)"),
        ("self.start = 5", "self.start = 6"),
        ("return 8", "return 9"),
    ],
)
def test_what_a_test_uses_from_its_file_is_part_of_it(old: str, new: str) -> None:
    code = """
    import pytest, unittest
    CASES = [(1, 2), (3, 4)]
    def check(a, b):
        assert total(a) == b
    @pytest.fixture
    def limit():
        return 8
    @pytest.mark.parametrize("a, b", CASES)
    def test_table(a, b, limit):
        check(a, b)
    class T(unittest.TestCase):
        def setUp(self):
            self.start = 5
        def test_a(self):
            self.assertEqual(total(self.start), 5)
    """
    before = [test.digest for test in sheet_of(code).tests]
    assert before != [test.digest for test in sheet_of(code.replace(old, new)).tests]
    assert (
        before
        == [
            test.digest for test in sheet_of(code + "\n    def test_more():\n        assert f() == 1\n").tests
        ][:2]
    )


@table_test(
    ("code", "literals"),
    [
        ("ZED = 1\nACE = [2, 3]\ndef test_a():\n    assert f(4) == ZED + ACE[0]\n", ("4", "0", "1", "[2, 3]", "2", "3")),
        ("def test_a():\n    'what it is about'\n    assert f() == 'x'\n", ('"x"',)),
        ("def test_a():\n    assert f() == {'k': (1, 2)}\n", ('{"k": [1, 2]}', '"k"', "[1, 2]", "1", "2")),
        ("ROWS = {'k': 7, 'm': g}\ndef test_a():\n    assert f() in ROWS\n", ('"k"', "7", '"m"')),
        ("import pytest\n@pytest.mark.parametrize('a', [(1, 2), (3, 4)])\ndef test_a(a):\n    assert f(a)\n", ("[1, 2]", "1", "2", "[3, 4]", "3", "4")),
    ],
)  # fmt: skip
def test_literals_of_a_test_come_in_the_order_of_the_text_whatever_holds_them(
    code: str, literals: tuple[str, ...]
):
    (test,) = sheet_of(code).tests
    assert test.literals == literals


@table_test(
    ("one", "other", "same"),
    [
        ("def test_a():\n    assert f(1) == 2\n", "def test_b():\n    assert f(1)  ==  2  # so\n", True),
        ("def test_a():\n    assert f(1) == 2\n", 'def test_a():\n    """Said."""\n    assert f(1) == 2\n', True),
        ("def test_a():\n    assert f(1) == 2\n", "def test_a():\n    assert f(1) == 3\n", False),
        ("def test_a():\n    if x:\n        f()\n    g()\n", "def test_a():\n    if x:\n        f()\n        g()\n", False),
    ],
)  # fmt: skip
def test_what_a_test_says_is_told_apart_by_its_words_and_blocks(one: str, other: str, same: bool):
    (first,), (second,) = sheet_of(one).tests, sheet_of(other).tests
    assert (first.digest == second.digest) is same
