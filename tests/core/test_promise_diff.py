"""Two promises side by side: what differs, and what of it asks for less."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.promise import ABORT_BY_DEFAULT, Condition, Criterion, Promise
from donewhen.core.promise_diff import PARTS, Line, differences, line_text, weaker
from donewhen.core.texts import LANGUAGES, say
from tests.tables import table_test

PYTEST = Accept("pytest", "pytest", ("pytest",))
MAKE = Accept("make", "make", ("make",), cwd="docs")
BASE = Promise(
    "cp-1760000000000-0000",
    "fix it",
    (Criterion("c1", "it works", ("check:tests", "file:a"), "all"),),
    allowed_scope=("src/**",),
    disallowed_scope=("src/vendor/**",),
    required_evidence=("file:a",),
    permits=("tests/old/**",),
    checks=(Check("command_success", "npm test", id="tests"), Check("file_exists", "a.txt", required=False)),
    accept=(PYTEST,),
)

CHANGES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("objective", {"objective": "fix all"}, ["~ objective: fix it → fix all"]),
    (
        "a criterion",
        {"acceptance": (*BASE.acceptance, Criterion("c2", "it is fast"))},
        ["+ criterion: c2: it is fast"],
    ),
    (
        "commands",
        {"accept": (MAKE,)},
        ["- acceptance command: pytest", "+ acceptance command: cd docs && make"],
    ),
    (
        "a check",
        {"checks": (Check("command_success", "npm test", id="tests", match="exact"), BASE.checks[1])},
        ["~ check: tests command_success npm test → tests command_success npm test match=exact"],
    ),
    ("scope", {"allowed_scope": ("src/**", "docs/**")}, ["+ may write: docs/**"]),
    ("closed", {"disallowed_scope": ()}, ["- may not write: src/vendor/**"]),
    ("evidence", {"required_evidence": ()}, ["- evidence: file:a"]),
    ("permits", {"permits": ()}, ["- permit: tests/old/**"]),
    (
        "done",
        {"done_when": (Condition("user-confirmed", "looks right"),)},
        ["- done when: acceptance-met *", "+ done when: user-confirmed looks right"],
    ),
    ("abort", {"abort_when": ABORT_BY_DEFAULT[1:]}, ["- abort when: budget-exhausted"]),
    ("answer", {"answer_only": True}, ["+ only an answer is owed: answer_only"]),
    ("order", {"checks": BASE.checks[::-1]}, []),
    ("the default in words", {"done_when": ()}, []),
]


@table_test(("change", "lines"), [case[1:] for case in CHANGES], ids=[case[0] for case in CHANGES])
def test_what_differs_is_told_line_by_line(change, lines):
    assert [line_text(line, "en") for line in differences(BASE, BASE._replace(**change))] == lines


def test_checks_of_one_name_are_told_apart():
    same = [Check("content_contains", "a", params={"contains": text}) for text in "xy"]
    before, after = BASE._replace(checks=tuple(same)), BASE._replace(checks=(same[0],))
    assert [line.sign for line in differences(before, after)] == ["-"]


@table_test("language", LANGUAGES)
@table_test("part", PARTS)
def test_every_part_can_be_said(part, language):
    text = line_text(Line("+", part, "x", "one\ntwo"), language)
    assert r"one\ntwo" in text
    assert "\n" not in text


def criterion(*evidence: str, mode: str = "any") -> dict[str, Any]:
    return {"acceptance": (Criterion("c1", "it works", evidence, mode),)}


WEAKER: list[tuple[str, dict[str, Any], dict[str, Any], list[str]]] = [
    ("nothing", {}, {}, []),
    (
        "criterion gone",
        {},
        {"acceptance": (Criterion("c2", "x"),)},
        ["criterion c1 need not be met any more"],
    ),
    ("all to any", {}, criterion("check:tests", "file:a"), ["criterion c1 asks for less evidence"]),
    ("all of more", {}, criterion("check:tests", "file:a", "file:b", mode="all"), []),
    ("all of less", {}, criterion("file:a", mode="all"), ["criterion c1 asks for less evidence"]),
    ("any of more", criterion("a"), criterion("a", "b"), ["criterion c1 asks for less evidence"]),
    ("any of less", criterion("a", "b"), criterion("a"), []),
    ("any to all", criterion("a", "b"), criterion("a", mode="all"), []),
    (
        "any to all of others",
        criterion("a"),
        criterion("b", mode="all"),
        ["criterion c1 asks for less evidence"],
    ),
    ("one for all to any", criterion("a", mode="all"), criterion("a"), []),
    ("no evidence any more", criterion("a"), criterion(), ["criterion c1 asks for less evidence"]),
    ("evidence at last", criterion(), criterion("a"), []),
    ("command gone", {}, {"accept": ()}, ["`pytest` need not pass any more"]),
    ("command more", {}, {"accept": (PYTEST, MAKE)}, []),
    ("check gone", {}, {"checks": BASE.checks[1:]}, ["the check tests is gone, optional or looser"]),
    ("optional check gone", {}, {"checks": BASE.checks[:1]}, []),
    (
        "check optional",
        {},
        {"checks": (BASE.checks[0]._replace(required=False),)},
        ["the check tests is gone, optional or looser"],
    ),
    (
        "check looser",
        {},
        {"checks": (BASE.checks[0]._replace(match="prefix"),)},
        ["the check tests is gone, optional or looser"],
    ),
    ("check stricter", {}, {"checks": (BASE.checks[0]._replace(match="exact"),)}, []),
    ("check renamed", {}, {"checks": (BASE.checks[0]._replace(id="unit"),)}, []),
    ("scope wider", {}, {"allowed_scope": ("src/**", "d/**")}, ["the run may also write d/**"]),
    ("scope open", {}, {"allowed_scope": ()}, ["the run may write everywhere in the workspace"]),
    ("scope narrower", {"allowed_scope": ()}, {"allowed_scope": ("d/**",)}, []),
    ("closed gone", {}, {"disallowed_scope": ()}, ["src/vendor/** is no longer closed to the run"]),
    ("evidence gone", {}, {"required_evidence": ()}, ["the evidence file:a is not asked for any more"]),
    ("permit more", {}, {"permits": ("tests/old/**", "x")}, ["integrity lets pass: x"]),
    ("permit gone", {}, {"permits": ()}, []),
    (
        "done without",
        {"done_when": (Condition("user-confirmed", "ok"), Condition("acceptance-met", "*"))},
        {},
        ["it is done without: user-confirmed ok"],
    ),
    ("abort gone", {}, {"abort_when": ABORT_BY_DEFAULT[:-1]}, ["it no longer aborts on: user-aborted"]),
    ("answer", {}, {"answer_only": True}, ["an answer suffices, nothing has to run"]),
]


@table_test(("old", "new", "said"), [case[1:] for case in WEAKER], ids=[case[0] for case in WEAKER])
def test_what_is_asked_less_strictly_is_said(old, new, said):
    found = weaker(BASE._replace(**old), BASE._replace(**new))
    assert [say(phrase.key, "en", **phrase.values) for phrase in found] == said


_texts = st.lists(st.sampled_from("abcd"), max_size=3, unique=True).map(tuple)
_promises = st.builds(
    lambda accept, checks, allowed, denied, evidence, permits: BASE._replace(
        accept=tuple(Accept(name, name, (name,)) for name in accept),
        checks=tuple(Check("command_success", name) for name in checks),
        allowed_scope=allowed,
        disallowed_scope=denied,
        required_evidence=evidence,
        permits=permits,
    ),
    _texts,
    _texts,
    _texts,
    _texts,
    _texts,
    _texts,
)


@given(_promises, _promises)
def test_both_ways_nothing_weaker_means_nothing_differs(one, other):
    if not weaker(one, other) and not weaker(other, one):
        assert differences(one, other) == ()
    assert {line.sign for line in differences(one, other)} <= set("+-~")
    assert len(differences(one, other)) == len(differences(other, one))
    assert weaker(one, one) == ()
