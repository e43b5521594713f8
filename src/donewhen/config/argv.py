"""A plain command line as argv, and a refusal of everything that only a shell would understand.

It never interprets quotes, variables or globs: a text that has any of these is refused with advice, because
guessing would run something else than what was written.
"""

import re

# characters and forms whose meaning only a shell gives; `{x}` alone is plain, `{a,b}` is not
_SHELL = re.compile(
    r"""['"`\\|&;<>$\n\r()*?\[\]]|\{[^}]*(,|\.\.)[^}]*\}|(^|\s)[~#!]|^\s*[A-Za-z_][A-Za-z0-9_]*="""
)


def shell_syntax_in(text: str) -> str | None:
    """The first piece of shell syntax in the text, None for a plain command line."""
    found = _SHELL.search(text.strip())
    if found is None:
        return None
    piece = found.group().strip()
    if piece in ("\n", "\r", ""):
        return "newline"
    rest = text.strip()[found.start() :]
    return next((form for form in ("&&", "||", "$(", ">>", "<<") if rest.startswith(form)), piece)


def split_plain(text: str) -> tuple[str, ...]:
    """The words of a plain command line."""
    return tuple(text.split())
