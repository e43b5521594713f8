"""Measuring for real: the command runs as ever, and afterwards it is known which lines ran."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from donewhen.core.accept import Accept
from donewhen.core.quality.coverage import Covered, Lines, judge
from donewhen.core.quality.model import Unreadable
from donewhen.project.roles import exam_side
from donewhen.project.tools import Scope
from donewhen.verify.exam.probe import lay_probe, read_notes
from donewhen.verify.quality.coverage.measure import Measure, with_unmeasured
from tests.tables import table_test

OURS = str(Path(sys.executable).parent)
NOTHING = ("No data to combine", "No data to report")  # of what the project did not measure itself
SHOP = "import os\n\n\ndef price(n):\n    if n > 3:\n        return n * 2\n    return n\n\n\ndef child():\n    return 1\n"


def put(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def plan(root: Path, desk: Path, command: str, files: tuple[str, ...], path=(OURS,), **env: str) -> Measure:
    entry = Accept(command, command, tuple(command.split()), env=tuple(env.items()))
    desk.mkdir(exist_ok=True)
    return Measure(entry, Scope(root, files, path, {"PATH": "/usr/bin:/bin"}), desk)


def run(root: Path, measure: Measure, **env: str) -> str:
    """What the command printed, all of it run as the harness would."""
    python = ":".join(part for part in (measure.python_path, env.pop("PYTHONPATH", "")) if part)
    whole = {"PATH": f"{OURS}:/usr/bin:/bin", "HOME": str(root), **env, **measure.env, "PYTHONPATH": python}

    def started(argv: tuple[str, ...]) -> str:
        done = subprocess.run(argv, cwd=root, env=whole, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 or done.stdout.rstrip(".\n").endswith(NOTHING), done.stdout + done.stderr
        return done.stdout + done.stderr

    printed = started(measure.argv)
    return printed + "".join(map(started, measure.after()))


def lines(ran: set[int], missing: set[int]) -> Lines:
    return Lines(frozenset(ran), frozenset(missing))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    tests = (
        "import subprocess, sys, shop\n\ndef test_price():\n    assert shop.price(1) == 1\n\n"
        "def test_child():\n    subprocess.run([sys.executable, '-c', 'import shop; shop.child()'], check=True)\n"
    )
    return put(
        tmp_path / "shop", {"shop.py": SHOP, "lonely.py": "x = 1\n", "test_shop.py": tests, "setup.cfg": ""}
    )


@pytest.mark.runs
def test_pytest_and_the_processes_it_starts(shop, tmp_path):
    measure = plan(shop, tmp_path / "desk", "python -m pytest -q -p no:cacheprovider", ("shop.py",))
    printed = run(shop, measure)
    assert "2 passed" in printed
    assert "coverage" not in printed.lower().replace(str(tmp_path), "")
    found = measure.read(shop)
    assert found.files["shop.py"] == lines({1, 4, 5, 7, 10, 11}, {6})
    assert not list(shop.glob(".coverage*"))
    changed = {"shop.py": frozenset(range(1, 12)), "lonely.py": frozenset((1,))}
    verdict = judge(with_unmeasured(found, changed, shop)[0], exam_side, changed, 90, None)
    assert [(each.file, each.subject) for each in verdict.violations] == [
        ("lonely.py", "1"),
        ("shop.py", "6"),
    ]


def test_unittest_behind_make_with_the_projects_own_settings(tmp_path):
    root = put(
        tmp_path / "root",
        {
            "Makefile": "test:\n\tcd tests && PYTHONPATH=..:$$PYTHONPATH python -m unittest -q\n",
            ".coveragerc": "[run]\nsource = .\nomit = gen_*.py\n[report]\nfail_under = 100\n",
            "shop.py": SHOP,
            "gen_x.py": "x = 1\n",
            "lonely.py": "x = 1\n",
            "tests/test_shop.py": "import unittest, shop, gen_x\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(shop.price(9), 18)\n",
        },
    )
    measure = plan(root, tmp_path / "desk", "make test", ("shop.py", "gen_x.py"))
    run(root, measure)
    found = measure.read(root)
    assert found.files["shop.py"] == lines({1, 4, 5, 6, 10}, {7, 11})
    assert found.files["lonely.py"] == lines(set(), {1})
    assert "gen_x.py" not in found.files
    assert with_unmeasured(found, {"gen_x.py": frozenset((1,))}, root)[0].left_out == {"gen_x.py"}


@pytest.mark.runs
def test_what_a_project_measures_itself_is_taken_too(shop, tmp_path):
    measure = plan(
        shop, tmp_path / "desk", "python -m coverage run -m pytest -q -p no:cacheprovider", ("shop.py",)
    )
    run(shop, measure)
    assert measure.read(shop).files["shop.py"] == lines({1, 4, 5, 7, 10, 11}, {6})
    assert not list(shop.glob(".coverage*"))


def test_branches_that_a_project_measures_itself_do_not_keep_our_lines_out(shop, tmp_path):
    tests = "import subprocess, sys, shop\n\ndef test_price():\n    assert shop.price(9) == 18\n"
    child = "    subprocess.run([sys.executable, '-c', 'import shop; shop.child()'], check=True)\n"
    put(shop, {"test_shop.py": f"{tests}\ndef test_child():\n{child}"})
    command = "python -m coverage run --branch -m pytest -q -p no:cacheprovider"
    measure = plan(shop, tmp_path / "desk", command, ("shop.py",))
    run(shop, measure)
    assert measure.read(shop).files["shop.py"] == lines({1, 4, 5, 6, 10, 11}, {7})


def test_languages_of_the_change_that_no_report_knows(tmp_path):
    files = {"a.py": "x = 1\n", "b.js": "// why\nf();\n", "c.go": "// why\n", "test/d.rs": "fn f() {}\n"}
    root = put(tmp_path / "root", files)
    covered = Covered({"a.py": lines({1}, set())})
    changed = {name: frozenset((1, 2)) for name in files}
    assert with_unmeasured(covered, changed, root)[1] == {"javascript": "b.js"}
    assert with_unmeasured(covered, {**changed, "b.js": frozenset((1,))}, root)[1] == {}


def test_a_sitecustomize_that_is_there_still_runs_and_so_does_the_probe(shop, tmp_path):
    theirs = put(tmp_path / "theirs", {"sitecustomize.py": "print('theirs')\n"})
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    probe = lay_probe(scratch, ["shop"])
    put(shop, {"start.py": "import shop; shop.price(1)\n"})
    measure = plan(shop, tmp_path / "desk", "python start.py", ("shop.py",))
    printed = run(shop, measure, PYTHONPATH=f"{probe.folder}:{theirs}")
    assert printed.startswith("theirs\n")
    assert measure.read(shop).files["shop.py"].executed == {1, 4, 5, 7, 10}
    assert [place for note in read_notes(probe) for _, place in note.places] == [str(shop / "shop.py")]


def test_no_python_process_means_no_data_and_no_verdict(shop, tmp_path):
    measure = plan(shop, tmp_path / "desk", "true", ("shop.py",))
    run(shop, measure)
    assert measure.after() == []
    with pytest.raises(Unreadable, match="left no coverage data for Python"):
        measure.read(shop)


def test_a_python_without_coverage_is_noted(shop, tmp_path):
    measure = plan(shop, tmp_path / "desk", "python -S -c pass", ("shop.py",))
    start = Path(measure.python_path) / "sitecustomize.py"
    subprocess.run([sys.executable, "-S", str(start)], cwd=shop, env={}, check=True, timeout=60)
    assert (tmp_path / "desk/python/none").is_file()
    assert measure.after() == []


CART = "export function add(a) {\n  // why\n  return a;\n}\n\nexport function never() {\n  return 1;\n}\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("command", ["node --test", "npm test"])
def test_node_and_the_processes_it_starts(tmp_path, command):
    if command.startswith("npm") and shutil.which("npm") is None:
        pytest.skip("needs npm")
    node = str(Path(os.path.realpath(str(shutil.which("node")))).parent)
    root = put(
        tmp_path / "root",
        {
            "package.json": '{"type": "module", "scripts": {"test": "node --test"}}',
            "lib/cart it.js": CART,
            "test/cart.test.js": "import test from 'node:test';\nimport { add } from '../lib/cart it.js';\ntest('a', () => { add(1); });\n",
        },
    )
    measure = plan(root, tmp_path / "desk", command, ("lib/cart it.js",), (node,))
    run(root, measure, PATH=f"{node}:/usr/bin:/bin")
    assert measure.argv == tuple(command.split())
    assert measure.read(root).files["lib/cart it.js"] == lines({1, 3, 6}, {7})


MANIFESTS = {
    "go.mod": "module x\n",
    "Cargo.toml": "",
    "pom.xml": "",
    "package.json": '{"scripts": {"test": "jest --ci", "unit": "cross-env CI=1 vitest run", "both": "jest && echo", "own": "jest --coverage"}}',
    "node_modules/@vitest/coverage-v8/package.json": "{}",
}
JEST = "--coverage --coverageReporters=json --coverageThreshold={} --coverageDirectory=DESK/jest"
VITEST = "--coverage.enabled=true --coverage.reporter=json --coverage.reportOnFailure=true --coverage.reportsDirectory=DESK/vitest"


@table_test(
    ("command", "file", "argv"),
    [
        ("go test -race ./...", "a.go", "go test -coverprofile=DESK/go.out -coverpkg=./... -race ./..."),
        ("go test -coverprofile=c.out ./...", "a.go", "go test -coverprofile=c.out ./..."),
        ("make test", "a.go", "make test"),
        ("cargo test --all", "a.rs", "cargo test --all"),
        ("mvn test", "A.java", "mvn test"),
        ("npx jest --ci", "a.ts", f"npx jest --ci {JEST}"),
        ("npm test", "a.ts", f"npm test -- {JEST}"),
        ("yarn test", "a.ts", f"yarn test {JEST}"),
        ("npm run unit", "a.ts", f"npm run unit -- {VITEST}"),
        ("npm run both", "a.ts", "npm run both"),
        ("npm run own", "a.ts", "npm run own"),
        ("jest --coverage=true", "a.ts", "jest --coverage=true"),
    ],
)
def test_options_are_added_to_plain_calls_only(tmp_path, command, file, argv):
    root = put(tmp_path / "root", MANIFESTS)
    desk = tmp_path / "desk"
    measure = plan(root, desk, command, (file,), ())
    assert " ".join(measure.argv) == argv.replace("DESK", str(desk))


@table_test(
    ("command", "file", "why", "install"),
    [
        ("npx vitest run", "a.ts", "coverage.no_vitest", "npm install --save-dev @vitest/coverage-v8"),
        ("npx jest", "a.ts", "", ""),
    ],
)
def test_what_can_not_be_measured_says_why(tmp_path, command, file, why, install):
    found = plan(put(tmp_path / "root", {"x": ""}), tmp_path / "desk", command, (file,), ()).missing
    assert [(each.why.key, each.install) for each in found.values()] == ([(why, install)] if why else [])


def test_the_runs_own_report_stands_in_where_we_can_not_measure(tmp_path):
    root = put(
        tmp_path / "root", {"go.mod": "module x\n", "a.go": "package x\n\nfunc F() int {\n\treturn 1\n}\n"}
    )
    measure = plan(root, tmp_path / "desk", "make test", ("a.go",))
    with pytest.raises(Unreadable, match="no way to measure Go with `make test`"):
        measure.read(root)
    put(root, {"coverage.out": "mode: set\nx/a.go:3.14,5.2 1 1\n"})
    os.utime(root / "coverage.out", ns=(1, 1))
    with pytest.raises(Unreadable, match="for another tree"):
        measure.read(root)
    future = 4_000_000_000 * 10**9
    os.utime(root / "coverage.out", ns=(future, future))
    assert measure.read(root).files == {"a.go": lines({3, 4}, set())}
