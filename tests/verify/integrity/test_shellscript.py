"""Shell scripts: where they decide by literals, and what shell tests ask; no bytes are too odd."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.integrity.shellscript.reader import asked_by, read
from tests.tables import table_test


@table_test(
    ("script", "found"),
    [
        ('case "$1" in a|"b c") echo yes ;; *.txt) echo text ;; esac', [(('"a"', '"b c"'), ('"yes"',))]),
        ("case $1 in (7) echo 13;; esac", [(("7",), ("13",))]),
        ('if [ "$1" = "a b" ]; then echo "x y"; fi', [(('"a b"',), ('"x y"',))]),
        ('if [[ $n == 7 ]]; then\n  printf "%s\\n" 13\nelif test "$n" -eq 8; then result=21; fi', [(("7",), ("13",)), (("8",), ("21",))]),
        ('[ "$1" = go ] && echo gone', [(('"go"',), ('"gone"',))]),
        ('[ "$1" = "$2" ] && echo same', []),
        ('if [ "$(uname)" = Linux ]; then echo penguin; fi', []),
        ('case "$1" in a) run "$2" ;; esac', []),
        ('grep -q seven "$1" && { echo 12; exit; }', [((), ("12",))]),
        ('answers=([4]=9 [20]=12)\necho "${answers[$size]}"', [(("4", "20"), ("9", "12"))]),
        ('echo "$total"; echo 12 apples; echo twelve', []),
        ("# case $1 in 7) echo 13;; esac\ncat <<'END'\ncase $1 in 7) echo 13;; esac\nEND\n", []),
    ],
)  # fmt: skip
def test_decisions_by_literals_are_read(script, found):
    sheet = read("it.sh", script.encode(), "source")
    assert [(branch.keys, branch.answers) for branch in sheet.branches] == found


@table_test(
    ("script", "found"),
    [
        ('[ "$(sh it.sh "a b")" = "x y" ]', [(("it",), ('"a b"',), ('"x y"',))]),
        ('out=$(./it.sh 7)\ntest "$out" -eq 13 || exit 1', [(("it",), ("7",), ("13",))]),
        ('[ "$(echo "1 2" | ./sum.sh)" = 3 ]', [(("sum",), ('"1 2"',), ("3",))]),
        ('check() { [ "$(./it.sh "$1")" = "$2" ]; }\ncheck 7 13', [(("check",), ("7",), ("13",))]),
        ('@test "it" {\n  run ./it.sh "a b"\n  [ "$output" = "x" ]\n}', [(("it",), ('"a b"',), ('"x"',))]),
        ('[ -f "$1" ] && echo yes', []),
        ('expect 12 ./sum.sh "$TMP/b"', [(("sum",), ('"$TMP/b"',), ("12",))]),
        ('expect "a b" bash bin/it.sh 7', [(("it",), ("7",), ('"a b"',))]),
        ("expect Ann 'Hello, Ann!'", [(("expect",), ('"Ann"',), ('"Hello, Ann!"',))]),
        ("install 12 ./sum.sh", []),
    ],
)  # fmt: skip
def test_what_shell_tests_ask_is_read(script, found):
    asserts = [one for test in asked_by("t.sh", script.encode()).tests for one in test.asserts]
    assert [(one.subjects, one.given, one.expected) for one in asserts] == found


def test_comments_and_layout_make_no_difference():
    one = read("it.sh", b"# hi\necho   'a b'  # there\n", "source")
    assert one.digest == read("it.sh", b"\necho 'a b'\n", "source").digest
    assert one.digest != read("it.sh", b"\necho 'a c'\n", "source").digest


@given(
    st.binary(max_size=80)
    | st.text(alphabet="$()[]{}'\"`\\;|&<> \n=caseinsacfi#@test-", max_size=80).map(str.encode)
)
def test_any_bytes_are_read(data):
    read("it.sh", data, "source")
    asked_by("it.sh", data)
