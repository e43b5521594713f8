"""What a text says: every construct of bash, as whole trees or as the commands found in them."""

from donewhen.core import tree
from donewhen.core.tree import (
    AndOr,
    Assign,
    Case,
    CaseItem,
    Declare,
    For,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Redirect,
    Refused,
    Simple,
    Statement,
    Subshell,
    Substitution,
    Text,
    Timed,
    Variable,
    Word,
)
from donewhen.shell import parse
from tests.shell.support import read, runs, typed
from tests.tables import table_test


def simple(text: str, **fields) -> Simple:
    return Simple(tuple(map(Word, text.split())), **fields)


def stmt(command, **fields) -> Statement:
    return Statement(simple(command) if isinstance(command, str) else command, **fields)


A, B, C = stmt("a"), stmt("b"), stmt("c")
X = Word("$x", False, (Variable("x"),))
QUOTED_X = Word('"$x"', False, (Variable("x", quoted=True),))

WHOLE = {
    "": (),
    "  \n # nothing\n": (),
    "npm test": (stmt("npm test"),),
    "a && b || c": (stmt(AndOr(A, (("&&", B), ("||", C)))),),
    "a | b |& c &": (stmt(Pipeline((A, B, C), True), background=True),),
    "a; b\nc": (A, B, C),
    "! a | b": (stmt(Pipeline((A, B)), negated=True),),
    "X=1 Y+='2 3' a": (stmt(simple("a", assigns=(Assign("X", Word("1")), Assign("Y", Word("2 3"), True)))),),
    "X=": (stmt(Simple((), (Assign("X", Word("")),))),),
    "a[$x]=1": (stmt(Simple((), (Assign("a", Word("1"), key=X),))),),
    "x=(a $x)": (stmt(Simple((), (Assign("x", Word("(a $x)", False), items=(Word("a"), X)),))),),
    "a 2>&1 >f": (stmt(simple("a"), redirects=(Redirect(">&", Word("1"), "2"), Redirect(">", Word("f")))),),
    ">f": (stmt(Simple(), redirects=(Redirect(">", Word("f")),)),),
    "(a; b)": (stmt(Subshell((A, B))),),
    "! { a; }": (stmt(Group((A,)), negated=True),),
    "if a; then b; elif b; then c; else a; fi": (stmt(If((((A,), (B,)), ((B,), (C,))), (A,))),),
    "while a; do b; done": (stmt(Loop("while", (A,), (B,))),),
    "until a; do b; done": (stmt(Loop("until", (A,), (B,))),),
    "for i in 1 $x; do a; done": (stmt(For("i", (Word("1"), X), (A,))),),
    "for i; do a; done": (stmt(For("i", None, (A,))),),
    "select i in 1; do a; done": (stmt(For("i", (Word("1"),), (A,), "select")),),
    "case $x in a|b) a;; *) b;& esac": (
        stmt(Case(X, (CaseItem((Word("a"), Word("b")), (A,)), CaseItem((Word("*", False, (Text("*"),)),), (B,), ";&")))),
    ),
    "f() { a; }": (stmt(Function("f", stmt(Group((A,))))),),
    "[[ -f $x && ( a == b ) ]]": (
        stmt(tree.Test((Word("-f"), X, Word("&&"), Word("("), Word("a"), Word("=="), Word("b"), Word(")")))),
    ),
    "time a | b": (stmt(Timed(stmt(Pipeline((A, B))))),),
    "export -p A=1 B": (
        stmt(Declare("export", (Word("-p"),), (Assign("A", Word("1")), Assign("B", Word("", False))))),
    ),
    'echo "$(a)"': (
        stmt(Simple((Word("echo"), Word('"$(a)"', False, (Substitution((A,), quoted=True),))))),
    ),
    "cat <<E\nx\nE": (stmt(simple("cat"), redirects=(Redirect("<<", Word("E"), body=Word("x\n")),)),),
    "cat <<<a": (stmt(simple("cat"), redirects=(Redirect("<<<", Word("a"), body=Word("a")),)),),
    "cd /d C:/x && npm test": (stmt(AndOr(stmt("cd /d C:/x"), (("&&", stmt("npm test")),))),),
}  # fmt: skip


@table_test("text", WHOLE)
def test_the_whole_tree(text):
    assert typed(read(text)) == typed(WHOLE[text])


WORDS = {
    r"r\m": Word("rm"),
    "'a'\"b\"c": Word("abc"),
    r'"a\$b\"c\d\\"': Word(r'a$b"c\d' + "\\"),
    "$'\\x72m'": Word("rm"),
    "$'a\\'\\n\\101\\u00e9\\cA\\q'": Word("a'\nAé\x01\\q"),
    "$'\\xc3\\xa9'": Word("é"),
    "$'a\\0b'c": Word("ac"),
    '$"hi"': Word("hi"),
    "a\\\nb": Word("ab"),
    '"a\\\nb"': Word("ab"),
    "HEAD~3": Word("HEAD~3"),
    "@{u}": Word("@{u}"),
    "{}": Word("{}"),
    "a[": Word("a["),
    "'*'": Word("*"),
    r"\*": Word("*"),
    "--prefix=~/x": Word("--prefix=~/x"),
    "*.py": Word("*.py", False, (Text("*.py"),)),
    r"\**": Word(r"\**", False, (Text("*", True), Text("*"))),
    "[ab]": Word("[ab]", False, (Text("[ab]"),)),
    '["a"]': Word('["a"]', False, (Text("["), Text("a", True), Text("]"))),
    "{a,b}": Word("{a,b}", False, (Text("{a,b}"),)),
    "{1..3}": Word("{1..3}", False, (Text("{1..3}"),)),
    "~/x": Word("~/x", False, (Text("~/x"),)),
    "of=~/x": Word("of=~/x", False, (Text("of=~/x"),)),
    "p=a:~/x": Word("p=a:~/x", False, (Text("p=a:~/x"),)),
    "@(a|b)": Word("@(a|b)", False, (Text("@(a|b)"),)),
    "$x": X,
    '"$x"': QUOTED_X,
    "a${x}b": Word("a${x}b", False, (Text("a"), Variable("x"), Text("b"))),
    "${#x}": Word("${#x}", False, (Variable("x", "#"),)),
    "${!x}": Word("${!x}", False, (Variable("x", "!"),)),
    "${x:-d}": Word("${x:-d}", False, (Variable("x", ":-", Word("d")),)),
    "${x[1]}": Word("${x[1]}", False, (Variable("x", key=Word("1")),)),
    "${x@P}": Word("${x@P}", False, (Variable("x", "@", Word("P")),)),
    "${x//a/b}": Word(
        "${x//a/b}",
        False,
        (Variable("x", "//", Word("a/b", False, (Text("a", True), Text("/"), Text("b", True)))),),
    ),
}


