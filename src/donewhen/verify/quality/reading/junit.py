"""A JUnit report as the output of a user's own gate: what failed is a violation.

The report of tests is read elsewhere; this only turns its failures into violations. That reader keeps the
story of the first fifty; later ones are told by name, and totals without tests are told as a number.
"""

import re

from donewhen.core.quality.model import Unreadable, Violation
from donewhen.verify.quality.reading.loading import start_of
from donewhen.verify.quality.reading.values import first, placed, said, word
from donewhen.verify.reports.junit import JunitReport, read_junit

_TOOL = "junit"
_DECLARATION = re.compile(r"<\?xml[^>]{0,300}\?>")


def read(text: str, folder: str) -> tuple[Violation, ...]:
    whole = text.removeprefix("\ufeff").strip()
    declared = _DECLARATION.match(whole)  # it names an encoding that is undone now
    bare = whole[declared.end() :] if declared else whole
    if not bare:
        raise Unreadable("toolreading.nothing", tool=_TOOL, form="XML")
    report = read_junit(bare.encode("utf-8", "replace"), folder)
    if report is None:
        raise Unreadable("toolreading.not_junit", tool=_TOOL, start=start_of(bare))
    return first((*_told(report, folder), *_named(report, folder), *_counted(report)))


def _told(report: JunitReport, folder: str) -> tuple[Violation, ...]:
    return tuple(
        Violation(
            word(one.rule) or ("error" if one.kind == "error" else "failure"),
            said(one.message) or word(one.name) or "failed",
            placed(one.file, folder),
            one.line,
            one.column,
            subject=word(one.name),
        )
        for one in report.failures
    )


def _named(report: JunitReport, folder: str) -> tuple[Violation, ...]:
    failed = [case for case in report.cases if case.outcome == "failed"][len(report.failures) :]
    return tuple(
        Violation(
            "failure",
            f"{word(case.name)} failed",
            placed(case.file, folder),
            case.line,
            subject=" › ".join(part for part in (word(case.group), word(case.name)) if part),
        )
        for case in failed
    )


def _counted(report: JunitReport) -> tuple[Violation, ...]:
    failed = report.counts.failed + report.counts.errors
    if not failed or report.failures:
        return ()
    return (Violation("failure", f"{failed} failed"),)
