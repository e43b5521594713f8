"""Makefiles, justfiles, tox, nox, tasks and shell scripts: what they run, and what they hide."""

from tests.tables import table_test
from tests.verify.looking import look, reason

HONEST_MAKEFILES = [
    "test:\n\tpytest\n",
    "test:\n\t@pytest $(ARGS)\n",
    "test: lint\n\tpytest -q\n\nlint:\n\truff check . || true\n",
    "PYTEST ?= python -m pytest\ntest:\n\t$(PYTEST) -q\n",
    "test:\n\t-rm -rf build\n\tpytest\n",
    "test:\n\tpytest || exit 1\n",
    "test:\n\tcoverage run -m pytest\n\tcoverage report\n",
    "test:\n\t@echo testing; pytest\n",
    "SHELL := bash\n.SHELLFLAGS := -eu -o pipefail -c\ntest:\n\tpytest | tee out.txt\n",
    ".ONESHELL:\n.SHELLFLAGS := -ec\ntest:\n\tpytest\n\techo done\n",
    "test: unit e2e\nunit:\n\tgo test ./...\ne2e:\n\t./e2e.sh\n",
    ".PHONY: test\ntest:\n\tcargo test --workspace\n",
    "test:\n\tset -e; for d in a b; do $(MAKE) -C $$d test; done\n",
    "test:\n\tfor d in a b; do $(MAKE) -C $$d test || exit 1; done\n",
    "test:\n\tpython -m unittest discover -s tests\n",
    "test: ; pytest\n",
    "ifeq ($(CI),1)\nARGS = -x\nendif\ntest:\n\tpytest $(ARGS)\n",
    "test:\n\tpytest \\\n\t  -q \\\n\t  tests\n",
    "include common.mk\ntest:\n\t$(RUN) tests\n",
    "test:\n\t$(foreach d,$(DIRS),pytest $(d) &&) true\n",
    "test: venv\n\t. venv/bin/activate; pytest\nvenv:\n\tpython -m venv venv || true\n",
    "test:\n\tctest --output-on-failure\n",
    ".IGNORE: clean\nclean:\n\trm x\ntest: clean\n\tpytest\n",
]
MASKED_MAKEFILES = [
    "test:\n\t-pytest\n",
    "test:\n\t@-pytest -q\n",
    "test:\n\tpytest || true\n",
    "test:\n\tpytest -q; coverage report\n",
    "test:\n\tpytest | tee out.txt\n",
    ".IGNORE:\ntest:\n\tpytest\n",
    ".IGNORE: test\ntest:\n\tpytest\n",
    "MAKEFLAGS += -i\ntest:\n\tpytest\n",
    ".ONESHELL:\ntest:\n\tpytest\n\techo done\n",
    "PYTEST = pytest -q\ntest:\n\t-$(PYTEST)\n",
    "test: unit\nunit:\n\tgo test ./... || true\n",
    "test:\n\tfor d in a b; do pytest $$d; done\n",
    "test:\n\t$(MAKE) -i unit\nunit:\n\tpytest\n",
    "include common.mk\ntest:\n\t-$(RUN) tests\n",
]


@table_test("text", HONEST_MAKEFILES)
def test_an_honest_makefile_is_not_called_masked(tmp_path, text):
    found = look(tmp_path, "make test", Makefile=text, **{"common.mk": "RUN = pytest\n"})
    assert found.trouble is None, reason(found)


@table_test("text", MASKED_MAKEFILES)
def test_a_makefile_that_ignores_its_tests_is_masked(tmp_path, text):
    found = look(tmp_path, "make test", Makefile=text, **{"common.mk": "RUN = pytest\n"})
    assert found.trouble is not None
    assert "Makefile" in reason(found)


def test_a_target_without_a_recipe_proves_nothing(tmp_path):
    assert look(tmp_path, "make test", Makefile=".PHONY: test\ntest:\n").trouble is not None


def test_what_only_prints_beside_something_unknown_is_left_alone(tmp_path):
    makefile = "check: $(addprefix check-,a b)\n\techo ok\ncheck-%:\n\t./check $*\n"
    assert look(tmp_path, "make check", Makefile=makefile).trouble is None
    assert look(tmp_path, "make check", Makefile="check: program.o\n\techo ok\n").trouble is None
    assert look(tmp_path, "make check", Makefile="check:\n\techo ok\n").trouble is not None


