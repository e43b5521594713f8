"""Counts as one short text: `8 files / 22 tests passed, 1.23s`."""

from donewhen.core.counts.model import Counts
from donewhen.core.texts import Language, say


def summary(counts: Counts, language: Language = "en") -> str:
    """What ran and how it went, then what was skipped and the time it took."""
    told = _results(counts, language)
    if counts.files:
        told = say(
            "counts.file" if counts.files == 1 else "counts.files", language, n=counts.files, rest=told
        )
    if counts.skipped and counts.executed != 0:
        told = say("counts.and_skipped", language, told=told, n=counts.skipped)
    if counts.seconds:
        told = say("counts.took", language, told=told, time=counts.seconds)
    return told


def _results(counts: Counts, language: Language) -> str:
    if counts.failed or counts.errors:
        return _failures(counts, language)
    if counts.executed is None:
        return say("counts.unknown", language)
    if counts.executed == 0:
        return (
            say("counts.skipped", language, n=counts.skipped)
            if counts.skipped
            else say("counts.none", language)
        )
    if not counts.passed:
        return say("counts.as_expected", language, n=counts.executed)
    return say("counts.test" if counts.passed == 1 else "counts.tests", language, n=counts.passed)


def _failures(counts: Counts, language: Language) -> str:
    told = []
    if counts.failed:
        told.append(
            say("counts.failed_of", language, n=counts.failed, all=counts.executed)
            if counts.executed
            else say("counts.failed", language, n=counts.failed)
        )
    if counts.errors:
        told.append(say("counts.error" if counts.errors == 1 else "counts.errors", language, n=counts.errors))
    return say("counts.comma", language).join(told)
