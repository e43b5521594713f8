"""Shell tests: what each statement is there for, whose test it belongs to, and what hides failures."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.integrity.shellscript.reader import read
from tests.tables import table_test

CHECKER = 'check() {\n  [ "$(./it.sh "$1")" = "$2" ] || failed=1\n}\ncheck 7 13\n'


def _sheet(script):
    return read("tests/it.sh", script.encode(), "test")


@table_test(
    ("statement", "kind"),
    [
        ('[ "$out" = 3 ]', "equal"),
        ('[[ $out != "a b" ]] || fail "no"', "unequal"),
        ('test "$out" -eq 3 || { echo no; exit 1; }', "equal"),
        ("diff want got", "equal"),
        ("cmp -s want got", "equal"),
        ("grep -q hello out.txt", "matches"),
        ("! grep -iq error out.txt", "matches"),
        ("assert_equal 3 4", "equal"),
        ("./it.sh 7 > out 2>&1 || exit 1", "true"),
        ("./it.sh 7 || fail it", "true"),
        ("grep hello out.txt", None),
        ("./it.sh 7 || true", None),
        ('[ -x ./it.sh ] || exit 0', None),
        ('[ "$1" = -v ] && exit 0', None),
        ('if [ "$out" = 3 ]; then', None),
        ("out=$(./it.sh 7)", None),
        ("assert_equal() {", None),
    ],
)  # fmt: skip
def test_a_statement_demands_or_it_does_not(statement, kind):
    found = [each.kind for each in _sheet(statement).tests[0].asserts if each.kind != "other"]
    assert found == ([kind] if kind else [])


@table_test(
    ("statement", "hollow"),
    [
        ('[ "$out" = "$out" ]', True), ("[ 1 -eq 1 ]", True), ("diff want want", True),
        ("grep -q . out.txt", True), ("grep -q '' out.txt", True), ("grep -qv '' out.txt", True),
        ('[ "$out" = "$want" ]', False), ('[ "$(date)" = "$(date)" ]', False), ("diff want got", False),
        ("grep -q a.c out.txt", False), ('[ "$a" != "$a" ]', False),
    ],
)  # fmt: skip
def test_what_cannot_fail_is_hollow(statement, hollow):
    (one,) = _sheet(statement).tests[0].asserts
    assert one.hollow is hollow


@table_test(
    ("script", "count"),
    [
        ("trap 'rm -rf x; exit 0' EXIT\n" + CHECKER + "exit $failed", 1),
        ("trap 'rm -rf x' EXIT\n" + CHECKER + "exit $failed", 0),
        ("trap 'exit 0' INT TERM\n" + CHECKER + "exit $failed", 0),
        (CHECKER + "exit $failed", 0),
        (CHECKER + "exit 0", 1),
        (CHECKER, 1),
        (CHECKER + '[ "$failed" -eq 0 ]', 0),
        (CHECKER + "if [ -n \"$failed\" ]; then exit 1; fi", 0),
        (CHECKER + "exit $(( failed > 0 ))", 0),
        (CHECKER + "(( failed == 0 ))", 0),
        ("err=$(./it.sh 2>&1)\nassert_equal no \"$err\"", 0),
        (". ./lib.sh\n" + CHECKER, 0),
        (CHECKER.replace("check 7 13", ""), 0),
        ("exit 0\n[ \"$(./it.sh)\" = 3 ]", 1),
        ("if [ -z \"$CI\" ]; then\n  exit 0\nfi\n[ \"$(./it.sh)\" = 3 ]", 0),
        ("[ \"$(./it.sh)\" = 3 ]\nexit 0", 0),
        ("[ \"$(./it.sh)\" = 3 ] || true", 1),
        ("assert_equal 3 4 || :", 1),
        ("[ -d out ] || true\nrm -f x || true\ngot=$(./it.sh) || true", 0),
    ],
)  # fmt: skip
def test_what_hides_failures_is_marked(script, count):
    assert [mark.rule for mark in _sheet(script).marks] == ["test-swallowed"] * count


def test_functions_and_bats_tests_are_tests_and_the_rest_is_the_script():
    script = (
        'setup() {\n  x=1\n}\ntest_one() { [ 1 = 2 ]; }\n@test "two words" {\n  run ./it.sh\n}\ntest_one\n'
    )
    assert [(test.name, len(test.asserts)) for test in _sheet(script).tests] == [
        ("it", 5),
        ("test_one", 3),
        ("two words", 3),
    ]


@table_test(
    ("one", "other"),
    [
        ("if [ $a = b ]; then\n  echo 'x y'\nfi\n", 'if [ $a = b ]\nthen echo "x y"; fi'),
        ("./it.sh 1 ||\n  exit 1", "./it.sh 1 || exit 1"),
        ("a || { echo x; exit 1; }", "a || {\n  echo x\n  exit 1\n}"),
        ("f() {\n\ta\n}", "f () { a; }  # why"),
        ("x=$( ./it.sh   7 )", "x=$(./it.sh 7)"),
    ],
)
def test_layout_and_quotes_make_no_difference(one, other):
    assert _sheet(one).tests[0].digest == _sheet(other).tests[0].digest


@table_test(
    ("one", "other"),
    [
        ('[ "$a" = b ]', "[ $a = b ]"),
        ("failed=1", "(failed=1)"),
        ("cat <<EOF\n1\nEOF\n", "cat <<EOF\n2\nEOF\n"),
        ("echo '$x'", 'echo "$x"'),
    ],
)
def test_what_means_something_else_is_another_text(one, other):
    assert _sheet(one).tests[0].digest != _sheet(other).tests[0].digest


@given(
    st.binary(max_size=80)
    | st.text(alphabet="$()[]{}'\"`\\;|&<> \n=caseinsacfi#@test-", max_size=80).map(str.encode)
)
def test_any_bytes_are_read(data):
    read("tests/it.sh", data, "test")
