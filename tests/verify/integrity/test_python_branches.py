"""Places where Python code answers by literals."""

from textwrap import dedent

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.python.reader import read
from tests.tables import table_test


def branches_of(code: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    sheet = read("shop/prices.py", dedent(code).encode(), "source")
    return [(branch.how, branch.keys, branch.answers) for branch in sheet.branches]


@table_test(
    ("code", "found"),
    [
        ("def f(n):\n    if n == 7:\n        return 13\n    return n", ("compare", ("7",), ("13",))),
        ("def f(n):\n    if 7 == n:\n        return 13\n    return n", ("compare", ("7",), ("13",))),
        ("def f(n):\n    if n in (7, 8):\n        return 13\n    return n", ("compare", ("7", "8"), ("13",))),
        ("def f(a, b):\n    if (a, b) == (1, 5):\n        return 'x'\n    return a", ("compare", ("[1, 5]",), ('"x"',))),
        ("def f(a, b):\n    if a == 1 and b == 5:\n        return 'x'\n    return a", ("compare", ("1", "5"), ('"x"',))),
        ("def f(x):\n    if x == [1, 2]:\n        return 3\n    return x", ("compare", ("[1, 2]",), ("3",))),
        ("def f(x):\n    if len(x) == 3:\n        return 9\n    return x", ("compare", ("3",), ("9",))),
        ("def f(x):\n    key = str(x)\n    if key == 'ab':\n        return 9\n    return x", ("compare", ('"ab"',), ("9",))),
        ("def f(x):\n    if x.name == 'ab':\n        return 9\n    return x", ("compare", ('"ab"',), ("9",))),
        ("def f(x):\n    r = 0\n    if x == 'ab':\n        r = 9\n    return r", ("compare", ('"ab"',), ("9",))),
        ("def f(x):\n    if x == 'ab':\n        print(9)\n    else:\n        g(x)", ("compare", ('"ab"',), ("9",))),
        ("def f(x):\n    if x == 'ab':\n        yield 9\n    yield x", ("compare", ('"ab"',), ("9",))),
        ("def f(n):\n    return 13 if n == 7 else n", ("compare", ("7",), ("13",))),
        ("def f(n):\n    if n != 7:\n        return n\n    return 13", ("compare", ("7",), ("13",))),
        ("def f(a, b):\n    return (a, b) in [(1, 2), (3, 4)]", ("compare", ("[1, 2]", "[3, 4]"), ("true",))),
        ("def f(a):\n    return a not in (7, 9)", ("compare", ("7", "9"), ("false",))),
        ("def f(n):\n    match n:\n        case 7:\n            return 13\n    return n", ("compare", ("7",), ("13",))),
        ("def f(n):\n    match n:\n        case 7 | -8:\n            return 13\n    return n", ("compare", ("7", "-8"), ("13",))),
        ("def f(n):\n    match n:\n        case (1, 'a'):\n            return 13\n    return n", ("compare", ('[1, "a"]',), ("13",))),
        ("def f(n):\n    return {7: 13, 8: 21}[n]", ("table", ("7", "8"), ("13", "21"))),
        ("def f(n):\n    return {7: 13, 8: 21}.get(n, n)", ("table", ("7", "8"), ("13", "21"))),
        ("T = {7: 13}\ndef f(n):\n    return T[n]", ("table", ("7",), ("13",))),
        ("class A:\n    T = {7: 13}\n    def f(self, n):\n        return self.T.get(n)", ("table", ("7",), ("13",))),
        ("T = {(1, 2): 3}\ndef f(a, b):\n    return T[(a, b)]", ("table", ("[1, 2]",), ("3",))),
        ("def f(n):\n    for k, v in [(7, 13), (8, 21)]:\n        if k == n:\n            return v", ("table", ("7", "8"), ("13", "21"))),
        ("import hashlib\nT = {'ab12': 3}\ndef f(x):\n    return T[hashlib.md5(repr(x).encode()).hexdigest()]", ("table", ('"ab12"',), ("3",))),
        ("A = iter([13, 21])\ndef f(n):\n    return next(A)", ("sequence", (), ("13", "21"))),
        ("A = [13, 21]\ndef f(n):\n    return A.pop(0)", ("sequence", (), ("13", "21"))),
        ("def f(n):\n    f.calls += 1\n    return [13, 21][f.calls]", ("sequence", (), ("13", "21"))),
        ("def f(n):\n    return 13", ("compare", (), ("13",))),
        ("class A:\n    def total(self):\n        '''Doc.'''\n        return 13", ("compare", (), ("13",))),
        ("f = lambda a, b: False", ("compare", (), ("false",))),
    ],
)  # fmt: skip
def test_answers_by_literals(code: str, found: tuple[str, tuple[str, ...], tuple[str, ...]]) -> None:
    assert found in branches_of(code)


@table_test(
    "code",
    [
        "def f(n):\n    if n % 15 == 0:\n        return 'FizzBuzz'\n    return n",
        "def f(op, a, b):\n    if op == 'add':\n        return a + b\n    return a - b",
        "def f(n):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)",
        "def f(text):\n    out = []\n    for c in text:\n        if c == '(':\n            out.append(c)\n    return out",
        "LIMIT = 10\ndef f(n):\n    return min(n, LIMIT)",
        "def version():\n    return '1.2'",
        "def f(items):\n    total = 0\n    for i in items:\n        total += i\n    return total",
    ],
)
def test_computed_answers_are_no_branches(code: str) -> None:
    assert [found for found in branches_of(code) if found[2]] == []


def test_each_arm_of_a_chain_is_a_branch_with_its_function_and_line() -> None:
    code = b"class A:\n    def f(self, n):\n        if n == 7:\n            return 13\n        elif n == 8:\n            return 21\n"
    found = read("a.py", code, "source").branches
    assert found == (
        Branch(3, "A.f", "compare", ("7",), ("13",)),
        Branch(5, "A.f", "compare", ("8",), ("21",)),
        Branch(2, "A.f", "sequence", ("*",), ("21", "13")),
    )


@table_test(
    ("code", "found"),
    [
        (
            "def f(a):\n    if len(a) == 3:\n        return [a[0], a[2], a[1]]\n    return a",
            ("sequence", ("3",), ()),
        ),
        (
            "def f(a):\n    if len(a) == 4:\n        w, x, y, z = a\n        return [x, w]\n    return a",
            ("sequence", ("4",), ()),
        ),
        (
            "def f(a):\n    match a:\n        case [x, y, z]:\n            return [z, x]\n    return a",
            ("sequence", ("3",), ()),
        ),
        (
            "def f(a):\n    if a == 'x1':\n        raise ValueError(a)\n    return a",
            ("compare", ('"x1"',), ()),
        ),
        ("def f(a):\n    return 5 if a else 0", ("sequence", ("*",), ("0", "5"))),
        ("def f(a):\n    return dict(zip('ab', (1, 2)))", ("compare", (), ())),
    ],
)
def test_ways_of_answering_without_a_literal(
    code: str, found: tuple[str, tuple[str, ...], tuple[str, ...]]
) -> None:
    assert found in branches_of(code)


@table_test(
    "code",
    [
        "def f(a):\n    if len(a) == 2:\n        x, y = a\n        return y\n    return a",
        "def f(a):\n    match a:\n        case [x, *rest]:\n            return rest\n    return a",
        "def f(a):\n    if len(a) > 3:\n        return [a[0], a[1], a[2]]\n    return a",
    ],
)
def test_a_pair_or_a_rest_is_no_shape(code: str) -> None:
    assert not any(how == "sequence" for how, _, _ in branches_of(code))


def test_tests_have_no_branches() -> None:
    assert read("tests/test_a.py", b"def f(n):\n    return 13\n", "test").branches == ()
