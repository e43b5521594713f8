"""Work that would not be shipped: hidden by the change's own ignore lines, or edited where it is installed."""

import base64
import hashlib
import shutil

import pytest

from donewhen.verify.hidden_work import hidden_work
from donewhen.verify.rerun import ExamContext
from donewhen.workspace.census import edited, keep_census, kept_census, take_census
from tests.projects import everything
from tests.verify.exam_support import Desk, FinishedExam, write

UNITTEST = "python3 -m unittest"
TEST = """\
import unittest

from cart import total


class Total(unittest.TestCase):
    def test_adds_up(self):
        self.assertEqual(total([1, 2]), 3)
"""
CODE = "from rates import RATE\n\n\ndef total(prices):\n    return RATE * sum(prices)\n"
PLAIN = "def total(prices):\n    return sum(prices)\n"
PROJECT = {"cart.py": "", "test_cart.py": TEST, ".gitignore": "__pycache__/\n*.state\n"}


def asked(desk: Desk, change=lambda context: context):
    async def act(exam: FinishedExam):
        assert exam.green
        return await hidden_work(change(exam.context))

    return desk.do(act)


def commands(desk: Desk) -> int:
    return sum(event.type == "command_started" for event in desk.events)


def test_a_module_that_a_new_line_ignores_is_asked_about(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    ignoring = "__pycache__/\n*.state\nrates.py\ndata/\n"
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n", "data/x": "1", ".gitignore": ignoring})
    before = everything(desk.root)
    (question,) = asked(desk)
    assert (question.kind, question.file) == ("hidden-work", "rates.py")
    assert "data/x" not in str(question.message.values)
    after = everything(desk.root)
    assert {name for name in after if "__pycache__" not in name} == {
        name for name in before if "__pycache__" not in name
    }


def test_what_was_ignored_before_is_the_users_and_costs_no_other_run(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, ".gitignore": "rates.py\n__pycache__/\n"}, UNITTEST)
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    assert asked(desk) == ()
    assert commands(desk) == 1


def test_newly_ignored_files_that_nobody_needs_are_fine(tmp_path):
    desk = Desk(tmp_path, PROJECT, UNITTEST)
    write(desk.root, {"cart.py": PLAIN, "notes": "x\n", ".gitignore": "__pycache__/\n*.state\nnotes\n"})
    assert asked(desk) == ()
    assert commands(desk) == 2
    assert asked(desk) == ()
    assert commands(desk) == 0  # both results are known


def test_what_exclude_hides_since_the_session_began_is_asked_about(tmp_path):
    from donewhen.workspace.fingerprint.ignoring import Ignored
    from donewhen.workspace.git.repository import find_repository
    from donewhen.workspace.rooms.places import places

    desk = Desk(tmp_path, PROJECT, UNITTEST)
    home = places(find_repository(desk.root, desk.env), desk.env).home
    Ignored().keep(home / "ignored.json")
    (desk.root / ".git/info").mkdir(exist_ok=True)
    (desk.root / ".git/info/exclude").write_text("rates.py\n")
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    (question,) = asked(desk)
    assert question.file == "rates.py"


def test_a_file_that_the_tests_make_themselves_is_fine(tmp_path):
    test = "from pathlib import Path\nPath('rates.py').write_text('RATE = 1\\n')\n" + TEST
    desk = Desk(tmp_path, {**PROJECT, "test_cart.py": test}, UNITTEST)
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n", ".gitignore": "rates.py\n"})
    assert asked(desk) == ()


def installed(root, text="x = 1\n", record=True) -> None:
    """A package in `.venv`, as an installer writes it."""
    site = root / ".venv/lib/python3.11/site-packages"
    write(root, {".venv/pyvenv.cfg": "", f"{site.relative_to(root)}/tool/__init__.py": text})
    noted = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
    if record:
        write(
            root,
            {f"{site.relative_to(root)}/tool-1.dist-info/RECORD": f"tool/__init__.py,sha256={noted},6\n"},
        )


def installed_by_npm(root, text="x\n", note="{}", manifest="{}") -> None:
    files = {"tool/index.js": text, "tool/package.json": manifest, ".package-lock.json": note}
    write(root, {f"node_modules/{name}": data for name, data in files.items()})


