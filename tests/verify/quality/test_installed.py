"""A program is the project's own tool only where an installer's records vouch for it; a planted one is not."""

import json
import shutil
from pathlib import Path

from donewhen.verify.quality.gates.installed import python_install
from donewhen.verify.quality.gates.installed_node import node_install
from donewhen.verify.quality.model import Missing, Tool
from donewhen.verify.quality.tools import find
from tests.tables import table_test
from tests.verify.quality.gate_projects import (
    laid,
    node_modules,
    program,
    recorded,
    scope_of,
    virtual_environment,
)

SITE = "lib/python3.11/site-packages"
PIP = """#!{bin}/python3
# -*- coding: utf-8 -*-
import re
import sys
from mypy.__main__ import console_entry
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(console_entry())
"""
UV = """#!{bin}/python
# -*- coding: utf-8 -*-
import sys
from mypy.__main__ import console_entry
if __name__ == "__main__":
    if sys.argv[0].endswith("-script.pyw"):
        sys.argv[0] = sys.argv[0][:-11]
    elif sys.argv[0].endswith(".exe"):
        sys.argv[0] = sys.argv[0][:-4]
    sys.exit(console_entry())
"""
SHELL = """#!/bin/sh
'''exec' "{bin}/python3" "$0" "$@"
' '''
import sys
from mypy.__main__ import console_entry
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(console_entry())
"""
PNPM = """#!/bin/sh
basedir=$(dirname "$(echo "$0" | sed -e 's,\\\\,/,g')")

case `uname` in
    *CYGWIN*) basedir=`cygpath -w "$basedir"`;;
esac

if [ -z "$NODE_PATH" ]; then
  export NODE_PATH="/x/node_modules/.pnpm/eslint@9.0.0/node_modules:/x/node_modules"
else
  export NODE_PATH="/x/node_modules/.pnpm/eslint@9.0.0/node_modules:/x/node_modules:$NODE_PATH"
fi
if [ -x "$basedir/node" ]; then
  exec "$basedir/node"  "$basedir/../eslint/bin/eslint.js" "$@"
else
  exec node  "$basedir/../eslint/bin/eslint.js" "$@"
fi
"""


def generated(folder: Path, script: str, digest: str = "") -> Path:
    """mypy in an environment, with a script of this text that RECORD lists with this digest and size."""
    place = virtual_environment(folder)
    site = folder / SITE
    laid(site, {"mypy/__main__.py": "def console_entry(): ...\n"})
    module = recorded(site / "mypy/__main__.py", "mypy/__main__.py")
    laid(
        site, {"mypy-1.9.0.dist-info/RECORD": f"../../../bin/mypy,{digest or ','}\n{module}\nmypy/x.pyc,,\n"}
    )
    program(place / "mypy").write_text(script.replace("{bin}", str(place)))
    return place / "mypy"


@table_test("script", [PIP, UV, SHELL])
@table_test("digest", ["", "sha256=of-the-place-it-was-moved-from,242"])
def test_a_generated_script_that_calls_a_recorded_module_counts(tmp_path, script, digest):
    assert python_install(generated(tmp_path / "v", script, digest), "mypy") == "1.9.0"


@table_test(
    "script",
    [
        "#!/bin/sh\necho '[]'\n",
        PIP.replace("{bin}", "/tmp/elsewhere"),
        PIP.replace("/python3", "/sh"),
        PIP.replace("import re\n", "import re\nsys.exit(0)\n"),
        PIP.replace("console_entry())", "console_entry() and 0)"),
        PIP.replace("mypy.__main__", "mypy.other"),
        SHELL.replace("' '''", "' '''; exit 0"),
        "",
    ],
)
def test_any_other_script_without_a_digest_does_not(tmp_path, script):
    assert python_install(generated(tmp_path / "v", script), "mypy") == ""


def test_a_generated_script_does_not_count_when_its_module_was_changed(tmp_path):
    script = generated(tmp_path / "v", PIP)
    laid(tmp_path / "v" / SITE, {"mypy/__main__.py": "def console_entry(): 0/1\n"})
    assert python_install(script, "mypy") == ""


def test_a_program_that_was_replaced_in_place_is_noticed_within_the_process(tmp_path):
    place = virtual_environment(tmp_path / "v", ruff="0.9.1") / "ruff"
    assert python_install(place, "ruff") == "0.9.1"
    place.write_text("#!/bin/sh\nexit 0\n")  # of the same size
    assert python_install(place, "ruff") == ""


@table_test(
    "record",
    ["", "../../../bin/other,sha256=x,17\n", "../../../bin/ruff,,\n", "../../../bin/ruff\n", '"\0', "\udcff"],
)
def test_a_record_that_does_not_list_the_program_vouches_for_nothing(tmp_path, record):
    place = virtual_environment(tmp_path / "v", ruff="0.9.1") / "ruff"
    (tmp_path / "v" / SITE / "ruff-0.9.1.dist-info/RECORD").write_bytes(
        record.encode(errors="surrogateescape")
    )
    assert python_install(place, "ruff") == ""


def planted_bare(root: Path) -> None:
    program(root / ".venv/bin/ruff").write_text("#!/bin/sh\necho '[]'\n")
    laid(root, {".venv/pyvenv.cfg": "home = /usr/bin\n"})


def planted_with_metadata(root: Path) -> None:
    planted_bare(root)
    (root / ".venv" / SITE / "ruff-0.9.1.dist-info").mkdir(parents=True)


def planted_without_version(root: Path) -> None:
    virtual_environment(root / ".venv", ruff="latest")


def planted_in_modules(root: Path) -> None:
    node_modules(root, ruff="0.9.1")


