"""Which part a file has in the exam: test, support, configuration, source or neither. Pure.

`role_of` goes by the path alone, with tables of the names that the usual runners go by; what a project says
itself is `project/exam_table.py`.
"""

import re
from typing import Literal, NamedTuple

Role = Literal["test", "support", "config", "source", "other"]
"""test: holds tests. support: conftest, test helpers, fixtures, snapshots. config: says how the exam is run
or judged (package.json, Makefile, tox.ini, pytest.ini, CI files). source: product code. other: the rest."""


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _shape(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE | re.DOTALL)


_JS = "js jsx mjs cjs ts tsx mts cts"
CODE = names(
    f"{_JS} py pyi pyx pxd go rs java kt kts scala groovy rb php cs fs vb swift ex exs dart c h cc cpp cxx "
    "hpp hh m mm lua pl pm t r jl hs ml mli clj cljs cljc erl nim zig vue svelte astro sh bash zsh bats "
    "ps1 sql coffee feature robot"
)
FOREIGN_FOLDERS = names(
    "node_modules .git .venv venv site-packages __pycache__ .tox .nox .mypy_cache .pytest_cache"
)
TEST_FOLDERS = names(
    "test tests __tests__ __test__ spec specs e2e cypress testing-e2e integration-tests unit-tests "
    "integration_tests "
    "unit_tests functional_tests benches androidtest testthat"
)
DATA_FOLDERS = names(
    "testdata test-data test_data __snapshots__ __fixtures__ golden goldens fixtures snapshots cassettes"
)
SURE_DATA = names("testdata test-data test_data __snapshots__ __fixtures__")  # no product has these
HELPER_FOLDERS = names(
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
PYTEST_COLLECTS = re.compile(r"test.{0,150}\.py|.{1,150}_test\.py", re.DOTALL)

CONFIG_NAMES = names(
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
    r"\.env(?:\.(?!example|sample|template|dist)[\w-]{1,40})?",
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
SCRIPT_SUFFIXES = ("", "sh", "bash", "py", "js", "mjs", "cjs")
SCRIPT_FOLDERS = names("scripts script bin ci tools hack build-tools .ci dev tasks")
MIXED = names(
    "package.json pyproject.toml setup.cfg tox.ini makefile gnumakefile justfile .justfile "
    "cargo.toml go.mod go.work pom.xml build.gradle "
    "build.gradle.kts build.rs "
    "settings.gradle settings.gradle.kts tsconfig.json cmakelists.txt meson.build composer.json "
    "deno.json deno.jsonc "
    ".env .npmrc .babelrc pipfile"
)

EXAM_ROLES: frozenset[Role] = frozenset(("test", "support", "config"))


class SplitPath(NamedTuple):
    folders: tuple[str, ...]  # in small letters
    name: str
    small: str  # the name in small letters
    stem: str  # the small name up to its first dot
    suffix: str  # after the last dot, small


def role_of(path: str) -> Role:
    """The part that the file at `path`, relative to the project's root, has in the exam."""
    here = split_path(path)
    if FOREIGN_FOLDERS.intersection(here.folders):
        return "other"
    if _is_config(here):
        return "config"
    if _is_support(here):
        return "support"
    if _is_test(here):
        return "test"
    if TEST_FOLDERS.intersection(here.folders) and here.suffix not in CODE:
        return "support"
    return "source" if here.suffix in CODE else "other"


def exam_side(path: str) -> bool:
    """Whether it is put back, as at the base, to run the base's exam."""
    return role_of(path) in EXAM_ROLES


def is_mixed(path: str) -> bool:
    """Configuration that the product needs as well (dependencies, module type): put back only with cause."""
    return split_path(path).small in MIXED


def split_path(path: str) -> SplitPath:
    *folders, name = path.split("/")
    small = name.lower()
    head, _, suffix = small.rpartition(".")
    return SplitPath(
        tuple(each.lower() for each in folders if each not in ("", ".")),
        name,
        small,
        small.lstrip(".").partition(".")[0],
        suffix if head else "",
    )


def _is_config(here: SplitPath) -> bool:
    if here.small in CONFIG_NAMES or CONFIG_SHAPES.fullmatch(here.small):
        return not DATA_FOLDERS.intersection(here.folders)
    if any(_under(here.folders, each) for each in CONFIG_FOLDERS):
        return True
    if not RUNNER_SCRIPT.fullmatch(here.small) or here.suffix not in SCRIPT_SUFFIXES:
        return False
    if here.suffix in ("sh", "bash", "") and not _in_test_folder(here):
        return not here.folders or bool(SCRIPT_FOLDERS.intersection(here.folders))
    # a script in another language is one only where scripts are kept, else test_cart.py would be one
    return bool(SCRIPT_FOLDERS.intersection(here.folders[-1:])) or here.stem.startswith("run")


def _under(folders: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return folders[: len(wanted)] == wanted


def _is_support(here: SplitPath) -> bool:
    if SUPPORT_NAMES.fullmatch(here.small) or SNAPSHOT.fullmatch(here.small):
        return True
    if DATA_FOLDERS.intersection(here.folders):
        return _in_test_folder(here) or here.suffix not in CODE or bool(SURE_DATA.intersection(here.folders))
    if not _in_test_folder(here) or named_like_a_test(here):
        return False
    helps = HELPER_FOLDERS.intersection(here.folders) or HELPER_NAMES.fullmatch(here.stem)
    return bool(helps) or here.suffix in ("java", "kt", "scala", "groovy", "rb", "exs", "go")


def _is_test(here: SplitPath) -> bool:
    if named_like_a_test(here):
        return True
    return here.suffix in CODE and _in_test_folder(here)


def named_like_a_test(here: SplitPath) -> bool:
    shape = TEST_NAMES.get(here.suffix)
    return shape is not None and bool(shape.fullmatch(here.name))


def _in_test_folder(here: SplitPath) -> bool:
    return bool(TEST_FOLDERS.intersection(here.folders)) or any(
        re.fullmatch(r"[\w.-]{1,80}[.-]tests?", each) for each in here.folders
    )
