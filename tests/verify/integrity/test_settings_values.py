"""Configuration that asks less of the exam is found; what is only added, moved or stricter is not."""

import pytest

from donewhen.core.texts import say
from donewhen.verify.integrity.settings import ChangedFile, compare_settings
from tests.tables import table_test


def compared(*files):
    made = [
        ChangedFile(path, *(None if each is None else each.encode() for each in sides))
        for path, *sides in files
    ]
    return compare_settings(made)


def rules(*files):
    return sorted({finding.rule for finding in compared(*files) if finding.blocks})


PYTEST = "[tool.pytest.ini_options]\n"
JEST = "module.exports = {{\n  testEnvironment: 'node',\n{}}};\n"
VITEST = (
    "import {{ defineConfig }} from 'vitest/config';\nexport default defineConfig({{ test: {{ {} }} }});\n"
)
POM = (
    "<project><build><plugins><plugin><configuration>{}</configuration></plugin></plugins></build></project>"
)

CHEATS: dict[str, tuple] = {
    "a keyword filter": (
        "pyproject.toml",
        PYTEST,
        PYTEST + "addopts = \"-k 'not slow'\"\n",
        "command-weakened",
    ),
    "a deselected test": (
        "pytest.ini",
        None,
        "[pytest]\naddopts = --deselect tests/test_a.py::test_b\n",
        "command-weakened",
    ),
    "an ignored folder": (
        "setup.cfg",
        "[metadata]\nname=x\n",
        "[tool:pytest]\naddopts = --ignore=tests/int\n",
        "command-weakened",
    ),
    "only collecting": ("tox.ini", "[pytest]\n", "[pytest]\naddopts = --collect-only\n", "command-weakened"),
    "a plugin of the project": ("pytest.ini", None, "[pytest]\naddopts = -p green_plugin\n", "startup-hook"),
    "fewer test paths": (
        "pyproject.toml",
        PYTEST + 'testpaths = ["tests", "more"]\n',
        PYTEST + 'testpaths = ["tests"]\n',
        "command-weakened",
    ),
    "a narrow test path": ("pytest.ini", None, "[pytest]\ntestpaths = tests/unit\n", "command-weakened"),
    "other file names": ("pytest.ini", None, "[pytest]\npython_files = check_*.py\n", "command-weakened"),
    "other function names": (
        "pytest.ini",
        None,
        "[pytest]\npython_functions = check_*\n",
        "command-weakened",
    ),
    "folders that are not entered": (
        "pytest.ini",
        None,
        "[pytest]\nnorecursedirs = integration\n",
        "command-weakened",
    ),
    "xfail that may pass": (
        "pytest.ini",
        "[pytest]\nxfail_strict = true\n",
        "[pytest]\n",
        "command-weakened",
    ),
    "an empty file that hides the settings": (
        "pytest.ini",
        None,
        "[pytest]\n",
        "command-weakened",
        ("pyproject.toml", PYTEST + "xfail_strict = true\n"),
    ),
    "a coverage limit in options": (
        "pytest.ini",
        "[pytest]\naddopts = --cov --cov-fail-under=90\n",
        "[pytest]\naddopts = --cov\n",
        "command-weakened",
    ),
    "a lower limit": (
        ".coveragerc",
        "[report]\nfail_under = 90\n",
        "[report]\nfail_under = 40\n",
        "threshold-lowered",
    ),
    "no limit": (
        "pyproject.toml",
        "[tool.coverage.report]\nfail_under = 90\n",
        "[tool.coverage.report]\n",
        "threshold-lowered",
    ),
    "code left out of coverage": (
        ".coveragerc",
        "[run]\nbranch=true\n",
        "[run]\nbranch=true\nomit = cart/pricing.py\n",
        "coverage-excluded",
    ),
    "lines left out of coverage": (
        "pyproject.toml",
        "[tool.coverage.report]\n",
        '[tool.coverage.report]\nexclude_also = ["def total"]\n',
        "coverage-excluded",
    ),
    "branches not counted": (
        ".coveragerc",
        "[run]\nbranch = true\n",
        "[run]\nbranch = false\n",
        "threshold-lowered",
    ),
    "jest ignores a test": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  testPathIgnorePatterns: ['cart'],\n"),
        "command-weakened",
    ),
    "jest ignores one file of the tests": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  testPathIgnorePatterns: ['tests/cart.js'],\n"),
        "command-weakened",
    ),
    "jest ignores all tests": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  testPathIgnorePatterns: ['/tests/'],\n"),
        "command-weakened",
    ),
    "jest takes one file": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  testMatch: ['tests/test.js'],\n"),
        "command-weakened",
    ),
    "jest passes without tests": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  passWithNoTests: true,\n"),
        "command-weakened",
    ),
    "jest takes other names": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  testMatch: ['**/easy/*.js'],\n"),
        "command-weakened",
    ),
    "jest forgets a name": (
        "jest.config.js",
        JEST.format("  testMatch: ['**/*.check.js'],\n"),
        JEST.format(""),
        "command-weakened",
    ),
    "jest set up by a file": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  setupFiles: ['./green.js'],\n"),
        "startup-hook",
    ),
    "jest maps the product": (
        "package.json",
        '{"jest": {}}',
        '{"jest": {"moduleNameMapper": {"^../cart$": "<rootDir>/fake.js"}}}',
        "shim",
    ),
    "jest has another runner": (
        "package.json",
        '{"jest": {}}',
        '{"jest": {"testRunner": "./runner.js"}}',
        "startup-hook",
    ),
    "a lower jest limit": (
        "package.json",
        '{"jest": {"coverageThreshold": {"global": {"lines": 90}}}}',
        '{"jest": {"coverageThreshold": {"global": {"lines": 10}}}}',
        "threshold-lowered",
    ),
    "vitest leaves a folder out": (
        "vitest.config.ts",
        VITEST.format(""),
        VITEST.format("exclude: ['cart/**']"),
        "command-weakened",
    ),
    "vitest replaces a module": (
        "vitest.config.ts",
        VITEST.format(""),
        VITEST.format("alias: { './cart': './fake-cart.js' }"),
        "shim",
    ),
    "a computed selection": (
        "vitest.config.ts",
        VITEST.format(""),
        VITEST.format("include: pick()"),
        "not-compared",
    ),
    "a configuration that asks": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("") + "if (process.env.HARNESS) module.exports.bail = 0;\n",
        "not-compared",
    ),
    "mocha filters": (
        ".mocharc.json",
        '{"spec": "test"}',
        '{"spec": "test", "grep": "adds"}',
        "command-weakened",
    ),
    "mocha loads a file": (
        ".mocharc.yml",
        "spec: test\n",
        "spec: test\nrequire: ./green.js\n",
        "startup-hook",
    ),
    "mocha may be focused": (
        ".mocharc.yml",
        "forbid-only: true\n",
        "forbid-only: false\n",
        "command-weakened",
    ),
    "nyc no longer checks": (
        ".nycrc",
        '{"check-coverage": true, "lines": 90}',
        '{"lines": 90}',
        "command-weakened",
    ),
    "tox does not mind": (
        "tox.ini",
        "[testenv]\ncommands = pytest\n",
        "[testenv]\nignore_outcome = true\ncommands = pytest\n",
        "command-weakened",
    ),
    "tox sets options": (
        "tox.ini",
        "[testenv]\ncommands = pytest\n",
        "[testenv]\nsetenv =\n    PYTEST_ADDOPTS=-k fast\ncommands = pytest\n",
        "command-weakened",
    ),
    "npm has another shell": (".npmrc", None, "script-shell=./sh\n", "path-trick"),
    "npm loads a file": (".npmrc", None, "node-options=--require ./green.js\n", "startup-hook"),
    "npm ignores hooks": (".npmrc", "fund=false\n", "fund=false\nignore-scripts=true\n", "command-weakened"),
    "an environment that loads": (
        ".env",
        "A=1\n",
        "A=1\nNODE_OPTIONS=--import ./green.mjs\n",
        "startup-hook",
    ),
    "a switch for skipping": (".envrc", None, "export SKIP_TESTS=1\n", "command-weakened"),
    "a Cargo test gone": (
        "Cargo.toml",
        '[[test]]\nname = "a"\n[[test]]\nname = "b"\n',
        '[[test]]\nname = "b"\n',
        "command-weakened",
    ),
    "a Cargo test without harness": (
        "Cargo.toml",
        '[[test]]\nname = "a"\n',
        '[[test]]\nname = "a"\nharness = false\n',
        "command-weakened",
    ),
    "Cargo finds no tests": (
        "Cargo.toml",
        '[package]\nname = "x"\n',
        '[package]\nname = "x"\nautotests = false\n',
        "command-weakened",
    ),
    "Cargo's tests are run by true": (
        ".cargo/config.toml",
        None,
        "[target.x86_64-unknown-linux-gnu]\nrunner = 'true'\n",
        "path-trick",
    ),
    "Maven skips": ("pom.xml", POM.format(""), POM.format("<skipTests>true</skipTests>"), "command-weakened"),
    "Maven ignores failures": (
        "pom.xml",
        POM.format(""),
        POM.format("<testFailureIgnore>true</testFailureIgnore>"),
        "command-weakened",
    ),
    "Maven leaves a test out": (
        "pom.xml",
        POM.format(""),
        POM.format("<excludes><exclude>**/CartTest.java</exclude></excludes>"),
        "command-weakened",
    ),
    "Gradle ignores failures": (
        "build.gradle",
        "test {\n}\n",
        "test {\n  ignoreFailures = true\n}\n",
        "command-weakened",
    ),
    "Gradle leaves a test out": (
        "build.gradle.kts",
        "",
        'tasks.test { exclude("**/CartTest*") }\n',
        "command-weakened",
    ),
    "Go's test library replaced": (
        "go.mod",
        "module x\n",
        "module x\nreplace github.com/stretchr/testify => ./testify\n",
        "shim",
    ),
    "a CI job that may fail": (
        ".github/workflows/ci.yml",
        "jobs:\n  t:\n    steps:\n      - run: pytest\n",
        "jobs:\n  t:\n    continue-on-error: true\n    steps:\n      - run: pytest\n",
        "command-weakened",
    ),
    "a CI job that never runs": (
        ".github/workflows/ci.yml",
        "jobs:\n  t:\n    steps:\n      - run: pytest\n",
        "jobs:\n  t:\n    if: false\n    steps:\n      - run: pytest\n",
        "command-weakened",
    ),
    "make runs another shell": (
        "Makefile",
        "test:\n\tpytest\n",
        "SHELL = ./sh\ntest:\n\tpytest\n",
        "path-trick",
    ),
    "make changes the path": (
        "Makefile",
        "test:\n\tpytest\n",
        "export PATH := $(CURDIR)/tools:$(PATH)\ntest:\n\tpytest\n",
        "path-trick",
    ),
    "broken configuration": ("pyproject.toml", PYTEST, "[tool.pytest\n", "not-compared"),
}


