"""Programs of others that are asked something: slow, loud or broken ones are no trouble and leave nobody behind."""

import os
import select
from pathlib import Path

import pytest

from donewhen.agents.clients.programs import codex_hooks, version_of
from tests.tables import table_test

ENV = {"PATH": os.environ["PATH"]}


def program(folder: Path, text: str) -> str:
    file = folder / "program"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


def gone(pid: int) -> bool:
    """Whether it ends: a process that was killed may take a moment to be gone."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with os.fdopen(handle, "rb", closefd=True):
        return bool(select.select([handle], [], [], 60)[0])


@table_test(
    ("text", "version"),
    [("echo tool 1.2; echo more", "tool 1.2"), ("exit 1", None), ("echo half; exit 3", None), ("true", None)],
)
def test_the_version_is_the_first_line(tmp_path: Path, text: str, version: str | None):
    assert version_of(program(tmp_path, text), ENV) == version


def test_a_version_may_be_long(tmp_path: Path):
    said = version_of(program(tmp_path, "head -c 1000000 /dev/zero | tr '\\0' x"), ENV)
    assert said == "x" * 80


@pytest.mark.runs
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
@table_test("ask", ["version", "hooks"])
def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path, ask: str):
    name = program(tmp_path, f"trap '' TERM; sleep 1000 & echo $! $$ > {tmp_path}/pids; wait")
    if ask == "version":
        assert version_of(name, ENV, seconds=1) is None
    else:
        assert codex_hooks(name, ENV, tmp_path, seconds=1) == []
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert all(gone(pid) for pid in pids)


def test_what_is_no_program_is_no_trouble(tmp_path: Path):
    assert version_of(str(tmp_path / "nothing"), ENV) is None
    assert codex_hooks(str(tmp_path / "nothing"), ENV, tmp_path) == []


@table_test(
    "answer",
    [
        '{"id":2,"result":null}',
        '{"id":2,"result":{"data":1}}',
        '{"id":2,"result":{"data":[1,{"hooks":7},{"hooks":[3]}]}}',
        '{"id":2,"error":{"code":1}}',
        "[]",
        "nonsense",
    ],
)
def test_odd_answers_are_none(tmp_path: Path, answer: str):
    assert codex_hooks(program(tmp_path, f"echo '{answer}'"), ENV, tmp_path) == []
