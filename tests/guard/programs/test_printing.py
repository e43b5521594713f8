"""What programs print, told from their arguments and input alone."""

import base64
import bz2
import gzip
import lzma
import shlex

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, MARKS, NETWORK, SECRET, STAR, anything, certain
from donewhen.guard.programs.printing.outputs import OUTPUTS
from tests.guard.calls import GROUND, call
from tests.tables import table_test

WORKSPACE = GROUND.workspace


def printed(line: str, stdin: str | None = None) -> str:
    """Of a pipe of plain commands, separated by ` | `."""
    for part in line.split(" | "):
        one = call(part, stdin)
        stdin = OUTPUTS[one.name](one)
    assert stdin is not None
    return stdin


@table_test(
    ("line", "text"),
    [
        ("echo hi there", "hi there\n"),
        ("echo -n hi", "hi"),
        ("echo -nq x", "-nq x\n"),
        (r"echo -e 'r\x6d\t\0101 \u00e9 \\ \z'", "rm\tA é \\ \\z\n"),
        (r"echo -ne 'a\cb'", "a"),
        (r"echo 'a\n'", "a\\n\n"),
        ("printf 'rm -rf %s\\n' a b", "rm -rf a\nrm -rf b\n"),
        (r"printf '\x72\155 %b' 'a\tb'", "rm a\tb"),
        (
            "printf '%d %x %o %5s|%-5s|%.2s|%c|%05d|%%' 10 255 8 ab cd efgh xyz 42",
            "10 ff 10    ab|cd   |ef|x|00042|%",
        ),
        ("printf '%s %s\\n' a b c", "a b\nc \n"),
        ("printf 'none\\n' a b", "none\n"),
        (r"printf '\xf0\x9f\x98\x80'", "😀"),
        ("printf -v name text", ""),
        ("echo abc | rev", "cba\n"),
        ("echo 'ez -es ~' | tr 'a-z' 'n-za-m'", "rm -rf ~\n"),
        ("echo hello123 | tr -cd '0-9'", "123"),
        ("echo hello | tr '[:lower:]' '[:upper:]'", "HELLO\n"),
        ("echo aabb | tr -s ab", "ab\n"),
        ("echo 'a,b,c' | cut -d, -f2-", "b,c\n"),
        ("echo abcdef | cut -c -2,5-", "abef\n"),
        ("printf 'a\\nb\\nc\\n' | head -n -1", "a\nb\n"),
        ("printf 'a\\nb\\nc\\n' | tail -n +2", "b\nc\n"),
        ("printf abcdef | head -c 3", "abc"),
        ("printf 'b\\na\\nb\\n' | sort -ru", "b\na\n"),
        ("printf 'b\\na\\n' | tac", "a\nb\n"),
        ("printf 'a\\nb\\n' | paste -sd ' '", "a b\n"),
        ("printf 'a b\\nc\\n' | xargs", "a b c\n"),
        ("printf 'a b\\nc\\n' | xargs -I{} echo x{}y", "xa by\nxcy\n"),
        ("printf 'rm\\nls\\n' | grep -v ls", "rm\n"),
        ("printf 'rm\\nls\\n' | egrep 'rm|x'", "rm\n"),
        ("echo rm | grep -v 'm\\<'", "rm\n"),
        ("printf 'a\\nb\\n' | head -n -0", "a\nb\n"),
        ("printf 'rm -rf\\nls\\n' | grep -oE 'r[a-z]'", "rm\nrf\n"),
        ("echo 'xx -rf' | sed 's/xx/rm/'", "rm -rf\n"),
        (r"echo axbxc | sed -E 's/(a)x(b)/\2\1/'", "baxc\n"),
        ("printf '1\\n2\\n3\\n4\\n' | sed -n '2,3p'", "2\n3\n"),
        ("printf 'a\\nb\\nc\\n' | sed '/b/,$d'", "a\n"),
        ("echo abc | sed 'y/abc/xyz/'", "xyz\n"),
        ("echo cm0gLXJmIH4= | base64 -d", "rm -rf ~"),
        ("echo cm0gLXJmIH4 | base64 --decode", "rm -rf ~"),
        ("echo OJWSALLSMYQH4=== | base32 -d", "rm -rf ~"),
        ("echo 726d202d7266 | xxd -r -p", "rm -rf"),
        ("echo cm0gLXJmIH4= | openssl enc -d -base64", "rm -rf ~"),
        ("""python3 -c "print('rm -rf ~')" """, "rm -rf ~\n"),
        (r"""perl -e 'print "r\x6d"'""", "rm"),
        ("""awk 'BEGIN{print "rm"}'""", "rm\n"),
        ("seq 5 -2 1", "5\n3\n1\n"),
        ("seq -s rm 1 2", "1rm2\n"),
        ("basename /a/b/c.txt .txt", "c\n"),
        ("dirname /a/b", "/a\n"),
        ("expr 3 + 4", "7\n"),
        ("date '+rm -rf ~'", "rm -rf ~\n"),
        ("which rm", "/usr/bin/rm\n"),
        ("command -v rm", "/usr/bin/rm\n"),
        ("whoami", "dev\n"),
        ("pwd", WORKSPACE + "\n"),
        ("realpath ..", "/home/dev/wt\n"),
        ("git rev-parse --show-toplevel", WORKSPACE + "\n"),
        ("git branch --show-current", "feature/x\n"),
        ("git rev-parse --abbrev-ref HEAD", "feature/x\n"),
        ("true", ""),
        ("printenv HOME", "/home/dev\n"),
    ],
)
def test_known_text_is_printed_as_the_program_would(line: str, text: str) -> None:
    assert printed(line) == text


