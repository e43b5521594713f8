"""What a program's exit code and output mean."""

import json

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.codec import thaw
from donewhen.core.texts import Phrase, say
from donewhen.hooks.answers import DEEPEST, LONGEST, Said, arguments_of, read
from donewhen.hooks.model import PASS, Answer
from tests.tables import table_test


@table_test(
    ("stdout", "answer"),
    [
        (b"", PASS),
        (b" \n\t", PASS),
        (b"{}", PASS),
        (b'{"block": null}', PASS),
        (b'{"block": "no"}', Answer(block="no")),
        (b'{"note": "look"}\n', Answer(note="look")),
        (b'{"block": "no", "note": "look"}', Answer(block="no", note="look")),
        (b'{"args": {}}', Answer(args={})),
    ],
)
def test_with_exit_0_an_empty_stdout_or_known_keys_are_understood(stdout, answer):
    assert read(Said(0, stdout)) == answer


@table_test(
    ("stdout", "key"),
    [
        (b"all fine", "no_json"),
        (b"[]", "no_json"),
        (b'"block"', "no_json"),
        (b"null", "no_json"),
        (b"true", "no_json"),
        (b'{"block": "no"', "no_json"),
        (b'{"note": "a"} {"note": "b"}', "no_json"),
        (b"\xff\xfe", "no_json"),
        (b"[" * 100_000, "no_json"),
        (b'{"a":' * 100_000, "no_json"),
        (b'{"args": {"n": ' + b"9" * 10_000 + b"}}", "no_json"),
        (b'{"blocked": "no"}', "unknown_key"),
        (b'{"block": ""}', "no_text"),
        (b'{"block": " "}', "no_text"),
        (b'{"block": true}', "no_text"),
        (b'{"note": ["a"]}', "no_text"),
        (b'{"block": "no", "block": null}', "twice"),
        (b'{"args": {"a": 1, "a": 2}}', "twice"),
        (b'{"args": []}', "no_arguments"),
        (b'{"args": "x"}', "no_arguments"),
        (b'{"args": {"n": NaN}}', "no_number"),
        (b'{"args": {"n": -Infinity}}', "no_number"),
        (b'{"args": ' + b'{"a": ' * 150 + b"1" + b"}" * 151, "too_deep"),
        (b" " * LONGEST + b"{}", "too_long"),
    ],
)
def test_with_exit_0_anything_else_is_a_failure_that_says_why(stdout, key):
    answer = read(Said(0, stdout))
    assert answer.failed is not None and answer.failed.key == f"hooks.{key}"
    assert answer._replace(failed=None) == PASS
    assert say(answer.failed.key, "en", **answer.failed.values)


@table_test(
    ("stdout", "stderr", "reason"),
    [
        (b"", " not on a Friday\n", "not on a Friday"),
        (b'{"block": "from stdout"}', "", "from stdout"),
        (b'{"block": "from stdout"}', "from stderr", "from stderr"),
        (b"garbage", "", Phrase("hooks.no_reason")),
        (b'{"note": "x"}', "", Phrase("hooks.no_reason")),
        (b"{" * 100_000, "", Phrase("hooks.no_reason")),
        (b"", "", Phrase("hooks.no_reason")),
    ],
)
def test_exit_2_always_blocks(stdout, stderr, reason):
    assert read(Said(2, stdout, stderr)) == Answer(block=reason)


@table_test("code", [1, 3, 126, 127, 137, 255, None])
def test_every_other_end_is_a_failure_whatever_was_printed(code):
    answer = read(Said(code, b'{"note": "fine"}', "line one\nTraceback"))
    assert answer == Answer(failed=Phrase("hooks.exit", {"exit": code, "said": "line one\nTraceback"}))


def test_arguments_of_the_largest_depth_are_taken():
    data: dict = {}
    for _ in range(DEEPEST - 1):
        data = {"a": data}
    assert thaw(arguments_of(data)) == data
    assert arguments_of({"a": [data]}) == Phrase("hooks.too_deep", {"limit": DEEPEST})


@given(st.binary(max_size=200), st.one_of(st.none(), st.integers(0, 255)), st.text(max_size=50))
def test_no_output_is_an_exception_and_only_a_clean_exit_passes(stdout, code, stderr):
    answer = read(Said(code, stdout, stderr))
    if code != 0:
        assert bool(answer.block) == (code == 2)
        assert (answer.failed is None) == (code == 2)
    elif stdout.strip():
        assert answer.failed is not None or json.loads(stdout) is not None


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), values, max_size=4))
def test_changed_arguments_come_through_as_they_are(args):
    answer = read(Said(0, json.dumps({"args": args}).encode()))
    assert answer.failed is None and thaw(answer.args) == args
