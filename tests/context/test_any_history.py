"""For any history: what may never be dropped is there, calls have their results, and the size is kept."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.context.settings import Settings
from donewhen.core.errors import LimitReached
from tests.context.support import (
    DENIED,
    OBJECTIVE,
    STANDING,
    Call,
    Quarters,
    Turn,
    act,
    paired,
    play,
    talk,
    tell,
    transcript_of,
    view,
    words,
)

WORDS = st.text(max_size=12)
SIZES = st.sampled_from((1, 1, 3, 40, 400, 3000))
TEXT = st.builds(lambda text, times: text * times, WORDS, SIZES)
KINDS = st.sampled_from(("feedback", "reminder", "note"))
TOLD = st.lists(st.tuples(KINDS, TEXT.filter(bool)), max_size=2).map(tuple)
ARGS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from(("path", "command", "content", "x")),
    st.one_of(TEXT, st.integers(), st.lists(WORDS, max_size=2), st.none()),
    max_size=3,
)
TOOLS = st.sampled_from(("run_command", "write_file", "read_file", "ask_user", "odd ☃"))
CALL = st.one_of(
    st.builds(Call, TOOLS, ARGS, st.one_of(TEXT, st.none()), st.booleans()),
    st.builds(lambda args, n: Call("run_command", args, f"{DENIED} {n}", False), ARGS, st.integers(0, 9)),
)
OPAQUE = st.sampled_from(({}, {}, {"anthropic": [{"signature": "s" * 50}]}))
TURN = st.builds(Turn, TOLD, TEXT, st.lists(CALL, max_size=4).map(tuple), OPAQUE)
TURNS = st.lists(TURN, max_size=14)
SETTINGS = st.builds(
    Settings,
    budget=st.sampled_from((1500, 2500, 5000, 20_000, 56_000)),
    method=st.sampled_from(("none", "sliding-window", "claude-style", "claude-style")),
    turns=st.integers(1, 5),
    history=st.sampled_from((True, True, True, False)),
    language=st.sampled_from(("en", "zh")),
)


def fitted(transcript, chosen, tighter=0):
    """The prompt, or None where it can't be made to fit."""
    try:
        return talk(transcript, chosen).fit(view(), tighter=tighter)
    except LimitReached:
        return None


def owed(turns: list[Turn]) -> list[str]:
    """What must be said whatever else is left out: the last verdict, and every refusal."""
    verdicts = [text for turn in turns for kind, text in turn.told if kind == "feedback"]
    calls = [call for turn in turns for call in turn.calls]
    refused = [call.output for call in calls if not call.ok and (call.output or "").startswith(DENIED)]
    return [*verdicts[-1:], *dict.fromkeys(text for text in refused if text)]


@given(TURNS, SETTINGS)
def test_what_may_never_be_dropped_is_there_and_the_size_is_kept(turns, chosen):
    made = fitted(transcript_of(turns), chosen)
    if made is None:
        return
    said, tools = made.tokens(True)
    sent = words(made.prompt)
    assert said + tools <= chosen.budget
    assert OBJECTIVE in made.prompt.system[1]
    assert made.prompt.standing.endswith(STANDING)
    assert paired(made.prompt)
    assert [text for text in owed(turns) if text not in sent] == []


@given(TURNS, SETTINGS, st.integers(1, 3))
def test_the_same_holds_when_an_endpoint_wants_less(turns, chosen, times):
    whole, less = fitted(transcript_of(turns), chosen), fitted(transcript_of(turns), chosen, times)
    if whole is None or less is None:
        return
    sent = words(less.prompt)
    assert sum(less.tokens(True)) < sum(whole.tokens(True))
    assert OBJECTIVE in sent
    assert STANDING in sent
    assert paired(less.prompt)
    assert [text for text in owed(turns) if text not in sent] == []


@given(TURNS, SETTINGS)
def test_a_process_that_takes_a_run_up_says_the_same(turns, chosen):
    """Turn by turn in one process, or all at once in another: the prompt is the same."""
    grown = transcript_of()
    talking = talk(grown, chosen)
    last = None
    for turn in turns:
        tell(grown, *turn.told)
        try:
            last = talking.fit(view())
        except LimitReached:
            return
        act(grown, turn)
    try:
        last = talking.fit(view())
    except LimitReached:
        return
    fresh = fitted(transcript_of(turns), chosen)
    assert fresh is not None
    assert [each.said for each in last.prompt.pieces] == [each.said for each in fresh.prompt.pieces]
    assert last.prompt._replace(pieces=()) == fresh.prompt._replace(pieces=())
    assert last.tokens(True) == fresh.tokens(True)


@given(TURNS, SETTINGS.filter(lambda chosen: chosen.history))
def test_what_was_sent_stays_as_it_was_until_there_is_too_much(turns, chosen):
    grown = transcript_of()
    talking = talk(grown, chosen)
    before: list[Any] = []
    steps = 0
    for turn in turns:
        tell(grown, *turn.told)
        try:
            made = talking.fit(view())
        except LimitReached:
            return
        now = list(made.prompt.pieces)
        if talking.compressions == steps:
            assert [id(each) for each in now[: len(before)]] == [id(each) for each in before]
        before, steps = now, talking.compressions
        act(grown, turn)


@given(TURNS, SETTINGS)
@settings(max_examples=40)
def test_the_bound_is_never_below_the_count(turns, chosen):
    made = fitted(transcript_of(turns), chosen)
    if made is not None:
        bound, exact = made.tokens(False), made.tokens(True)
        assert bound[0] >= exact[0]
        assert bound[1] >= exact[1]


@given(st.text(st.characters(), max_size=200), SIZES)
def test_text_that_is_no_unicode_breaks_nothing(text, times):
    turns = [Turn((("goal", "go"),), text, (Call("run_command", {"command": text}, text * times),))]
    made = talk(transcript_of(turns), counter=Quarters()).fit(view())
    assert paired(made.prompt)


def test_the_helpers_themselves_notice_a_lost_result():
    transcript = transcript_of()
    play(transcript, [Turn((("goal", "go"),), "", (Call("run_command", {}, "x"),))])
    prompt = talk(transcript).fit(view()).prompt
    assert paired(prompt)
    assert not paired(prompt._replace(pieces=prompt.pieces[:-1]))
    assert not paired(prompt._replace(pieces=prompt.pieces[-1:]))
