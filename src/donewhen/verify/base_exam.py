"""The base exam: the exam as it stood at the base, run on the code that the change brings.

Needed only where the exam side differs from the base. What the base's tests say is compared test by test with
what they said at the base (`core.base_tests`); here is what is laid over what, and what is run.
"""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.base_tests import Broken, Elsewhere, broken_tests, failing, only_red_before
from donewhen.core.counts import nothing_ran
from donewhen.core.questions import Question
from donewhen.core.scenarios import Case
from donewhen.core.texts import Phrase
from donewhen.project.exam_keys import exam_differs, lowered, splice, without_thresholds
from donewhen.project.roles import is_mixed, role_of
from donewhen.verify.changed_tests import altered_tests
from donewhen.verify.exam_files import Sides, is_formatted, trees_of
from donewhen.verify.exam_regions import changed_regions, regions, with_base_regions
from donewhen.verify.exam_run import CommandResult, ExamCommand, is_green, is_tried
from donewhen.verify.rerun import ExamContext, RerunRequest, RerunResult, rerun_exam, took_by

ALONE = "alone"  # the change itself, with nothing beside it but the environment
_BASE_TESTS = "base-tests"
_BASE = "base"
_OTHERS = "others"  # the new tree without what an agent changed
_WORD = re.compile(r"\w+")
_NO_CLASS = ("", "unittest.loader._FailedTest")
_VARYING = re.compile(r"\S*[/\\]\S*|\d+")
_EACH = 10  # questions about tests of one file; more are one question
_LONGEST = 600.0  # seconds of an exam whose base exam is left out unless it is always wanted


class BaseExam(NamedTuple):
    """What came of it. `held`: every test that passed at the base passes on the new code."""

    held: bool = True
    ran: bool = False
    tests: int = 0  # of the base that passed on the new code
    broken: tuple[Broken, ...] = ()
    red: tuple[CommandResult, ...] = ()  # commands that fail while all their tests pass, or can't run there
    why: Phrase | None = None  # why it could not be run at all
    said: str = ""  # the end of what its commands printed on the new code, where tests are broken
    unbuilt: tuple[str, ...] = ()  # files whose part of the exam changed and can't be put back


class PutBack(NamedTuple):
    """What is laid over the new code."""

    paths: tuple[str, ...] = ()  # as at the base; gone where the base has none
    written: Mapping[str, bytes] = {}  # with a content of their own
    unbuilt: tuple[str, ...] = ()  # whose part of the exam changed and can't be put back

    def __bool__(self) -> bool:
        return bool(self.paths or self.written)


async def run_base_exam(context: ExamContext, commands: Sequence[ExamCommand], sides: Sides) -> BaseExam:
    """Lay the base's exam over the new code, run it, and where it fails compare it with the base."""
    back = _put_back(context, sides)
    if not back:
        return BaseExam(unbuilt=back.unbuilt)
    too_long = _too_long(context)
    if too_long is not None:
        return BaseExam(held=False, why=too_long, unbuilt=back.unbuilt)
    found = await _run(context, commands, sides, back)
    return found._replace(unbuilt=back.unbuilt)


async def _run(
    context: ExamContext, commands: Sequence[ExamCommand], sides: Sides, back: PutBack
) -> BaseExam:
    laid = await _laid(context, sides, back)
    tests = PutBack(
        tuple(path for path in back.paths if sides.table.role(path) != "config"),
        {path: data for path, data in back.written.items() if not is_mixed(path)},
    )
    if laid is not None and _found_nothing(laid):
        again = await _laid(context, sides, tests) if tests and tests != back else None
        laid = again if again is not None and not _found_nothing(again) else laid
    if laid is None:
        return BaseExam()
    if laid.green:
        return BaseExam(ran=True, tests=laid.executed or 0)
    if laid.why is not None and not laid.commands:  # the room itself could not be had
        return BaseExam(held=False, why=laid.why)
    base = await run_at_base(context)
    if not tests and _ran_nothing(laid) and _ran_nothing(base) and _stood_before(context, commands):
        return (
            BaseExam()
        )  # under the base's settings the command finds no test, and those of now are as they were
    laid_cases = cases_of(laid.commands)
    broken = broken_tests(
        cases_of(base.commands),
        laid_cases,
        cases_of(commands),
        touched=frozenset(context.looked.change.changed),
    )
    broken = (
        *(_with_reason(each, laid.commands) for each in broken),
        *_left_out(context, base, laid, commands),
    )
    known = {case.file for case in laid_cases}
    unknown = [path for path in sides.laid if path not in known]
    stood = [path for path in unknown if _existed(context, path)]
    edited = any(data.strip() for data in trees_of(context)[0].read(stood).values())
    edited = edited or bool(back.written) or not sides.asked.isdisjoint(unknown)
    red = () if broken else tuple(_red(laid.commands, base.commands, commands, edited=edited))
    passed = sum(case.outcome == "passed" for case in laid_cases)
    said = "\n".join(each.result.tail for each in laid.commands)
    return BaseExam(held=not broken and not red, ran=True, tests=passed, broken=broken, red=red, said=said)


