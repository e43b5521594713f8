"""Functions and aliases that answer for programs of the exam."""

from donewhen.verify.integrity.shims_shell import shell_shims
from tests.tables import table_test

RUN = {"python3", "diff", "node"}


@table_test(
    ("path", "text", "line"),
    [
        (".buildrc", b"export A=1\npython3() { echo ok; }\n", 2),
        ("env.sh", b"function diff { :; }\n", 1),
        ("env.sh", b"alias node=true\n", 1),
        ("env.sh", b"if true; then diff () ( : ); fi\n", 1),
    ],
)
def test_a_function_with_the_name_of_a_program_is_a_shim(path, text, line):
    assert [(each.rule, each.line) for each in shell_shims(path, b"", text, RUN)] == [("shim", line)]


@table_test(
    ("path", "before", "text"),
    [
        ("lib.sh", b"", b"trim() { echo; }\n"),
        ("lib.sh", b"", b"make() { echo; }\n"),
        ("lib.sh", b"diff() { :; }\n", b"# x\ndiff() { :; }\n"),
        ("app.js", b"", b"node() { }\n"),
        ("a.sh", b"", b"\0diff() { :; }\n"),
        ("lib.sh", b"", b"x=$(diff a b)\n"),
    ],
)
def test_other_names_old_ones_and_other_files_are_none(path, before, text):
    assert not list(shell_shims(path, before, text, RUN))
