"""The chain names what was done to a ledger."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.chain import GENESIS, Finding, Head, examine, holds, link
from donewhen.core.events import Record
from tests.examples import many

RUN = "r-20261115043750-0a1b2c"


def ledger(count: int, run_id: str = RUN) -> list[Record]:
    head, records = Head(0, GENESIS), []
    for n in range(count):
        records.append(link(head, run_id, "2026-11-15T04:37:50.000Z", "noted", 1, f'{{"text":"{n}"}}'))
        head = Head(records[-1].seq, records[-1].hash)
    return records


def head_of(records: list[Record]) -> Head:
    return Head(records[-1].seq, records[-1].hash)


def test_an_untouched_ledger_has_no_findings():
    records = ledger(9)
    assert examine(records, head_of(records), Head(4, records[3].hash)) == []


def test_an_empty_ledger_has_no_findings():
    assert examine([], None, None) == []


def test_an_edited_event_is_named():
    records = ledger(9)
    records[4] = records[4]._replace(payload='{"text":"x"}')
    assert examine(records, None, None) == [Finding("edited", 5, 5)]


def test_an_event_rewritten_with_its_hash_is_named():
    records = ledger(9)
    forged = link(Head(4, records[3].hash), RUN, records[4].at, "noted", 1, '{"text":"x"}')
    records[4] = forged
    assert examine(records, None, None) == [Finding("replaced", 5, 5)]


def test_a_forged_first_event_is_named():
    records = ledger(3)
    records[0] = link(Head(0, "1" * 64), RUN, records[0].at, "noted", 1, "{}")
    assert [f.fault for f in examine(records, None, None)] == ["replaced", "replaced"]


def test_a_missing_event_is_named():
    records = ledger(9)
    del records[4:6]
    assert examine(records, None, None) == [Finding("missing", 5, 6)]


def test_a_missing_first_event_is_named():
    assert examine(ledger(3)[1:], None, None) == [Finding("missing", 1, 1)]


def test_swapped_events_are_named_with_their_places():
    records = ledger(9)
    records[2], records[5] = records[5]._replace(seq=3), records[2]._replace(seq=6)
    assert examine(records, None, None) == [Finding("reordered", 3, 3, "6"), Finding("reordered", 6, 6, "3")]


def test_a_removed_event_hidden_by_renumbering_is_named():
    records = ledger(5)
    records = records[:2] + [r._replace(seq=r.seq - 1) for r in records[3:]]
    assert examine(records, Head(5, records[-1].hash), None) == [
        Finding("missing", 3, 3),
        Finding("reordered", 4, 4, "3"),
        Finding("reordered", 5, 5, "4"),
    ]


def test_a_cut_tail_is_named_by_the_longest_head():
    records = ledger(9)
    assert examine(records[:6], Head(6, records[5].hash), head_of(records)) == [Finding("truncated", 7, 9)]


def test_a_rewritten_history_contradicts_the_head_file():
    records = ledger(5)
    assert examine(records, head_of(records), Head(4, "a" * 64)) == [Finding("head", 4, 4, "head file")]


def test_an_event_of_another_run_is_named():
    records = ledger(4)
    records[2] = ledger(4, "r-20261115043750-ffffff")[2]._replace(run_id=RUN)
    assert examine(records, None, None) == [Finding("edited", 3, 3)]


def test_the_stores_head_is_the_last_event():
    records = ledger(5)
    for head in (Head(3, records[2].hash), Head(5, "a" * 64), Head(-3, "x")):
        assert examine(records, head, None) == [Finding("head", head.seq, head.seq, "store")]
    assert examine(records, head_of(records), Head(0, "x")) == [Finding("head", 0, 0, "head file")]


def test_an_event_that_stands_twice_is_named():
    records = ledger(3)
    forged = link(Head(1, records[0].hash), RUN, records[1].at, "noted", 1, '{"text":"x"}')
    findings = examine([records[0], forged, *records[1:]], head_of(records), None)
    assert Finding("duplicate", 2, 2) in findings


def test_many_removed_events_hidden_by_renumbering_are_named():
    records = ledger(40)
    kept = records[:5] + [r._replace(seq=r.seq - 20) for r in records[25:]]
    findings = examine(kept, head_of(records), None)
    assert findings[0] == Finding("missing", 6, 25)
    assert {finding.fault for finding in findings[1:]} == {"reordered"}


def test_a_hole_of_any_size_is_one_finding():
    records = ledger(2)
    records.append(records[1]._replace(seq=10**15))
    findings = examine(records, None, None)
    assert len(findings) < 5


@settings(max_examples=many(300))
@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_no_single_change_goes_unseen(count, rng: random.Random):
    """Whatever one does to one field of one event, or to the list, shows."""
    records = ledger(count)
    victim = rng.randrange(count)
    field = rng.choice([*Record._fields, "drop", "twice"])
    changed = list(records)
    if field == "drop":
        del changed[victim]
    elif field == "twice":
        changed.insert(victim, changed[victim])
    else:
        old = getattr(changed[victim], field)
        changed[victim] = changed[victim]._replace(**{field: old + (1 if isinstance(old, int) else "x")})
        changed.sort(key=lambda record: record.seq)
    assert examine(changed, head_of(records), None)


@given(st.lists(st.text(), max_size=8))
def test_each_record_holds_only_after_its_own_predecessor(payloads):
    head, heads, records = Head(0, GENESIS), [Head(0, GENESIS)], []
    for payload in payloads:
        records.append(link(head, RUN, "t", "noted", 1, payload))
        head = Head(records[-1].seq, records[-1].hash)
        heads.append(head)
    for i, record in enumerate(records):
        assert [holds(record, each) for each in heads] == [i == j for j in range(len(heads))]
