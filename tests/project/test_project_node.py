"""The exam of JavaScript projects: the test script, or what stands for it."""

import json
from pathlib import Path
from typing import Any

from donewhen.core.texts import say
from donewhen.project.project import Project, detect
from tests.tables import table_test


def write(folder: Path, data: dict[str, Any] | None = None, **files: str) -> Project:
    """A project with that package.json and these files."""
    if data is not None:
        (folder / "package.json").write_text(json.dumps(data))
    for key, text in files.items():
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return detect(folder)


def exam(found: Project) -> list[str]:
    return [each.command for each in found.tests()]


def keys(found: Project) -> list[str]:
    return [note.key for note in found.notes]


def scripts(**named: str) -> dict[str, Any]:
    return {"scripts": {name.replace("__", ":").replace("_", "-"): text for name, text in named.items()}}


LINTED = scripts(
    pretest="npm run lint", lint="eslint .", test="npm run tests-only", tests_only="nyc tape 'test/**/*.js'"
)
AUDIT = "npx npm@'>=10.2' audit --production"


def test_a_test_script_that_also_lints_is_run_as_it_is(tmp_path):
    found = write(tmp_path, LINTED, **{".eslintrc": "{}"})
    assert (exam(found), keys(found)) == (["npm test"], [])


@table_test(
    ("posttest", "dependencies", "command"),
    [
        (AUDIT, {}, "npm run tests-only"),
        ("npm audit", {"a": "1"}, "npm run tests-only"),
        ("yarn audit --level high", {"a": "1"}, "npm run tests-only"),
        ("aud --production", {"a": "1"}, "npm run tests-only"),
        ("aud --production", {}, "npm test"),
        ("snyk test", {}, "npm run tests-only"),
        ("npm run report", {}, "npm run tests-only"),
        ("eslint .", {}, "npm test"),
        ("node audit.js", {}, "npm test"),
    ],
)
def test_a_step_that_asks_the_outside_world_is_no_part_of_the_exam(tmp_path, posttest, dependencies, command):
    data = {**LINTED, "dependencies": dependencies}
    data["scripts"] = {**data["scripts"], "posttest": posttest, "report": "codecov"}
    found = write(tmp_path, data, **{".eslintrc": "{}"})
    assert exam(found) == [command]
    assert keys(found) == (["setup_node.step_asks_outside"] if command != "npm test" else [])


def test_what_is_left_out_is_said_with_its_place(tmp_path):
    found = write(tmp_path, {"scripts": {**LINTED["scripts"], "posttest": "npm audit"}}, **{".eslintrc": ""})
    assert [say(note.key, **note.values) for note in found.notes] == [
        "package.json scripts.posttest runs `npm audit`, which asks the network and so says nothing about this"
        " tree; it is left out, the other steps are run one by one"
    ]


def test_every_other_step_that_tests_stays(tmp_path):
    data = scripts(
        pretest="npm run build",
        build="tsc",
        test="npm run unit && npm run e2e",
        unit="mocha",
        e2e="node e2e.js",
        posttest="npm audit",
    )
    assert exam(write(tmp_path, data)) == ["npm run pretest", "npm run unit", "npm run e2e"]


@table_test(
    ("named", "commands"),
    [
        ({"test": "mocha 'test/**'", "posttest": "npm audit"}, ["npm test --ignore-scripts"]),
        ({"test": "mocha && npm audit"}, ["npx mocha"]),
        ({"test": "npm audit && node test.js"}, ["node test.js"]),
        ({"test": "npm audit && mocha test/*.js"}, ["npm test"]),  # a shell reads the star
        ({"test": "npm audit | tee log"}, ["npm test"]),
        ({"test": "npm run audit", "audit": "npm audit"}, ["npm test"]),  # nothing else is there
    ],
)
def test_what_can_not_be_taken_apart_stays_whole(tmp_path, named, commands):
    assert exam(write(tmp_path, {"scripts": named})) == commands


def test_another_manager_has_no_word_for_a_script_without_its_followers(tmp_path):
    data = scripts(test="mocha 'test/**'", posttest="npm audit")
    assert exam(write(tmp_path, data, **{"pnpm-lock.yaml": ""})) == ["pnpm test"]


def test_a_linter_without_its_configuration_is_left_out(tmp_path):
    data = scripts(test="npm run lint && npm run unit", lint="eslint .", unit="tape test.js")
    found = write(tmp_path, data)
    assert (exam(found), keys(found)) == (["npm run unit"], ["setup_node.step_lacks_config"])
    assert exam(write(tmp_path, {**data, "eslintConfig": {}})) == ["npm test"]
    assert exam(write(tmp_path, data, **{"eslint.config.mjs": ""})) == ["npm test"]


@table_test(
    "named",
    [
        {"test": "npm run unit", "unit": "tape test.js || true"},
        {"test": "nyc npm run unit", "unit": "tape test.js || true"},
        {"test": "c8 --100 npm run unit && tsd", "unit": "tape test.js ; exit 0"},
        {"test": "run-s lint unit", "lint": "eslint .", "unit": "mocha || :"},
        {"test": "npm run a", "a": "npm run b", "b": "jest || echo failed"},
        {"test": "mocha || true", "test:unit": "mocha unit"},  # less than `test` doesn't stand for it
    ],
)
def test_a_script_that_hides_its_failure_is_found_behind_others(tmp_path, named):
    found = write(tmp_path, {"scripts": named}, **{".eslintrc": ""})
    assert (exam(found), keys(found)) == ([], ["intake.script_cannot_fail"])


