"""The tests of JavaScript files: their names, whether they run, what hides their failures, how many cases."""

from donewhen.core.integrity import model
from donewhen.verify.integrity.javascript.reader import read
from tests.tables import table_test

NODE = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { sum } = require('../sum');\n"


def found_in(text: str, path: str = "test/sum.test.js", role: model.Role = "test") -> dict[str, model.Test]:
    sheet = read(path, text.encode(), role)
    assert sheet.troubles == ()
    return {one.name: one for one in sheet.tests}


NAMES = [
    ("test('a', () => {});\nit('b', () => {});", ["a", "b"]),
    ("describe('cart', () => { describe('empty', () => { it('is 0', () => {}); }); });", ["cart > empty > is 0"]),
    ("test('a', async (t) => { await t.test('b', async (t) => { await t.test('c', () => {}); }); });", ["a", "a > b", "a > b > c"]),
    ("import test from 'ava';\ntest('a', (t) => t.is(sum(1), 1));", ["a"]),
    ("const tap = require('tap');\ntap.test('a', (t) => { t.equal(sum(1), 1); t.end(); });", ["a"]),
    ("import { test as spec } from 'node:test';\nspec('a', () => {});", ["a"]),
    ("const test = require('node:test');\ntest(function adds() {});", ["adds"]),
    ("test.describe('page', () => { test('opens', async ({ page }) => {}); });", ["page > opens"]),
    ("for (const n of [1, 2]) { test(`adds ${n}`, () => {}); }", ["adds ${n}"]),
    ("const title = 'adds';\ntest(title, () => {});", ["adds"]),
    ("suite('s', () => { test('t', () => {}); });", ["s > t"]),
    ("describe.each([1, 2])('n %i', (n) => { it('is', () => {}); });", ["n %i > is"]),
    ("function shared(make) { it('works', () => {}); }\ndescribe('one', () => { shared(one); });", ["one > works"]),
    ("(function () { test('a', () => {}); })();", ["a"]),
    ("const ok = /a/.test('a');\nconst m = x.test('b');", []),
    ("test.step('a', () => {});\ntest.use({ locale: 'de' });\nbeforeEach(() => {});", []),
]  # fmt: skip


@table_test(("text", "names"), NAMES)
def test_names_are_those_that_the_runner_shows(text, names):
    assert list(found_in(text)) == names


OFF = [
    ("test.skip('a', () => {});", "test.skip", False),
    ("it.todo('a');", "it.todo", False),
    ("xit('a', () => {});", "xit", False),
    ("test.failing('a', () => {});", "test.failing", False),
    ("it('a');", "it without a body", False),
    ("test('a', { skip: true }, () => {});", "skip: true", False),
    ("test('a', { skip: 'later' }, () => {});", 'skip: "later"', False),
    ("test('a', { todo: true }, () => {});", "todo: true", False),
    ("test('a', { skip: process.platform === 'win32' }, () => {});", 'skip: process.platform === "win32"', True),
    ("test('a', (t) => { t.skip('later'); });", 't.skip("later")', False),
    ("test('a', (t) => { t.todo(); });", "t.todo()", False),
    ("it('a', function () { this.skip(); });", "this.skip()", False),
    ("it('a', function () { if (!redis) this.skip(); assert.ok(sum()); });", "this.skip()", True),
    ("it('a', (ctx) => { ctx.skip(); });", "ctx.skip()", False),
    ("test('a', async () => { test.skip(); });", "test.skip()", False),
    ("it.skipIf(true)('a', () => {});", "it.skipIf(true)", False),
    ("it.skipIf(windows)('a', () => {});", "it.skipIf(windows)", True),
    ("it.runIf(false)('a', () => {});", "it.runIf(false)", False),
    ("describe.skip('s', () => { it('a', () => {}); });", "describe.skip", False),
    ("xdescribe('s', () => { it('a', () => {}); });", "xdescribe", False),
    ("describe('s', { skip: true }, () => { it('a', () => {}); });", "skip: true", False),
    ("if (false) { it('a', () => {}); }", "if (false)", False),
    ("if (process.env.SLOW) { it('a', () => {}); }", "if (process.env.SLOW)", True),
    ("const maybe = windows ? it.skip : it;\nmaybe('a', () => {});", "windows ? it.skip: it", True),
    ("const later = it.skip;\nlater('a', () => {});", "it.skip", False),
    ("describe('s', () => { return; it('a', () => {}); });", "return", False),
    ("it('a', () => { return; assert.ok(sum()); });", "return", False),
    ("it('a', () => { return true; assert.ok(sum()); });", "return true", False),
    ("it('a', () => { if (!process.env.DB) return; assert.ok(sum()); });", "if (!process.env.DB) return", True),
    ("beforeEach(function () { this.skip(); });\nit('a', () => {});", "this.skip()", False),
    ("describe('s', () => { before(function () { this.skip(); }); it('a', () => {}); });", "this.skip()", False),
    ("it.each([])('a', () => {});", "an empty table", False),
    ("const rows = [];\nfor (const row of rows) it('a', () => {});", "an empty table", False),
    ("const it = globalThis.it.skip;\nit('a', () => {});", "globalThis.it.skip", False),
    ("function unused() { it('a', () => {}); }", "unused() is never called", False),
    ("process.exit(0);\nit('a', () => {});", "process.exit(0)", False),
    ("function test(name, fn) { console.log(name); }\ntest('a', () => { assert.ok(sum()); });", "test() never runs it", False),
]  # fmt: skip


