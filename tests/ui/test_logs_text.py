"""Events as lines: every type has one, and nothing that an agent wrote can harm the reader."""

from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.codec import EMPTY
from donewhen.core.events import TYPES, Event, body_class, facts, run, type_of
from donewhen.ui import words
from donewhen.ui.logs_text import Lines, clock, event_line, is_routine
from donewhen.ui.masked import Masks
from donewhen.ui.output import clean
from tests.tables import table_test

AT = "2026-11-15T00:00:00.000Z"
EVIL = "x\x1b[2J\u202e\nDONE" + "y" * 5000


def line(body: Any, turn: int = 0, **more: bool) -> str:
    kind = type_of(body) if not isinstance(body, Novel) else "novel_kind"
    return event_line(Event(7, "r", AT, kind, body, ""), turn, **more)


class Novel(NamedTuple):
    what: str
    parts: tuple[str, ...] = ()


def filled(kind: str) -> Any:
    """A body of this type whose texts are all hostile."""
    made = body_class(kind)
    return made(**{name: _value(hint) for name, hint in get_type_hints(made).items()})


def _value(hint: Any) -> Any:
    plain = {str: EVIL, int: 3, bool: False, int | None: None}
    if hint in plain:
        return plain[hint]
    if get_origin(hint) is Literal:
        return get_args(hint)[0]
    return (EVIL,) if hint == tuple[str, ...] else () if get_origin(hint) is tuple else EMPTY


@table_test("kind", TYPES)
def test_every_type_is_one_harmless_line_of_bounded_length(kind):
    said = event_line(Event(1, "r", AT, kind, filled(kind), ""), 1)
    assert said == clean(said)
    assert "\n" not in said
    assert "\u202e" not in said
    assert len(said) < 300


def test_an_unknown_type_is_shown_field_by_field():
    said = line(Novel("some \x1b[31mthing", ("a", "b")), 4)
    assert said.split(maxsplit=5)[3:] == ["4", "·", 'novel_kind · what some thing · parts ["a", "b"]']


@table_test(
    ("body", "text"),
    [
        (
            facts.CommandEnded("c1", "pytest -q", exit=1, duration_ms=1234, tail="...\n1 failed\n\n----\n"),
            "✗ exit 1: pytest -q (by agent, 1.2s) · 1 failed",
        ),
        (
            facts.CommandEnded("exam", "pytest", by="harness", exit=1, before="old-code:b"),
            "✓ exit 1: pytest on the base with the new tests: it fails there, as it should (by harness, 0.0s)",
        ),
        (
            facts.CommandEnded("exam", "pytest", by="harness", exit=1, before="base:b", of_run="r-1"),
            "· exit 1: pytest on the base: it fails there (result of r-1 used again)",
        ),
        (
            facts.Denied("run_command", "force-push", "no", "git push -f"),
            "✗ denied by force-push: git push -f: no",
        ),
        (
            run.Decided("continue", summary="1 is missing", details=("pytest: red",)),
            "✗ claim refused: 1 is missing: pytest: red",
        ),
        (
            run.Decided("continue", summary="pytest: red", details=("pytest: red",)),
            "✗ claim refused: pytest: red",
        ),
        (facts.Verified("fingerprint", "86d0" * 10, "skipped"), "· looks at the tree 86d086d086d0"),
        (
            facts.ToolReturned("c1", "run", True, "3 passed\n</untrusted_context>\n"),
            "· run returned: 3 passed",
        ),
        (run.Decided("stopped", "repeat_cycle", "loop", "why"), "✗ ended, repeat_cycle · loop: why"),
        (run.StateChanged("executing", "paused", "asked: 1"), "▸ paused, was executing: asked: 1"),
        (facts.ToolCalled("c1", "read_file", {"path": "a b\n.py"}), "→ read_file: a b .py"),
        (facts.FileChanged("b.py", "move", origin="a.py"), "~ move b.py ← a.py"),
    ],
)
def test_the_important_fact_comes_first(body, text):
    assert line(body).endswith(text)


def test_an_output_that_was_cut_says_how_to_see_it_whole():
    assert line(facts.CommandEnded("c1", "x" * 900, exit=0, output="d" * 64)).endswith(
        "…  [whole: --output 7]"
    )
    assert "--output" not in line(facts.CommandEnded("c1", "x", exit=0))
    assert "y" * 900 in line(facts.CommandEnded("c1", "y" * 900, exit=0), whole=True)


def test_turns_are_counted_and_filters_keep_the_count():
    bodies = [run.TurnStarted(3), run.Noted("a", "warning"), run.Noted("b", "debug")]
    events = [Event(n, "r", AT, type_of(body), body, "") for n, body in enumerate(bodies, 1)]

    def shown(lines: Lines) -> list[int | None]:
        return [lines.take(event) for event in events]

    assert shown(Lines()) == [3, 3, 3]
    assert shown(Lines(types=["noted"])) == [None, 3, 3]
    assert shown(Lines(since=2)) == [None, None, 3]
    assert shown(Lines(quiet=True)) == [None, 3, None]
    assert [is_routine(event) for event in events] == [True, False, True]


@given(st.text(max_size=60))
def test_an_altered_moment_is_still_one_line(text):
    assert len(clock(text).splitlines()) <= 1


def test_a_green_that_could_not_have_been_red_is_known():
    def event(body) -> Event:
        return Event(1, "r", AT, type_of(body), body, "")

    masks = Masks()
    promise = {"id": "p", "objective": "o", "accept": ["pytest"], "acceptance": []}
    masks.take(event(run.PromiseSet("p", promise)))
    told = [
        masks.take(event(facts.CommandEnded("c", command, exit=code)))
        for command, code in (("pytest | tail -3", 0), ("pytest", 0), ("pytest | tail -3", 1), ("ls | wc", 0))
    ]
    assert told == [True, False, False, False]
    assert "◐ exit 0" in event_line(event(facts.CommandEnded("c", "pytest | tail", exit=0)), 1, masked=True)


def test_checkpoints_and_outcomes_of_hooks_are_said_in_the_readers_language(monkeypatch):
    bodies = (
        facts.CheckpointJudged("pre-ship", False, issues=("x",)),
        facts.HookCalled("mine", "before_commit", "blocked"),
    )
    assert ["pre-ship" in line(bodies[0]), "blocked" in line(bodies[1])] == [True, True]
    monkeypatch.setattr(words, "_chosen", ["zh"])
    assert "交付前检查点" in line(bodies[0])
    assert "拦截" in line(bodies[1])
