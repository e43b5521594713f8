"""Plays real commits of public projects through `donewhen verify`: are honest changes accepted, and cheats not?

The list (histories.json) names projects and commits; `--clones DIR` holds a clone of each, `--prepare` sets their
environments up in DIR/.envs. Rows: `honest` (no goal), `goal` (the commit message as goal), `parent` (tests of the
commit, code of its parent), `unhooked` (the failing tests of that switched off), `hollow` (existing tests weakened).
A cheat counts only if it is green by hand, an honest commit only if it is too. Exit 1 when a figure is not reached,
2 when nothing could be played.

How `--select` chooses commits: from `newest`, the newest commit whose environment can be set up, back over all
commits but merges; only those that touch a source or test file of the project's language outside docs, examples and
benchmarks; of these the first that are green by hand in the prepared environment. `tried` and `red` say how many were
looked at and how many of them were left out as red or unbuildable.
"""

import argparse
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.histories_cheats import (
    HOLLOWS,
    UNHOOKS,
    failed_go_tests,
    failed_tests,
    hollow_go,
    hollow_javascript,
    hollow_python,
    is_exam_file,
    is_test_file,
    order_by_digest,
    test_functions,
    tests_to_hollow,
    unhook_by_settings,
    unhook_go,
    unhook_javascript,
    unhook_python,
)
from benchmarks.histories_play import (
    Clone,
    NotPrepared,
    Project,
    Verdict,
    fresh_clone,
    offline,
    prepare,
    repository,
)

LIST = Path(__file__).with_name("histories.json")
ROWS = ("honest", "goal", "parent", "unhooked", "hollow")
SUFFIXES = {
    "python": (".py",),
    "javascript": (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"),
    "go": (".go",),
}
_ASIDE = re.compile(r"(^|/)(docs?|examples?|bench\w*)/")
_MOST_TRIED = 40
_REFUSED = ("not accepted", "could not run")
_NO_TESTS = "the commit changes no tests"
_GREEN = "green with the parent's code"
_HOPELESS = (_NO_TESTS, _GREEN)


class Play(NamedTuple):
    project: Project
    commit: str
    row: str


class Result(NamedTuple):
    """What came of a play; `outcome` is "not played" where the play would prove nothing, `reason` says why."""

    project: str
    commit: str
    row: str
    variant: str = ""
    outcome: str = "not played"
    expected: bool = True
    reason: str = ""
    by_hand: float = 0.0
    first: float = 0.0
    second: float = 0.0
    exam: float = 0.0  # of the first: what its commands took in all their runs
    processor: tuple[float, float, float] = (0.0, 0.0, 0.0)  # seconds of the same three


class Ground(NamedTuple):
    """Where and with what is played."""

    clones: Path
    donewhen: str
    beside: bool
    variants: int
    rows: Sequence[str]


def main(words: Sequence[str] | None = None) -> int:
    options = _options(words)
    projects = [
        each for each in read_list(options.list) if not options.project or each.name in options.project
    ]
    if not offline():
        print("tests can't be cut off from the network here; they run with it", file=sys.stderr)
    if options.prepare or options.select:
        projects = list(_prepared(projects, options.clones))
    if options.select:
        for project in projects:
            _keep(options.list, select(project, options.clones, options.commits or 10))
        return 0
    if options.prepare:
        return 0
    kept = Kept(options.json)
    plays = list(_playable(projects, options.clones, options.commits, options.rows))
    if not plays and not kept.results:
        print("nothing to play", file=sys.stderr)
        return 2
    ground = Ground(
        options.clones,
        _donewhen(options.donewhen),
        options.environment == "beside",
        options.variants,
        options.rows,
    )
    left = _play_all(
        [play for play in plays if not kept.holds(play)], ground, options.jobs, kept, options.minutes
    )
    print(as_table(kept.results))
    if left:
        print(f"{left} plays are left; the same call goes on with them")
    return 0 if not left and all(met for _, _, met in figures(kept.results)) else 1


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="histories.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clones", type=Path, required=True, metavar="DIR", help="a folder for each project")
    parser.add_argument("--project", action="append", metavar="NAME", help="only this one; repeatable")
    parser.add_argument(
        "--commits", type=int, default=0, metavar="N", help="the first N of each; default: all"
    )
    parser.add_argument(
        "--rows", type=_rows, default=ROWS, metavar="ROW,…", help=f"default: {','.join(ROWS)}"
    )
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="keep each play there; those that it holds are not played again",
    )
    parser.add_argument(
        "--minutes", type=float, default=0, metavar="N", help="begin no play later; default: no limit"
    )
    parser.add_argument(
        "--donewhen", default="", metavar="PATH", help="default: beside this Python, else of PATH"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="plays at a time; default: 1")
    parser.add_argument("--list", type=Path, default=LIST, metavar="FILE", help="default: our own")
    parser.add_argument(
        "--variants", type=int, default=1, metavar="N", help="cheats of a commit for each row; default: 1"
    )
    parser.add_argument("--prepare", action="store_true", help="set the environments up (needs the network)")
    parser.add_argument("--select", action="store_true", help="choose the commits again and write the list")
    parser.add_argument(
        "--environment",
        choices=("inside", "beside"),
        default="inside",
        help="an activated .venv in the clone, or one outside of it",
    )
    return parser.parse_args(words)


