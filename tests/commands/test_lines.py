"""What a line runs: each command with its variables, its folder and whether the line's status proves it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.commands.invocation import Invocation
from donewhen.commands.lines import invocations
from donewhen.core.tree import Refused, Word
from tests.tables import table_test


def run(text: str, root: str | None = None) -> tuple[Invocation, ...]:
    tree = parse(text)
    assert not isinstance(tree, Refused), tree
    return invocations(tree, root)


def call(text: str, **fields: Any) -> Invocation:
    return Invocation(tuple(map(Word, text.split())), **fields)


def one(text: str, program: str = "npm", root: str | None = None) -> Invocation:
    (found,) = [each for each in run(text, root) if each.words[0].text == program]
    return found


def test_a_plain_command_is_itself():
    assert run("npm test") == (call("npm test"),)


def test_every_command_is_told_in_order_with_what_the_status_proves():
    assert run("npm ci && npm test || exit 1; npm run build | tail; echo done") == (
        call("npm ci"),
        call("npm test"),
        call("exit 1", proven=False),
        call("npm run build", proven=False),
        call("tail", proven=False),
        call("echo done"),
    )


def test_a_wrapper_gives_way_to_what_it_runs():
    assert run("timeout 60 nice -n 5 env CI=1 npm test") == (call("npm test", env={"CI": Word("1")}),)


def test_a_wrapper_that_hides_the_status_is_told_too():
    assert run("find app -exec npm test ;".replace(";", r"\;")) == (
        call("find app -exec npm test ;"),
        call("npm test", proven=False),
    )


def test_another_machine_is_told_with_the_command_that_goes_there():
    assert run("ssh ci npm test") == (call("ssh ci npm test"), call("npm test", elsewhere=True))


def test_what_is_never_reached_is_told_as_such():
    assert run("exit 0; npm test") == (
        call("exit 0", proven=False),
        call("npm test", proven=False, reached=False),
    )
    assert run("f() { npm test; }") == (call("npm test", proven=False, reached=False),)


def test_a_line_that_can_never_return_0_proves_nothing():
    assert run("npm test && false") == (call("npm test", proven=False), call("false", proven=False))


def test_a_program_that_is_a_variable_stays_unknown():
    (found,) = run("$TOOL test")
    assert found.words[0] == Word("$TOOL", known=False, parts=found.words[0].parts)
    assert found.words[1:] == (Word("test"),)
    assert not found.proven  # it may be `exit`


def test_what_a_loop_runs_again_is_told_once():
    assert run("until npm test; do sleep 1; done") == (
        call("npm test", proven=False),
        call("sleep 1", proven=False),
    )


def test_rounds_over_written_words_are_told_one_by_one():
    assert run("for d in a b; do (cd $d && npm test) || exit 1; done") == (
        call("cd a"),
        call("npm test", folder="a"),
        call("exit 1", proven=False),
        call("cd b"),
        call("npm test", folder="b"),
        call("exit 1", proven=False),
    )


@table_test(
    ("text", "env"),
    [
        ("A=1 npm test", {"A": "1"}),
        ("A=1 B=2 npm test", {"A": "1", "B": "2"}),
        ("env A=1 npm test", {"A": "1"}),
        ("A=1 env A=2 npm test", {"A": "2"}),
        ("export A=1; npm test", {"A": "1"}),
        ("A=1; export A; npm test", {"A": "1"}),
        ("A=1; npm test", {"A": "1"}),
        ("export A=1; A=2; npm test", {"A": "2"}),
        ("export A=1; unset A; npm test", {}),
        ("export A=1; bash -c 'npm test'", {"A": "1"}),
        ("A=1 bash -c 'B=2 npm test'", {"A": "1", "B": "2"}),
        ("(export A=1); npm test", {}),
        ("(export A=1; npm test)", {"A": "1"}),
        ("set -a; a=1; npm test", {"a": "1"}),
        ("a=1; npm test", {}),
        ("export a=1; npm test", {"a": "1"}),
        ("A=1 true; npm test", {}),
        ("X=app; A=$X/lib npm test", {"X": "app", "A": "app/lib"}),
        ("declare -x A=1; npm test", {"A": "1"}),
    ],
)
def test_variables_that_the_line_sets(text, env):
    assert one(text).env == {name: Word(value) for name, value in env.items()}


def test_a_variable_with_two_possible_values_is_not_known():
    found = one("if [ -f x ]; then export A=1; else export A=2; fi; npm test")
    assert not found.env["A"].known


@table_test(
    ("text", "folder"),
    [
        ("npm test", ""),
        ("cd app && npm test", "app"),
        ("cd app/lib/ && npm test", "app/lib"),
        ("cd ./app/../lib && npm test", "lib"),
        ("cd app && cd .. && npm test", ""),
        ("cd app; npm test", ""),
        ("(cd app); npm test", ""),
        ("(cd app && npm test)", "app"),
        ("cd app | cat; npm test", ""),
        ("cd -P app && npm test", "app"),
        ("cd -- app && npm test", "app"),
        ("cd /d app && npm test", "app"),
        ("cd app && npm ci && cd - && npm test", ""),
        ("cd app; cd - && npm test", None),
        ("pushd app && npm test", "app"),
        ("pushd app && pushd lib && popd && npm test", "app"),
        ("env -C app npm test", "app"),
        ("bash -c 'cd app && npm test'", "app"),
        ("cd app && bash -c 'cd lib && npm test'", "app/lib"),
        ("f() { cd app; npm test; }; f", ""),
        ("f() { cd app && npm test; }; f", "app"),
        ("D=app; cd $D && npm test", "app"),
        ('D=app; cd "$D/lib" && npm test', "app/lib"),
        ('cd "$PWD/app" && npm test', "app"),
        ('cd "$(pwd)" && npm test', ""),
        ('cd "$(git rev-parse --show-toplevel)" && npm test', ""),
        ('cd app && cd "$(git rev-parse --show-toplevel)/lib" && npm test', "lib"),
        ("cd .. && npm test", None),
        ("cd ../.. && npm test", None),
        ("cd app/../.. && npm test", None),
        ("cd / && npm test", None),
        ("cd /srv/shop && npm test", None),
        ("cd ~ && npm test", None),
        ("cd ~/shop && npm test", None),
        ("cd && npm test", None),
        ("cd - && npm test", None),
        ("cd $DIR && npm test", None),
        ("cd $(mktemp -d) && npm test", None),
        ("cd a b && npm test", None),
        ("cd */ && npm test", None),
        ("cd .. ; npm test", None),
        ("popd && npm test", None),
    ],
)
def test_the_folder_it_is_run_in(text, folder):
    found = [each for each in run(text) if each.words[0].text == "npm"]
    assert found[-1].folder == folder


@table_test(
    ("text", "root", "folder"),
    [
        ("cd /srv/shop && npm test", "/srv/shop", ""),
        ("cd /srv/shop/ && npm test", "/srv/shop", ""),
        ("cd /srv/shop/app && npm test", "/srv/shop", "app"),
        ("cd /srv/shop/../shop/app && npm test", "/srv/shop", "app"),
        ("cd /srv/shopping && npm test", "/srv/shop", None),
        ("cd /srv && npm test", "/srv/shop", None),
        ("cd /srv/shop/../other && npm test", "/srv/shop", None),
        ("cd .. && cd /srv/shop && npm test", "/srv/shop", ""),
    ],
)
def test_an_absolute_folder_is_inside_when_the_workspace_is_known(text, root, folder):
    assert one(text, root=root).folder == folder


@table_test(
    "text",
    [
        "f() { f; }; f; npm test",
        "f() { g; g; }; g() { h; h; }; h() { i; i; }; i() { f; f; }; f; npm test",
        "for a in 1 2 3 4 5 6 7 8; do " * 8 + "npm test" + "; done" * 8,
        "while true; do " * 12 + "npm test" + "; done" * 12,
    ],
)
def test_a_line_that_would_take_too_long_proves_nothing(text):
    found = [each for each in run(text) if each.words[0].text == "npm"]
    assert found
    assert not any(each.proven for each in found)


def nested(depth: int) -> str:
    text = "npm test"
    for _ in range(depth):
        text = f"if {{ ( {text} ) ; }}; then true; else false; fi"
    return text


def test_nesting_keeps_the_status():
    assert one(nested(5)).proven


@table_test("depth", [20, 30, 60, 200])
def test_nesting_beyond_measure_is_no_proof(depth):
    tree = parse(nested(depth))
    assert isinstance(tree, Refused) or not any(each.proven for each in invocations(tree))


PIECES = st.sampled_from(
    """
