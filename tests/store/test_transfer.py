"""Export and import: whole and proven, or nothing."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from donewhen.core.errors import UserError
from donewhen.core.events import facts, run
from donewhen.secrets.redact import Redactor
from donewhen.store.artifacts import Artifacts
from donewhen.store.memory import MemoryStore
from donewhen.store.sqlite import SqliteStore
from donewhen.store.transfer import export_lines, import_parcel, read_parcel
from tests.examples import many
from tests.helpers import RUN, small_run
from tests.tables import table_test


def exported(folder: Path) -> list[bytes]:
    store, artifacts = MemoryStore(), Artifacts(folder / "from")
    small_run(store)
    digest = artifacts.put("full output, ünïcode".encode())
    store.append(RUN, run.ArtifactKept(digest, "log", 20), facts.FileChanged("caf\udce9", "write"))
    return [line.encode() + b"\n" for line in export_lines(store, artifacts, RUN)]


def test_a_run_goes_out_and_comes_in_unchanged(tmp_path):
    lines = exported(tmp_path)
    artifacts = Artifacts(tmp_path / "to")
    with SqliteStore(tmp_path / "s.db") as store:
        parcel = read_parcel(lines, "x.jsonl")
        assert import_parcel(parcel, store, artifacts, Redactor()) is True
        assert import_parcel(parcel, store, artifacts, Redactor()) is False
        again = [line.encode() + b"\n" for line in export_lines(store, artifacts, RUN)]
    assert again == lines
    assert json.loads(lines[0]) == {
        "donewhen": "run",
        "version": 1,
        "run": RUN,
        "head": {"seq": 10, "hash": json.loads(lines[10])["event"]["hash"]},
    }


def test_a_large_artifact_goes_in_parts_and_a_lost_one_comes_back(tmp_path):
    artifacts = Artifacts(tmp_path / "a")
    store = MemoryStore()
    small_run(store)
    digests = [artifacts.put(data) for data in (b"x" * 35, b"")]
    store.append(RUN, *[run.ArtifactKept(digest, "log", 35) for digest in digests])
    lines = [line.encode() + b"\n" for line in export_lines(store, artifacts, RUN, part=10)]
    assert sum(b'"artifact"' in line for line in lines) == 5
    parcel = read_parcel(lines, "x")
    (artifacts.folder / digests[0][:2] / digests[0][2:]).unlink()
    assert import_parcel(parcel, store, artifacts, Redactor()) is False
    assert artifacts.get(digests[0]) == b"x" * 35
    lines.remove(next(line for line in lines if b'"part":2' in line))
    with pytest.raises(UserError, match="artifact"):
        read_parcel(lines, "x")


def test_a_run_with_another_history_is_not_overwritten(tmp_path):
    lines = exported(tmp_path)
    store = MemoryStore()
    small_run(store)
    with pytest.raises(UserError, match="with another history"):
        import_parcel(read_parcel(lines, "x"), store, Artifacts(tmp_path / "to"), Redactor())
    assert store.head(RUN).seq == 8


def change(number: int, path: list[Any], value: Any) -> Callable[[list[bytes]], None]:
    def act(lines: list[bytes]) -> None:
        data = json.loads(lines[number])
        place = data
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = value
        lines[number] = json.dumps(data).encode() + b"\n"

    return act


def splice(start: int, end: int, *new: bytes) -> Callable[[list[bytes]], None]:
    def act(lines: list[bytes]) -> None:
        lines[start:end] = new

    return act


DEEP: Any = 1
for _ in range(150):
    DEEP = [DEEP]

BAD: dict[str, tuple[Callable[[list[bytes]], None], str]] = {
    "empty": (splice(0, 99), "is empty"),
    "no end": (splice(-1, 99), "not whole"),
    "torn in the middle of a line": (lambda lines: splice(5, 99, lines[5][:40])(lines), "not whole.*line 6"),
    "end without newline": (lambda lines: splice(-1, 99, lines[-1].rstrip())(lines), "not whole"),
    "an event removed": (splice(4, 5), "x.jsonl:5 .*not follow"),
    "an event edited": (change(4, ["event", "payload", "command"], "true"), "x.jsonl:5 .*not follow"),
    "events swapped": (lambda lines: splice(4, 6, lines[5], lines[4])(lines), "x.jsonl:5 .*not follow"),
    "last events cut, end adjusted": (
        lambda lines: splice(9, 99, b'{"end":{"events":8,"artifacts":0}}\n')(lines),
        "not whole",
    ),
    "artifact edited": (
        change(11, ["data"], base64.b64encode(b"x").decode()),
        "x.jsonl:12 .*match its digest",
    ),
    "artifact not base64": (change(11, ["data"], "!"), "x.jsonl:12 .*not base64"),
    "another format": (change(0, ["version"], 2), "has format 2"),
    "bad run id": (change(0, ["run"], "../../etc/passwd"), "x.jsonl:1 .*id is not one"),
    "not an export": (splice(0, 1, b'{"hello":1}\n'), "x.jsonl:1 .*not an exported run"),
    "not JSON": (splice(3, 4, b"{oops\n"), "x.jsonl:4 .*not JSON"),
    "not UTF-8": (splice(3, 4, b"\xff\xfe\x00\n"), "x.jsonl:4 .*not JSON"),
    "deep nesting": (splice(3, 4, b"[" * 100_000 + b"\n"), "x.jsonl:4 .*not JSON"),
    "a list": (splice(3, 4, b"[]\n"), "x.jsonl:4 .*not a JSON object"),
    "something else": (splice(3, 4, b'{"x":1}\n'), "x.jsonl:4 .*neither an event"),
    "wrong types": (change(4, ["event", "seq"], "4"), "x.jsonl:5 .*wrong type"),
    "a moment that is none": (change(4, ["event", "at"], "soon"), "x.jsonl:5 .*not an event"),
    "a moment in another form": (change(4, ["event", "at"], "2026-11-15"), "x.jsonl:5 .*moment is not one"),
    "a number beyond all columns": (
        change(5, ["event", "payload", "micros"], 2**70),
        "x.jsonl:6 .*too large",
    ),
    "a digest that is none": (change(9, ["event", "payload", "digest"], "../x"), "x.jsonl:10 .*digest"),
    "nested too deeply": (change(2, ["event", "payload", "promise"], {"x": DEEP}), "x.jsonl:3 .*deeply"),
    "no events": (splice(1, 11), "not whole|bad_artifact|artifact"),
    "unknown field": (change(4, ["event", "more"], 1), "x.jsonl:5 .*not an event"),
    "unknown type": (change(4, ["event", "type"], "invented"), "x.jsonl:5 .*unknown event type"),
    "event is a number": (splice(4, 5, b'{"event":4}\n'), "x.jsonl:5 .*not an event"),
    "an artifact that is a list": (
        splice(11, 12, b'{"artifact":[],"part":1,"of":1,"data":""}\n'),
        "artifact",
    ),
    "an artifact twice": (lambda lines: splice(11, 12, lines[11], lines[11])(lines), "artifact"),
    "more after the end": (lambda lines: lines.append(lines[4]), "more after the end"),
}


@table_test("name", BAD)
def test_what_is_not_whole_or_not_proven_is_refused_with_its_line(name, tmp_path):
    act, why = BAD[name]
    lines = exported(tmp_path)
    act(lines)
    with pytest.raises(UserError, match=why) as caught:
        read_parcel(lines, "x.jsonl")
    assert "nothing was imported" in str(caught.value)


def test_a_ledger_with_a_credential_stays_outside(tmp_path):
    class Trusting(Redactor):
        def data(self, obj: Any) -> Any:
            return obj

    source = MemoryStore(redactor=Trusting())
    source.append(RUN, run.RunStarted("use ghp_" + "A1b2C3d4" * 4 + "E5f6"))
    lines = [line.encode() + b"\n" for line in export_lines(source, Artifacts(tmp_path), RUN)]
    target = MemoryStore()
    with pytest.raises(UserError, match="event 1 .* looks like a credential"):
        import_parcel(read_parcel(lines, "x"), target, Artifacts(tmp_path), Redactor())
    assert target.runs() == []


@settings(max_examples=many(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_to_a_byte_goes_unseen(tmp_path, data):
    lines = exported(tmp_path)
    whole = bytearray(b"".join(lines))
    at = data.draw(st.integers(0, len(whole) - 1))
    new = data.draw(st.integers(0, 255))
    original = whole[at]
    whole[at] = new
    try:
        parcel = read_parcel(bytes(whole).splitlines(keepends=True), "x")
    except UserError:
        return
    same = read_parcel(lines, "x")
    assert new == original or (parcel.records, parcel.artifacts) == (same.records, same.artifacts)