def test_a_target_that_nobody_wrote_is_left_alone(tmp_path):
    assert look(tmp_path, "make check", Makefile="test:\n\t-pytest\n").trouble is None


JUST = {
    "test:\n    pytest\n": False,
    "test:\n    -pytest\n": True,
    "test *ARGS:\n    @pytest {{ARGS}}\n": False,
    "py := 'python -m'\ntest:\n    {{py}} pytest || true\n": True,
    "test: lint\n    cargo test\nlint:\n    -cargo clippy\n": False,
    "test:\n    #!/usr/bin/env bash\n    pytest\n    echo done\n": True,
    "test:\n    #!/usr/bin/env bash\n    set -euo pipefail\n    pytest\n    echo done\n": False,
    "default: test\ntest:\n    go test ./... | tee log\n": True,
    "set shell := ['bash', '-euo', 'pipefail', '-c']\ntest:\n    pytest | tee x\n": False,
}


@table_test(("text", "masked"), JUST.items())
def test_justfiles(tmp_path, text, masked):
    assert (look(tmp_path, "just test", justfile=text).trouble is not None) == masked


TOX = {
    "[testenv]\ncommands = pytest {posargs}\n": False,
    "[testenv]\ncommands =\n    pytest {posargs:tests}\n    coverage report\n": False,
    "[testenv]\ncommands =\n    - pytest\n": True,
    "[testenv]\nignore_errors = true\ncommands =\n    pytest\n    flake8\n": False,
    "[testenv]\nignore_outcome = true\ncommands = pytest\n": True,
    "[tox]\nenvlist = py{310,311},dev\n[testenv]\ncommands = pytest\n[testenv:dev]\nignore_outcome = true\n": False,
    "[testenv]\ncommands = bash -c 'pytest || true'\n": True,
    "[testenv]\ncommands = pytest || true\n": False,
    "[tox]\nenvlist = lint,py\n[testenv]\ncommands = {envpython} -m pytest\n[testenv:lint]\ncommands = - flake8\n": False,
    "[base]\ncommands = - pytest\n[testenv]\ncommands = {[base]commands}\n": True,
    "[testenv]\ncommands =\n    coverage erase\n    coverage run -m pytest\n    -coverage html\n": False,
    "[testenv]\ncommands =\n    py311: pytest\n    !py311: pytest -q\n": False,
}


@table_test(("text", "masked"), TOX.items())
def test_tox_files(tmp_path, text, masked):
    assert (look(tmp_path, "tox", **{"tox.ini": text}).trouble is not None) == masked


def test_tox_in_toml(tmp_path):
    text = '[tool.tox]\nenv_list = ["py"]\n[tool.tox.env_run_base]\ncommands = [["-", "pytest"]]\n'
    assert look(tmp_path, "tox", **{"pyproject.toml": text}).trouble is not None
    assert look(tmp_path, "tox", **{"pyproject.toml": text.replace('"-", ', "")}).trouble is None


NOX = {
    "    session.run('pytest', *session.posargs)\n": False,
    "    session.install('.')\n    session.run('python', '-m', 'pytest', external=True)\n": False,
    "    try:\n        session.run('pytest')\n    finally:\n        session.notify('coverage')\n": False,
    "    session.run('bash', '-c', 'pytest; true')\n": True,
}


@table_test(("body", "masked"), NOX.items())
def test_noxfiles(tmp_path, body, masked):
    text = f"import nox\n\n@nox.session(python=['3.11'])\ndef tests(session):\n{body}"
    found = look(tmp_path, "nox", **{"noxfile.py": text})
    assert (found.trouble is not None) == masked