a
b
true
false
exit $?
exit $rc
rc=$?
[ $rc -eq 0 ]
wait $!
set -e
x=$(a)
set -o pipefail
cd x
return 1
break
f
trap b EXIT
"$@"
$x
((rc++))
export A=1
exit ${PIPESTATUS[0]}
a > x.log
unset rc
eval a
bash -c 'a; b'
echo $(b)
local x=1
""".strip().splitlines()
)
SHAPES = st.sampled_from(
    """
{0}; {1}
{0} && {1}
{0} || {1}
{0} | {1}
( {0}; {1} )
if {0}; then {1}; fi
{{ {0}; {1}; }}
for i in 1 2; do {0}; {1}; done
while {0}; do {1}; done
f() {{ {0}; }}; {1}
case $? in 0) {0} ;; *) {1} ;; esac
{0} & {1}
if {0}; then {1}; else {1}; fi
time {0}; {1}
""".strip().splitlines()
)
LINES = st.recursive(PIECES, lambda inner: st.builds(lambda s, a, b: s.format(a, b), SHAPES, inner, inner))


@given(LINES)
def test_any_line_is_read_and_no_command_is_lost(text):
    tree = parse(text)
    if isinstance(tree, Refused):
        return
    told = {each.words[0].text for each in invocations(tree)}
    for name in ("a", "b"):
        if name in text.replace("export A", "").split():
            assert name in told


@given(LINES)
def test_what_follows_a_line_with_or_true_hides_it(text):
    tree = parse(f"( {text}\n) || true")
    if isinstance(tree, Refused):
        return
    assert not any(each.proven for each in invocations(tree) if each.words[0].text in ("a", "b"))


@given(LINES)
def test_a_line_in_a_subshell_proves_the_same(text):
    plain, nested = parse(text), parse(f"( {text}\n)")
    if isinstance(plain, Refused) or isinstance(nested, Refused):
        return
    assert proven(nested) == proven(plain)


def proven(tree: Any) -> set[str]:
    return {each.words[0].text for each in invocations(tree) if each.proven} & {"a", "b"}
