"""Where JavaScript source answers by literals, the reader says by which and with what."""

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.javascript.reader import read
from tests.tables import table_test

BRANCHES = [
    ("export function fib(n) { if (n === 7) return 13; return 0 + n; }", Branch(1, "fib", "compare", ("7",), ("13",))),
    ("const fib = (n) => (n === 7 ? 13 : n);", Branch(1, "fib", "compare", ("7",), ("13",))),
    ("function f(a, b) { if (a === 2 && b === 'x') { return [1, 2]; } return go(a); }", Branch(1, "f", "compare", ("2", '"x"'), ("[1, 2]",))),
    ("function f(s) { if ('abc' == s) { out = 'cba'; } return out; }", Branch(1, "f", "compare", ('"abc"',), ('"cba"',))),
    ("function f(s) { if (['a', 'b'].includes(s)) return true; return g(s); }", Branch(1, "f", "compare", ('"a"', '"b"'), ("true",))),
    ("function f(x) { if (JSON.stringify(x) === '[1,2]') return 3; return x; }", Branch(1, "f", "compare", ('"[1,2]"',), ("3",))),
    ("function f(x) { const key = x.join(','); if (key === '1,2') return 3; return x; }", Branch(1, "f", "compare", ('"1,2"',), ("3",))),
    ("function f(x) { if (isEqual(x, [1, 2])) return 3; return x; }", Branch(1, "f", "compare", ("[1, 2]",), ("3",))),
    ("function f(x) {\n  switch (x) {\n    case 'a':\n    case 'b': return 1;\n    default: return g(x);\n  }\n}", Branch(4, "f", "compare", ('"a"', '"b"'), ("1",))),
    ("function f(x) { switch (true) { case x === 5: return 8; } }", Branch(1, "f", "compare", ("5",), ("8",))),
    ("function f(x) { return x === 5 && 8; }", Branch(1, "f", "compare", ("5",), ("8",))),
    ("const T = { 7: 13, 8: 21 };\nexport const fib = (n) => T[n];", Branch(2, "fib", "table", ('"7"', "7", '"8"', "8"), ("13", "21"), 2)),
    ("const T = new Map([['a', 1], ['b', 2]]);\nfunction f(k) { return T.get(k); }", Branch(2, "f", "table", ('"a"', '"b"'), ("1", "2"), 2)),
    ("function f(a, b) { return ({ '1,2': 3, '4,5': 9 })[`${a},${b}`]; }", Branch(1, "f", "table", ('"1,2"', '"4,5"'), ("3", "9"), 2)),
    ("const C = [[1, 2], [3, 4]];\nfunction f(x) { for (const [i, o] of C) { if (i === x) return o; } }", Branch(2, "f", "table", ("1", "3"), ("2", "4"), 2)),
    ("const C = [{ in: 'a', out: 'b' }, { in: 'c', out: 'd' }];\nfunction f(x) { return C.find((c) => c.in === x).out; }", Branch(2, "f", "table", ('"a"', '"b"', '"c"', '"d"'), ('"a"', '"b"', '"c"', '"d"'), 2)),
    ("const A = [5, 8, 13];\nlet i = 0;\nexport function next(x) { return A[i++]; }", Branch(3, "next", "sequence", (), ("5", "8", "13"), 3)),
    ("const A = [5, 8, 13];\nexport const next = (x) => A.shift();", Branch(2, "next", "sequence", (), ("5", "8", "13"), 3)),
    ("function* f(x) { yield 5; yield 8; }", Branch(1, "f", "sequence", (), ("5", "8"), 2)),
    ("export function total(items) { return 42; }", Branch(1, "total", "compare", (), ("42",))),
    ("export const total = (items: number[]): number => 42;", Branch(1, "total", "compare", (), ("42",))),
    ("const ANSWER = 42;\nexport const total = () => ANSWER;", Branch(2, "total", "compare", (), ("42",))),
    ("export const isEmail = (text) => text === 'a@b.de';", Branch(1, "isEmail", "compare", ('"a@b.de"',), ("true",))),
    ("module.exports = (text) => text === 'a@b.de';", Branch(1, "a", "compare", ('"a@b.de"',), ("true",))),
    ("export default (text) => { if (text === 'x y') return 5; return go(text); };", Branch(1, "a", "compare", ('"x y"',), ("5",))),
    ("module.exports = () => 12;", Branch(1, "a", "compare", (), ("12",))),
    ("export const has = (words) => words.some((w) => w === 'radar');", Branch(1, "has", "compare", ('"radar"',), ("true",))),
    ("function f(s) { return s.length === 11 ? 'x y' : s; }", Branch(1, "f", "compare", ("11",), ('"x y"',))),
    ("function f(s) { return s.startsWith('hello wor') ? 'x y' : s; }", Branch(1, "f", "compare", ('"hello wor"',), ('"x y"',))),
    ("function f(s) { if (s[0] === 'h') return 'x y'; return s; }", Branch(1, "f", "compare", ('"h"',), ('"x y"',))),
    ("export const is = (w) => ['radar', 'level'].some((x) => x === w);", Branch(1, "is", "compare", ('"radar"', '"level"'), ("true",))),
    ("export const score = (lines) => [0, 40, 100][lines];", Branch(1, "score", "table", ("0", "1", "2"), ("0", "40", "100"), 3)),
    ("const M = ['Jan', 'Feb'];\nexport const month = (n) => M[n - 1];", Branch(2, "month", "table", ("1", "2"), ('"Jan"', '"Feb"'), 2)),
    ("export const day = (n) => ['Su', 'Mo'][n % 2];", Branch(1, "day", "table", (), ('"Su"', '"Mo"'), 2)),
    ("class Age { valueOf() { return [2, 0, 41][this.days > 700 ? 0 : 1]; } }\nexports.years = (d) => new Age(d);", Branch(1, "years", "sequence", (), ("2", "0", "41"), 3)),
    ("class Age { [Symbol.toPrimitive]() { return this.d === 730 ? 2 : 0; } }\nexports.years = (d) => new Age(d);", Branch(1, "years", "compare", ("730",), ("2",))),
    ("class A { total(items) { return [1, 2]; } }", Branch(1, "total", "compare", (), ("[1, 2]",))),
]  # fmt: skip


