"""JavaScript and TypeScript files as a whole: grammars, troubles, literals, names, digests, hostile input."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.texts import Phrase
from donewhen.verify.integrity.javascript.reader import read
from tests.examples import many
from tests.tables import table_test


@table_test(
    ("path", "language"),
    [("a.js", "javascript"), ("a.mjs", "javascript"), ("a.cjs", "javascript"), ("a.jsx", "javascript"),
     ("a.ts", "typescript"), ("a.mts", "typescript"), ("a.cts", "typescript"), ("a.TSX", "typescript")],
)  # fmt: skip
def test_the_suffix_says_the_language(path, language):
    assert read(path, b"", "source").language == language


READABLE = [
    ("a.js", "#!/usr/bin/env node\nimport x from './x.json' with { type: 'json' };\nawait x?.y ?? z;\n"),
    ("a.js", "class A { #p = 1; static { init(); } get v() { return this.#p; } async *gen() { yield* x; } }"),
    ("a.jsx", "it('a', () => { render(<App title='x'>hello {name}</App>); });"),
    ("a.js", "const f = (a: number): string => `${a}`;"),  # types in a .js file
    ("a.ts", "enum A { X = 1 }\nabstract class B<T extends A> { constructor(private readonly x: T) {} }\nlet y = <any>z;"),
    ("a.tsx", "const a = <T,>(x: T) => <p>{x as unknown as string}</p>;"),
    ("a.mts", "export type { X } from './x.mjs';\ndeclare module 'y';\nexport const z = x satisfies Y;"),
    ("a.ts", "@Injectable()\nexport class A { @Input() name!: string; }"),
]  # fmt: skip


@table_test(("path", "text"), READABLE)
def test_what_the_languages_have_is_read_without_trouble(path, text):
    assert read(path, text.encode(), "test").troubles == ()


def test_what_cannot_be_read_is_told_with_its_line():
    sheet = read("a.test.js", b"test('a', () => {});\nfunction ( {{\n", "test")
    assert sheet.troubles
    assert {trouble.why.key for trouble in sheet.troubles} == {"integrity.syntax"}
    assert all(trouble.line >= 1 for trouble in sheet.troubles)
    assert sheet.troubles[0].why.values["language"] == "JavaScript"


def test_text_that_is_no_utf_8_is_told_and_read_all_the_same():
    sheet = read("a.test.js", b"test('a', () => {});\nconst x = '\xff';\n", "test")
    assert [(one.line, one.why) for one in sheet.troubles] == [
        (2, Phrase("integrity.encoding", {"encoding": "UTF-8"}))
    ]
    assert [test.name for test in sheet.tests] == ["a"]


def test_a_byte_order_mark_is_nothing():
    assert read("a.js", b"\xef\xbb\xbfconst a = 1;", "source") == read("a.js", b"const a = 1;", "source")


LITERALS = [
    ("'it\\'s'", '"it\'s"'), ("`plain`", '"plain"'), ("'\\u00e9\\x41\\n'", '"éA\\n"'), ("1_000", "1000"),
    ("0xff", "255"), ("2.50", "2.5"), ("1e3", "1000"), ("10n", "10"), ("-3", "-3"), (".5", "0.5"),
    ("true", "true"), ("null", "null"), ("undefined", "undefined"), ("[1, 'a', [true]]", '[1, "a", [true]]'),
    ("{ a: 1, 'b-c': [2], 3: null }", '{"a": 1, "b-c": [2], "3": null}'), ("new Set([1, 2])", "[1, 2]"),
    ("Object.freeze({ a: 1 })", '{"a": 1}'), ("'a' + 'b'", '"ab"'), ("([1] as const)", "[1]"), ("/a+/g", "/a+/g"),
]  # fmt: skip


@table_test(("written", "canonical"), LITERALS)
def test_literals_have_one_form(written, canonical):
    assert canonical in read("a.ts", f"const x = {written};".encode(), "source").literals


def test_what_a_file_defines():
    text = """
