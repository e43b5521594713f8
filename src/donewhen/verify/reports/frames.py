"""Code frames: the lines round a place, as compilers print them; and failures as feedback.

The text comes from files and programs of others: control and direction characters are escaped, long lines
cut. What can't be read gives no frame; nothing here opens a file.
"""

from collections.abc import Callable, Iterable

from donewhen.core.findings import Category, Feedback
from donewhen.verify.reports.model import Failure

LONGEST_LINE = 160
MOST_AROUND = 20
LARGEST_TEXT = 4 * 2**20
_TAB = "    "


def frame(
    read: Callable[[str], str | None], file: str, line: int, around: int = 2, column: int = 0
) -> tuple[str, ...]:
    """The lines round `line` with numbers, `>` at the line and `^` under the column; none when not known.

    A line end is `\n`, as editors and tools count; a page break within a line is no line of its own.
    """
    if not file or line < 1:
        return ()
    text = read(file)
    if text is None or len(text) > LARGEST_TEXT:
        return ()
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    if line > len(lines):
        return ()
    first = max(1, line - min(max(around, 0), MOST_AROUND))
    last = min(len(lines), line + min(max(around, 0), MOST_AROUND))
    width = len(str(last))
    shown: list[str] = []
    for number in range(first, last + 1):
        mark = ">" if number == line else " "
        shown.append(f"{mark} {number:>{width}} | {visible(lines[number - 1])}".rstrip())
        if number == line and 0 < column <= LONGEST_LINE:
            before = len(visible(lines[number - 1][: column - 1], longest=10 * LONGEST_LINE))
            shown.append(f"  {'':>{width}} | {' ' * before}^")
    return tuple(shown)


def visible(text: str, longest: int = LONGEST_LINE) -> str:
    """The text as it may be shown on a terminal: tabs as blanks, what is not printable escaped, cut."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(_shown(character) for character in cut)


def _shown(character: str) -> str:
    if character == "\t":
        return _TAB
    if character.isprintable():
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def feedback_of(
    failures: Iterable[Failure], rule: str = "tests", category: Category = "quality"
) -> tuple[Feedback, ...]:
    """The failures of a command as feedback; each is a verdict of a program, so there is no doubt in it."""
    return tuple(
        Feedback(
            status="fail",
            category=category,
            message=f"{each.name}: {each.message}"
            if each.name and each.message
            else each.name or each.message,
            file=each.file,
            line=each.line,
            column=each.column,
            details=each.details,
            fixable=True,
            rule=each.rule or rule,
        )
        for each in failures
    )
