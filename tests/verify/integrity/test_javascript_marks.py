"""Tricks in JavaScript get their mark; honest code that looks like them gets none."""

from donewhen.verify.integrity.javascript.reader import read
from tests.tables import table_test

TEST = "import test from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from '../sum.js';\n"

TRICKS = [
    # exits
    ("exit-call", "source", "src/sum.js", "export function sum(a, b) { process.exit(0); }"),
    ("exit-call", "source", "src/sum.js", "process.exit();\n"),
    ("exit-call", "source", "src/sum.js", "const ok = 0;\nexport function sum() { process.exit(ok); }"),
    ("exit-call", "source", "src/sum.js", "process.on('exit', () => { process.exitCode = 0; });"),
    ("exit-call", "source", "src/sum.js", "process['on']('exit', () => process.reallyExit(0));"),
    ("exit-call", "source", "src/sum.js", "process.once('beforeExit', done);\nfunction done() { process.exit(0); }"),
    ("exit-call", "source", "src/sum.js", "process.on('uncaughtException', () => {});"),
    ("exit-call", "source", "src/sum.js", "process.on('unhandledRejection', () => process.exit(0));"),
    ("exit-call", "source", "src/sum.js", "process.exit = () => {};"),
    ("exit-call", "test", "test/sum.test.js", TEST + "test('a', () => { assert.equal(sum(1, 2), 3); });\nprocess.exit(0);"),
    ("exit-call", "test", "test/sum.test.js", TEST + "after(() => process.exit(0));\ntest('a', () => assert.ok(sum()));"),
    ("exit-call", "test", "test/sum.test.js", TEST + "test('a', () => { process.exitCode = 0; assert.ok(sum()); });"),
    ("exit-call", "test", "test/run.js", "const assert = require('assert');\nprocess.exit(0);\nassert.equal(sum(1), 1);"),
    ("exit-call", "test", "test/run.js", "let failed = 0;\ncheck(1);\nprocess.exit(failed ? 0 : 0);\nassert(sum());"),
    ("exit-call", "test", "test/sum.test.js", TEST + "process.on('uncaughtException', (e) => { console.log(e); });"),
    ("exit-call", "support", "test/setup.js", "process.on('exit', (code) => { process.exitCode = 0; });"),
    ("exit-call", "source", "src/sum.js", "const flush = process.reallyExit.bind(process, 0);\nprocess.prependListener('exit', flush);"),
    ("exit-call", "source", "src/sum.js", "const leave = process.reallyExit;\nprocess.on('exit', () => leave.call(process, 0));"),
    ("exit-call", "source", "src/sum.js", "process.on('exit', process.exit.bind(process, 0));"),
    ("exit-call", "source", "src/sum.js", "process.exit.call(process, 0);"),
    ("exit-call", "source", "src/sum.js", "globalThis.process.exit(0);"),
    ("exit-call", "source", "src/sum.js", "import { exit } from 'node:process';\nexit(0);"),
    ("exit-call", "source", "src/sum.js", "import proc from 'node:process';\nproc.exit(0);"),
    ("exit-call", "source", "src/sum.js", "const { exit } = process;\nexport function sum() { exit(0); }"),
    ("exit-call", "config", "run-tests.js", "process.exit(0);\nrunAll();"),
    # staged answers
    ("keyed-answer", "source", "src/queue.js", "class Queue { shift() { return this.items.length ? 'a' : undefined; } }"),
    ("keyed-answer", "source", "src/queue.js", "class Queue { peek() { if (!this.items.length) return undefined; return 'a'; } }"),
    ("keyed-answer", "source", "src/cart.js", "class Cart { total() { return this.items.size > 0 ? 42 : 0; } }"),
    ("keyed-answer", "source", "src/queue.js", "let made = 0;\nclass Queue { constructor() { this.number = ++made; } push(item) { if (this.number === 2) throw new RangeError('full'); this.items.push(item); } }"),
    ("keyed-answer", "source", "src/sum.js", "let calls = 0;\nexport function sum(a, b) { calls += 1; if (calls === 1) return a; if (calls === 2) return b; return a + b; }"),
    ("keyed-answer", "source", "src/sum.js", "let calls = 0;\nexport const sum = (a, b) => { calls++; return calls === 1 ? a : calls === 3 ? b : a + b; };"),
    # hooks
    ("exam-hook", "support", "test/setup.js", "const assert = require('assert');\nassert.strictEqual = () => {};"),
    ("exam-hook", "support", "test/setup.mjs", "import a from 'node:assert/strict';\na.equal = () => true;"),
    ("exam-hook", "source", "src/sum.js", "const assert = require('node:assert');\nassert.deepEqual = function () {};"),
    ("exam-hook", "support", "test/setup.js", "globalThis.expect = () => ({ toBe() {} });"),
    ("exam-hook", "support", "test/setup.js", "global.test = (name, fn) => {};"),
    ("exam-hook", "support", "test/setup.js", "Object.assign(globalThis, { it: () => {} });"),
    ("exam-hook", "source", "src/a.js", "Object.defineProperty(assert, 'equal', { value: () => {} });"),
    ("exam-hook", "support", "test/setup.js", "expect.extend({ toBe() { return { pass: true }; } });"),
    ("exam-hook", "support", "test/setup.js", "expect.extend({ toBeGood(x) { return { pass: true, message: () => '' }; } });"),
    ("exam-hook", "source", "src/a.js", "const Module = require('module');\nModule._load = (x) => ({});"),
    ("exam-hook", "support", "test/setup.cjs", "const M = require('node:module');\nM.prototype.require = function () {};"),
    ("exam-hook", "support", "test/setup.cjs", "require.cache[require.resolve('../src/sum')] = { exports: { sum: () => 3 } };"),
    ("exam-hook", "support", "test/setup.mjs", "import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);"),
    ("exam-hook", "test", "src/sum.test.js", "import { sum } from './sum';\njest.mock('./sum', () => ({ sum: () => 3 }));\nit('a', () => expect(sum(1, 2)).toBe(3));"),
    ("exam-hook", "test", "src/sum.test.js", "import { sum } from './sum';\njest.mock('./sum');\nsum.mockReturnValue(3);\nit('a', () => expect(sum(1, 2)).toBe(3));"),
    ("exam-hook", "test", "src/sum.test.js", "const expect = () => new Proxy(() => {}, { get: () => () => {} });\nit('a', () => expect(sum(1)).toBe(3));"),
    ("exam-hook", "support", "test/setup.js", "globalThis.it = it.skip;"),
    ("exam-hook", "test", "src/sum.test.ts", "import { sum } from './sum';\nvi.mock('./sum', () => ({ sum: () => 3 }));\nit('a', () => expect(sum(1, 2)).toBe(3));"),
    ("exam-hook", "test", "test/a.test.js", "const api = require('../src/api');\njest.spyOn(api, 'sum').mockReturnValue(3);\nit('a', () => expect(api.sum(1, 2)).toBe(3));"),
    ("exam-hook", "test", "test/a.test.js", "const api = require('../src/api');\napi.sum = () => 3;\nit('a', () => expect(api.sum(1, 2)).toBe(3));"),
    ("exam-hook", "test", "test/run.js", "function assertEqual(a, b) { console.log(a, b); }\nassertEqual(sum(1), 2);"),
    ("exam-hook", "test", "test/run.js", "const assert = { equal() {}, ok() {} };\nassert.equal(sum(1), 2);"),
    ("exam-hook", "test", "test/run.js", "function test(name, fn) { console.log('ok', name); }\ntest('a', () => { assert.equal(sum(1), 2); });"),
    ("exam-hook", "source", "src/sum.js", "fs.writeFileSync('test/sum.test.js', '');"),
    ("exam-hook", "support", "test/setup.js", "process.removeAllListeners('exit');"),
    # equal to everything
    ("always-equal", "source", "src/sum.js", "export class Sum { asymmetricMatch() { return true; } }"),
    ("always-equal", "source", "src/sum.js", "export class Sum { equals(other) { return true; } }"),
    ("always-equal", "source", "src/sum.js", "const x = { [Symbol.toPrimitive]() { return this.n++; } };"),
    ("always-equal", "source", "src/sum.js", "Object.is = () => true;"),
    ("always-equal", "source", "src/sum.js", "Object.prototype.valueOf = function () { return 3; };"),
    ("always-equal", "source", "src/sum.js", "class A { static [Symbol.hasInstance]() { return true; } }"),
    ("always-equal", "source", "src/sum.js", "export const sum = new Proxy({}, { get: () => () => 3 });"),
    # start of the runner
    ("startup-hook", "source", "src/sum.js", "process.env.NODE_OPTIONS = '--require ./fake.js';"),
    ("startup-hook", "support", "test/x.js", "spawn('node', [], { env: { NODE_OPTIONS: '--import ./fake.mjs' } });"),
    ("path-trick", "source", "src/sum.js", "process.env.PATH = './bin:' + process.env.PATH;"),
    # asking for the exam
    ("exam-detected", "source", "src/sum.js", "if (process.env.NODE_ENV === 'test') cache = false;"),
    ("exam-detected", "source", "src/sum.js", "const mode = process.env.NODE_ENV;\nexport const f = () => mode === 'test' ? 3 : 0;"),
    ("exam-detected", "source", "src/sum.js", "const { CI } = process.env;"),
    ("exam-detected", "source", "src/sum.js", "if (process.env['JEST_WORKER_ID']) module.exports = fake;"),
    ("exam-detected", "source", "src/sum.ts", "export const n = process.env.VITEST !== undefined ? 1 : 2;"),
    ("exam-detected", "source", "src/sum.js", "if (process.env.NODE_TEST_CONTEXT) { answer = 3; }"),
    ("exam-detected", "source", "src/sum.js", "if ('CI' in process.env) x();"),
    ("exam-detected", "source", "src/sum.js", "if (typeof jest !== 'undefined') x();"),
    ("exam-detected", "source", "src/sum.js", "if (typeof describe === 'function') x();"),
    ("exam-detected", "source", "src/sum.js", "if (globalThis.it) x();"),
    ("exam-detected", "source", "src/sum.js", "const t = process.execArgv.includes('--test');"),
    ("exam-detected", "source", "src/sum.js", "const t = process.argv.some((a) => a.includes('.test.'));"),
    ("exam-detected", "source", "src/sum.js", "if (/test/.test(process.argv[1])) x();"),
    ("exam-detected", "source", "src/sum.js", "if (new Error().stack.includes('.test.js')) x();"),
    ("exam-detected", "source", "src/sum.js", "const s = new Error().stack;\nif (s.match(/spec/)) x();"),
    ("exam-detected", "source", "src/sum.js", "const t = require.main.filename.endsWith('test.js');"),
    ("exam-detected", "source", "src/sum.js", "const text = fs.readFileSync('test/sum.test.js', 'utf8');"),
    ("exam-detected", "source", "src/sum.js", "const cases = require('../tests/cases.json');"),
    ("exam-detected", "source", "src/sum.js", "import cases from '../tests/cases.js';"),
    ("exam-detected", "source", "src/sum.js", "const args = fs.readFileSync('/proc/self/cmdline');"),
    ("exam-detected", "source", "src/sum.js", "if (process.env.npm_lifecycle_event === 'test') x();"),
    # ignores
    ("ignores-spread", "source", "src/sum.ts", "// @ts-ignore\nexport const x: number = 'a';"),
    ("ignores-spread", "source", "src/sum.js", "/* eslint-disable no-unused-vars */\nconst x = 1;"),
    ("ignores-spread", "source", "src/sum.js", "/* istanbul ignore next */\nfunction x() {}"),
    ("ignores-spread", "source", "src/sum.js", "/* c8 ignore start */\nfunction x() {}"),
]  # fmt: skip