async def run_edited(context: ExamContext, sides: Sides, edited: Mapping[str, bytes]) -> RerunResult | None:
    """The base's exam on the new code once more, with these files edited; None: as the change has them."""
    back = _put_back(context, sides)
    paths = tuple(path for path in back.paths if path not in edited)
    return await _laid(context, sides, PutBack(paths, {**back.written, **edited}))


async def run_at_base(context: ExamContext) -> RerunResult:
    """The base's exam on the base's own code; kept by tree, so it is run once for each base."""
    base = context.looked.fingerprints.tree(context.looked.change.base.commit)
    return await rerun_exam(context, RerunRequest(base, _BASE, reds=True))


async def red_before(context: ExamContext, commands: Sequence[ExamCommand]) -> dict[str, tuple[str, ...]]:
    """Commands of an undeclared exam whose every failing test failed at the base too, with these tests."""
    given = context.looked.judged.given
    reds = [each for each in commands if _is_red(each.result) and each.result.entry.identity not in given]
    if not reds or len(reds) < sum(_is_red(each.result) for each in commands):
        return {}
    base = {each.result.entry.identity: each for each in (await run_at_base(context)).commands}
    found = {}
    for each in reds:
        before = base.get(each.result.entry.identity)
        names = only_red_before(before.result.cases, each.result.cases) if before else None
        if names is None:
            return {}
        found[each.result.entry.key] = names
    return found


async def red_elsewhere(
    context: ExamContext, commands: Sequence[ExamCommand], mine: Collection[str]
) -> Elsewhere:
    """Where a red exam fails just so: at the base, or with what others changed and without `mine`.

    `declared`: at the base, and somebody declared a command of it.
    """
    reds = [each.result for each in commands if not is_green(each.result)]
    if not reds or not all(map(_is_red, reds)):
        return ""
    if _fails_alike(reds, await run_at_base(context)):
        return "declared" if any(_is_declared(context, each.entry) for each in reds) else "before"
    changed = context.looked.change.changed
    own = tuple(path for path in changed if path in mine)
    if len(own) == len(changed):
        return ""
    prints = context.looked.fingerprints
    base = prints.tree(context.looked.change.base.commit)
    tree = prints.composed(base, context.tree, own)
    return (
        "others"
        if _fails_alike(reds, await rerun_exam(context, RerunRequest(tree, _OTHERS, reds=True)))
        else ""
    )


def _is_declared(context: ExamContext, entry: Accept) -> bool:
    """Whether a person named it, in settings or in what was said in a session."""
    return entry.identity in context.looked.judged.given or entry.source.startswith("prompt")


def _fails_alike(reds: Sequence[CommandResult], other: RerunResult) -> bool:
    """Whether each of them is red there too, and no test fails that does not fail there."""
    there = {each.result.entry.identity: each.result for each in other.commands}
    for each in reds:
        known = there.get(each.entry.identity)
        if known is None or not _is_red(known):
            return False
        if each.cases or known.cases:
            alike = only_red_before(known.cases, each.cases) is not None
        else:
            alike = _said(each) == _said(known)
        if not alike:
            return False
    return True


def _said(result: CommandResult) -> str:
    """What a command that names no tests printed, without numbers and places."""
    return " ".join(_VARYING.sub("", result.tail).split())


