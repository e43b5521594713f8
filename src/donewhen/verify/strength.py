"""Strength: whether changed tests still notice what they noticed before, measured by mutants of the product.

The old and the new version of the changed test functions run on a small sample of mutants of the lines that
the old ones execute. A function is asked about that noticed one and whose successors do not; beside that by
count, where it compares with fewer values than before. Mutants are written in rooms of our own alone. What
can't be measured is a note and left to the count, never an error.
"""

import asyncio
import json
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

from donewhen import __version__
from donewhen.config.files import read_regular, write_whole
from donewhen.config.paths import state_folder
from donewhen.core.codec import dumps, to_json
from donewhen.core.errors import DonewhenError, SetupError, UserError
from donewhen.core.questions import Question
from donewhen.core.scenarios import Outcome
from donewhen.core.texts import Phrase
from donewhen.project.roles import exam_side, is_mixed, role_of
from donewhen.project.syntax import digest as text_digest
from donewhen.verify.base_exam import about_files
from donewhen.verify.changed_tests import Altered, Changes, altered_tests, weaker_by_count
from donewhen.verify.exam_files import trees_of
from donewhen.verify.mutants import Mutant, choose_mutants
from donewhen.verify.permits import Permit, last_name, permit_for
from donewhen.verify.record import digest
from donewhen.verify.rerun import ExamContext, RerunRequest, open_place
from donewhen.verify.strength_runs import (
    Bench,
    Ran,
    Rounds,
    Runner,
    Select,
    all_failed,
    imported_files,
    opened_bench,
    runner_of,
)
from donewhen.verify.test_functions import language_of, read_script, read_test_functions

FORM = 3  # of what is kept
_SECONDS = 20.0  # for the whole measurement
_FEWEST_KILLS = 4  # with fewer the count decides alone
_MOST_OTHERS = 300  # test files that are read for the helpers they use
_MOST_TRACED = 3000  # files of the product
_SHOWN = 5
_SHOWN_MUTANTS = 2
_LARGEST = 4 * 2**20
_MOST_KEPT = 500  # measurements
_PURPOSE = "strength"
_TOO_LONG = Phrase("strength.too_long", {"seconds": f"{_SECONDS:g}"})
_RUN = {
    "python": "python",
    "javascript": "javascript",
    "typescript": "javascript",
    "tsx": "javascript",
    "go": "go",
}


class Strength(NamedTuple):
    questions: tuple[Question, ...] = ()
    notes: tuple[Phrase, ...] = ()


class Tried(NamedTuple):
    """One mutant, with what it did to the old and the new functions."""

    mutant: Mutant
    diff: str
    old: Mapping[str, Outcome]
    new: Mapping[str, Outcome]


class Measured(NamedTuple):
    """`why`: what keeps the mutants from deciding."""

    tried: tuple[Tried, ...] = ()
    ran: frozenset[str] = frozenset()  # old functions that pass without a mutant
    why: Phrase | None = None

    @property
    def kills(self) -> int:
        return sum(any(each.old.get(key) == "failed" for key in self.ran) for each in self.tried)

    @property
    def decides(self) -> bool:
        return self.why is None and self.kills >= _FEWEST_KILLS

    @property
    def undecided(self) -> Phrase:
        few = {"killed": self.kills, "mutants": len(self.tried)}
        return self.why or Phrase("strength.few_kills", few)


class Excused(NamedTuple):
    """Tests that a person or the goal lets change or go."""

    permits: tuple[Permit, ...] = ()
    gone: frozenset[tuple[str, str]] = frozenset()  # files with the tests' own names

    def __bool__(self) -> bool:
        return bool(self.permits or self.gone)

    def covers(self, key: str) -> bool:
        path = key.partition("::")[0]
        return (path, last_name(key)) in self.gone or permit_for(self.permits, path, key) is not None


