"""Thousands of random stories, judged by a second, naive reading of the rules."""

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.run.case import read_case
from donewhen.run.story import Story
from tests.examples import many

GREEN = "3 passed in 0.05s\n"
RED = "1 failed, 2 passed in 0.06s\n"
COMMANDS = ("pytest", "ruff check .", "make docs")
PATHS = ("app.py", "README.md", "data.json", "tmp/x.md", "docs/a.md")


def run_event(command, exit_code, by, state):
    event = {"run": command, "exit": exit_code, "by": by}
    if command == "pytest":
        event["output"] = GREEN if exit_code == 0 else RED
    return event | ({"state": state} if state else {})


runs = st.builds(
    run_event,
    st.sampled_from(COMMANDS),
    st.sampled_from([0, 0, 0, 1]),
    st.sampled_from(["agent", "harness"]),
    st.none(),
)
masked = st.builds(
    lambda command, mask: {"run": command + mask, "exit": 0, "output": GREEN},
    st.sampled_from(COMMANDS),
    st.sampled_from([" || true", " | tail -3", "; echo ok", " &", " || exit 0", " -k one"]),
)
writes = st.builds(
    lambda path, content: {"write": path, "content": content}, st.sampled_from(PATHS), st.sampled_from("abc")
)
unrelated = st.one_of(
    st.just({"run": "ls -la", "exit": 0}),
    st.just({"run": "git status", "exit": 0}),
    st.just({"read": "nowhere.txt"}),
    st.just({"deny": "run_command", "command": "curl example.org", "rule": "network"}),
    st.just({"verify": {"tool": "spelling", "scope": "docs", "passed": True}}),
    st.just({"turn": [{"tool": "grep", "args": {"pattern": "x"}, "result": "none", "error": False}]}),
    st.just({"gate": "pre-act", "allowed": True}),
    st.just({"user": "confirm the colour of the shed"}),
)
todos = st.builds(
    lambda status: {"todo": {"id": "a", "status": status}},
    st.sampled_from(["in_progress", "completed", "blocked", "pending", "failed", "canceled"]),
)
reads = st.builds(lambda path: {"read": path}, st.sampled_from(PATHS))
deletes = st.builds(lambda path: {"delete": path}, st.sampled_from(PATHS))
completes = st.just({"complete": "Done."})
events = st.lists(
    st.one_of(runs, runs, masked, writes, reads, deletes, todos, unrelated, completes), max_size=14
)


@st.composite
def stories(draw):
    case = {"tree": {"app.py": "a", "README.md": "a"}, "events": [*draw(events), {"complete": "Done."}]}
    case["accept"] = draw(st.lists(st.sampled_from(COMMANDS), unique=True, max_size=3))
    case["trust"] = draw(st.sampled_from(["agent", "harness"]))
    if draw(st.booleans()):
        case["checks"] = [{"id": "f", "kind": "file_exists", "target": draw(st.sampled_from(PATHS))}]
    if draw(st.booleans()):
        case["todos"] = [{"id": "a", "content": "step a"}]
    return case


def play(case):
    read = read_case(case, parse)
    return Story(read, parse).play(read.events)


def naive_tree(case, until):
    """The relevant tree before event number `until`, as a plain value."""
    tree = dict(case["tree"])
    for event in case["events"][:until]:
        if "write" in event:
            tree[event["write"]] = event["content"]
        elif "delete" in event:
            tree.pop(event["delete"], None)
    return {path: text for path, text in tree.items() if not path.startswith("tmp/")}


def naive_pass(case, command, at):
    """A plain run of the command, green on the tree of the attempt, by someone trusted, and never red there."""
    now = naive_tree(case, at)
    on_tree = [
        event
        for number, event in enumerate(case["events"][:at])
        if event.get("run") == command and naive_tree(case, number) == now
    ]
    green = [e for e in on_tree if e["exit"] == 0 and (case["trust"] == "agent" or e.get("by") == "harness")]
    return bool(green) and all(event["exit"] == 0 for event in on_tree)


def accepted_at(case):
    """The number of the attempt with which the story was accepted; None when it was not."""
    for number, event in enumerate(case["events"]):
        if "complete" in event and play(case | {"events": case["events"][: number + 1]}).status == "accepted":
            return number
    return None


@settings(max_examples=many(1500))
@given(stories())
def test_nothing_is_accepted_while_a_declared_command_lacks_fresh_trusted_unmasked_evidence(case):
    at = accepted_at(case)
    if at is not None:
        assert all(naive_pass(case, command, at) for command in case["accept"])
        for check in case.get("checks", []):
            assert check["target"] in naive_tree(case, at) or check["target"].startswith("tmp/")


@settings(max_examples=many(600))
@given(stories(), st.lists(unrelated, min_size=1, max_size=3))
def test_an_unrelated_event_never_turns_a_rejection_into_acceptance(case, extra):
    *before, last = case["events"]
    told = play(case)
    again = play(case | {"events": [*before, *extra, last]})
    if told.status != "accepted":
        assert again.status != "accepted"


@settings(max_examples=many(600))
@given(stories())
def test_what_has_ended_stays_as_it_ended(case):
    told = play(case)
    if told.stop_reason:
        more = [{"run": command, "exit": 0, "by": "harness", "output": GREEN} for command in COMMANDS]
        again = play(case | {"events": [*case["events"], *more, {"complete": "Done again."}]})
        assert (again.status, again.stop_reason) == (told.status, told.stop_reason)


@settings(max_examples=many(600))
@given(stories())
def test_more_trust_never_accepts_what_less_trust_refuses(case):
    if play(case | {"trust": "harness"}).status == "accepted":
        assert play(case | {"trust": "agent"}).status == "accepted"


@settings(max_examples=many(600))
@given(stories())
def test_a_story_told_twice_ends_the_same(case):
    assert play(case) == play(case)


@settings(max_examples=many(600))
@given(stories())
def test_acceptance_leaves_nothing_owed_and_a_refusal_names_what_is(case):
    told = play(case)
    if told.status == "accepted":
        assert told.findings.open_proofs == 0
    elif told.status == "continue":
        assert told.findings.open_proofs > 0
