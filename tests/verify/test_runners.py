"""A program in the project that says of tests what it likes is no runner; what installers make is one."""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.verify.hidden_work import leftovers
from donewhen.verify.ignored import began_ns
from donewhen.verify.runners import Ground, planted
from donewhen.workspace.git.repository import find_repository
from tests.verify.exam_support import Desk, Sat, write

UNITTEST = "python -m unittest"
FAKE = '#!/bin/sh\nprintf "Ran 1 test in 0.001s\\n\\nOK\\n" >&2\n'
FILES = {
    ".gitignore": ".venv/\nnode_modules/\ntools/\n__pycache__/\n",
    "cart.py": "def total():\n    return 1\n",
    "test_cart.py": "import unittest, cart\n\n\nclass T(unittest.TestCase):\n"
    "    def test_total(self):\n        self.assertEqual(cart.total(), 1)\n",
}
SITE = ".venv/lib/python3.11/site-packages"


def program(path: Path, text: str = FAKE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def asked(desk: Desk) -> list[tuple[str, str, bool]]:
    async def act(sat: Sat):
        assert sat.green
        return await leftovers(sat.proper)

    return [(each.rule, each.file, each.blocks) for each in desk.do(act)]


def judged(desk: Desk, *folders: str, used: tuple[str, ...] = (), ships: tuple[str, ...] = ()) -> list[str]:
    repository = find_repository(desk.root, desk.env)
    began = began_ns(repository, repository.head)
    ground = Ground(desk.root, began, frozenset(used), set(ships).__contains__)
    found = planted(ground, [desk.root / folder for folder in folders])
    return sorted(str(path.relative_to(os.path.realpath(desk.root))) for path in found)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, FILES, UNITTEST)


@pytest.mark.parametrize("folder", [".venv/bin", "node_modules/.bin", "tools"])
def test_a_faked_python_that_comes_first_on_the_path_is_refused(desk: Desk, folder: str):
    program(desk.root / folder / "python")
    desk.env["PATH"] = f"{desk.root / folder}:{desk.env['PATH']}"
    write(desk.root, {"cart.py": "def total():\n    return 2\n"})
    assert ("hidden-work", f"{folder}/python", True) in asked(desk)


def test_a_fake_with_an_old_date_is_refused_too(desk: Desk):
    fake = program(desk.root / ".venv/bin/python")
    os.utime(fake, (1, 1))
    assert judged(desk, ".venv/bin", used=("python",)) == [".venv/bin/python"]


@pytest.mark.runs
def test_an_environment_as_it_was_made_is_no_finding(desk: Desk):
    subprocess.run([sys.executable, "-m", "venv", desk.root / ".venv"], check=True, capture_output=True)
    subprocess.run(
        [sys.executable, "-m", "venv", "--copies", "--without-pip", desk.root / "tools/own"], check=True
    )
    names = tuple(each.name for each in (desk.root / ".venv/bin").iterdir())
    assert "pip" in names
    assert judged(desk, ".venv/bin", "tools/own/bin", used=names) == []
    program(desk.root / ".venv/bin/pip")
    program(desk.root / ".venv/bin/python3")
    shutil.copy(shutil.which("true") or "", desk.root / "tools/own/bin/python9")
    found = judged(desk, ".venv/bin", "tools/own/bin")
    assert found == [".venv/bin/pip", ".venv/bin/python3", "tools/own/bin/python9"]


def script(desk: Desk, body: str) -> str:
    return f"#!{desk.root}/.venv/bin/python\n# -*- coding: utf-8 -*-\nimport sys\n{body}"


def test_a_script_is_what_its_distribution_recorded_or_names(desk: Desk):
    """As installers write them, with a digest or (virtualenv) without."""
    text = script(desk, "from one.main import run\nif __name__ == '__main__':\n    sys.exit(run())\n")
    other = script(desk, "from one.main import run\nif __name__ == '__main__':\n    sys.exit(bool())\n")
    good = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
    write(
        desk.root,
        {
            ".venv/pyvenv.cfg": "home = /usr/bin\n",
            f"{SITE}/one-1.dist-info/RECORD": f"../../../bin/kept,{good},1\n../../../bin/edited,{good},1\n"
            "../../../bin/named,,\n../../../bin/other,,\n",
            f"{SITE}/one-1.dist-info/entry_points.txt": "[console_scripts]\nnamed = one.main:run\n",
        },
    )
    for name, said in {
        "kept": text,
        "named": text,
        "other": other,
        "edited": text + "\n",
        "mine": FAKE,
        "pytest": FAKE,
    }.items():
        program(desk.root / ".venv/bin" / name, said)
    assert judged(desk, ".venv/bin", used=("kept", "named", "other")) == [
        ".venv/bin/edited",
        ".venv/bin/other",
        ".venv/bin/pytest",
    ]


SHIM = """\
#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")

case `uname` in
    *CYGWIN*) basedir=`cygpath -w "$basedir"`;;
esac

if [ -z "$NODE_PATH" ]; then
  export NODE_PATH="/x/node_modules/.pnpm/node_modules"
else
  export NODE_PATH="/x/node_modules/.pnpm/node_modules:$NODE_PATH"
fi
if [ -x "$basedir/node" ]; then
  exec "$basedir/node"  "$basedir/../check/cli.js" "$@"
else
  exec node  "$basedir/../check/cli.js" "$@"
fi
"""


def test_what_packages_declare_and_what_pnpm_writes_are_no_findings(desk: Desk):
    write(
        desk.root,
        {
            "node_modules/check/package.json": '{"name": "check", "bin": "./cli.js"}',
            "node_modules/@s/two/package.json": '{"name": "@s/two", "bin": {"two": "bin/two"}}',
            "web/cli.js": "",
        },
    )
    for path in ("node_modules/check/cli.js", "node_modules/@s/two/bin/two", "web/cli.js"):
        program(desk.root / path, "#!/usr/bin/env node\n")
    bin = desk.root / "node_modules/.bin"
    bin.mkdir()
    for name, target in {
        "check": "../check/cli.js",
        "two": "../@s/two/bin/two",
        "jest": "../check/cli.js",  # declared under another name
        "web": "../../web/cli.js",
        "vitest": "../../web/cli.js",
        "gone": "../none.js",
    }.items():
        (bin / name).symlink_to(target)
    program(bin / "mocha", SHIM)
    program(bin / "tsc", SHIM.replace("exec node", "exec true"))
    program(bin / "npx", SHIM + "exit 0\n")
    names = tuple(each.name for each in bin.iterdir())
    assert judged(desk, "node_modules/.bin", used=names) == [
        f"node_modules/.bin/{name}" for name in ("jest", "npx", "tsc", "vitest", "web")
    ]
    shipped = judged(desk, "node_modules/.bin", used=names, ships=("web/cli.js",))
    assert shipped == [f"node_modules/.bin/{name}" for name in ("jest", "npx", "tsc")]


def test_what_was_there_before_the_base_is_the_users(tmp_path: Path):
    root = tmp_path / "project"
    program(root / "tools/python")
    desk = Desk(tmp_path, FILES, UNITTEST)
    assert judged(desk, "tools", used=("python",)) == []
