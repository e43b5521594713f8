"""Traps in double quotes are expanded when they are set: `trap "exit $?" EXIT` ends with an old status.

Such a text is followed only where the moment makes no difference; it is never expanded here.
"""

import re

from donewhen.core.commands.status import State
from donewhen.core.commands.status_words import value
from donewhen.core.commands.walk import simples
from donewhen.core.tree import Simple, Substitution, Text, Variable, Word

_NUMBERS = frozenset("LINENO SECONDS RANDOM UID EUID PPID ? $ ! #".split())
_PLAIN = re.compile(r"[\w./@%+=:,-]*")
_WAYS_OUT = frozenset("exit return exec eval . source kill set".split())


def settled(command: Simple, state: State) -> bool:
    """Is a trap in double quotes the same whenever it is expanded? Then it ends no shell by itself."""
    text = next((word for word in command.words[1:] if word.text != "--"), Word(""))
    if text.known:
        return True
    for part in text.parts:
        if isinstance(part, Variable) and (part.name in _NUMBERS and not part.operator):
            continue
        known = None if isinstance(part, Substitution) else value(Word("", False, (part,)), state).only
        if not isinstance(part, Text) and (known is None or not _PLAIN.fullmatch(known)):
            return False
    inner = command.inner[0].script if command.inner else None
    return inner is not None and not any(each.words[0].text in _WAYS_OUT for each in simples(inner))
