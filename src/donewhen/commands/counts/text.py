"""Output of a program as lines that can be read: no colours, bounded in length and number.

It may be megabytes and was made by code we don't trust. Summaries stand at the end, what was collected at the
beginning; the middle is left out.
"""

from collections.abc import Iterator, Sequence

from donewhen.core.lazy import lazy

HEAD = 64 * 1024  # characters
TAIL = 256 * 1024
LONGEST = 2000  # characters of one line that are looked at
MOST_LINES = 10_000  # the first tenth and the rest from the end

Lines = Sequence[str]

_CONTROL = lazy(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # titles, links
    r"|\x1b[ -/]*[0-~]"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]"
)
_BREAK = lazy(r"\r\n|\n|\r|\u2028|\u2029")


def readable(output: str) -> list[str]:
    """The lines that are not blank, without trailing white space."""
    lines = [line for part in _ends(output) for line in _lines(part)]
    if len(lines) > MOST_LINES:
        first = MOST_LINES // 10
        lines = lines[:first] + lines[first - MOST_LINES :]
    return lines


def _ends(output: str) -> Iterator[str]:
    if len(output) <= HEAD + TAIL:
        yield output
        return
    # the lines that the cut goes through are dropped
    yield output[:HEAD].rpartition("\n")[0]
    yield output[-TAIL:].partition("\n")[2] or output[-TAIL:]


def _lines(text: str) -> Iterator[str]:
    for line in _BREAK.split(_CONTROL.sub("", text)):
        shown = line[:LONGEST].rstrip()
        if shown:
            yield shown
