"""Test files that no code could pass: repaired or importing anew, and the cheats beside that."""

from donewhen.verify.integrity.inspecting import Asked, Texts, inspect
from tests.tables import table_test

BROKEN = """\
import unittest

from volume import box


class VolumeTest(unittest.TestCase):
    def test_box(self):
        self.assertEqual(box(1, 2, 3), 6)

    def test_cube(self)
        self.assertEqual(box(2, 2, 2), 8
"""
MENDED = BROKEN.replace("cube(self)", "cube(self):").replace(", 8\n", ", 8)\n")
TWO_SIDES = MENDED.replace(
    "        self.assertEqual(box(2, 2, 2), 8)\n",
    "<<<<<<< ours\n        self.assertEqual(box(2, 2, 2), 8)\n=======\n        self.assertEqual(box(3, 3, 3), 27)\n"
    ">>>>>>> theirs\n",
)
IMPORTS = "import unittest\n\nfrom pkg.squeeze import squeeze\n\n\nclass T(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(squeeze('a  b'), 'a b')\n"
PRODUCT = "def squeeze(text):\n    return text\n"
NAMED = "tests/test_it.py does not even parse, repair it"


def inspected(before: str, now: str, goal: str = "", **files: tuple[str, str]) -> tuple[set[str], bool]:
    """The rules that block, and whether the test file counts as mended."""
    both = {"tests/test_it.py": (before, now), **files}
    base = {path: texts[0].encode() for path, texts in both.items() if texts[0]}
    then = {path: texts[1].encode() for path, texts in both.items() if texts[1]}
    changed = [path for path, texts in both.items() if texts[0] != texts[1]]
    found = inspect(Texts(base), Texts(then), changed, Asked(goal))
    return {each.rule for each in found.findings if each.blocks}, bool(found.account.mended)


@table_test(
    ("before", "now", "goal"),
    [
        (BROKEN, MENDED, ""),
        (BROKEN, MENDED + "\n    def test_more(self):\n        self.assertEqual(box(1, 1, 1), 1)\n", ""),
        (BROKEN.replace("box(2, 2, 2)", "bxo(2, 2, 2)"), MENDED, NAMED),
        (TWO_SIDES, MENDED, ""),
        (TWO_SIDES, MENDED.replace("box(2, 2, 2), 8", "box(3, 3, 3), 27"), ""),
    ],
)
def test_a_file_that_can_be_read_again_and_asks_as_much_is_repaired(before: str, now: str, goal: str):
    assert inspected(before, now, goal) == (set(), True)


@table_test(
    "now",
    [
        MENDED.replace(", 8)", ", 9)"),
        MENDED.partition("    def test_cube")[0],
        MENDED.replace("        self.assertEqual(box(2, 2, 2), 8)", "        box(2, 2, 2)"),
        MENDED.replace(
            "        self.assertEqual(box(2, 2, 2), 8)",
            "        # self.assertEqual(box(2, 2, 2), 8)\n        pass",
        ),
        MENDED.replace("    def test_cube", "    @unittest.skip('later')\n    def test_cube"),
        MENDED.replace(
            "self.assertEqual(box(2, 2, 2), 8)", "'''\n        self.assertEqual(box(2, 2, 2), 8)\n        '''"
        ),
        "import unittest\n",
    ],
)
def test_a_file_that_asks_less_than_the_broken_one_is_not(now: str):
    blocking, mended = inspected(BROKEN, now, NAMED)
    assert (bool(blocking), mended) == (True, False)


def imported(line: str, **files: tuple[str, str]) -> bool:
    kept = {"pkg/__init__.py": ("#", "#"), "pkg/text.py": (PRODUCT, PRODUCT), **files}
    now = IMPORTS.replace("from pkg.squeeze import squeeze", line)
    return inspected(IMPORTS, now, **kept)[1]  # type: ignore[arg-type] # names of files as keywords


def test_an_import_of_what_is_nowhere_may_name_where_the_base_has_it():
    assert imported("from pkg.text import squeeze")


@table_test(
    ("line", "files"),
    [
        ("from stub import squeeze", {"stub.py": ("", PRODUCT)}),
        ("from tests.fake import squeeze", {"tests/fake.py": (PRODUCT, PRODUCT)}),
        ("from unittest.mock import MagicMock as squeeze", {}),
        ("from pkg.text import other as squeeze", {}),
        ("from pkg.text import squeeze", {"pkg/squeeze.py": ("", PRODUCT)}),
        ("from pkg.text import squeeze", {"pkg/squeeze.py": (PRODUCT, "")}),
        ("from pkg.text import squeeze\nsqueeze = lambda text: 'a b'", {}),
    ],
)
def test_an_import_of_a_stand_in_or_beside_the_real_one_mends_nothing(
    line: str, files: dict[str, tuple[str, str]]
):
    assert not imported(line, **files)


