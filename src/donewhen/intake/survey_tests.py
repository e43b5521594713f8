"""The test commands of a whole: its own where one covers the parts, else each part's in its folder.

A command covers a part when its tool runs the members' tests as well, or when the project wrote a target of
its own for all tests. What is only likely is not taken for covered: a test run twice costs time, a test never
run costs the proof. Nothing is run here.
"""

import configparser
import posixpath
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donewhen.intake.survey_reading import at, words
from donewhen.intake.survey_workspaces import Workspace
from donewhen.project.folder import Folder
from donewhen.project.node_package import node_manager
from donewhen.project.project import Project, ProjectCommand

_EXEC = {"npm": "npx", "pnpm": "pnpm exec", "yarn": "yarn", "bun": "bunx"}
_NODE = frozenset(("javascript", "typescript"))
_OWN_PYTEST = (
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "noxfile.py",
    "manage.py",
)


class ProjectTest(NamedTuple):
    """A test command as `--accept` takes it, and what in the project names it."""

    line: str
    source: str
    language: str = ""


class Cover(NamedTuple):
    """A part whose tests in these languages are run by a command above it."""

    part: str
    languages: tuple[str, ...]  # "*" is every one
    line: str


class Whole(NamedTuple):
    """The tests that a folder's own files name, and which parts each of them runs as well."""

    tests: tuple[ProjectTest, ...]
    covers: tuple[Cover, ...]

    def cover(self, part: str, language: str) -> str:
        """The command that runs such tests of a part; empty when none does."""
        fitting = (each for each in self.covers if each.part == part)
        return next((each.line for each in fitting if {language, "*"} & set(each.languages)), "")


def whole_of(root: Folder, project: Project, spaces: Sequence[Workspace], parts: Iterable[str]) -> Whole:
    commands = [each for each in _adjusted(root, project, spaces) if each.command.isprintable()]
    own = [ProjectTest(each.command, each.source, each.language) for each in commands]
    covers: list[Cover] = []
    for space in spaces:
        if _NODE.intersection(space.languages):
            own, covered = _of_node(root, own, space)
        else:
            test = next((each for each in own if each.language in space.languages), None)
            covered = _all(space, test) if test and _reaches(root, test, space) else []
        covers += covered
    parts = list(parts)
    for test in own:
        if not test.language:  # a target that the project wrote for all of its tests
            covers += [Cover(part, ("*",), test.line) for part in parts]
        elif test.language == "python":
            reached = [part for part in parts if _pytest_reaches(root, test, part)]
            covers += [Cover(part, ("python",), test.line) for part in reached]
    return Whole(tuple(own), tuple(covers))


def _all(space: Workspace, test: ProjectTest) -> list[Cover]:
    return [Cover(member, space.languages, test.line) for member in space.members]


def _of_node(root: Folder, own: list[ProjectTest], space: Workspace) -> tuple[list[ProjectTest], list[Cover]]:
    """The tests with one of the monorepo's own tool for those of single members, and what is covered."""
    ours = [each for each in own if each.language in _NODE]
    by_member = {member: each for member in space.members for each in ours if _is_of(each, member)}
    if ours and not by_member:
        return own, _all(space, ours[-1])  # a build may come first
    one = _orchestrated(root)
    if one:
        return [*(each for each in own if each not in by_member.values()), one], _all(space, one)
    return own, [Cover(member, space.languages, each.line) for member, each in by_member.items()]


def _is_of(test: ProjectTest, member: str) -> bool:
    return test.source.startswith(f"{member}/package.json ")


def part_tests(folder: str, whole: Whole, above: Whole) -> tuple[tuple[ProjectTest, ...], tuple[str, ...]]:
    """A part's own tests that nothing above it runs, as lines for the root; and what runs the others."""
    covered = {test.language: above.cover(folder, test.language) for test in whole.tests}
    others = {language: line for language, line in covered.items() if language}
    if "" in covered and not covered[""] and others and all(others.values()):
        covered[""] = next(iter(others.values()))
    left = [test for test in whole.tests if not covered[test.language]]
    moved = tuple(ProjectTest(moved_into(folder, t.line), f"{folder}/{t.source}", t.language) for t in left)
    return moved, tuple(dict.fromkeys(line for line in covered.values() if line))


def moved_into(folder: str, line: str) -> str:
    return f"cd {shlex.quote(folder)} && {line}" if folder else line


def _adjusted(root: Folder, project: Project, spaces: Sequence[Workspace]) -> list[ProjectCommand]:
    """The project's tests; go in a workspace of modules must be given each of them."""
    used = next((space for space in spaces if space.source == "go.work"), None)
    tests = list(project.tests())
    if used is None:
        return tests
    places = [*(["."] if "go.mod" in root.names else []), *used.members]
    patterns = " ".join(shlex.quote(f"./{place}/..." if place != "." else "./...") for place in places)
    return [
        each._replace(command=f"go test {patterns}", source="go.work") if each.language == "go" else each
        for each in tests
    ]


def _orchestrated(root: Folder) -> ProjectTest | None:
    """The one command of a monorepo's tool that runs all members' tests."""
    program = _EXEC[node_manager(root)[0]]
    turbo = root.json("turbo.json")
    if at(turbo, "tasks", "test") is not None or at(turbo, "pipeline", "test") is not None:
        return ProjectTest(f"{program} turbo run test", "turbo.json", "javascript")
    if "nx.json" in root.names:
        return ProjectTest(f"{program} nx run-many -t test", "nx.json", "javascript")
    if "lerna.json" in root.names:
        return ProjectTest(f"{program} lerna run test", "lerna.json", "javascript")
    return None


def _reaches(root: Folder, test: ProjectTest, space: Workspace) -> bool:
    """pytest goes where it is told; the other tools run the members that they know."""
    if test.language != "python":
        return True
    return all(_pytest_reaches(root, test, member) for member in space.members)


def _pytest_reaches(root: Folder, test: ProjectTest, part: str) -> bool:
    words = shlex.split(test.line)
    if "pytest" not in words or _configured(Folder(root.folder / part)):
        return False
    operands = [word for word in words[words.index("pytest") + 1 :] if not word.startswith("-")]
    wanted = operands or _testpaths(root)
    if not wanted:
        return True
    places = [posixpath.normpath(each) for each in wanted]
    return any(place == "." or part == place or part.startswith(f"{place}/") for place in places)


def _configured(part: Folder) -> bool:
    """Whether a part sets up its tests itself, which a run from above would not read."""
    if part.first(*_OWN_PYTEST) or at(part.toml("pyproject.toml"), "tool", "pytest") is not None:
        return True
    return "[tool:pytest]" in part.text("setup.cfg")


def _testpaths(root: Folder) -> tuple[str, ...]:
    found = at(root.toml("pyproject.toml"), "tool", "pytest", "ini_options", "testpaths")
    if isinstance(found, str):
        return tuple(found.split())
    if found:
        return words(found)
    for file, section in (("pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(root.text(file))
            value = parser.get(section, "testpaths", fallback="")
        except configparser.Error:
            continue
        if value.split():
            return tuple(value.split())
    return ()
