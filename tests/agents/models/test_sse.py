"""Server-sent events: the same events however the bytes are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.models.sse import Event, Events, TooLarge
from tests.tables import table_test


def read(chunks: list[bytes], **bounds: int) -> list[Event]:
    events = Events(**bounds)
    found = [event for chunk in chunks for event in events.feed(chunk)]
    return found + events.end()


@table_test(
    ("stream", "events"),
    [
        (b"data: a\n\n", [Event("", b"a")]),
        (b"data: a\r\n\r\ndata: b\r\rdata:c\n\n", [Event("", b"a"), Event("", b"b"), Event("", b"c")]),
        (b"event: ping\ndata: {}\n\ndata: x\n\n", [Event("ping", b"{}"), Event("", b"x")]),
        (b"data: a\ndata:  b\ndata\n\n", [Event("", b"a\n b\n")]),
        (b": comment\n\nid: 7\nretry: 3\nfoo\n\n", []),
        (b"\xef\xbb\xbfdata: a\n\n", [Event("", b"a")]),
        (b"data: a\n\ndata: b\n", [Event("", b"a"), Event("", b"b")]),
        (b"data: a\n\ndata: b", [Event("", b"a")]),
        (b"data: a\x0bb\x85\n\n", [Event("", b"a\x0bb\x85")]),
        (b"", []),
    ],
)
def test_events(stream, events):
    assert read([stream]) == events
    assert read([stream[at : at + 1] for at in range(len(stream))]) == events


_LINES = st.sampled_from(
    [b"data: x", b"data:", b": c", b"event: e", b"", b"id: 1", b"data: \xc3\xa4", b"junk", b"data: a:b"]
)
_ENDS = st.sampled_from([b"\n", b"\r", b"\r\n"])


@given(
    st.lists(st.tuples(_LINES, _ENDS), max_size=30).map(lambda lines: b"".join(a + b for a, b in lines)),
    st.binary(max_size=4),
    st.lists(st.integers(0, 300), max_size=8),
)
def test_any_cut_gives_the_same_events(stream, tail, cuts):
    stream += tail
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[a:b] for a, b in pairwise(places)]
    assert read(chunks) == read([stream])


def test_lines_and_events_are_bounded():
    with pytest.raises(TooLarge):
        read([b"data: ", b"x" * 50, b"x" * 51], longest_line=100)
    with pytest.raises(TooLarge):
        read([b"data: xxxx\n"] * 30, largest_event=100)
    assert len(read([b"data: xxxx\n\n"] * 100, largest_event=100)) == 100
