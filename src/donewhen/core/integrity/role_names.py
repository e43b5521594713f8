"""The names that say which part a file has in the exam: tables only, read by `roles`."""

import re


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _shape(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE | re.DOTALL)


_JS = "js jsx mjs cjs ts tsx mts cts"
CODE = _names(
    f"{_JS} py pyi pyx pxd go rs java kt kts scala groovy rb php cs fs vb swift ex exs dart c h cc cpp cxx "
    "hpp hh m mm lua pl pm t r jl hs ml mli clj cljs cljc erl nim zig vue svelte astro sh bash zsh bats "
    "ps1 sql coffee feature robot"
)
LANGUAGE_OF = {
    **dict.fromkeys(_JS.split()[:4], "javascript"),
    **dict.fromkeys(_JS.split()[4:], "typescript"),
    "py": "python",
    "pyi": "python",
    "go": "go",
    "rs": "rust",
    "java": "java",
}

FOREIGN_FOLDERS = _names(
    "node_modules .git .venv venv site-packages __pycache__ .tox .nox .mypy_cache .pytest_cache"
)
TEST_FOLDERS = _names(
    "test tests __tests__ __test__ spec specs e2e cypress testing-e2e integration-tests unit-tests "
    "integration_tests "
    "unit_tests functional_tests benches androidtest testthat"
)
DATA_FOLDERS = _names(
    "testdata test-data test_data __snapshots__ __fixtures__ golden goldens fixtures snapshots cassettes"
)
SURE_DATA = _names("testdata test-data test_data __snapshots__ __fixtures__")  # no product has these
HELPER_FOLDERS = _names(
    "helpers helper support utils util common fixtures factories mocks __mocks__ stubs fakes data "
    "resources lib tools"
)
HELPER_NAMES = _shape(
    r"__init__|_.{0,80}|(?:.{0,60}[_-])?(?:conftest|helpers?|utils?|fixtures?|factor(?:y|ies)|mocks?|stubs?|fakes?|"
    r"support|common|shared|base|setup|setuptests|teardown|bootstrap|settings|builders?|mod|plugins?|compat|"
    r"doubles|commands|runner|constants)(?:[_-].{0,40})?"
)
SUPPORT_NAMES = _shape(
    r"conftest\.py",
    r"(?:jest|vitest|mocha|test|tests|cypress)[._-]?(?:setup|teardown|utils?|helpers?)(?:[._-]\w{1,20})?\.[cm]?[jt]sx?",
    r"setup[._-]?(?:tests?|jest|vitest|mocha|env)\.[cm]?[jt]sx?",
    r"global[._-]?(?:setup|teardown)\.[cm]?[jt]sx?",
    r"test[._-](?:helpers?|utils?|support)\.(?:py|rb|exs|php|go|rs|[cm]?[jt]sx?)",
    r"(?:spec|rails)_helper\.rb",
)
SNAPSHOT = _shape(r".{1,200}\.(?:snap|ambr|golden|approved\.\w{1,8}|verified\.\w{1,8}|snapshot|snap\.new)")

_XUNIT = r"(?:[A-Z]?\w{0,100}(?:Tests?|TestCase|IT|ITCase|Spec)|Test[A-Z]\w{0,100})"
_JS_TEST = (
    r".{0,150}[._-](?:test|tests|spec|specs|cy|e2e)\.[cm]?[jt]sx?"
    r"|tests?\.[cm]?[jt]sx?|test[-_].{1,120}\.[cm]?[jt]sx?"
)
_PY_TEST = (
    r"tests?\.py|tests?_.{0,120}\.py|.{1,120}_tests?\.py"
    r"|test(?!ing|imon|ament|er|bed|able|if)[A-Za-z0-9].{0,120}\.py"
)
_SNAKE = r"test_.{{1,120}}\.{0}|.{{1,120}}_(?:test|tests|spec|unittest|unittests)\.{0}"
TEST_NAMES: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(_JS.split(), _shape(_JS_TEST)),
    "py": _shape(_PY_TEST),
    "go": _shape(r".{1,120}_test\.go"),
    **{
        suffix: re.compile(rf"{_XUNIT}\.{suffix}", re.DOTALL)
        for suffix in ("java", "kt", "scala", "groovy", "cs", "fs", "vb", "swift", "php", "hs")
    },
    **{
        suffix: _shape(_SNAKE.format(suffix))
        for suffix in "rb exs dart c cc cpp cxx lua ml clj cljs jl nim zig erl rs".split()
    },
    "r": _shape(r"test[-_.].{1,120}\.r"),
    "t": _shape(r".{1,120}\.t"),
    "bats": _shape(r".{1,120}\.bats"),
    "feature": _shape(r".{1,120}\.feature"),
    "robot": _shape(r".{1,120}\.robot"),
}
COLLECTED: dict[str, re.Pattern[str]] = {
    "python": re.compile(r"test.{0,150}\.py|.{1,150}_test\.py", re.DOTALL),
    "javascript": _shape(_JS_TEST),
    "typescript": _shape(_JS_TEST),
    "go": re.compile(r"(?![_.]).{1,150}_test\.go", re.DOTALL),
    "rust": re.compile(r".{1,150}\.rs", re.DOTALL),
    "java": re.compile(r"(?:\w{0,120}(?:Tests?|TestCase|IT|ITCase)|(?:Test|IT)\w{1,120})\.java"),
}
TESTED_BY_FOLDER = _names("javascript typescript")  # runners that take every file of a test folder

