"""Tests that a goal orders: which words order any, and what may pass for them."""

from donewhen.core.integrity.ordered import unfulfilled
from donewhen.core.integrity.ordered_words import orders_a_fix, orders_tests
from donewhen.verify.integrity.inspecting import pairs_of
from tests.tables import table_test

ORDERS = [
    "chunk() has no tests. Add tests/test_chunk.py that covers an even split, a rest and the empty list.",
    "Fix the rounding and add tests",
    "Please write unit tests for slug()",
    "add a regression test for this",
    '修复 parse_price：带千位分隔符（例如 "1,234.50"）时解析错误，请补充测试',
    "实现 merge 函数，并添加单元测试",
    "为 parse 编写测试用例",
    "cover parse() with unit tests",
    "Implement a queue with push and pop, with tests.",
    "The parser needs tests",
    "parse() should accept hex numbers; add a test case for that too",
    "Add a test that shows the bug and fix it.",
    "write the tests for chunk()",
    "Add `tests/cart.test.js` for the cart",
    "add a few tests for the edge cases of wrap()",
    "Write low, high and mean in stats.py, each with a doctest.",
    "Implement push and pop, both with their own tests",
    "Add doctests for slug()",
]
OTHERS = [
    "",
    'add a lint script (node --check on all files) and a "check" script that runs lint and test',
    "add a GitHub Actions workflow that runs the tests on 3.10 and 3.12, and a lint job",
    "add `make test` and `make clean`",
    "Remove the deprecated `formatOld` export together with its tests",
    "don't add tests",
    "No need to add tests, just fix it",
    "add a test script to package.json",
    "time should be injectable for tests",
    "make the tests pass",
    "The tests are there, implement the state machine",
    "删除已废弃的 to_xml 以及相关测试",
    "默认语言改成 zh，测试跟着改",
    "rename foo to bar, with tests",
    "include the tests in the sdist",
    "add tests to the CI workflow",
    "Adapt callers and tests.",
    "add a test mode flag",
    "change it, incl. tests",
    "新增测试环境配置",
    "添加测试命令",
]
HEAD = "import unittest\nfrom unittest import mock\n\nimport bag\nfrom bag import chunk\n\n\nclass T(unittest.TestCase):\n"
SOUND = "    def test_a(self):\n        self.assertEqual(chunk([1, 2], 1), [[1], [2]])\n"
SKIPPED = '    @unittest.skip("later")\n' + SOUND.replace("test_a", "test_s")
CALLABLE = "    def test_c(self):\n        self.assertTrue(callable(chunk))\n"
CALLS = "    def test_d(self):\n        chunk([1, 2], 1)\n"
EMPTY = "    def test_e(self):\n        pass\n"
MOCKED = (
    '    @mock.patch("bag.chunk", return_value=[[1]])\n    def test_m(self, chunk):\n'
    "        self.assertEqual(bag.chunk([1], 1), [[1]])\n"
)
CLOCK = (
    '    @mock.patch("bag.time.time", return_value=5)\n    def test_t(self, time):\n'
    "        self.assertEqual(bag.stamp(), 5)\n"
)
TRUE = "    def test_p(self):\n        self.assertTrue(bag.check_size(3))\n"
RAISES = "    def test_r(self):\n        with self.assertRaises(ValueError):\n            chunk([1], 0)\n"
PATH = "tests/test_chunk.py"
JS = "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { slug } from '../slug.js';\n"
OWN_COPY = "import unittest\n\n\ndef chunk(a, n):\n    return [a]\n\n\nclass T(unittest.TestCase):\n"
MIRROR = "    def test_q(self):\n        self.assertEqual(chunk([1], 1), chunk([1], 2))\n"
TYPE = "    def test_y(self):\n        self.assertIsInstance(chunk([1], 1), list)\n"
TWICE = "    def test_w(self):\n        self.assertEqual(chunk(chunk([1], 1), 1), chunk([1], 1))\n"
JS_COPY = (
    "const test = require('node:test');\nconst assert = require('node:assert');\nconst slug = (x) => x;\n"
)
GOAL = "Add tests for chunk()"


@table_test("goal", ORDERS)
def test_an_order_for_tests_is_heard(goal):
    assert orders_tests(goal)


@table_test("goal", OTHERS)
def test_speaking_of_tests_is_no_order(goal):
    assert orders_tests(goal) == ""


def wanting(files: dict[str, str], base: dict[str, str] | None = None, goal: str = GOAL) -> list[str]:
    before = {path: text.encode() for path, text in (base or {}).items()}
    after = {path: text.encode() for path, text in files.items()}
    changed = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    found = unfulfilled(goal, changed, tuple(pairs_of(changed, before, after)), files)
    return [each.message.key.partition(".")[2] for each in found]