def questions_of_red(context: ExamContext, names: Iterable[str], goal: str) -> tuple[Question, ...]:
    """Tests that stay red although the goal names them, or their file speaks of a changed one."""
    changed = [path for path in context.looked.change.changed if role_of(path) == "source"]
    stems = {path.rpartition("/")[2].partition(".")[0] for path in changed} - {"", "__init__", "index"}
    found = []
    for name in names:
        file, _, title = name.partition("::")
        text = (context.looked.fingerprints.content(context.tree, file) or b"").decode(errors="replace")
        spoken = stems & set(_WORD.findall(text))
        plain = title.rpartition(" > ")[2].partition("[")[0]
        if spoken or (plain and plain in goal):
            about = about_files(context, (file, *sorted(changed)[:50]))
            message = Phrase("questions.still_red", {"test": name})
            found.append(Question("red-before", message, file, 0, name, None, about))
    return tuple(found[:_EACH])


def questions_about(context: ExamContext, exam: BaseExam, sides: Sides) -> tuple[Question, ...]:
    """What a human has to say about tests that the new code breaks."""
    asked = [each for each in exam.broken if not no_room(sides, each)]
    files: dict[str, list[Broken]] = {}
    for each in asked:
        files.setdefault(each.file, []).append(each)
    found = [one for file, tests in files.items() for one in _of_file(context, file, tests, sides)]
    for result in exam.red:
        about = about_files(context, sides.exam)
        found.append(Question("base-command", _base_command(context, result, sides), about=about))
    if exam.why is not None and any(_existed(context, path) for path in sides.laid):
        about = about_files(context, sides.exam)
        message = Phrase("questions.base_not_run", {"why": exam.why})
        found.append(Question("base-not-run", message, about=about))
    return (*found, *_unbuilt(context, exam), *_lowered(context, sides))


def _base_command(context: ExamContext, result: CommandResult, sides: Sides) -> Phrase:
    """With the tests that its output names as failed; else its last line and what the change alters."""
    named = [failure.name for failure in result.failures if failure.name]
    last = next((line for line in reversed(result.tail.splitlines()) if line.strip()), "")
    values = {"command": result.entry.line, "last": (", ".join(named[:_EACH]) or last).strip()[:200]}
    before, now = (tree.read(sides.laid) for tree in trees_of(context))
    altered = [] if named else [each.old.test.name for each in altered_tests(before, now, {}).altered]
    if not altered:
        return Phrase("questions.base_command", values)
    return Phrase("questions.base_command_altered", {**values, "tests": ", ".join(altered[:_EACH])})


def _unbuilt(context: ExamContext, exam: BaseExam) -> Iterator[Question]:
    for path in exam.unbuilt:
        kind, key = ("exam-settings", "exam_settings") if is_mixed(path) else ("exam-inside", "exam_inside")
        message = Phrase(f"questions.{key}", {"file": path})
        yield Question(kind, message, path, about=about_files(context, (path,)))


def _lowered(context: ExamContext, sides: Sides) -> Iterator[Question]:
    """Coverage thresholds that the change lowers or removes, all files together."""
    base, now = trees_of(context)
    paths = [path for path in sides.laid if _sets_thresholds(sides, path)]
    texts = ([data.decode(errors="replace") for data in tree.read(paths).values()] for tree in (base, now))
    found = lowered(*texts)
    if found:
        said = ", ".join(
            f"{each.key} {each.was:g} → {'-' if each.now is None else f'{each.now:g}'}" for each in found
        )
        message = Phrase("questions.threshold_lowered", {"thresholds": said})
        yield Question("threshold-lowered", message, paths[0], about=about_files(context, paths))


def no_room(sides: Sides, test: Broken) -> bool:
    """Whether nothing honest explains it: it is kept from running, or is gone while the code stays."""
    return test.kept_from_running or (test.switched_off and not sides.product)


def _of_file(context: ExamContext, file: str, tests: Sequence[Broken], sides: Sides) -> Iterable[Question]:
    about = about_files(context, (file,) if file else sides.exam)
    wanted = Phrase("questions.broken_wanted")
    if len(tests) > _EACH:
        names = ", ".join(test.name.rpartition("::")[2] for test in tests[:_EACH])
        values = {"count": len(tests), "names": names, "file": file}
        digest = sha256("\n".join(test.name for test in tests).encode()).hexdigest()
        message = Phrase("questions.broken_many", values)
        yield Question("broken-tests", message, file, 0, tests[0].name, wanted, (*about, digest))
        return
    for test in tests:
        how = "gone" if test.now == "absent" else "skipped" if test.now == "skipped" else "changed"
        key = f"questions.{how}_red" if test.before == "failed" else f"questions.{how}"
        message = Phrase(key, {"test": test.name})
        yield Question("broken-test", message, test.file, test.line, test.name, wanted, about)


