"""The chain names what was done to a ledger."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.chain import GENESIS, Finding, Head, examine, holds, link
from donewhen.core.events import Record

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
    assert examine(RUN, records, [("store", head_of(records)), ("head file", Head(4, records[3].hash))]) == []


def test_an_empty_ledger_has_no_findings():
    assert examine(RUN, [], []) == []


def test_an_edited_event_is_named():
    records = ledger(9)
    records[4] = records[4]._replace(payload='{"text":"x"}')
    assert examine(RUN, records) == [Finding("edited", 5, 5)]


def test_an_event_rewritten_with_its_hash_is_named():
    records = ledger(9)
    forged = link(Head(4, records[3].hash), RUN, records[4].at, "noted", 1, '{"text":"x"}')
    records[4] = forged
    assert examine(RUN, records) == [Finding("replaced", 5, 5)]


def test_a_forged_first_event_is_named():
    records = ledger(3)
    records[0] = link(Head(0, "1" * 64), RUN, records[0].at, "noted", 1, "{}")
    assert [f.fault for f in examine(RUN, records)] == ["replaced", "replaced"]


def test_a_missing_event_is_named():
    records = ledger(9)
    del records[4:6]
    assert examine(RUN, records) == [Finding("missing", 5, 6)]


def test_a_missing_first_event_is_named():
    assert examine(RUN, ledger(3)[1:]) == [Finding("missing", 1, 1)]


def test_swapped_events_are_named_with_their_places():
    records = ledger(9)
    records[2], records[5] = records[5]._replace(seq=3), records[2]._replace(seq=6)
    assert examine(RUN, records) == [Finding("reordered", 3, 3, "6"), Finding("reordered", 6, 6, "3")]


def test_a_removed_event_hidden_by_renumbering_is_named():
    records = ledger(5)
    records = records[:2] + [r._replace(seq=r.seq - 1) for r in records[3:]]
    assert examine(RUN, records, [("store", Head(5, records[-1].hash))]) == [
        Finding("missing", 3, 3),
        Finding("reordered", 4, 4, "3"),
        Finding("reordered", 5, 5, "4"),
    ]


def test_a_cut_tail_is_named_by_the_longest_head():
    records = ledger(9)
    heads = [("store", Head(6, records[5].hash)), ("head file", head_of(records))]
    assert examine(RUN, records[:6], heads) == [Finding("truncated", 7, 9)]


def test_a_rewritten_history_contradicts_the_head_file():
    records = ledger(5)
    heads = [("store", head_of(records)), ("head file", Head(4, "a" * 64))]
    assert examine(RUN, records, heads) == [Finding("head", 4, 4, "head file")]


def test_an_event_of_another_run_is_named():
    records = ledger(4)
    records[2] = ledger(4, "r-20261115043750-ffffff")[2]
    assert Finding("foreign", 3, 3, "r-20261115043750-ffffff") in examine(RUN, records)


def test_a_hole_of_any_size_is_one_finding():
    records = ledger(2)
    records.append(records[1]._replace(seq=10**15))
    findings = examine(RUN, records)
    assert len(findings) < 5


@settings(max_examples=300)
@given(st.integers(1, 12), st.randoms(use_true_random=False))
def test_no_single_change_goes_unseen(count, rng: random.Random):
    """Whatever one does to one field of one event, or to the list, shows."""
    records = ledger(count)
    kept = [("store", head_of(records))]
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
    assert examine(RUN, changed, kept) or field == "twice"


@given(st.lists(st.text(), max_size=8))
def test_each_record_holds_only_after_its_own_predecessor(payloads):
    head, heads, records = Head(0, GENESIS), [Head(0, GENESIS)], []
    for payload in payloads:
        records.append(link(head, RUN, "t", "noted", 1, payload))
        head = Head(records[-1].seq, records[-1].hash)
        heads.append(head)
    for i, record in enumerate(records):
        assert [holds(record, each) for each in heads] == [i == j for j in range(len(heads))]
