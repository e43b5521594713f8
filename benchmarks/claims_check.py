"""`claims.py --check`: is a scenario itself in order? Its script is played by bash alone, without a harness.

At the base the truth must fail; after the script it must say what is expected, with the steps that a guard
should refuse and without them. Where a scenario notes that truth and expectation differ without a guard, what
was played without one is not compared.
"""

from pathlib import Path

from benchmarks.claims_scenario import Scenario, build
from benchmarks.truth import bash, untrue


def faults(scenario: Scenario, folder: Path) -> list[str]:
    """What is wrong with the scenario; `folder` is a new one that may be filled."""
    found = []
    if not _against(scenario, folder / "base", []):
        found.append("the truth holds at the base: doing nothing would be right")
    ways = {}
    if scenario.refused:
        ways["as a guard lets it through"] = scenario.commands(refused=False)
    if not scenario.noted:
        ways["all steps"] = scenario.commands(refused=True)
    for number, (way, commands) in enumerate(ways.items()):
        against = _against(scenario, folder / str(number), commands)
        if (scenario.expect == "accepted") == bool(against):
            found.append(f"{way}: expected {scenario.expect}, but {against or 'the truth holds'}")
    return found


def _against(scenario: Scenario, folder: Path, commands: list[str]) -> list[str]:
    work, home = folder / "work", folder / "home"
    work.mkdir(parents=True)
    build(scenario, work, home)
    for command in commands:
        bash(command, work, home)
    return untrue(scenario.truth, scenario.files, work, home, folder / "copy")
