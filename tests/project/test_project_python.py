"""The test command of Python projects as they are found: many layouts, two runners, and what tox hides."""

from pathlib import Path

from donewhen.project.project import detect
from tests.tables import table_test

FUNCTION = "from shop import total\n\ndef test_total():\n    assert total() == 1\n"
CASE = "import unittest\n\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n        pass\n"
PACKAGE = {"pyproject.toml": '[build-system]\n[project]\nname = "shop"\n', "shop/__init__.py": ""}


def commands_of(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [command.command for command in detect(folder).tests()]


@table_test(
    ("files", "command"),
    [
        ({**PACKAGE, "tests/test_shop.py": FUNCTION}, "pytest"),
        ({**PACKAGE, "tests/test_shop.py": CASE}, "python -m unittest discover -s tests"),
        (
            {**PACKAGE, "tests/__init__.py": "", "tests/test_shop.py": CASE},
            "python -m unittest discover -s tests -t .",
        ),
        (
            {**PACKAGE, "shop/tests/__init__.py": "", "shop/tests/test_shop.py": CASE},
            "python -m unittest discover -s shop/tests -t .",
        ),
        (
            {
                "setup.py": "setup()",
                "src/shop/__init__.py": "",
                "src/shop/tests/__init__.py": "",
                "src/shop/tests/shop_test.py": CASE,
            },
            "python -m unittest discover -s src/shop/tests -t src -p '*_test.py'",
        ),
        ({**PACKAGE, "test_shop.py": CASE}, "python -m unittest"),
        ({**PACKAGE, "test_shop.py": CASE, "requirements-dev.txt": "pytest\n"}, "pytest"),
        ({**PACKAGE, "tests/test_shop.py": CASE, "tests/test_more.py": FUNCTION}, "pytest"),
        ({**PACKAGE, "shop/tests.py": FUNCTION}, "pytest shop/tests.py"),
        ({"shop.py": "", "tests/test_shop.py": FUNCTION}, "python -m pytest"),
        ({"shop.py": "", "test_shop.py": FUNCTION}, "pytest"),
        ({"shop.py": "", "conftest.py": "", "tests/test_shop.py": FUNCTION}, "pytest"),
        ({**PACKAGE, "tests/test_shop.py": "from tests import tool\n" + FUNCTION}, "python -m pytest"),
        ({**PACKAGE, "tests/conftest.py": "", "tests/test_shop.py": CASE}, "pytest"),
        ({**PACKAGE, "runtests.py": "", "tests/test_shop.py": CASE}, "python runtests.py"),
        ({**PACKAGE, "noxfile.py": "session.run('pytest', 'tests')", "tests/test_shop.py": CASE}, "pytest"),
    ],
)
def test_the_runner_is_the_one_that_the_tests_are_written_for(tmp_path, files, command):
    assert commands_of(tmp_path, files) == [command]


@table_test(
    ("line", "command"),
    [
        ("pytest {posargs}", "pytest"),
        ("pytest {posargs:tests}", "pytest tests"),
        ("{envbindir}/py.test -W error tests", "pytest -W error tests"),
        ("coverage run -p -m pytest tests", "python -m pytest tests"),
        ("python -m coverage run --branch -m unittest discover", "python -m unittest discover"),
        ("pytest --cov shop --cov-report=xml tests", "pytest tests"),
        ("py3: python -X dev -m pytest", "python -X dev -m pytest"),
        ("- python {toxinidir}/tests/runtests.py", "python ./tests/runtests.py"),
        ("pip list\n    pytest README.rst\n    pytest tests", "pytest tests"),
        ("{envpython} -m pytest \\\n    -q", "python -m pytest -q"),
        ("pytest {env:WHERE:tests}", "pytest tests"),
        ("flake8\n    sphinx-build docs out", "tox"),
        ("bash -c 'pytest | tee log'", "tox"),
        ("pytest {[base]where}", "tox"),
        ("pytest elsewhere/", "tox"),
        ("pytest 'unclosed", "tox"),
    ],
)
def test_the_command_behind_tox(tmp_path, line, command):
    files = {"tests/runtests.py": "", "README.rst": "", "tox.ini": f"[testenv]\ncommands =\n    {line}\n"}
    assert commands_of(tmp_path, files) == [command]


def test_the_command_behind_tox_in_toml(tmp_path):
    text = '[env_run_base]\ncommands = [["python", "-m", "unittest", "-v", {replace = "posargs"}]]\n'
    assert commands_of(tmp_path, {"tox.toml": text, "setup.py": "setup()"}) == ["python -m unittest -v"]


def test_a_tox_that_starts_where_no_tests_are_is_not_taken_at_its_word(tmp_path):
    tox = "[testenv]\nchangedir = src\ncommands = python -m unittest discover\n"
    files = {"tox.ini": tox, "src/test_shop.py": CASE}
    assert commands_of(tmp_path / "a", files) == ["python -m unittest discover -s src"]
    files["tox.ini"] = tox.replace("changedir = src\n", "")
    assert commands_of(tmp_path / "b", files) == ["python -m unittest discover -s src"]


def test_settings_of_pytest_that_say_where_win_over_tox(tmp_path):
    tox = "[testenv]\ncommands = pytest tests/unit\n[pytest]\ntestpaths = tests\n"
    assert commands_of(tmp_path, {"tox.ini": tox, "tests/unit/test_a.py": FUNCTION}) == ["pytest"]


def test_no_tests_are_no_command(tmp_path):
    assert commands_of(tmp_path, {**PACKAGE, "shop/core.py": "x = 1\n"}) == []
    assert commands_of(tmp_path / "notes", {"test/readme.txt": ""}) == []


def test_a_section_with_blanks_in_it_is_found_and_endless_blanks_cost_nothing(tmp_path):
    blanks = ("[" + " " * 5000 + "\n") * 80
    files = {"pyproject.toml": f"{blanks}  [ tool.pytest.ini_options ]\n", "tests/test_a.py": CASE}
    assert commands_of(tmp_path, files) == ["pytest"]


def test_hostile_files_are_survived(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_loop.py").symlink_to(tmp_path / "tests/test_loop.py")
    (tmp_path / "tests/test_out.py").symlink_to("/etc/passwd")
    (tmp_path / "noxfile.py").write_text("(" * 50_000)
    (tmp_path / "setup.py").write_bytes(b"\xff\x00setup(")
    (tmp_path / "pyproject.toml").write_text("a = " + "[" * 50_000)
    assert [command.command for command in detect(tmp_path).tests()] == ["nox"]
