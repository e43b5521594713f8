"""CTest: one line for all tests; those skipped count as passed there and are listed below it."""

import re

from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import counted
from donewhen.core.counts import Counts

_TOTAL = re.compile(r"\d{1,3}% tests passed, (?P<failed>\d{1,9}) tests? failed out of (?P<total>\d{1,9})")
_SKIPPED = re.compile(r"\s{1,12}\d{1,9} - .{1,300} \(Skipped\).{0,40}")
_TIME = re.compile(r"Total Test time \(real\) = {1,6}(?P<time>[\d.]{1,12} sec)")


def read_ctest(lines: Lines) -> list[Counts]:
    totals = [found for line in lines if (found := _TOTAL.fullmatch(line))]
    parts = [[(int(found[word]), word) for word in ("total", "failed")] for found in totals]
    if len(parts) != 1:
        return [counted("ctest", pairs) for pairs in parts]
    skipped = sum(1 for line in lines if _SKIPPED.fullmatch(line))
    time = next((found["time"] for line in lines if (found := _TIME.fullmatch(line))), None)
    return [counted("ctest", [*parts[0], (skipped, "skipped")], seconds=time)]
