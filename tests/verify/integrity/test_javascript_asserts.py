"""What assertions of JavaScript tests demand: kind, subject, what goes in, what must come out."""

from donewhen.core.integrity.model import Assertion
from donewhen.verify.integrity.javascript.reader import read
from tests.tables import table_test

HEAD = "const assert = require('assert');\nconst { total } = require('../total');\nconst WANT = 3;\n"
TOTAL = (("total",), ("[1, 2]", "1", "2"))


def asserts(body: str, head: str = HEAD, context: str = "t") -> tuple[Assertion, ...]:
    text = f"{head}test('a', async function ({context}) {{ {body} }});"
    sheet = read("test/total.test.js", text.encode(), "test")
    assert sheet.troubles == ()
    [test] = sheet.tests
    return test.asserts


SAME = [
    "assert.equal(total([1, 2]), 3);",
    "assert.strictEqual(total([1, 2]), WANT, 'adds up');",
    "assert.deepEqual(3, total([1, 2]));",
    "assert(total([1, 2]) === 3);",
    "assert.ok(3 == total([1, 2]), 'adds');",
    "assert.equal(total([1, 2]) === 3, true);",
    "expect(total([1, 2])).toBe(3);",
    "expect(total([1, 2])).toEqual(WANT);",
    "expect(await total([1, 2])).toStrictEqual(3);",
    "await expect(total([1, 2])).resolves.toBe(3);",
    "expect(total([1, 2]) === 3).toBe(true);",
    "expect(total([1, 2])).to.equal(3);",
    "expect(total([1, 2])).to.be.eql(3);",
    "total([1, 2]).should.equal(3);",
    "t.is(total([1, 2]), 3);",
    "t.equal(total([1, 2]), 3, 'adds up');",
    "t.assert.strictEqual(total([1, 2]), 3);",
    "const got = total([1, 2]); assert.equal(got, 3);",
    "const items = [1, 2]; assert.equal(total(items), 3);",
    "const want = 3; const got = await total([1, 2]); expect(got).toBe(want);",
    "if (total([1, 2]) !== 3) throw new Error('no');",
    "const check = (items, want) => assert.equal(total(items), want); check([1, 2], 3);",
    "same(total([1, 2]), 3); function same(a, b) { same2(a, b); } function same2(a, b) { assert.equal(a, b); }",
]


@table_test("body", SAME)
def test_one_demand_in_many_words(body):
    [one] = asserts(body)
    assert (one.kind, one.subjects, one.given, one.expected, one.hollow) == ("equal", *TOTAL, ("3",), False)


KINDS = [
    ("assert.notEqual(total([]), 3);", "unequal"),
    ("expect(total([])).not.toBe(3);", "unequal"),
    ("expect(total([])).to.not.equal(3);", "unequal"),
    ("assert(total([]));", "true"),
    ("assert.ok(total([]));", "true"),
    ("expect(total([])).toBeTruthy();", "true"),
    ("assert(!total([]));", "false"),
    ("t.falsy(total([]));", "false"),
    ("expect(total([])).toBeNull();", "null"),
    ("expect(total([])).toBeUndefined();", "null"),
    ("assert.ifError(total([]));", "null"),
    ("expect(total([])).toBeDefined();", "not_null"),
    ("expect(total([])).not.toBeNull();", "not_null"),
    ("expect(total([])).toEqual(expect.anything());", "not_null"),
    ("expect(total([])).toEqual(expect.any(Number));", "type"),
    ("assert.throws(() => total([]));", "raises"),
    ("await assert.rejects(() => total([]), RangeError);", "raises"),
    ("expect(() => total([])).toThrow('x');", "raises"),
    ("await expect(total([])).rejects.toThrow();", "raises"),
    ("expect(() => total([])).to.throw(/x/);", "raises"),
    ("await t.throwsAsync(() => total([]));", "raises"),
    ("assert(total([]).includes('x'));", "contains"),
    ("expect(total([])).toContain('x');", "contains"),
    ("expect(total([])).toMatchObject({ a: 1 });", "contains"),
    ("expect(total([])).toBeCloseTo(1.5, 2);", "close"),
    ("assert(total([]) > 3);", "order"),
    ("expect(total([])).toBeGreaterThan(3);", "order"),
    ("expect(total([])).to.be.above(3);", "order"),
    ("assert(total([]) instanceof Map);", "type"),
    ("assert(typeof total([]) === 'number');", "type"),
    ("expect(total([])).toBeInstanceOf(Map);", "type"),
    ("expect(total([])).to.be.an('array');", "type"),
    ("assert.match(total([]), /x/);", "matches"),
    ("expect(total([])).toMatch(/x/);", "matches"),
    ("expect(total([])).toMatchSnapshot();", "snapshot"),
    ("expect(total([])).toMatchInlineSnapshot(`3`);", "snapshot"),
    ("t.snapshot(total([]));", "snapshot"),
    ("expect(total).toHaveBeenCalledWith([]);", "called"),
    ("sinon.assert.calledOnce(total);", "called"),
    ("assert.doesNotThrow(() => total([]));", "other"),
    ("expect(total([])).to.be.true;", "equal"),
    ("expect(total([])).to.have.lengthOf(3);", "equal"),
    ("await request(app).get('/total').expect(200);", "equal"),
    ("cy.get('.total').should('have.text', '3');", "equal"),
]  # fmt: skip


