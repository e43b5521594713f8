"""Recipes that bring an environment of their own."""

from donewhen.intake.project import Root
from donewhen.intake.project_recipes import brings_environment, stands_back
from tests.tables import table_test


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
        "lint test: setup\nsetup:\n\tpython setup.py develop\n",
        "test *args: install\n  pytest\ninstall:\n  poetry install\n",
    ],
)
def test_they_install_activate_or_call_such_a_tool(text):
    assert brings_environment(text, "test")


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
def test_others_run_what_is_there(text):
    assert not brings_environment(text, "test")


def test_a_target_stands_back_only_for_a_command_of_the_language(tmp_path):
    text = "test:\n\ttox\n"
    assert not stands_back(Root(tmp_path), text, "test")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    assert stands_back(Root(tmp_path), text, "test")
    assert not stands_back(Root(tmp_path), "test:\n\tpytest\n", "test")