import { gone } from './x';
const { also } = require('./y');
export const LIMIT = 3, [first] = list;
export default function run() {}
class Cart { total() {} static make() {} }
const add = (a) => a;
exports.sub = function () {};
module.exports.mul = (a) => a;
"""
    assert read("a.js", text.encode(), "source").defines == {
        "LIMIT", "first", "run", "Cart", "total", "Cart.total", "make", "Cart.make", "add", "sub", "mul",
    }  # fmt: skip


SAME = [
    ("const a = {'x': 1, y: [2,],};", "const a = { x: 1, y: [2] }\n"),
    ("list.map(x => x + 1)", "list.map((x) => x + 1);"),
    ("f('a', \"b\")", "f(\n  'a', // first\n  'b',\n);"),
    ("if (a) { b(); } else { c() }", "if (a) {\n  b()\n} else {\n  /* or */\n  c();\n}"),
    ("const s = `x`;", "const s = 'x';"),
]


@table_test(("one", "two"), SAME)
def test_layout_quotes_and_comments_make_no_difference(one, two):
    assert read("a.js", one.encode(), "source").digest == read("a.js", two.encode(), "source").digest


DIFFERENT = [
    ("f(1);", "f(2);"),
    ("f('a b');", "f('ab');"),
    ("if (x) f();", "if (x); f();"),
    ("f();", "/* istanbul ignore next */ f();"),
    ("f();", "// eslint-disable-next-line\nf();"),
    ("a = b", "a += b"),
]


@table_test(("one", "two"), DIFFERENT)
def test_what_means_something_else_has_another_digest(one, two):
    assert read("a.js", one.encode(), "source").digest != read("a.js", two.encode(), "source").digest


DEEP = [
    b"(" * 5000 + b"1" + b")" * 5000,
    b"x = " + b"[" * 5000 + b"]" * 5000,
    b"x = 'a'" + b" + 'a'" * 3000,
    b"x" + b".a()" * 3000,
    b"describe('a', () => {" * 500 + b"it('b', () => { assert(x()); });" + b"});" * 500,
    b"function f() {" * 2000 + b"}" * 2000,
    b"const f = (x) => " + b"x === 1 ? 2 : " * 2000 + b"3",
    b"`${" * 500,
    b"it('a', () => {" + b"try {" * 500 + b"assert(x())" + b"} catch (e) {}" * 500 + b"});",
]


@pytest.mark.runs
@table_test("data", DEEP)
def test_depth_does_no_harm(data):
    for role in ("test", "source"):
        read("a.js", data, role)


def test_helpers_that_call_each_other_for_ever_come_to_an_end():
    text = "function a(x) { b(x); b(x); assert(x); }\nfunction b(x) { a(x); a(x); assert.equal(x, 1); }\nit('t', () => { a(f()); b(f()); });"
    [test] = read("a.test.js", text.encode(), "test").tests
    assert {one.kind for one in test.asserts} == {"true", "equal"}


_PIECES = st.sampled_from(
    "test('a', () => { ; }); ; it.each([[1, 2]]) ; ('b', (x, y) => ; expect(x) ; .toBe(3) ; { ; } ; ( ; ) ; [ ; ] ; , ; => ; if ( ; "
    "switch (x) { case 1: ; return ; try { ; } catch (e) { ; assert.equal(1, ; process.exit(0) ; const a = ; for (const x of ; "
    "class A { ; async ; `${ ; ` ; ' ; function f(a) { ; ? ; : ; ... ; new ; = ; === ; && ; . ; \n ; \x00 ; é".split(
        " ; "
    )
)


@settings(max_examples=many(150), deadline=None)
@given(st.lists(_PIECES, max_size=25), st.sampled_from(("test", "support", "source", "config", "other")), st.sampled_from(("a.js", "a.test.tsx")))  # fmt: skip
def test_torn_code_is_read_somehow(pieces, role, path):
    sheet = read(path, "".join(pieces).encode(), role)
    assert sheet.path == path


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_somehow(data):
    assert read("a.ts", data, "test").role == "test"
