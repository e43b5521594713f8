"""What a project itself says of its exam: settings of its runners, folders that its commands name, and
`evidence.exam`.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from donewhen.core.paths import Patterns
from donewhen.project.folder import read_ini, read_toml
from donewhen.project.roles import (
    CODE,
    EXAM_ROLES,
    FOREIGN_FOLDERS,
    PYTEST_COLLECTS,
    SNAPSHOT,
    SURE_DATA,
    TEST_FOLDERS,
    Role,
    SplitPath,
    named_like_a_test,
    names,
    role_of,
    split_path,
)

SETTINGS = re.compile(  # files that say what its runners collect
    r"(?:.{1,400}/)?(?:pyproject\.toml|setup\.cfg|tox\.ini|\.?pytest\.ini|package\.json|\.mocharc\.\w{2,5}"
    r"|(?:jest|vitest|vite|ava|jasmine)(?:\.[\w-]{1,40})?\.(?:config|conf)\.(?:[cm]?[jt]s|json))"
)
_LARGEST = 512 * 1024
_PYTEST_SECTIONS = ("pytest", "tool:pytest")
_RUNNERS = names("pytest py.test unittest nose2 mocha _mocha ava tape tap uvu jasmine jest vitest bats rspec")
_QUOTED = r"\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|`[^`\n]{0,300}`"
_JS_SETTING = re.compile(
    r"\b(testMatch|testRegex|spec|spec_files|include|files|setupFiles|setupFilesAfterEnv|globalSetup"
    rf"|globalTeardown|require|snapshotResolver)[\"']?\s{{0,9}}:\s{{0,9}}(\[(?:{_QUOTED}|//[^\n]{{0,300}}|[\s,]){{1,400}}\]|{_QUOTED})"
)
_JS_OWNERS = {"include": "vite", "files": "ava"}  # words that mean something else elsewhere
_JS_TESTS = names("testMatch testRegex spec spec_files include files")
_JS_COVERAGE = re.compile(
    r"\b(?:coverage|typecheck)[\"']?\s{0,9}:\s{0,9}\{(?:[^{}]|\{[^{}]{0,2000}\}){0,4000}\}"
)
_NODE_BLOCKS = ("jest", "mocha", "ava", "vitest", "jasmine")
_DOCTESTS = re.compile(r"--doctest-modules|-m doctest\b|--doctest-glob[= ]([^\s\"',]{1,100})|--with-doctest")
_HOLDS_ALL = names(
    ". src lib app apps packages source python"
)  # named as roots they hold the product as well
_NO_PRODUCT = TEST_FOLDERS | names("docs doc examples example benchmarks scripts tools ci")
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
        here = split_path(path)
        if FOREIGN_FOLDERS.intersection(here.folders):
            return usual
        inside: Role = "test" if here.suffix in CODE else "support"
        if Patterns(self.given).match(path):
            return usual if usual in EXAM_ROLES else inside
        if usual == "config":
            return usual
        if path in self.support:
            return "support"
        if any(shape.fullmatch(path) for shape in self.tests):
            return inside
        if usual in EXAM_ROLES:
            return usual if not self._is_shipped(path, here) else "source" if here.suffix in CODE else "other"
        return inside if _within(path, self.folders) else usual

    def is_exam(self, path: str) -> bool:
        return self.role(path) in EXAM_ROLES

    def _is_shipped(self, path: str, here: SplitPath) -> bool:
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
        if _within(path, packages) and named_like_a_test(split_path(path)) and _is_collected(path, roots)
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
    code = [path for path in paths if _within(path, (root,)) and split_path(path).suffix in CODE]
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
    except (ValueError, RecursionError):
        return  # what its runner can't read says nothing


def _pytest_options(name: str, text: str) -> Mapping[str, Any]:
    if name == "pyproject.toml":
        found = read_toml(text).get("tool", {}).get("pytest", {})
        return found.get("ini_options", found) if isinstance(found, dict) else {}
    sections = read_ini(text)
    return next((sections[each] for each in _PYTEST_SECTIONS if each in sections), {})


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
        return named_like_a_test(split_path(path))
    usual = bool(PYTEST_COLLECTS.fullmatch(path.rpartition("/")[2]))
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
