"""Free and forced mode: what leads in, what leads out, and the hints."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.config import config_from_mapping
from donewhen.core.mode import Efforts, ModeState, Round, Settings, advance, edited, ran, start
from donewhen.core.texts import LANGUAGES, say
from tests.tables import table_test

DEFAULT = Settings()
STRICT = Settings(level="strict")
QUIET = Round(tools=("run_command",))
LOOK = Round(tools=("read_file", "grep"))


def after(*rounds, settings=DEFAULT):
    state = start(settings)
    for seen in rounds:
        state = advance(state, seen, settings)
    return state


def test_the_settings_are_those_of_the_configuration():
    section = config_from_mapping({}).execution_mode
    assert Settings(*(getattr(section, name) for name in Settings._fields)) == DEFAULT


ENTRIES = [
    ("checkpoint_resumed", Round(checkpoint_resumed=True)),
    ("task_graph_active", Round(task_graph=True, pending_steps=1)),
    ("branch_switched", Round(branch_switched=True)),
    ("pending_steps", Round(pending_steps=2)),
    ("tool_failure", Round(tool_failure=True)),
    ("multi_write", Round(write_targets=2)),
    ("large_diff", Round(diff_lines=201)),
    ("explicit_impl", Round(explicit=True, pending_steps=1)),
]


@table_test(("reason", "seen"), ENTRIES)
def test_any_signal_leads_into_forced_mode(reason, seen):
    assert after(seen) == ModeState("forced", reason, lock=2, last=seen)


@table_test(
    "seen", [Round(), Round(pending_steps=1), Round(write_targets=1), Round(diff_lines=200), QUIET, LOOK]
)
def test_below_the_thresholds_the_agent_stays_free(seen):
    assert after(seen) == ModeState(last=seen)


@table_test("number", range(len(ENTRIES)))
def test_the_first_signal_in_order_is_the_primary_reason(number):
    off: list[Any] = [{}, {"checkpoint_resumed": False}, {"task_graph": False}, {"branch_switched": False}]
    off += [{"pending_steps": 1}, {"tool_failure": False}, {"write_targets": 0}, {"diff_lines": 0}]
    seen = Round((), 5, True, True, True, True, True, 9, 999)
    for change in off[: number + 1]:
        seen = seen._replace(**change)
    assert after(seen).reason == ENTRIES[number][0]


def test_lock_dwell_and_two_quiet_rounds_lead_out():
    enter = Round(tool_failure=True)
    assert after(enter, QUIET) == ModeState("forced", "tool_failure", lock=1, dwell=1, stable=1, last=QUIET)
    assert after(enter, QUIET, QUIET) == ModeState(last=QUIET)


def test_a_longer_lock_and_a_longer_dwell_hold():
    enter = Round(tool_failure=True)
    for settings in (Settings(mode_lock_rounds=4), Settings(forced_min_dwell_rounds=4)):
        assert after(enter, *[QUIET] * 3, settings=settings).mode == "forced"
        assert after(enter, *[QUIET] * 4, settings=settings).mode == "free"


def test_a_signal_on_the_way_begins_the_quiet_rounds_anew_and_keeps_the_reason():
    state = after(Round(write_targets=2), QUIET, Round(tool_failure=True))
    assert (state.mode, state.reason, state.stable) == ("forced", "multi_write", 0)


def test_anything_pending_holds():
    assert after(Round(pending_steps=2), *[Round(pending_steps=1)] * 20).mode == "forced"


def test_reading_is_neither_stable_nor_dwell_nor_writing():
    assert after(LOOK._replace(write_targets=9)).mode == "free"
    state = after(Round(tool_failure=True), *[LOOK] * 20)
    assert (state.mode, state.lock, state.dwell, state.stable) == ("forced", 0, 0, 0)
    assert after(Round(tool_failure=True), LOOK, QUIET, LOOK, QUIET).mode == "free"


def test_what_merely_lasts_counts_once():
    lasting = Round(("run_command",), branch_switched=True, checkpoint_resumed=True, diff_lines=900)
    assert after(*[lasting] * 3).mode == "free"
    assert after(*[lasting] * 3, lasting._replace(diff_lines=901)).reason == "large_diff"


def test_strict_begins_forced_and_returns_with_work():
    assert start(STRICT) == ModeState("forced", "explicit_impl", lock=2)
    assert after(QUIET, QUIET, settings=STRICT).mode == "free"
    assert after(QUIET, QUIET, QUIET, LOOK, settings=STRICT).mode == "free"
    assert (
        after(QUIET, QUIET, Round(("write_file",), write_targets=1), settings=STRICT).reason
        == "explicit_impl"
    )


ROUNDS = st.lists(
    st.builds(
        Round,
        st.sampled_from([(), ("read_file",), ("write_file", "grep"), ("run_command",)]),
        st.integers(0, 4),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.integers(0, 4),
        st.integers(0, 500),
    ),
    max_size=20,
)
SETTINGS = st.builds(
    Settings,
    st.sampled_from(["adaptive", "strict"]),
    st.integers(1, 4),
    st.integers(0, 3),
    st.integers(0, 300),
    st.integers(1, 4),
    st.integers(0, 4),
    st.integers(0, 4),
)


@given(ROUNDS, SETTINGS)
def test_every_state_can_be_left_by_quiet_rounds(rounds, settings):
    state = after(*rounds, settings=settings)
    lasting = Round(("run_command",), 0, True, True, True, True, False, 0, state.last.diff_lines)
    for _ in range(1 + 4 + 4):
        state = advance(state, lasting, settings)
    assert state.mode == "free"


@given(ROUNDS, SETTINGS)
def test_off_never_leads(rounds, settings):
    off = settings._replace(level="off")
    state = start(off)
    for seen in rounds:
        state = advance(state, seen, off)
        assert state == ModeState(last=seen)


@given(ROUNDS, SETTINGS)
def test_forced_mode_has_a_reason_and_free_mode_has_none(rounds, settings):
    state = start(settings)
    for seen in rounds:
        state = advance(state, seen, settings)
        assert (state.mode == "forced") == (state.reason is not None)


def test_the_fourth_edit_of_a_file_brings_a_hint():
    efforts, hints = Efforts(), []
    for _ in range(5):
        efforts, found = edited(efforts, ["a.py", "a.py"])
        hints.append(len(found))
    assert hints == [0, 0, 0, 1, 1]
    assert edited(efforts, ["b.py"]).hints == ()


def test_the_third_failure_of_a_command_brings_a_hint_until_it_passes():
    efforts, hints = Efforts(), []
    for passed in (False, False, False, True, False):
        efforts, found = ran(efforts, "npm test", passed=passed)
        hints.append(len(found))
    assert hints == [0, 0, 1, 0, 0]
    assert dict(efforts.red_runs) == {"npm test": 1}


def test_hints_speak_both_languages():
    efforts = Efforts({"a.py": 3}, {"npm test": 2})
    phrases = edited(efforts, ["a.py"]).hints + ran(efforts, "npm test", passed=False).hints
    said = [say(p.key, language, **p.values) for p in phrases for language in LANGUAGES]
    assert all(name in text for name, text in zip(["a.py"] * 2 + ["npm test"] * 2, said, strict=True))
