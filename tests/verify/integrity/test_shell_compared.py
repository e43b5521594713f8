"""Shell tests of base and change: what is plainly the same, another value, or not to be told by reading."""

from donewhen.core.integrity.compare import review
from donewhen.core.integrity.model import Pair
from donewhen.verify.integrity.shellscript.reader import read
from tests.tables import table_test

GREET = """#!/bin/sh
set -eu
failed=0
expect() {
    got=$(sh greet.sh "$1")
    if [ "$got" != "$2" ]; then
        echo "FAIL: $1: $got" >&2
        failed=1
    fi
}
expect Ann "Hello, Ann!"
expect "" "Hello, stranger!"
exit $failed
"""
SUM = """set -u
printf '08\\n1' > a
out=$(./sum.sh a)
[ "$out" = 9 ] || { echo "no: $out"; exit 1; }
grep -q total log.txt
"""


def _reviewed(base, now, path="tests/run.sh", to=""):
    ours, theirs = read(path, base.encode(), "test"), read(to or path, now.encode(), "test")
    pairs = (Pair(ours, None), Pair(None, theirs)) if to else (Pair(ours, theirs),)
    return review(pairs)


@table_test(
    ("base", "old", "new", "state"),
    [
        (GREET, "    ", "\t", "same"),
        (GREET, "if [ \"$got\" != \"$2\" ]; then", "if [ \"$got\" != \"$2\" ]\n  then", "same"),
        (GREET, "set -eu", "# strict\nset -eu", "same"),
        (GREET, "set -eu", "set -euo pipefail", "kept"),
        (GREET, "set -eu", "set -eu -o pipefail", "kept"),
        (GREET, "expect", "check_greeting", "kept"),
        (GREET, "exit $failed", 'expect X "Hello, X!"\nexit $failed', "kept"),
        (GREET, "exit $failed", 'echo "ran all"\nexit $failed', "kept"),
        (SUM, "grep -q", "printf '1' > b\nout=$(./sum.sh b)\n[ \"$out\" = 1 ]\ngrep -q", "kept"),
        (SUM, "'08\\n1'", '"08\\n1"', "same"),
    ],
)  # fmt: skip
def test_the_same_demands_are_kept(base, old, new, state):
    found = _reviewed(base, base.replace(old, new))
    assert found.findings == ()
    assert [test.state for test in found.account.tests] == [state]


@table_test(
    ("base", "old", "new", "rules"),
    [
        (GREET, '"Hello, Ann!"', '"Hi, Ann!"', {"expected-changed"}),
        (SUM, "'08\\n1'", "'8\\n1\\n'", {"expected-changed"}),
        (SUM, "= 9", "= 8", {"expected-changed"}),
        (SUM, "sum.sh a", "sum.sh b", {"expected-changed"}),
        (GREET, 'expect "" "Hello, stranger!"\n', "", {"test-emptied"}),
        (SUM, '"$out" = 9', '"$out" = "$out"', {"test-hollow"}),
        (SUM, "-q total", "-q .", {"test-hollow"}),
        (SUM, '"$out" = 9', '-n "$out"', {"test-emptied"}),
        (SUM, "exit 1", "exit 0", {"test-emptied", "not-compared"}),
        (GREET, "exit $failed", "exit 0", {"not-compared", "test-swallowed"}),
        (GREET, "exit $failed", "", {"not-compared", "test-swallowed"}),
        (GREET, '"Hello, Ann!"', '"Hello, Ann!" || true', {"test-emptied", "not-compared", "test-swallowed"}),
        (GREET, "set -eu", "set -eu\ntrap 'exit 0' EXIT", {"not-compared", "test-swallowed"}),
        (GREET, "expect Ann", "exit 0\nexpect Ann", {"not-compared", "test-swallowed"}),
        (GREET, "failed=1", "(failed=1)", {"not-compared"}),
        (GREET, "failed=1", "failed=0", {"not-compared"}),
        (GREET, "set -eu", "set -u", {"not-compared"}),
        (GREET, '"$got" != "$2"', '-z "$got"', {"not-compared"}),
        (GREET, '"$got" != "$2"', '"${got%% *}" != "${2%% *}"', {"not-compared"}),
        (GREET, 'got=$(sh greet.sh "$1")', "got=$2", {"not-compared"}),
        (GREET, "    if", "    got=$2\n    if", {"not-compared"}),
        (GREET, 'expect ""', 'exit $failed\nexpect ""', {"not-compared"}),
        (GREET, 'expect ""', 'failed=0\nexpect ""', {"not-compared"}),
        (GREET, "set -eu", "set -eu\nPATH=./stubs:$PATH", {"not-compared"}),
        (SUM, '[ "$out"', 'out=9\n[ "$out"', {"not-compared"}),
        (SUM, "out=$(./sum.sh a)", "local out=$(./sum.sh a)", {"not-compared"}),
    ],
)  # fmt: skip
def test_what_asks_less_or_can_not_be_told_is_found(base, old, new, rules):
    found = _reviewed(base, base.replace(old, new, 1))
    assert {finding.rule for finding in found.findings} == rules


def test_a_script_renamed_with_its_test_asks_the_same():
    base = 'out=$(bash deploy.sh 1.2)\n[ "$out" = "tag v1.2" ] || exit 1\n'
    pairs = (
        Pair(read("deploy.sh", b"echo tag v$1", "source"), None),
        Pair(None, read("release.sh", b"echo tag v$1", "source")),
        Pair(read("tests/test_deploy.sh", base.encode(), "test"), None),
        Pair(None, read("tests/test_release.sh", base.replace("deploy", "release").encode(), "test")),
    )
    found = review(pairs)
    assert found.findings == ()
    assert [(test.state, test.orphaned) for test in found.account.tests] == [("kept", True)]


def test_a_script_renamed_with_a_softened_test_is_found():
    base = 'out=$(bash deploy.sh 1.2)\n[ "$out" = "tag v1.2" ] || exit 1\n'
    soft = base.replace("deploy", "release").replace("tag v1.2", "tag")
    pairs = (
        Pair(read("deploy.sh", b"echo tag v$1", "source"), None),
        Pair(None, read("release.sh", b"echo tag v$1", "source")),
        Pair(read("tests/test_deploy.sh", base.encode(), "test"), None),
        Pair(None, read("tests/test_release.sh", soft.encode(), "test")),
    )
    assert review(pairs).findings


def test_a_moved_script_is_the_same_and_a_ported_one_is_for_running_to_tell():
    assert _reviewed(GREET, GREET, to="checks/tests/run.sh").findings == ()
    ported = GREET.replace("set -eu\n", "set -eu\ncd .\n") + "# more\n"
    assert {f.rule for f in _reviewed(GREET, ported, to="tests/all.sh").findings} <= {"not-compared"}
    assert {f.rule for f in _reviewed(GREET, "echo ok\n", to="tests/all.sh").findings} == {"test-deleted"}


def test_a_new_script_that_only_starts_others_is_no_hollow_test():
    assert (
        review((Pair(None, read("tests/all.sh", b"set -e\npython3 -m unittest\n", "test")),)).findings == ()
    )
    new = review((Pair(None, read("tests/new.sh", b"set -e\n[ 1 = 1 ]\n", "test")),)).findings
    assert [finding.rule for finding in new] == ["test-hollow"]