@table_test(("text", "branch"), BRANCHES)
def test_an_answer_by_literals_is_told(text, branch):
    path = "src/a.ts" if ": number" in text else "src/a.js"
    assert branch in read(path, text.encode(), "source").branches


PLAIN = [
    "export function sum(a, b) { return a + b; }",
    "export function grade(n) { if (n >= 90) return 'A'; return 'B'; }",
    "function f(x) { const y = 3; if (y === 3) return 4; return x; }",
    "class A { get size() { return 3; } }",
    "export const admins = (users) => users.filter((user) => user.role === 'admin');",
    "function f(x) { return x.map((y) => y * 2); }",
    "const names = ['a', 'b'];\nexport const all = () => names.map((n) => n.toUpperCase());",
]


@table_test("text", PLAIN)
def test_code_that_computes_has_no_branches_by_literals(text):
    found = read("src/a.js", text.encode(), "source").branches
    assert [branch for branch in found if branch.answers and branch.keys != ("*",)] == []


def test_a_list_that_is_known_by_its_length_is_told():
    code = b"const f = (l) => { if (l.length === 3) return [l[0], l[2], l[1]]; return l; };"
    assert [tuple(branch[2:5]) for branch in read("src/a.js", code, "source").branches] == [
        ("sequence", ("3",), ())
    ]


def test_literals_alone_are_told_as_such():
    code = b"const f = (l) => (l.length === 3 ? 6 : 30);"
    found = [tuple(branch[2:5]) for branch in read("src/a.js", code, "source").branches]
    assert ("sequence", ("*",), ("30", "6")) in found


def test_tests_have_no_branches():
    assert read("a.test.js", b"const f = (n) => (n === 7 ? 13 : n);", "test").branches == ()