def names(paths, root) -> list[str]:
    return [path.removeprefix(f"{root}/") for path in paths]


def test_a_census_knows_an_edit_from_an_installation(tmp_path):
    env = {"HOME": str(tmp_path / "home")}
    installed(tmp_path)
    installed_by_npm(tmp_path)
    file = tmp_path / "kept"
    keep_census(file, take_census(tmp_path, env))
    then = kept_census(file)
    assert then and edited(then, take_census(tmp_path, env)) == []
    installed(tmp_path, "y = 22\n", record=False)
    planted = {"node_modules/.bin/node": "#!/bin/sh\n", ".venv/bin/pytest": "#!/bin/sh\n"}
    write(tmp_path, {**planted, "node_modules/tool/index.js": "yy\n"})
    assert names(edited(then, take_census(tmp_path, env)), tmp_path) == [
        ".venv/bin/pytest",
        ".venv/lib/python3.11/site-packages/tool/__init__.py",
        "node_modules/.bin/node",
        "node_modules/tool/index.js",
    ]
    shutil.rmtree(tmp_path / "node_modules/.bin")
    (tmp_path / ".venv/bin/pytest").unlink()
    installed(tmp_path, "y = 333\n")
    installed_by_npm(tmp_path, "yyy\n", "{ }", "{ }")
    assert edited(then, take_census(tmp_path, env)) == []


def test_an_ignored_file_that_came_since_is_asked_about_where_nothing_was_ignored_before(tmp_path):
    desk = Desk(tmp_path, {**PROJECT, ".gitignore": "__pycache__/\n*.state\nrates.py\n"}, UNITTEST)
    keep_census(tmp_path / "census", take_census(desk.root, desk.env))
    assert kept_census(tmp_path / "census") == {}
    write(desk.root, {"cart.py": CODE, "rates.py": "RATE = 1\n"})
    (question,) = asked(
        desk, lambda each: each._replace(wanted=each.wanted._replace(census=tmp_path / "census"))
    )
    assert question.file == "rates.py"


def test_an_environment_that_was_made_since_is_nobodys_edit(tmp_path):
    env = {"HOME": str(tmp_path / "home")}
    then = take_census(tmp_path, env) or {}
    made = dict.fromkeys(("python3", "activate", "Activate.ps1", "activate.fish"), "")
    write(tmp_path, {".venv/pyvenv.cfg": "", **{f".venv/bin/{name}": text for name, text in made.items()}})
    assert edited(then, take_census(tmp_path, env)) == []


def test_what_starts_with_every_python_of_the_users_is_in_the_census(tmp_path):
    env = {"HOME": str(tmp_path / "home")}
    then = take_census(tmp_path, env) or {}
    write(tmp_path, {"home/.local/lib/python3.11/site-packages/fast.pth": "import x\n"})
    assert [path.rpartition("/")[2] for path in edited(then, take_census(tmp_path, env))] == ["fast.pth"]


@pytest.mark.parametrize("kept", [True, False])
def test_an_edited_runner_is_asked_about_with_and_without_a_census(tmp_path, kept):
    desk = Desk(tmp_path, {**PROJECT, "cart.py": PLAIN, ".gitignore": ".venv/\n__pycache__/\n"}, UNITTEST)
    site = desk.root / ".venv/lib/python3.11/site-packages"
    text = "x = 1\n"
    noted = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
    write(
        site, {"_pytest/main.py": text, "pytest-8.0.dist-info/RECORD": f"_pytest/main.py,sha256={noted},6\n"}
    )
    write(desk.root, {".venv/pyvenv.cfg": "", "cart.py": PLAIN + "# said\n"})
    keep_census(tmp_path / "census", take_census(desk.root, desk.env))

    def with_environment(context: ExamContext) -> ExamContext:
        context.place.prepared = context.place.prepared._replace(path=(str(desk.root / ".venv/bin"),))
        return context._replace(wanted=context.wanted._replace(census=tmp_path / "census" if kept else None))

    assert asked(desk, with_environment) == ()
    write(site, {"_pytest/main.py": "x = 22\n"})
    (question,) = asked(desk, with_environment)
    assert question.kind == "hidden-work"
    assert "_pytest/main.py" in question.file
