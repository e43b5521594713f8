"""Copies of a tree: what they bring along, and that an editable install does not lead back to the user's folder."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from donewhen.workspace.fingerprint.beside import beside_tree
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.user_files import lent, own_sources
from tests.helpers import Cli
from tests.projects import repository, write


@pytest.mark.parametrize(
    ("files", "folders", "wanted"),
    [
        ({"x.pth": "{root}/src\n"}, {"src"}, "src"),
        ({"x.pth": "{root}/lib/python\n"}, {"lib"}, "lib/python:"),
        (
            {"__editable___x_1_finder.py": "MAPPING = {{'a': '{root}/packages/a/src/a'}}\n"},
            {"packages"},
            "packages/a/src:",
        ),
        ({"x.pth": "{root}/gone\n"}, {"src"}, "src"),  # the base has other folders
        ({"x.pth": "/elsewhere\n"}, {"src"}, None),
    ],
)
def test_sources_are_found_where_an_editable_install_leads(tmp_path, files, folders, wanted):
    root, room, prefix = tmp_path / "root", tmp_path / "room", tmp_path / "venv"
    site = prefix / "lib/python3.11/site-packages"
    write(prefix, {"pyvenv.cfg": ""})
    write(site, {name: text.format(root=root) for name, text in files.items()})
    found = own_sources(root, room, (str(prefix / "bin"),), folders)
    places = None if wanted is None else ":".join(str(room / place) for place in wanted.split(":"))
    assert found.get("PYTHONPATH") == places


def test_a_copy_brings_ignored_files_and_links_environments(tmp_path):
    root = repository(
        tmp_path / "root", {".gitignore": "*.local\nnode_modules/\n.venv/\n__pycache__/\n", "a.py": ""}
    )
    write(
        root, {"own.local": "1", "hidden.local": "2", "node_modules/x/index.js": "", ".venv/pyvenv.cfg": ""}
    )
    write(root, {"__pycache__/a.pyc": ""})
    found = beside_tree(find_repository(root, {"PATH": "/usr/bin:/bin"}), Path("/dev/null"))
    assert [(each.path, each.environment) for each in found] == [
        (".venv", True),
        ("hidden.local", False),
        ("node_modules", True),
        ("own.local", False),
    ]
    room = tmp_path / "room"
    room.mkdir()
    with lent(root, room, found, ["hidden.local"]) as places:
        assert sorted(path.name for path in room.iterdir()) == [".venv", "node_modules", "own.local"]
        assert (room / "node_modules/x").is_symlink()
        assert places == (root / ".venv", root / "node_modules")
    assert list(room.iterdir()) == []


def test_the_base_exam_tests_its_copy_though_the_install_leads_to_the_users_folder(cli: Cli):
    """A file says where the code was loaded from; the old test demands it of the copy's own."""
    code = "from pathlib import Path\n\nHERE = Path(__file__).parent.parent\n"
    test = "import unittest\nfrom pathlib import Path\n\nfrom cart import HERE\n\n\nclass T(unittest.TestCase):\n"
    test += "    def test_here(self):\n        self.assertEqual(HERE, Path(__file__).parent.parent)\n"
    project = repository(
        cli.folder, {"lib/cart.py": code, "tests/test_cart.py": test, ".gitignore": ".venv/\n"}
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", project / ".venv"], check=True)
    (site,) = (project / ".venv/lib").glob("python*/site-packages")
    write(site, {"own.pth": f"{project}/lib\n"})
    write(
        project,
        {"lib/cart.py": code + "X = 1\n", "tests/test_cart.py": test + "        self.assertTrue(HERE)\n"},
    )
    done = cli("verify", "--accept", "python -m unittest discover -s tests", "--json")
    assert done.exit == 0, done.out
    assert any("pass on the new code" in note for note in done.json["notes"])


@pytest.mark.runs
def test_a_runner_that_writes_into_its_own_package_has_a_copy_of_it(cli: Cli):
    """A copy may only read the user's packages; what names one of them as read-only gets its own."""
    runner = """\
    #!/usr/bin/env node
    require("fs").writeFileSync(__dirname + "/state.tmp", "seen");
    require(process.cwd() + "/cart.test.js");
    """
    test = 'require("assert").equal(require("./cart.js").total([1, 2]), 3);\n'
    package = '{"name": "cart", "scripts": {"test": "judge"}, "devDependencies": {"judge": "1.0.0"}}\n'
    code = "exports.total = (prices) => prices.reduce((a, b) => a + b, 0);\n"
    files = {"cart.js": code, "cart.test.js": test, "package.json": package, ".gitignore": "node_modules\n"}
    project = repository(cli.folder, files)
    write(project, {"node_modules/judge/cli.js": textwrap.dedent(runner)})
    (project / "node_modules/judge/cli.js").chmod(0o755)
    (project / "node_modules/.bin").mkdir()
    (project / "node_modules/.bin/judge").symlink_to("../judge/cli.js")
    write(
        project,
        {"cart.js": code + "// fast\n", "cart.test.js": f"{test}{test.replace('[1, 2]), 3', '[]), 0')}"},
    )
    done = cli("verify", "--accept", "npm test")
    assert done.exit == 0, done.out
