"""What an exam's command sees: its variables, and what the harness lays out so that it can be watched.

The pass list first, then the prepared environment, then what makes the exam quiet and keeps it out of the
tree, then the variables of the command itself; of the lists among them (PYTHONPATH, PYTEST_ADDOPTS,
NODE_OPTIONS) ours are added and take nothing away.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.project.folder import read_inside
from donewhen.project.python_packages import own_packages
from donewhen.pytest_plugin import VARIABLE
from donewhen.verify.exam.model import Where
from donewhen.verify.exam.probe import Probe, lay_probe
from donewhen.workspace.environment import command_environment
from donewhen.workspace.sandbox.scratch import lay_home

_QUIET = {"CI": "1", "GIT_TERMINAL_PROMPT": "0"}
_SAYING = (
    "pyproject.toml pytest.ini .pytest.ini pytest.toml .pytest.toml setup.cfg tox.ini tox.toml noxfile.py"
    " conftest.py tests/conftest.py test/conftest.py Makefile makefile GNUmakefile justfile package.json"
).split()  # where a project says how its tests are called
_RECORDED = ("unittest", "manage.py", "python")  # words of projects whose tests may be unittest's
_MOST_WORDS = 50
_PYTHON = re.compile(r"\bpy(?:thon|test)|\b(?:tox|nox|uv|poetry|hatch|pdm)\b")
_NODE_TEST = re.compile(r"\bnode (?:-\S{1,80} (?:[\w@./-]{1,80} )?){0,6}--test(?![\w-])")
_NODE = "--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit"


class HarnessFolder(NamedTuple):
    """A folder for one command: what it writes for the harness, and nobody else reads or keeps."""

    folder: Path
    packages: frozenset[str] = frozenset()  # of the project, that are looked for
    probe: Probe | None = None
    options: Mapping[str, str] = {}  # variables that ask for machine reports
    home: Path | None = None
    said: str = ""  # by the command and by the project about how tests are called

    @property
    def reports(self) -> Path:
        return self.folder / "reports"

    @property
    def pytest_report(self) -> Path:
        return self.reports / "pytest.xml"

    @property
    def plugin_lines(self) -> Path:
        return self.reports / "pytest.jsonl"

    @property
    def recorded(self) -> Path:
        return self.reports / "unittest.txt"


def lay_harness_folder(folder: Path, entry: Accept, where: Where, is_test: bool) -> HarnessFolder:
    harness = HarnessFolder(folder, home=lay_home(folder / "home", where.env.get("HOME", "")))
    harness.reports.mkdir()
    said = said_by(where.folder, entry)
    harness = harness._replace(said=said, options=_options(harness, said, is_test))
    packages: frozenset[str] = frozenset()
    if is_test:
        packages = own_packages(where.folder) | own_packages(where.folder / entry.cwd)
    probe = None
    recorded = _is_recorded(said, entry, where, is_test)
    if packages or recorded or _may_run_python(where.folder, said):
        probe = lay_probe(folder, packages, harness.recorded if packages or recorded else None)
    return harness._replace(packages=packages, probe=probe)


def _may_run_python(folder: Path, said: str) -> bool:
    """Whether what is compiled is of use to the command: without it Python compiles all that it loads."""
    if _PYTHON.search(said):
        return True
    folders = [folder, *(each for each in islice(folder.iterdir(), _MOST_WORDS) if each.is_dir())]
    here = (each for each in folders if each.name not in ("node_modules", ".git"))
    return any(next(each.glob("*.py"), None) for each in here)


def _is_recorded(said: str, entry: Accept, where: Where, is_test: bool) -> bool:
    """Whether unittest may run in it: also as a script, which does not look like a test run."""
    if is_test:
        return any(word in said for word in _RECORDED)
    scripts = (word for word in entry.argv[:_MOST_WORDS] if not word.startswith(("-", "/", "..")))
    return "unittest" in said or any(
        "unittest" in read_inside(where.folder / entry.cwd, name) for name in scripts
    )


def _options(harness: HarnessFolder, said: str, is_test: bool) -> dict[str, str]:
    """Machine reports are asked for where the project does not do so itself: its own stay its own."""
    options: dict[str, str] = {}
    pytest = [] if "junitxml" in said.replace("-", "") else [f"--junitxml={harness.pytest_report}"]
    if "cacheprovider" not in said:
        pytest.append(f"-o cache_dir={quote(str(harness.folder / 'pytest-cache'))}")
    if pytest:
        options["PYTEST_ADDOPTS"] = " ".join(pytest)
    if (
        is_test
        and _NODE_TEST.search(said)
        and "--test-reporter" not in said
        and " " not in str(harness.folder)
    ):
        options["NODE_OPTIONS"] = f"{_NODE} --test-reporter-destination={harness.reports / 'node.xml'}"
    return options


def said_by(folder: Path, entry: Accept) -> str:
    """The command, and the texts in which the project says how tests are called."""
    places = dict.fromkeys((folder / entry.cwd, folder))
    texts = [read_inside(place, name) for place in places for name in _SAYING]
    return "\n".join((entry.text, *texts))


def variables(entry: Accept, where: Where, harness: HarnessFolder) -> dict[str, str]:
    """The environment of the command."""
    env = command_environment(where.env, where.passed)
    env.update(where.set)
    env.update(_QUIET)
    env["PYTHONPYCACHEPREFIX"] = str(harness.folder / "pycache")
    env["PATH"] = _joined(":", (*where.path, env.get("PATH", "")))
    if harness.home is not None:
        env["HOME"] = str(harness.home)
    env.update(entry.env)
    if harness.probe is not None:
        env["PYTHONPATH"] = _joined(":", (str(harness.probe.folder), env.get("PYTHONPATH", "")))
    for name, value in harness.options.items():
        env[name] = _joined(" ", (env.get(name, ""), value))
    env[VARIABLE] = str(harness.plugin_lines)
    return env


def _joined(between: str, parts: Iterable[str]) -> str:
    return between.join(part for part in parts if part)
