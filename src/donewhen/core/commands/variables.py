"""Variables that something other than an assignment sets: `read`, `for`, `printf -v`, `((…))`.

Their value is not known afterwards. One that decides which program answers, or that programs are given,
counts as set to something unknown.
"""

import re
from collections.abc import Iterable, Sequence

from donewhen.core.commands.spoiling import answering
from donewhen.core.commands.status import State, forget
from donewhen.core.tree import Word

_NAME = re.compile(r"(?:-[A-Za-z]*?)?([A-Za-z_]\w*)(?:\[.*)?", re.DOTALL)
_LONG = 200


def overwritten(state: State, names: Iterable[str]) -> State:
    """These variables hold something that the line does not tell."""
    gone = set(names)
    state = forget(state, gone)
    passed_on = {name: Word(f"${name}", known=False) for name in gone if _reaches_programs(name, state)}
    return state._replace(env={**state.env, **passed_on}) if passed_on else state


def _reaches_programs(name: str, state: State) -> bool:
    if name in state.env or "allexport" in state.options:
        return True
    if name == "ENV":  # a common name for a loop; only a shell for people reads it
        return False
    return name == name.upper() and (name == "CDPATH" or answering({name: Word(f"={name}", known=False)}))


def names_in(words: Sequence[Word]) -> set[str]:
    """The names among the words of `read`, `mapfile`, `getopts`; also attached ones (`-aPATH`)."""
    found: set[str] = set()
    for word in words:
        match = _NAME.fullmatch(word.text[:_LONG].partition("=")[0].rstrip("+"))
        if match is not None:
            found.add(match[1])
            found.add(match[1].lstrip("abcdefghijklmnopqrstuvwxyz"))
    return found - {""}
