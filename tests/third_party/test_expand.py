"""Expansion against a real bash: whatever is certain is what bash makes of it, and nothing is left out.

Lines only print words; they run in an empty folder with an environment of their own, and touch nothing.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.core.tree import Refused
from donewhen.guard.ground import Ground
from donewhen.guard.marks import MARKED
from tests.guard.lines import Line

BASH = shutil.which("bash") or ""
pytestmark = [
    pytest.mark.third_party,
    pytest.mark.skipif(not BASH, reason="bash is not installed"),
]

NAMES = st.sampled_from("xyz")
VALUES = st.sampled_from(
    [
        "rm",
        "'a b'",
        "",
        "'a:b'",
        "abc",
        "'*'",
        "a/b.c",
        "'  x '",
        "-rf",
        "3",
        "'a,b'",
        "aXb",
        "'~'",
        "'a\nb'",
        "~",
        "'[a]'",
    ]
)
LITERALS = st.sampled_from(
    [
        "a",
        "b",
        "'a b'",
        '"a"',
        r"\a",
        r"\ ",
        "-",
        "/",
        ".",
        "{a,b}",
        "{1..3}",
        "{x,",
        "}",
        "~/",
        "c:",
        "=",
        ",",
        "$'\\x41'",
        "[ab]",
        "{a,'b c'}",
        "é",
    ]
)
PATTERNS = st.lists(
    st.sampled_from(
        ["a", "b", "*", "?", "[ab]", "'a'", '"b"', "[!a]", ":", "$y", "X", r"\*", "[a-c]", "[[:alpha:]]"]
    ),
    max_size=3,
).map("".join)
NUMBERS = st.sampled_from(["0", "1", "2", " -1", " -2", "n", "$n", "1+1", "(1)"])
SIMPLE = st.one_of(
    NAMES.map(lambda name: f"${name}"),
    NAMES.map(lambda name: f"${{#{name}}}"),
    st.tuples(NAMES, st.sampled_from(["#", "##", "%", "%%"]), PATTERNS).map(
        lambda found: "${{{}{}{}}}".format(*found)
    ),
    st.tuples(
        NAMES,
        st.sampled_from(["/", "//", "/#", "/%"]),
        PATTERNS,
        st.sampled_from(["", "Q", "'r s'", "$y", r"r\m"]),
    ).map(lambda found: "${{{}{}{}/{}}}".format(*found[:2], found[2] or "a", found[3])),
    st.tuples(NAMES, NUMBERS, st.sampled_from(["", ":1", ":0", ":2", ": -1"])).map(
        lambda found: "${{{}:{}{}}}".format(*found)
    ),
    st.tuples(NAMES, st.sampled_from(["^", "^^", ",", ",,", "@Q", "@U", "@L", "::1"])).map(
        lambda found: "${{{}{}}}".format(*found)
    ),
    st.sampled_from(
        [
            "$1",
            "$2",
            "$@",
            "$*",
            "$#",
            "${a[@]}",
            "${a[*]}",
            "${a[1]}",
            "${#a[@]}",
            "${a[-1]}",
            "${a[@]:1}",
            "${!w}",
        ]
    ),
    st.tuples(NUMBERS, st.sampled_from(["+", "-", "*", "/", "%", "<", "==", "&&", "|"]), NUMBERS).map(
        lambda found: "$(({}{}{}))".format(*found)
    ),
    st.sampled_from(["$(echo a)", "$(echo 'b  c')", "$(echo $x)"]),
)
WORDS = st.recursive(
    st.one_of(LITERALS, SIMPLE),
    lambda inner: st.one_of(
        inner.map(lambda text: f'"{text}"' if '"' not in text else text),
        st.tuples(NAMES, st.sampled_from([":-", "-", ":+", "+", ":="]), inner).map(
            lambda found: "${{{}{}{}}}".format(*found)
        ),
        st.tuples(inner, inner).map("".join),
    ),
    max_leaves=5,
)
LINES = st.tuples(
    st.tuples(VALUES, VALUES, VALUES),
    st.sampled_from(["set -- k 'l m' ab", "set --"]),
    st.sampled_from([":", ":", ":", "IFS=,", "IFS=' ,'", "unset x"]),
    WORDS,
)


def printed(line: str, folder: Path) -> tuple[str, ...] | None:
    done = subprocess.run(
        [BASH, "--noprofile", "--norc", "-c", line],
        env={"HOME": "/home/dev", "LC_ALL": "C.UTF-8", "PATH": ""},
        cwd=folder,
        capture_output=True,
        timeout=20,
        check=False,
    )
    if done.stderr or done.returncode:
        return None
    return tuple(word.decode("utf-8", "replace") for word in done.stdout.split(b"\0")[:-1])


def covers(argv: tuple[str, ...], found: tuple[str, ...]) -> bool:
    """Could these marked words be the ones found? A hole may be several words, or none."""
    text = "".join(f"\x1f{word}" for word in argv)
    form = re.sub(
        "\x1f?[\x00\x03-\x06]|\x1f\x01|[\x01\x02]|[^\x00-\x06]",
        lambda one: _form(one[0]),
        text,
        flags=re.DOTALL,
    )
    return re.fullmatch(form, "".join(f"\x1f{word}" for word in found), re.DOTALL) is not None


def _form(one: str) -> str:
    return ".*" if one[-1] in "\x00\x03\x04\x05\x06" else "[^/]*" if one[-1] in "\x01\x02" else re.escape(one)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("empty")


@settings(max_examples=1500, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(LINES)
def test_what_is_certain_is_what_bash_prints(folder: Path, parts):
    (x, y, z), arguments, split, word = parts
    line = f"x={x}; y={y}; z={z}; n=1; w=x; a=(p 'q r' ab); {arguments}; {split}; printf '%s\\0' . {word}"
    if isinstance(parse(line), Refused):
        return
    found = printed(line, folder)
    if not found:
        return
    argvs = [argv[2:] for argv in Line(line, Ground(str(folder), str(folder), "/home/dev")).argvs]
    if len(argvs) == 1 and not any(MARKED.search(text) for text in argvs[0]):
        assert argvs == [found]
    else:
        assert any(covers(argv, found) for argv in argvs), (argvs, found)
