"""Which part a file has in the exam: test, support, configuration, source or neither. Pure.

`role_of` goes by the path alone, with tables of the names that the usual runners go by; `ExamTable` adds what
the project says itself: its runners' settings, the folders that its commands name, and `evidence.exam`.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from donewhen.core.integrity.model import Role
from donewhen.core.paths import Patterns


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
    "package.json pyproject.toml setup.cfg tox.ini makefile gnumakefile justfile .justfile "
    "cargo.toml go.mod go.work pom.xml build.gradle "
    "build.gradle.kts build.rs "
    "settings.gradle settings.gradle.kts tsconfig.json cmakelists.txt meson.build composer.json "
    "deno.json deno.jsonc "
    ".env .npmrc .babelrc pipfile"
)

_EXAM: frozenset[Role] = frozenset(("test", "support", "config"))


class _Path(NamedTuple):
    folders: tuple[str, ...]  # in small letters
    name: str
    small: str  # the name in small letters
    stem: str  # the small name up to its first dot
    suffix: str  # after the last dot, small

    @property
    def language(self) -> str:
        return LANGUAGE_OF.get(self.suffix, "")


def role_of(path: str) -> Role:
    """The part that the file at `path`, relative to the project's root, has in the exam."""
    here = _split(path)
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


def collected(path: str, language: str) -> bool:
    """Whether the usual runner of the language takes a file of this name for one with tests in it."""
    here = _split(path)
    shape = COLLECTED.get(language)
    if shape is None:
        return role_of(path) == "test"
    if not shape.fullmatch(here.name):
        return language in TESTED_BY_FOLDER and here.language == language and _in_test_folder(here)
    return language != "rust" or _in_test_folder(here)


def exam_side(path: str) -> bool:
    """Whether it is put back, as at the base, to sit the base's exam."""
    return role_of(path) in _EXAM


def is_mixed(path: str) -> bool:
    """Configuration that the product needs as well (dependencies, module type): put back only with cause."""
    return _split(path).small in MIXED


def _split(path: str) -> _Path:
    *folders, name = path.split("/")
    small = name.lower()
    head, _, suffix = small.rpartition(".")
    return _Path(
        tuple(each.lower() for each in folders if each not in ("", ".")),
        name,
        small,
        small.lstrip(".").partition(".")[0],
        suffix if head else "",
    )


def _is_config(here: _Path) -> bool:
    if here.small in CONFIG_NAMES or CONFIG_SHAPES.fullmatch(here.small):
        return not DATA_FOLDERS.intersection(here.folders)
    if any(_under(here.folders, each) for each in CONFIG_FOLDERS):
        return True
    if not RUNNER_SCRIPT.fullmatch(here.small) or here.suffix not in (
        "",
        "sh",
        "bash",
        "py",
        "js",
        "mjs",
        "cjs",
    ):
        return False
    if here.suffix in ("sh", "bash", "") and not _in_test_folder(here):
        return not here.folders or bool(SCRIPT_FOLDERS.intersection(here.folders))
    # a script in another language is one only where scripts are kept, else test_cart.py would be one
    return bool(SCRIPT_FOLDERS.intersection(here.folders[-1:])) or here.stem.startswith("run")


