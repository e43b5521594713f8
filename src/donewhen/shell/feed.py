"""What a command reads on its standard input, as far as the line itself says it.

A shell runs what it reads, so a here-document, a here-string or `echo … |` before it is code. Only plain
cases of the left side of a pipe are followed; everything else counts as not known.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.tree import Redirect, Simple, Statement, Word

_READS = frozenset(("<", "<<", "<<-", "<<<", "<>", "<&"))
_ECHO_OPTION = re.compile(r"-[neE]+")
_PRINTED = {"n": "\n", "t": "\t", "\\": "\\"}
_PRINTF = re.compile(r"\\(.)|%(.)", re.DOTALL)


class Feed(NamedTuple):
    stdin: Redirect | None = None  # where its input comes from; None: not said
    open_end: bool = False  # more words follow that nobody knows (xargs)


NOTHING = Feed()


def stdin_of(redirects: Sequence[Redirect], before: Statement | None = None, around: Feed = NOTHING) -> Feed:
    """Of a command with `redirects`, behind `before` in a pipe, or else inside a compound fed by `around`."""
    for redirect in reversed(redirects):
        if redirect.operator in _READS and redirect.fd in ("", "0"):
            return Feed(redirect)
    if before is not None:
        return _printed(before)
    return around


def _printed(statement: Statement) -> Feed:
    """What a plain echo, printf or cat hands to the next command of a pipe."""
    command = statement.command
    if not isinstance(command, Simple) or not command.words or not all(word.known for word in command.words):
        return NOTHING
    if any(r.operator not in _READS for r in statement.redirects):
        return NOTHING
    name, *arguments = [word.text for word in command.words]
    if name == "cat" and arguments in ([], ["-"]):
        return stdin_of(statement.redirects)
    text = echoed(arguments) if name == "echo" else formatted(arguments) if name == "printf" else None
    return NOTHING if text is None else Feed(Redirect("<<<", Word(text), body=Word(text)))


def echoed(arguments: list[str]) -> str | None:
    """What echo prints, but for the newline."""
    options = 0
    while options < len(arguments) and _ECHO_OPTION.fullmatch(arguments[options]):
        options += 1
    text = " ".join(arguments[options:])
    return None if "\\" in text and any("e" in option for option in arguments[:options]) else text


def formatted(arguments: list[str]) -> str | None:
    """printf with %s and the common escapes; the format is used again while arguments are left."""
    if not arguments or arguments[0].startswith("-"):
        return None
    layout, values = arguments[0], arguments[1:]
    found = list(_PRINTF.finditer(layout))
    takes = sum(m[2] == "s" for m in found)
    if any((m[1] or "n") not in _PRINTED or (m[2] or "s") not in "s%" for m in found) or (
        values and not takes
    ):
        return None
    rounds = -(-len(values) // takes) if values else 1
    left = iter(values)
    one = lambda m: _PRINTED[m[1]] if m[1] else "%" if m[2] == "%" else next(left, "")  # noqa: E731
    return "".join(_PRINTF.sub(one, layout) for _ in range(rounds))
