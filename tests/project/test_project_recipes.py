"""Recipes that bring an environment of their own."""

from pathlib import Path

from donewhen.project.folder import Folder
from donewhen.project.project import detect
from donewhen.project.targets import brings_environment
from tests.tables import table_test


def brings(folder: Path, text: str) -> bool:
    program, name = ("just", "justfile") if "test *args" in text else ("make", "Makefile")
    (folder / name).write_text(text)
    return brings_environment(Folder(folder), program, "test")


@table_test(
    "text",
    [
        "test:\n\tpip install -e .\n\tpytest\n",
        "test:\n\t. venv/bin/activate; \\\n\tpytest\n",
        "test: .develop\n\t@pytest -q\n.develop: deps\ndeps:\n\tpython -m pip install -r x.txt\n",
        "test:\n\ttox -e py3\n",
        "test:\n\t@uv run pytest\n",
        "test:\n\tdocker compose run tests\n",
        "PYTHON=/usr/bin/python3\ntest:\n\t${PYTHON} tests/run.py\n",
        "env=~/envs/own\npython=$(env)/bin/python\ntest:\n\t$(python) -m unittest\n",
        "lint test: setup\nsetup:\n\tpython setup.py develop\n",
        "test *args: install\n  pytest\ninstall:\n  poetry install\n",
    ],
)
def test_they_install_activate_or_call_such_a_tool(tmp_path, text):
    assert brings(tmp_path, text)


@table_test(
    "text",
    [
        "test:\n\tpytest\n",
        "test:\n\tpython -m unittest -v ${tests}\ninstall:\n\tpip install .\n",
        "test: build\n\t./run-tests\nbuild:\n\tcc -o run-tests tests.c\n",
        "test: test\n\tpytest tests/pip/\n",
        "a: b\nb: a\ntest: a\n\tpytest\n",
        "",
        "test :" + " x" * 10_000,
    ],
)
def test_others_run_what_is_there(tmp_path, text):
    assert not brings(tmp_path, text)


def test_a_target_stands_back_only_for_a_command_of_the_language(tmp_path):
    def commands(text: str) -> list[str]:
        (tmp_path / "Makefile").write_text(text)
        return [command.command for command in detect(tmp_path).tests()]

    assert commands("test:\n\ttox\n") == ["make test"]
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    assert commands("test:\n\ttox\n") == ["pytest"]
    assert commands("test:\n\tpytest\n") == ["make test"]