PYTHON = "import unittest\n\nfrom m import f\n\n\n{}class T(unittest.TestCase):\n{}    def test_a(self):\n{}        {}\n"
ASKS = "self.assertEqual(f(1), 2)"
SCRIPT = "const {{test}} = require('node:test');\nconst assert = require('assert');\n{}('a', {}() => {{ assert.equal(f(1), 2); }});\n"
GO = 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {{\n{}\tif f(1) != 2 {{\n\t\tt.Fatal("no")\n\t}}\n}}\n'


@table_test(
    ("path", "before", "now"),
    [
        (
            "tests/test_a.py",
            PYTHON.format("@unittest.skip('3 bugs')\n", "", "", ASKS),
            PYTHON.format("", "", "", ASKS),
        ),
        (
            "tests/test_a.py",
            PYTHON.format("", "    @unittest.skipIf(True, 'x')\n", "", ASKS),
            PYTHON.format("", "", "", ASKS),
        ),
        (
            "tests/test_a.py",
            PYTHON.format("", "", "        self.skipTest('not yet')\n", ASKS),
            PYTHON.format("", "", "", ASKS),
        ),
        (
            "tests/test_a.py",
            PYTHON.format("", "    @unittest.expectedFailure\n", "", ASKS),
            PYTHON.format("", "", "", ASKS),
        ),
        ("test/a.test.js", SCRIPT.format("test.skip", ""), SCRIPT.format("test", "")),
        ("test/a.test.js", SCRIPT.format("test", "{ skip: true }, "), SCRIPT.format("test", "")),
        ("test/a.test.js", SCRIPT.format("test", "{ todo: 'later' }, "), SCRIPT.format("test", "")),
        ("a_test.go", GO.format('\tt.Skip("later")\n'), GO.format("")),
    ],
)
def test_a_marker_that_is_gone_frees_the_test_and_takes_nothing_with_it(path: str, before: str, now: str):
    found = inspect(Texts({path: before.encode()}), Texts({path: now.encode()}), [path], Asked())
    assert ([each.rule for each in found.findings], [test.freed for test in found.account.tests]) == (
        [],
        [True],
    )


def test_a_marker_that_goes_with_the_assertion_is_found():
    path, before = "tests/test_a.py", PYTHON.format("", "    @unittest.expectedFailure\n", "", ASKS)
    now = PYTHON.format("", "", "", "f(1)")
    found = inspect(Texts({path: before.encode()}), Texts({path: now.encode()}), [path], Asked())
    assert "test-emptied" in {each.rule for each in found.findings if each.blocks}


PLAIN = "import unittest\n\nfrom flip import flip\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(flip({1: 2}), {2: 1})\n"
LINE = 'sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "src"))\n'
PATHED = "import pathlib\nimport sys\n" + PLAIN.replace("\nfrom flip", f"\n{LINE}\nfrom flip")
PLACE = "the test fails with ModuleNotFoundError: make it find src/ by itself (sys.path)"
FLIP = {"src/flip.py": ("def flip(x): ...\n", "def flip(x):\n    return {v: k for k, v in x.items()}\n")}


def test_a_test_that_only_learns_where_the_product_lies_is_mended():
    assert inspected(PLAIN, PATHED, PLACE, **FLIP) == (set(), True)


@table_test(
    ("now", "goal", "files"),
    [
        (PATHED, "flip() swaps keys and values", FLIP),
        (PATHED.replace("{2: 1}", "{1: 2}"), PLACE, FLIP),
        (PATHED.replace('"src"', '"fake"'), PLACE, FLIP),
        (PATHED.replace('"src"', "os.environ['X']"), PLACE, FLIP),
        (PATHED, PLACE, {**FLIP, "tests/flip.py": ("", "def flip(x):\n    return {2: 1}\n")}),
        (PATHED, PLACE, {"src/flip.py": ("", "def flip(x): ...\n")}),
    ],
)
def test_a_path_that_was_not_asked_for_or_leads_elsewhere_mends_nothing(now, goal, files):
    assert not inspected(PLAIN, now, goal, **files)[1]
