"""Foreign text in a prompt of ours: names on one line, and the end of what a program printed.

A file name with a line break, or an output full of control characters, must not read as if we had said it.
Nothing is taken out of a name unseen: what can't be printed is spelled out.
"""

import re

LONGEST_NAME = 200
LONGEST_LINE = 1000  # of a sentence or a command
TAIL = 2000  # characters of failing output
_TAIL_LINES = 60
LONGEST_SHOWN = 160  # of a line on a terminal
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;:?]{0,40}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_])")


def one_name(text: str, longest: int = LONGEST_NAME) -> str:
    """On one line, printable, and not longer than that: the end of a long name says more than its middle."""
    if len(text) > longest:
        half = longest // 2
        text = f"{text[:half]}…{text[-half:]}"
    return text if text.isprintable() else "".join(map(spelled, text))


def titled(name: str, text: str) -> str:
    """A text with its name in front, once: tasks of a spec often begin with their number."""
    return text if text == name or text.startswith(f"{name} ") else f"{name}: {text}"


def tail_of(output: str) -> str:
    """The last lines, without colours and other control characters; empty when nothing is left."""
    recent = _ESCAPES.sub("", output[-4 * TAIL :])
    kept = "".join(each for each in recent.replace("\r\n", "\n") if each in "\n\t" or each.isprintable())
    short = kept.rstrip()[-TAIL:]
    if len(short) < len(kept.rstrip()):
        short = short.partition("\n")[2] or short  # from the start of a line, where there is one
    return "\n".join(short.strip("\n").split("\n")[-_TAIL_LINES:])


def spelled(character: str) -> str:
    """As it is where it can be printed."""
    if character.isprintable():
        return character
    return character.encode("unicode_escape", errors="backslashreplace").decode()


def visible(text: str, longest: int = LONGEST_SHOWN) -> str:
    """The text as it may be shown on a terminal: tabs as blanks, what is not printable escaped, cut."""
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join("    " if each == "\t" else spelled(each) for each in short)
