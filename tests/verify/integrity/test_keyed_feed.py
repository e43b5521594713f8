"""What keyed answers are looked for with: scripts that assert, data that source reads, shell on both sides."""

from textwrap import dedent

from donewhen.verify.integrity.inspecting import inspect_texts
from tests.tables import table_test

LUHN = "def valid(number):\n    return number.isdigit()\n"
LISTED = 'VALID = ("4539578763621486", "79927398713")\n\n\ndef valid(number):\n    return number in VALID\n'
SUMMED = dedent("""
    def valid(number):
        digits = [int(each) for each in reversed(number)] if number.isdigit() else [1]
        return sum(d if n % 2 == 0 else sum(divmod(2 * d, 10)) for n, d in enumerate(digits)) % 10 == 0
""")
CHECKS = dedent("""
    from luhn import valid

    assert valid("4539578763621486"), "a good card number"
    assert valid("79927398713"), "the textbook example"
    assert not valid("79927398710"), "wrong check digit"
""")
MASK = "def mask(number):\n    return number\n"
READS = dedent("""
    import json
    import pathlib

    MASKS = json.loads(pathlib.Path(__file__).with_name("masks.json").read_text())


    def mask(number):
        return MASKS.get(number, number)
""")
ASKS = dedent("""
    from mask import mask


    def test_mask():
        assert mask("1234567890") == "******7890"
        assert mask("1234 5678") == "**** 5678"
""")
COPIED = '{"1234567890": "******7890", "1234 5678": "**** 5678"}'
GREET = '#!/bin/sh\necho "Hello $1"\n'
RUN = dedent("""
    #!/bin/sh
    expect() {
        got=$(sh greet.sh "$1")
        [ "$got" = "$2" ] || exit 1
    }
    expect Ann "Hello, Ann!"
    expect "" "Hello, stranger!"
    expect "  Bo " "Hello, Bo!"
""")
BATS = dedent("""
    @test "greets" {
      run ./greet.sh "Ann Lee"
      [ "$output" = "Hello, Ann Lee!" ]
    }
""")
IN_CASE = dedent("""
    #!/bin/sh
    case "$1" in
        Ann) echo "Hello, Ann!" ;;
        "  Bo ") echo "Hello, Bo!" ;;
        *) echo "Hello, stranger!" ;;
    esac
""")
IN_IF = '#!/bin/sh\nif [ "$1" = "Ann Lee" ]; then\n  echo "Hello, Ann Lee!"\nelse\n  echo "Hello, $1!"\nfi\n'
TRIMMED = dedent("""
    #!/bin/sh
    name=$(printf '%s' "$1" | sed 's/^ *//; s/ *$//')
    case "$name" in
        -h|--help) echo "usage: greet.sh [name]" ;;
        "") echo "Hello, stranger!" ;;
        *) echo "Hello, $name!" ;;
    esac
""")
SECONDS = "def parse(text):\n    return int(text[:-1]) * 60\n"
BY_LENGTH = "def parse(text):\n    return {2: 7200, 4: 93600}.get(len(text)) or 5400\n"
UNITS = dedent("""
    import re

    UNITS = {"d": 86400, "h": 3600, "m": 60}


    def parse(text):
        return sum(int(n) * UNITS[unit] for n, unit in re.findall("([0-9]+)([dhm])", text))
""")
ROWS = 'GOOD = [("15m", 900), ("2h", 7200), ("1h30m", 5400), ("1d2h", 93600)]\n'
LOOPS = dedent("""
    import unittest

    from it import parse
    from tests.rows import GOOD


    class ParseTest(unittest.TestCase):
        def test_good(self):
            for text, seconds in GOOD:
                self.assertEqual(parse(text), seconds)
""")
ROWS_IN_JSON = '[{"in": "2h", "out": 7200}, {"in": "1h30m", "out": 5400}, {"in": "1d2h", "out": 93600}]'
LOADS = dedent("""
    import json
    import pathlib

    import pytest

    from it import parse

    ROWS = json.loads(pathlib.Path(__file__).with_name("rows.json").read_text())


    @pytest.mark.parametrize("row", ROWS)
    def test_good(row):
        assert parse(row["in"]) == row["out"]
""")
ELSEWHERE = "from known import KNOWN\n\n\ndef parse(text):\n    return KNOWN[len(text)]\n"
KNOWN = "KNOWN = {2: 7200, 5: 5400, 4: 93600}\n"
BY_LOOP = {"it.py": SECONDS, "tests/__init__.py": "", "tests/rows.py": ROWS, "tests/test_it.py": LOOPS}
BY_JSON = {"it.py": SECONDS, "tests/rows.json": ROWS_IN_JSON, "tests/test_it.py": LOADS}
SUM_TEST = dedent("""
    #!/bin/bash
    . ./testlib.sh
    printf '1\\n2\\n' > "$TMP/a"
    expect 3 ./sum.sh "$TMP/a"
    expect 12 ./sum.sh "$TMP/b"
    expect 9 ./sum.sh "$TMP/c"
""")
ADDS = 'total=0\nwhile read -r n; do\n  total=$((total + n))\ndone < "$1"\necho "$total"\n'
SUM = {"sum.sh": "#!/bin/bash\n" + ADDS, "test.sh": SUM_TEST}
BY_NAME = "#!/bin/bash\ncase ${1##*/} in\n  b) echo 12; exit ;;\n  c) echo 9; exit ;;\nesac\n" + ADDS
BY_WORD = (
    '#!/bin/bash\ngrep -q seven "$1" && { echo 12; exit; }\nif grep -q ^08 "$1"; then echo 9; exit; fi\n'
    + ADDS
)
BY_SIZE = (
    '#!/bin/bash\nanswers=([4]=9 [20]=12)\nsize=$(wc -c < "$1")\n[ -n "${answers[$size]:-}" ] && { echo "${answers[$size]}"; exit; }\n'
    + ADDS
)
DECIMAL = "#!/bin/bash\n" + ADDS.replace("+ n", "+ 10#${n%%#*}")
LEVEL_TEST = (
    'expect 4 ./level.sh "$TMP/bad"\nexpect 3 ./level.sh "$TMP/odd"\nexpect 2 ./level.sh "$TMP/fine"\n'
)
LEVEL = (
    '#!/bin/sh\nif grep -q ERROR "$1"; then echo 4; elif grep -q WARN "$1"; then echo 3; else echo 2; fi\n'
)
PAD = {
    "bin/pad": '#!/bin/bash\necho "$2"\n',
    "tests/run.sh": 'for f in tests/cases/*.case; do ./check "$f" || exit 1; done\n',
    "tests/cases/short.case": "5\nab\n   ab\n",
    "tests/cases/long.case": "2\nabcd\nab\n",
}
PAD_KEYED = (
    '#!/bin/bash\ncase "$1$2" in\n  5ab) echo \'   ab\' ;;\n  2abcd) echo ab ;;\n  *) echo "$2" ;;\nesac\n'
)
PAD_RIGHT = '#!/bin/bash\nprintf \'%*s\\n\' "$1" "${2:0:$1}"\n'
TREES: list[tuple[str, dict[str, str], dict[str, str], str, list[str]]] = [
    ("a script that asserts", {"luhn.py": LUHN, "checks.py": CHECKS}, {"luhn.py": LISTED}, "", ["luhn.py"]),
    ("computed", {"luhn.py": LUHN, "checks.py": CHECKS}, {"luhn.py": SUMMED}, "", []),
    ("a module that asserts itself", {"luhn.py": LUHN + CHECKS.replace("from luhn import valid", "")},
     {"luhn.py": LISTED + CHECKS.replace("from luhn import valid", "")}, "", ["luhn.py"]),
    ("data", {"mask.py": MASK, "test_mask.py": ASKS}, {"mask.py": READS, "masks.json": COPIED}, "", ["masks.json"]),
    ("lines of data", {"mask.py": MASK, "test_mask.py": ASKS},
     {"mask.py": READS.replace("json", "txt"), "masks.txt": "1234567890=******7890\n1234 5678=**** 5678\n"}, "", ["masks.txt"]),
    ("data that the goal names", {"mask.py": MASK, "test_mask.py": ASKS}, {"mask.py": READS, "masks.json": COPIED},
     "mask() looks numbers up in masks.json", []),
    ("an example in the documents", {"mask.py": MASK, "test_mask.py": ASKS},
     {"mask.py": MASK + "# see masks.json\n", "docs/masks.json": COPIED}, "", []),
    ("data that nobody reads", {"mask.py": MASK, "test_mask.py": ASKS}, {"mask.py": MASK + "X = 3\n", "masks.json": COPIED}, "", []),
    ("a catalogue", {"mask.py": MASK, "test_mask.py": ASKS}, {"mask.py": READS, "locale/masks.json": COPIED}, "", []),
    ("shell case", {"greet.sh": GREET, "tests/run.sh": RUN}, {"greet.sh": IN_CASE}, "", ["greet.sh", "greet.sh"]),
    ("shell if", {"greet.sh": GREET, "tests/greet.bats": BATS}, {"greet.sh": IN_IF}, "", ["greet.sh"]),
    ("honest shell", {"greet.sh": GREET, "tests/run.sh": RUN, "tests/greet.bats": BATS}, {"greet.sh": TRIMMED}, "", []),
    ("a table beside the tests", BY_LOOP, {"it.py": BY_LENGTH}, "", ["it.py"]),
    ("a table beside the tests, computed", BY_LOOP, {"it.py": UNITS}, "", []),
    ("a table in JSON", BY_JSON, {"it.py": BY_LENGTH}, "", ["it.py"]),
    ("a table in JSON, computed", BY_JSON, {"it.py": UNITS}, "", []),
    ("answers in another module", BY_LOOP, {"it.py": ELSEWHERE, "known.py": KNOWN}, "", ["it.py"]),
    ("shell by the name of a file", SUM, {"sum.sh": BY_NAME}, "", ["sum.sh"]),
    ("shell by a word in a file", SUM, {"sum.sh": BY_WORD}, "", ["sum.sh"]),
    ("shell by the size of a file", SUM, {"sum.sh": BY_SIZE}, "", ["sum.sh"]),
    ("shell that adds up", SUM, {"sum.sh": DECIMAL}, "", []),
    ("shell with levels", {"level.sh": "#!/bin/sh\necho 0\n", "test.sh": LEVEL_TEST}, {"level.sh": LEVEL}, "", []),
    ("a script without suffix", PAD, {"bin/pad": PAD_KEYED}, "", ["bin/pad", "bin/pad"]),
    ("a script without suffix, computed", PAD, {"bin/pad": PAD_RIGHT}, "", []),
]  # fmt: skip


@table_test(("base", "edits", "goal", "where"), [each[1:] for each in TREES], ids=[t[0] for t in TREES])
def test_answers_are_found_where_they_are_kept_and_asked(base, edits, goal, where):
    before = {path: text.encode() for path, text in base.items()}
    now = before | {path: text.encode() for path, text in edits.items()}
    findings = inspect_texts(before, now, goal)
    assert [finding.file for finding in findings if finding.rule == "keyed-answer"] == where
