"""Source maps: what is written down is read back, and a broken one gives nothing."""

import json

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.quality.coverage import Lines
from donewhen.verify.quality.coverage.v8 import Segment, read, segments_of, sources_of
from tests.tables import table_test

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
PLACES = st.lists(
    st.tuples(st.integers(0, 500), st.integers(0, 40), st.integers(1, 9000)),
    max_size=5,
    unique_by=lambda x: x[0],
)


def number(value: int) -> str:
    left, text = abs(value) << 1 | (value < 0), ""
    while True:
        digit, left = left & 31, left >> 5
        text += LETTERS[digit | (32 if left else 0)]
        if not left:
            return text


def mappings(lines: list[list[tuple[int, int, int]]]) -> str:
    """(column, source, line) of each line of the script, as a map writes them."""
    source, line, parts = 0, 1, []
    for places in lines:
        column, segments = 0, []
        for at, which, original in places:
            segments.append(number(at - column) + number(which - source) + number(original - line) + "A")
            column, source, line = at, which, original
        parts.append(",".join(segments))
    return ";".join(parts)


@given(st.lists(PLACES.map(sorted), max_size=5))
def test_segments_are_read_back(lines):
    cached = {"lineLengths": [600] * len(lines), "data": {"mappings": mappings(lines)}}
    expected = [
        Segment(601 * row + at, source, line)
        for row, places in enumerate(lines)
        for at, source, line in places
    ]
    assert segments_of(cached) == tuple(sorted(expected))


BROKEN: list[object] = [
    None,
    [],
    {},
    {"lineLengths": [1], "data": None},
    {"lineLengths": ["1"], "data": {"mappings": "AAAA"}},
    {"lineLengths": [True], "data": {"mappings": "AAAA"}},
    {"lineLengths": [1], "data": {"mappings": "A*AA"}},
    {"lineLengths": [1], "data": {"mappings": ";;;;AAAA"}},
    {"lineLengths": [1], "data": {"mappings": "AADA"}},
    {"lineLengths": [1], "data": {"mappings": "gggggggggggggggg"}},
]


@table_test("cached", BROKEN)
def test_a_broken_map_gives_nothing(cached):
    assert segments_of(cached) == ()


@given(st.text(alphabet=LETTERS + ",;!", max_size=60))
def test_any_mappings_are_read_or_left(text):
    assert isinstance(segments_of({"lineLengths": [9] * 3, "data": {"mappings": text}}), tuple)


def test_sources_are_found_from_the_script():
    data = {"sources": ["../src/a.ts", "file:///x/b.ts", "webpack://c.ts", None, "/d.ts"], "sourceRoot": ""}
    assert sources_of(data, "file:///p/dist/a.js") == (
        "file:///p/src/a.ts",
        "file:///x/b.ts",
        "",
        "",
        "file:///d.ts",
    )
    assert sources_of({"sources": ["a.ts"], "sourceRoot": "../src"}, "file:///p/dist/a.js") == (
        "file:///p/src/a.ts",
    )


def test_coverage_of_a_translated_script_is_that_of_its_source(tmp_path):
    source = (
        "type A = number;\n\nfunction f(): A {\n  return 1;\n}\nfunction g(): A {\n  return 2;\n}\nf();\n"
    )
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.ts").write_text(source)
    script = "function f(){return 1}\nfunction g(){return 2}f();"
    second = script.index("function g")
    ranges = [(0, len(script), 1), (0, 22, 1), (second, second + 22, 0)]
    functions = [{"ranges": [{"startOffset": a, "endOffset": b, "count": n}]} for a, b, n in ranges]
    url = f"file://{tmp_path}/dist/a.js"
    places = [[(0, 0, 3), (13, 0, 4)], [(0, 0, 6), (13, 0, 7), (21, 0, 8), (22, 0, 9)]]
    data = {"mappings": mappings(places), "sources": ["../src/a.ts"], "sourcesContent": [source]}
    cached = {url: {"lineLengths": [22, 26], "data": data}}
    report = {"result": [{"url": url, "functions": functions}], "source-map-cache": cached}
    found = read(json.dumps(report).encode(), tmp_path)
    assert found.files == {"src/a.ts": Lines(frozenset((3, 4, 9)), frozenset((6, 7)))}
    data["sourcesContent"] = ["another text"]
    assert read(json.dumps(report).encode(), tmp_path).files == {}