def about_files(context: ExamContext, paths: Iterable[str]) -> tuple[str, ...]:
    """Digests of these files, before and after."""
    looked = context.looked
    base = looked.fingerprints.tree(looked.change.base.commit)
    contents = (looked.fingerprints.content(tree, path) for path in paths for tree in (base, context.tree))
    return tuple(sha256(content or b"").hexdigest() for content in contents)


def _existed(context: ExamContext, path: str) -> bool:
    return context.looked.change.changed.get(path) != "added"


def _put_back(context: ExamContext, sides: Sides) -> PutBack:
    """Manifests and product files that hold both sides stay as they are now, with the base's exam in them."""
    base, now = trees_of(context)
    mixed = [path for path in sides.laid if is_mixed(path)]
    inside = [path for path in sides.inside if path not in sides.permitted]
    changed = context.looked.change.changed
    before, after = base.read((*mixed, *inside)), now.read(changed if inside else mixed)
    written, unbuilt = {}, []
    for path in mixed:
        empty = b"{}" if path.endswith(".json") else b""
        was, has = (_without_thresholds(texts.get(path, empty)) for texts in (before, after))
        if not exam_differs(path, was, has):
            continue
        spliced = splice(path, was, has)
        if spliced is not None:
            written[path] = spliced
        elif path in before:
            unbuilt.append(path)
    moved = {region.text for path in after for region in regions(path, after[path])} if inside else set()
    for path in inside:
        built = with_base_regions(path, before[path], after[path]) if path in after else None
        if built is not None:
            written[path] = built
        elif any(each.text not in moved for each in changed_regions(regions(path, before[path]), ())):
            unbuilt.append(path)
    whole = tuple(path for path in sides.laid if path not in mixed)
    return PutBack(whole, written, tuple(unbuilt))


def _without_thresholds(data: bytes) -> bytes:
    try:
        return without_thresholds(data.decode()).encode()
    except ValueError:
        return data


async def _laid(context: ExamContext, sides: Sides, back: PutBack) -> RerunResult | None:
    """The base's exam on the new code, coverage thresholds off."""
    fingerprints = context.looked.fingerprints
    base = fingerprints.tree(context.looked.change.base.commit)
    written = {**back.written, **dict(_switched_off(context, sides, back))}
    tree = fingerprints.composed(base, context.tree, back.paths, written)
    if tree == context.tree:
        return None
    off = [entry._replace(argv=_argv_without_thresholds(entry.argv)) for entry in context.entries]
    known = {new.identity: old for new, old in zip(off, context.entries, strict=True)}
    found = await rerun_exam(context._replace(entries=tuple(off)), RerunRequest(tree, _BASE_TESTS, reds=True))
    commands = [
        each._replace(result=each.result._replace(entry=known[each.result.entry.identity]))
        for each in found.commands
    ]
    return found._replace(commands=tuple(commands))


def _switched_off(context: ExamContext, sides: Sides, back: PutBack) -> Iterator[tuple[str, bytes]]:
    """Settings and scripts of the tree to be that hold a threshold, without it."""
    base, now = trees_of(context)
    laid = set(back.paths)
    then = base.read(path for path in laid if _sets_thresholds(sides, path))
    kept = [path for path in now.paths() if path not in laid and _sets_thresholds(sides, path)]
    for path, data in {**then, **now.read(kept), **back.written}.items():
        off = _without_thresholds(data)
        if off != data:
            yield path, off


def _sets_thresholds(sides: Sides, path: str) -> bool:
    return path in sides.exam or sides.table.role(path) == "config"


def _argv_without_thresholds(argv: tuple[str, ...]) -> tuple[str, ...]:
    line = shlex.join(argv)
    off = without_thresholds(line)
    return tuple(shlex.split(off)) if off != line else argv


def _too_long(context: ExamContext) -> Phrase | None:
    took = sum(took_by(context, entry) or 0.0 for entry in context.entries)
    if context.looked.rules.config.evidence.base_exam == "always" or took <= _LONGEST:
        return None
    return Phrase("questions.base_too_long", {"minutes": round(took / 60)})


