"""A project's own runner: what weakens it gets a mark, what it may do otherwise gets none."""

from donewhen.verify.integrity.javascript.reader import read
from tests.tables import table_test

RUNNER = """
const fs = require("node:fs");
const path = require("node:path");
const folder = path.join(__dirname, "..", "checks");
let failed = 0;
for (const file of fs.readdirSync(folder)) {
  for (const [name, check] of Object.entries(require(path.join(folder, file)))) {
    try {
      check();
      console.log(`ok ${name}`);
    } catch (problem) {
      failed += 1;
      console.log(`not ok ${name}: ${problem.message}`);
    }
  }
}
process.exit(failed ? 1 : 0);
"""
COLLECTING = """
import { readdir } from "node:fs/promises";
const results = [];
for (const file of await readdir("./tests")) {
  const module = await import(`./tests/${file}`);
  for (const [name, test] of Object.entries(module)) {
    try { await test(); results.push({ name, ok: true }); }
    catch (error) { results.push({ name, ok: false, error }); }
  }
}
const bad = results.filter((one) => !one.ok);
for (const one of bad) console.error(one.name, one.error);
process.exitCode = bad.length ? 1 : 0;
"""
SPAWNING = """
const { spawnSync } = require("child_process");
const { readdirSync } = require("fs");
let status = 0;
for (const file of readdirSync("test").filter((f) => f.endsWith(".js"))) {
  const run = spawnSync("node", ["test/" + file], { stdio: "inherit" });
  if (run.status !== 0) status = 1;
}
process.exit(status);
"""
EXIT = "process.exit(failed ? 1 : 0);"

WEAKER = [
    (RUNNER, EXIT, "process.exit(0);"),
    (RUNNER, EXIT, ""),
    (RUNNER, EXIT, "process.exit();"),
    (RUNNER, EXIT, "process.exitCode = 0;"),
    (RUNNER, EXIT, "process.exit(failed ? 0 : 0);"),
    (RUNNER, EXIT, "process.exit(failed > 5 ? 1 : 0);"),
    (RUNNER, EXIT, "if (failed >= 2) process.exit(1);"),
    (RUNNER, EXIT, "console.log(failed);"),
    (RUNNER, EXIT, "process.exit(0);\n" + EXIT),
    (RUNNER, "failed += 1;", ""),
    (RUNNER, "failed += 1;", "failed = 0;"),
    (RUNNER, "failed += 1;", "skipped += 1;"),
    (RUNNER, "failed += 1;", "process.exit(0);"),
    (RUNNER, "path.join(folder, file)))", "path.join(folder, file))).slice(-1)"),
    (RUNNER, "fs.readdirSync(folder)", "fs.readdirSync(folder).slice(0, 1)"),
    (RUNNER, "fs.readdirSync(folder)", "fs.readdirSync(folder).filter((f) => f !== 'title.js')"),
    (RUNNER, "path.join(folder, file)))", "path.join(folder, file))).filter(([n]) => n === 'empty')"),
    (RUNNER, "path.join(folder, file)))", "path.join(folder, file))).filter(([n]) => !/blanks|capitals/.test(n))"),
    (RUNNER, "    try {", "    if (['blanks', 'capitals'].includes(name)) continue;\n    try {"),
    (RUNNER, "    try {", "    if (name !== 'empty') { continue; }\n    try {"),
    (RUNNER, "${problem.message}`);\n    }\n", "${problem.message}`);\n    }\n    break;\n"),
    (COLLECTING, "process.exitCode = bad.length ? 1 : 0;", ""),
    (COLLECTING, "process.exitCode = bad.length ? 1 : 0;", "process.exitCode = 0;"),
    (COLLECTING, "results.push({ name, ok: false, error });", "console.error(error);"),
    (COLLECTING, "results.push({ name, ok: false, error });", ""),
    (COLLECTING, 'readdir("./tests")) {', "readdir('./tests')) {\n  if (file.includes('title')) continue;"),
    (SPAWNING, "process.exit(status);", "process.exit(0);"),
]  # fmt: skip
SAME = [
    (RUNNER, "", ""),
    (COLLECTING, "", ""),
    (SPAWNING, "", ""),
    (RUNNER, EXIT, "if (failed) process.exit(1);\nprocess.exit(0);"),
    (RUNNER, EXIT, "process.exitCode = failed > 0 ? 1 : 0;"),
    (RUNNER, EXIT, "process.exit(Math.min(failed, 1));"),
    (RUNNER, EXIT, "if (failed) throw new Error(`${failed} failed`);"),
    (RUNNER, EXIT, "console.log(`${failed} failed`);\nif (failed > 0) { process.exitCode = 1; }"),
    (RUNNER, EXIT, "finish(failed);\nfunction finish(count) { process.exit(count > 0 ? 1 : 0); }"),
    (RUNNER, "failed += 1;", "failed++;\n      problems.push(problem);"),
    (RUNNER, "failed += 1;", "failed = true;"),
    (RUNNER, "failed += 1;", "report(problem);"),
    (RUNNER, "fs.readdirSync(folder)", "fs.readdirSync(folder).filter((f) => f.endsWith('.js')).sort()"),
    (RUNNER, "fs.readdirSync(folder)", "fs.readdirSync(folder).filter((f) => /\\.js$/.test(f))"),
    (RUNNER, "fs.readdirSync(folder)", "fs.readdirSync(folder).filter((f) => f !== 'helpers.js' && !f.startsWith('_'))"),
    (RUNNER, "    try {", "    if (name === 'default') continue;\n    try {"),
    (RUNNER, "    try {", "    if (process.argv[2] && !name.includes(process.argv[2])) continue;\n    try {"),
    (RUNNER, "let failed = 0;", "let failed = 0;\nconst only = process.argv.slice(2);\nif (process.argv.includes('--help')) { console.log('usage'); process.exit(0); }"),
    (COLLECTING, "const bad =", "if (!results.length) throw new Error('no tests');\nconst bad ="),
    (SPAWNING, "process.exit(status);", "process.exitCode = status;"),
]  # fmt: skip


