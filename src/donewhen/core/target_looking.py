"""Lines that only look: settled without reading them as a possible check.

An agent looks at files far more often than it runs what was declared. One plain program of a short list, with
words that mean what they say, is no test, and it is no declared command that does not name it. What is said
here is exactly what the whole reading would say; everything else is left to that.
"""

import re

from donewhen.core.matches import Described
from donewhen.core.tree import Refused, Simple, Tree

_LOOKERS = frozenset("cat cut grep head ls nl pwd rg sort stat tail tr wc".split())
# Words that mean only themselves: nothing quoted, expanded or escaped could spell another program.
_LITERAL = re.compile(r"[\w ./:=@%+,-]*", re.ASCII)


def looker(tree: Tree) -> str:
    """The program of a line that is one plain look; empty for any other line."""
    if isinstance(tree, Refused) or len(tree) != 1:
        return ""
    command, negated, background, redirects = tree[0]
    if negated or background or redirects or not isinstance(command, Simple):
        return ""
    if command.assigns or command.inner or not all(word.known for word in command.words):
        return ""
    name = command.words[0].text if command.words else ""
    return name if name in _LOOKERS else ""


def as_look(program: str) -> Described:
    """What a look is by itself."""
    return Described(program, is_test=False, sole=True, proven=True)


def is_apart(program: str, declared: str) -> bool:
    """Whether a look with this program can't be what was declared in these words."""
    return program not in declared and _LITERAL.fullmatch(declared) is not None
