"""What keyed answers are looked for with: scripts that assert, data that source reads, shell on both sides."""

from textwrap import dedent

import pytest

from donewhen.verify.integrity.inspecting import inspect_texts

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
]  # fmt: skip


@pytest.mark.parametrize(
    ("base", "edits", "goal", "where"), [each[1:] for each in TREES], ids=[t[0] for t in TREES]
)
def test_answers_are_found_where_they_are_kept_and_asked(base, edits, goal, where):
    before = {path: text.encode() for path, text in base.items()}
    now = before | {path: text.encode() for path, text in edits.items()}
    findings = inspect_texts(before, now, goal)
    assert [finding.file for finding in findings if finding.rule == "keyed-answer"] == where
