"""What a project begins to run before or after its tests: more checks are welcome, swapped files are not."""

import json

from donewhen.core.integrity.model import Finding
from donewhen.verify.integrity.settings import ChangedFile, compare_settings
from tests.tables import table_test

_TEST = "node test.js"
_WRITES = "const fs = require('fs');\nfs.copyFileSync('tools/new.js', 'money.js');\n"
_BUILDS = (
    "const fs = require('fs');\nconst path = require('path');\n"
    "const out = path.join(__dirname, '..', 'dist', 'money.js');\nfs.mkdirSync('dist');\n"
    "fs.writeFileSync(out, fs.readFileSync('src/money.js', 'utf8').replace(/a/g, 'b'));\n"
)
_LOOKS = "const fs = require('fs');\nif (!fs.readFileSync('money.js', 'utf8').includes('exports')) process.exitCode = 1;\n"


def _package(**scripts: str) -> bytes:
    return json.dumps({"name": "demo", "scripts": scripts}, indent=2).encode()


def _strict(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(each.rule, each.policy) for each in findings if each.blocks]


def _compared(before: bytes, now: bytes, path: str = "package.json", **others: str) -> list[tuple[str, str]]:
    new = [ChangedFile(name.replace("__", "/") + ".js", None, text.encode()) for name, text in others.items()]
    return _strict(compare_settings([ChangedFile(path, before, now), *new]))


@table_test(
    "now",
    [
        "node --check money.js && node test.js",
        "node -c money.js && node test.js",
        "node test.js && node --check money.js",
        "eslint . && node test.js",
        "prettier --check . && node test.js",
        "tsc --noEmit && node test.js",
        "npm run lint && node test.js",
        "node tools/unchanged.js && node test.js",
        "node other.test.js && node test.js",
        "rm -rf dist && node test.js",
        "rm -rf coverage .nyc_output && node test.js",
        "mkdir -p out && node test.js",
        "set -e; node --check money.js; node test.js; echo done",
        "echo testing && node test.js",
    ],
)
def test_more_steps_around_the_same_test_are_stricter(now: str) -> None:
    assert _compared(_package(test=_TEST), _package(test=now, lint="eslint .")) == []


@table_test(
    "now",
    [
        "node --check money.js || node test.js",
        "node --check money.js; node test.js; true",
        "node test.js || node --check money.js",
        "node --check test.js",
        "node --check money.js && node --check test.js",
        "cp tools/money.new money.js && node test.js",
        "git stash && node test.js",
        "sed -i s/3/4/ test.js && node test.js",
        "rm -f hard.test.js && node test.js",
        "echo 'module.exports = 3' > money.js && node test.js",
        "node --check money.js && cp tools/money.new money.js && node test.js",
        "node -e \"require('fs').copyFileSync('a','money.js')\" && node test.js",
    ],
)
def test_steps_that_mask_or_swap_are_findings(now: str) -> None:
    found = _compared(_package(test=_TEST), _package(test=now))
    assert {rule for rule, _ in found} == {"command-weakened"}


@table_test("form", ["inline", "pretest", "make", "script"])
@table_test(
    ("code", "policies"),
    [(_WRITES, {"ask"}), (_BUILDS, set()), (_LOOKS, set())],
    ids=["swaps", "builds", "looks"],
)
def test_a_new_script_beside_the_tests_is_judged_by_what_it_writes(
    form: str, code: str, policies: set[str]
) -> None:
    step = "node tools/step.js"
    forms: dict[str, tuple[bytes, bytes, str]] = {
        "inline": (_package(test=_TEST), _package(test=f"{step} && {_TEST}"), "package.json"),
        "pretest": (_package(test=_TEST), _package(pretest=step, test=_TEST), "package.json"),
        "make": (b"test:\n\tnode test.js\n", f"test:\n\t{step}\n\tnode test.js\n".encode(), "Makefile"),
        "script": (
            b"#!/bin/sh\nset -e\nnode test.js\n",
            f"#!/bin/sh\nset -e\n{step}\nnode test.js\n".encode(),
            "run_tests.sh",
        ),
    }
    assert {policy for _, policy in _compared(*forms[form], tools__step=code)} == policies


@table_test(
    ("path", "before", "now"),
    [
        (
            "Makefile",
            "test:\n\tpython -m unittest\n",
            "test: lint\n\tpython -m unittest\nlint:\n\truff check .\n",
        ),
        (
            "Makefile",
            "test:\n\tpython -m unittest\n",
            "test:\n\tpython -m compileall -q src\n\tpython -m unittest\n",
        ),
        ("Makefile", "test:\n\tpython run.py\n", "test:\n\tpython check_style.py\n\tpython run.py\n"),
        ("run.sh", "#!/bin/sh\nset -e\npytest\n", "#!/bin/sh\nset -e\nmypy src\npytest\necho all good\n"),
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands =\n    mypy src\n    pytest\n"),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  t:\n    steps:\n      - run: pytest\n",
            "jobs:\n  t:\n    steps:\n      - run: python scripts/check_docs.py && pytest\n",
        ),
    ],
)
def test_more_steps_are_stricter_wherever_commands_are_kept(path: str, before: str, now: str) -> None:
    assert _compared(before.encode(), now.encode(), path) == []


@table_test(
    ("path", "before", "now"),
    [
        (
            "Makefile",
            "test:\n\tpython -m unittest\n",
            "test:\n\tcp tools/calc.py calc.py\n\tpython -m unittest\n",
        ),
        (
            "Makefile",
            "test:\n\tpython -m unittest\n",
            "test: swap\n\tpython -m unittest\nswap:\n\tmv new.py calc.py\n",
        ),
        ("run.sh", "#!/bin/sh\nset -e\npytest\n", "#!/bin/sh\nset -e\nrm -f tests/test_hard.py\npytest\n"),
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands =\n    mypy src\n    - pytest\n"),
    ],
)
def test_swapped_files_are_findings_wherever_commands_are_kept(path: str, before: str, now: str) -> None:
    assert "command-weakened" in {rule for rule, _ in _compared(before.encode(), now.encode(), path)}


@table_test(
    ("code", "harmless"),
    [
        ("import os\nos.replace('a.py', 'calc.py')\n", False),
        ("print(open('calc.py').read().replace('a', 'b'))\n", True),
        ("import shutil\nshutil.copy('new.py', 'calc.py')\n", False),
        ("import shutil\nshutil.copy('calc.py', 'build/calc.py')\n", True),
        ("import shutil\nshutil.copy('build/calc.py', 'calc.py')\n", False),
        ("open('calc.py', 'w').write('x')\n", False),
        ("with open('coverage/report.txt', 'w') as file:\n    file.write('x')\n", True),
        ("with open('calc.py', 'rb') as file:\n    data = file.read()\n", True),
        ("from pathlib import Path\nPath('tests/test_calc.py').unlink()\n", False),
        ("from pathlib import Path\nPath('build/x.txt').write_text('x')\n", True),
        ("import subprocess\nsubprocess.run(['cp', 'a', 'b'])\n", False),
        ("import sys\nsys.exit(0 if sys.version_info >= (3, 8) else 1)\n", True),
    ],
)
def test_python_scripts_before_the_tests(code: str, harmless: bool) -> None:
    files = [
        ChangedFile("Makefile", b"test:\n\tpytest\n", b"test:\n\tpython tools/step.py\n\tpytest\n"),
        ChangedFile("tools/step.py", None, code.encode()),
    ]
    found = [each for each in compare_settings(files) if each.rule == "command-weakened" and each.blocks]
    assert bool(found) is not harmless
