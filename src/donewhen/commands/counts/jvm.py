"""Maven and Ant (surefire's lines) and Gradle.

Surefire prints a line per class, with the time it took, and the sum of all classes per module, without a
time: the sums are used, the lines of the classes only where there are none.
"""

import re

from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import counted
from donewhen.core.counts import Counts

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
