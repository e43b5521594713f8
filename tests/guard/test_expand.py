"""Words as a command would get them: what is certain as bash has it, what is not as marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.tree import Assign, Group, Redirect, Refused, Simple, Statement, Text, Word
from donewhen.guard.expand.expand import assign, calculate, expand, expand_one, expand_target
from donewhen.guard.ground import Ground
from donewhen.guard.marks import ANY, BELOW, HOLE, NETWORK, SECRET, STAR, certain
from donewhen.guard.state import MAX_ALTERNATIVES, MAX_TEXT, State, Value, merged, start
from donewhen.shell import parse
from tests.guard.lines import GROUND, Line, words
from tests.tables import table_test


def nothing(script, state):
    return ""


# `p` prints nothing; what stands behind it is compared, one result for each line.
CERTAIN = {
    "x=rm; p $x ${x} \"${x}\" a${x}b": ("rm", "rm", "rm", "armb"),
    "x='a b'; p $x \"$x\" a$x\"$x\"b": ("a", "b", "a b", "aa", "ba bb"),
    "unset x; p ${x:-a b} ${x-c} ${x:=c d} $x": ("a", "b", "c", "c", "d", "c", "d"),
    "unset x; p ${x:-~} \"${x:-~}\" ${x:-'*'}": ("/home/dev", "~", "*"),
    "unset x; p ${x:-\"a b\"} ${x:-'c d'}": ("a b", "c d"),
    "x=; p ${x:-a} ${x-a} ${x:+b} ${x+b} \"${x:+b}\"": ("a", "b", ""),
    "x=abcabc; p ${#x} ${x#a} ${x##*b} ${x%c} ${x%%b*} ${x/b/X} ${x//b/X} ${x/#a/X} ${x/%c/X}": (
        "6", "bcabc", "c", "abcab", "a", "aXcabc", "aXcaXc", "Xbcabc", "abcabX",
    ),
    "x=abcdef; p ${x:1} ${x:1:2} ${x: -2} ${x: -3:2} ${x:1:-1} \"${x:9}\" ${x::2}": (
        "bcdef", "bc", "ef", "de", "bcde", "", "ab",
    ),
    "x=abCd; p ${x^} ${x^^} ${x,} ${x,,} ${x^^[b]}": ("AbCd", "ABCD", "abCd", "abcd", "aBCd"),
    "y=rm; x=y; p ${!x} ${!x:-q}": ("rm", "rm"),
    "x='a b'; p \"${x@Q}\" ${x@U}": ("'a b'", "A", "B"),
    "x='\\x72\\155'; p ${x@E}": ("rm",),
    "x='$(echo rm)'; p ${x@P}": ("rm",),
    "a=(x 'y z' w); p ${a[0]} \"${a[@]}\" \"${a[*]}\" ${#a[@]} \"${a[@]:1:1}\" ${a[-1]} ${!a[@]} $a": (
        "x", "x", "y z", "w", "x y z w", "3", "y z", "w", "0", "1", "2", "x",
    ),
    "a=(x); a+=(y z); a[5]=q; p ${a[@]} ${!a[@]}": ("x", "y", "z", "q", "0", "1", "2", "5"),
    "declare -A m=([k]=v ['a b']='c d'); p ${m[k]} \"${m['a b']}\" ${#m[@]}": ("v", "c d", "2"),
    "set -- a 'b c' d; p $1 \"$2\" $# \"$@\" ${@:2} \"${@:2:1}\" ${!#} x\"$@\"y": (
        "a", "b c", "3", "a", "b c", "d", "b", "c", "d", "b c", "d", "xa", "b c", "dy",
    ),
    "set --; p \"$@\" a\"$@\" $# \"$*\" ${1-none}": ("a", "0", "", "none"),
    "p rm${IFS}-rf${IFS}x \"a${IFS}b\"": ("rm", "-rf", "x", "a \t\nb"),
    "IFS=,; c=rm,-rf,x; p $c \"$c\"": ("rm", "-rf", "x", "rm,-rf,x"),
    "IFS=' ,'; c=' a , b,,c '; p $c": ("a", "b", "", "c"),
    "IFS=; c='a b'; p $c": ("a b",),
    "IFS=,; set -- a b; p \"$*\"": ("a,b",),
    "p ~ ~/x ~root ~root/y ~dev/x a~ ~+ \"~\" ~'/x' z=~/x p=a:~/x --p=~/x \\~": (
        "/home/dev", "/home/dev/x", "/root", "/root/y", "/home/dev/x", "a~", "/srv/tree", "~", "~/x",
        "z=/home/dev/x", "p=a:/home/dev/x", "--p=~/x", "~",
    ),
    "HOME=/; p ~ ~/etc ~dev": ("/", "/etc", "/home/dev"),
    "x=~/a:~/b; p $x": ("/home/dev/a:/home/dev/b",),
    "p {a,b}{1..3} {a,{b,c}d}e {a} {} a{,b} {a,'b c'} {1..10..3} {5..3} {c..a} {01..03} {{a,b} {a{b,c}}": (
        "a1", "a2", "a3", "b1", "b2", "b3", "ae", "bde", "cde", "{a}", "{}", "a", "ab", "a", "b c",
        "1", "4", "7", "10", "5", "4", "3", "c", "b", "a", "01", "02", "03", "{a", "{b", "{ab}", "{ac}",
    ),
    "ab=1; ac=2; p $a{b,c}": ("1", "2"),
    "p {a,$}HOME": ("aHOME", "/home/dev"),
    "x=5; p $((1+1)) $((x*2)) $((x**2)) $(( (1+2)*3 )) $((x>3?1:2)) $((0x10)) $((010)) $((2#101)) $((-7/2))": (
        "2", "10", "25", "9", "1", "16", "8", "5", "-3",
    ),
    "x=5; p $((x++)) $x $((++x)) $((x+=2)) $x $[1+1]": ("5", "6", "7", "9", "9", "2"),
    "((x=2, y=x*3)); p $y": ("6",),
    "let x=2 y=3; p $x$y": ("23",),
    "a=(5 6); i=1; x=abc; p $((a[1]+1)) ${a[i]} ${x:i:1} ${x:$i:1} ${x:$((i+1))}": ("7", "6", "b", "b", "c"),
    "p $(echo b) \"$(echo 'c  d')\" `echo e f`": ("b", "c  d", "e", "f"),
    "x=a/b/c.txt; p ${x##*/} \"${x%/*}\" ${x%.*} ${x//\\//_} ${x/b\\/c/d}": (
        "c.txt", "a/b", "a/b/c", "a_b_c.txt", "a/d.txt",
    ),
    "x=abc y='*b'; p ${x#$y} ${x#\"$y\"} \"${x#$y}\" ${x//[[:alpha:]]/1} ${x/*/Z} ${x/#/Z}": (
        "c", "abc", "c", "111", "Z", "Zabc",
    ),
    "declare -l x=RM; declare -u y=rm; p $x $y": ("rm", "RM"),
    "declare -n r=x; x=5; p $r": ("5",),
    "x=r; x+=m; p $x ${#x}": ("rm", "2"),
    "p $PWD/x ${HOME}/y $USER ${TMPDIR} ${PATH:0:1}etc ${HOME::1}tmp": (
        "/srv/tree/x", "/home/dev/y", "dev", "/tmp", "/etc", "/tmp",
    ),
    "x=*; p \"$x\" '*' \\*": ("*", "*", "*"),
}  # fmt: skip


@table_test("line", CERTAIN)
def test_what_is_certain_is_what_bash_makes_of_it(line):
    assert words(line) == [CERTAIN[line]]


MARKED = {
    "p $x \"$x\" a$x": (HOLE, HOLE, f"a{HOLE}"),
    "p $API_TOKEN \"${DB_PASSWORD:0:4}\" ${STRIPE_KEY%x}": (SECRET, SECRET, SECRET),
    "p $OLDPWD ~- $SSH_AUTH_SOCK": (HOLE, HOLE, HOLE),
    "declare -a a='(rm x)'; p ${a[@]}": (HOLE,),
    "p $CI $COLUMNS $NODE_ENV": (HOLE, HOLE, HOLE),
    "p $? $$ $! $- $RANDOM $SECONDS $LINENO $UID $EUID $PPID $BASHPID $HOSTNAME $OSTYPE": (STAR,) * 13,
    "p *.py a? [ab]c src/*/x /???/r?": (
        f"{STAR}.py", f"a{ANY}", f"{ANY}c", f"src/{STAR}/x", f"/{ANY * 3}/r{ANY}",
    ),
    "p **/*.py src/** a**b": (f"{BELOW}/{STAR}.py", f"src/{STAR}", f"a{STAR}b"),
    "shopt -s globstar; p **/*.py src/**": (f"{BELOW}{STAR}.py", f"src/{BELOW}"),
    "x=*; p $x \"$x\" a$x": (STAR, "*", f"a{STAR}"),
    "p +(a|b) !(x) *(a): [": (STAR, STAR, f"{STAR}:", "["),
    "p $((x+1)) ${#x} $((RANDOM % 3))": (STAR, STAR, STAR),
    "p {1..99999}": (STAR,),
    "p ${x@Q} ${!x}": (HOLE, HOLE),
    "a=(b $x); p ${a[9]-n} ${#a[@]}": ("n", STAR),
    "f=*.py; f=src/$(echo $y).py; p ${f%.py}.txt": (f"src/{HOLE}.txt",),
    "IFS=$q; x=a,b; p $x \"$x\"": (HOLE, "a,b"),
}  # fmt: skip


@table_test("line", MARKED)
def test_what_is_not_certain_is_a_mark(line):
    assert words(line) == [MARKED[line]]


EITHER = {
    "p ${x:-main}": {(HOLE,), ("main",)},
    "p ${x:+a}": {("a",), ()},
    "p ${API_TOKEN:-none}": {(SECRET,), ("none",)},
    "p @(a|b)c ": {("ac",), ("bc",)},
    "unset x; p ${x:-a' b'}": {("a b",), ("a", "b")},  # the tree does not say which
    "unset x; p ${x:-a' b c'}": {("a b c",), ("a", "b", "c"), (HOLE,)},
    "x=a/b; p \"${x/b/r\\m}\"": {("a/rm",), ("a/r\\m",)},
}  # fmt: skip


@table_test("line", EITHER)
def test_what_may_be_one_or_the_other_is_both(line):
    assert set(words(line)) == EITHER[line]


def test_sizes_and_offsets_of_one_word_are_not_confused():
    assert words('x=abc; p "${x::1}${x:2}"') == [("ac",)]
    assert ("abc",) in words('x=abc; p "${x::1}${x:1}"')


RUNS = {
    ": ${x:=$(rm y)}": ["rm y"],
    "x=1; : ${x:=$(rm y)}": [],
    "x=1; : ${x:+$(rm y)}": ["rm y"],
    ": $(( $(rm y) + 1 ))": ["rm y"],
    ": ${a[$(rm y)]} ${x:$(rm z)} ${x/$(rm v)/$(rm w)}": ["rm y", "rm z", "rm v", "rm w"],
    "x='a[$(rm y)]'; : $((x))": ["rm y"],
    "x='$(rm y)'; : $x \"$x\"": [],
    "x='$(rm y)'; : ${x@P}": ["rm y"],
    "x='`rm y`'; : \"${x@P}\"": ["rm y"],
    ": ${x@P}": [f"eval {HOLE}"],
    "a=($(rm x) [$(rm y)]=$(rm z))": ["rm x", "rm y", "rm z"],
    "a[$(rm y)]=1": ["rm y"],
    ": <(rm x) >(rm y)": ["rm x", "rm y"],
    ": {$(rm x),b}": ["rm x"],
    "x='${x@P}'; : ${x@P}": ["eval ${x@P}"],
    "declare -i n='a[$(rm y)]'": ["rm y"],
}  # fmt: skip


@table_test("line", RUNS)
def test_live_code_is_run_once_where_the_shell_would(line):
    assert Line(line).runs == RUNS[line]


def test_a_known_word_stays_what_it_is():
    state = start(GROUND)
    known = (Word("git"), Word("*"), Word("a b"), Word(""))
    assert expand(known, state, nothing) == [("git", "*", "a b", "")]
    assert expand((), state, nothing) == [()]
    assert expand_one(Word("~"), state, nothing) == ["~"]


def test_a_word_that_is_not_split():
    line = "x='a  *'; y=$x; z=$x$(echo '  b'); set -- 1 2; v=$@; w=\"$*\"; :"
    state = Line(line).state
    assert [state.get(name) for name in "yzvw"] == [("a  *",), ("a  *  b",), ("1 2",), ("1 2",)]


def simple(text: str) -> list[Simple]:
    """The simple commands of a line."""
    tree = parse(text)
    assert not isinstance(tree, Refused)
    return [one.command for one in tree if isinstance(one.command, Simple)]


def redirect(text: str) -> Redirect:
    tree = parse(text)
    assert not isinstance(tree, Refused)
    return tree[0].redirects[0]


@table_test(
    ("text", "expected"),
    [
        ("cat < .en*", [f".en{STAR}"]),
        ("cat < ~/.netrc", ["/home/dev/.netrc"]),
        ("cat > $x", [HOLE]),
        ("cat > 'a b'", ["a b"]),
        ("cat > {a,b}", [HOLE]),
        ("cat < ${HOME}/a", ["/home/dev/a"]),
    ],
)
def test_the_target_of_a_redirection(text, expected):
    assert expand_target(redirect(text).target, start(GROUND), nothing) == expected


def test_a_here_document_is_neither_split_nor_globbed():
    body = redirect("cat <<E\n* $HOME ~ {a,b} ${PWD##*/}\nE\n").body
    assert body is not None
    assert expand_one(body, start(GROUND), nothing) == ["* /home/dev ~ {a,b} tree\n"]


def test_output_of_a_substitution_keeps_its_origin():
    def fetch(script, state):
        return f"a {NETWORK}\n\n"

    first, second = simple('x=$(curl y); sh -c "$x" ${x#a} ${x%%q}')
    state = start(GROUND)
    assign(first.assigns[0], state, fetch)
    (argv,) = expand(second.words, state, fetch)
    assert argv[2] == f"a {NETWORK}"
    assert NETWORK in "".join(argv[3:])


def test_process_substitutions_are_files_with_what_is_printed():
    line = Line("p <(echo rm x) >(cat) <(echo y)")
    assert line.argvs == [("p", "/dev/fd/63", "/dev/fd/62", "/dev/fd/61")]
    assert line.state.files == {"/dev/fd/63": "rm x\n", "/dev/fd/61": "y\n"}
    assert list(line.state.sinks) == ["/dev/fd/62"]


def test_variables_of_the_ground_are_known_but_never_secrets():
    ground = Ground("/w", "/w", "/home/dev", variables={"GOPATH": "/go", "API_KEY": "k", "IFS": "x"})
    assert words("p $GOPATH $API_KEY axb", ground) == [("/go", SECRET, "axb")]


def test_marks_that_passed_the_parser_are_marks_again():
    assert words("p \uf8f0x '\uf8f4'a$HOME") == [("\uf8f0x", f"{NETWORK}a/home/dev")]


def branched(first: str, second: str) -> State:
    state = Line(first).state
    state.join(Line(second).state)
    return state


def test_after_branches_both_values_are_possible():
    state = branched("x=rm; y=1; z=2", "x=echo; y=1; unset z")
    assert state.get("x") == ("rm", "echo")
    assert state.get("y") == ("1",)
    assert state.values("z") == ("2", None)
    assert branched("x=rm", ":").get("x") == ("rm", HOLE)
    assert branched("a=(1 2)", "a=(3)").get("a") == (HOLE,)


def test_after_branches_functions_files_and_folders_are_both():
    mine, theirs = Line(":").state, Line(":").state
    body = Statement(Group(()))
    other = Statement(Group((body,)))
    mine.functions["f"], theirs.functions["f"] = body, other
    mine.files["/tmp/a"], theirs.files["/tmp/a"] = "rm x", "ls"
    theirs.links["/tmp/l"] = "/etc"
    theirs.move("/srv/other")
    theirs.options.add("noglob")
    theirs.positional = ("a",)
    mine.join(theirs)
    assert mine.functions["f"] == Statement(Group((body, other)))
    assert mine.files["/tmp/a"] == "rm x\nls"
    assert mine.links == {"/tmp/l": "/etc"}
    assert mine.folder == f"/srv/{HOLE}"
    assert mine.options == set()
    assert mine.positional == (HOLE,)


def test_a_copy_does_not_change_its_original():
    state = Line("x=1; a=(1 2)").state
    other = state.copy()
    other.set("x", "2")
    other.set_item("a", "0", "9")
    other.files["/tmp/x"] = "y"
    other.move("/")
    assert (state.get("x"), state.get("a"), state.files, state.folder) == (("1",), ("1",), {}, "/srv/tree")
    assert other.get("OLDPWD") == ("/srv/tree",)
    assert other.get("PWD") == ("/",)


def test_unset_readonly_and_exported():
    state = Line("x=1; y=2").state
    state.unset("x")
    assert state.get("x") == ("",)
    state.declare("y", "r")
    state.set("y", "3")
    assert state.get("y") == ("2", "3")
    state.options.add("allexport")
    state.set("z", "1")
    assert "z" in state.exported
    state.set("UID", "0")
    assert state.get("UID") == (STAR,)


def test_arguments_behind_one_that_may_be_several_are_not_known():
    state = start(GROUND)
    state.positional = ("a", HOLE, "b")
    assert [state.get(name) for name in ("1", "2", "3", "9", "#")] == [
        ("a",),
        (HOLE,),
        (HOLE,),
        (HOLE,),
        (STAR,),
    ]


@given(st.lists(st.text("ab/", max_size=6), min_size=1, max_size=5))
def test_one_text_for_several_covers_each(texts):
    from donewhen.guard.marks import could_be

    one = merged(texts)
    assert all(could_be(one, text) for text in texts)
    assert certain(one) == (len(set(texts)) == 1)


@given(st.integers(0, 2**64), st.integers(0, 2**64), st.sampled_from("+ - * & | ^ < > == !=".split()))
def test_numbers_are_of_64_bits(left, right, operator):
    text = calculate(f"$(({left} {operator} {right}))", (), start(GROUND), nothing)
    assert -(2**63) <= int(text) < 2**63


HOSTILE = {
    "doubling": "x=aaaaaaaaaaaaaaaa; " + "x=$x$x$x$x; " * 40 + "p $x",
    "braces": "p " + "{a,b}" * 3000,
    "nested braces": "p " + "{a," * 3000 + "}" * 3000,
    "open braces": "p " + "{a" * 9000 + "}" * 9000,
    "sequences": "p " + "{1..1000} " * 500,
    "many words": "x='" + "a " * 20000 + "'; p " + "$x " * 500,
    "stars": "x=" + "a" * 20000 + "; p " + " ".join(["${x##" + "*a" * 20 + "b}"] * 100),
    "replacing": "x=" + "a" * 5000 + "; p " + " ".join(["${x//a*b/" + "c" * 9 + "}"] * 300),
    "growing": "x=" + "a" * 50 + "; " + "x=${x//a/" + "a" * 50 + "}; " + "x=${x//a/aaaaaaaaaa}; " * 20 + "p $x",
    "brackets": "p " + "[" * 30000 + "*",
    "brackets and slashes": "p " + "[/" * 15000 + "]*",
    "powers": "p $((9**9**9**9**9)) $((1<<99999))",
    "parentheses": "p $((" + "(" * 30 + "1" + ")" * 30 + "))",
    "itself": "x=x; p $((x))",
    "itself by reference": "declare -n a=b; declare -n b=a; p $a",
    "choices": "p " + "${x:-a}" * 2000,
    "written": "p " + "a" * 20000 + "${a:-'b'}" * 2000,
    "array": "a=(" + "b " * 20000 + "); p ${a[@]} ${a[@]}",
    "items": "a=(" + " ".join(f"[{n}]={n}" for n in range(3000)) + "); p ${#a[@]}",
    "tildes": "x=" + "~:" * 20000 + "; p $x",
}  # fmt: skip


@pytest.mark.runs
@pytest.mark.timeout(20)
@table_test("name", HOSTILE)
def test_hostile_lines_cost_little_and_stay_bounded(name):
    tree = parse(HOSTILE[name])
    if isinstance(tree, Refused):
        return
    line = Line(HOSTILE[name])
    assert 1 <= len(line.argvs) <= MAX_ALTERNATIVES
    assert all(len(value.texts) <= MAX_ALTERNATIVES for value in line.state.variables.values())
    for value in line.state.variables.values():
        assert all(len(text or "") <= MAX_TEXT + 1 for text in value.texts)


@given(st.text("ab${}[]()*?~'\"\\:-+=#%/,.!@^1 `", max_size=24))
def test_any_readable_word_expands(text):
    tree = parse(f"x=ab; y='a b'; p {text}")
    if isinstance(tree, Refused):
        return
    line = Line(f"x=ab; y='a b'; p {text}")
    assert line.argvs is not None


def test_what_is_too_much_is_a_hole_not_left_out():
    state = Line("x=a").state
    state.variables["x"] = Value(tuple("abcdef"))
    word = Word("$x$x", False, simple("p $x")[0].words[1].parts * 2)
    argvs = expand((word,), state, nothing)
    assert len(argvs) <= MAX_ALTERNATIVES
    assert any(HOLE in argv[0] for argv in argvs)


def test_an_item_with_a_key_that_is_not_plain_makes_the_array_unknown():
    state = start(GROUND)
    item = Word("$k]=v", False, (Text("k"), Text("v")))
    assign(Assign("a", Word("", False), items=(item,)), state, nothing)
    assert state.get("a") == (HOLE,)
