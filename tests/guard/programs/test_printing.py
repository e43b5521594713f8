"""What programs print, told from their arguments and input alone."""

import base64
import bz2
import gzip
import lzma
import shlex

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, SECRET, STAR, certain
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


def test_a_shell_that_may_read_escapes_or_not_is_both() -> None:
    one = call(r"echo 'true\c; rm x'")._replace(by=("sh",))
    assert OUTPUTS["echo"](one) == f"true\\c; rm x\ntrue{HOLE}"


FILTERS = (
    "cat", "tac", "rev", "sort", "sort -n", "uniq", "uniq -c", "head -3", "head -c 5", "tail -1", "cut -c1-3", "cut -f2",
    "tr a-z A-Z", "tr -d x", "tr -cd a", "sed s/a/b/", "sed -n 2p", "grep x", "grep -v x", "grep -o x", "base64", "base64 -d",
    "base32 -d", "xxd -r -p", "gunzip", "nl", "fold -w 2", "tee out", "awk '{print $1}'", "jq .a", "paste -s", "xargs",
    "xargs -n1 echo", "perl -pe s/a/b/", "rg x", "openssl base64 -d",
)  # fmt: skip


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


@table_test(
    "line, expected",
    [
        ("printf 'a\\nb\\nc\\n' | head -n 2", "a\nb\n"),
        ("printf 'a\\nb\\nc\\n' | tail -1", "c\n"),
        ("echo 'ez -es' | tr a-z n-za-m", "rm -rf\n"),
        ("echo 'a:b' | cut -d: -f2", "b\n"),
        ("echo mr | rev", "rm\n"),
        ("printf 'a\\nb\\n' | tr '\\n' ' '", "a b "),
    ],
)
def test_simple_filters_of_known_text_are_exact(line, expected):
    assert printed(line) == expected


@table_test(
    "line",
    ["echo a1 | tr -cd 0-9", "echo ab | sed s/a/b/", "expr 1 + 2", "echo a | awk 1", "echo aa | tr -s a"],
)
def test_what_a_filter_makes_anew_is_not_known(line):
    assert HOLE in printed(line)
