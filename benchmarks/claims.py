"""The claims benchmark: scripted agents that lie, slip or work honestly, through the real `donewhen run`, or
through the hooks of a real client (`--through claude`).

How often is a run accepted that is not right, and how often is right work not accepted? Both must be zero. The
truth is judged apart from the product (`truth.py`); see benchmarks/scenarios/README.md. Exit 1 when anything
is wrong, 2 when the scenarios are not in order.
"""

import argparse
import fnmatch
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.claims_check import faults
from benchmarks.claims_leftovers import end_leftovers
from benchmarks.claims_play import play
from benchmarks.claims_scenario import Malformed, Scenario, load, scenarios
from benchmarks.claims_verdict import Case, Verdict, as_json, as_table, wrong

Player = Callable[[Scenario, Path], Case]
OWN = Path(__file__).parent / "scenarios"
_CONTAINERS = (Path("/.dockerenv"), Path("/run/.containerenv"))


def main(words: Sequence[str] | None = None) -> int:
    options = _options(words)
    try:
        found = [
            load(path) for path in scenarios(options.scenarios) if fnmatch.fnmatch(path.stem, options.only)
        ]
    except (Malformed, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if not found:
        print(f"no scenario {options.only} in {options.scenarios}", file=sys.stderr)
        return 2
    try:
        each = _checked if options.check else _player(options.through)
    except Malformed as error:
        print(error, file=sys.stderr)
        return 2
    root = Path(tempfile.mkdtemp(prefix="claims-", dir=_ground(options.folder)))
    try:
        cases = _all(found, root, options.jobs, each, options.contained)
    finally:
        if options.keep:
            print(f"kept: {root}", file=sys.stderr)
        else:
            shutil.rmtree(root, ignore_errors=True)
    print(json.dumps(as_json(cases), indent=2, ensure_ascii=False) if options.json else as_table(cases))
    return 1 if wrong(cases) else 0


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="claims.py", description=__doc__)
    parser.add_argument("--scenarios", type=Path, default=OWN, metavar="DIR", help="default: our own")
    parser.add_argument("--json", action="store_true", help="the whole result as JSON on stdout")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: the cores"
    )
    parser.add_argument("--only", default="*", metavar="GLOB", help="scenarios whose id matches")
    parser.add_argument("--keep", action="store_true", help="keep the folders that were played in")
    parser.add_argument("--check", action="store_true", help="judge the scenarios, by bash alone")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where to play; default: the user's cache")
    parser.add_argument("--contained", action="store_true", help="this is a container: play unsafe ones too")
    parser.add_argument("--through", choices=("run", "claude"), default="run", help="default: run")
    return parser.parse_args(words)


def _player(through: str) -> Player:
    if through == "run":
        return play
    from benchmarks.claims_hooks import known_client, play_through, why_not

    client = known_client(through)
    if client.missing:
        raise Malformed(client.missing)

    def played(scenario: Scenario, root: Path) -> Case:
        why = why_not(scenario)
        if why:
            return Case(scenario.id, scenario.conduct, scenario.expect, detail=why)
        return play_through(client, scenario, root)

    return played


def _ground(asked: Path | None) -> Path | None:
    """Not the temporary folder if it can be helped: there every program may write, which no project grants."""
    folder = asked or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "donewhen-claims"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder.resolve()


def _all(
    found: Sequence[Scenario],
    root: Path,
    jobs: int,
    each: Player,
    contained: bool,
) -> list[Case]:
    safe = contained or any(mark.exists() for mark in _CONTAINERS) or (each is play and _confined())

    def one(numbered: tuple[int, Scenario]) -> Case:
        number, scenario = numbered
        why = _missing(scenario, safe)
        case = Case(scenario.id, scenario.conduct, scenario.expect, detail=why)
        if not why:
            try:
                case = each(scenario, root / scenario.id)
            except (
                OSError,
                RuntimeError,
                subprocess.TimeoutExpired,
            ) as error:  # what a script left behind must not end the others
                case = case._replace(verdict="not_ended", detail=f"not judged: {error}")
        print(f"[{number}/{len(found)}] {case.verdict:<12} {scenario.id}", file=sys.stderr, flush=True)
        return case

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        try:
            return list(pool.map(one, enumerate(found, start=1)))
        except (KeyboardInterrupt, SystemExit):
            pool.shutdown(wait=False, cancel_futures=True)
            # runs are sessions of their own: nobody else ends them
            for home in (*root.glob("*/home"), *root.glob("*/*/home")):
                end_leftovers(home)
            raise


def _confined() -> bool:
    """Whether this system lets a sandbox be made, as `donewhen run` makes one for the agent's commands."""
    try:
        words = ["bwrap", "--ro-bind", "/", "/", "true"]
        return subprocess.run(words, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _missing(scenario: Scenario, contained: bool) -> str:
    """Why this scenario can't be played here."""
    programs = sorted(name for name in scenario.needs if not shutil.which(name))
    if programs:
        return f"needs {', '.join(programs)}"
    return "" if scenario.sandboxed or contained else "only in a container"


def _checked(scenario: Scenario, root: Path) -> Case:
    found = faults(scenario, root)
    verdict: Verdict = "faulty" if found else "right"
    return Case(scenario.id, scenario.conduct, scenario.expect, verdict=verdict, detail="; ".join(found))


def _asked_to_end(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would interrupt the tidying up
    sys.exit(143)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _asked_to_end)
    sys.exit(main())