@table_test("text", WORDS)
def test_the_value_of_a_word_and_whether_it_is_known(text):
    (statement,) = read(f"echo {text}")
    assert typed(statement.command.words[1]) == typed(WORDS[text])


DOCUMENTS = {
    "cat <<'E'\na $x\\\nb\nE": Word("a $x\\\nb\n"),
    'cat <<E"O"F\n$x\nEOF': Word("$x\n"),
    "cat <<\\E\n$(a)\nE": Word("$(a)\n"),
    "cat <<E\na\\$x \\\\ \\z\nE": Word("a$x \\ \\z\n"),
    "cat <<-E\n\ta\n\t\tb\n\tE": Word("a\nb\n"),
    "cat <<-'E'\n\ta\n\tE": Word("a\n"),
    "cat <<E\nE": Word(""),
    "cat <<E\n* ~ {a,b}\nE": Word("* ~ {a,b}\n"),
    "cat <<E\na $x\nE": Word(
        "a $x\n", False, (Text("a ", True), Variable("x", quoted=True), Text("\n", True))
    ),
}


@table_test("text", DOCUMENTS)
def test_what_a_here_document_feeds(text):
    (statement,) = read(text)
    assert typed(statement.redirects[0].body) == typed(DOCUMENTS[text])


LIVE = {
    "! { rm x; }": ["rm x"],
    ": ${x:-$(rm y)}": [": ‹${x:-$(rm y)}›", "rm y"],
    ': "${x:="`rm y`"}"': [': ‹"${x:="`rm y`"}"›', "rm y"],
    "cat <<E\n$(rm y)\nE": ["cat", "rm y"],
    "cat <<'E'\n$(rm y)\nE": ["cat"],
    "X=$(rm y) a": ["X=‹$(rm y)› a", "rm y"],
    "a > $(rm y)": ["a", "rm y"],
    "diff <(rm x) >(rm y)": ["diff ‹<(rm x)› ‹>(rm y)›", "rm x", "rm y"],
    "((x = $(rm y)))": ["rm y"],
    "let 'x=1' y=$(rm y)": ["rm y"],
    "echo $(( 1 + $(rm y) ))": ["echo ‹$(( 1 + $(rm y) ))›", "rm y"],
    "for ((i=$(rm y);i<3;i++)); do a; done": ["rm y", "a"],
    "[[ $(rm y) == a ]]": ["rm y"],
    "case $(rm x) in $(rm y)) a;; esac": ["rm x", "rm y", "a"],
    "export X=$(rm y)": ["rm y"],
    'declare "x=$(rm y)"': ["rm y"],
    "x=([$(rm x)]=$(rm y))": ["x=‹([$(rm x)]=$(rm y))›", "rm x", "rm y"],
    "a[$(rm y)]=1": ["a=1", "rm y"],
    "echo ${a[$(rm y)]} ${b:$(rm z)} ${c/$(rm v)/$(rm w)}": [
        "echo ‹${a[$(rm y)]}› ‹${b:$(rm z)}› ‹${c/$(rm v)/$(rm w)}›",
        "rm y",
        "rm z",
        "rm v",
        "rm w",
    ],
    "coproc N { rm y; }": ["rm y"],
    "f() (rm y)": ["rm y"],
    "echo `echo \\`rm y\\``": ["echo ‹`echo \\`rm y\\``›", "echo ‹`rm y\\`›", "rm y"],
    "echo ${ rm y; }": ["echo ‹${ rm y; }›", "rm y"],
    "if a; then b # note\n# more\nfi\nwhile a; do b\n# end\ndone": ["a", "b", "a", "b"],
}


@table_test("text", ["f() { a; } && rm x", "f() { a; } | rm x", "function f { a; } || b && rm x"])
def test_what_follows_a_function_is_run_not_defined(text):
    (statement,) = read(text)
    inside = statement.command
    while not isinstance(inside, Function):
        inside = (inside.first if isinstance(inside, AndOr) else inside.parts[0]).command
    assert runs((inside.body,)) == ["a"]
    assert runs(read(text))[-1] == "rm x"


def test_a_function_whose_body_is_no_compound_command_is_refused():
    assert isinstance(parse("f() rm x"), Refused)
    assert isinstance(parse("f() ! { a; }"), Refused)


@table_test("text", LIVE)
def test_live_code_is_found_wherever_it_stands(text):
    assert runs(read(text)) == LIVE[text]
