"""What an answer means at each point."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.hooking import BLOCKING, POINTS
from donewhen.core.texts import LANGUAGES, Phrase, say
from donewhen.core.texts.hooks import TEXTS
from donewhen.hooks.deciding import settle
from donewhen.hooks.model import PASS, Answer, Hook
from tests.tables import table_test


async def _pass(occasion: object) -> Answer:
    return PASS


FAILED = Answer(failed=Phrase("hooks.still_busy"))
answers = st.builds(
    Answer,
    st.sampled_from(["", "no"]),
    st.sampled_from(["", "look"]),
    st.sampled_from([None, {}, {"a": 1}]),
    st.sampled_from([None, Phrase("hooks.still_busy")]),
)
hooks = st.builds(
    lambda kind, fail_open: Hook("h", frozenset(POINTS), _pass, kind, fail_open=fail_open),
    st.sampled_from(["built_in", "installed", "command"]),
    st.booleans(),
)


@given(hooks, st.sampled_from(POINTS), answers)
def test_what_failed_never_passes_where_blocking_has_an_effect(hook, point, answer):
    settled = settle(hook, point, answer)
    failed = answer.failed is not None or (
        answer.args is not None and point != "before_tool" and not answer.block
    )
    assert (settled.outcome == "failed") == failed
    if point not in BLOCKING:
        assert not settled.blocked
    elif failed:
        assert bool(settled.blocked) == (not hook.fail_open)
    else:
        assert bool(settled.blocked) == bool(answer.block)
    assert bool(settled.warning) == (failed and not settled.blocked)
    assert (settled.outcome == "changed") == (
        point == "before_tool" and answer.args is not None and not failed and not answer.block
    )


@table_test("kind", ["built_in", "installed", "command"])
def test_a_closed_failure_names_the_hook_what_happened_and_the_way_out(kind):
    blocked = settle(Hook("licence", frozenset(POINTS), _pass, kind), "before_tool", FAILED).blocked
    assert isinstance(blocked, Phrase)
    said = say(blocked.key, "en", **blocked.values)
    assert "licence" in said and "before_tool" in said and "earlier call" in said and "`hooks." in said


def test_a_block_where_nothing_can_be_blocked_is_a_note():
    settled = settle(Hook("h", frozenset(POINTS), _pass, "command"), "run_end", Answer(block="no"))
    assert (settled.outcome, settled.note, settled.blocked) == ("noted", "no", "")


def test_texts_have_the_same_blanks_in_both_languages():
    from string import Formatter

    for name, pair in TEXTS.items():
        assert len(pair) == len(LANGUAGES)
        first, second = ({field for _, field, _, _ in Formatter().parse(text) if field} for text in pair)
        assert first == second, name
