"""The fast path and the parser give the very same tree, for every text that the fast path takes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.tree import Script
from donewhen.shell.nest import Nest, Unreadable
from donewhen.shell.plain import read_plain
from donewhen.shell.reading import _read, read_with_parser
from donewhen.shell.unwrapping import unwrap
from tests.examples import many
from tests.shell.support import typed

PIECES = """
a npm -x --y=z X=1 Y+=2 Z= 1 10 "q·r" 's·t' "" '' "\\$x" "a\\b" \\· \\* * ? [ab] [ {} {a,b} { } ~ ~/x a=~/b HEAD~3 a#b
! !x @{u} = =x a= [[ ]] ] é 日本 % ^ , + - -- . : / time if export in do >f >>f 2>&1 >&2 <f <>f &>f &>>f >|f <&3 >&-
{fd}>x a>b 12>x bash -c env timeout 5 xargs sudo eval echo | || && & ; ¶ |& ·#c¶ a[1] a[1]=2 x=[1] x={a,b} x=* -c'a·b'
"a¶·b" a() {1..3} x=a:~/b <<< > < coproc function {}>x != a!b select x=1>f let test source trap cat << $x `a` (a)
""".split()
TEXTS = st.lists(
    st.sampled_from([piece.replace("·", " ").replace("¶", "\n") for piece in PIECES] + [" "] * 40),
    max_size=14,
).map("".join)


def both(text: str) -> tuple[Script | None, Script | str]:
    fast = read_plain(text, Nest(_read, unwrap))
    if fast is None:
        return None, ()
    try:
        return fast, read_with_parser(text, Nest(_read, unwrap))
    except Unreadable as refusal:
        return fast, refusal.reason


@settings(max_examples=many(700))
@given(TEXTS)
def test_both_paths_agree(text):
    fast, slow = both(text)
    if fast is not None:
        assert typed(fast) == typed(slow)


def test_ordinary_lines_take_the_fast_path():
    for text in (
        "npm test",
        "cd web && npm ci && npm test 2>&1 | tail -5",
        'git commit -m "fix: a (b)"',
        "FOO=bar make -j4 test > out.log",
        "ls src/*.py",
        "find . -name '*.pyc' -exec rm {} +",
        "pytest -q; echo done # note",
    ):
        fast, slow = both(text)
        assert fast is not None
        assert typed(fast) == typed(slow)


def test_a_comment_ends_at_its_line_whatever_it_ends_with():
    """The parser would read on here, and hide the second command."""
    assert read_plain("echo # \\\nrm x", Nest(_read, unwrap)) == read_plain("echo\nrm x", Nest(_read, unwrap))