@table_test("name", CHEATS)
def test_what_asks_less_is_found(name):
    path, base, now, rule, *context = CHEATS[name]
    assert rule in rules((path, base, now), *((other, text, text) for other, text in context))


HONEST = {
    "a dependency": (
        "pyproject.toml",
        '[project]\nname = "x"\n' + PYTEST,
        '[project]\nname = "x"\ndependencies = ["rich"]\n' + PYTEST,
    ),
    "an npm dependency": (
        "package.json",
        '{"name": "x"}',
        '{"name": "x", "type": "module", "dependencies": {"a": "1"}}',
    ),
    "the first pytest settings": (
        "pytest.ini",
        None,
        "[pytest]\ntestpaths = tests\naddopts = -q --strict-markers\n",
    ),
    "a marker": ("pytest.ini", "[pytest]\n", "[pytest]\nmarkers =\n    slow: takes long\n"),
    "source on the path": ("pyproject.toml", PYTEST, PYTEST + 'pythonpath = ["src"]\n'),
    "one more test path": (
        "pytest.ini",
        "[pytest]\ntestpaths = tests\n",
        "[pytest]\ntestpaths = tests more\n",
    ),
    "verbosity": ("pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -ra -v\n"),
    "a stricter limit": (".coveragerc", "[report]\nfail_under = 80\n", "[report]\nfail_under = 90\n"),
    "usual exclusions": (
        ".coveragerc",
        None,
        "[run]\nomit =\n    tests/*\n    */__init__.py\n[report]\nexclude_lines =\n    pragma: no cover\n    if TYPE_CHECKING:\n",
    ),
    "coverage with branches": ("pyproject.toml", "", "[tool.coverage.run]\nbranch = true\n"),
    "a lint configuration": (
        "ruff.toml",
        None,
        'line-length = 100\n[lint]\nselect = ["E"]\nignore = ["E501"]\n',
    ),
    "jest with an environment": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  verbose: true,\n  clearMocks: true,\n"),
    ),
    "the first jest configuration": ("jest.config.js", None, JEST.format("  testMatch: ['**/*.test.js'],\n")),
    "usual ignores": (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  testPathIgnorePatterns: ['/node_modules/', '/dist/'],\n"),
    ),
    "a reporter": (
        "vitest.config.ts",
        VITEST.format(""),
        VITEST.format("globals: true, reporters: ['default']"),
    ),
    "vitest with its usual exclusions": (
        "vitest.config.ts",
        None,
        VITEST.format("environment: 'node', exclude: ['node_modules', 'dist']"),
    ),
    "an alias for the sources": (
        "vite.config.js",
        "export default { };\n",
        "export default { resolve: { alias: { '@': './src', '~': './src' } } };\n",
    ),
    "styles that are no code": (
        "jest.config.js",
        JEST.format(""),
        JEST.format(
            "  moduleNameMapper: {'\\\\.css$': './test/styles.js', '^@/(.*)$': '<rootDir>/src/$1'},\n"
        ),
    ),
    "a list of usual names less": (
        "jest.config.js",
        JEST.format("  testMatch: ['**/*.test.js'],\n"),
        JEST.format(""),
    ),
    "what Vite should bundle": (
        "vite.config.js",
        "export default { };\n",
        "export default { optimizeDeps: { include: ['x'], exclude: ['y'] } };\n",
    ),
    "vitest's own exclusions and more": (
        "vitest.config.ts",
        VITEST.format(""),
        VITEST.format("exclude: [...configDefaults.exclude, 'dist/**']"),
    ),
    "eslint with what others recommend": (
        "eslint.config.js",
        "export default [{ rules: {} }];\n",
        "export default [...js.configs.recommended, { rules: {} }];\n",
    ),
    "what coverage need not count": (
        "vitest.config.ts",
        VITEST.format(""),
        VITEST.format(
            "coverage: { exclude: ['tests/**', '**/*.config.ts', 'node_modules/**', '**/*.test.ts'] }"
        ),
    ),
    "a plugin call": (
        "vite.config.js",
        "export default { plugins: [] };\n",
        "import react from 'r';\nexport default { plugins: [react()] };\n",
    ),
    "a mocha timeout": (".mocharc.json", '{"spec": "test"}', '{"spec": "test", "timeout": 5000}'),
    "tsconfig targets": (
        "tsconfig.json",
        '{"compilerOptions": {"target": "es2020"}}',
        '{\n// newer\n"compilerOptions": {"target": "es2022",},}',
    ),
    "an npm setting": (".npmrc", None, "save-exact=true\nfund=false\n"),
    "an environment": (".env", "A=1\n", "A=1\nDATABASE_URL=sqlite://\nDEBUG=1\n"),
    "a Cargo dependency": (
        "Cargo.toml",
        '[package]\nname = "x"\n',
        '[package]\nname = "x"\n[dependencies]\nserde = "1"\n',
    ),
    "a Maven dependency": ("pom.xml", POM.format(""), POM.format("<release>17</release>")),
    "a Gradle dependency": (
        "build.gradle",
        "dependencies {\n}\n",
        "dependencies {\n  testImplementation 'junit:junit:4.13'\n}\n",
    ),
    "Gradle with JUnit's platform": ("build.gradle", "", "test {\n  useJUnitPlatform()\n}\n"),
    "a go requirement": ("go.mod", "module x\n", "module x\nrequire github.com/stretchr/testify v1.9.0\n"),
    "a CI job more": (
        ".github/workflows/ci.yml",
        "on: push\njobs:\n  t:\n    steps:\n      - run: pytest\n",
        "on: [push, pull_request]\njobs:\n  lint:\n    steps:\n      - run: ruff check .\n  t:\n    steps:\n      - uses: actions/checkout@v4\n      - run: pytest\n",
    ),
    "make's shell": (
        "Makefile",
        "test:\n\tpytest\n",
        "SHELL := /bin/bash\n.SHELLFLAGS := -eu -o pipefail -c\ntest:\n\tpytest\n",
    ),
    "make's path to node": (
        "Makefile",
        "test:\n\tpytest\n",
        "export PATH := ./node_modules/.bin:$(PATH)\ntest:\n\tpytest\n",
    ),
    "formatting": (
        "package.json",
        '{"jest":{"roots":["a"]}}',
        '{\n  "jest": {\n    "roots": ["a"]\n  }\n}\n',
    ),
}