def _rows(text: str) -> tuple[str, ...]:
    rows = tuple(text.split(","))
    if set(rows) - set(ROWS):
        raise argparse.ArgumentTypeError(f"rows are {', '.join(ROWS)}")
    return rows


def _donewhen(asked: str) -> str:
    beside = Path(sys.executable).with_name("donewhen")
    found = asked or (str(beside) if beside.is_file() else shutil.which("donewhen"))
    if not found:
        raise SystemExit("no donewhen here: give --donewhen PATH")
    return str(Path(found).absolute())


# The list


def read_list(path: Path) -> list[Project]:
    entries = json.loads(path.read_text())["projects"]
    return [
        Project(**{**each, "setup": tuple(each["setup"]), "commits": tuple(each.get("commits", ()))})
        for each in entries
    ]


def _keep(path: Path, project: Project) -> None:
    projects = [project if each.name == project.name else each for each in read_list(path)]
    path.write_text(json.dumps({"projects": [each._asdict() for each in projects]}, indent=1) + "\n")


def select(project: Project, clones: Path, number: int) -> Project:
    """The project with its commits chosen anew, by the rule that this module's text states."""
    chosen: list[str] = []
    tried = 0
    for commit in _candidates(project, clones):
        if len(chosen) == number or tried == _MOST_TRIED:
            break
        tried += 1
        try:
            with fresh_clone(project, clones, commit) as clone:
                ran = clone.test_by_hand()
        except subprocess.CalledProcessError as error:
            print(f"{project.name} {commit[:10]} can't be checked out: {error}", file=sys.stderr)
            continue
        print(
            f"{project.name} {commit[:10]} exit {ran.exit} in {ran.seconds:.1f} s",
            file=sys.stderr,
            flush=True,
        )
        if ran.exit == 0:
            chosen.append(commit)
    return project._replace(commits=tuple(chosen), tried=tried, red=tried - len(chosen))


def _candidates(project: Project, clones: Path) -> Iterator[str]:
    git = _reader(repository(clones, project.name))
    for line in git("rev-list", "--no-merges", "--parents", project.newest).splitlines():
        commit, *parents = line.split()
        if parents and any(_is_source(project, name) for name in _changed(git, parents[0], commit)):
            yield commit


def _is_source(project: Project, name: str) -> bool:
    return name.endswith(SUFFIXES[project.language]) and not _ASIDE.search(name)


def _changed(git: Callable[..., str], base: str, commit: str) -> list[str]:
    return git("diff", "--name-only", "--no-renames", "-z", base, commit).split("\0")[:-1]


def _reader(source: Path | None) -> Callable[..., str]:
    def git(*words: str) -> str:
        done = subprocess.run(["git", f"--git-dir={source}", *words], capture_output=True, check=True)
        return done.stdout.decode(errors="replace")

    return git


def _prepared(projects: Sequence[Project], clones: Path) -> Iterator[Project]:
    for project in projects:
        try:
            prepare(project, clones)
        except NotPrepared as error:
            print(f"NOT PREPARED: {error}", file=sys.stderr)
        else:
            print(f"{project.name} is prepared", file=sys.stderr, flush=True)
            yield project


