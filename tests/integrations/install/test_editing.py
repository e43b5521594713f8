"""The editor of other people's JSON: what is put in and taken out again leaves no trace."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.integrations.install.editing import append, put, remove
from donewhen.integrations.install.jsonc import NotJson, read
from tests.tables import table_test

BLANKS = st.sampled_from(["", " ", "  ", "\n", "\n  ", "\t", "\r\n", "\r\n    ", "\n\n"])
COMMENTS = st.sampled_from(["/* c */", "/**/", "// c\n", "// c, ] }  \r\n", '//"\n', "/* \n // */"])
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-9, 99), st.text(max_size=5))


@st.composite
def texts(draw, depth: int = 3, loose: bool = True) -> str:
    """JSON as people write it: blanks, comments and last commas anywhere they may stand."""

    def gap() -> str:
        parts = [draw(BLANKS)]
        while loose and draw(st.integers(0, 5)) == 5:
            parts += [draw(COMMENTS), draw(BLANKS)]
        return "".join(parts)

    def value(left: int) -> str:
        kind = draw(st.sampled_from(["plain", "object", "array"])) if left else "plain"
        if kind == "plain":
            return json.dumps(draw(PLAIN), ensure_ascii=draw(st.booleans()))
        items = [item(kind, left) for _ in range(draw(st.integers(0, 3)))]
        last = "," + gap() if items and loose and draw(st.booleans()) else ""
        inside = ",".join(items) + last if items else gap()
        return f"{{{inside}}}" if kind == "object" else f"[{inside}]"

    def item(kind: str, left: int) -> str:
        key = json.dumps(draw(st.text(max_size=3))) + gap() + ":" + gap() if kind == "object" else ""
        return gap() + key + value(left - 1) + gap()

    members = ['"hooks"' + gap() + ":" + gap() + value(depth)] if draw(st.booleans()) else []
    members += [item("object", depth) for _ in range(draw(st.integers(0, 2)))]
    members = draw(st.permutations(members))
    last = "," + gap() if members and loose and draw(st.booleans()) else ""
    return (
        gap() + "{" + (",".join(gap() + each for each in members) + last if members else gap()) + "}" + gap()
    )


VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
)


@given(st.booleans().flatmap(lambda loose: st.tuples(st.just(loose), texts(loose=loose))), VALUES)
def test_a_member_put_in_and_taken_out_leaves_every_byte(case, value):
    loose, text = case
    before = read(text, loose=loose).value()
    changed = put(text, ("a new one",), value, loose=loose)
    assert read(changed, loose=loose).value() == {**before, "a new one": value}
    assert remove(changed, (), "a new one", loose=loose) == text


@given(texts(), VALUES)
def test_an_item_appended_and_taken_out_leaves_every_byte(text, value):
    for key, inner in read(text, loose=True).value().items():
        if isinstance(inner, list):
            changed = append(text, (key,), value, loose=True)
            assert read(changed, loose=True).value()[key] == [*inner, value]
            assert remove(changed, (key,), len(inner), loose=True) == text


@given(texts())
def test_any_item_can_go_and_the_others_stay(text):
    root = read(text, loose=True)
    for key, inner in root.value().items():
        assert read(remove(text, (), key, loose=True), loose=True)
        for place in range(len(inner) if isinstance(inner, list) else 0):
            rest = read(remove(text, (key,), place, loose=True), loose=True).value()[key]
            assert rest == inner[:place] + inner[place + 1 :]


@given(
    st.recursive(
        PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)
    )
)
def test_plain_json_is_read_as_the_standard_library_does(value):
    for indent in (None, 2):
        assert read(json.dumps(value, indent=indent), loose=False).value() == value


@table_test(
    "text",
    [
        "",
        "{",
        "{]",
        "[1,]",
        "{,}",
        "[,]",
        '{"a" 1}',
        '{"a":1 "b":2}',
        "{a:1}",
        "01",
        "nul",
        '"\n"',
        '"\\x"',
        "1 2",
        "// c\n1",
        "[" * 300,
        '{"a":1}}',
        "+1",
        ".5",
        "1.",
        "NaN",
        "Infinity",
        "'a'",
        "/* c",
    ],
)
def test_what_is_no_json_is_refused(text):
    with pytest.raises(NotJson):
        read(text, loose=False)


@table_test("text", ["/* c", "[1,,]", "{,}", "[,]", "/ 1", "1 //"[:-2] + "/"])
def test_comments_do_not_excuse_mistakes(text):
    with pytest.raises(NotJson):
        read(text, loose=True)


@table_test(
    ("text", "wanted"),
    [
        ("{}", '{\n  "k": 1\n}'),
        ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "k": 1\n}\n'),
        ('{\n\t"a": 1, // why\n}', '{\n\t"a": 1, // why\n\t"k": 1,\n}'),
        ('{\n  "a": 1 // why\n}', '{\n  "a": 1, // why\n  "k": 1\n}'),
        ('{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "k": 1\r\n}\r\n'),
        ('{"a": 1}', '{"a": 1, "k": 1}'),
    ],
)
def test_new_text_looks_like_its_neighbours(text, wanted):
    assert put(text, ("k",), 1, loose=True) == wanted