@table_test(
    ("line", "text"),
    [
        ("date +%F", f"{STAR}\n"),
        ("date +%D", f"{STAR}/{STAR}/{STAR}\n"),
        ("nproc", f"{STAR}\n"),
        ("mktemp -d", f"/tmp/tmp.{STAR}\n"),
        ("mktemp -p build", f"build/tmp.{STAR}\n"),
        ("mktemp x.XXXX", f"x.{STAR}\n"),
        ("git rev-parse --short HEAD", f"{STAR}\n"),
        ("git ls-files", f"{BELOW}\n"),
        ("git ls-files '*.go'", f"{BELOW}.go\n"),
        ("git ls-files .env", f".env\n.env/{BELOW}\n"),
        ("git diff --name-only", f"{BELOW}\n"),
        ("git grep -l foo", f"{BELOW}\n"),
        ("find src -name '*.py'", f"src/{BELOW}.py\n"),
        ("find . -name .env", f"./.env\n./{BELOW}/.env\n"),
        ("find src -type f", f"src\nsrc/{BELOW}\n"),
        ("fd -e py", f"{BELOW}.py\n"),
        ("ls", f"{STAR}\n"),
        ("ls -a", f"{STAR}\n.{STAR}\n"),
        ("grep -rl foo .", f"./{BELOW}\n"),
        ("grep -rl foo src --include '*.py'", f"src\nsrc/{BELOW}.py\n"),
        ("rg -l foo", f"{BELOW}\n"),
        ("find . -name '*.py' | sort | head -3 | grep -v test", f"./{BELOW}.py\n"),
        ("rg foo src | cut -d: -f1 | sort -u", f"src/{BELOW}\n"),
        ("printenv GITHUB_TOKEN", f"{SECRET}\n"),
        ("env", f"{ENVIRONMENT}\n"),
        ("export -p", f"{ENVIRONMENT}\n"),
        ("cat /proc/self/environ", ENVIRONMENT),
    ],
)
def test_what_is_not_known_is_marked(line: str, text: str) -> None:
    assert printed(line) == text


@table_test(
    "line",
    [
        "cat notes.txt",
        "git rev-parse rm",  # prints a word that names no commit
        "git log -1 --format=%s",
        "git log -1 --format=rm",
        "git diff --name-only --no-index a b",
        "git ls-files ../other",
        "readlink x",
        "printf '\\0'",
        "seq -f 'rm -rf ~' 1",
        "echo a | openssl enc -d -aes-256-cbc",
        "echo aaaa | sed 's/\\(a*\\)*b/x/'",
        "echo a | sed '1e rm'",
        "echo cm0=cm0= | base64 -d",
        "echo 'cm0!' | base64 -d",
        "python3 -c 'print(1)'",
        """perl -e 'print "$x"'""",
        "rm -v x",
        # where programs, versions or languages differ
        r"echo RM | sed 's/RM/\L&/'",
        r"echo 'a|b' | sed 's|a\|b|x|'",
        "echo xy | sed -E 's/x|xy//'",
        r"echo ab | sed '/\(a\)*/d'",
        "echo rm | grep -oE 'r|rm'",
        "printf 'rm\nTRUE\n' | sort",
        "echo é | cut -c 2",
        "echo É | grep -i é",
        "printf %.2s é",
        r"""perl -e 'print "\x{72}m"'""",
        r"""node -e 'console.log("\u{72}")'""",
        "tail -3f x",
        r"echo 'a\tb' | grep '\t'",
    ],
)
def test_what_may_be_anything_is_a_hole(line: str) -> None:
    assert HOLE in printed(line)