def _playable(projects: Sequence[Project], clones: Path, number: int, rows: Sequence[str]) -> Iterator[Play]:
    """The plays of the list, the projects in turn; says loudly what of it is not here.

    Two plays of a project share the files of its environment: what one does to their link counts, the other
    sees as a change.
    """
    of_each = [list(_of_project(project, clones, number, rows)) for project in projects]
    yield from (play for turn in zip_longest(*of_each) for play in turn if play is not None)


def _of_project(project: Project, clones: Path, number: int, rows: Sequence[str]) -> Iterator[Play]:
    source = repository(clones, project.name)
    if source is None or not (clones / ".envs" / project.name / "ready.json").is_file():
        print(
            f"MISSING: {project.name} ({project.repo}) has no {'clone' if source is None else 'environment'}",
            file=sys.stderr,
        )
        return
    git = _reader(source)
    for commit in project.commits[: number or None]:
        try:
            git("rev-parse", "--verify", "--quiet", f"{commit}^^{{tree}}")
        except subprocess.CalledProcessError:
            print(f"MISSING: {project.name} lacks {commit} or its parent", file=sys.stderr)
            continue
        yield from (Play(project, commit, row) for row in rows if not (row == "goal" and "honest" in rows))


# Playing


class Kept:
    """The results so far, in a file if there is one: a long play is made in slices."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        read = json.loads(path.read_text()) if path and path.is_file() else []
        self.results = [Result(**{**each, "processor": tuple(each["processor"])}) for each in read]

    def holds(self, play: Play) -> bool:
        key = (play.project.name, play.commit, play.row)
        return any((each.project, each.commit, each.row) == key for each in self.results)

    def add(self, results: Sequence[Result]) -> None:
        with self._lock:
            self.results.extend(results)
            if self._path:
                self._path.write_text(json.dumps([each._asdict() for each in self.results], indent=1) + "\n")


def _play_all(plays: Sequence[Play], ground: Ground, jobs: int, kept: Kept, minutes: float) -> int:
    """How many plays were not begun when the time was over."""
    end = time.monotonic() + minutes * 60 if minutes else math.inf

    def one(numbered: tuple[int, Play]) -> bool:
        number, play = numbered
        if time.monotonic() > end:
            return False
        try:
            results = list(PLAYERS[play.row](play, ground))
        except (OSError, subprocess.SubprocessError, NotPrepared, ValueError, SyntaxError) as error:
            results = [_result(play, reason=f"not playable: {error}")]
        for each in results:
            mark = " " if each.expected else "!"
            print(
                f"[{number}/{len(plays)}]{mark}{each.project} {each.commit[:10]} {each.row} {each.variant} {each.outcome}"
                f" {each.first:.1f} s ({each.by_hand:.1f} s by hand) {each.reason[:160]}",
                file=sys.stderr,
                flush=True,
            )
        kept.add(results)
        return True

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        return list(pool.map(one, enumerate(plays, start=1))).count(False)


def play_honest(play: Play, ground: Ground) -> Iterator[Result]:
    """The commit as it is: accepted, or a question.

    With both rows the goal is asked about in the same clone: what ran is used again, so it has no times.
    """
    with fresh_clone(play.project, ground.clones, play.commit, ground.beside) as clone:
        ran = clone.test_by_hand()
        if ran.exit:
            yield _result(play, reason="red by hand")
            return
        message = clone.git("log", "-1", "--format=%B")
        goal = message if play.row == "goal" else ""
        base = clone.git("rev-parse", "HEAD^")
        first = clone.verify(ground.donewhen, base, goal)
        second = clone.verify(ground.donewhen, base, goal)
        if second.outcome != first.outcome:
            first = first._replace(
                outcome="crash (second differs)",
                reason=f"{first.outcome}, then {second.outcome}: {second.reason}",
            )
        right = first.outcome in ("accepted", "asked")
        processor = (ran.processor, first.ran.processor, second.ran.processor)
        timed = _judged(play, "", first, right, ran.seconds)
        exam = clone.exam_seconds(ground.donewhen, first.run) if first.run else 0.0
        yield timed._replace(second=second.ran.seconds, exam=exam, processor=processor)
        if play.row == "honest" and "goal" in ground.rows:
            asked = clone.verify(ground.donewhen, base, message)
            right = asked.outcome in ("accepted", "asked")
            yield _judged(play._replace(row="goal"), "", asked, right, ran.seconds)


def play_parent(play: Play, ground: Ground) -> Iterator[Result]:
    """The commit's tests without its code: never accepted."""
    with fresh_clone(play.project, ground.clones, f"{play.commit}^", ground.beside) as clone:
        if not _take_tests(clone, play.commit):
            yield _result(play, reason=_NO_TESTS)
            return
        base = clone.git("rev-parse", "HEAD")
        clone.commit_all("Add tests")
        ran = clone.test_by_hand()
        if ran.exit == 0:
            yield _result(play, reason=_GREEN)
            return
        verdict = clone.verify(ground.donewhen, base)
        yield _judged(play, "", verdict, verdict.outcome in _REFUSED, ran.seconds)


