"""What was said, folded from events: every call has its answer beside it, and nothing changes once it is told."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.chat import AgentSaid, Said, ToolSaid, UserSaid
from donewhen.core.events import Body, facts
from donewhen.core.transcript import Transcript

TURNS = st.lists(
    st.tuples(
        st.lists(st.text(max_size=5), max_size=2),  # told
        st.integers(0, 3),  # calls
        st.lists(st.booleans(), min_size=3, max_size=3),  # which of them came to an end
        st.permutations(range(3)),  # in which order
    ),
    max_size=6,
)


def events(turns: list[tuple[list[str], int, list[bool], list[int]]]) -> list[list[Body]]:
    found: list[list[Body]] = []
    for turn, (told, calls, ended, order) in enumerate(turns, 1):
        requests = tuple({"id": f"c{n}", "tool": "read_file", "args": {"path": str(n)}} for n in range(calls))
        bodies: list[Body] = [facts.AgentTold("note", text) for text in told]
        bodies.append(facts.AgentStepped(turn, f"step {turn}", requests=requests))
        bodies += [facts.ToolCalled(f"{turn}/{n}", "read_file", id=f"c{n}") for n in range(calls)]
        bodies += [
            facts.ToolReturned(f"{turn}/{n}", "read_file", True, f"result {turn}/{n}")
            for n in order
            if n < calls and ended[n]
        ]
        found.append(bodies)
    return found


def said(transcript: Transcript) -> list[Said]:
    pieces = (transcript.pieces(exchange) for exchange in transcript.exchanges)
    return [piece.said for each in pieces for piece in each]


@given(TURNS)
def test_every_call_has_one_answer_in_its_place(turns):
    transcript = Transcript("undone")
    for bodies in events(turns):
        for body in bodies:
            transcript.take(body)
    heard = said(transcript)
    while heard:
        first = heard.pop(0)
        assert not isinstance(first, ToolSaid)
        if isinstance(first, AgentSaid):
            answers = [heard.pop(0) for _ in first.calls]
            assert [each.id for each in answers if isinstance(each, ToolSaid)] == [c.id for c in first.calls]


@given(TURNS)
def test_what_was_told_stays_as_it_is(turns):
    transcript = Transcript("undone")
    before: list[Said] = []
    for bodies in events(turns):
        for body in bodies:
            transcript.take(body)
        heard = said(transcript)
        assert heard[: len(before)] == before
        before = heard


@given(TURNS)
def test_a_process_that_goes_on_reads_the_same(turns):
    asked, afresh = Transcript("undone"), Transcript("undone")
    flat = [body for bodies in events(turns) for body in bodies]
    for bodies in events(turns):
        for body in bodies:
            asked.take(body)
        said(asked)  # a model was asked at every turn
    for body in flat:
        afresh.take(body)
    assert said(asked) == said(afresh)


def test_results_come_in_the_order_of_the_calls_and_a_lost_one_is_told():
    transcript = Transcript("interrupted and undone")
    requests = ({"id": "a", "tool": "grep", "args": {}}, {"id": "b", "tool": "glob", "args": {}})
    for body in (
        facts.AgentTold("goal", "do it"),
        facts.AgentStepped(1, "I look", requests=requests),
        facts.ToolCalled("k1", "grep", id="a"),
        facts.ToolCalled("k2", "glob", id="b"),
        facts.ToolReturned("k2", "glob", True, "b.py"),
        facts.AgentTold("note", "go on"),
    ):
        transcript.take(body)
    first, step, lost, found, note = said(transcript)
    assert (first, note) == (UserSaid("do it"), UserSaid("go on"))
    assert isinstance(step, AgentSaid)
    assert lost == ToolSaid("a", "grep", False, "interrupted and undone")
    assert found == ToolSaid("b", "glob", True, "b.py")