@table_test("name", HONEST)
def test_honest_changes_are_silent(name):
    assert compared(HONEST[name]) == ()


def test_settings_may_move_to_another_file():
    options = "testpaths = tests more\nxfail_strict = true\n"
    moved = PYTEST + 'testpaths = ["tests", "more"]\nxfail_strict = true\n'
    assert compared(("setup.cfg", "[tool:pytest]\n" + options, None), ("pyproject.toml", None, moved)) == ()
    jest = JEST.format("  testMatch: ['**/*.check.js'],\n")
    assert compared(("jest.config.js", jest, None), ("jest.config.cjs", None, jest)) == ()


def test_a_path_may_follow_a_renamed_folder():
    files = [("checks/test_a.py", "a", None), ("quality/test_a.py", None, "a")]
    before, now = ("[pytest]\ntestpaths = " + name for name in ("checks", "quality"))
    assert compared(("pytest.ini", before, now), *files) == ()
    assert rules(("pytest.ini", before, now)) == ["command-weakened"]


def test_lint_is_only_a_warning():
    found = compared(("ruff.toml", "[lint]\nignore = []\n", '[lint]\nignore = ["F401"]\n'))
    assert [(each.rule, each.policy) for each in found] == [("ignores-spread", "warn")]


def test_a_finding_says_where_and_what_was_there():
    (finding,) = compared(
        (".coveragerc", "[report]\nfail_under = 90\n", "[run]\nbranch = true\n[report]\nfail_under = 5\n")
    )
    assert (finding.file, finding.line, finding.before) == (".coveragerc", 4, "report.fail_under = 90")
    for language in ("en", "zh"):
        assert "90" in say(finding.message.key, language, **finding.message.values)
        assert say(finding.wanted.key, language, **finding.wanted.values)


