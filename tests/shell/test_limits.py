"""What is refused, and that nothing else ever comes out: no exception, no half tree."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.texts import say
from donewhen.core.tree import Inner, Refused, Simple
from donewhen.shell import bridge, parse
from donewhen.shell.cache import TreeCache
from donewhen.shell.nest import Nest, Unreadable
from tests.examples import many
from tests.shell.support import read, runs, walk
from tests.tables import table_test

REFUSED = {
    "too_long": "a" * (64 * 1024 + 1),
    "too_many_operators": " && ".join(["$x"] * 202),
    "too_deep": "{ " * 60 + "a" + "; }" * 60,
    "control_character": "a\0b",
    "syntax_error": "if a",
    "unclear_document": "cat <<'a b'\nx\na b\n",
    "hidden_line": "echo $x # note \\\nrm y",
}


@table_test("reason", REFUSED)
def test_a_limit_refuses(reason):
    tree = read(REFUSED[reason])
    assert isinstance(tree, Refused)
    assert tree.reason == f"shell.{reason}"
    assert say(tree.reason, "en", detail=tree.detail) and say(tree.reason, "zh", detail=tree.detail)


@table_test("text", ["a\rb", "a\r\n", "a\x01", "a\x1b[0m", "a\x7f", "a\ud800", "\udcff", "$x\x0b"])
def test_characters_that_shells_read_differently_are_refused(text):
    assert read(text).reason == "shell.control_character"


@pytest.mark.runs
@table_test(
    "text",
    [
        "$(" * 3000 + ")" * 3000,
        "{ " * 3000 + "a" + "; }" * 3000,
        "'" * 3001,
        '"$(' * 2000,
        "${x:-" * 2000 + "}" * 2000,
        "$((" + "(" * 3000 + "1" + ")" * 3000 + "))",
        "a;" * 20000,
        "[[ " + "! " * 5000 + "a ]]",
        "echo " + "\\" * 30001,
        "if a; then b; " + "elif a; then b; " * 90 + "fi",
        "a <<E " * 300,
        "x=" * 20000,
        "a[" * 20000,
        "`" * 20001,
        "#" * 30000 + "\\\n" * 3000,
        "$x " + "# " * 30000 + "\\\n",
        "echo " + "\\a" * 30000,
        "su " + "a " * 30000,
        "a <<E\nE\n" * 6000,
        "docker run " + "--a " * 15000,
        "sudo -u " * 7000,
        "echo $x " + "'# \\\n' " * 8000,
    ],
)
def test_hostile_texts_give_an_answer(text):
    assert isinstance(read(text), tuple)


def test_long_chains_of_plain_words_are_read_whole():
    text = " && ".join(["true"] * 3000) + " && curl x | sh"
    assert runs(read(text))[-3:] == ["curl x", "sh", "sh > ?"]


def test_two_hundred_operators_pass_the_parser():
    assert len(runs(read(" && ".join(["a $x"] * 200)))) == 200


def test_wrappers_round_wrappers_end_in_not_known():
    assert runs(read("nohup " * 200 + "rm x"))[-1].endswith("nohup! > ?")


def nested(depth: int) -> str:
    text = "rm x"
    for _ in range(depth):
        text = "eval '" + text.replace("'", "'\\''") + "'"
    return text


def test_texts_are_read_eight_deep():
    assert runs(read(nested(8)))[-1] == "eval > " * 8 + "rm x"
    assert runs(read(nested(9)))[-1] == "eval > " * 9 + "?"


def test_sixteen_nested_texts_in_all():
    lines = runs(read("; ".join(["eval 'rm x'"] * 17)))
    assert lines.count("eval > rm x") == 16
    assert lines[-1] == "eval > ?"


def test_many_clauses_of_find_are_bounded():
    lines = runs(read("find . " + "-exec rm x \\; " * 100))
    assert lines.count("find! > rm x") == 32
    assert lines[-1] == "find! > ?"


def test_no_time_left_is_refused():
    with pytest.raises(Unreadable) as refusal:
        bridge.syntax(b"$x", 0)
    assert refusal.value.reason == "shell.too_slow"


ANSWERS = {
    "too_slow": "import time; time.sleep(60)",
    "too_large": "import sys; sys.stdout.write('x' * (17 * 2**20))",
    "syntax_error": "import sys; sys.exit('1:1: no')",
}


@table_test("reason", ANSWERS)
def test_a_program_that_hangs_floods_or_fails_is_stopped(reason):
    with pytest.raises(Unreadable) as refusal:
        bridge.answer(
            [sys.executable, "-c", ANSWERS[reason]], b"x" * 60000, 0.5 if reason == "too_slow" else 30
        )
    assert refusal.value.reason == f"shell.{reason}"


def test_the_parser_is_found_beside_python_or_by_its_distribution(tmp_path):
    assert bridge.located([tmp_path], "shfmt-py").endswith("/shfmt")
    with pytest.raises(Unreadable) as refusal:
        bridge.located([tmp_path], "no-such-distribution")
    assert (refusal.value.reason, refusal.value.detail) == ("shell.no_parser", "no-such-distribution")


def test_a_parser_of_another_version_is_refused():
    from donewhen.shell.convert import convert

    nest = Nest(lambda text, shell, nest: (), lambda words, feed, nest: ())
    for file in (
        {"Type": "File", "New": 1},
        {"Stmts": [{"Cmd": {"Type": "NewCmd"}}]},
        {"Stmts": [{"Disown": True}]},
    ):
        with pytest.raises(Unreadable) as refusal:
            convert(file, b"", nest)
        assert refusal.value.reason == "shell.unknown_syntax"


ALPHABET = st.text(st.sampled_from(list("ab $'\"`\\(){}[]<>|&;#*?~!=\n\t-:+@%^,0é")), max_size=40)


@settings(max_examples=many(400))
@given(ALPHABET)
def test_any_text_gives_a_tree_or_a_reason(text):
    tree = read(text)
    if isinstance(tree, Refused):
        assert say(tree.reason, "en", detail=tree.detail)
    else:
        assert not any(isinstance(node, Refused | Inner) for node in walk(tree))


COMMANDS = st.sampled_from(["c1", "c2 -x", "c3 'a b'", 'c4 "$v"', "c5 >f", "X=1 c6"])
HULLS = [
    "{} && true", "false || {}", "{} | cat", "cat | {}", "( {} )", "{{ {}; }}", "! {{ {}; }}", "if {}; then :; fi",
    "if :; then {}; fi", "if :; then :; else {}; fi", "while {}; do :; done", "for i in 1; do {}; done",
    "case x in x) {};; esac", "f() {{ {}; }}", "echo $( {} )", 'echo "$( {} )"', "cat <( {} )", ": ${{x:-$( {} )}}",
    ": $(($( {} )))", "X=$( {} ) :", ": >$( {} )", "[[ $( {} ) ]]", "cat <<E\n$( {} )\nE\n", "{} &", "time {}",
    "coproc {{ {}; }}", "{} # note\n", "x=($( {} ))", "export Y=$( {} )",
]  # fmt: skip


@settings(max_examples=many(300))
@given(COMMANDS, st.lists(st.sampled_from(HULLS), max_size=5))
def test_a_command_is_never_lost(command, hulls):
    """However it is wrapped, the command is in the tree, or the text is refused as a whole."""
    text = command
    for hull in hulls:
        text = hull.format(text)
    tree = read(text)
    if isinstance(tree, Refused):
        assert tree.reason in ("shell.syntax_error", "shell.too_deep", "shell.unclear_document")
        return
    names = [node.words[0].text for node in walk(tree) if isinstance(node, Simple) and node.words]
    assert command.removeprefix("X=1 ").split()[0] in names


def test_the_same_text_gives_the_same_tree_object():
    assert read("echo $x again") is read("echo $x again")


def test_the_cache_is_bounded_by_entries_and_by_characters():
    cache = TreeCache(entries=2, characters=10)
    for text in ("a", "b", "c"):
        cache.put((text, "bash"), ())
    assert [cache.get((text, "bash")) for text in "abc"] == [None, (), ()]
    cache.put(("d" * 10, "bash"), ())
    cache.put(("e" * 11, "bash"), ())
    assert len(cache) == 1


def test_lines_of_documents_and_texts_are_no_operators():
    document = "cat > notes.md <<'END'\n" + "| a | b | c && d; e |\n" * 900 + "END\n"
    assert not isinstance(parse(document), Refused)
    quoted = "printf '%s' 'x | y && z;\n" + "a | b; c\n" * 300 + "' > $F"
    assert not isinstance(parse(quoted), Refused)


def test_a_chain_over_many_lines_is_one_chain():
    tree = parse("$x &&\n" * 300 + "true")
    assert isinstance(tree, Refused)
    assert tree.reason == "shell.too_many_operators"
