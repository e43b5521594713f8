"""Runners whose summary needs more than a form: go, Vitest, Jest, Playwright, Cypress, Gradle, unittest, TAP.

Whole lines only. A file, suite or package that failed while none of its tests did could not be loaded; that
is an error, also where no test is named.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from donewhen.commands.counts.forms import Pair, counted, pairs_in
from donewhen.commands.counts.text import Lines
from donewhen.core.counts import Counts, add_up
from donewhen.core.lazy import lazy

# go test: a line per package; single tests only with -v or -json. `ok` without single tests means that some
# ran, `(cached)` too; subtests are parts of their test

_PACKAGE = re.compile(
    r"(?P<verdict>ok|FAIL)\s{1,8}(?!\d+\s)(?P<name>\S{1,300})\s{1,8}"
    r"(?:(?P<time>\d{1,9}\.\d{1,9}s)|\(cached\)|(?P<broken>\[(?:build|setup) failed\]))(?P<rest>\s.{0,200})?"
)
_NO_FILES = re.compile(
    r"\?\s{1,8}\S{1,300}\s{1,8}\[no test files\]|\s{1,8}\S{1,300}\s{1,8}coverage: 0\.0% of statements"
)
_TEST = re.compile(r"--- (?P<verdict>PASS|FAIL|SKIP): (?P<name>\S{1,300})(?: \([\d.]{1,12}s\))?")
_NONE = Counts(0, 0, runner="go")
_WARNING = "testing: warning: no tests to run"
_RUN = re.compile(r"=== RUN\s{1,8}\S{1,300}")
_VERDICTS = {"pass": "PASS", "fail": "FAIL", "skip": "SKIP"}


def read_go(lines: Lines) -> list[Counts]:
    parts: list[Counts] = []
    verdicts: list[str] = []
    verbose = none = False
    for line in lines:
        if found := _TEST.match(line):
            verdicts.append(found["verdict"])
            verbose = verbose or found["verdict"] != "FAIL"
        elif _RUN.fullmatch(line):
            verbose = True
        elif line == _WARNING:
            none = True
        elif found := _PACKAGE.fullmatch(line):
            parts.append(_NONE if none else _package(found, verdicts, verbose))
            verdicts, verbose, none = [], False, False
        elif _NO_FILES.fullmatch(line):
            parts.append(_NONE)
    if verdicts:
        parts.append(_tests(verdicts, verbose))
    elif none:
        parts.append(_NONE)
    whole = add_up(parts)
    return [whole] if whole else []


def _package(found: re.Match[str], verdicts: list[str], verbose: bool) -> Counts:
    if found["broken"]:
        return Counts(0, 0, errors=1, runner="go")
    if found["verdict"] == "ok" and "[no tests to run]" in (found["rest"] or ""):
        return Counts(0, 0, seconds=found["time"], runner="go")
    counts = _tests(verdicts, verbose)._replace(seconds=found["time"])
    # it panicked or left with an exit status of its own
    return counts._replace(errors=1) if found["verdict"] == "FAIL" and not counts.failed else counts


def _tests(verdicts: list[str], verbose: bool) -> Counts:
    passed, failed, skipped = (verdicts.count(verdict) for verdict in ("PASS", "FAIL", "SKIP"))
    if verbose and verdicts:
        return Counts(passed + failed, passed, failed, skipped=skipped, runner="go")
    return Counts(None, None, failed, runner="go")


def read_go_json(lines: Lines) -> list[Counts]:
    """`go test -json`: an object a line; the verdict on a package decides where no test is named."""
    verdicts: list[str] = []
    packages: list[str] = []
    tested: set[str] = set()
    for event in _events(lines):
        verdict, package, test = (str(event.get(key, "")) for key in ("Action", "Package", "Test"))
        if verdict not in _VERDICTS:
            continue
        if not test:
            packages.append(f"{verdict} {package}")
        elif "/" not in test:
            verdicts.append(_VERDICTS[verdict])
            tested.add(package)
    parts = [_tests(verdicts, True)] if verdicts else []
    parts += [_NONE for name in packages if name.startswith("skip ")]
    untested = [name for name in packages if name.partition(" ")[2] not in tested]
    parts += [Counts(0, 0, errors=1, runner="go") for name in untested if name.startswith("fail ")]
    if not verdicts and any(name.startswith("pass ") for name in untested):
        parts.append(_NONE)
    whole = add_up(parts)
    return [whole] if whole else []


def _events(lines: Lines) -> Iterable[dict[str, Any]]:
    for line in lines:
        if line.startswith(('{"Time":', '{"Action":')):
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


# Vitest, Jest (and Pest, which took over its form), Playwright, Cypress

_DURATION = r"[\d.]{1,12} ?(?:ms|s|m|h)"
_VITEST = re.compile(
    r"\s*(?P<what>Test Files|Tests|Errors) {1,10}(?P<list>no tests|\d[\w |]{0,200}?)(?: \(\d{1,9}\))?"
    rf"|\s*(?P<time>Duration) {{1,10}}(?P<seconds>{_DURATION})(?: \(.*)?"
)
_JEST = re.compile(
    r"\s*(?P<what>Test Suites|Tests): {1,10}(?P<list>\d[\w ,]{0,200}?)(?: \(\d{1,9} assertions?\))?"
    rf"|\s*(?P<time>Time|Duration): {{1,10}}(?P<seconds>{_DURATION})(?:, estimated.*)?"
)
_OF_TOTAL = re.compile(r"\d{1,9} of (\d{1,9} total)")


class _Draft(NamedTuple):
    files: tuple[Pair, ...] | None = None
    tests: tuple[Pair, ...] | None = None
    seconds: str | None = None
    errors: int = 0


def read_vitest(lines: Lines) -> list[Counts]:
    return [_js_counts("vitest", draft) for draft in _js_drafts(lines, _VITEST, " | ")]


def read_jest(lines: Lines) -> list[Counts]:
    return [_js_counts("jest", draft) for draft in _js_drafts(lines, _JEST, ", ")]


def _js_drafts(lines: Lines, pattern: re.Pattern[str], separator: str) -> list[_Draft]:
    drafts: list[_Draft] = []
    for line in lines:
        found = pattern.fullmatch(line)
        if not found:
            continue
        if found["time"]:
            if drafts and drafts[-1].seconds is None:
                drafts[-1] = drafts[-1]._replace(seconds=found["seconds"])
            continue
        text = _OF_TOTAL.sub(r"\1", found["list"])
        pairs = [] if text == "no tests" else pairs_in(text, separator)
        if pairs is not None:
            _js_put(drafts, found["what"], tuple(pairs))
    return drafts


def _js_put(drafts: list[_Draft], what: str, pairs: tuple[Pair, ...]) -> None:
    last = drafts[-1] if drafts else None
    if what == "Errors":
        if last:
            drafts[-1] = last._replace(errors=sum(number for number, _ in pairs))
    elif what == "Tests":
        if last and last.tests is None:
            drafts[-1] = last._replace(tests=pairs)
        else:
            drafts.append(_Draft(tests=pairs))
    else:
        drafts.append(_Draft(files=pairs))


def _js_counts(runner: str, draft: _Draft) -> Counts:
    files = counted(runner, draft.files or ())
    number = files.executed if draft.files else None
    if draft.tests is None:
        # the line of the tests is lost: they ran if a file did
        unknown = Counts(None, None, errors=files.failed, files=number, seconds=draft.seconds, runner=runner)
        return unknown if files.executed else files._replace(files=number, seconds=draft.seconds)
    tests = counted(runner, draft.tests, number, draft.seconds)
    broken = files.failed if not tests.failed else 0
    return tests._replace(errors=tests.errors + draft.errors + broken)


_PLAYWRIGHT = re.compile(
    r" {1,2}(?P<n>\d{1,9}) (?P<word>passed|failed|flaky|interrupted|did not run|skipped"
    r"|errors? (?:was|were) not a part of any test)(?:, see above for details)?"
    rf"(?: \((?P<time>{_DURATION})\))?"
)
_RUNNING = re.compile(r"Running (?P<n>\d{1,9}) tests? using \d{1,6} workers?.{0,40}")


def read_playwright(lines: Lines) -> list[Counts]:
    """`Running …` opens a run, a number of passes with the time it took closes it; either may be missing."""
    parts: list[Counts] = []
    pairs: dict[str, int] = {}
    announced: int | None = None
    for line in lines:
        if found := _RUNNING.fullmatch(line):
            parts += _left(pairs, announced)
            pairs, announced = {}, int(found["n"])
        elif found := _PLAYWRIGHT.fullmatch(line):
            pairs[found["word"]] = int(found["n"])
            if found["word"] == "passed" and found["time"]:
                parts.append(_played(pairs, found["time"]))
                pairs, announced = {}, None
    return parts + _left(pairs, announced)


def _left(pairs: dict[str, int], announced: int | None) -> list[Counts]:
    """What was said of a run without passes, or nothing at all of one that announced no test."""
    return [_played(pairs, None)] if pairs or announced == 0 else []


def _played(pairs: dict[str, int], time: str | None) -> Counts:
    return counted("playwright", [(number, word) for word, number in pairs.items()], seconds=time)


_CELL = r"(\d{1,9}|-)"
_TOTALS = re.compile(
    r"\s+[✔✖√×] +(?:All specs passed!|\d+ of \d+ failed \(\d+%\)) +(?P<time>[\d:]{2,12}|\d+ms)"
    rf" +{_CELL} +{_CELL} +{_CELL} +{_CELL} +{_CELL}"
)
_SPEC = re.compile(rf"\s*│ [✔✖√×] .{{1,300}}? +(?:[\d:]{{2,12}}|\d+ms)(?: +{_CELL}){{5}} +│")


def read_cypress(lines: Lines) -> list[Counts]:
    """The table at the end of the whole run."""
    parts = []
    files = 0
    for line in lines:
        if _SPEC.fullmatch(line):
            files += 1
        elif found := _TOTALS.fullmatch(line):
            cells = [0 if cell == "-" else int(cell) for cell in found.groups()[1:]]
            words = ("tests", "passing", "failing", "pending", "skipped")
            pairs = list(zip(cells, words, strict=True))[1:]
            parts.append(counted("cypress", pairs, files or None, found["time"]))
            files = 0
    return parts


# Maven and Ant (surefire), Gradle: the sums of the modules, the lines of classes only where there are none

_LEVEL = r"(?:\[(?:INFO|WARNING|WARN|ERROR|junit)\]\s{1,6})?"
_TESTS_RUN = re.compile(
    rf"\s{{0,8}}{_LEVEL}Tests run:\s?(?P<total>\d{{1,9}}), Failures:\s?(?P<failures>\d{{1,9}}), "
    r"Errors:\s?(?P<errors>\d{1,9})(?:, Skipped:\s?(?P<skipped>\d{1,9}))?(?:, Flakes: \d{1,9})?"
    r"(?P<time>,? ?Time elapsed: (?P<seconds>[\d.,]{1,12} ?s(?:ec)?).{0,400})?"
)
_SUM_WORDS = ("total", "failures", "errors", "skipped")
_TASK = re.compile(
    r"> Task :(?:[\w.-]{1,100}:){0,20}(?:[a-z]\w{0,100}Test|test|allTests|connectedCheck)"
    r"(?: (?P<outcome>NO-SOURCE|SKIPPED|UP-TO-DATE|FROM-CACHE|FAILED))?"
)
_EVENT = re.compile(r"\S.{0,300} > .{1,300} (?P<verdict>PASSED|FAILED|SKIPPED)(?: \([\d.]{1,12}m?s\))?")
_EVENT_WORDS = {"PASSED": "passed", "FAILED": "failed", "SKIPPED": "skipped"}


def read_maven(lines: Lines) -> list[Counts]:
    founds = [found for line in lines if (found := _TESTS_RUN.fullmatch(line))]
    sums = [found for found in founds if not found["time"]]
    parts = []
    for found in sums or founds:
        pairs = [(int(found[word]), word) for word in _SUM_WORDS if found[word]]
        parts.append(counted("maven", pairs, seconds=found["seconds"] if len(founds) == 1 else None))
    classes = len(founds) - len(sums)
    if len(sums) == 1 and classes:
        return [parts[0]._replace(files=classes)]
    return parts


def read_gradle(lines: Lines) -> list[Counts]:
    """Single tests where they are logged; tasks without sources, when no task had any, are none."""
    verdicts = [_EVENT_WORDS[found["verdict"]] for line in lines if (found := _EVENT.fullmatch(line))]
    outcomes = [found["outcome"] for line in lines if (found := _TASK.fullmatch(line))]
    if not outcomes and "BUILD SUCCESSFUL" not in "".join(line[:40] for line in lines if "BUILD" in line):
        return []
    if any(verdict != "failed" for verdict in verdicts):
        return [counted("gradle-tests", [(verdicts.count(word), word) for word in _EVENT_WORDS.values()])]
    if outcomes and all(outcome in ("NO-SOURCE", "SKIPPED") for outcome in outcomes):
        return [Counts(0, 0, runner="gradle")]
    return []


# unittest (also as nose, Django and trial print it), and pytest without a summary

_UNITTEST_RAN = lazy(r"Ran (?P<n>\d{1,9}) tests? in (?P<time>[\d.]{1,20} ?s(?:econds)?)")
_UNITTEST_VERDICT = lazy(r"(?P<verdict>OK|FAILED|PASSED|NO TESTS RAN)(?: \((?P<list>[\w=, ]{1,200})\))?")
_UNITTEST_RULE = "-" * 70
_UNITTEST_PART = lazy(r"([A-Za-z][A-Za-z ]{1,40})=(\d{1,9})")
_UNITTEST_WORDS = {
    "failures": "failures",
    "errors": "errors",
    "skipped": "skipped",
    "skip": "skipped",
    "skips": "skipped",
    "expected failures": "expected failures",
    "expectedfailures": "expected failures",
    "unexpected successes": "unexpected successes",
}
_UNITTEST_COLLECTED = lazy(
    r"collected (?P<n>\d{1,9}) items?(?: / (?P<errors>\d{1,9}) errors?)?(?: / \d{1,9} deselected)?"
    r"(?: / \d{1,9} skipped)?(?: / (?P<selected>\d{1,9}) selected)?"
)


class Summary(NamedTuple):
    counts: Counts
    ran: int  # skipped ones included
    ruled: bool  # below a line of dashes, as unittest itself writes it


def read_unittest(lines: Lines) -> list[Counts]:
    return [each.counts for each in summaries(lines)]


def summaries(lines: Lines) -> list[Summary]:
    """Every summary in the form of unittest, in the order of the text."""
    found: list[Summary] = []
    for number, line in enumerate(lines):
        ran = _UNITTEST_RAN.fullmatch(line)
        if ran:
            verdict = _UNITTEST_VERDICT.fullmatch(lines[number + 1]) if number + 1 < len(lines) else None
            counts = _unittest_counts(int(ran["n"]), ran["time"], verdict)
            found.append(Summary(counts, int(ran["n"]), number > 0 and lines[number - 1] == _UNITTEST_RULE))
    return found


def _unittest_counts(ran: int, time: str, verdict: re.Match[str] | None) -> Counts:
    listed = _UNITTEST_PART.findall(verdict["list"] or "") if verdict else []
    pairs = [
        (int(n), _UNITTEST_WORDS[name.strip().lower()])
        for name, n in listed
        if name.strip().lower() in _UNITTEST_WORDS
    ]
    counts = counted("unittest", [(ran, "tests"), *pairs], seconds=time.replace(" ", ""))
    if verdict and verdict["verdict"] == "FAILED" and not counts.failed and not counts.errors:
        return counts._replace(errors=1)
    return counts


def read_collected(lines: Lines) -> list[Counts]:
    """Only a collection that found nothing says something about what ran."""
    founds = [found for line in lines if (found := _UNITTEST_COLLECTED.fullmatch(line))]
    if not founds or any(int(found["selected"] or found["n"]) for found in founds):
        return []
    return [Counts(0, 0, errors=sum(int(found["errors"] or 0) for found in founds), runner="pytest")]


# TAP: a plan and a line per test; indented lines are parts of the test that follows them

_TAP_PLAN = re.compile(r"1\.\.(?P<n>\d{1,9})(?:\s{1,8}#.{0,300})?")
_TAP_VERSION = re.compile(r"TAP version \d{1,3}")
_TAP_POINT = re.compile(r"(?P<verdict>ok|not ok)\b(?P<rest>.*)")
_TAP_DIRECTIVE = re.compile(r"\s#\s{0,4}(?P<word>skip|todo)", re.IGNORECASE)
_TAP_BAIL = re.compile(r"Bail out!.*")


def read_tap(lines: Lines) -> list[Counts]:
    plans = [int(found["n"]) for line in lines if (found := _TAP_PLAN.fullmatch(line))]
    if not plans and not any(_TAP_VERSION.fullmatch(line) for line in lines):
        return []
    words = [_tap_word(found) for line in lines if (found := _TAP_POINT.fullmatch(line))]
    if not words and any(plans):
        return []  # announced, and no line of it was seen
    bailed = sum(1 for line in lines if _TAP_BAIL.fullmatch(line))
    pairs = [(words.count(word), word) for word in ("passed", "failed", "skipped")]
    return [counted("tap", [*pairs, (bailed, "errors")])]


def _tap_word(found: re.Match[str]) -> str:
    """A test that is skipped or still to do never fails, and proves nothing."""
    if _TAP_DIRECTIVE.search(found["rest"]):
        return "skipped"
    return "passed" if found["verdict"] == "ok" else "failed"


# CTest: those skipped count as passed in its one line and are listed below it

_CTEST_TOTAL = re.compile(
    r"\d{1,3}% tests passed, (?P<failed>\d{1,9}) tests? failed out of (?P<total>\d{1,9})"
)
_CTEST_SKIPPED = re.compile(r"\s{1,12}\d{1,9} - .{1,300} \(Skipped\).{0,40}")
_CTEST_TIME = re.compile(r"Total Test time \(real\) = {1,6}(?P<time>[\d.]{1,12} sec)")


def read_ctest(lines: Lines) -> list[Counts]:
    totals = [found for line in lines if (found := _CTEST_TOTAL.fullmatch(line))]
    parts = [[(int(found[word]), word) for word in ("total", "failed")] for found in totals]
    if len(parts) != 1:
        return [counted("ctest", pairs) for pairs in parts]
    skipped = sum(1 for line in lines if _CTEST_SKIPPED.fullmatch(line))
    time = next((found["time"] for line in lines if (found := _CTEST_TIME.fullmatch(line))), None)
    return [counted("ctest", [*parts[0], (skipped, "skipped")], seconds=time)]
