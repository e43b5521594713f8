"""A reply is a review of exactly what was asked, or a list of what is wrong with it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.verify.review_protocol import (
    LONGEST_REPLY,
    MOST_PROBLEMS,
    Criterion,
    Judged,
    Quote,
    Remark,
    Review,
    ReviewError,
    read_review,
)
from tests.tables import table_test

ASKED = (Criterion("c-1", "adds"), Criterion("c-2", "subtracts"))


def answer(name: str = "c-1", **more: object) -> dict[str, object]:
    quote = {"file": "a.py", "line": 3, "text": "return a + b"}
    given = {"criterion": name, "verdict": "met", "reason": "it adds", "confidence": 0.9, "quotes": [quote]}
    return {**given, **more}


def finding(**more: object) -> dict[str, object]:
    return {"severity": "high", "file": "a.py", "line": 3, "message": "overflows", "confidence": 1, **more}


def reply(*criteria: object, findings: object = ()) -> str:
    return json.dumps({"criteria": criteria, "findings": findings})


WHOLE = reply(answer(), answer("c-2", verdict="unmet", quotes=[]), findings=[finding(rule="overflow")])
READ = Review(
    (
        Judged("c-1", "met", (Quote("a.py", 3, "return a + b"),), "it adds", 0.9),
        Judged("c-2", "unmet", (), "it adds", 0.9),
    ),
    (Remark("spec", "high", "a.py", 3, "overflows", "", 1.0, "overflow"),),
)


@table_test(
    "text", [WHOLE, f"  {WHOLE}\n", f"\ufeff{WHOLE}", f"```json\n{WHOLE}\n```", f"```\n{WHOLE}\n```\n"]
)
def test_a_review_is_read(text):
    assert read_review(text, ASKED) == READ


def test_answers_come_in_the_order_of_the_criteria():
    assert [each.criterion for each in read_review(reply(answer("c-2"), answer()), ASKED).judged] == [
        "c-1",
        "c-2",
    ]


def test_a_stage_without_criteria_needs_no_answers():
    text = json.dumps({"findings": [finding()]})
    assert read_review(text, (), "robustness").remarks[0].stage == "robustness"


def both(**more: Any) -> str:
    return reply(answer(**more), answer("c-2"))


def noticed(**more: object) -> str:
    return reply(answer(), answer("c-2"), findings=[{**finding(), **more}])


def quoting(**more: object) -> str:
    return both(quotes=[{"file": "a.py", "line": 3, "text": "return a + b", **more}])


@table_test(
    ("text", "said"),
    [
        ("", "not JSON (Expecting value: line 1 column 1"),
        ("I think it is fine.", "answer with one JSON object"),
        (f"Here it is: {WHOLE}", "not JSON"),
        ("[]", "reply is wrong: Input should be a valid dictionary"),
        ("{}", "reply.findings is wrong: Field required"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 50_000, "nested too deeply"),
        ("x" * (LONGEST_REPLY + 1), "more than 400000 characters"),
        ('{"criteria": [], "criteria": [], "findings": []}', "given twice"),
        (WHOLE.replace("0.9", "NaN", 1), "criteria[0].confidence is wrong"),
        (WHOLE.replace(": 3", ": " + "9" * 5000, 1), "not JSON"),
        (reply(answer()), "criteria has no answer for c-2"),
        (reply(answer(), answer("c-2"), answer("c-3")), 'criteria answers "c-3", which is not among those asked about: the ids are c-1, c-2'),
        (reply(answer(), answer("c-2"), answer()), 'criteria answers "c-1" twice'),
        (both(verdict="maybe"), "criteria[0].verdict is wrong: Input should be 'met', 'unmet' or 'unclear'"),
        (both(verdict=None), "criteria[0].verdict is wrong"),
        (both(confidence="0.9"), "criteria[0].confidence is wrong: Input should be a valid number"),
        (both(confidence=True), "criteria[0].confidence is wrong"),
        (both(confidence=1.1), "criteria[0].confidence is wrong"),
        (both(reason=""), "criteria[0].reason is wrong: Value error, it is empty"),
        (both(reason="x" * 2001), "at most 2000 characters"),
        (both(reason="\ud800"), "criteria[0].reason is wrong"),
        (both(quotes="a.py:3"), "criteria[0].quotes is wrong: Input should be a valid list"),
        (both(quotes=[{}] * 21), "at most 20 items"),
        (both(note="hello"), 'criteria[0].note is wrong: Extra inputs are not permitted'),
        (both(criterion=1), "criteria[0].criterion is wrong"),
        (quoting(line=0), "criteria[0].quotes[0].line is wrong: Input should be greater than or equal to 1"),
        (quoting(line=True), "criteria[0].quotes[0].line is wrong"),
        (quoting(line="3"), "criteria[0].quotes[0].line is wrong"),
        (quoting(file=""), "criteria[0].quotes[0].file is wrong"),
        (quoting(text="x" * 2001), "criteria[0].quotes[0].text is wrong"),
        (both(quotes=[{}]), "criteria[0].quotes[0].file is wrong: Field required"),
        (both(quotes=["x"]), "criteria[0].quotes[0] is wrong: Input should be a valid dictionary"),
        (noticed(severity="critical"), "findings[0].severity is wrong: Input should be 'low', 'medium' or 'high'"),
        (noticed(stage="style"), "findings[0].stage is wrong"),
        (noticed(rule="Bad Rule"), "findings[0].rule is wrong"),
        (noticed(line=-1), "findings[0].line is wrong"),
        (noticed(message=None), "findings[0].message is wrong"),
        (reply(answer(), answer("c-2"), findings=[{}]), "findings[0].severity is wrong: Field required"),
        (reply(answer(), answer("c-2"), findings=[finding()] * 101), "reply.findings is wrong: List should have at most 100 items"),
        (json.dumps({"criteria": [answer(), answer("c-2")]}), "reply.findings is wrong: Field required"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text, said):
    with pytest.raises(ReviewError) as caught:
        read_review(text, ASKED)
    assert said in caught.value.say("en")
    assert caught.value.say("zh") != caught.value.say("en")


def test_everything_that_is_wrong_is_said_at_once_within_bounds():
    with pytest.raises(ReviewError) as caught:
        read_review(reply(*({"verdict": "maybe"} for _ in range(50))), ASKED)
    assert len(caught.value.problems) == MOST_PROBLEMS
    assert caught.value.again().say("en") == caught.value.say("en")


def test_control_characters_do_not_survive():
    judged = read_review(both(reason="red \x1b[31m\x00 text"), ASKED).judged
    assert judged[0].reason == "red  [31m  text"


def test_file_names_that_are_no_text_are_kept():
    judged = read_review(quoting(file="b\udcff.py"), ASKED).judged
    assert judged[0].quotes[0].file == "b\udcff.py"


def test_ids_with_blanks_around_them_are_the_same():
    assert read_review(reply(answer("x")), [Criterion(" x ", "text")]).judged[0].criterion == " x "


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["criteria", "findings", "criterion", "verdict", "quotes", "file", "line", "text"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(_JSON)
def test_no_reply_breaks_the_reader(value):
    try:
        review = read_review(json.dumps(value), ASKED)
    except ReviewError as error:
        assert error.problems
    else:
        assert len(review.judged) == len(ASKED)
