"""Key figures on terminals of any width, and values that are told apart from their targets."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.targets import TARGETS, Figure, judge
from donewhen.ui import stats_figures
from donewhen.ui.output import width
from donewhen.ui.stats_figures import figure_lines, target_of, value_of

UNITS = st.sampled_from([(each.unit, each.limit, each.above) for each in TARGETS])


def figure(unit: str, limit: float, above: bool, value: float | None, runs: int = 9) -> Figure:
    verdict = judge(value, limit, runs, above=above)
    return Figure("success", unit, value, limit, above, runs, verdict)  # type: ignore[arg-type]


def test_a_narrow_terminal_gets_lines_instead_of_columns(monkeypatch):
    shown = [figure(each.unit, each.limit, each.above, each.limit) for each in TARGETS]
    for columns in (200, 78):
        monkeypatch.setattr(stats_figures, "room", lambda _, most=columns: most)
        assert len(list(figure_lines(shown))) == 2 + len(shown)
    monkeypatch.setattr(stats_figures, "room", lambda _: 40)
    lines = list(figure_lines(shown))
    assert len(lines) == 1 + 2 * len(shown)
    assert max(map(width, lines)) <= 40


@given(UNITS, st.none() | st.floats(0, 1e12))
def test_any_value_is_one_short_word(unit, value):
    kind, limit, above = unit
    said = value_of(figure(kind, limit, above, value))
    assert said
    assert " " not in said


@given(UNITS, st.floats(0, 1e-3))
def test_what_is_near_its_target_is_not_shown_as_it(unit, less):
    kind, limit, above = unit
    value = limit * (1 - less)
    said, target = value_of(figure(kind, limit, above, value)), target_of(figure(kind, limit, above, limit))
    if less > 1e-4 and kind != "number":
        assert said != target.split()[1]
