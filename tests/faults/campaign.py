"""The campaign: scripted runs are killed at named points, at random points and at random moments.

`python -m tests.faults.campaign --kills 500 --jobs 2 [--json FILE] [--seed N] [--play NAME]` prints what was
injected and what came of it; exit 1 when a run was lost, an effect doubled or anything left behind.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.faults.aftermath import Aftermath
from tests.faults.killing import Case, Told, disturbed, points, undisturbed
from tests.faults.plays import PLAYS, Play
from tests.faults.stage import Stage


class Known(NamedTuple):
    """A play as it goes undisturbed."""

    play: Play
    want: Aftermath
    points: tuple[str, ...]


def rehearse(play: Play, folder: Path) -> Known:
    stage = Stage(folder, play)
    return Known(play, undisturbed(stage), tuple(points(stage)))


def plan(known: Sequence[Known], kills: int, seed: int) -> list[Case]:
    """Each named point once, over all plays; then random points and moments, some of them one after another."""
    rng = random.Random(seed)
    named = list(_named(known))
    rng.shuffle(named)
    cases, left = named[: max(1, kills // 3)], kills - min(len(named), max(1, kills // 3))
    while left > 0:
        one = known[len(cases) % len(known)]
        chain = tuple(_random(one, rng) for _ in range(min(left, rng.choice((1, 2, 2, 3, 5)))))
        cases.append(Case(one.play, chain, rng.randrange(2**31)))
        left -= len(chain)
    return cases


def _named(known: Sequence[Known]) -> Iterator[Case]:
    seen: Counter[str] = Counter()
    for one in known:
        times: Counter[str] = Counter()
        for name in one.points:
            times[name] += 1
            seen[name] += 1
            if times[name] <= 2 and seen[name] <= 12:
                yield Case(one.play, (f"{name}@{times[name]}",))


def _random(one: Known, rng: random.Random) -> str:
    place = rng.randint(1, len(one.points))
    return f"~{place // 2}" if rng.random() < 0.3 else str(place)


def carry_out(cases: Sequence[Case], known: Mapping[str, Known], jobs: int, folder: Path) -> Iterator[Told]:
    def one(numbered: tuple[int, Case]) -> Told:
        number, case = numbered
        base = folder / f"case-{number}"
        base.mkdir()
        try:
            told = disturbed(case, base, known[case.play.name].want)
        except AssertionError as error:  # a command of the human's failed
            told = Told(case, lost=(f"not played to its end: {error}",))
        if not told.problems:
            shutil.rmtree(base)
        return told

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(one, enumerate(cases))


def summary(told: Sequence[Told]) -> dict[str, object]:
    kinds = Counter(kind for each in told for kind in each.kinds)
    return {
        "version": 1,
        "runs": len(told),
        "faults": dict(sorted(kinds.items())),
        "kills": sum(kinds.values()),
        "killed_again": sum(max(0, len(each.kinds) - 1) for each in told),
        "runs_lost": sum(bool(each.lost) for each in told),
        "effects_doubled": sum(len(each.doubled) for each in told),
        "orphans": sum(len(each.orphans) for each in told),
        "problems": [
            {"play": each.case.play.name, "kills": list(each.case.kills), "problems": list(each.problems)}
            for each in told
            if each.problems
        ],
    }


def table(counts: Mapping[str, object]) -> str:
    faults = counts["faults"]
    assert isinstance(faults, dict)
    rows = [(f"kill -9 at a {kind}", number) for kind, number in faults.items()]
    for name in ("kills", "killed_again", "runs", "runs_lost", "effects_doubled", "orphans"):
        rows.append((name.replace("_", " "), counts[name]))
    return "\n".join(f"{name:<28}{number!s:>6}" for name, number in rows)


def campaign(
    plays: Sequence[Play], kills: int, jobs: int, seed: int, folder: Path
) -> tuple[dict[str, object], list[Told]]:
    with ThreadPoolExecutor(jobs) as pool:
        folders = [folder / f"play-{number}" for number in range(len(plays))]
        known = list(pool.map(rehearse, plays, folders))
    told = []
    for each in carry_out(plan(known, kills, seed), {one.play.name: one for one in known}, jobs, folder):
        told.append(each)
        for problem in each.problems:
            print(f"{each.case.play.name}, {' '.join(each.case.kills)}: {problem}", file=sys.stderr)
    return summary(told), told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=int(os.environ.get("DONEWHEN_TEST_KILLS", "500")))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--play", action="append", default=[])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    plays = [play for play in PLAYS if not given.play or any(name in play.name for name in given.play)]
    folder = Path(tempfile.mkdtemp(prefix="donewhen-faults-"))
    counts, _ = campaign(plays, given.kills, given.jobs, given.seed, folder)
    print(table(counts))
    if given.json:
        given.json.write_text(json.dumps(counts, indent=1) + "\n")
    if counts["problems"]:
        print(f"what they left is in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