@pytest.mark.runs
@table_test(
    ("path", "now"),
    [
        ("package.json", "{" * 5000),
        ("package.json", '{"a":' * 3000 + "1" + "}" * 3000),
        ("pyproject.toml", "a = " + "[" * 3000),
        ("pyproject.toml", "a" + ".a" * 900 + " = 1\n"),
        (".mocharc.yml", "a: &a [x]\nb: " + "[" * 500),
        ("pom.xml", "<a>" * 20000),
        ("pom.xml", "<!--" * 100000),
        ("pom.xml", "<a " * 100000),
        ("go.mod", "is" * 200000),
        ("build.gradle", "exclude " * 60000),
        ("jest.config.js", "x = [" + "...[" * 50000),
        ("jest.config.js", "a.b = " * 40000 + "1"),
        ("jest.config.js", "module.exports = {a: " + "b ? c : " * 20000 + "1}"),
        ("Makefile", "".join(f"t{n}: ; pytest\n" for n in range(5000))),
        ("setup.cfg", " " * 400000),
        (".env", "export " * 60000),
        ("jest.config.js", "module.exports = " + "[" * 3000),
        ("Makefile", "test: " * 9000),
        ("Makefile", "A = $(A)\ntest:\n\t$(A)\n"),
        ("tox.ini", "[" * 9000),
        (".github/workflows/ci.yml", "{{{{"),
        ("package.json", '{"scripts": {"test": "' + "(" * 3000 + '"}}'),
        ("run_tests.sh", "#!/bin/sh\n" + "if true; then\n" * 400),
    ],
)
def test_hostile_files_neither_raise_nor_hang(path, now):
    for finding in compared((path, "x = 1\n", now)):
        assert finding.file == path


def test_bytes_that_are_no_text_are_not_fatal():
    files = [
        ChangedFile("pytest.ini", b"[pytest]\n", b"\xff\xfe\0[pytest]"),
        ChangedFile("tests/\udce9.mk", None, b"\xff"),
    ]
    assert all(finding.rule == "not-compared" for finding in compare_settings(files))


def test_a_setup_file_is_judged_by_what_it_can_do():
    jest = (
        "jest.config.js",
        JEST.format(""),
        JEST.format("  setupFilesAfterEnv: ['<rootDir>/jest.setup.js'],\n"),
    )
    assert rules(jest, ("jest.setup.js", None, "import '@testing-library/jest-dom';\n")) == []
    assert rules(jest, ("jest.setup.js", None, "global.expect = () => new Proxy({}, {});\n")) == [
        "startup-hook"
    ]
    assert rules(jest) == ["startup-hook"]
