"""lizard's `--csv`: every function with its complexity, high or low; thresholds are applied elsewhere.

lizard quotes names but escapes nothing, so its lines are no CSV where a file's name holds a quote or a line
break. Each record says the names twice, though, and that is how it is taken apart here. A tree without
functions prints nothing.
"""

import re
from collections.abc import Iterator

from donewhen.core.quality.model import Violation
from donewhen.verify.quality.reading.loading import LARGEST, unknown_line
from donewhen.verify.quality.reading.values import first, number, placed, word

_TOOL = "lizard"
_HEAD = re.compile(r"^\d{1,9},(?P<complexity>\d{1,9}),\d{1,9},\d{1,9},\d{1,9},(?=\")", re.MULTILINE)
_TAIL = re.compile(r'",(?P<start>\d{1,9}),(?P<end>\d{1,9})(?:,[^"\n]{0,2000})?\s*$')
_BETWEEN = '","'
_TITLES = "NLOC,CCN,"


def read(text: str, folder: str) -> tuple[Violation, ...]:
    whole = text.removeprefix("\ufeff")
    if whole.startswith(_TITLES):
        whole = whole.partition("\n")[2]
    if len(whole) > LARGEST:
        whole = whole[:LARGEST].rpartition("\n")[0]
    return first(_functions(whole, folder))


def _functions(text: str, folder: str) -> Iterator[Violation]:
    heads = list(_HEAD.finditer(text))
    starts = [*(head.start() for head in heads), len(text)]
    before = text[: starts[0]]
    if before.strip():
        raise unknown_line(_TOOL, 1, before)
    for head, end in zip(heads, starts[1:], strict=True):
        one = _function(text[head.end() : end], int(head["complexity"]), folder)
        if one is None:
            raise unknown_line(_TOOL, text.count("\n", 0, head.start()) + 1, text[head.start() : end])
        yield one


def _function(record: str, complexity: int, folder: str) -> Violation | None:
    """`"name@start-end@file","file","name","long name",start,end`; names hold no double quote, files may."""
    tail = _TAIL.search(record, max(0, len(record) - 4000))
    if tail is None:
        return None
    rest, _, long_name = record[: tail.start()].rpartition(_BETWEEN)
    rest, _, name = rest.rpartition(_BETWEEN)
    location = f'"{name}@{tail["start"]}-{tail["end"]}@'
    files = rest[len(location) :]
    half = (len(files) - len(_BETWEEN)) // 2
    file = files[:half] if half > 0 else ""
    if not rest.startswith(location) or not file or files != f"{file}{_BETWEEN}{file}":
        return None
    return Violation(
        "complexity",
        f"{word(name)} has a cyclomatic complexity of {complexity}",
        placed(file, folder),
        number(tail["start"]),
        subject=word(long_name),
        value=float(complexity),
    )