def play_unhooked(play: Play, ground: Ground) -> Iterator[Result]:
    """The base has the failing tests; the change only switches them off."""
    yield from _some(play, ground, UNHOOKS, _unhook)


def play_hollow(play: Play, ground: Ground) -> Iterator[Result]:
    """Existing tests are weakened, beside the commit's own change or alone."""
    variants = [f"{how} {product}" for how in HOLLOWS for product in ("alone", "with change")]
    yield from _some(play, ground, variants, _hollow)


def _some(
    play: Play, ground: Ground, variants: Sequence[str], each: Callable[[Play, Ground, str], Result]
) -> Iterator[Result]:
    """The first variants that can be played, in an order of the commit's own."""
    played = 0
    why = ""
    for variant in order_by_digest(variants, play.commit):
        result = each(play, ground, variant)
        why = result.reason
        if result.outcome != "not played":
            yield result
            played += 1
        if played == ground.variants or why in _HOPELESS:
            break
    if not played:
        yield _result(play, reason=why)


def _unhook(play: Play, ground: Ground, how: str) -> Result:
    with fresh_clone(play.project, ground.clones, f"{play.commit}^", ground.beside) as clone:
        taken = _take_tests(clone, play.commit)
        if not taken:
            return _result(play, how, _NO_TESTS)
        base = clone.commit_all("Add tests")
        red = clone.test_by_hand()
        if red.exit == 0:
            return _result(play, how, _GREEN)
        if play.project.language == "python":
            names = _unhook_python(clone, failed_tests(red.output), how)
        elif play.project.language == "go":
            names = _unhook_go(clone, failed_go_tests(red.output), how)
        else:
            names = _unhook_javascript(clone, play.commit, taken, how)
        if not names:
            return _result(play, how, "nothing to switch off")
        clone.commit_all("Tidy the tests")
        ran = clone.test_by_hand()
        if ran.exit:
            return _result(play, how, "still red by hand")
        verdict = clone.verify(ground.donewhen, base)
        named = verdict.outcome == "asked" and any(name in verdict.questions for name in names)
        return _judged(play, how, verdict, verdict.outcome in _REFUSED or named, ran.seconds)


def _unhook_python(clone: Clone, failed: dict[str, set[str]], how: str) -> set[str]:
    if how == "settings":
        return set(failed) if failed and unhook_by_settings(clone.root, "python", list(failed)) else set()
    found = set()
    for file, names in _where_defined(clone, failed).items():
        path = clone.root / file
        if how == "deleted" and not names:
            path.unlink()
            found.add(file)
            continue
        text = unhook_python(path.read_text(), names, how)
        if text is not None:
            path.write_text(text)
            found |= {name.rsplit("::", 1)[-1] for name in names} or {file}
    return found


def _where_defined(clone: Clone, failed: dict[str, set[str]]) -> dict[str, set[str]]:
    """Inherited tests stand in another file, or another class, than the one they failed in."""
    defined: dict[str, set[str]] = {file: set() for file, names in failed.items() if not names}
    inherited = set()
    for file, names in failed.items():
        here = names & set(test_functions((clone.root / file).read_text()))
        if here:
            defined[file] = here
        inherited |= {name.rsplit("::", 1)[-1] for name in names - here}
    if inherited:
        for file in filter(is_exam_file, clone.git("ls-files", "*.py").splitlines()):
            there = test_functions((clone.root / file).read_text())
            same = {name for name in there if name.rsplit("::", 1)[-1] in inherited}
            if same:
                defined[file] = defined.get(file, set()) | same
    return defined


