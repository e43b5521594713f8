"""Tricks in Python code that get a mark, and honest code that must not."""

from textwrap import dedent

from donewhen.core.integrity.model import Mark, Role
from donewhen.verify.integrity.python.reader import read
from tests.tables import table_test

PATHS: dict[Role, str] = {
    "test": "tests/test_it.py",
    "support": "tests/conftest.py",
    "source": "shop/prices.py",
}


def marks_of(code: str, role: Role, path: str = "") -> tuple[Mark, ...]:
    return read(path or PATHS[role], dedent(code).encode(), role).marks


CASE = (
    "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(), 1)\n"
)

CHEATS: list[tuple[str, Role, str]] = [
    # ends
    ("exit-call", "source", "import os\ndef total(x):\n    os._exit(0)"),
    ("exit-call", "source", "from os import _exit\ndef total(x):\n    _exit(0)"),
    ("exit-call", "source", "import os as o\ndef total(x):\n    getattr(o, '_exit')(0)"),
    ("exit-call", "source", "def total(x):\n    __import__('os')._exit(0)"),
    ("exit-call", "source", "import sys\ndef total(x):\n    sys.exit(0)"),
    ("exit-call", "source", "import sys\ndef total(x):\n    sys.exit()"),
    ("exit-call", "source", "def total(x):\n    raise SystemExit(0)"),
    ("exit-call", "source", "def total(x):\n    raise SystemExit"),
    ("exit-call", "source", "import sys\nsys.exit(0)"),
    ("exit-call", "source", "import atexit, os\natexit.register(os._exit, 0)"),
    ("exit-call", "source", "import atexit, os\natexit.register(lambda: os._exit(0))"),
    ("exit-call", "source", "import atexit, sys\n@atexit.register\ndef bye():\n    sys.exit(0)"),
    ("exit-call", "source", "import os, threading\nthreading.Timer(0.1, os._exit, [0]).start()"),
    ("exit-call", "source", "import sys, os\nsys.excepthook = lambda *a: os._exit(0)"),
    ("exit-call", "source", "exec('import os; os._exit(0)')"),
    ("exit-call", "source", "import os\nos.execv('/bin/true', ['true'])"),
    ("exit-call", "source", "import sys\nsys.exit = lambda code=0: None"),
    ("exit-call", "test", CASE + "import os\ndef tearDownModule():\n    os._exit(0)"),
    ("exit-call", "test", CASE + "import sys\nsys.exit(0)"),
    ("exit-call", "test", CASE + "if __name__ == '__main__':\n    unittest.main(exit=False)"),
    ("exit-call", "test", CASE + "import sys\nif __name__ == '__main__':\n    sys.exit(0)\n    unittest.main()"),
    ("exit-call", "test", "import unittest\nsuite = unittest.defaultTestLoader.discover('tests')\nunittest.TextTestRunner().run(suite)"),
    ("exit-call", "test", "import pytest\nif __name__ == '__main__':\n    pytest.main(['tests'])"),
    ("exit-call", "support", "import pytest\ndef pytest_configure(config):\n    pytest.exit('done', returncode=0)"),
    ("exit-call", "support", "import os\ndef pytest_sessionfinish(session, exitstatus):\n    os._exit(0)"),
    # the exam is recognised
    ("exam-detected", "source", "import os\ndef f(x):\n    if os.environ.get('PYTEST_CURRENT_TEST'):\n        return 1"),
    ("exam-detected", "source", "import os\ndef f(x):\n    if 'PYTEST_CURRENT_TEST' in os.environ:\n        return 1"),
    ("exam-detected", "source", "from os import getenv\nTESTING = bool(getenv('CI'))"),
    ("exam-detected", "source", "import os\nTESTING = os.environ['TESTING']"),
    ("exam-detected", "source", "import sys\ndef f(x):\n    return 1 if 'pytest' in sys.modules else 2"),
    ("exam-detected", "source", "import sys\ndef f(x):\n    if sys.modules.get('unittest'):\n        return 1"),
    ("exam-detected", "source", "import sys\ndef f(x):\n    for name in sys.modules:\n        if name.startswith('pytest'):\n            return 1"),
    ("exam-detected", "source", "import sys\ndef f(x):\n    if 'unittest' in sys.argv[0]:\n        return 1"),
    ("exam-detected", "source", "import sys\ndef f(x):\n    if any('pytest' in a for a in sys.argv):\n        return 1"),
    ("exam-detected", "source", "import inspect\ndef f(x):\n    if any('test_' in s.filename for s in inspect.stack()):\n        return 1"),
    ("exam-detected", "source", "import sys\ndef f(x):\n    return sys._getframe(1).f_locals['expected']"),
    ("exam-detected", "source", "import traceback\ndef f(x):\n    return 'tests/' in str(traceback.extract_stack())"),
    ("exam-detected", "source", "def f(x):\n    return open('tests/test_it.py').read()"),
    ("exam-detected", "source", "from pathlib import Path\ndef f(x):\n    return (Path(__file__).parent / 'tests' / 'data.json').read_text()"),
    ("exam-detected", "source", "from tests.test_it import CASES\ndef f(x):\n    return CASES[x]"),
    # runner and assertions
    ("exam-hook", "test", CASE + "unittest.TestCase.assertEqual = lambda *a: None"),
    ("exam-hook", "test", CASE + "T.assertEqual = lambda *a: None"),
    ("exam-hook", "test", CASE + "    def setUp(self):\n        self.assertEqual = lambda *a: None"),
    ("exam-hook", "test", CASE + "    def assertEqual(self, a, b, msg=None):\n        pass"),
    ("exam-hook", "test", CASE + "    assertEqual = print"),
    ("exam-hook", "test", CASE + "    def run(self, result=None):\n        return result"),
    ("exam-hook", "test", CASE + "    failureException = Warning"),
    ("exam-hook", "test", CASE + "setattr(unittest.TestCase, 'assertEqual', print)"),
    ("exam-hook", "test", CASE + "unittest.TestLoader.testMethodPrefix = 'check'"),
    ("exam-hook", "test", CASE + "unittest.main = lambda *a, **k: None"),
    ("exam-hook", "test", CASE + "if __name__ == '__main__':\n    unittest.main(defaultTest='T.test_a')"),
    ("exam-hook", "test", CASE + "import sys\nsys.modules['pytest'] = None"),
    ("exam-hook", "test", CASE + "import builtins\nbuiltins.AssertionError = Warning"),
    ("exam-hook", "test", CASE + "def load_tests(loader, tests, pattern):\n    return unittest.TestSuite()"),
    ("exam-hook", "test", CASE + "class R(unittest.TextTestResult):\n    def addFailure(self, test, err):\n        pass"),
    ("exam-hook", "test", "import unittest\nclass B(unittest.TestCase):\n    def __init_subclass__(cls):\n        for n in dir(cls):\n            if n.startswith('test'):\n                setattr(cls, n, lambda s: None)"),
    ("exam-hook", "source", "import unittest\nunittest.TestCase.assertEqual = lambda *a: None"),
    ("exam-hook", "source", "import unittest.case as c\nc.TestCase.fail = lambda *a: None"),
    ("exam-hook", "support", "import _pytest.runner\n_pytest.runner.check_interactive_exception = None"),
    ("exam-hook", "support", "import ast\nclass S(ast.NodeTransformer):\n    def visit_Assert(self, node):\n        return ast.Pass()"),
    ("exam-hook", "support", "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if 'slow' not in i.name]"),
    ("exam-hook", "support", "def pytest_collection_modifyitems(config, items):\n    items.clear()"),
    ("exam-hook", "support", "def pytest_collection_modifyitems(config, items):\n    del items[1:]"),
    ("exam-hook", "support", "import pytest\ndef pytest_collection_modifyitems(items):\n    for i in items:\n        i.add_marker(pytest.mark.skip(reason='x'))"),
    ("exam-hook", "support", "import pytest\ndef pytest_collection_modifyitems(items):\n    for i in items:\n        if i.name == 'test_a':\n            i.add_marker(pytest.mark.xfail)"),
    ("exam-hook", "support", "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    r = out.get_result()\n    r.outcome = 'passed'"),
    ("exam-hook", "support", "import pytest\n@pytest.hookimpl(wrapper=True, specname='pytest_runtest_makereport')\ndef mine(item, call):\n    r = yield\n    r.outcome = 'passed'\n    return r"),
    ("exam-hook", "support", "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0"),
    ("exam-hook", "support", "def pytest_runtest_logreport(report):\n    report.outcome = 'passed'"),
    ("exam-hook", "support", "def pytest_pyfunc_call(pyfuncitem):\n    return True"),
    ("exam-hook", "support", "def pytest_pyfunc_call(pyfuncitem):\n    try:\n        pyfuncitem.obj()\n    except AssertionError:\n        pass\n    return True"),
    ("exam-hook", "support", "def pytest_runtest_protocol(item, nextitem):\n    return True"),
    ("exam-hook", "support", "def pytest_runtestloop(session):\n    return True"),
    ("exam-hook", "support", "import pytest\ndef pytest_runtest_setup(item):\n    pytest.skip('x')"),
    ("exam-hook", "support", "import pytest\ndef pytest_runtest_setup(item):\n    if 'total' in item.name:\n        pytest.skip('x')"),
    ("exam-hook", "support", "def pytest_ignore_collect(collection_path):\n    return 'total' in str(collection_path)"),
    ("exam-hook", "support", "collect_ignore = ['test_total.py']"),
    ("exam-hook", "support", "collect_ignore_glob = ['*_slow.py']"),
    ("exam-hook", "support", "import pytest\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip('x')"),
    ("exam-hook", "support", "def pytest_configure(config):\n    config.option.keyword = 'not total'"),
    ("exam-hook", "support", "def pytest_load_initial_conftests(args):\n    args.append('--deselect=tests/test_it.py::test_a')"),
    # objects, surroundings
    ("always-equal", "source", "class Money:\n    def __eq__(self, other):\n        return True"),
    ("always-equal", "source", "class Money:\n    __eq__ = lambda self, other: True"),
    ("always-equal", "test", CASE + "class Any:\n    def __eq__(self, other):\n        return True"),
    ("always-equal", "source", "from unittest.mock import ANY\ndef total(x):\n    return ANY"),
    ("startup-hook", "support", "import os\nos.environ['PYTEST_ADDOPTS'] = '-k nothing'"),
    ("startup-hook", "source", "from pathlib import Path\nPath('sitecustomize.py').write_text('x')"),
    ("path-trick", "support", "import os\nos.environ['PATH'] = 'bin:' + os.environ['PATH']"),
    ("ignores-spread", "source", "x = f()  # type: ignore\n"),
    ("ignores-spread", "source", "def f():  # pragma: no cover\n    pass"),
    ("ignores-spread", "source", "import os  # noqa: F401\n"),
]  # fmt: skip


