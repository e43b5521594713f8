"""Looks that are settled cheaply: never another answer than the whole reading gives."""

from hypothesis import example, given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.commands.describing import describe
from donewhen.core.target import ANY_TESTS, describe_line, is_declared, match_target, target_of
from donewhen.core.target_looking import looker
from tests.tables import table_test

PROGRAMS = "cat cut grep head ls nl pwd rg sort stat tail tr wc".split()
WORDS = (
    *"f7.txt -n -r 20 test tests pytest unittest npm -c + / . -- --version --help -o out -E -q a=b make".split(),
    "'a b'", '"cat x"', "# note", "$X", "*.py", "> out", "| head", "&& pytest", "; make test", "2>/dev/null",
    "$(ls)", "|| true", "&", "< in", "-exec", "grep", "cat", "ls", "-la", "{}", "~", "\\;",
)  # fmt: skip
DECLARED = (
    *PROGRAMS,
    *(f"{name} f7.txt" for name in PROGRAMS),
    *(f"/bin/{name} f7.txt" for name in PROGRAMS),
    *("pytest", "python3 -m unittest", "npm test", "make", "go test ./...", "cargo test && cargo clippy"),
    *("c''at f7.txt", '"cat" f7.txt', "c\\at f7.txt", "$CAT f7.txt", "busybox cat f7.txt", "env cat f7.txt"),
    *(
        "egrep -q a f7.txt",
        "fgrep a",
        "test -f f7.txt",
        "[ -f f7.txt ]",
        "! grep -r test",
        "ls | wc -l",
        "(ls)",
    ),
    *(
        "bash -c 'cat f7.txt'",
        "sh -c ls",
        "X=1 ls",
        "cd a && ls",
        "if true; then ls; fi",
        "",
        "((",
        "timeout 5 ls",
    ),
)
MODES = ("argv", "exact", "prefix")
LINES = st.builds(
    lambda program, words: " ".join((program, *words)),
    st.sampled_from((*PROGRAMS, "pytest", "/bin/cat", "command cat", "sudo ls", "git", "make")),
    st.lists(st.sampled_from(WORDS), max_size=5),
)
TARGETS = st.builds(
    lambda text, mode: target_of(text, mode, parse), st.sampled_from(DECLARED), st.sampled_from(MODES)
)


@given(LINES)
def test_what_a_line_is_by_itself(line):
    assert describe_line(line, parse) == describe(parse(line))


@given(LINES, st.lists(TARGETS, max_size=3))
@example("cat f7.txt", [target_of("c''at f7.txt", "argv", parse)])
@example("grep -E x", [target_of("egrep x", "argv", parse)])
def test_whether_a_line_is_declared(line, targets):
    wanted = any(match_target(target, line, parse).same_check for target in (*targets, ANY_TESTS))
    assert is_declared((*targets, ANY_TESTS), line, parse) == wanted


@table_test("declared", DECLARED)
@table_test("program", PROGRAMS)
def test_each_look_against_each_declared_command(program, declared):
    targets = [target_of(declared, mode, parse) for mode in MODES]
    for line in (program, f"{program} f7.txt", f"{program} -n 1 f7.txt # {declared}"):
        wanted = [match_target(target, line, parse).same_check for target in targets]
        assert [is_declared((target,), line, parse) for target in targets] == wanted
        assert describe_line(line, parse) == describe(parse(line))


@table_test(
    "line",
    [
        "cat $X",
        "cat a >b",
        "X=1 cat a",
        "! cat a",
        "cat a &",
        "cat a | wc",
        "command cat a",
        "cat a; ls",
        "((",
    ],
)
def test_what_is_more_than_a_look_is_read_whole(line):
    assert looker(parse(line)) == ""


def test_a_plain_look_is_settled():
    assert [looker(parse(f"{name} f7.txt # why")) for name in PROGRAMS] == PROGRAMS