async def measure_strength(
    context: ExamContext, paths: Sequence[str], excused: Excused, ran: tuple[int, int] = (0, 0)
) -> Strength:
    """Of the changed files `paths` of the exam; to be asked where the base exam holds.

    `ran`: how many tests did with the base's exam on this code, and with the change's own.
    """
    if not paths or context.looked.rules.config.evidence.strength == "off":
        return Strength()
    trees = (context.looked.fingerprints.tree(context.looked.change.base.commit), context.tree)
    commands = [entry.text for entry in context.entries]
    about = (sorted(paths), [each.text for each in excused.permits], sorted(excused.gone))
    key = digest((FORM, __version__, *trees, about, context.place.environment, commands))
    kept = state_folder(context.means.env) / _PURPOSE / f"{key}.json"
    known = _recall(kept, key) if context.wanted.cache else None
    if known is not None:
        return known
    changes = _changes(context, paths)
    if ran[1] < ran[0] and not excused and all(each.old.is_script for each in changes.altered):
        return Strength((_fewer_ran(context, paths, ran),))
    altered = tuple(each for each in changes.altered if not excused.covers(each.old.key))
    changes = changes._replace(altered=altered)
    found = Strength(notes=tuple(_unread(context, paths)))
    if changes.altered:
        found = _judged(context, changes, await _measure(context, changes, paths))
    _remember(kept, key, found)
    return found


def _changes(context: ExamContext, paths: Sequence[str]) -> Changes:
    base, now = trees_of(context)
    changed = frozenset(paths)
    before, after = base.read(paths), now.read(paths)
    others: Mapping[str, bytes] = {}
    if any(language_of(path) and not read_test_functions(path, before[path]) for path in before) or any(
        not language_of(path) for path in before
    ):
        tests = (path for path in now.paths() if path not in changed and role_of(path) == "test")
        others = now.read(sorted(tests)[:_MOST_OTHERS])
    return altered_tests(before, after, others)


# What it comes to


def _judged(context: ExamContext, changes: Changes, measured: Measured) -> Strength:
    lost = lost_tests(changes.altered, measured)
    weak = list(weaker_by_count(changes.altered))
    gone = changes.removed if changes.fewer_in_all and not measured.decides else ()
    if not (lost or weak or gone):
        return Strength(notes=(_note(changes.altered, measured),))
    asked = [*dict.fromkeys([*lost, *weak, *gone])]
    message = _message(lost, weak, gone, measured)
    first = asked[0]
    files = dict.fromkeys(one.path for each in asked for one in (each.old, *each.now))
    question = Question(
        "test-strength",
        message,
        first.old.path,
        (first.now or (first.old,))[0].test.first,
        ", ".join(each.old.test.name for each in asked[:_SHOWN]),
        Phrase("strength.wanted"),
        about_files(context, files),
    )
    return Strength((question,))


def _unread(context: ExamContext, paths: Sequence[str]) -> Iterator[Phrase]:
    """Tests that were edited and in which no function or assertion is known."""
    base, now = trees_of(context)
    tests = [path for path in paths if role_of(path) == "test"]
    before, after = base.read(tests), now.read(tests)
    edited = [path for path in tests if path in before and before[path] != after.get(path)]
    unread = [p for p in edited if not read_test_functions(p, before[p]) and not read_script(p, before[p])]
    if unread:
        yield Phrase("strength.unread", {"files": ", ".join(unread[:_SHOWN])})


def _fewer_ran(context: ExamContext, paths: Sequence[str], ran: tuple[int, int]) -> Question:
    """Of tests that no function is known to have lost: made in a loop, or in a language that is not read."""
    message = Phrase("strength.fewer_ran", {"before": ran[0], "now": ran[1]})
    about = about_files(context, paths)
    return Question("test-strength", message, paths[0], wanted=Phrase("strength.wanted"), about=about)


def lost_tests(altered: Sequence[Altered], measured: Measured) -> list[Altered]:
    """Functions that noticed a mutant which nothing in their place notices, and notice none anew."""
    if not measured.decides:
        return []
    found = []
    for each in altered:
        if each.old.key not in measured.ran:
            continue
        lost = [one for one in measured.tried if _is_lost(each, one)]
        gained = each.now and any(_is_gained(each, one) for one in measured.tried)
        if lost and not gained:
            found.append(each)
    return found


def _is_lost(each: Altered, tried: Tried) -> bool:
    if tried.old.get(each.old.key) != "failed" or not tried.new:
        return False
    if not each.now:
        return "failed" not in tried.new.values()
    outcomes = {tried.new[one.key] for one in each.now if one.key in tried.new}
    return bool(outcomes) and "failed" not in outcomes


def _is_gained(each: Altered, tried: Tried) -> bool:
    return tried.old.get(each.old.key) == "passed" and any(
        tried.new.get(one.key) == "failed" for one in each.now
    )


