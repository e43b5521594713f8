"""Write versions: each write needs its own confirmation, and nothing empty or missing is ever confirmed."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.events import Event, facts, type_of
from donewhen.core.session import fold
from donewhen.core.versions import Versions, read_back
from tests.core.state_support import Desk
from tests.tables import table_test

PATHS = st.sampled_from(["a.md", "b.json"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), PATHS, st.sampled_from(["", "x", "y"])),
        st.tuples(st.just("read"), PATHS, st.sampled_from(["read_file", "file_info", "grep"])),
        st.tuples(st.just("delete"), PATHS),
    ),
    max_size=12,
)


def pending(desk):
    return desk.state.deliverables.pending


@table_test("tool", ["read_file", "file_info"])
def test_reading_back_confirms_the_version_that_was_written(tool):
    desk = Desk().write("a.md", "x")
    assert pending(desk) == ("a.md",)
    assert pending(desk.read("a.md", tool)) == ()
    assert pending(desk.write("a.md", "y")) == ("a.md",)
    assert desk.evidence.versions.of("a.md") == ("a.md", 2, 1)
    assert pending(desk.read("a.md", tool)) == ()


def test_reading_before_the_write_confirms_nothing():
    assert pending(Desk({"a.md": "x"}).read("a.md").write("a.md", "y")) == ("a.md",)


@table_test(
    ("tool", "text"), [("read_file", ""), ("read_file", None), ("grep", "x"), ("bash", "x"), ("", "x")]
)
def test_no_other_look_and_nothing_empty_or_missing_confirms(tool, text):
    assert read_back(Versions(), tool, "a.md", text) is None


def test_a_file_that_became_empty_is_pending_again():
    desk = Desk().write("a.md", "x").read("a.md")
    desk.now["a.md"] = ""  # by nobody that was seen
    assert pending(desk) == ("a.md",)


def test_a_confirmation_never_reaches_beyond_what_was_written():
    desk = Desk().write("a.md", "x").take(facts.FileConfirmed("a.md", 999))
    assert pending(desk) == ()
    assert pending(desk.write("a.md", "y")) == ("a.md",)


def test_what_the_harness_confirms_needs_no_reading_back():
    desk = Desk().write("a.json", "{}").take(facts.FileConfirmed("a.json", 1, "harness"))
    assert pending(desk) == ()


def test_a_move_takes_no_confirmation_along():
    desk = Desk().write("a.md", "x").read("a.md")
    desk.now["b.md"] = desk.now.pop("a.md")
    desk.take(facts.FileChanged("b.md", "move", origin="a.md"))
    assert pending(desk) == ("b.md",)
    assert desk.evidence.versions.touched() == {"a.md": "deleted", "b.md": "modified"}


@given(STEPS)
def test_pending_is_what_was_not_read_back_since_its_last_write(steps):
    desk, seen = Desk(), {}
    for name, path, *values in steps:
        getattr(desk, name)(path, *values)
        if name != "read":
            seen[path] = False
        elif values[0] != "grep" and desk.now.get(path):
            seen[path] = True
    assert set(pending(desk)) == {path for path in desk.now if not seen[path]}


def session_of(*bodies):
    events = [Event(n, "r", "", type_of(body), body, "h") for n, body in enumerate(bodies, 1)]
    return fold("r", events)


def test_a_session_has_the_statistics_that_its_events_tell():
    found = session_of(
        facts.FileChanged("a.md", "write"),
        facts.FileChanged("b.json", "write"),
        facts.FileChanged("tmp/c.json", "write"),
        facts.FileChanged("app.py", "edit"),
        facts.FileChanged("gone.md", "delete"),
        facts.FileConfirmed("a.md", 1),
    ).deliverables
    assert found.statistics._asdict() == {"required": 2, "pending": 1, "exempt": 1}
    assert (found.kind, found.pending, found.sources) == ("engineering", ("b.json",), ("app.py",))


def test_a_session_of_a_run_that_only_removed_source_is_engineering():
    assert session_of(facts.FileChanged("app.py", "delete")).deliverables.kind == "engineering"
    assert session_of().deliverables.kind == "none"
