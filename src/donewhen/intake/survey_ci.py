"""The test commands that a project's CI runs, as a hint for people; none of them is taken over.

CI files are read line by line: their YAML may hold tags and templates that no strict reader takes, and a hint
need not be complete. Nothing here decides what must pass.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.project.folder import Folder

_FILES = (".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml", "bitbucket-pipelines.yml", ".cirrus.yml")
_FOLDERS = (".github/workflows", ".circleci")
_MOST_FILES = 30
_MOST = 8
_LONGEST = 160
_KEY = re.compile(r"[\w.-]{1,60}[ ]*:(?:[ ]|$)")
_RUNS = re.compile(r"(?:run|script|command|bash|test)[ ]*:[ ]*")
_SETS = re.compile(r"[A-Za-z_]\w{0,60}=")
_TEST = "test"
# programs that run tests, and how one of the words after them must begin; none: by themselves
_RUNNERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        "pytest py.test tox nox unittest jest vitest mocha ava gotestsum rspec phpunit pest".split(), ()
    ),
    "ctest": (),
    **dict.fromkeys(
        "npm pnpm yarn bun turbo nx lerna go dotnet mix deno swift sbt stack flutter".split(), (_TEST,)
    ),
    **dict.fromkeys("dart hatch rails composer manage.py".split(), (_TEST,)),
    "cargo": (_TEST, "nextest"),
    **dict.fromkeys(("mvn", "mvnw"), (_TEST, "verify")),
    **dict.fromkeys(("gradle", "gradlew"), (_TEST, "check", "build")),
    **dict.fromkeys(("make", "just", "task", "rake"), (_TEST, "check")),
}
# what may stand before them
_BEFORE = (
    "uv run", "poetry run", "pdm run", "pipenv run", "hatch run", "rye run", "bundle exec", "coverage run -m",
    "python -m", "python3 -m", "python", "python3", "npx", "bunx", "pnpm exec", "xvfb-run -a", "xvfb-run",
)  # fmt: skip


class CiCommand(NamedTuple):
    command: str
    source: str


def ci_commands(root: Folder, paths: Sequence[str]) -> tuple[CiCommand, ...]:
    found: dict[str, CiCommand] = {}
    for path in _files(root, paths):
        for command in _commands(root.text(path)):
            found.setdefault(command, CiCommand(command, path))
            if len(found) >= _MOST:
                return tuple(found.values())
    return tuple(found.values())


def _files(root: Folder, paths: Sequence[str]) -> Iterator[str]:
    workflows = sorted(p for p in paths if p.rpartition("/")[0] in _FOLDERS and p.endswith((".yml", ".yaml")))
    if not workflows:  # a walk does not look into hidden folders
        workflows = [f"{folder}/{name}" for folder in _FOLDERS for name in _yaml_in(root.folder / folder)]
    yield from (name for name in _FILES if name in root.names)
    yield from (path for path in workflows[:_MOST_FILES] if path.isprintable())


def _yaml_in(folder: Path) -> list[str]:
    return Folder(folder).ending(".yml", ".yaml") if not folder.is_symlink() else []


def _commands(text: str) -> Iterator[str]:
    for line in text.splitlines():
        words = line.strip().removeprefix("- ").strip()
        runs = _RUNS.match(words)
        if runs:
            words = words[runs.end() :].strip("'\" ")
        elif _KEY.match(words):
            continue
        words = " ".join(words[:2000].split())
        if words.isprintable() and _runs_tests(words):
            yield words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _runs_tests(line: str) -> bool:
    words = _without_beginning(line).split(" ")
    wanted = _RUNNERS.get(words[0].rpartition("/")[2])
    if wanted is None:
        return False
    return not wanted or any(word.startswith(wanted) for word in words[1:12])


def _without_beginning(line: str) -> str:
    """The line from the program that matters on: no settings, no folder, nothing that only starts it."""
    for _ in range(8):
        before = next((each for each in _BEFORE if line.startswith(f"{each} ")), "")
        first, _, rest = line.partition(" ")
        if before:
            line = line.removeprefix(before).lstrip()
        elif _SETS.match(first) or (first.startswith("-") and rest):
            line = rest
        elif first == "cd" and " && " in line:
            line = line.partition(" && ")[2]
        else:
            break
    return line
