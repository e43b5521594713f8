"""Scripts of package.json: honest ones stay honest, hidden test runs are found."""

import json
from pathlib import Path

from donewhen.project.behind import Behind, behind
from tests.tables import table_test
from tests.verify.looking import entry, look, reason


def package(folder: Path, scripts: dict[str, str], command: str = "npm test") -> Behind:
    return look(folder, command, **{"package.json": json.dumps({"scripts": scripts})})


HONEST_SCRIPTS = [
    "jest",
    "jest --ci --coverage",
    "mocha",
    "NODE_ENV=test mocha --recursive",
    "c8 mocha && npm run lint",
    "nyc tape 'test/**/*.js'",
    "nyc --reporter=lcov mocha && nyc report",
    "tape test/*.js | tap-spec",
    "standard && tape test/*.js | faucet",
    "ava --tap | tap-dot",
    "node test.js | tspec",
    "jest --json | ./scripts/report.js",
    "go test -json ./... | go-junit-report -set-exit-code",
    "xo && ava",
    "xo && nyc ava && tsd",
    "tsc && node --test",
    "tsc --noEmit; node --test",
    "cross-env NODE_ENV=test jest --runInBand",
    "npx cross-env CI=1 jest",
    "run-s build test:*",
    "npm-run-all lint test:unit",
    "turbo run test",
    "lerna run test --stream",
    "nx test",
    "vitest run",
    "vitest --run --coverage",
    "react-scripts test --watchAll=false",
    "ng test --watch=false",
    "node test.js",
    "node test/index.js && node test/other.js",
    "node --experimental-vm-modules node_modules/jest/bin/jest.js",
    "mocha || exit 1",
    "mocha || (npm run cleanup && exit 1)",
    "npm run build && npm run test:unit && npm run test:e2e",
    "eslint . ; mocha",
    "npm run lint || true && mocha",
    "rm -rf coverage || true; jest",
    "(docker rm -f db || true) && mocha",
    "node test/server.js & mocha",
    "start-server-and-test start http://localhost:3000 test:e2e",
    'concurrently "npm:test:*"',
    "concurrently -k 'npm:start' 'npm:test:unit'",
    "set -e; mocha; echo done",
    "set -o pipefail; mocha | tee out.txt",
    "if [ -d test ]; then mocha; fi",
    'if [ -n "$CI" ]; then jest --ci; else jest; fi',
    "[ -d test ] || exit 0; mocha",
    "mocha; rc=$?; npm run cleanup; exit $rc",
    "jest -x || jest --onlyFailures",
    "for f in test/*.js; do node $f || exit 1; done",
    "find test -name '*.js' -print0 | xargs -0 -n1 node",
    "bash -c 'set -e; mocha; echo ok'",
    "time mocha",
    "make test",
    "hardhat test",
    "deno test",
    "grunt test",
    "$RUNNER test || true; mocha",
]
MASKED_SCRIPTS = [
    "jest --ci | tee out.txt",
    "jest || true",
    "mocha -R lcov | coveralls",
    "go test ./... | grep -v '^ok'",
    "jest || echo failed",
    "jest || exit 0",
    "jest; echo done",
    "jest; exit 0",
    "jest && echo ok || echo failed",
    "mocha & wait",
    "! mocha",
    "(mocha; true)",
    "nyc mocha; nyc report --reporter=text",
    "nyc tape test/*.js || true",
    "tape test/*.js | tee out.tap",
    "bash -c 'mocha; true'",
    "cross-env CI=1 jest || true",
    "set +e; mocha; npm run cleanup",
    "mocha test/a.js; mocha test/b.js",
    "npm run test:unit || true",
    "npm run hidden",
    "if mocha; then echo ok; else echo failed; fi",
    "for f in test/*.js; do mocha $f; done",
    "jest -u",
    "jest --updateSnapshot",
    "timeout 60 mocha || true",
    "node test.js || true",
    "trap 'exit 0' EXIT; mocha",
    "mocha || :",
    "run-s hidden",
    "echo $(mocha)",
]
OTHERS = {
    "lint": "eslint .",
    "start": "node server.js",
    "build": "tsc",
    "cleanup": "rm -rf tmp",
    "test:unit": "mocha test/unit",
    "test:e2e": "playwright test",
    "hidden": "mocha || true",
}


@table_test("text", HONEST_SCRIPTS)
def test_an_honest_script_is_not_called_masked(tmp_path, text):
    found = package(tmp_path, {**OTHERS, "test": text})
    assert found.trouble is None, reason(found)


@table_test("text", MASKED_SCRIPTS)
def test_a_script_whose_tests_can_fail_unseen_is_masked(tmp_path, text):
    found = package(tmp_path, {**OTHERS, "test": text})
    assert found.trouble is not None
    assert "package.json scripts." in reason(found)


@table_test(
    "text",
    ['echo "Error: no test specified" && exit 1', "echo ok", "true", "", "exit 0", ":", "echo a; echo b"],
)
def test_a_script_that_only_prints_proves_nothing(tmp_path, text):
    found = package(tmp_path, {"test": text})
    assert found.trouble is not None


def test_pre_and_post_scripts_are_part_of_it(tmp_path):
    scripts = {
        "pretest": "npm run lint",
        "lint": "eslint .",
        "test": "mocha",
        "posttest": "rm -rf tmp || true",
    }
    found = package(tmp_path, scripts)
    assert [line.source for line in found.lines] == [
        "package.json scripts.pretest",
        "package.json scripts.lint",
        "package.json scripts.test",
        "package.json scripts.posttest",
    ]
    assert found.trouble is None


def test_a_cleanup_named_like_a_test_is_none(tmp_path):
    scripts = {"test": "mocha", "posttest": "npm run test:clean || true", "test:clean": "rimraf tmp"}
    assert package(tmp_path, scripts).trouble is None


@table_test(
    "command", ["npm test", "npm run test", "pnpm test", "yarn test", "yarn run test", "bun run test"]
)
def test_every_manager_runs_the_same_script(tmp_path, command):
    assert package(tmp_path, {"test": "jest || true"}, command).trouble is not None


def test_a_script_in_a_part_of_the_project(tmp_path):
    inner = json.dumps({"scripts": {"test": "jest || true"}})
    files = {
        "package.json": json.dumps({"scripts": {"test": "cd web && npm test"}}),
        "web/package.json": inner,
    }
    found = look(tmp_path, "npm test", **files)
    assert "web/package.json scripts.test" in reason(found)
    assert look(tmp_path, "npm --prefix web test").trouble is not None
    assert look(tmp_path, "cd web && npm test").trouble is not None


def test_scripts_that_call_each_other_end(tmp_path):
    scripts = {"test": "npm run a", "a": "npm run b && npm run b", "b": "npm run a"}
    assert package(tmp_path, scripts).trouble is None


def test_passing_without_tests_asks_for_counts(tmp_path):
    found = package(tmp_path, {"test": "jest --passWithNoTests"})
    assert found.trouble is None
    assert found.counted is not None


@table_test("text", ["null", "[]", '{"scripts": 3}', '{"scripts": {"test": 7}}', "{", "[" * 100_000])
def test_a_broken_manifest_says_nothing(tmp_path, text):
    assert look(tmp_path, "npm test", **{"package.json": text}) == Behind()


def test_a_manifest_behind_a_link_out_of_the_project_is_not_read(tmp_path):
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps({"scripts": {"test": "jest || true"}}))
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").symlink_to(outside)
    assert behind(entry("npm test"), project).lines == ()
