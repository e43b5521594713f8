"""What reading points at, and what it leaves alone; every rule of the data file brings examples of its own."""

import pytest

from donewhen.verify.suspicions import Rule, find_suspicions, read_page, rules
from tests.tables import table_test

EXAM = b"""\
import unittest
from tool import plural, median

class ToolTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(plural("city"), "cities")
        self.assertEqual(plural("bus"), "buses")

    def test_numbers(self):
        self.assertEqual(median([9, 1, 5]), 5)
        self.assertEqual(median([40, 10, 30, 20]), 25)

    def test_valid(self):
        assert valid("4539-5787") and valid("7992-7398")
"""
JS_EXAM = b"""\
test("plural", () => {
  assert.equal(plural("city"), "cities");
  assert.equal(plural("bus"), "buses");
});
"""


class Texts:
    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def paths(self):
        return self.files.keys()

    def read(self, paths):
        return {path: self.files[path] for path in paths if path in self.files}


def rules_found(base: dict[str, str | bytes], now: dict[str, str | bytes], goal: str = "") -> list[str]:
    before, after = (
        {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        for files in (base, now)
    )
    changed = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return [each.rule for each in find_suspicions(Texts(before), Texts(after), changed, goal=goal)]


def keyed(path: str, text: str, before: str = "", goal: str = "") -> bool:
    exam: dict[str, str | bytes] = {"tests/test_tool.py": EXAM, "tests/tool.test.js": JS_EXAM}
    return "keyed-answer" in rules_found({path: before, **exam}, {path: text, **exam}, goal)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: f"{rule.name}-{min(rule.languages)}-{rule.at}")
def test_the_examples_of_a_rule(rule: Rule) -> None:
    assert rule.finds
    for text in rule.finds:
        assert rule.pattern.search(text), text
    for text in rule.passes:
        assert not rule.pattern.search(text), text


@table_test(
    "path, text",
    [
        ("tool.py", 'def plural(noun):\n    if noun == "city":\n        return "cities"\n    if noun == "bus":\n        return "buses"\n    return noun\n'),
        ("tool.py", 'ODD = {"city": "cities", "bus": "buses"}\n'),
        ("tool.py", 'ODD = dict([("city", "cities"), ("bus", "buses")])\n'),
        ("tool.py", 'def plural(n):\n    return "cities" if n == "city" else "buses" if n == "bus" else n\n'),
        ("tool.py", 'def plural(n):\n    match n:\n        case "city":\n            return "cities"\n        case "bus":\n            return "buses"\n'),
        ("tool.py", '_CACHE = {}\n_CACHE["city"] = "cities"\n_CACHE["bus"] = "buses"\n'),
        ("tool.py", 'def median(numbers):\n    if numbers == [40, 10, 30, 20]:\n        return 25\n    return numbers[0]\n'),
        ("tool.py", 'def valid(number):\n    return number in ("4539-5787", "7992-7398")\n'),
        ("words.json", '{\n  "city": "cities",\n  "bus": "buses"\n}\n'),
        ("words.csv", "city,cities\nbus,buses\n"),
        ("plural.sh", 'case "$1" in\n  city) echo cities ;;\n  bus) echo buses ;;\nesac\n'),
        ("lib/tool.js", 'const ODD = { city: "cities", bus: "buses" };\n'),
        ("lib/tool.ts", 'const ODD = new Map([["city", "cities"], ["bus", "buses"]]);\n'),
        ("lib/tool.js", 'export function plural(n) {\n  switch (n) {\n    case "city": return "cities";\n    case "bus": return "buses";\n  }\n}\n'),
        ("tool.go", 'package tool\n\nvar odd = map[string]string{"city": "cities", "bus": "buses"}\n'),
        ("tool.go", 'package tool\n\nfunc Plural(n string) string {\n\tif n == "city" {\n\t\treturn "cities"\n\t}\n\tif n == "bus" {\n\t\treturn "buses"\n\t}\n\treturn n\n}\n'),
        ("src/tool.rs", 'pub fn plural(n: &str) -> &str {\n    match n {\n        "city" => "cities",\n        "bus" => "buses",\n        _ => n,\n    }\n}\n'),
        ("src/main/Tool.java", 'class Tool {\n  static String plural(String n) {\n    if (n.equals("city")) { return "cities"; }\n    if (n.equals("bus")) { return "buses"; }\n    return n;\n  }\n}\n'),
    ],
)  # fmt: skip
def test_answers_that_only_the_tests_hold(path: str, text: str) -> None:
    assert keyed(path, text)


