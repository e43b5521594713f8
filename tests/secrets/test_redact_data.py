"""Redaction of JSON-like data, as the event store calls it for every payload."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.secrets.examples import expand, filler
from donewhen.secrets.redact import Redactor

SECRET = filler("w", 24)
TOKEN = expand("ghp_{w36}")
MARK = "[redacted:high-entropy]"
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20))
data = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


def test_clean_data_is_returned_as_the_same_object():
    payload = {
        "tool": "run_command",
        "argv": ["pytest", "-q"],
        "n": 3,
        "ok": True,
        "out": ("19 passed", None),
    }
    assert Redactor().data(payload) is payload


def test_a_key_like_key_is_the_context_of_its_value():
    payload = {"api_key": SECRET, "key": SECRET, "tokens": [SECRET, "a word"], "token_count": 12}
    assert Redactor().data(payload) == {
        "api_key": MARK,
        "key": SECRET,
        "tokens": [MARK, "a word"],
        "token_count": 12,
    }


def test_a_sentence_under_a_key_like_key_stays():
    payload = {
        "password": "must hold 8+ letters & 1 digit (A-Z, 0-9)",
        "token": "see RFC-6749 s4.1, 2x a day",
    }
    assert Redactor().data(payload) == payload


def test_a_flag_is_the_context_of_the_next_argument():
    payload = {"argv": ["deploy", "--token", SECRET, SECRET]}
    assert Redactor().data(payload) == {"argv": ["deploy", "--token", MARK, SECRET]}


def test_shapes_go_from_values_keys_lists_and_tuples():
    payload = {"a": [1, (f"x {TOKEN}",)], TOKEN: {"b": "clean"}}
    assert Redactor().data(payload) == {
        "a": [1, ("x [redacted:github]",)],
        "[redacted:github]": {"b": "clean"},
    }


def test_two_secret_keys_do_not_swallow_each_other():
    payload = {expand("ghp_{w36}", 1): 1, expand("ghp_{w36}", 2): 2}
    assert sorted(Redactor().data(payload).values()) == [1, 2]


def test_untouched_parts_keep_their_identity():
    clean = {"deep": ["nothing", "to see"]}
    payload = {"clean": clean, "out": TOKEN}
    assert Redactor().data(payload)["clean"] is clean


def test_the_given_data_is_never_changed():
    payload = {"password": SECRET, "list": [TOKEN]}
    Redactor().data(payload)
    assert payload == {"password": SECRET, "list": [TOKEN]}


def test_data_too_deep_to_read_is_dropped_rather_than_stored_unread():
    deep: object = TOKEN
    for _ in range(600):
        deep = [deep]
    assert TOKEN not in str(Redactor().data({"x": deep}))


@given(data)
def test_redacting_data_twice_is_redacting_once(payload: object):
    redactor = Redactor(["horsepower"])
    once = redactor.data(payload)
    assert repr(redactor.data(once)) == repr(once)