def _under(folders: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    return folders[: len(wanted)] == wanted


def _is_support(here: _Path) -> bool:
    if SUPPORT_NAMES.fullmatch(here.small) or SNAPSHOT.fullmatch(here.small):
        return True
    if DATA_FOLDERS.intersection(here.folders):
        return _in_test_folder(here) or here.suffix not in CODE or bool(SURE_DATA.intersection(here.folders))
    if not _in_test_folder(here) or _named_like_a_test(here):
        return False
    helps = HELPER_FOLDERS.intersection(here.folders) or HELPER_NAMES.fullmatch(here.stem)
    return bool(helps) or (
        here.suffix in ("java", "kt", "scala", "groovy", "rb", "exs", "go") and here.suffix in CODE
    )


def _is_test(here: _Path) -> bool:
    if _named_like_a_test(here):
        return True
    return here.suffix in CODE and _in_test_folder(here)


def _named_like_a_test(here: _Path) -> bool:
    shape = TEST_NAMES.get(here.suffix)
    return shape is not None and bool(shape.fullmatch(here.name))


def _in_test_folder(here: _Path) -> bool:
    return bool(TEST_FOLDERS.intersection(here.folders)) or any(
        re.fullmatch(r"[\w.-]{1,80}[.-]tests?", each) for each in here.folders
    )


# --- what the project says itself ---

SETTINGS = re.compile(  # files that say what its runners collect
    r"(?:.{1,400}/)?(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?pytest\.ini|package\.json|\.mocharc\.\w{2,5}"
    r"|(?:jest|vitest|vite|ava|jasmine)(?:\.[\w-]{1,40})?\.(?:config|conf)\.(?:[cm]?[jt]s|json))"
)
_LARGEST = 512 * 1024
_PYTEST_SECTIONS = ("pytest", "tool:pytest")
_RUNNERS = _names(
    "pytest py.test unittest nose2 mocha _mocha ava tape tap uvu jasmine jest vitest bats rspec"
)
_QUOTED = r"\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|`[^`\n]{0,300}`"
_JS_SETTING = re.compile(
    r"\b(testMatch|testRegex|spec|spec_files|include|files|setupFiles|setupFilesAfterEnv|globalSetup"
    rf"|globalTeardown|require|snapshotResolver)[\"']?\s{{0,9}}:\s{{0,9}}(\[(?:{_QUOTED}|//[^\n]{{0,300}}|[\s,]){{1,400}}\]|{_QUOTED})"
)
_JS_OWNERS = {"include": "vite", "files": "ava"}  # words that mean something else elsewhere
_JS_TESTS = _names("testMatch testRegex spec spec_files include files")
_JS_COVERAGE = re.compile(
    r"\b(?:coverage|typecheck)[\"']?\s{0,9}:\s{0,9}\{(?:[^{}]|\{[^{}]{0,2000}\}){0,4000}\}"
)
_NODE_BLOCKS = ("jest", "mocha", "ava", "vitest", "jasmine")
_DOCTESTS = re.compile(r"--doctest-modules|-m doctest\b|--doctest-glob[= ]([^\s\"',]{1,100})|--with-doctest")
_HOLDS_ALL = _names(
    ". src lib app apps packages source python"
)  # named as roots they hold the product as well
_NO_PRODUCT = TEST_FOLDERS | _names("docs doc examples example benchmarks scripts tools ci")
_PLAIN_GLOB = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_GLOB = re.compile(r"\*\*/|\*\*|\*|\?\(|[+@*]\(|\?|\{|\}|\||\)|,|\[[^\]]{1,60}\]|[^*?+@{}|(),\[]{1,300}|.")


_EXAM_FOLDER = re.compile(r"test|spec|check|verif|accept|integration|e2e|smoke", re.IGNORECASE)
_IN_FOLDER = re.compile(r"cd ([^\s&;|]{1,300}) && ")


class ExamTable(NamedTuple):
    """The names that everybody uses, with what the project says itself."""

    given: tuple[str, ...] = ()  # gitignore patterns of `evidence.exam`
    tests: tuple[re.Pattern[str], ...] = ()  # paths that its runners collect, beside the usual names
    support: frozenset[str] = frozenset()  # files that their settings load
    roots: tuple[str, ...] = ()  # folders where Python tests are looked for; none: everywhere
    folders: tuple[str, ...] = ()  # that hold nothing but tests and what they use
    packages: tuple[str, ...] = ()  # that are shipped
    holders: frozenset[str] = frozenset()  # folders of tests inside of them
    doctests: bool = False

    def role(self, path: str) -> Role:
        usual = role_of(path)
        here = _split(path)
        if FOREIGN_FOLDERS.intersection(here.folders):
            return usual
        inside: Role = "test" if here.suffix in CODE else "support"
        if Patterns(self.given).match(path):
            return usual if usual in _EXAM else inside
        if usual == "config":
            return usual
        if path in self.support:
            return "support"
        if any(shape.fullmatch(path) for shape in self.tests):
            return inside
        if usual in _EXAM:
            return usual if not self._is_shipped(path, here) else "source" if here.suffix in CODE else "other"
        return inside if _within(path, self.folders) else usual

    def is_exam(self, path: str) -> bool:
        return self.role(path) in _EXAM

    def _is_shipped(self, path: str, here: _Path) -> bool:
        """Whether it goes out with the package, whatever its name says: `click/testing.py`, `django/test`."""
        if not _within(path, self.packages) or _within(path, self.holders):
            return False
        if (
            here.small == "conftest.py"
            or SNAPSHOT.fullmatch(here.small)
            or SURE_DATA.intersection(here.folders)
        ):
            return False
        return not _is_collected(path, self.roots)


def exam_table(
    settings: Mapping[str, bytes], paths: Collection[str], lines: Iterable[str], given: Iterable[str] = ()
) -> ExamTable:
    """`settings`: files that SETTINGS matches; `paths`: of the whole tree; `lines`: what commands run."""
    said = _Said()
    for path, data in settings.items():
        if len(data) <= _LARGEST:
            _read_settings(path, data.decode(errors="replace"), said)
    folders = {folder for path in paths for folder in _above(path)}
    named = [folder for folder in _read_lines(lines, said) if folder in folders]
    asked = [folder for folder in said.roots if folder in folders]
    packages = tuple(_packages(paths))
    roots = tuple(dict.fromkeys(named or asked))
    tests = tuple(shape for text in dict.fromkeys(said.tests) if (shape := _glob(text)))
    alone = tuple(
        root
        for root in dict.fromkeys((*named, *asked))
        if _is_apart(root, packages) and _holds_tests(root, paths, tests)
    )
    holders = {
        folder
        for path in paths
        if _within(path, packages) and _named_like_a_test(_split(path)) and _is_collected(path, roots)
        for folder in _above(path)
        if folder.rpartition("/")[2].lower() in TEST_FOLDERS
    }
    support = frozenset(path for path in said.support if path in paths)
    return ExamTable(tuple(given), tests, support, roots, alone, packages, frozenset(holders), said.doctests)


def _is_apart(root: str, packages: tuple[str, ...]) -> bool:
    around = any(_within(package, (root,)) for package in packages)
    return root not in _HOLDS_ALL and not around and not _within(f"{root}/", packages)


def _holds_tests(root: str, paths: Iterable[str], tests: tuple[re.Pattern[str], ...]) -> bool:
    """Whether its name says so, or half of the code in it is tests by name."""
    if _EXAM_FOLDER.search(root.rpartition("/")[2]):
        return True
    code = [path for path in paths if _within(path, (root,)) and _split(path).suffix in CODE]
    named = sum(role_of(path) == "test" or any(shape.fullmatch(path) for shape in tests) for path in code)
    return 2 * named >= len(code) > 0


def _within(path: str, folders: Iterable[str]) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in folders))