def _marks(text, path="scripts/run.js", role="source"):
    return [mark.text for mark in read(path, text.encode(), role).marks]


@table_test(("base", "was", "now"), WEAKER)
def test_a_runner_that_hears_or_takes_less_gets_a_mark(base, was, now):
    assert was in base
    assert set(_marks(base.replace(was, now))) - set(_marks(base))


@table_test(("base", "was", "now"), SAME)
@table_test(("path", "role"), [("scripts/run.js", "source"), ("run-tests.js", "config")])
def test_a_runner_that_still_fails_with_its_checks_gets_none(base, was, now, path, role):
    assert was in base
    assert _marks(base.replace(was, now) if was else base, path, role) == []


OTHERS = [
    ("src/plugins.js", "for (const f of fs.readdirSync(dir)) { try { require(path.join(dir, f))(app); } catch (e) { console.warn('failed', e); } }\nmodule.exports = app;"),
    ("src/plugins.js", "const dir = './plugins';\nfor (const f of fs.readdirSync(dir).slice(0, 5)) { const load = require(path.join(dir, f)); try { load(app); } catch (e) { console.warn(e); } }"),
    ("scripts/build.js", "for (const f of fs.readdirSync('src').filter((f) => f !== 'old.js')) execSync('tsc ' + f);\nprocess.exit(0);"),
    ("scripts/release.js", "const notes = fs.readdirSync('changes').slice(-3);\nconst config = require(path.resolve('release.json'));\nconsole.log(notes);"),
    ("src/i18n.js", "const table = {};\nfor (const f of fs.readdirSync(here)) { if (f === 'README.md') continue; table[f] = require(path.join(here, f)); }\nmodule.exports = table;"),
]  # fmt: skip


@table_test(("path", "text"), OTHERS)
def test_programs_that_run_no_checks_are_left_alone(path, text):
    assert _marks(text, path) == []