def _found_nothing(laid: RerunResult) -> bool:
    """Whether not one test of the base could be run."""
    return not laid.green and not any(case.outcome == "passed" for case in cases_of(laid.commands))


def _stood_before(context: ExamContext, commands: Iterable[ExamCommand]) -> bool:
    """Whether every test that ran is in a file that the change leaves as it was, but for its layout."""
    files = {case.file for case in cases_of(commands)}
    (base, now), changed = trees_of(context), context.looked.change.changed
    before, after = base.read(files), now.read(files)
    same = all(path not in changed or is_formatted(path, before.get(path), after.get(path)) for path in files)
    return bool(files) and "" not in files and same


def _ran_nothing(result: RerunResult) -> bool:
    counts = [each.result.counts for each in result.commands]
    return bool(counts) and all(each is not None and nothing_ran(each) for each in counts)


def _red(
    laid: Sequence[ExamCommand], base: Sequence[ExamCommand], commands: Sequence[ExamCommand], *, edited: bool
) -> Iterable[CommandResult]:
    """Commands that pass now and fail with the base's exam, though no test is known to explain it.

    At the base they passed; or they failed there, the change `edited` what was there of the exam, and they
    name no tests, or only such as still fail elsewhere: nobody can say what became of it.
    """
    still = failing(cases_of(commands))
    passed_now = {each.result.entry.identity for each in commands if is_green(each.result)}
    tried = [each.result for each in base if is_tried(each.result)]
    passed_then = {result.entry.identity for result in tried if is_green(result)}
    for each in laid:
        result = each.result
        if result.entry.identity not in passed_now or (is_tried(result) and is_green(result)):
            continue
        named = failing(cases_of([each]))
        if result.entry.identity in passed_then or (edited and (not cases_of([each]) or named & still)):
            yield result


def _left_out(
    context: ExamContext, base: RerunResult, laid: RerunResult, commands: Iterable[ExamCommand]
) -> Iterator[Broken]:
    """Test files that could be loaded neither at the base nor now, and that the change's exam leaves out."""
    commands = list(commands)
    unloaded = {**_unloaded(base.commands), **_unloaded(laid.commands)}
    names = (_unloaded(base.commands).keys() & _unloaded(laid.commands).keys()) - _unloaded(commands).keys()
    if not names:
        return
    run = {case.file for case in cases_of(commands)} | {
        case.group for each in commands for case in each.result.cases
    }
    before, _ = trees_of(context)
    changed = context.looked.change.changed
    for path in before.paths():
        module = path.rpartition(".")[0].replace("/", ".")
        name = next((each for each in names if module == each or module.endswith(f".{each}")), None)
        if name and path not in run and not any(f"{group}.".startswith(f"{name}.") for group in run):
            yield Broken(path, path, 0, "failed", "absent", path in changed, unloaded[name])


def _unloaded(commands: Iterable[ExamCommand]) -> dict[str, str]:
    """Modules that a runner could not load, as it names them, with what it says."""
    cases = (case for each in commands for case in each.result.cases if not case.file)
    failed = (case for case in cases if case.outcome == "failed" and case.group in _NO_CLASS)
    return {case.name: case.message for case in failed}


def _with_reason(test: Broken, commands: Iterable[ExamCommand]) -> Broken:
    """A test that did not run says why its file could not be loaded."""
    if test.why:
        return test
    module = test.file.rpartition(".")[0].replace("/", ".")
    for each in commands:
        for case in each.result.cases:
            unloaded = case.outcome == "failed" and case.name and case.message
            if unloaded and (module == case.name or module.endswith(f".{case.name}")):
                return test._replace(why=case.message)
    return test


def _is_red(result: CommandResult) -> bool:
    return result.way in ("ran", "cached") and result.ended is not None and not is_green(result)


def cases_of(commands: Iterable[ExamCommand]) -> tuple[Case, ...]:
    """Test by test; where a report knows the file of some, those that it knows no file of are the same.

    A file that could not be loaded is reported like a test of no class: it is none.
    """
    cases = [
        case for each in commands for case in each.result.cases if case.file or case.group not in _NO_CLASS
    ]
    placed = [case for case in cases if case.file]
    return tuple(placed or cases)
