"""Every shape matches its own examples, through the whole redaction, and leaves its counter-examples."""

from itertools import product

import pytest

from donewhen.secrets.claims import is_key_like
from donewhen.secrets.examples import expand
from donewhen.secrets.gates import candidates
from donewhen.secrets.redact import Redactor
from donewhen.secrets.shapes import SHAPES, Shape, compiled
from tests.tables import table_test

MATCH = [pytest.param(s, t, id=f"{s.name}:{t[:24]}") for s in SHAPES for t in s.match]
NOT_MATCH = [pytest.param(s, t, id=f"{s.name}:{t[:24]}") for s in SHAPES for t in s.not_match]


@table_test(("shape", "template"), MATCH)
def test_a_shape_finds_its_examples_wherever_they_stand(shape: Shape, template: str):
    secret = expand(template)
    found = compiled(shape).search(secret)
    assert found is not None
    for around in ("{}", "see {} there", '"{}"', "a\\n{}\\n", "x={};", "\t{}\r\n", "日本 {} 語"):
        text = around.replace("{}", secret)
        assert shape in candidates(text)
        assert found[shape.group] not in Redactor().text(text)


@table_test(("shape", "template"), NOT_MATCH)
def test_a_shape_leaves_its_counter_examples(shape: Shape, template: str):
    assert compiled(shape).search(expand(template)) is None


def test_no_rule_name_looks_like_the_name_of_a_secret():
    names = {shape.name for shape in SHAPES} | {"high-entropy", "pem", "url", "declared"}
    assert {name for name in names if is_key_like(name)} == set()


def test_an_example_is_the_same_every_time_and_differs_by_seed():
    assert expand("a{w20}b") == expand("a{w20}b")
    assert expand("a{w20}b") != expand("a{w20}b", seed=1)
    assert len(expand("a{w20}b")) == 22


@table_test("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_gate_never_hides_what_its_shape_would_match(shape: Shape):
    for start, template in product("aZ9_-+/", shape.match):
        text = expand(template)
        for anchor in shape.anchors:
            at = text.find(anchor) + len(anchor)
            changed = text[:at] + start + text[at + 1 :]
            assert compiled(shape).search(changed) is None or shape in candidates(changed)
