"""Mutants: always code, one place, the same for the same seed."""

import difflib
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from donewhen.project.syntax import parse
from donewhen.verify.mutants import choose_mutants, mutants_of
from donewhen.verify.test_functions import language_of
from tests.tables import table_test

PYTHON = b'''
def total(prices, fee=0):
    """Add up."""
    result = 0
    for price in prices:
        if price > 0:
            result = result + price
    return result + fee


class Cart:
    def put(self, name):
        self.items.append(name)
        return len(self.items) != 3


if __name__ == "__main__":
    print(total([1]))
'''
SOURCES = {
    "cart.py": PYTHON,
    "cart.js": b"export function f(a) { if (a > 0) { put(a); return a + 1 }\n return `x${a}` === 'y' }\n",
    "cart.tsx": b"const f = (a: number) => a > 0 ? <b>{a + 1}</b> : null\n",
    "cart.go": b"package a\nfunc F(a int) int {\n\tif a > 0 {\n\t\tput(a)\n\t}\n\treturn a + 1\n}\n",
    "cart.rs": b"fn f(a: i32) -> bool {\n    if a > 0 { put(a); }\n    a + 1 == 2 && true\n}\n",
    "Cart.java": b'class A { int f(int a) { if (a > 0) { put("x"); }\n return a + 1; } }\n',
}


def whole(data: bytes) -> range:
    return range(1, data.count(b"\n") + 2)


@table_test("path, data", SOURCES.items())
def test_each_is_code_and_changes_one_place(path, data):
    found = choose_mutants({path: data}, {path: whole(data)}, "seed")
    assert len({each.kind for each in found}) >= 3
    for each in found:
        new = each.applied(data)
        assert new != data
        assert not parse(language_of(path), new).root_node.has_error
        blocks = [
            op
            for op in difflib.SequenceMatcher(None, data, new, autojunk=False).get_opcodes()
            if op[0] != "equal"
        ]
        assert blocks[0][1] >= each.start
        assert each.diff(data).startswith(f"{path}:{each.line}\n-")


def test_conditions_constants_and_comparisons_come_first_and_returns_are_few():
    found = choose_mutants({"cart.py": PYTHON}, {"cart.py": whole(PYTHON)}, "seed", 2)
    assert {each.kind for each in found} <= {"condition", "constant", "comparison"}
    every = choose_mutants({"cart.py": PYTHON}, {"cart.py": whole(PYTHON)}, "seed", 99)
    assert Counter(each.kind for each in every)["return"] == 2
    assert all("__main__" not in each.diff(PYTHON) and "Add up" not in each.diff(PYTHON) for each in every)


def test_functions_take_turns_and_lines_come_once_as_long_as_there_are_others():
    found = choose_mutants({"cart.py": PYTHON}, {"cart.py": whole(PYTHON)}, "seed", 4)
    assert len({each.function for each in found[:2]}) == 2
    assert len({each.line for each in found}) == 4
    assert len(choose_mutants({"cart.py": PYTHON}, {"cart.py": [8]}, "seed")) == 2


def test_only_the_lines_asked_for():
    assert {each.line for each in mutants_of("cart.py", PYTHON, [6])} == {6}
    assert choose_mutants({"cart.py": PYTHON}, {}, "seed") == ()


@given(
    st.text(alphabet="ifa=!<>+-*/()[]{}:,.\n '\"01 retun", max_size=120),
    st.sampled_from(sorted(SOURCES)),
    st.text(max_size=5),
)
def test_any_text_gives_the_same_mutants_for_the_same_seed(text, path, seed):
    data = SOURCES[path] + text.encode()
    found = choose_mutants({path: data}, {path: whole(data)}, seed)
    assert found == choose_mutants({path: data}, {path: whole(data)}, seed)
    assert len(found) <= 12
    for each in found:
        assert each.applied(data) != data
        assert each.text == each.applied(data)[each.start : each.start + len(each.text)]