@table_test(("text", "why", "conditional"), OFF)
def test_what_keeps_a_test_from_running_is_told(text, why, conditional):
    [test] = found_in(text).values()
    assert (test.disabled, test.conditional) == (why, conditional)


ON = [
    "test('a', () => { assert.ok(sum()); });",
    "test('a', { skip: false, timeout: 10 }, () => { assert.ok(sum()); });",
    "test('a', { concurrency: true }, () => { assert.ok(sum()); });",
    "it.concurrent('a', async () => { expect(sum()).toBe(1); });",
    "test.serial('a', (t) => { t.is(sum(), 1); });",
    "if (import.meta.vitest) { it('a', () => { expect(sum()).toBe(1); }); }",
    "it('a', () => { return load().then((x) => expect(x).toBe(1)); });",
    "it('a', () => { assert.ok(sum()); return; });",
    "it('a', () => { for (const x of [1]) { if (x) continue; } assert.ok(sum()); });",
    "it('a', () => { const f = () => { return; }; assert.ok(sum(f)); });",
    "const { it } = require('node:test');\nit('a', () => { assert.ok(sum()); });",
]


@table_test("text", ON)
def test_a_test_that_runs_is_not_called_off(text):
    [test] = found_in(text).values()
    assert (test.disabled, test.conditional, test.focused, test.swallows) == ("", False, "", "")
    assert len(test.asserts) == 1


@table_test(
    ("text", "what"),
    [
        ("it.only('a', () => {});", "it.only"),
        ("fit('a', () => {});", "fit"),
        ("describe.only('s', () => { it('a', () => {}); });", "describe.only"),
        ("fdescribe('s', () => { it('a', () => {}); });", "fdescribe"),
        ("test('a', { only: true }, () => {});", "only: true"),
    ],
)
def test_what_leaves_the_others_out_is_told(text, what):
    [test] = found_in(text).values()
    assert test.focused == what


HIDDEN = [
    "it('a', () => load().then((x) => assert.equal(x, 2)).catch(console.log));",
    "it('a', () => load().then((x) => assert.equal(x, 2)).catch(noop));\nfunction noop() {}",
    "function test(name, fn) { try { fn(); } catch (e) { failed++; } }\ntest('a', () => { check(sum(1), 2); });\nprocess.exit(0);",
    "it('a', () => { try { assert.equal(sum(1), 2); } catch (e) {} });",
    "it('a', () => { try { assert.equal(sum(1), 2); } catch { console.log('no'); } });",
    "it('a', () => { try { assert.equal(sum(1), 2); } catch (e) { console.error(e.message); } });",
    "it('a', () => { try { assert.equal(sum(1), 2); } finally { return; } });",
    "it('a', async () => { await load().then((x) => assert.equal(x, 2)).catch(() => {}); });",
    "it('a', () => { try { check(sum(1), 2); } catch (e) {} });\nfunction check(a, b) { assert.equal(a, b); }",
    "it('a', () => { check(sum(1), 2); });\nfunction check(a, b) { try { assert.equal(a, b); } catch (e) {} }",
    "it('a', () => { try { assert.equal(sum(1), 2); } catch (e) { if (!(e instanceof assert.AssertionError)) throw e; } });",
    "it('a', async () => { await Promise.allSettled([assert.rejects(sum(1))]); });",
    "function test(name, fn) { try { fn(); } catch (e) { console.log(e); } }\ntest('a', () => { assert.equal(sum(1), 2); });",
]


@table_test("text", HIDDEN)
def test_what_catches_failures_is_told(text):
    [test] = found_in(text).values()
    assert test.swallows


OPEN = [
    "it('a', () => { try { sum('x'); assert.fail('no'); } catch (e) { assert.match(e.message, /x/); } });",
    "it('a', () => { try { assert.equal(sum(1), 2); } catch (e) { console.log(e); throw e; } });",
    "it('a', () => { try { assert.equal(sum(1), 2); } finally { close(); } });",
    "it('a', (done) => { load((x) => { try { assert.equal(x, 2); done(); } catch (e) { done(e); } }); });",
    "it('a', async () => { let error; try { await sum('x'); } catch (e) { error = e; } assert.match(error.message, /x/); });",
    "it('a', () => { try { cleanup(); } catch (e) {} assert.equal(sum(1), 2); });",
    "it('a', async () => { await assert.rejects(sum('x')); });",
    "it('a', (t) => { load().then((x) => { t.is(x, 2); }).catch((e) => t.fail(e)); });",
    "function test(name, fn) { try { fn(); } catch (e) { failed++; } }\ntest('a', () => { assert.equal(sum(1), 2); });\nprocess.exit(failed ? 1 : 0);",
]


