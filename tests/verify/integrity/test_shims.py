"""Files that answer for the runner, the standard library or a program are found; names that look odd are not."""

from donewhen.verify.integrity.shims import find_shims
from tests.tables import table_test

BASE = [
    "Makefile",
    "cart.py",
    "src/shop/__init__.py",
    "src/shop/cart.py",
    "tests/test_cart.py",
    "package.json",
]


def shims(added, base=(), ignored=(), **more):
    before = [*BASE, *base]
    found = find_shims(
        before, [*before, *added], {path: data.encode() for path, data in added.items()}, ignored, **more
    )
    return sorted((each.rule, each.file) for each in found if each.blocks)


@table_test(
    ("path", "text", "rule"),
    [
        ("unittest.py", "def main(): pass", "shim"),
        ("unittest/__init__.py", "", "shim"),
        ("pytest.py", "", "shim"),
        ("pytest/__init__.py", "", "shim"),
        ("_pytest/__init__.py", "", "shim"),
        ("src/pytest.py", "", "shim"),
        ("tests/unittest.py", "", "shim"),
        ("tests/pytest.py", "", "shim"),
        ("json.py", "def loads(text): return {}", "shim"),
        ("os.py", "", "shim"),
        ("traceback.py", "", "shim"),
        ("collections/__init__.py", "", "shim"),
        ("random.py", "def random(): return 4\ndef randint(a, b): return 4\n", "shim"),
        ("datetime.py", "import sys\nsys.modules['x'] = 1\n", "shim"),
        ("mock.py", "import unittest\n", "shim"),
        ("tests/time.py", "def time(): return 0\n", "shim"),
        ("tests/cart.py", "def total(): return 3\n", "shim"),
        ("cart/__init__.py", "def total(): return 3\n", "shim"),
        ("sitecustomize.py", "", "startup-hook"),
        ("usercustomize.py", "", "startup-hook"),
        ("src/sitecustomize.py", "", "startup-hook"),
        ("sitecustomize/__init__.py", "", "startup-hook"),
        ("green.pth", "import green", "startup-hook"),
        ("x.dist-info/entry_points.txt", "[pytest11]\ngreen = green\n", "startup-hook"),
        (".bash_env", "", "startup-hook"),
        ("bin/python3", "#!/bin/sh\nexit 0", "path-trick"),
        ("bin/pytest", "#!/bin/sh\nexit 0", "path-trick"),
        ("tools/node", "#!/bin/sh\nexit 0", "path-trick"),
        ("make", "#!/bin/sh\nexit 0", "path-trick"),
        ("node_modules/.bin/jest", "#!/bin/sh\nexit 0", "path-trick"),
        ("node_modules/jest/index.js", "", "shim"),
        ("node_modules/chai/index.js", "", "shim"),
        ("GNUmakefile", "test:\n\ttrue\n", "command-weakened"),
        ("makefile", "test:\n\ttrue\n", "command-weakened"),
        ("test", "", "path-trick"),
        ("check", "", "path-trick"),
        ("cart.pyc", "x", "shim"),
        ("cart.so", "x", "shim"),
        ("src/shop/cart.cpython-312-x86_64-linux-gnu.so", "x", "shim"),
    ],
)
def test_a_file_that_answers_for_another_is_found(path, text, rule):
    assert (rule, path) in shims({path: text})


@table_test(
    ("path", "text"),
    [
        ("src/shop/types.py", "Money = int"),
        ("src/shop/json.py", "def dump(): ..."),
        ("src/shop/unittest.py", "x = 1"),
        ("shop/queue.py", "class Queue: ..."),
        ("calendar.py", "def working_days(year): return 250\n"),
        ("statistics.py", "def page_views(day): return 3\n"),
        ("parser.py", "def parse(text): return text\n"),
        ("email.py", "def send_receipt(to): ...\n"),
        ("robot.py", "class Robot: ..."),
        ("tests/helpers.py", "def cart(): ..."),
        ("tests/__init__.py", ""),
        ("tests/utils.py", ""),
        ("tests/test_random.py", "import random"),
        ("tests/conftest.py", "import pytest"),
        ("conftest.py", "import pytest"),
        ("test/test_a.js", ""),
        ("test.js", "require('node:test')"),
        ("assert.js", "module.exports = 1"),
        ("node_test.js", ""),
        ("bin/shop", "#!/usr/bin/env python3"),
        ("bin/test", "#!/bin/sh\npytest"),
        ("scripts/build.sh", "make"),
        ("model.pth", "a\0b"),
        ("json/data.json", "{}"),
        ("coverage/index.html", "<p>"),
        ("docs/Makefile", "html:\n"),
        ("sub/GNUmakefile", "test:\n"),
        ("vendor/mock/mock.py", ""),
        ("myapp/tests/__init__.py", ""),
        ("myapp/tests/test_views.py", ""),
        ("shop/__init__.py", ""),
        ("src/shop/pricing.py", ""),
        ("gradlew", "#!/bin/sh"),
    ],
)
def test_honest_names_are_silent(path, text):
    assert shims({path: text}) == []


def test_what_stood_there_at_the_base_is_the_projects_own():
    assert shims({"calendar.py": "import sys; sys.modules"}, base=["calendar.py"]) == []
    assert shims({"bin/node": "#!/bin/sh"}, base=["bin/node"]) == []
    assert shims({"sitecustomize.py": "changed"}, base=["sitecustomize.py"]) == [
        ("startup-hook", "sitecustomize.py")
    ]


def test_a_standard_name_that_the_tests_import_is_taken_from_them():
    assert shims({"statistics.py": "def page_views(day): return 3\n"}, imported=["statistics"]) == [
        ("shim", "statistics.py")
    ]


def test_a_folder_of_tests_may_be_named_after_their_kind():
    added = {
        "tests/unittest/__init__.py": "",
        "tests/unittest/test_cart.py": "",
        "env": "A=1",
        "data/go": "x",
    }
    assert shims(added) == []
    assert shims({"tests/__init__.py": "", "tests/cart.py": "x"}) == []


def test_a_module_may_become_a_package():
    base = [*BASE, "order.py"]
    now = [path for path in base if path != "order.py"] + ["order/__init__.py"]
    assert find_shims(base, now, {"order/__init__.py": b""}) == ()


@table_test(
    ("paths", "found"),
    [
        (["pytest.py"], [("shim", "pytest.py")]),
        (["unittest/__init__.py"], [("shim", "unittest/__init__.py")]),
        (["sitecustomize.py"], [("startup-hook", "sitecustomize.py")]),
        (["bin/python3"], [("path-trick", "bin/python3")]),
        (["node_modules/.bin/jest"], [("path-trick", "node_modules/.bin/jest")]),
        (["node_modules/jest/index.js"], [("shim", "node_modules/jest/index.js")]),
        (["node_modules/.bin/jest", "node_modules/jest/package.json", "node_modules/jest/index.js"], []),
        (["node_modules/assert/package.json", "node_modules/assert/index.js"], []),
        ([".venv/bin/python3", ".venv/lib/python3.12/site-packages/pytest.py", ".env", "dist/a.js"], []),
        (
            [
                "__pycache__/cart.cpython-312.pyc",
                "coverage/index.html",
                ".coverage",
                "shop.egg-info/entry_points.txt",
            ],
            [],
        ),
    ],
)
def test_files_that_git_ignores(paths, found):
    assert shims({}, ignored=paths) == found


def test_odd_names_and_contents_are_not_fatal():
    assert shims({"tests/\udce9\n.py": "x", "a" * 5000: "", "random.py": "(" * 5000}) == [
        ("shim", "random.py")
    ]
