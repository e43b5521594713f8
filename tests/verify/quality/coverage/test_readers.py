"""Reports of every form say the same of the same tree, and whatever is no report of this tree is refused."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.quality.coverage import Covered, Lines
from donewhen.core.quality.model import Unreadable
from donewhen.verify.quality.coverage.reports import (
    read_cobertura,
    read_coverage_json,
    read_go_profile,
    read_istanbul,
    read_lcov,
    read_v8,
    reader_for,
)
from tests.tables import table_test

Read = Callable[[bytes, Path], Covered]
PYTHON = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
GO = "package shop\n\nfunc F() int {\n\t// why\n\treturn 1\n}\n\nfunc G() int {\n\treturn 2\n}\n"
SCRIPT = "function f() {\n  return 1;\n}\nfunction g() {\n  return 2;\n}\nf();\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    files = {
        "src/a.py": PYTHON,
        "go.mod": "module example.org/shop // ours\n",
        "cart/cart.go": GO,
        "lib/a b.js": SCRIPT,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (tmp_path / "outside.py").write_text(PYTHON * 9)
    return root


def lines(ran: tuple[int, ...], missing: tuple[int, ...]) -> Lines:
    return Lines(frozenset(ran), frozenset(missing))


def told(files: dict[str, tuple[list, list]]) -> bytes:
    entries = {name: {"executed_lines": ran, "missing_lines": left} for name, (ran, left) in files.items()}
    return json.dumps({"meta": {"version": "7.1"}, "files": entries}).encode()


def v8_report(tree: Path, *counts: int, url: str = "", maps: object = None) -> bytes:
    """Of SCRIPT, whose two functions ran so often."""
    second = SCRIPT.index("function g")
    places = [(0, len(SCRIPT), 1), (0, second - 1, counts[0]), (second, SCRIPT.index("f();"), counts[1])]
    functions = [
        {"functionName": "", "ranges": [{"startOffset": a, "endOffset": b, "count": n}]} for a, b, n in places
    ]
    place = url or f"file://{tree}/lib/a%20b.js"
    return json.dumps(
        {"result": [{"scriptId": "1", "url": place, "functions": functions}], "source-map-cache": maps}
    ).encode()


def test_coverage_json(tree):
    data = told({"src/a.py": ([1, 2, 5], [6]), "../outside.py": ([1], []), "/etc/hosts": ([1], [])})
    assert read_coverage_json(data, tree) == Covered({"src/a.py": lines((1, 2, 5), (6,))})


def test_paths_may_start_where_the_tests_ran(tree):
    assert read_coverage_json(told({"a.py": ([1], [])}), tree, "src").files == {"src/a.py": lines((1,), ())}
    absolute = told({f"{tree}/src/a.py": ([1], [])})
    assert read_coverage_json(absolute, tree).files == {"src/a.py": lines((1,), ())}


def test_a_tree_behind_a_link_is_the_same_tree(tree, tmp_path):
    (tmp_path / "link").symlink_to(tree)
    data = told({f"{tmp_path}/link/src/a.py": ([1], [2])})
    for root in (tree, tmp_path / "link"):
        assert read_coverage_json(data, root).files == {"src/a.py": lines((1,), (2,))}


def test_a_link_out_of_the_tree_is_no_file_of_it(tree, tmp_path):
    (tree / "src/out.py").symlink_to(tmp_path / "outside.py")
    (tree / "away").symlink_to(tmp_path)
    data = told({"src/a.py": ([1], []), "src/out.py": ([1], []), "away/outside.py": ([1], [])})
    assert list(read_coverage_json(data, tree).files) == ["src/a.py"]


COBERTURA = """<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage version="1"><sources><source>SOURCE</source></sources><packages><package name="p"><classes>
<class filename="FILE"><methods><method name="f"><lines><line number="2" hits="0"/></lines></method></methods>
<lines><line number="1" hits="3"/><line number="2" hits="1"/><line number="6" hits="0"/></lines></class>
</classes></package></packages></coverage>"""


@pytest.mark.parametrize(
    ("source", "file"),
    [("ROOT/src", "a.py"), (".", "src/a.py"), ("/elsewhere", "ROOT/src/a.py"), ("", "src/a.py")],
)
def test_cobertura_takes_names_from_its_sources(tree, source, file):
    text = COBERTURA.replace("SOURCE", source).replace("FILE", file).replace("ROOT", str(tree))
    assert read_cobertura(text.encode(), tree).files == {"src/a.py": lines((1, 2), (6,))}


def test_lcov(tree):
    data = f"TN:\nSF:{tree}/src/a.py\nFN:1,f\nDA:1,2\nDA:2,0\nDA:2,1,abc\nDA:6,0\nLF:3\nend_of_record\nSF:no.py\nDA:1,1\nend_of_record\n"
    assert read_lcov(data.encode(), tree).files == {"src/a.py": lines((1, 2), (6,))}


def test_go_profiles_name_files_by_module(tree):
    name = "example.org/shop/cart/cart.go"
    data = f"mode: set\n{name}:3.14,6.2 1 0\n{name}:8.14,10.2 1 0\nmode: set\n{name}:3.14,6.2 1 7\nother.org/x/y.go:1.1,2.2 1 1\n"
    assert read_go_profile(data.encode(), tree).files == {"cart/cart.go": lines((3, 5), (8, 9))}


def test_go_work_knows_several_modules(tree):
    (tree / "go.work").write_text("go 1.22\n\nuse (\n\t./tools\n\t../away\n)\n")
    (tree / "tools").mkdir()
    (tree / "tools/go.mod").write_text("module example.org/shop/tools\n")
    (tree / "tools/t.go").write_text(GO)
    data = b"mode: count\nexample.org/shop/tools/t.go:3.14,6.2 1 1\n"
    assert read_go_profile(data, tree).files == {"tools/t.go": lines((3, 5), ())}


def test_istanbul_counts_statements_where_they_begin(tree):
    places = {
        str(n): {"start": {"line": line, "column": 0}, "end": {"line": 7, "column": 1}}
        for n, line in enumerate((2, 2, 5))
    }
    report = {f"{tree}/lib/a b.js": {"statementMap": places, "s": {"0": 0, "1": 4, "2": 0}}}
    assert read_istanbul(json.dumps(report).encode(), tree).files == {"lib/a b.js": lines((2,), (5,))}


def test_v8_ranges_become_lines(tree):
    found = read_v8(v8_report(tree, 1, 0), tree)
    assert found.files == {"lib/a b.js": lines((1, 2, 7), (4, 5))}


def test_v8_inner_ranges_win_over_outer_ones(tree):
    (tree / "lib/c.js").write_text('// 🛒🛒\nif (x) {\n  a("🛒");\n} else {\n  b();\n}\nc();\n')
    text = (tree / "lib/c.js").read_text().replace("🛒", "xx")
    first, last = text.index("{\n  b"), text.index("}\nc")
    ranges = [(0, len(text), 1), (first, last + 1, 0)]
    function = {
        "functionName": "",
        "ranges": [{"startOffset": a, "endOffset": b, "count": n} for a, b, n in ranges],
    }
    data = {"result": [{"url": f"file://{tree}/lib/c.js", "functions": [function]}]}
    assert read_v8(json.dumps(data).encode(), tree).files == {"lib/c.js": lines((2, 3, 4, 7), (5,))}


@pytest.mark.parametrize("mark", [0, 1])
def test_v8_with_a_byte_order_mark_that_counts_or_does_not(tree, mark):
    (tree / "lib/m.js").write_text("\ufeffa();\nfunction f() {\n  b();\n}\n")
    places = [(0, 29 + mark, 1), (5 + mark, 28 + mark, 0)]
    ranges = [{"startOffset": a, "endOffset": b, "count": n} for a, b, n in places]
    data = {"result": [{"url": f"file://{tree}/lib/m.js", "functions": [{"ranges": ranges}]}]}
    assert read_v8(json.dumps(data).encode(), tree).files == {"lib/m.js": lines((1,), (2, 3))}


def test_v8_of_a_shorter_text_is_not_measured(tree):
    report = v8_report(tree, 1, 0).replace(f'"endOffset": {len(SCRIPT)}'.encode(), b'"endOffset": 3')
    assert read_v8(report, tree) == Covered({})


@pytest.mark.parametrize(
    "url", ["node:fs", "file:///etc/hosts", "file://ROOT/node_modules/x.js", "evalmachine.<anonymous>"]
)
def test_v8_scripts_of_others_are_left_out(tree, url):
    assert read_v8(v8_report(tree, 1, 1, url=url.replace("ROOT", str(tree))), tree) == Covered({})


def test_v8_translated_scripts_are_not_measured(tree):
    maps = {f"file://{tree}/lib/a%20b.js": {"lineLengths": [1], "data": {}}}
    assert read_v8(v8_report(tree, 1, 1, maps=maps), tree) == Covered({})


NESTED: st.SearchStrategy[tuple] = st.recursive(
    st.tuples(st.integers(0, 9), st.integers(0, 3), st.just([])),
    lambda inner: st.tuples(st.integers(0, 9), st.integers(0, 3), st.lists(inner, max_size=3)),
    max_leaves=12,
)


def laid_out(node: tuple, at: int, ranges: list[tuple[int, int, int]], counts: list[int]) -> int:
    """Puts a range down at a position with its inner ones in it; `counts` is what each character should get."""
    size: int = node[0]
    _, count, inner = node
    place = len(ranges)
    ranges.append((at, at, count))
    end = at
    for each in inner:
        counts.append(count)
        end = laid_out(each, end + 1, ranges, counts)
    counts.extend([count] * (size + 1))
    ranges[place] = (at, end + size + 1, count)
    return end + size + 1


@given(NESTED)
def test_v8_each_character_has_the_count_of_its_innermost_range(node):
    ranges: list[tuple[int, int, int]] = []
    counts: list[int] = []
    end = laid_out(node, 0, ranges, counts)
    told_ranges = [{"startOffset": a, "endOffset": b, "count": n} for a, b, n in reversed(ranges)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        text = "x\n" * end  # a character of the report to a line, each with its line end
        doubled = [{k: v if k == "count" else 2 * v for k, v in each.items()} for each in told_ranges]
        (root / "a.js").write_text(text)
        data = {"result": [{"url": f"file://{root}/a.js", "functions": [{"ranges": doubled}]}]}
        found = read_v8(json.dumps(data).encode(), root).files["a.js"]
    assert found.executed == {line for line, count in enumerate(counts, 1) if count}
    assert found.missing == {line for line, count in enumerate(counts, 1) if not count}


BEYOND = {
    "coverage": lambda tree: (read_coverage_json, told({"src/a.py": ([1, 99], [])})),
    "missing": lambda tree: (read_coverage_json, told({"src/a.py": ([], [99])})),
    "cobertura": lambda tree: (
        read_cobertura,
        COBERTURA.replace("FILE", "src/a.py").replace('number="6"', 'number="99"').encode(),
    ),
    "lcov": lambda tree: (read_lcov, b"SF:src/a.py\nDA:99,0\nend_of_record\n"),
    "go": lambda tree: (read_go_profile, b"mode: set\nexample.org/shop/cart/cart.go:3.1,99.2 1 1\n"),
    "istanbul": lambda tree: (
        read_istanbul,
        json.dumps({"lib/a b.js": {"statementMap": {"0": {"start": {"line": 99}}}, "s": {"0": 1}}}).encode(),
    ),
    "v8": lambda tree: (
        read_v8,
        v8_report(tree, 1, 0).replace(f'"endOffset": {len(SCRIPT)}'.encode(), b'"endOffset": 9999'),
    ),
    "no file of it": lambda tree: (read_coverage_json, told({"elsewhere/x.py": ([1], [])})),
}


@table_test("form", sorted(BEYOND))
def test_a_report_of_another_tree_is_refused(tree, form):
    reader, data = BEYOND[form](tree)
    with pytest.raises(Unreadable, match="for another tree"):
        reader(data, tree)


READERS = (
    read_coverage_json,
    read_cobertura,
    read_lcov,
    read_go_profile,
    read_istanbul,
    read_v8,
)
BOMB = b'<!DOCTYPE coverage [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><coverage>&b;</coverage>'
BAD = [
    b"",
    b"null",
    b"[]",
    b"{",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"meta":{"version":"1"},"files":{"x":[]}}',
    b'{"meta":{"version":"1"},"files":{"x":{"executed_lines":["1"],"missing_lines":[]}}}',
    b'{"meta":{"version":"1"},"files":{"x":{"executed_lines":[true],"missing_lines":[]}}}',
    b'{"meta":{"version":"1"},"files":{"x":{"executed_lines":[-1],"missing_lines":[]}}}',
    b'{"result":[{"url":"file:///x"}, 3]}',
    b'{"result": 3}',
    b'{"a": {"statementMap": [], "s": {}}}',
    b"\xff\xfe\x00",
    BOMB,
    b"<coverage>",
    b"<html/>",
    b"<coverage><class filename='x'><line number='-1'/></class></coverage",
    b"<a>" * 100_000,
    b"mode: set\nx.go:1\n",
    b"mode: none\n",
    b"mode: set\nx.go:1.1,2.2 1 1",
    b"DA:1,1\n",
    b"SF:x\nDA:1,1\n",
    b"SF:x\nDA:one,1\nend_of_record\n",
    b"SF:x\nDA:1\nend_of_record\n",
]


@table_test("reader", READERS, ids=lambda each: each.__name__)
@table_test("number", range(len(BAD)))
def test_what_is_no_report_is_refused(tree, reader, number):
    with pytest.raises(Unreadable):
        reader(BAD[number], tree)


@settings(max_examples=60)
@given(
    data=st.binary(max_size=200),
    head=st.sampled_from([b"", b"mode: set\n", b"SF:x\n", b"<coverage>", b'{"result":']),
)
def test_any_bytes_are_read_or_refused(data, head):
    for reader in READERS:
        try:
            assert isinstance(reader(head + data, Path("/nonexistent")), Covered)
        except Unreadable as error:
            assert error.say("zh")


def test_the_form_is_told_by_what_a_file_holds(tree):
    forms = {
        told({"src/a.py": ([1], [])}): read_coverage_json,
        COBERTURA.encode(): read_cobertura,
        b"TN:\nSF:x\n": read_lcov,
        b"mode: atomic\n": read_go_profile,
        b'{"/x/a.js": {"path": "/x/a.js", "statementMap": {}, "s": {}}}': read_istanbul,
        v8_report(tree, 1, 1): read_v8,
    }
    for data, reader in forms.items():
        assert reader_for(data) is reader
    assert reader_for(b"%PDF") is None
    assert reader_for(b"<html>") is None