class _Said:
    """What settings and commands say, while they are read."""

    def __init__(self) -> None:
        self.tests: list[str] = []  # globs from the root
        self.support: list[str] = []
        self.roots: list[str] = []
        self.doctests = False

    def options(self, text: str) -> None:
        for found in _DOCTESTS.finditer(text):
            self.doctests = True
            if found[1]:
                self.tests.append(f"**/{found[1]}")


def _read_settings(path: str, text: str, said: _Said) -> None:
    folder, _, name = path.rpartition("/")
    try:
        if name.endswith((".ini", ".cfg")) or name == "pyproject.toml":
            _read_pytest(folder, _pytest_options(name, text), said)
        elif name == "package.json":
            data = json.loads(text)
            for block in _NODE_BLOCKS if isinstance(data, dict) else ():
                _read_js(folder, block, json.dumps({block: data.get(block)}), said)
        else:
            _read_js(folder, name, text, said)
    except (ValueError, RecursionError, configparser.Error):
        return  # what its runner can't read says nothing


def _pytest_options(name: str, text: str) -> Mapping[str, Any]:
    if name == "pyproject.toml":
        found = tomllib.loads(text).get("tool", {}).get("pytest", {})
        return found.get("ini_options", found) if isinstance(found, dict) else {}
    reader = configparser.RawConfigParser(strict=False)
    reader.read_string(text)
    return next((dict(reader[each]) for each in _PYTEST_SECTIONS if reader.has_section(each)), {})


def _read_pytest(folder: str, options: Mapping[str, Any], said: _Said) -> None:
    said.options(" ".join(_words(options.get("addopts", ""))))
    roots = [_join(folder, word) for word in _words(options.get("testpaths", ""))]
    said.roots += roots
    for shape in _words(options.get("python_files", "")):
        for root in roots or ([folder] if shape.strip("*.py") else []):  # `*.py` alone says nothing
            said.tests.append(_join(root, f"**/{shape}"))


