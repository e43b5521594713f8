"""Files of the exam that their names don't show."""

from donewhen.verify.integrity.exam_files import role_in
from tests.tables import table_test


@table_test(
    ("path", "text", "named", "role"),
    [
        ("checks.py", "from luhn import valid\nassert valid('1')\n", True, "test"),
        ("checks.py", "from luhn import valid\nassert valid('1')\n", False, "source"),
        ("luhn.py", "def valid(n):\n    assert n\n    return n\n", False, "source"),
        (
            "app/events.py",
            "class EventTest(unittest.TestCase):\n    def test_a(self):\n        pass\n",
            False,
            "test",
        ),
        ("app/events.py", "class A(TestCase):\n    async def test_a(self):\n        pass\n", False, "test"),
        ("app/events.py", "class A(TestCase):\n    def runTest(self):\n        pass\n", False, "test"),
        (
            "app/testing.py",
            "class A(TestCase):\n    def assertNear(self, a):\n        pass\n",
            False,
            "source",
        ),
        ("run.py", "import unittest\nunittest.TextTestRunner().run(s)\n", True, "config"),
        ("run.py", "import server\nserver.start()\n", True, "source"),
        ("scripts/run.js", "for (const f of fs.readdirSync('checks')) require(f)\n", True, "config"),
        ("app.js", "require('./server').listen(80)\n", True, "source"),
        ("test-it.js", 'const assert = require("node:assert");\nassert.ok(f())\n', True, "test"),
        ("checks/title.js", 'const assert = require("assert");\n', False, "test"),
        ("src/title.js", 'const assert = require("assert");\nassert(x)\n', False, "source"),
        ("src/lib.rs", "#[test]\nfn a() {}\n", True, "source"),
        ("README.md", "assert\n", True, "other"),
    ],
)
def test_what_a_command_runs_belongs_to_the_exam_if_it_asserts_or_speaks_of_tests(path, text, named, role):
    names = {path} if named else set()
    assert role_in(path, text.encode(), None, names) == role


def test_what_it_was_at_the_base_counts():
    before, after = b"assert f() == 1\n", b"print('ok')\n"
    assert role_in("checks.py", before, after, {"checks.py"}) == "test"
    assert role_in("checks.py", None, after, {"checks.py"}) == "source"
