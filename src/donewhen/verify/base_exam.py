"""The base exam: the exam as it stood at the base, run on the code that the change brings.

Needed only where the exam side differs from the base. What the base's tests say is compared test by test with
what they said at the base (`core.base_tests`); here is what is laid over what, and what is run.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from donewhen.core.base_tests import Broken, broken_tests, only_red_before
from donewhen.core.integrity.roles import exam_side, is_mixed, role_of
from donewhen.core.questions import Question
from donewhen.core.scenarios import Case
from donewhen.core.texts import Phrase
from donewhen.verify.composing import PutBack, with_merged
from donewhen.verify.exam_run import Sitting, Told, is_green, is_tried
from donewhen.verify.inspecting import named_files
from donewhen.verify.rerun import Again, Proper, Resat, sit_again

ALONE = "alone"  # the change itself, with nothing beside it but the environment
_BASE_TESTS = "base-tests"
_BASE = "base"
_WORD = re.compile(r"\w+")
_EACH = 10  # questions about tests of one file; more are one question
_CI = (".github/", ".gitlab-ci", ".circleci/", "azure-pipelines", ".travis", "appveyor", ".pre-commit")


class BaseExam(NamedTuple):
    """What came of it. `held`: every test that passed at the base passes on the new code."""

    held: bool = True
    ran: bool = False
    tests: int = 0  # of the base that passed on the new code
    broken: tuple[Broken, ...] = ()
    red: tuple[Sitting, ...] = ()  # commands that fail while all their tests pass, or can't run there
    why: Phrase | None = None  # why it could not be run at all


class Sides(NamedTuple):
    """The changed paths on the exam side, and those of them that are taken as they are now."""

    exam: tuple[str, ...]
    permitted: frozenset[str] = frozenset()

    @property
    def laid(self) -> tuple[str, ...]:
        """What goes back to the base's version."""
        return tuple(path for path in self.exam if path not in self.permitted)


def sides_of(proper: Proper, used: Collection[str] = ()) -> Sides:
    """By the table of names, and by what the exam's own commands are seen to use (`used`).

    A new file that a command names stays: without it the command would say nothing.
    """
    changed = proper.looked.change.changed
    found = [path for path in changed if path in used or (exam_side(path) and not _is_ci(path))]
    named = named_files(proper.looked)
    needed = frozenset(path for path in found if changed[path] == "added" and path in named)
    return Sides(tuple(sorted(found)), needed)


def product_changed(proper: Proper) -> bool:
    """Whether code that the tests are about changed, manifests that hold both sides included."""
    changed = proper.looked.change.changed
    return any(role_of(path) == "source" or is_mixed(path) for path in changed)


async def run_base_exam(proper: Proper, told: Sequence[Told], sides: Sides) -> BaseExam:
    """Lay the base's exam over the new code, run it, and where it fails compare it with the base."""
    back = _with_splices(proper, sides.laid)
    if not back:
        return BaseExam()
    laid = await _laid(proper, back)
    settings = [path for path in back.paths if role_of(path) == "config"]
    if laid is not None and _found_nothing(laid) and (settings or back.written):
        kept = tuple(path for path in back.paths if path not in settings)
        again = await _laid(proper, PutBack(kept)) if kept else None
        laid = again if again is not None and not _found_nothing(again) else laid
    if laid is None:
        return BaseExam()
    if laid.rerun.green:
        return BaseExam(ran=True, tests=laid.rerun.executed or 0)
    if laid.rerun.why is not None and not laid.told:  # the room itself could not be had
        return BaseExam(held=False, why=laid.rerun.why)
    base = await run_at_base(proper)
    laid_cases = _cases(laid.told)
    broken = broken_tests(
        _cases(base.told), laid_cases, _cases(told), touched=frozenset(proper.looked.change.changed)
    )
    broken = tuple(_with_reason(each, laid.told) for each in broken)
    edited = any(_existed(proper, path) for path in sides.laid)
    red = () if broken else tuple(_red(laid.told, base.told, told, edited=edited))
    passed = sum(case.outcome == "passed" for case in laid_cases)
    return BaseExam(held=not broken and not red, ran=True, tests=passed, broken=broken, red=red)


async def run_at_base(proper: Proper) -> Resat:
    """The base's exam on the base's own code; kept by tree, so it is run once for each base."""
    base = proper.looked.fingerprints.tree(proper.looked.change.base.commit)
    return await sit_again(proper, Again(base, _BASE, reds=True))


async def red_before(proper: Proper, told: Sequence[Told]) -> dict[str, tuple[str, ...]]:
    """Commands of an undeclared exam whose every failing test failed at the base too, with these tests."""
    given = proper.looked.judged.given
    reds = [each for each in told if _is_red(each.sitting) and each.sitting.entry.identity not in given]
    if not reds or len(reds) < sum(_is_red(each.sitting) for each in told):
        return {}
    base = {each.sitting.entry.identity: each for each in (await run_at_base(proper)).told}
    found = {}
    for each in reds:
        before = base.get(each.sitting.entry.identity)
        names = only_red_before(before.sitting.cases, each.sitting.cases) if before else None
        if names is None:
            return {}
        found[each.sitting.entry.key] = names
    return found


def questions_of_red(proper: Proper, names: Iterable[str], goal: str) -> tuple[Question, ...]:
    """Tests that stay red although the goal names them, or their file speaks of a changed one."""
    changed = [path for path in proper.looked.change.changed if role_of(path) == "source"]
    stems = {path.rpartition("/")[2].partition(".")[0] for path in changed} - {"", "__init__", "index"}
    found = []
    for name in names:
        file, _, title = name.partition("::")
        text = (proper.looked.fingerprints.content(proper.tree, file) or b"").decode(errors="replace")
        spoken = stems & set(_WORD.findall(text))
        plain = title.rpartition(" > ")[2].partition("[")[0]
        if spoken or (plain and plain in goal):
            about = about_files(proper, (file, *sorted(changed)[:50]))
            message = Phrase("questions.still_red", {"test": name})
            found.append(Question("red-before", message, file, 0, name, None, about))
    return tuple(found[:_EACH])


