"""A value is found in every usual spelling, also in pieces, and told without being repeated."""

import base64
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from donewhen.secrets.diff import Added
from donewhen.secrets.leaks import RULE, Leaks
from tests.tables import table_test

VALUE = "not-a-real-key/141421356"


def added(*lines: str) -> list[Added]:
    return [Added("README.md", tuple(enumerate(lines, 7)))]


def base64_of(text: str, width: int = 10_000) -> list[str]:
    whole = base64.b64encode(text.encode()).decode()
    return [whole[at : at + width] for at in range(0, len(whole), width)]


SPELLINGS = {
    "plain": [f"key: {VALUE}"],
    "percent": [f"?k={quote(VALUE, safe='')}"],
    "base64": [f"debug: {base64_of(VALUE)[0]}"],
    "base64 of the file": base64_of(f"API_KEY={VALUE}\n"),
    "base64 at another alignment": base64_of(f"A_KEY={VALUE}\n"),
    "base64 in short lines": base64_of(f"API_KEY={VALUE}\nOTHER=1\n", 11),
    "hex": [VALUE.encode().hex().upper()],
    "hex in groups": [VALUE.encode().hex(" ")],
    "bytes of a language": ["".join(f"\\x{byte:02x}" for byte in VALUE.encode())],
    "numbers of a language": [", ".join(f"0x{byte:02X}" for byte in VALUE.encode())],
    "backwards": [VALUE[::-1]],
    "in two strings": ['k = "not-a-real" + ', '    "-key/141421356"'],
    "side by side": ["k = 'not-a-real' '-key/141421356'"],
}


@table_test("lines", SPELLINGS.values(), ids=SPELLINGS)
def test_a_value_is_found_however_it_is_spelled(lines):
    found = Leaks([VALUE]).find(added("nothing here", *lines))
    assert {finding.rule for finding in found} == {RULE}
    assert VALUE not in repr(found)


def test_the_line_is_told_where_one_line_holds_it():
    [found] = Leaks([VALUE]).find(added("a", "b", f"x {VALUE}", "c"))
    assert (found.path, found.line) == ("README.md", 9)


def test_ordinary_lines_hold_nothing():
    assert Leaks([VALUE]).find(added("not-a-real-key", "key/1414", "")) == ()
    assert Leaks([]).find(added(VALUE)) == ()


@given(st.binary(max_size=9), st.text("abcxyz019_-", min_size=8, max_size=40), st.binary(max_size=9))
def test_base64_hides_no_value_whatever_stands_round_it(before, value, after):
    text = base64.b64encode(before + value.encode() + after).decode()
    assert Leaks([value]).find(added(text))
