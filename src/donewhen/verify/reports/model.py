"""One failure of a run, whoever told it."""

from typing import Literal, NamedTuple

FailureKind = Literal["failed", "error"]  # a test that said no; something that went wrong outside of one

MOST_FAILURES = 50
LONGEST_NAME = 300
LONGEST_MESSAGE = 600
LONGEST_DETAILS = 6000


class Failure(NamedTuple):
    """`file` as it was told, relative where that is known; line 0: not told."""

    name: str
    file: str = ""
    line: int = 0
    message: str = ""
    details: str = ""
    kind: FailureKind = "failed"
    column: int = 0
    rule: str = ""


def first_line(text: str) -> str:
    """The first line that says something, cut."""
    line = next((each.strip() for each in text.splitlines() if each.strip()), "")
    return line[:LONGEST_MESSAGE]


def cut(text: str, longest: int = LONGEST_DETAILS) -> str:
    """The text without its middle when it is too long: causes stand at the start, places at the end."""
    text = text.strip("\n")
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}\n…\n{text[-half:]}"
