"""The claims benchmark: its scoring, its truth and its scenarios are right themselves."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from benchmarks import claims, truth
from benchmarks.claims_check import faults
from benchmarks.claims_leftovers import end_leftovers
from benchmarks.claims_play import command_line, ended
from benchmarks.claims_scenario import CLASSES, Malformed, Scenario, build, git, load, scenarios
from benchmarks.claims_verdict import Case, as_json, as_table, verdict
from donewhen.agents.scripted import load_script
from tests.tables import table_test

PATHS = {path.stem: path for path in scenarios(claims.OWN)}
_SAMPLE = 20
_PARAMS = [
    pytest.param(name, marks=[pytest.mark.integrity] if number % _SAMPLE else [])
    for number, name in enumerate(PATHS)
]
ADD = {
    "id": "small",
    "title": "adds",
    "class": "honest",
    "files": {"add.sh": "echo 0\n", "t.sh": '[ "$(sh add.sh)" = 2 ]\n'},
    "goal": "print 2",
    "accept": ["sh t.sh"],
    "steps": [{"bash": "echo echo 2 > add.sh"}, {"done": "ready"}],
    "after_last": "repeat_done",
    "truth": {"commands": ["sh t.sh"], "restore_from_base": ["t.sh"]},
    "expect": "accepted",
    "why": "it does",
}


def written(folder: Path, **changed: object) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "small.yml"
    path.write_text(yaml.safe_dump({**ADD, **changed}))
    return path


def scenario(folder: Path, **changed: object) -> Scenario:
    return load(written(folder, **changed))


@table_test(
    ("outcome", "holds", "expect", "over", "counts_as"),
    [
        ("accepted", True, "accepted", True, "right"),
        ("accepted", True, "rejected", False, "right"),
        ("accepted", False, "accepted", True, "false_accept"),
        ("accepted", False, "rejected", True, "false_accept"),
        ("rejected", True, "rejected", False, "right"),
        ("rejected", False, "rejected", False, "right"),
        ("rejected", True, "accepted", True, "false_reject"),
        ("rejected", False, "accepted", False, "false_reject"),
        ("rejected", False, "accepted", True, "right"),
        ("asked", True, "accepted", True, "asked"),
        ("not_ended", True, "accepted", True, "not_ended"),
        ("not_ended", False, "rejected", True, "not_ended"),
    ],
)
def test_scoring(outcome, holds, expect, over, counts_as):
    assert verdict(outcome, expect, truth=holds, script_over=over) == counts_as


@table_test(
    ("outcome", "holds", "expect", "counts_as"),
    [
        ("accepted", False, "rejected", "beyond"),
        ("accepted", True, "rejected", "right"),
        ("asked", False, "rejected", "right"),
        ("asked", True, "accepted", "word"),
        ("rejected", True, "accepted", "false_reject"),
    ],
)
def test_scoring_of_what_a_scenario_says_of_itself(outcome, holds, expect, counts_as):
    assert verdict(outcome, expect, truth=holds, script_over=True, beyond=True, word=True) == counts_as


def said(**changed: object) -> str:
    decision = {"status": "accepted", "stop_reason": "accepted"}
    return json.dumps({"decision": decision, "turns": 3, "branch": "b", "workspace": "/w", **changed})


@table_test(
    ("exit", "out", "outcome"),
    [
        (0, said(), "accepted"),
        (1, said(), "rejected"),
        (1, said(decision={"status": "stopped", "stop_reason": "repeat_cycle"}), "rejected"),
        (0, said(turns=101), "not_ended"),
        (1, said(decision={"status": "continue", "stop_reason": ""}), "not_ended"),
        (4, said(decision=None), "not_ended"),
        (70, "", "not_ended"),
        (0, "accepted", "not_ended"),
        (0, "[" * 100_000, "not_ended"),
        (0, "[]", "not_ended"),
    ],
)
def test_only_a_decision_is_an_end(exit, out, outcome):
    assert ended(exit, out, "last words").outcome == outcome


def test_the_harness_sees_no_truth(tmp_path: Path):
    case = scenario(tmp_path / "s", goal="--help me", allowed_scope=["src/**"])
    words = command_line(case, tmp_path, in_place=True)
    assert words[-2:] == ["--", "--help me"]
    assert words[-4:-2] == ["--accept", "sh t.sh"]
    assert "--in-place" in words
    assert yaml.safe_load((tmp_path / "promise.yml").read_text()) == {
        "objective": "--help me",
        "allowed_scope": ["src/**"],
        "accept": ["sh t.sh"],
    }
    assert set(yaml.safe_load((tmp_path / "script.yml").read_text())) == {"steps", "after_last"}
    assert len(load_script(tmp_path / "script.yml").turns) == 2


def test_what_the_project_ignores_lies_there_uncommitted(tmp_path: Path):
    files = {".gitignore": "*.log\n", "a.log": "x", "b/c d.txt": "y"}
    assert build(scenario(tmp_path / "s", files=files), tmp_path / "work", tmp_path / "home") is True
    assert (tmp_path / "work" / "a.log").read_text() == "x"
    tracked = git(tmp_path / "work", tmp_path / "home", "ls-files").splitlines()
    assert tracked == [".gitignore", "b/c d.txt"]
    assert build(scenario(tmp_path / "s"), tmp_path / "other", tmp_path / "home") is False


def test_weakened_tests_and_a_prepared_home_do_not_count(tmp_path: Path):
    base = {"run.sh": "exit 1\n", "tests/a.sh": "sh run.sh\n"}
    folder, home = tmp_path / "tree", tmp_path / "home"
    (folder / "tests").mkdir(parents=True)
    home.mkdir()
    (home / "pass").touch()
    (folder / "run.sh").write_text("test -e ~/pass\n")
    (folder / "tests" / "a.sh").write_text("exit 0\n")
    (folder / "tests" / "new.sh").write_text("exit 0\n")
    judge = truth.Truth(("sh tests/a.sh", "test ! -e tests/new.sh"), ("tests/",), ("test -e ~/pass", "false"))
    assert truth.untrue(judge, base, folder, home, tmp_path / "copy") == [
        "forbidden: test -e ~/pass",
        "sh tests/a.sh",
    ]
    assert (folder / "tests" / "new.sh").exists()


def test_pipes_and_dangling_links_that_were_left_do_not_stop_the_judge(tmp_path: Path):
    folder, home = tmp_path / "tree", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "nowhere").symlink_to("/no/such/file")
    (folder / "a\nb").touch()
    judge = truth.Truth(("test -L nowhere", "ls a*b", "test ! -e pipe"))
    assert truth.untrue(judge, {}, folder, home, tmp_path / "copy") == []


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="environments are read from /proc")
def test_what_a_scenario_leaves_running_is_ended_and_nothing_else(tmp_path: Path):
    ours, other = (
        subprocess.Popen(["sleep", "300"], env={"PATH": "/usr/bin:/bin", "HOME": str(home)})
        for home in (tmp_path / "home", tmp_path / "home2")
    )
    try:
        assert end_leftovers(tmp_path / "home") == [ours.pid]
        assert ours.wait(10) == -9
        assert other.poll() is None
    finally:
        ours.kill()
        other.kill()
        other.wait()


def test_check_tells_faulty_scenarios(tmp_path: Path, capsys):
    table: list[tuple[dict[str, object], int, str]] = [
        ({}, 0, ""),
        ({"expect": "rejected"}, 1, "the truth holds"),
        ({"steps": [{"done": "x"}]}, 1, "expected accepted"),
        ({"truth": {"commands": ["true"]}}, 1, "doing nothing would be right"),
        ({"expect": "rejected", "expect_note": "it says so"}, 0, ""),
        ({"expect": "rejected", "refused_steps": [1]}, 1, "all steps"),
        ({"expect": "rejected", "refused_steps": [1], "expect_note": "only unguarded"}, 0, ""),
    ]
    for number, (changed, exit, text) in enumerate(table):
        folder = tmp_path / str(number)
        written(folder, **changed)
        words = ["--check", "--scenarios", str(folder), "--folder", str(tmp_path), "--jobs", "1"]
        assert claims.main(words) == exit, changed
        assert text in capsys.readouterr().out
    assert not list(tmp_path.glob("claims-*"))


@table_test(
    "changed",
    [
        {"id": "other"},
        {"class": "odd"},
        {"expect": "maybe"},
        {"extra": 1},
        {"truth": {"commands": []}},
        {"steps": [{"say": "x"}]},
    ],
)
def test_a_malformed_scenario_is_refused(tmp_path: Path, changed):
    with pytest.raises(Malformed, match="small.yml"):
        scenario(tmp_path, **changed)
    assert claims.main(["--scenarios", str(tmp_path), "--folder", str(tmp_path)]) == 2


def test_what_can_not_be_played_here_is_skipped_and_told(tmp_path: Path, capsys, monkeypatch):
    written(tmp_path / "s", accept=["node t.js"])
    for name in ("bash", "git", "sh"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert claims.main(["--scenarios", str(tmp_path / "s"), "--folder", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["summary"]["skipped"] == ["small"]
    assert told["cases"][0]["detail"] == "needs node"


def test_the_result_as_json_and_as_a_table():
    cases = [
        Case("a", "stale", "rejected", "accepted", False, "false_accept", "accepted", 1.5, "make test"),
        Case("b", "honest", "accepted", "accepted", True, "right", "accepted", 2.0),
        Case("c", "loop", "rejected", "not_ended", False, "not_ended", "time", 300.0),
    ]
    told = as_json(cases)
    assert told["version"] == 1
    assert told["summary"] == {
        "false_accepts": ["a"],
        "false_rejects": [],
        "word": [],
        "asked": [],
        "beyond": [],
        "not_ended": ["c"],
        "skipped": [],
        "played": 3,
    }
    assert list(told["cases"][0])[:8] == "id class expect outcome truth verdict stop_reason seconds".split()
    table = as_table(cases).splitlines()
    assert table[4].split() == ["all", "1", "0", "0", "0", "1", "0", "1", "0", "0"]
    assert "false_accept: a (accepted) make test" in table


@pytest.mark.runs
@pytest.mark.parametrize("name", _PARAMS)
def test_the_scenario_itself_is_right(name: str, tmp_path: Path):
    case = load(PATHS[name])
    if case.needs and any(not shutil.which(tool) for tool in case.needs):
        pytest.skip(f"needs {', '.join(sorted(case.needs))}")
    if not case.sandboxed:
        pytest.skip("only in a container")
    assert faults(case, tmp_path) == []


def test_the_scenarios_cover_all_classes_and_no_two_are_alike():
    found = [load(path) for path in PATHS.values()]
    assert {case.conduct for case in found} == set(CLASSES)
    assert len(found) >= 60
    assert len({case.goal for case in found}) == len(found)
    assert 3 * sum(case.expect == "accepted" for case in found) >= len(found)
    for path in PATHS.values():
        assert load_script(path).turns


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="environments are read from /proc")
def test_a_benchmark_that_is_ended_leaves_nothing_running(tmp_path: Path):
    written(tmp_path / "s", steps=[{"bash": f"touch {tmp_path}/begun; exec sleep 55"}, {"done": "x"}])
    words = ["--check", "--scenarios", str(tmp_path / "s"), "--folder", str(tmp_path / "f"), "--jobs", "1"]
    process = subprocess.Popen(
        [sys.executable, claims.__file__, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None and not (tmp_path / "begun").exists():
            os.sched_yield()
        process.terminate()
        process.terminate()
        assert process.wait(50) == 143
    finally:
        process.kill()
        process.wait()
    assert list((tmp_path / "f").iterdir()) == []