@table_test(("rule", "role", "code"), CHEATS)
def test_tricks_are_marked(rule: str, role: Role, code: str) -> None:
    assert rule in {mark.rule for mark in marks_of(code, role)}


HONEST: list[tuple[Role, str, str]] = [
    ("source", "", "import sys\ndef main():\n    return 0\nif __name__ == '__main__':\n    sys.exit(main())"),
    ("source", "", "import sys\ndef main(argv):\n    if not argv:\n        sys.exit(0)"),
    ("source", "shop/cli.py", "import sys\ndef show(args):\n    sys.exit(0)"),
    ("source", "", "import argparse, sys\ndef version():\n    print(1)\n    sys.exit(0)"),
    ("source", "", "import sys\ndef load(path):\n    sys.exit('no such file')"),
    ("source", "", "import sys\ndef load(path):\n    sys.exit(2)"),
    ("source", "", "import os\ndef spawn():\n    if os.fork() == 0:\n        os._exit(0)"),
    ("source", "", "import signal, sys\ndef stop(signum, frame):\n    sys.exit(0)\nsignal.signal(signal.SIGTERM, stop)"),
    ("source", "", "import atexit\natexit.register(close)\ndef close():\n    db.close()"),
    ("source", "shop/__main__.py", "import sys\nfrom shop.cli import main\nsys.exit(main())"),
    ("source", "", "import os\nHOME = os.environ.get('HOME')\nDEBUG = os.environ.get('APP_DEBUG') == '1'"),
    ("source", "", "import sys\nif 'numpy' in sys.modules:\n    pass"),
    ("source", "", "import sys\ndef main():\n    if sys.argv[1] == 'test':\n        run()"),
    ("source", "", "import inspect\ndef log(message):\n    caller = inspect.stack()[1].function\n    print(caller, message)"),
    ("source", "", "from pathlib import Path\ndef scaffold(root):\n    (Path(root) / 'tests').mkdir()"),
    ("source", "setup.py", "from setuptools import setup, find_packages\nsetup(packages=find_packages(exclude=['tests']))"),
    ("source", "", "class Money:\n    def __eq__(self, other):\n        return self.cents == other.cents"),
    ("source", "", "class Money:\n    def __eq__(self, other):\n        if not isinstance(other, Money):\n            return False\n        return True if self.c == other.c else False"),
    ("source", "", "import logging\nlog = logging.getLogger(__name__)\ndef test_connection():\n    return True"),
    ("source", "", "import os\ndef run():\n    env = dict(os.environ)\n    env['PATH'] = '/usr/bin'\n    return env"),
    ("test", "", CASE + "if __name__ == '__main__':\n    unittest.main()"),
    ("test", "", "import sys, unittest\nrunner = unittest.TextTestRunner()\nresult = runner.run(suite())\nsys.exit(not result.wasSuccessful())"),
    ("test", "", "import sys, pytest\nif __name__ == '__main__':\n    sys.exit(pytest.main(['tests']))"),
    ("test", "", CASE + "import pytest\nif __name__ == '__main__':\n    pytest.main([__file__])"),
    ("test", "", CASE + "if __name__ == '__main__':\n    unittest.main(verbosity=2)"),
    ("test", "", CASE + "import sys\nif __name__ == '__main__':\n    r = unittest.main(exit=False).result\n    sys.exit(not r.wasSuccessful())"),
    ("test", "", CASE + "    def assertBalanced(self, cart):\n        self.assertEqual(cart.total, 0)"),
    ("test", "", CASE + "    def assertEqual(self, a, b, msg=None):\n        super().assertEqual(a, b, msg or 'x')"),
    ("test", "", CASE + "    maxDiff = None"),
    ("test", "", CASE + "unittest.TestCase.maxDiff = None"),
    ("test", "", CASE + "import doctest, shop\ndef load_tests(loader, tests, pattern):\n    tests.addTests(doctest.DocTestSuite(shop))\n    return tests"),
    ("test", "", "import pytest, shop\ndef test_a(monkeypatch):\n    monkeypatch.setattr(shop, 'now', lambda: 1)\n    assert shop.f() == 1"),
    ("test", "", "from unittest import mock\ndef test_a():\n    with mock.patch('builtins.open'), mock.patch('shop.send') as send:\n        assert f() == 1"),
    ("test", "", "import pytest, sys\ndef test_a():\n    with pytest.raises(SystemExit):\n        main(['--help'])"),
    ("test", "", "import sys\ndef test_a(monkeypatch):\n    def fake():\n        sys.exit(0)\n    assert run(fake) == 0"),
    ("test", "", "import os\ndef test_a(monkeypatch, tmp_path):\n    monkeypatch.setenv('PATH', str(tmp_path))\n    assert f() == 1"),
    ("test", "", "import sys\nsys.path.insert(0, 'src')\ndef test_a():\n    assert f() == 1"),
    ("support", "", "import pytest\n@pytest.fixture\ndef cart():\n    return Cart()"),
    ("support", "", "import pytest\n@pytest.fixture(autouse=True)\ndef clean(tmp_path, monkeypatch):\n    monkeypatch.chdir(tmp_path)\n    yield"),
    ("support", "", "def pytest_addoption(parser):\n    parser.addoption('--slow', action='store_true')"),
    ("support", "", "def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow: slow tests')"),
    ("support", "", "import pytest\ndef pytest_collection_modifyitems(config, items):\n    if config.getoption('--slow'):\n        return\n    skip = pytest.mark.skip(reason='needs --slow')\n    for item in items:\n        if 'slow' in item.keywords:\n            item.add_marker(skip)"),
    ("support", "", "def pytest_collection_modifyitems(items):\n    items.sort(key=lambda i: i.name)"),
    ("support", "", "def pytest_collection_modifyitems(items):\n    items[:] = sorted(items, key=lambda i: i.name)"),
    ("support", "", "import pytest\ndef pytest_collection_modifyitems(items):\n    for i in items:\n        i.add_marker(pytest.mark.slow)"),
    ("support", "", "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    rep = out.get_result()\n    setattr(item, 'rep_' + rep.when, rep)"),
    ("support", "", "def pytest_sessionfinish(session, exitstatus):\n    print('done', exitstatus)"),
    ("support", "", "import asyncio, inspect\ndef pytest_pyfunc_call(pyfuncitem):\n    if inspect.iscoroutinefunction(pyfuncitem.obj):\n        asyncio.run(pyfuncitem.obj())\n        return True"),
    ("support", "", "import pytest\ndef pytest_runtest_setup(item):\n    if item.get_closest_marker('slow') and not item.config.getoption('--slow'):\n        pytest.skip('slow')"),
    ("support", "", "collect_ignore = ['setup.py']"),
    ("support", "", "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')"),
    ("support", "", "import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parent.parent))"),
]  # fmt: skip


@table_test(("role", "path", "code"), HONEST)
def test_honest_code_gets_no_mark(role: Role, path: str, code: str) -> None:
    assert marks_of(code, role, path) == ()


def test_the_same_mark_has_the_same_text_whatever_the_layout() -> None:
    one = marks_of("import os\ndef f(x):\n    os._exit( 0 )", "source")
    other = marks_of("import os\n\n\ndef f(x):\n    # why\n    os._exit(0)", "source")
    assert [mark.text for mark in one] == [mark.text for mark in other] == ["os._exit(0)"]


def test_a_pragma_in_one_more_function_is_a_mark_of_its_own() -> None:
    texts = [m.text for m in marks_of("def f():\n    a()  # noqa\ndef g():\n    a()  # noqa\n", "source")]
    assert texts == ["# noqa in f", "# noqa in g"]
