"""Monorepos: the tests of parts that changed, of those that depend on them, and of all where it is not clear."""

import json
from pathlib import Path

import pytest

from donewhen.project.parts import of_changed_parts
from donewhen.project.project import detect
from donewhen.verify.change import project_at
from tests.helpers import Cli
from tests.projects import repository, write

NODE = {
    "package.json": '{"name": "all", "private": true, "workspaces": ["packages/*"]}',
    **{
        f"packages/{name}/package.json": json.dumps(
            {"name": f"@x/{name}", "scripts": {"test": "node --test"}, "dependencies": dict.fromkeys(on, "*")}
        )
        for name, on in {"base": (), "cart": ("@x/base",), "shop": ("@x/cart",), "docs": ()}.items()
    },
}
PYTHON = {
    f"{name}/{file}": text
    for name, on in {"core": "", "web": 'dependencies = ["acme-core"]\n', "jobs": ""}.items()
    for file, text in {
        "pyproject.toml": f'[project]\nname = "acme-{name}"\nversion = "1"\n{on}',
        f"tests/test_{name}.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n",
    }.items()
}


NAMES = ("base", "cart", "shop", "docs", "core", "web", "jobs")


def run(folder: Path, changed: tuple[str, ...]) -> set[str]:
    project, left_out = of_changed_parts(folder, project_at(folder, {}), changed)
    everything = {part.rpartition("/")[2] for part in left_out}
    found = {name for each in project.tests() for name in NAMES if f"{name}/" in each.source}
    assert not found & everything
    return found


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (("packages/docs/a.js",), {"docs"}),
        (("packages/cart/a.js",), {"cart", "shop"}),
        (("packages/base/a.js",), {"base", "cart", "shop"}),
        (("package.json",), {"base", "cart", "shop", "docs"}),
        (("packages/docs/a.js", "tools/x.js"), {"base", "cart", "shop", "docs"}),
        ((), {"base", "cart", "shop", "docs"}),
    ],
)
def test_parts_of_npm_by_their_dependencies(tmp_path, changed, names):
    write(tmp_path, NODE)
    assert detect(tmp_path).tests()
    assert run(tmp_path, changed) == names


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (("core/a.py",), {"core", "web"}),
        (("jobs/a.py",), {"jobs"}),
        (("web/a.py", "README.md"), {"core", "web", "jobs"}),
    ],
)
def test_parts_of_python_by_their_dependencies(tmp_path, changed, names):
    write(tmp_path, PYTHON)
    assert run(tmp_path, changed) == names


def test_what_was_left_out_is_told(cli: Cli):
    project = repository(cli.folder, PYTHON)
    write(project, {"jobs/jobs.py": "X = 1\n"})
    done = cli("verify", "--json")
    assert done.exit == 0, done.out + done.err
    assert [each["command"] for each in done.json["commands"] if "jobs" in each["command"]]
    assert len(done.json["commands"]) == 1
    assert any("core, web" in note for note in done.json["notes"])