CONFIG_NAMES = _names(
    """
    package.json makefile gnumakefile justfile .justfile tox.ini tox.toml noxfile.py pytest.ini
    .pytest.ini pytest.toml
    .pytest.toml setup.cfg pyproject.toml .coveragerc .npmrc .yarnrc .yarnrc.yml .taprc .nycrc .c8rc .mocharc
    .babelrc .eslintignore .eslintrc .gitlab-ci.yml .travis.yml appveyor.yml azure-pipelines.yml jenkinsfile
    bitbucket-pipelines.yml .drone.yml .cirrus.yml cargo.toml build.rs go.mod go.work pom.xml build.gradle
    build.gradle.kts settings.gradle settings.gradle.kts gradle.properties taskfile.yml taskfile.yaml
    taskfile.dist.yml
    rakefile .rspec codecov.yml .codecov.yml sonar-project.properties .envrc .python-version .nvmrc
    .node-version
    .tool-versions mise.toml .mise.toml mypy.ini .mypy.ini ruff.toml .ruff.toml .flake8 .pylintrc pylintrc
    .pre-commit-config.yaml lerna.json nx.json turbo.json angular.json deno.json deno.jsonc bunfig.toml
    hatch.toml
    pixi.toml pipfile composer.json phpunit.xml phpunit.xml.dist cmakelists.txt meson.build mocha.opts
    biome.json
    .golangci.yml .golangci.yaml nextest.toml clippy.toml .swcrc unittest.cfg"""
)
CONFIG_SHAPES = _shape(
    r"[\w.-]{1,80}\.mk",
    r"(?:jest|vitest|vite|mocha|ava|karma|playwright|cypress|c8|nyc|babel|eslint|tap|wdio|stryker|jasmine)"
    r"(?:[.-][\w-]{1,40})?\.(?:config|conf|workspace)\.(?:[cm]?[jt]s|json)",
    r"(?:cypress|jasmine|nyc|jest)\.json",
    r"\.(?:mocharc|nycrc|c8rc|babelrc|eslintrc|taprc|swcrc|stylelintrc)\.(?:[cm]?js|json[c5]?|ya?ml|ts)",
    r"[jt]sconfig(?:\.[\w.-]{1,40})?\.json",
    r"\.env(?:\.[\w-]{1,40})?",
)
CONFIG_FOLDERS = (
    (".github", "workflows"),
    (".github", "actions"),
    (".circleci",),
    (".cargo",),
    (".config", "nextest"),
    (".buildkite",),
)
RUNNER_SCRIPT = _shape(
    r"(?:run|do|all|exec|ci)?[_-]?(?:unit|all|e2e|integration|smoke)?[_-]?(?:tests?|checks?|ci|verify|lint|coverage)"
    r"(?:[_-][\w-]{1,40})?(?:\.(?:sh|bash|py|[cm]?js))?",
    r"run[_-]?\w{0,40}tests?\w{0,20}(?:\.(?:sh|bash|py|[cm]?js))?",
)
SCRIPT_FOLDERS = _names("scripts script bin ci tools hack build-tools .ci dev tasks")
MIXED = _names(
    "package.json pyproject.toml setup.cfg cargo.toml go.mod go.work pom.xml build.gradle "
    "build.gradle.kts build.rs "
    "settings.gradle settings.gradle.kts tsconfig.json cmakelists.txt meson.build composer.json "
    "deno.json deno.jsonc "
    ".env .npmrc .babelrc pipfile"
)
