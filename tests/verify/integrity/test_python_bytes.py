"""Any bytes are read as Python: encodings, broken code, nesting, size."""

import codecs

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.texts import Phrase
from donewhen.verify.integrity.python.reader import read
from tests.examples import many
from tests.tables import table_test

TEST = "def test_a():\n    assert name('é') == 'ü'\n"


@table_test(
    "data",
    [
        TEST.encode(),
        codecs.BOM_UTF8 + TEST.encode(),
        b"# -*- coding: latin-1 -*-\n" + TEST.encode("latin-1"),
        b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\n" + TEST.encode("cp1252"),
        TEST.replace("\n", "\r\n").encode(),
    ],
)
def test_encodings_are_honoured(data: bytes) -> None:
    sheet = read("tests/test_a.py", data, "test")
    assert sheet.troubles == ()
    assert sheet.tests[0].asserts[0].given == ('"é"',)
    assert sheet.tests[0].asserts[0].expected == ('"ü"',)


@table_test(
    ("data", "encoding"),
    [
        (TEST.encode("latin-1"), "utf-8"),
        (b"# coding: no-such\n" + TEST.encode(), "no-such"),
        (b"# coding: ascii\n" + TEST.encode(), "ascii"),
        (b"# coding: hex\n" + TEST.encode(), "hex"),
    ],
)
def test_what_is_not_in_its_encoding_is_said_and_read_all_the_same(data: bytes, encoding: str) -> None:
    sheet = read("tests/test_a.py", data, "test")
    assert [trouble.why for trouble in sheet.troubles] == [
        Phrase("integrity.encoding", {"encoding": encoding})
    ]
    assert [test.name for test in sheet.tests] == ["test_a"]


def test_broken_code_is_said_with_its_line_and_the_rest_is_read() -> None:
    sheet = read(
        "tests/test_a.py", b"def test_a():\n    assert f() == 1\n\ndef test_b(:\n    assert\n", "test"
    )
    assert sheet.troubles
    assert all(trouble.why.key == "integrity.syntax" for trouble in sheet.troubles)
    assert min(trouble.line for trouble in sheet.troubles) >= 4
    assert "test_a" in {test.name for test in sheet.tests}


@table_test(
    "code",
    [
        "type Pair[T] = tuple[T, T]\ndef test_a[T]():\n    assert f() == 1\n",
        "def test_a():\n    match f():\n        case [1, *_]: pass\n    assert f() == 1\n",
        "def test_a():\n    try:\n        pass\n    except* ValueError:\n        raise\n    assert f() == 1\n",
        "async def test_a():\n    async with x as y, z:\n        assert (await f()) == 1\n",
        "def test_a():\n    a = b, *(() if c else d)\n    assert f(a) == 1\n",
    ],
)
def test_newer_python_is_read(code: str) -> None:
    sheet = read("tests/test_a.py", code.encode(), "test")
    assert sheet.troubles == ()
    assert len(sheet.tests[0].asserts) == 1


@table_test(
    "code",
    [
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "[" * 3000 + "1" + "]" * 3000 + "\n" + TEST,
        "x = " + "not " * 3000 + "y\n" + TEST,
        "x = " + " + ".join(["'a'"] * 3000) + "\n" + TEST,
        "\n".join(" " * depth + "if x:" for depth in range(400)) + "\n" + " " * 400 + "pass\n",
        "x = " + "a." * 3000 + "b\n" + TEST,
        "x = " + "f(" * 2000 + ")" * 2000 + "\n",
        "assert " + "lambda: " * 2000 + "1\n",
        "x = -" + "-" * 4000 + "1\n",
    ],
)
def test_deep_nesting_is_said_and_breaks_nothing(code: str) -> None:
    sheet = read("tests/test_a.py", code.encode(), "test")
    assert "integrity.too_deep" in {trouble.why.key for trouble in sheet.troubles}
    assert read("shop.py", code.encode(), "source").troubles


def test_names_behind_names_do_not_grow_without_end() -> None:
    lines = ["a0 = [1, 2, 3, 4, 5, 6, 7, 8]"]
    lines += [f"a{n} = [{', '.join([f'a{n - 1}'] * 30)}]" for n in range(1, 9)]
    code = "\n".join([*lines, "def test_a():", "    assert f(a8) == a8"])
    sheet = read("tests/test_a.py", code.encode(), "test")
    assert len(sheet.tests[0].asserts) == 1


def test_more_assertions_than_anybody_writes_are_said() -> None:
    helper = "def check(x):\n" + "    assert x == 1\n" * 399
    code = helper + "".join(f"def test_{n}():\n    check({n})\n" for n in range(60))
    sheet = read("tests/test_a.py", code.encode(), "test")
    assert [trouble.why.key for trouble in sheet.troubles] == ["integrity.too_large"]


FRAGMENTS = st.sampled_from(
    ["def test_a(self):", "class T(unittest.TestCase):", "    ", "\n", "assert ", "x == ", "1", "'", '"""', "(", ")", "[",
     "]", "{", "}", "@pytest.mark.skip", "if ", ":", "else", "lambda", "try:", "except:", "pass", "import os", "f'{",
     "match x:", "case 1:", "return ", "raise ", ",", ".", "=", "\\", "#", "\x0c", "é", "with ", " as ", "for ", " in ",
     "self.assertEqual(", "not ", " or ", "True", "0x", "1e9999", "'\\N{nothing}'", "'\\ud800'", "global x", "del x"]
)  # fmt: skip


@settings(max_examples=many(300), deadline=None)
@given(st.lists(FRAGMENTS, max_size=40).map("".join), st.sampled_from(["test", "support", "source"]))
def test_any_text_is_read(code: str, role: str) -> None:
    read("tests/test_a.py", code.encode(errors="replace"), role)  # type: ignore[arg-type]


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    read("tests/test_a.py", data, "test")
