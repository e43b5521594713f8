"""Lines with code: comments, blank lines and closing brackets are none, in any language and for any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.quality.coverage.reports import code_lines
from tests.tables import table_test

CASES = [
    (
        "python",
        '"""Doc.\n\nmore"""\nimport x\n\n# why\ndef f():\n    "doc"\n    return (\n        1\n    )\n',
        {4, 7, 9, 10},
    ),
    ("python", 'x = """a\n# b\n"""\n', {1, 2, 3}),
    ("python", 'f(\n    "an argument",\n)\n', {1, 2}),
    ("javascript", "#!/usr/bin/env node\n// a\n/* b\n c(); */ d();\n}\n});\ne(); // f\n", {4, 7}),
    ("javascript", "a('// no comment'); b(\"/*\");\nc();\n", {1, 2}),
    ("javascript", "x = `a\n// b\n${`c`}`;\n// d\n", {1, 2, 3}),
    ("javascript", "x.replace(/[/*]/g, '');\ny();\nreturn /`/;\nz = a / b; // c\n// `\n", {1, 2, 3, 4}),
    ("javascript", "let a = 4 / 2; /* x\n*/ b /\n2;\n", {1, 2, 3}),
    ("go", "func F() {\n\t// x\n\ts := `a\n// b`\n\treturn\n}\n", {1, 3, 4, 5}),
    ("java", 'class A {\n /** doc\n  */\n String s = """\n // x\n""";\n}\n', {1, 4, 5, 6}),
    ("rust", "fn f<'a>(x: &'a str) -> char {\n // it's\n '\"'\n}\nlet q = \"a\n// b\";\n", {1, 3, 5, 6}),
    ("cobol", "a\n\n b\n", {1, 3}),
    ("python", "", set()),
]


@table_test(("family", "text", "expected"), CASES)
def test_lines_with_code(family, text, expected):
    assert code_lines(text, family) == expected


@given(
    st.sampled_from(["python", "javascript", "go", "java", "rust"]),
    st.text(alphabet="ab \n'\"`/*#\\[](){};$", max_size=80),
)
def test_every_line_with_code_is_one_of_the_text(family, text):
    filled = {number for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert code_lines(text, family) <= filled


@pytest.mark.runs
@table_test(
    "text",
    [
        "/*" * 5_000,
        "/[" * 5_000,
        "'" * 5_001,
        '"""' * 2_001,
        "`\\" * 5_000,
        "x = '' " * 2_000,
    ],
)
@table_test("family", ["python", "javascript", "rust"])
def test_long_odd_texts_come_to_an_end(family, text):
    assert code_lines(text, family) <= {1}