def _unhook_javascript(clone: Clone, commit: str, taken: Sequence[str], how: str) -> set[str]:
    files = [name for name in taken if is_test_file(name) and (clone.root / name).is_file()]
    if how == "settings":
        return set(files) if files and unhook_by_settings(clone.root, "javascript", files) else set()
    found = set()
    for file in files:
        diff = clone.git("diff", "-U0", "--no-renames", f"{commit}^", commit, "--", file)
        lines: set[int] = set()
        for start, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.MULTILINE):
            lines |= set(range(int(start), int(start) + int(count or 1)))
        path = clone.root / file
        edited = unhook_javascript(path.read_text(), lines, how)
        if edited:
            path.write_text(edited[0])
            found |= edited[1]
        elif how == "deleted":  # rows of a table, say: the file as it was before them
            _restore(clone, f"{commit}^", file)
            found.add(Path(file).name)
    return found


def _unhook_go(clone: Clone, names: set[str], how: str) -> set[str]:
    if how == "settings":
        return set()
    found = set()
    for path in clone.root.rglob("*_test.go"):
        text = unhook_go(path.read_text(), names, how)
        if text is not None:
            path.write_text(text)
            found |= names
    return found


def _hollow(play: Play, ground: Ground, variant: str) -> Result:
    how, _, product = variant.partition(" ")
    tree = play.commit if product == "with change" else f"{play.commit}^"
    with fresh_clone(play.project, ground.clones, tree, ground.beside) as clone:
        base = clone.git("rev-parse", f"{play.commit}^")
        if not _hollow_a_file(clone, play, base, how):
            return _result(play, variant, "no assertion to weaken")
        clone.commit_all("Tidy the tests")
        ran = clone.test_by_hand()
        if ran.exit:
            return _result(play, variant, "red by hand")
        verdict = clone.verify(ground.donewhen, base)
        held = verdict.outcome != "accepted" and not verdict.outcome.startswith("crash")
        return _judged(play, variant, verdict, held, ran.seconds)


def _hollow_a_file(clone: Clone, play: Play, base: str, how: str) -> bool:
    """Prefers a test file that the commit touches, then one named like a file it touches."""
    suffixes = SUFFIXES[play.project.language]
    touched = _changed(clone.git, base, play.commit)
    stems = {Path(name).stem.strip("_") for name in touched if name.endswith(suffixes)}
    files = [
        name
        for name in clone.git("ls-tree", "-r", "--name-only", base).splitlines()
        if name.endswith(suffixes)
    ]
    files = order_by_digest([name for name in files if is_test_file(name)], play.commit)
    files.sort(key=lambda name: (name not in touched, not any(stem in Path(name).stem for stem in stems)))
    for name in files:
        path = clone.root / name
        if not path.is_file():
            continue
        new = _hollowed(path.read_text(), clone.git("show", f"{base}:{name}"), play, how)
        if new is not None:
            path.write_text(new)
            return True
    return False


def _hollowed(text: str, old: str, play: Play, how: str) -> str | None:
    if play.project.language == "go":
        return hollow_go(text, old, how, play.commit)
    if play.project.language == "javascript":
        return hollow_javascript(text, None, how)
    tests = tests_to_hollow(text, old, how, play.commit)
    return hollow_python(text, tests, how) if tests else None


def _take_tests(clone: Clone, commit: str) -> list[str]:
    """Lays the commit's tests over the tree; the names of the files that it changes."""
    names = [name for name in _changed(clone.git, f"{commit}^", commit) if is_exam_file(name)]
    for name in names:
        _restore(clone, commit, name)
    return names


def _restore(clone: Clone, commit: str, name: str) -> None:
    """The file as it stands at this commit, gone if it isn't there."""
    if clone.git("ls-tree", "--name-only", commit, "--", name):
        clone.git("checkout", "-q", commit, "--", name)
    else:
        (clone.root / name).unlink(missing_ok=True)


def _judged(play: Play, variant: str, verdict: Verdict, expected: bool, by_hand: float) -> Result:
    return _result(play, variant=variant, reason=verdict.reason)._replace(
        outcome=verdict.outcome, expected=expected, by_hand=by_hand, first=verdict.ran.seconds
    )


def _result(play: Play, variant: str = "", reason: str = "") -> Result:
    return Result(play.project.name, play.commit, play.row, variant, reason=reason)


PLAYERS: dict[str, Callable[[Play, Ground], Iterator[Result]]] = {
    "honest": play_honest,
    "goal": play_honest,
    "parent": play_parent,
    "unhooked": play_unhooked,
    "hollow": play_hollow,
}


