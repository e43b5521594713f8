"""What a turn showed becomes a round: every signal can fire, and every forced state can be left."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.mode import ModeState, Settings, advance, start
from donewhen.core.rounds_seen import BROKEN, Failure, Seen, round_of
from donewhen.core.todos import NO_TODOS, TodoList, read_todos
from tests.tables import table_test


def todos(*entries: dict) -> TodoList:
    return read_todos([{"content": "do it", **entry} for entry in entries])


DONE = {"status": "completed"}
QUIET = Seen(tools=("run_command",), branch="run")

SIGNALS: list[tuple[str, Seen]] = [
    ("checkpoint_resumed", Seen(resumed=True)),
    ("task_graph_active", Seen(todos=todos({"id": "a", **DONE}, {"id": "b", "dependencies": ["a"]}))),
    ("branch_switched", Seen(branch="main")),
    ("pending_steps", Seen(todos=todos({"id": "a"}, {"id": "b"}))),
    ("tool_failure", Seen(("grep",), (Failure("grep", "timeout"),))),
    ("multi_write", Seen(("write_file", "write_file"), written=("a", "b"))),
    ("large_diff", Seen(diff_lines=201)),
    ("explicit_impl", Seen(todos=todos({"id": "a", "paths": ["src/**"]}))),
]


@table_test(("signal", "seen"), SIGNALS)
def test_every_signal_can_fire(signal, seen):
    state = advance(start(Settings()), round_of(seen, "run"), Settings())
    assert (state.mode, state.reason) == ("forced", signal)


def test_explicit_work_also_comes_from_the_level_alone():
    strict = Settings(level="strict")
    assert start(strict).reason == "explicit_impl"


NO_SIGNAL = [
    ("nothing", Seen()),
    ("a red test", Seen(("run_command",), (Failure("run_command", "exit"),))),
    ("a denial", Seen(("run_command",), (Failure("run_command", "denied"),))),
    ("a hook's block", Seen(("run_command",), (Failure("run_command", "blocked"),))),
    ("nothing found", Seen(("read_file",), (Failure("read_file", "not_found"),))),
    ("a failure without a class", Seen(("x",), (Failure("x"),))),
    ("one file twice", Seen(("edit_file", "edit_file"), written=("a", "a"))),
    ("one open todo", Seen(todos=todos({"id": "a"}))),
    (
        "finished todos",
        Seen(todos=todos({"id": "a", **DONE}, {"id": "b", "dependencies": ["a"], "paths": ["x"], **DONE})),
    ),
    ("its own branch", Seen(branch="run")),
    ("a branch that is not known", Seen(branch="")),
    ("a long diff that is not longer than that", Seen(diff_lines=200)),
]


@table_test("seen", [case[1] for case in NO_SIGNAL], ids=[case[0] for case in NO_SIGNAL])
def test_ordinary_work_leaves_the_agent_free(seen):
    assert advance(start(Settings()), round_of(seen, "run"), Settings()).mode == "free"


_lists = st.sampled_from(
    [
        NO_TODOS,
        todos({"id": "a"}),
        todos({"id": "a"}, {"id": "b", "dependencies": ["a"]}),
        todos({"id": "a", "paths": ["src/**"], **DONE}),
    ]
)
_seen = st.builds(
    Seen,
    st.lists(st.sampled_from(["read_file", "grep", "write_file", "run_command"]), max_size=3).map(tuple),
    st.lists(
        st.builds(Failure, st.just("x"), st.sampled_from(["", "exit", *sorted(BROKEN)])), max_size=2
    ).map(tuple),
    st.lists(st.sampled_from("abc"), max_size=3).map(tuple),
    st.integers(-5, 2000),
    st.sampled_from(["", "run", "main"]),
    _lists,
    st.booleans(),
)
_settings = st.builds(
    Settings,
    st.sampled_from(["adaptive", "strict"]),
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 300),
    st.integers(0, 4),
    st.integers(0, 5),
    st.integers(0, 4),
)


@given(st.lists(_seen, max_size=12), _settings)
def test_every_state_can_be_left_once_nothing_is_pending(story, settings):
    state: ModeState = start(settings)
    for seen in story:
        state = advance(state, round_of(seen, "run"), settings)
    quiet = round_of(QUIET._replace(diff_lines=max(0, story[-1].diff_lines) if story else 0), "run")
    for _ in range(12):
        state = advance(state, quiet, settings)
    assert state.mode == "free"
