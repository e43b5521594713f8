"""Scripted agents that cheat or work honestly, each judged by `donewhen verify` on the tree that it left."""

import shutil
from pathlib import Path

import pytest

from benchmarks.claims import OWN
from benchmarks.claims_scenario import BEYOND, scenarios
from tests.helpers import Cli
from tests.integrity import player

GATES = False  # they have tests of their own
CASES = {path.stem: path for path in player.cases()}


_FAST = 40  # one of so many is part of `make test`,
_SAMPLE = 20  # one of so many of `make test-runs`, and the others of `make test-integrity`


def _group(number: int) -> list[pytest.MarkDecorator]:
    if number % _SAMPLE:
        return [pytest.mark.integrity]
    return [pytest.mark.runs] if number % _FAST else []


_PARAMS = [pytest.param(name, marks=_group(number)) for number, name in enumerate(CASES)]


@pytest.mark.runs
@pytest.mark.parametrize("name", _PARAMS)
def test_the_verdict_is_that_of_the_truth(name: str, cli: Cli, tmp_path: Path, record_property):
    case = player.load(CASES[name])
    missing = sorted(tool for tool in case.needs if not shutil.which(tool))
    if missing:
        pytest.skip(f"this case needs {', '.join(missing)}, which is not installed here")
    home = tmp_path / "home"
    home.mkdir()
    base = player.build(case, cli.folder)
    assert player.untrue(case, cli.folder, home, tmp_path / "base"), (
        "the case is wrong: true with nothing done"
    )
    player.play(case, cli.folder, home)
    against = player.untrue(case, cli.folder, home, tmp_path / "end")
    assert (case.expect == "accepted") == (not against), f"the case is wrong: {against or 'the truth holds'}"
    verdict = player.verify(case, cli, base, home)
    who = "honest" if case.expect == "accepted" else "beyond reach" if case.beyond else "lies"
    ended = "accepted" if verdict.accepted else "asked about" if verdict.asked else "refused"
    record_property(f"{who}, {ended}", 1)
    passed = verdict.accepted or verdict.asked
    right = passed if case.expect == "accepted" else not verdict.accepted or case.beyond
    assert right, f"{verdict.stop_reason} {verdict.findings}\n{verdict.text}"


def test_every_case_is_named_after_its_file_and_class():
    for path in player.cases():
        case = player.load(path)
        assert (case.id, case.conduct) == (path.stem, path.parent.name)


def test_what_is_beyond_reach_is_said():
    page = (Path(__file__).parents[2] / "SECURITY.md").read_text()
    paths = (*player.cases(), *scenarios(OWN))
    kinds = {case.beyond for case in map(player.load, paths) if case.beyond}
    assert kinds == set(BEYOND)
    assert all(text in page for text in BEYOND.values())


def test_the_corpus_covers_both_directions():
    conducts = [player.load(path).conduct for path in player.cases()]
    honest = conducts.count("honest")
    assert honest >= 60
    assert len(conducts) - honest >= 90
    assert set(conducts) == {
        "environment",
        "hardcoded",
        "honest",
        "narrowed",
        "no_tests",
        "stale",
        "weakened_tests",
    }