TASKS = [
    ("hatch run test", "pyproject.toml", '[tool.hatch.envs.default.scripts]\ntest = "pytest {args}"\n', False),
    ("hatch run test", "pyproject.toml", '[tool.hatch.envs.default.scripts]\ntest = "- pytest {args}"\n', True),
    ("hatch run cov", "pyproject.toml", '[tool.hatch.envs.default.scripts]\ncov = ["pytest", "- coverage html"]\n', False),
    ("pdm run test", "pyproject.toml", '[tool.pdm.scripts]\ntest = {shell = "pytest; true"}\n', True),
    ("pdm run test", "pyproject.toml", '[tool.pdm.scripts]\ntest = {composite = ["lint", "pytest"]}\nlint = "ruff check"\n', False),
    ("poe test", "pyproject.toml", '[tool.poe.tasks]\ntest = {shell = "pytest || true"}\n', True),
    ("composer test", "composer.json", '{"scripts": {"test": ["@lint", "phpunit"], "lint": "phpcs || true"}}', False),
    ("composer test", "composer.json", '{"scripts": {"test": "phpunit || true"}}', True),
    ("deno task test", "deno.json", '{"tasks": {"test": "deno test; true"}}', True),
    ("uv run make test", "Makefile", "test:\n\t-pytest\n", True),
    ("poetry run pytest", "pyproject.toml", "", False),
]  # fmt: skip


@table_test(("command", "file", "text", "masked"), TASKS)
def test_tasks_of_project_managers(tmp_path, command, file, text, masked):
    assert (look(tmp_path, command, **{file: text}).trouble is not None) == masked


SCRIPTS = {
    "#!/bin/sh\nset -e\npytest\necho done\n": False,
    "#!/bin/sh -e\npytest\necho done\n": False,
    "#!/bin/bash\npytest\n": False,
    "#!/bin/bash\npytest\necho done\n": True,
    "#!/bin/bash\nset -e\nset +e\npytest\necho done\n": True,
    "#!/bin/bash\nset -e\npytest || true\n": True,
    "#!/bin/bash\nset -e\npytest | tee out.txt\n": True,
    "#!/bin/bash\nset -eo pipefail\npytest | tee out.txt\n": False,
    '#!/usr/bin/env bash\nset -euo pipefail\ncd "$(dirname "$0")"\npytest "$@"\n': False,
    '#!/bin/bash\nrun() { pytest "$@"; }\nrun tests || exit 1\n': False,
    '#!/bin/bash\nrun() { pytest "$@" || true; }\nrun tests\n': True,
    "#!/bin/bash\nsource venv/bin/activate\nexport FOO=1\npytest\nstatus=$?\ndeactivate\nexit $status\n": False,
    '#!/bin/bash\nset -e\nif [ -n "$CI" ]; then\n  pytest --junitxml=out.xml\nelse\n  pytest\nfi\n': False,
    "#!/bin/bash\nfailed=0\npytest || failed=1\nmypy . || failed=1\nexit $failed\n": False,
    '#!/bin/bash\nset -e\ncase "$1" in\n  unit) pytest tests/unit ;;\n  *) pytest ;;\nesac\n': False,
    "#!/bin/bash\nset -e\nfor v in 3.11 3.12; do\n  PYTHON=python$v\n  $PYTHON -m pytest\ndone\n": False,
    "#!/bin/bash\ntrap 'rm -rf tmp' EXIT\nset -e\npytest\n": False,
    "#!/bin/bash\nPY=python3\n$PY -m pytest || true\n": True,
    "#!/usr/bin/env python3\nimport os\n": False,
    "#!/bin/bash\nset -e\ndocker compose up -d || true\npytest\ndocker compose down || true\n": False,
    "#!/bin/bash\nif ! pytest; then\n  echo failed\n  exit 1\nfi\n": False,
    '#!/bin/bash\nexec pytest "$@"\n': False,
}


@table_test(("text", "masked"), SCRIPTS.items())
def test_shell_scripts_of_the_repository(tmp_path, text, masked):
    found = look(tmp_path, "./run_tests.sh", **{"run_tests.sh": text})
    assert (found.trouble is not None) == masked, reason(found)


@table_test(
    ("command", "masked"),
    [
        ("bash run.sh", True),
        ("sh ./run.sh", True),
        ("bash -e run.sh", False),
        ("bash -eo pipefail run.sh", False),
    ],
)
def test_the_shell_that_is_called_has_its_own_options(tmp_path, command, masked):
    found = look(tmp_path, command, **{"run.sh": "#!/bin/sh -e\npytest\necho done\n"})
    assert (found.trouble is not None) == masked
