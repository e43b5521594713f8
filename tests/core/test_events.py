"""The closed set of events, their versions and the golden ledgers."""

import json
from pathlib import Path

import pytest

from donewhen.core import events as registry
from donewhen.core.chain import GENESIS, Head, link
from donewhen.core.codec import to_json
from donewhen.core.events import DECISIONS, DURABLE, TYPES, body_class, decode, encode, facts, run, type_of
from donewhen.store.transfer import read_parcel
from tests.tables import table_test

GOLDEN = Path(__file__).parents[1] / "golden"


def test_every_body_is_registered_under_its_name():
    classes = {n for m in (run, facts) for n, c in vars(m).items() if hasattr(c, "_fields")}
    assert {name for _, name, _ in TYPES.values()} == classes
    for kind in TYPES:
        assert type_of(body_class(kind)(*range(len(body_class(kind)._fields)))) == kind  # type: ignore[attr-defined]


def test_durable_and_decisive_types_exist():
    assert set(TYPES) >= DURABLE | DECISIONS
    assert DECISIONS <= DURABLE


def record(kind: str, version: int, payload: str) -> registry.Record:
    return link(Head(0, GENESIS), "r", "t", kind, version, payload)


@table_test(
    ("kind", "version", "payload", "why"),
    [
        ("invented", 1, "{}", "unknown event type 'invented'"),
        ("noted", 2, '{"text":"x"}', "version 2 of 'noted' is newer"),
        ("noted", 0, '{"text":"x"}', "version 0 of 'noted' is unknown"),
        ("noted", 1, "{}", "missing field 'text'"),
        ("noted", 1, "not json", "Expecting value"),
    ],
)
def test_what_can_not_be_an_event_is_refused(kind, version, payload, why):
    with pytest.raises(ValueError, match=why):
        decode(record(kind, version, payload))


def test_an_older_payload_is_lifted(monkeypatch):
    monkeypatch.setitem(registry.TYPES, "noted", ("run", "Noted", 2))
    monkeypatch.setitem(registry.LIFTS, ("noted", 1), lambda data: {"text": data["message"]})
    assert decode(record("noted", 1, '{"message":"hello"}')).body == run.Noted("hello")


@table_test("file", sorted(GOLDEN.glob("ledger-v*.jsonl")), ids=lambda path: path.stem)
def test_golden_ledgers_of_every_version_still_load(file: Path):
    with file.open("rb") as lines:
        parcel = read_parcel(lines, file.name)
    expected = json.loads(file.with_suffix(".expected.json").read_text())
    assert [[r.type, to_json(decode(r).body)] for r in parcel.records] == expected


def test_the_golden_ledgers_hold_every_type():
    lines = [line for file in GOLDEN.glob("ledger-v*.jsonl") for line in file.read_text().splitlines()[1:]]
    kinds = {json.loads(line)["event"]["type"] for line in lines if '"event"' in line}
    assert kinds == set(TYPES)


def test_encoding_is_stable_text():
    assert encode(run.Noted("grün", "warning")) == '{"text":"grün","level":"warning"}'