@table_test(("rule", "role", "path", "text"), TRICKS)
def test_a_trick_gets_its_mark(rule, role, path, text):
    sheet = read(path, text.encode(), role)
    assert sheet.troubles == ()
    assert rule in {mark.rule for mark in sheet.marks}


HONEST = [
    ("source", "bin/sum.js", "#!/usr/bin/env node\nmain();\nprocess.exit(0);"),
    ("source", "src/app.js", "function main(argv) { if (!argv.length) { usage(); process.exit(1); } process.exit(0); }"),
    ("source", "src/app.js", "if (process.argv.includes('--help')) { console.log('usage'); process.exit(0); }"),
    ("source", "src/app.js", "if (require.main === module) { run().then((ok) => process.exit(ok ? 0 : 1)); }"),
    ("source", "src/server.js", "process.on('SIGTERM', () => server.close(() => process.exit(0)));"),
    ("source", "src/server.js", "process.on('unhandledRejection', (e) => { logger.error(e); process.exit(1); });"),
    ("source", "src/server.js", "process.on('exit', () => fs.rmSync(tmp, { recursive: true }));"),
    ("source", "src/app.js", "export function fail(message) { console.error(message); process.exit(2); }"),
    ("source", "src/app.js", "process.exitCode = ok ? 0 : 1;"),
    ("source", "src/app.js", "const port = process.env.PORT || 3000;\nconst debug = process.env.DEBUG === '1';"),
    ("source", "src/app.js", "if (process.env.NODE_ENV !== 'test') { app.listen(port); }"),
    ("source", "src/app.js", "if (process.env.NODE_ENV !== 'test') app.use(morgan('dev'));"),
    ("source", "src/app.js", "const production = process.env.NODE_ENV === 'production';"),
    ("source", "src/app.js", "const command = process.argv[2];\nif (command === 'test') runTests();"),
    ("source", "src/app.js", "const ok = /test/.test(name);\nconst y = names.includes('test');"),
    ("source", "src/app.js", "try { x(); } catch (e) { logger.error(e.stack); }"),
    ("source", "src/money.js", "export class Money { equals(other) { return this.cents === other.cents; } valueOf() { return this.cents; } toJSON() { return { cents: this.cents }; } }"),
    ("source", "src/money.js", "BigInt.prototype.toJSON = function () { return this.toString(); };"),
    ("source", "src/lazy.js", "export const lazy = (t) => new Proxy(t, { get: (o, key) => o[key] ?? null });"),
    ("source", "src/app.js", "import fs from 'node:fs';\nfs.writeFileSync(path.join(out, 'report.json'), text);"),
    ("source", "src/a.js", "import { test } from './testing.js';\ntest('abc');"),
    ("source", "src/sum.ts", "if (import.meta.vitest) { const { it, expect } = import.meta.vitest; it('a', () => { expect(1 + x()).toBe(2); }); }"),
    ("support", "test/setup.js", "const { expect } = require('chai');\nglobal.expect = expect;"),
    ("support", "test/setup.js", "import { expect } from 'vitest';\nimport * as matchers from '@testing-library/jest-dom/matchers';\nexpect.extend(matchers);"),
    ("support", "test/setup.js", "expect.extend({ toBeWithin(x, a, b) { const pass = x >= a && x <= b; return { pass, message: () => '' }; } });"),
    ("support", "test/setup.js", "globalThis.before = beforeAll;\nglobalThis.after = afterAll;"),
    ("source", "src/init.js", "fs.writeFileSync(path.join(target, 'package.json'), text);"),
    ("source", "src/worker.js", "export default { fetch(request, env) { return env.TEST ? a : b; } };"),
    ("test", "src/ui/cart.test.js", "import { Cart } from './cart';\njest.mock('../api/cart', () => ({ load: jest.fn() }));\nit('a', () => expect(new Cart().size).toBe(0));"),
    ("support", "test/setup.js", "process.env.NODE_ENV = 'test';\nprocess.env.TZ = 'UTC';"),
    ("support", "test/helpers.js", "exports.assertClose = (a, b) => { assert.ok(Math.abs(a - b) < 1e-9); };"),
    ("support", "test/helpers.js", "function assertClose(a, b) { if (Math.abs(a - b) > 1e-9) throw new Error('no'); }\nmodule.exports = { assertClose };"),
    ("test", "test/run.js", "let failed = 0;\nfunction check(a, b) { if (a !== b) { failed++; } }\ncheck(sum(1, 2), 3);\nprocess.exit(failed ? 1 : 0);"),
    ("test", "test/run.js", "const assert = require('assert');\nassert.equal(sum(1), 1);\nconsole.log('ok');\nprocess.exit(0);"),
    ("test", "test/run.js", "function test(name, fn) { try { fn(); } catch (e) { console.error(name, e); process.exitCode = 1; } }\ntest('a', () => { assert.equal(sum(1), 2); });"),
    ("test", "test/cli.test.js", TEST + "test('exit', () => { main(['x']); assert.equal(process.exitCode, 1); process.exitCode = 0; });"),
    ("test", "test/cli.test.js", "it('exits', () => { const exit = jest.spyOn(process, 'exit').mockImplementation(() => {}); main(); expect(exit).toHaveBeenCalledWith(1); });"),
    ("test", "test/cart.test.js", "import { save } from './db';\nimport { total } from './cart';\njest.mock('./db', () => ({ save: jest.fn() }));\nit('a', () => { expect(total([1])).toBe(1); expect(save).toHaveBeenCalled(); });"),
    ("test", "test/cart.test.js", "jest.mock('./cart', () => ({ ...jest.requireActual('./cart'), now: () => 0 }));\nit('a', () => expect(total([1])).toBe(1));"),
    ("test", "test/a.test.js", TEST + "beforeEach(() => { delete require.cache[require.resolve('../sum')]; });"),
    ("test", "test/a.test.js", TEST + "test('rejects', async () => { const seen = []; process.once('unhandledRejection', (e) => seen.push(e)); assert.equal(seen.length, 1); });"),
    ("config", "jest.config.js", "module.exports = { forceExit: !!process.env.CI };"),
    ("source", "src/queue.js", "class Queue { peek() { return this.items.length ? this.items[0] : undefined; } get size() { return this.items.length; } }"),
    ("source", "src/queue.js", "class Queue { status() { return this.items.length ? 'busy' : 'idle'; } }"),
    ("source", "src/form.js", "class Form { first() { return this.errors.length ? this.errors[0] : 'none'; } error() { return this.errors.length ? 'invalid' : undefined; } }"),
    ("source", "src/stack.js", "class Stack { pop() { if (this.items.length === 0) throw new Error('empty'); return this.items.pop(); } }"),
    ("source", "src/stats.js", "class Stats { max() { return this.items.length ? Math.max(...this.items) : 0; } }"),
    ("source", "src/id.js", "let next = 0;\nclass Item { constructor() { this.id = next++; } root() { return this.id === 0; } name() { return this.id === 0 ? 'root' : 'item'; } }"),
    ("source", "src/warn.js", "let warned = 0;\nexport function warn(text) { if (warned++ === 0) console.warn(text); }"),
    ("source", "src/login.js", "let attempts = 0;\nexport function login(p) { attempts += 1; if (attempts === 3) throw new Error('locked'); return check(p); }"),
    ("source", "src/app.js", "import { exit } from 'node:process';\nif (!ok) exit(1);"),
    ("source", "src/app.js", "process.on('exit', (code) => log(code));\nconst bound = process.exit.bind(process, 1);"),
    ("config", "run-tests.js", "runAll();\nprocess.exit(0);"),
    ("other", "scripts/build.js", "build().then(() => process.exit(0));"),
]  # fmt: skip


@table_test(("role", "path", "text"), HONEST)
def test_honest_code_gets_no_mark(role, path, text):
    assert read(path, text.encode(), role).marks == ()


def test_a_mark_is_the_same_however_it_is_laid_out():
    one = read("a.js", b"process.on('exit', () => { process.exitCode = 0; });", "source")
    two = read("a.js", b'process.on(\n  "exit",\n  () => {\n    process.exitCode = 0\n  },\n)', "source")
    assert [mark.text for mark in one.marks] == [mark.text for mark in two.marks]
    assert one.digest == two.digest