def questions_about(proper: Proper, exam: BaseExam, sides: Sides) -> tuple[Question, ...]:
    """What a human has to say about tests that the new code breaks."""
    asked = [each for each in exam.broken if not no_room(proper, each)]
    files: dict[str, list[Broken]] = {}
    for each in asked:
        files.setdefault(each.file, []).append(each)
    found = [one for file, tests in files.items() for one in _of_file(proper, file, tests, sides)]
    for sitting in exam.red:
        last = next((line for line in reversed(sitting.tail.splitlines()) if line.strip()), "")
        values = {"command": sitting.entry.line, "last": last.strip()[:200]}
        about = about_files(proper, sides.exam)
        found.append(Question("base-command", Phrase("questions.base_command", values), about=about))
    if exam.why is not None and any(_existed(proper, path) for path in sides.laid):
        about = about_files(proper, sides.exam)
        message = Phrase("questions.base_not_run", {"why": exam.why})
        found.append(Question("base-not-run", message, about=about))
    return tuple(found)


def no_room(proper: Proper, test: Broken) -> bool:
    """Whether nothing honest explains it: it is kept from running, or is gone while the code stays."""
    return test.kept_from_running or (test.switched_off and not product_changed(proper))


def _of_file(proper: Proper, file: str, tests: Sequence[Broken], sides: Sides) -> Iterable[Question]:
    about = about_files(proper, (file,) if file else sides.exam)
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


def about_files(proper: Proper, paths: Iterable[str]) -> tuple[str, ...]:
    """Digests of these files, before and after."""
    looked = proper.looked
    base = looked.fingerprints.tree(looked.change.base.commit)
    contents = (looked.fingerprints.content(tree, path) for path in paths for tree in (base, proper.tree))
    return tuple(sha256(content or b"").hexdigest() for content in contents)


def _existed(proper: Proper, path: str) -> bool:
    return proper.looked.change.changed.get(path) != "added"


def _with_splices(proper: Proper, paths: Sequence[str]) -> PutBack:
    """Manifests that hold both sides as they are now, with what the base says about the exam."""
    fingerprints = proper.looked.fingerprints
    base = fingerprints.tree(proper.looked.change.base.commit)
    before = {path: fingerprints.content(base, path) for path in paths if is_mixed(path)}
    now = {path: fingerprints.content(proper.tree, path) for path in before}
    back = with_merged(paths, before.get, now.get)
    whole = tuple(path for path in back.paths if not is_mixed(path))  # what can't be spliced stays new
    written = {path: data for path, data in back.written.items() if _differs(data, now.get(path))}
    return PutBack(whole, written)


def _differs(spliced: bytes, now: bytes | None) -> bool:
    """Whether the splice says anything else: it may only be written in another form."""
    if now is None or spliced == now:
        return False
    try:
        return bool(json.loads(spliced) != json.loads(now))
    except ValueError:
        return sorted(spliced.split(b"\n")) != sorted(now.split(b"\n"))


async def _laid(proper: Proper, back: PutBack) -> Resat | None:
    fingerprints = proper.looked.fingerprints
    base = fingerprints.tree(proper.looked.change.base.commit)
    tree = fingerprints.composed(base, proper.tree, back.paths, back.written)
    return await sit_again(proper, Again(tree, _BASE_TESTS, reds=True)) if tree != proper.tree else None


def _found_nothing(laid: Resat) -> bool:
    """Whether not one test of the base could be run."""
    return not laid.rerun.green and not any(case.outcome == "passed" for case in _cases(laid.told))


def _red(
    laid: Sequence[Told], base: Sequence[Told], told: Sequence[Told], *, edited: bool
) -> Iterable[Sitting]:
    """Commands that pass now and fail with the base's exam, though no test is known to explain it.

    At the base they passed, or they failed there, name no tests, and the change `edited` what was there of
    the exam: then nobody can say what became of it.
    """
    passed_now = {each.sitting.entry.identity for each in told if is_green(each.sitting)}
    tried = [each.sitting for each in base if is_tried(each.sitting)]
    passed_then = {sitting.entry.identity for sitting in tried if is_green(sitting)}
    for each in laid:
        sitting = each.sitting
        if sitting.entry.identity not in passed_now or (is_tried(sitting) and is_green(sitting)):
            continue
        if sitting.entry.identity in passed_then or (edited and not sitting.cases):
            yield sitting


def _with_reason(test: Broken, told: Iterable[Told]) -> Broken:
    """A test that did not run says why its file could not be loaded."""
    if test.why:
        return test
    module = test.file.rpartition(".")[0].replace("/", ".")
    for each in told:
        for case in each.sitting.cases:
            unloaded = case.outcome == "failed" and case.name and case.message
            if unloaded and (module == case.name or module.endswith(f".{case.name}")):
                return test._replace(why=case.message)
    return test


def _is_red(sitting: Sitting) -> bool:
    return sitting.way in ("ran", "cached") and sitting.ended is not None and not is_green(sitting)


def _cases(told: Iterable[Told]) -> tuple[Case, ...]:
    """Test by test; where a report knows the file of some, those that it knows no file of are the same.

    A file that could not be loaded is reported like a test of no class: it is none.
    """
    cases = [case for each in told for case in each.sitting.cases if case.file or case.group]
    placed = [case for case in cases if case.file]
    return tuple(placed or cases)


def _is_ci(path: str) -> bool:
    return path.startswith(_CI)