@table_test("text", OPEN)
def test_a_catch_that_lets_failures_out_is_fine(text):
    [test] = found_in(text).values()
    assert test.swallows == ""
    assert test.asserts


CASES = [
    ("it.each([[1, 2], [3, 4], [5, 6]])('a', (x, y) => { expect(sum(x)).toBe(y); });", 3),
    ("it.each`a | b\n${1} | ${2}\n${3} | ${4}\n`('a', ({ a, b }) => { expect(sum(a)).toBe(b); });", 2),
    ("const rows = [1, 2, 3, 4];\nfor (const n of rows) it(`a`, () => { expect(sum(n)).toBe(n); });", 4),
    ("[1, 2].forEach((n) => { it('a', () => { expect(sum(n)).toBe(n); }); });", 2),
    ("for (const [k, v] of Object.entries({ x: 1, y: 2 })) it('a', () => { expect(sum(k)).toBe(v); });", 2),
    ("it('a', () => { for (const [x, y] of [[1, 2], [3, 4]]) assert.equal(sum(x), y); });", 2),
    ("describe.each([1, 2])('s', (n) => { it.each([3, 4, 5])('a', (m) => {}); });", 6),
    ("for (const n of load()) it('a', () => {});", 0),
]


@table_test(("text", "cases"), CASES)
def test_rows_of_a_table_are_cases(text, cases):
    [test] = found_in(text).values()
    assert test.cases == cases


def test_rows_give_their_literals_to_what_they_are_used_for():
    [test] = found_in(
        "it.each([[1, 10], [2, 20]])('a', (n, want) => { expect(sum(n)).toBe(want); });"
    ).values()
    [one] = test.asserts
    assert (one.kind, one.subjects, one.given, one.expected) == ("equal", ("sum",), ("1", "2"), ("10", "20"))


def test_rows_that_are_objects_do_as_well():
    text = "const rows = [{ in: 'a', out: 'A' }, { in: 'b', out: 'B' }];\nrows.forEach((row) => it('a', () => expect(up(row.in)).toBe(row.out)));"
    [test] = found_in(text).values()
    [one] = test.asserts
    assert (one.subjects, one.given, one.expected) == (("up",), ('"a"', '"b"'), ('"A"', '"B"'))


def test_a_renamed_test_keeps_its_digest_and_a_changed_value_its_frame():
    one = found_in("test('a', () => { assert.equal(sum(1), 2); });")["a"]
    two = found_in('test("b", () => {\n  // said\n  assert.equal(sum(1), 2)\n})')["b"]
    three = found_in("test('a', () => { assert.equal(sum(1), 3); });")["a"]
    assert one.digest == two.digest
    assert one.digest != three.digest
    assert one.frame == three.frame


def test_a_plain_script_is_one_test_and_each_checking_function_another():
    text = "const assert = require('assert');\nassert.equal(sum(1), 1);\nfunction testTwo() { assert.equal(sum(2), 2); }\nfunction testThree() { assert.equal(sum(3), 3); }\ntestTwo();"
    found = found_in(text, "test.js")
    assert list(found) == ["testTwo", "testThree", "<module>"]
    assert [one.disabled for one in found.values()] == ["", "testThree() is never called", ""]
    assert [one.subjects for one in found["<module>"].asserts] == [("sum",)]


def test_checks_by_hand_in_a_script_are_assertions():
    text = "function check(got, want) { if (got !== want) { failed++; } }\ncheck(sum(1, 2), 3);\nif (sum(2) !== 2) { console.error('no'); process.exit(1); }\nprocess.exit(failed ? 1 : 0);"
    [test] = found_in(text, "test.js").values()
    assert [(one.kind, one.subjects, one.given, one.expected) for one in test.asserts] == [
        ("equal", ("sum",), ("1", "2"), ("3",)),
        ("equal", ("sum",), ("2",), ("2",)),
    ]


@table_test("ending", ["", "process.exit(0);", "process.exit(failed ? 0 : 0);"])
def test_checks_that_only_count_demand_nothing_when_nobody_reads_the_count(ending):
    text = (
        f"function check(got, want) {{ if (got !== want) {{ failed++; }} }}\ncheck(sum(1, 2), 3);\n{ending}"
    )
    assert found_in(text, "test.js") == {}


def test_a_small_runner_of_ones_own_makes_tests():
    text = "const assert = require('assert');\nfunction check(name, fn) { try { fn(); } catch (e) { process.exitCode = 1; } }\ncheck('adds', () => { assert.equal(sum(1), 1); });"
    assert list(found_in(text, "test.js")) == ["adds"]


def test_source_has_no_tests_unless_it_brings_a_runner():
    assert found_in("test('a', () => { check(1); });", "src/a.js", "source") == {}
    assert list(
        found_in("import { test } from 'node:test';\ntest('a', () => {});", "src/a.js", "source")
    ) == ["a"]


def test_calls_and_literals_are_told():
    test = found_in(NODE + "test('a', () => { const x = sum(1, [2]); assert.equal(x, 'y'); });")["a"]
    assert test.calls == ("sum",)
    assert set(test.literals) == {"1", "[2]", "2", '"y"'}
