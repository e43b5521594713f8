"""Paths that a text of the exam names."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.integrity.exam_words import matches, words_of
from tests.tables import table_test


def named(text: str, shell: bool = True) -> set[str]:
    return {word.text for word in words_of(text, shell=shell)}


@table_test(
    ("line", "word"),
    [
        ("for f in cases/*.case; do", "cases/*.case"),
        ("python3 wrap.py < sample.txt | diff - expected.txt", "expected.txt"),
        ('diff "$HERE/golden/$name.txt" out', "golden/*.txt"),
        ("[ -f ./.buildrc ] && . ./.buildrc", ".buildrc"),
        ('got=$(python3 roman.py "$given")', "roman.py"),
        ('cat "two words.txt"', "two words.txt"),
        ("grep -qx 4 known.txt || exit 1", "known.txt"),
    ],
)
def test_words_of_a_shell_line(line, word):
    assert word in named(line)


@table_test(
    ("line", "word"),
    [
        ('listed = pathlib.Path("checks/skip.txt")', "checks/skip.txt"),
        ("fs.readFileSync(`samples/${name}`)", "samples/*"),
        ('open(f"cases/{name}.json")', "cases/*.json"),
        ('Path("vectors").glob("*.json")', "*.json"),
    ],
)
def test_constants_of_other_code(line, word):
    assert word in named(line, shell=False)


def test_code_outside_of_constants_names_nothing():
    assert "wrap.py" not in named("import wrap.py", shell=False)


@table_test("line", ["# reads cases/*.case", "echo * $x ${y}", "-e ../outside.txt", "a=1"])
def test_comments_options_and_bare_wildcards_name_nothing(line):
    assert not {word for word in named(line) if "case" in word or "*" in word or "outside" in word}


@table_test(
    ("text", "optional"),
    [
        ("[ -f .rc ] && . .rc", True),
        ("if [ -e .rc ] && [ .rc -nt a.sh ]; then", True),
        ('rc = Path(".rc")\nskip = rc.read_text() if rc.exists() else ""', True),
        ("cat .rc 2>/dev/null", True),
        (". .rc", False),
        ("test -f .rc || exit 1", False),
        ("[ -f .rc ] || { echo no; exit 1; }", False),
        ("  test -f .rc", False),
    ],
)
def test_what_the_exam_does_without_where_it_is_not_there(text, optional):
    found = [word for word in words_of(text, shell=True) if word.text == ".rc"]
    assert found
    assert any(word.optional for word in found) is optional


@table_test(
    ("word", "path", "same"),
    [
        ("t/*.py", "t/a.py", True),
        ("t/*.py", "t/deep/a.py", False),
        ("t/**", "t/a/b.py", True),
        ("t/**/*.py", "t/x/y/a.py", True),
        ("*.case", ".hidden.case", False),
        ("t/a.py", "t/a.py", True),
        ("t/a[12].py", "t/a2.py", True),
    ],
)
def test_globs_are_those_of_a_shell(word, path, same):
    assert matches(word, path) is same


@given(st.text(max_size=300))
def test_any_text_can_be_read(text):
    for word in words_of(text, shell=True):
        assert word.line >= 1
        assert not word.text.startswith(("/", "./"))