def planted_environment_in_modules(root: Path) -> None:
    place = virtual_environment(root / "node_modules", ruff="0.9.1")
    place.rename(root / "node_modules/.bin")
    record = root / "node_modules" / SITE / "ruff-0.9.1.dist-info/RECORD"
    record.write_text(record.read_text().replace("/bin/", "/.bin/"))


PLANTED = [
    planted_bare,
    planted_with_metadata,
    planted_without_version,
    planted_in_modules,
    planted_environment_in_modules,
]


@table_test("plant", PLANTED)
def test_a_planted_tool_of_python_gives_way_to_ours(tmp_path, plant):
    plant(tmp_path)
    tool = find("ruff", scope_of(tmp_path, path=(str(tmp_path / ".venv/bin"),)), "lint")
    assert isinstance(tool, Tool)
    assert tool.origin == "ours"


@table_test("file", [".venv/bin/ruff", f".venv/{SITE}/ruff-0.9.1.dist-info/RECORD", ".venv/pyvenv.cfg"])
def test_an_environment_that_the_change_touches_is_not_asked(tmp_path, file):
    virtual_environment(tmp_path / ".venv", ruff="0.9.1")
    before = find("ruff", scope_of(tmp_path, "a.py"), "lint")
    after = find("ruff", scope_of(tmp_path, "a.py", file), "lint")
    assert isinstance(before, Tool)
    assert isinstance(after, Tool)
    assert (before.origin, after.origin) == ("project", "ours")


def test_what_the_project_calls_like_a_program_of_the_system_is_none(tmp_path):
    virtual_environment(tmp_path / ".venv", go="1.22", make="4.0")
    node_modules(tmp_path, go="1.0.0")
    assert isinstance(find("go", scope_of(tmp_path), "types"), Missing)
    assert isinstance(find("make", scope_of(tmp_path), "build"), Missing)


def test_a_package_may_bring_a_package_manager(tmp_path):
    place = node_modules(tmp_path, pnpm="9.0.0")
    assert find("pnpm", scope_of(tmp_path), "build") == Tool("pnpm", (str(place / "pnpm"),), "", "project")


def shim(root: Path, text: str) -> Path:
    place = node_modules(root, eslint="9.0.0") / "eslint"
    place.unlink()
    program(place).write_text(text)
    return place


def test_a_link_and_a_managers_script_lead_into_the_package(tmp_path):
    assert node_install(node_modules(tmp_path / "a", eslint="9.0.0") / "eslint", "eslint") == "9.0.0"
    assert node_install(shim(tmp_path / "b", PNPM), "eslint") == "9.0.0"


@table_test(
    "text",
    [
        "#!/bin/sh\necho '[]'\n",
        PNPM + "exit 0\n",
        PNPM.replace("#!/bin/sh\n", "#!/bin/sh\necho '[]'; exit 0\n"),
        PNPM.replace("../eslint/bin/eslint.js", "../../eslint.js"),
        PNPM.replace("../eslint/bin/eslint.js", "../eslint/bin/other.js", 1),
        PNPM.replace("exec node", "exec ./node"),
        PNPM.replace(":/x/node_modules", ":/x/lib"),
        "#!/bin/sh\n",
        "",
    ],
)
def test_any_other_script_leads_nowhere(tmp_path, text):
    assert node_install(shim(tmp_path, text), "eslint") == ""


@table_test(
    "manifest",
    [
        {"name": "eslint", "version": "9.0.0"},
        {"name": "eslint", "bin": {"eslint": "bin/eslint.js"}},
        {"name": "other", "version": "9.0.0", "bin": {"eslint": "bin/eslint.js"}},
        {"name": "eslint", "version": "9.0.0", "bin": {"other": "bin/eslint.js"}},
        {"name": "eslint", "version": "9.0.0", "bin": {"eslint": "../../tool.js"}},
        {"name": "eslint", "version": "9.0.0", "bin": {"eslint": ["bin/eslint.js"]}},
        {"name": "eslint", "version": "9.0.0", "bin": "bin/other.js"},
    ],
)
def test_a_package_that_does_not_name_the_program_does_not_bring_it(tmp_path, manifest):
    place = node_modules(tmp_path, eslint="9.0.0") / "eslint"
    laid(tmp_path, {"tool.js": "", "node_modules/eslint/package.json": json.dumps(manifest)})
    assert node_install(place, "eslint") == ""


def test_a_link_out_of_the_package_does_not_count(tmp_path):
    place = node_modules(tmp_path, eslint="9.0.0") / "eslint"
    place.unlink()
    place.symlink_to(program(tmp_path / "tools/eslint"))
    assert node_install(place, "eslint") == ""


def test_a_folder_of_the_repository_that_is_linked_in_is_no_package(tmp_path):
    place = node_modules(tmp_path, eslint="9.0.0") / "eslint"
    shutil.move(tmp_path / "node_modules/eslint", tmp_path / "tools")
    (tmp_path / "node_modules/eslint").symlink_to("../tools")
    assert node_install(place, "eslint") == ""


def test_a_planted_node_beside_the_tool_makes_it_none(tmp_path):
    place = node_modules(tmp_path, eslint="9.0.0", node="22.0.0")
    assert node_install(place / "eslint", "eslint") == "9.0.0"
    (place / "node").unlink()
    program(place / "node")
    assert node_install(place / "eslint", "eslint") == ""


def test_packages_that_the_change_brings_are_not_asked(tmp_path):
    node_modules(tmp_path, eslint="9.0.0")
    assert isinstance(find("eslint", scope_of(tmp_path, "a.js"), "lint"), Tool)
    for file in ("node_modules/.bin/eslint", "node_modules/eslint/bin/eslint.js", "node_modules/espree/x.js"):
        assert isinstance(find("eslint", scope_of(tmp_path, "a.js", file), "lint"), Missing)