@table_test(
    "files",
    [
        {PATH: HEAD + CALLS + EMPTY},
        {PATH: HEAD + MOCKED},
        {PATH: HEAD + CALLABLE + SKIPPED},
        {PATH: HEAD + SKIPPED},
        {PATH: HEAD + EMPTY, "tests/__init__.py": ""},
        {"test/slug.test.js": JS + "test('a', () => { slug('x'); });\n"},
        {"test/slug.test.js": JS + "test.skip('a', () => { assert.equal(slug('x'), 'x'); });\n"},
        {"test/slug.test.js": JS + "test('a', () => { assert.equal(typeof slug, 'function'); });\n"},
        {PATH: OWN_COPY + SOUND},
        {PATH: HEAD + MIRROR},
        {PATH: HEAD + MIRROR + TYPE},
        {"test/slug.test.js": JS_COPY + "test('a', () => { assert.equal(slug('x'), 'x'); });\n"},
        {"test/slug.test.js": JS + "test('a', () => { assert.equal(slug('x'), slug('X')); });\n"},
    ],
)
def test_tests_that_can_not_fail_do_not_fulfil_it(files):
    assert wanting(files) == ["unsound_tests"]


@table_test(
    "files",
    [
        {PATH: HEAD + SOUND},
        {PATH: HEAD + SOUND + SKIPPED + CALLS},
        {PATH: HEAD + RAISES},
        {PATH: HEAD + MIRROR + SOUND},
        {PATH: HEAD + TYPE},
        {PATH: HEAD + TWICE},
        {PATH: OWN_COPY + SOUND, "tests/test_more.py": HEAD + SOUND},
        {PATH: "import subprocess\n" + OWN_COPY + SOUND},
        {PATH: "from . import bag\n" + OWN_COPY + SOUND},
        {PATH: "def test_a(chunk):\n    assert chunk([1], 1) == [[1]]\n"},
        {PATH: OWN_COPY.replace("return [a]", "return eval(open('bag.py').read())") + SOUND},
        {PATH: HEAD + CLOCK},
        {PATH: HEAD + TRUE},
        {PATH: HEAD + CALLS.replace("chunk(", "check_chunk(")},
        {PATH: HEAD.replace("import bag\n", "from tests.support import splits\n") + CALLS},
        {PATH: HEAD + CALLS, "tests/data/cases.json": "[1]"},
        {"bag.py": 'def chunk(a):\n    """\n    >>> chunk([])\n    []\n    """\n'},
        {"checks/run.lua": "assert(true)"},
        {"test/slug.test.js": JS + "test('a', () => { assert.equal(slug('x'), 'x'); });\n"},
    ],
)
def test_one_sound_test_or_what_nobody_can_read_fulfils_it(files):
    assert wanting(files) == []


def test_a_change_without_any_test_does_not_fulfil_it():
    assert wanting({"bag.py": "def chunk(a):\n    return a\n"}, {"bag.py": ""}) == ["no_tests"]
    assert wanting({"bag.py": "def chunk(a):\n    return a\n"}, {"bag.py": ""}, "Fix chunk()") == []


def test_an_assertion_more_in_a_test_that_there_was_fulfils_it():
    more = SOUND + "        self.assertEqual(chunk([], 1), [])\n"
    assert wanting({PATH: HEAD + more}, {PATH: HEAD + SOUND}) == []


def test_a_module_of_the_project_may_have_the_name_of_a_library():
    files = {
        PATH: "from statistics import chunk\n"
        + HEAD.split("import bag")[0]
        + HEAD[HEAD.index("class") :]
        + SOUND
    }
    data = {path: text.encode() for path, text in files.items()}
    pairs = tuple(pairs_of(list(files), {}, data))
    assert list(unfulfilled(GOAL, files, pairs, files))
    assert not list(unfulfilled(GOAL, files, pairs, files, {"statistics"}))


@table_test(
    ("goal", "fix"),
    [
        ("week() is off by one. Fix it and add unit tests in tests/ for it.", True),
        ("slug() should replace blanks by dashes. Please write tests in tests/test_slug.py.", True),
        ("修复 parse_price 的解析错误，请补充测试", True),
        ("chunk() has no tests. Add tests/test_chunk.py", False),
        ("Refactor the parser, it should stay as it is, and add tests", False),
        ("parse() must be faster; add tests", False),
        ("Fix the typo in the docstring and add tests for wrap()", False),
    ],
)
def test_a_fix_is_told_from_work_that_keeps_what_the_product_does(goal, fix):
    assert orders_a_fix(goal) is fix


EACH = "Write chunk and slug, each with a test."


@table_test(("goal", "found"), [(EACH, ["unsound_tests"]), (GOAL, [])])
def test_where_each_thing_needs_a_test_one_that_is_switched_off_is_one_too_few(goal, found):
    assert wanting({PATH: HEAD + SOUND + SKIPPED}, goal=goal) == found


def test_an_example_that_is_never_run_is_no_test_of_its_function():
    text = 'def low(v):\n    """\n    >>> low([1])\n    1\n    """\n    return min(v)\n\n\n'
    stub = 'def mean(v):\n    """\n    >>> mean([4])  # doctest: +SKIP\n    4\n    """\n    raise NotImplementedError\n'
    goal = "Write low and mean in stats.py, each with a doctest."
    assert wanting({"stats.py": text + stub}, goal=goal) == ["unsound_tests"]
    assert wanting({"stats.py": text + text.replace("low", "high")}, goal=goal) == []