def _message(
    lost: Sequence[Altered], weak: Sequence[Altered], gone: Sequence[Altered], measured: Measured
) -> Phrase:
    weak = [each for each in weak if each not in lost]
    fewer = Phrase("strength.fewer", {"names": _names(weak, counts=True)})
    if lost:
        missed = [one for one in measured.tried if any(_is_lost(each, one) for each in lost)]
        diff = "\n".join(each.diff for each in missed[:_SHOWN_MUTANTS])
        values = {"names": _names(lost), "count": len(missed), "mutants": len(measured.tried), "diff": diff}
        said = Phrase("strength.lost", values)
        return Phrase("strength.lost_and_fewer", {"lost": said, "fewer": fewer}) if weak else said
    away = Phrase("strength.gone", {"names": _names(gone), "why": measured.undecided})
    if weak and gone:
        return Phrase("strength.fewer_and_gone", {"fewer": fewer, "gone": away})
    return away if gone else fewer


def _names(altered: Sequence[Altered], *, counts: bool = False) -> str:
    names = []
    for each in altered[:_SHOWN]:
        now = sum(one.strong for one in each.now)
        names.append(f"{each.old.test.name} ({each.old.strong} → {now})" if counts else each.old.test.name)
    more = len(altered) - _SHOWN
    return ", ".join(names) + (f" … (+{more})" if more > 0 else "")


def _note(altered: Sequence[Altered], measured: Measured) -> Phrase:
    if measured.decides:
        return Phrase("strength.nothing_lost", {"count": len(altered), "mutants": len(measured.tried)})
    return Phrase("strength.counted", {"count": len(altered), "why": measured.undecided})


# Measuring


async def _measure(context: ExamContext, changes: Changes, paths: Sequence[str]) -> Measured:
    """In the language that most of the changed functions are written in."""
    altered = changes.altered
    languages = [_RUN.get(each.language, "") for each in altered]
    language = max(sorted(set(languages)), key=languages.count)
    runner = runner_of(context.entries, context.place.folder, language) if language else None
    if runner is None:
        name = language or altered[0].language
        return Measured(why=Phrase("strength.no_runner", {"language": name}))
    chosen = [each for each, one in zip(altered, languages, strict=True) if one == language]
    fingerprints = context.looked.fingerprints
    base = fingerprints.tree(context.looked.change.base.commit)
    old_tree = fingerprints.composed(base, context.tree, [path for path in paths if not is_mixed(path)])
    old = _by_file([each.old.key for each in chosen])
    new = _by_file(_successors(context, chosen, changes))
    context.means.progress(Phrase("strength.running"))
    try:
        return await _Measurement(context, runner, old_tree, old, new).run()
    except (SetupError, UserError) as error:
        return Measured(why=Phrase(error.key, error.values))
    except OSError as error:
        return Measured(why=_not_alone(str(error)[:200]))


def _successors(context: ExamContext, altered: Sequence[Altered], changes: Changes) -> list[str]:
    """For removed functions also what was added and what is left in their files: it may notice the same."""
    keys = [one.key for each in altered for one in each.now]
    _, now = trees_of(context)
    files = {each.old.path for each in altered if not each.now}
    keys += [each.key for each in changes.added] if files else []
    for path, data in now.read(files).items():
        keys += [f"{path}::{test.name}" for test in read_test_functions(path, data) if not test.disabled]
    return keys