def _read_js(folder: str, name: str, text: str, said: _Said) -> None:
    for found in _JS_SETTING.finditer(_JS_COVERAGE.sub("", text[:_LARGEST])):
        key = found[1]
        if not name.startswith(_JS_OWNERS.get(key, "")):
            continue
        for word in re.findall(_QUOTED, found[2]):
            place = word[1:-1].replace("<rootDir>", ".").removeprefix("./")
            if key not in _JS_TESTS:
                said.support.append(_join(folder, place))
            elif key != "testRegex" and not place.startswith("!") and _is_narrow(place):
                said.tests.append(_join(folder, place))


def _is_narrow(glob: str) -> bool:
    """Whether it names tests, and not all code of a folder that may hold the product."""
    first, _, last = glob.partition("/")[0], *glob.rpartition("/")[1:]
    literal = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\.[cm]?[jt]sx?\b|[^\w.-]", "", last)
    named = re.search(r"test|spec|check", glob, re.IGNORECASE)
    return bool(named) or len(literal) > 3 or (first not in _HOLDS_ALL and not first.startswith("*"))


def _read_lines(lines: Iterable[str], said: _Said) -> Iterator[str]:
    """Folders that the runners are given; globs of files are noted."""
    for line in lines:
        inner = _IN_FOLDER.match(line)
        folder, text = (inner[1], line[inner.end() :]) if inner else ("", line)
        words = re.sub(r"[\"'()]", "", text[:4000]).split()
        said.options(" ".join(words))
        at = next((n for n, word in enumerate(words) if word.rpartition("/")[2] in _RUNNERS), None)
        if at is None:
            at = next((n for n, word in enumerate(words) if word == "--test" and "node" in words[:n]), None)
        for word in words[at + 1 :] if at is not None else ():
            plain = word.rpartition("=")[2].partition("::")[0].removeprefix("./").rstrip("/")
            if word.startswith("-") and "=" not in word:
                continue
            if "*" in plain and "/" in plain and _is_narrow(plain):
                said.tests.append(_join(folder, plain))
            elif plain and "*" not in plain:
                yield _join(folder, plain)


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split()
    return [str(each) for each in value] if isinstance(value, list) else []


def _join(folder: str, path: str) -> str:
    path = path.removeprefix("./").strip("/")
    return f"{folder}/{path}".strip("/") if path not in ("", ".") else folder


def _above(path: str) -> Iterator[str]:
    parts = path.split("/")[:-1]
    return ("/".join(parts[:count]) for count in range(1, min(len(parts), 40) + 1))


def _packages(paths: Collection[str]) -> Iterator[str]:
    """The outermost folders of Python packages that hold product."""
    known = {path.rpartition("/")[0] for path in paths if path.endswith("/__init__.py")}
    for folder in sorted(known):
        outer = folder.rpartition("/")[0]
        if outer not in known and not _NO_PRODUCT.intersection(folder.lower().split("/")):
            yield folder


def _is_collected(path: str, roots: tuple[str, ...]) -> bool:
    """Whether the usual runner takes it; Python's looks only into its roots, where it has some."""
    if not path.endswith(".py"):
        return _named_like_a_test(_split(path))
    usual = bool(COLLECTED["python"].fullmatch(path.rpartition("/")[2]))
    return path in roots or (usual and (not roots or _within(path, roots)))


def _glob(text: str) -> re.Pattern[str] | None:
    """A glob of the shells or of micromatch as an expression; None where it is none."""
    parts: list[str] = []
    ends: list[str] = []
    for part in _GLOB.findall(text[:300]):
        if part in _PLAIN_GLOB:
            parts.append(_PLAIN_GLOB[part])
        elif part in ("{", "?(", "+(", "@(", "*("):
            parts.append("(?:")
            ends.append(")" if part in ("{", "@(") else f"){part[0]}")
        elif part in ("}", ")") and ends:
            parts.append(ends.pop())
        elif part in (",", "|") and ends:
            parts.append("|")
        elif part[0] == "[" and len(part) > 2:
            parts.append(part.replace("\\", "\\\\").replace("[!", "[^"))
        else:
            parts.append(re.escape(part))
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error:
        return None