@table_test(("body", "kind"), KINDS)
def test_the_kind_is_what_is_demanded(body, kind):
    [one] = asserts(body)
    assert (one.kind, one.hollow) == (kind, False)


HOLLOW = [
    "setTimeout(() => { assert.equal(total([1]), 3); }, 1000);",
    "assert(true);",
    "assert.ok(1);",
    "assert.ok('total works');",
    "assert.equal(1, 1);",
    "assert.strictEqual(WANT, 3);",
    "expect(true).toBe(true);",
    "expect(1).toBeDefined();",
    "expect(total).toBe(total);",
    "const x = total([1]); assert.equal(x, x);",
    "assert(total([1]) || true);",
    "assert(total([1]).length >= 0);",
    "expect(total([1]).length).toBeGreaterThanOrEqual(0);",
    "expect(total([1]));",
    "expect(total([1])).toBe;",
    "t.pass();",
    "assert.ok(() => total([1]) === 3);",
    "assert.doesNotThrow(() => {});",
    "assert.throws(() => { throw new Error('x'); });",
    "assert.rejects(total([1]));",
    "expect(total([1])).resolves.toBe(3);",
    "const x = total([1]); if (x === 3) assert.equal(x, 3);",
    "const f = jest.fn().mockReturnValue(3); expect(f([1, 2])).toBe(3);",
]


@table_test("body", HOLLOW)
def test_what_cannot_fail_is_hollow(body):
    assert [one.hollow for one in asserts(body)] == [True]


SOLID = [
    "await new Promise((done) => setTimeout(() => { assert.equal(total([1]), 3); done(); }, 1));",
    "setTimeout(() => { assert.equal(total([1]), 3); t.end(); }, 1);",
    "const seen = []; total((x) => seen.push(x)); assert.deepEqual(seen, []);",
    "let called = false; total(() => { called = true; }); assert.equal(called, true);",
    "let n = 0; total(() => n++); assert.equal(n, 3);",
    "assert.equal(total([1]), total([1]));",
    "assert(total([1]).length > 0);",
    "expect(total([1]).length).toBeGreaterThan(0);",
    "const x = total([1]); if (x.ok) assert.equal(x.value, 3);",
    "assert.throws(() => { total([1]); });",
    "const spy = jest.fn(total); expect(spy([1])).toBe(1);",
    "return expect(total([1])).resolves.toBe(3);",
    "assert.equal(process.exitCode, 0);",
]


@table_test("body", SOLID)
def test_what_may_fail_is_not_hollow(body):
    assert [one.hollow for one in asserts(body)] == [False]


NONE = [
    "for (const n of []) { assert.equal(total([n]), 3); }",
    "[].forEach((n) => { assert.equal(total([n]), 3); });",
    "serve((url) => { if (url !== '/x') throw new Error(url); });",
    "fake('/x'); function fake(url) { if (url !== '/x') throw new Error(url); }",
    "total([1]);",
    "console.assert(total([1]) === 3);",
    "t.plan(1);",
    "expect.assertions(1);",
    "if (false) { assert.equal(total([1]), 3); }",
    "false && assert.equal(total([1]), 3);",
    "const never = () => { assert.equal(total([1]), 3); };",
    "const ok = /x/.test('x'); list.push(ok);",
]


@table_test("body", NONE)
def test_what_demands_nothing_is_no_assertion(body):
    assert asserts(body) == ()


def test_words_taken_from_the_assert_module_are_known_by_their_new_names():
    head = "import { strictEqual as same, ok } from 'node:assert';\nimport check from 'node:assert/strict';\n"
    found = asserts("same(total(1), 2); ok(total(2)); check.equal(total(3), 4); check(total(4));", head)
    assert [one.kind for one in found] == ["equal", "true", "equal", "true"]


def test_classes_and_patterns_of_expected_errors_are_expected():
    [one] = asserts("assert.throws(() => total('x'), RangeError);")
    assert (one.subjects, one.given, one.expected) == (("total",), ('"x"',), ("RangeError",))


def test_members_are_subjects_by_their_path():
    found = asserts("const cart = new Cart([1]); expect(cart.total()).toBe(1); expect(cart.size).toBe(2);")
    assert [one.subjects for one in found] == [("cart.total", "Cart"), ("cart.size", "Cart")]