def _by_file(keys: Sequence[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for key in keys:
        path, _, name = key.partition("::")
        found.setdefault(path, set()).add(name)
    return {path: frozenset(names) for path, names in found.items()}


class _Measurement:
    """A room with the old tests over the new product and one with the new ones, side by side."""

    def __init__(self, context: ExamContext, runner: Runner, old_tree: str, old: Select, new: Select) -> None:
        self.context = context
        self.runner = runner
        self.old_tree = old_tree
        self.old, self.new = old, new  # functions by file, as they were and as they are
        self.ends = time.monotonic() + _SECONDS
        self.mutants: tuple[Mutant, ...] = ()
        self.sources: Mapping[str, bytes] = {}
        _, self._now = trees_of(context)

    @property
    def left(self) -> float:
        return self.ends - time.monotonic()

    async def run(self) -> Measured:
        """The old functions tell by themselves which lines they execute; then both run on the mutants."""
        async with AsyncExitStack() as stack:
            old = await self._bench(stack, self.old_tree, "strength-old")
            first = await old.run(self.old, self.left, trace=self._traced())
            if "passed" not in first.plain.outcomes.values():
                late = Phrase("strength.too_long", {"seconds": f"{_SECONDS:g}"})
                return Measured(
                    why=late if first.late else Phrase("strength.not_alone", {"last": first.last})
                )
            mutants = self._choose(first.plain, old.folder)
            if not mutants:
                return Measured(why=Phrase("strength.no_lines"))
            if self.context.place.prepared.kind == "own":  # the room that was set up is one for both
                before = await old.run(self.old, self.left * 0.55, mutants)
                await stack.aclose()
                new = await self._bench(stack, self.context.tree, "strength-new")
                return self._measured(before, await new.run(self.new, self.left, mutants))
            new = await self._bench(stack, self.context.tree, "strength-new")
            both = old.run(self.old, self.left, mutants), new.run(self.new, self.left, mutants)
            done = await asyncio.gather(*both, return_exceptions=True)  # none is left behind
        for each in done:
            if isinstance(each, BaseException):
                raise each
        return self._measured(*done)  # type: ignore[arg-type]

    async def _bench(self, stack: AsyncExitStack, tree: str, room: str) -> Bench:
        place = await stack.enter_async_context(
            open_place(self.context, RerunRequest(tree, _PURPOSE, room=room))
        )
        return stack.enter_context(opened_bench(place, self.runner))

    def _traced(self) -> list[str]:
        """The files of the product."""
        wanted = self.runner.language
        mine = (p for p in self._now.paths() if _RUN.get(language_of(p)) == wanted and not exam_side(p))
        return sorted(mine)[:_MOST_TRACED]

    def _choose(self, plain: Ran, folder: Path) -> list[tuple[str, bytes]]:
        traced = frozenset(self._traced())
        lines: Mapping[str, Collection[int]] = {p: n for p, n in plain.lines.items() if p in traced and n}
        if not lines and self.runner.language == "javascript":  # its runner translates what it loads
            files = imported_files(folder, self.old) & traced
            found = self._now.read(files).items()
            lines = {path: range(1, data.count(b"\n") + 2) for path, data in found}
        self.sources = self._now.read(lines)
        self.mutants = choose_mutants(self.sources, lines, text_digest(self.old_tree, self.context.tree))
        return [(each.path, each.applied(self.sources[each.path])) for each in self.mutants]

    def _measured(self, before: Rounds, after: Rounds) -> Measured:
        """Functions that do not pass without a mutant, or only once, say nothing."""
        ran, steady = _steady(before), _steady(after)
        if self.new and not steady:
            return Measured((), ran, _TOO_LONG if after.late else _not_alone(after.last))
        found: list[Tried] = []
        rounds = zip(self.mutants, before.mutants, after.mutants or before.mutants, strict=False)
        for mutant, old, new in rounds:
            if old is None or (new is None and self.new):
                continue
            was = old.outcomes or all_failed(self.old)  # it keeps the tests from being loaded
            is_now = (new.outcomes or all_failed(self.new)) if new is not None and self.new else {}
            told = {key: outcome for key, outcome in is_now.items() if key in steady}
            found.append(Tried(mutant, mutant.diff(self.sources[mutant.path]), was, told or {"": "passed"}))
        is_late = len(found) < min(len(self.mutants), _FEWEST_KILLS + 2) and self.left < 1
        return Measured(tuple(found), ran, _TOO_LONG if is_late else None)


def _not_alone(last: str) -> Phrase:
    return Phrase("strength.not_alone", {"last": last})


def _steady(rounds: Rounds) -> frozenset[str]:
    again = rounds.again.outcomes if rounds.again is not None else {}
    told = rounds.plain.outcomes.items()
    return frozenset(
        key for key, outcome in told if outcome == "passed" and again.get(key, "passed") == "passed"
    )


# What is kept


def _remember(path: Path, key: str, found: Strength) -> None:
    with suppress(OSError):  # what can't be kept is measured again
        write_whole(path, dumps({"key": key, "found": to_json(found)}).encode(errors="backslashreplace"))
        kept = sorted(path.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in kept[:-_MOST_KEPT]:
            old.unlink(missing_ok=True)


def _recall(path: Path, key: str) -> Strength | None:
    try:
        found = read_regular(path, key, largest=_LARGEST, follow=False)
        data = _revived(json.loads(found.data)) if found else {}
        rows = data["found"]
        if data["key"] != key:
            return None
        return Strength(tuple(Question(**row) for row in rows.get("questions", ())), rows.get("notes", ()))
    except (DonewhenError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _revived(data: Any) -> Any:
    """JSON data with tuples, and phrases where a key stands with values."""
    if isinstance(data, list):
        return tuple(map(_revived, data))
    if not isinstance(data, dict):
        return data
    made = {name: _revived(value) for name, value in data.items()}
    return Phrase(**made) if made.keys() <= {"key", "values"} and made else made
