"""A plain command line as argv, and a refusal of everything that only a shell would understand.

It never interprets quotes, variables or globs: a text that has any of these is refused with advice, because
guessing would run something else than what was written.
"""

import re

from donewhen.core.lazy import lazy

# each is linear in the text: it comes from repositories
_SYNTAX = lazy(r"""&&|\|\||\$\(|>>|<<|['"`\\|&;<>$\n\r()*?\[\]]""")
_AT_WORD_START = lazy(r"(?:^|(?<=[ \t]))[~#!]")
_ASSIGNMENT = lazy(r"[A-Za-z_][A-Za-z0-9_]*=")
_BRACES = lazy(r"\{[^{}]*\}")


def shell_syntax_in(text: str) -> str | None:
    """The first piece of shell syntax in the text, None for a plain command line."""
    line = text.strip(" \t\r\n")
    found = _SYNTAX.search(line) or _AT_WORD_START.search(line) or _ASSIGNMENT.match(line)
    if found is not None:
        return "newline" if found.group() in ("\n", "\r") else found.group()
    # `{x}` alone is plain, `{a,b}` and `{1..3}` are not
    return next((piece for piece in _BRACES.findall(line) if "," in piece or ".." in piece), None)


def split_plain(text: str) -> tuple[str, ...]:
    """The words of a plain command line; only blanks and tabs part them."""
    return tuple(word for word in re.split(r"[ \t]+", text.strip(" \t\r\n")) if word)