def test_lines_are_not_counted_through_a_hole() -> None:
    assert HOLE in printed("tail -n +2", f"{HOLE}\nls\n")
    assert HOLE in printed("head -n -1", f"ls\n{HOLE}\n")
    assert printed("head -n 1", f"ls\n{HOLE}\n") == "ls\n"
    assert printed("tail -n 1", f"{HOLE}\nls\n") == "ls\n"


def test_a_shell_that_may_read_escapes_or_not_is_both() -> None:
    one = call(r"echo 'true\c; rm x'")._replace(by=("sh",))
    assert OUTPUTS["echo"](one) == f"true\\c; rm x\ntrue{HOLE}"


FILTERS = (
    "cat", "tac", "rev", "sort", "sort -n", "uniq", "uniq -c", "head -3", "head -c 5", "tail -1", "cut -c1-3", "cut -f2",
    "tr a-z A-Z", "tr -d x", "tr -cd a", "sed s/a/b/", "sed -n 2p", "grep x", "grep -v x", "grep -o x", "base64", "base64 -d",
    "base32 -d", "xxd -r -p", "gunzip", "nl", "fold -w 2", "tee out", "awk '{print $1}'", "jq .a", "paste -s", "xargs",
    "xargs -n1 echo", "perl -pe s/a/b/", "rg x", "openssl base64 -d",
)  # fmt: skip


@table_test("line", FILTERS)
@table_test("origin", [NETWORK, SECRET, ENVIRONMENT])
def test_the_origin_shows_behind_every_filter(line: str, origin: str) -> None:
    assert origin in printed(line, f"a{origin}b\n")


@given(st.sampled_from(FILTERS), st.text(st.sampled_from([*MARKS, *"ab/.\n -'\"\\x"]), max_size=40))
def test_nothing_unknown_becomes_known(line: str, text: str) -> None:
    """A hole that a filter may have let through is still a hole; only numbered lines can leave it behind."""
    result = printed(line, text)
    if anything(text) and line not in ("head -3", "tail -1", "sed -n 2p", "head -c 5"):
        assert not certain(result)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=60))
def test_decoders_undo_encoders(text: str) -> None:
    assert printed("base64 | base64 -d", text) == text
    assert printed("base32 | base32 -d", text) == text
    assert printed("xxd -p | xxd -r -p", text) == text
    assert printed("rev | rev", text + "\n") == text + "\n"


@given(
    st.lists(
        st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), max_size=10), min_size=1, max_size=5
    )
)
def test_printf_prints_its_words(words: list[str]) -> None:
    line = "printf '%s,' " + " ".join(map(shlex.quote, words))
    one = call("printf")._replace(argv=("printf", "%s,", *words))
    assert OUTPUTS["printf"](one) == "".join(f"{word}," for word in words), line


@table_test(
    ("program", "data"),
    [
        ("gunzip", gzip.compress(b"rm -rf ~\n", mtime=0)),
        ("bunzip2", bz2.compress(b"rm -rf ~\n")),
        ("xz -d", lzma.compress(b"rm -rf ~\n")),
    ],
)
def test_decoded_archives_are_unpacked(program: str, data: bytes) -> None:
    assert printed(f"base64 -d | {program}", base64.b64encode(data).decode()) == "rm -rf ~\n"


@table_test("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_unpacks_to_more_than_fits_is_a_hole(pack) -> None:
    assert printed("base64 -d | zcat", base64.b64encode(pack(b"a" * 10_000_000)).decode()) == HOLE


def test_a_second_archive_behind_the_first_is_not_overlooked() -> None:
    data = gzip.compress(b"true\n", mtime=0) + gzip.compress(b"rm -rf ~\n", mtime=0)
    assert HOLE in printed("base64 -d | gunzip", base64.b64encode(data).decode())


@table_test(
    ("argv", "stdin"),
    [
        (("xargs", "-I{}", "echo", "{}" * 15000), "a" * 30000),
        (("sed", "s/a/" + "b" * 30000 + "/g"), "a" * 30000),
        (("sed", ";".join(["s/a/aa/g"] * 49)), "a" * 100),
        (("sed", "s/.*/&&&&/;" * 40), "a" * 50),
        (("printf", "%65000s" * 100), None),
        (("find", *["r"] * 9000, *["-name", "x"] * 3000), None),
        (("rg", "-l", *["-ga*"] * 3000, "x", *["b"] * 9000), None),
    ],
)
def test_output_never_grows_out_of_bounds(argv: tuple[str, ...], stdin: str | None) -> None:
    text = OUTPUTS[argv[0]](call("x")._replace(argv=argv, stdin=stdin))
    assert len(text) <= 65536
    assert not certain(text)