def test_a_script_that_is_as_good_stands_for_one_that_can_not_fail(tmp_path):
    data = {"scripts": {"test": "jest || true", "test:ci": "jest --ci"}}
    assert exam(write(tmp_path, data)) == ["npm run test:ci"]


def test_a_linter_that_hides_its_failure_hides_no_test(tmp_path):
    data = scripts(test="npm run lint && mocha", lint="eslint . || true")
    assert exam(write(tmp_path, data, **{".eslintrc": ""})) == ["npm test"]


@table_test(
    "named",
    [
        {"test": "npm run test"},
        {"test": "npm run a", "a": "npm run b", "b": "npm run a"},
        {"pretest": "npm test", "test": "mocha"},
        {"test": "run-s test:*", "test:a": "run-p test:*", "test:b": "mocha"},
        {"test": "mocha 'unclosed"},
        {"test": "mocha && " * 2000},
        {f"t{n}": "npm run t0 && npm run t1 && npm run t2" for n in range(3)} | {"test": "npm run t0"},
        {"test": "x;" * 5000},
    ],
)
def test_scripts_that_never_get_anywhere_are_read_to_an_end(tmp_path, named):
    assert exam(write(tmp_path, {"scripts": named})) == ["npm test"]


@table_test(
    ("data", "files", "command"),
    [
        ({}, {"test/a.js": ""}, "node --test"),
        ({}, {"a.test.mjs": ""}, "node --test"),
        ({}, {"tests/a-test.cjs": ""}, "node --test"),
        ({"devDependencies": {"mocha": "1"}}, {"test/a.js": ""}, "npx mocha"),
        ({"devDependencies": {"vitest": "1"}}, {}, "npx vitest run"),
        ({"packageManager": "bun@1"}, {"a.test.js": ""}, "bun test"),
        (
            {"scripts": {"test": 'echo "Error: no test specified" && exit 1'}},
            {"test/a.js": ""},
            "node --test",
        ),
        (None, {"a.test.js": "import test from 'node:test'"}, "node --test"),
    ],
)
def test_without_a_script_the_runner_or_the_test_files_tell(tmp_path, data, files, command):
    found = write(tmp_path, data, **files)
    assert (exam(found), keys(found)) == ([command], [])


@table_test(
    ("data", "files"),
    [
        ({}, {"src/a.js": ""}),
        ({}, {"tests/helper.js": ""}),
        ({"scripts": {"test": "true"}}, {"test/a.js": ""}),
        (None, {"a.test.js": "describe()"}),
        (None, {"test/a.js": "import test from 'node:test'"}),
    ],
)
def test_nothing_is_made_up_where_nothing_tells(tmp_path, data, files):
    assert exam(write(tmp_path, data, **files)) == []


@table_test(
    ("files", "commands"),
    [
        ({}, ["npm test -w packages/a"]),
        ({"pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n"}, ["pnpm --filter ./packages/a test"]),
        ({"yarn.lock": ""}, ["yarn workspace '@x/a' test"]),
    ],
)
def test_packages_of_a_monorepo_stand_for_a_root_without_script(tmp_path, files, commands):
    lock = {"pnpm-lock.yaml": ""} if "pnpm-workspace.yaml" in files else {}
    data = {"name": "@x/a", "scripts": {"test": "mocha"}}
    found = write(
        tmp_path,
        {"workspaces": ["packages/*"]},
        **files,
        **lock,
        **{
            "packages/a/package.json": json.dumps(data),
            "packages/b/package.json": json.dumps({"scripts": {"test": "echo none"}}),
            "packages/c/package.json": "{",
        },
    )
    assert exam(found) == [command.replace("'@x/a'", "@x/a") for command in commands]


BUILT: dict[str, Any] = {"main": "./dist/index.js", "scripts": {"build": "tsc", "test": "node --test"}}


@table_test(
    "line",
    ["require('../dist/index.js')", 'import x from "../dist"', "require('..')", "require('own')"],
)
def test_tests_of_an_ignored_build_are_run_after_the_build(tmp_path, line):
    files = {".gitignore": "node_modules\n/dist/\n", "test/a.test.js": line}
    assert exam(write(tmp_path, {**BUILT, "name": "own"}, **files)) == ["npm run build", "npm test"]


@table_test(
    ("ignored", "line", "more"),
    [
        ("", "require('../dist/index.js')", {}),
        ("dist", "require('../src/index.js')", {}),
        ("dist", "require('../dist/index.js')", {"pretest": "npm run build"}),
    ],
)
def test_a_build_that_the_tests_do_not_wait_for_is_left_alone(tmp_path, ignored, line, more):
    data = {**BUILT, "scripts": {**BUILT["scripts"], **more}}
    assert exam(write(tmp_path, data, **{".gitignore": ignored, "test/a.test.js": line})) == ["npm test"]


@table_test(
    ("script", "makefile", "commands"),
    [
        ("make test", "test:\n\tmocha\n", ["npm test"]),
        ("mocha", "test:\n\t@npm test\n", ["npm test"]),
        ("mocha", "test: build\n\tnpm run test\n\nlint:\n\teslint\n", ["npm test"]),
        ("mocha", "test:\n\tnpm test\n\tgo test\n", ["npm test", "make test"]),
    ],
)
def test_a_target_that_is_the_script_itself_is_not_run_twice(tmp_path, script, makefile, commands):
    assert exam(write(tmp_path, scripts(test=script), Makefile=makefile)) == commands