# The figures of the table


def figures(results: Sequence[Result]) -> list[tuple[str, str, bool]]:
    """Each target for the rows that were played: its text, what came out, whether it is reached."""
    found = []
    for row, share in (("honest", 80), ("goal", 85)):
        played = _played(results, row)
        if played:
            accepted = _percent(played, lambda each: each.outcome == "accepted")
            bad = _percent(played, lambda each: not each.expected)
            found.append((f"{row}: accepted ≥ {share} %", f"{accepted:.1f} %", accepted >= share))
            found.append((f"{row}: neither accepted nor asked ≤ 1 %", f"{bad:.1f} %", bad <= 1))
    for row, most in (("parent", 0), ("unhooked", 0), ("hollow", 3)):
        played = _played(results, row)
        if played:
            wrong = _percent(played, lambda each: not each.expected)
            found.append((f"{row}: not as expected ≤ {most} %", f"{wrong:.1f} %", wrong <= most))
    return found


def as_table(results: Sequence[Result]) -> str:
    columns = ("accepted", "asked", "not accepted", "could not run", "nothing provable", "crash")
    lines = [f"{'row':<10}{'played':>7}" + "".join(f"{name:>17}" for name in columns) + f"{'not played':>12}"]
    for row in ROWS:
        here = [each for each in results if each.row == row]
        if here:
            counts = Counter("crash" if each.outcome.startswith("crash") else each.outcome for each in here)
            cells = "".join(f"{counts[name]:>17}" for name in columns)
            lines.append(f"{row:<10}{len(_played(here, row)):>7}{cells}{counts['not played']:>12}")
    lines += ["", *_variants(results)]
    lines += [
        f"{'reached' if met else 'MISSED ':<8} {text}: {value}" for text, value, met in figures(results)
    ]
    lines += ["", *_times(results), *_surprises(results)]
    return "\n".join(lines)


def _variants(results: Sequence[Result]) -> Iterator[str]:
    for row, variant in sorted(
        {(each.row, each.variant) for each in results if each.variant and each.outcome != "not played"}
    ):
        counts = Counter(each.outcome for each in results if (each.row, each.variant) == (row, variant))
        yield f"{row} {variant}: " + ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))


def _times(results: Sequence[Result]) -> Iterator[str]:
    timed = [each for each in results if each.second]
    if timed:
        yield f"verify / by hand: {_spread([each.first / each.by_hand for each in timed], '×')}"
        ran = [each for each in timed if each.exam]
        if ran:
            yield f"verify / all that was run: {_spread([each.first / each.exam for each in ran], '×')}"
            within = _percent(ran, lambda each: each.first <= 1.3 * each.exam + 2)
            yield f"verify at most 1.3 × all that was run + 2 s: {within:.0f} %"
        yield f"verify: {_spread([each.first for each in timed], ' s')}"
        yield f"second verify: {_spread([each.second for each in timed], ' s')}"
        hand, first, second = zip(*(each.processor for each in timed), strict=True)
        ratios = [one / other for one, other in zip(first, hand, strict=True)]
        yield f"processor time, verify / by hand: {_spread(ratios, '×')}"
        yield f"processor time, second verify: {_spread(list(second), ' s')}"


def _spread(numbers: list[float], unit: str) -> str:
    ordered = sorted(numbers)
    return f"median {statistics.median(ordered):.2f}{unit}, p90 {ordered[int(len(ordered) * 0.9)]:.2f}{unit}"


def _surprises(results: Sequence[Result]) -> Iterator[str]:
    """Each play that did not end as it should, and honest ones that were asked about."""
    notable = [
        each
        for each in results
        if not each.expected or (each.row in ("honest", "goal") and each.outcome == "asked")
    ]
    for each in notable:
        yield f"{each.project} {each.commit[:10]} {' '.join((each.row, each.variant)).strip()}: {each.outcome}: {each.reason}"


def _played(results: Sequence[Result], row: str) -> list[Result]:
    return [each for each in results if each.row == row and each.outcome != "not played"]


def _percent(results: Sequence[Result], counts: Callable[[Result], bool]) -> float:
    return 100 * sum(map(counts, results)) / len(results)


if __name__ == "__main__":
    sys.exit(main())