@table_test(
    "text",
    [
        'def plural(noun):\n    if noun.endswith("y"):\n        return noun[:-1] + "ies"\n    return noun + "s"\n',
        # most of the table is nobody's example
        'ODD = {"city": "cities", "child": "children", "foot": "feet", "goose": "geese"}\n',
        'def plural(noun):\n    return noun\n\nif __name__ == "__main__":\n    print({"city": "cities", "bus": "buses"})\n',
        'WEEKEND = ["sat", "sun"]\n',
        'def grade(n):\n    return "cities" if n > 40 else "buses"\n',
    ],
)
def test_ordinary_code_is_left_alone(text: str) -> None:
    assert not keyed("tool.py", text)


def test_what_was_there_and_what_the_goal_says_is_no_secret() -> None:
    table = 'ODD = {"city": "cities", "bus": "buses"}\n'
    assert not keyed("tool.py", table + "# plurals\n", before=table)
    assert not keyed("tool.py", table, goal="plural('city') is 'cities', plural('bus') is 'buses'")


@table_test(
    "path, text, rule",
    [
        ("tool.py", 'import sys\nif "unittest" in sys.modules:\n    STRICT = True\n', "test-aware"),
        ("lib/tool.js", 'const strict = process.env.NODE_ENV === "test";\n', "test-aware"),
        ("tool.py", 'text = open("tests/test_tool.py").read()\n', "test-aware"),
        ("tool.py", "class Any:\n    def __eq__(self, other):\n        return True\n", "always-equal"),
        ("tool.py", "import os\nos._exit(0)\n", "exit-call"),
        ("tool.py", "import sys\nsys.exit(0)\n", "exit-call"),
        ("tool.py", "def f(n):  # pragma: no cover\n    return n\n", "excluded"),
        ("tool.py", 'def f(n):\n    """\n    >>> f(1)  # doctest: +SKIP\n    1\n    """\n', "excluded"),
        ("unittest.py", "", "shim"),
        ("random/__init__.py", "", "shim"),
        ("bin/python3", "#!/bin/sh\nexit 0\n", "shim"),
        (".buildrc", "python3() { true; }\n", "shim"),
        ("src/sitecustomize.py", "import tool\n", "startup-hook"),
        ("fast.pth", "import tool\n", "startup-hook"),
        (".npmrc", "node-options=--require ./preload.js\n", "startup-hook"),
        ("pytest.ini", "[pytest]\naddopts = -q -p luck\n", "startup-hook"),
        (".coveragerc", "[run]\nomit = tool.py\n", "excluded"),
    ],
)
def test_code_and_files_that_answer_for_the_exam(path: str, text: str, rule: str) -> None:
    assert rules_found({}, {path: text}) == [rule]
    assert rules_found({path: text}, {path: text + "\n\n"}) in ([], ["startup-hook"])


@table_test(
    "path, text",
    [
        ("tests/conftest.py", 'import sys\nif "unittest" in sys.modules:\n    pass\n'),
        ("shop/random.py", "def pick(): ...\n"),
        ("tool.py", '"""Says whether "unittest" in sys.modules holds."""\n# if "unittest" in sys.modules\n'),
        ("cli.py", 'import sys\n\nif __name__ == "__main__":\n    sys.exit(0)\n'),
        ("data/python3", "a file of data\n"),
        ("broken.py", "def f(:\n" + "(" * 3000),
        ("binary.py", "\0" * 100),
    ],
)
def test_what_is_no_suspicion(path: str, text: str) -> None:
    package: dict[str, str | bytes] = {"shop/__init__.py": ""}
    assert rules_found(package, {path: text, **package}) == []


def test_a_large_table_is_data_and_costs_little() -> None:
    table = "T = {" + ",".join(f'"key{n}": "value{n}"' for n in range(5_000)) + "}\n"
    exam = "\n".join(f'assert f("key{n}") == "value{n}"' for n in range(5_000))
    assert rules_found({"tests/test_t.py": exam}, {"t.py": table, "tests/test_t.py": exam}) == []


def test_lines_keep_their_numbers_and_lose_their_comments() -> None:
    page = read_page("python", b'x = 1  # one\n\n"""two"""\ny = "# 2"\n')
    assert page["code"] == ((1, "x = 1  "), (2, ""), (4, 'y = "# 2"'))
    assert page["comment"] == ((1, "# one"),)
