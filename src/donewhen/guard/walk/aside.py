"""Whole commands in the options of programs that nobody knows: `frob --exec 'rm …'`.

What such a program does with the text is not known. One that would be denied as a command makes it a
question; one that is harmless, or no command at all, changes nothing.
"""

import re
import shlex
from collections.abc import Iterator

from donewhen.core.lazy import lazy
from donewhen.core.tree import Refused
from donewhen.guard.bounds import UNBOUND
from donewhen.guard.effects import Unknown
from donewhen.guard.rules import findings
from donewhen.guard.rules.rule import Setting
from donewhen.guard.state import State
from donewhen.guard.walk.base import Frame, Walk, inner_path
from donewhen.guard.walk.nested import subshell
from donewhen.shell import parse

_OPTION = lazy(
    r"(-[ceox]|--?(?:[a-z]+-)*(?:exec|execute|eval|command|cmd|run|hook|pager|editor|shell))(?:=(.*))?",
    re.DOTALL,
)
_OPEN = lazy(r"\s*(?:[^\s'\"]*[*?\[]|\$[\w{])")  # any program could be meant, so none is
_LONGEST = 4096
_VERBS = 2  # words of the program's own before the command: `platform shell rm …`


def ask_about_texts(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> None:
    """Reports options of the program that hold a command which would be denied."""
    for at, word in enumerate(argv[1:], 1):
        found = _OPTION.fullmatch(word) if word[:1] == "-" else None
        if found is None:
            continue
        value = found[2] if found[2] is not None else "".join(argv[at + 1 : at + 2])
        if (
            " " in value
            and len(value) <= _LONGEST
            and any(_denied(walk, one, state, frame) for one in _texts(value))
        ):
            walk.report(Unknown("guard.unknown_text", value), argv, frame)


def _texts(value: str) -> Iterator[str]:
    """The value, what stands behind its first words, and what is quoted in it."""
    yield value
    rest = value
    for _ in range(_VERBS):
        rest = rest.partition(" ")[2].lstrip()
        if rest:
            yield rest
    try:
        yield from (word for word in shlex.split(value)[: 2 * _VERBS] if " " in word)
    except ValueError:
        return


def _denied(walk: Walk, text: str, state: State, frame: Frame) -> bool:
    key = (f"{frame.elsewhere}:{state.folder}", text)
    if _OPEN.match(text) or key in walk.asides or not walk.deeper(frame) or not walk.step():
        return False
    walk.asides.add(key)
    walk.characters += 4 * len(text)
    other = walk.aside()
    tree = parse(other.carried(text))
    if isinstance(tree, Refused):
        return False
    inside = inner_path(frame, "option")._replace(stdin=None, wants=False, plain=False)
    other.script(tree, subshell(state, frame), inside)
    walk.repay(other)
    return any(one.action == "deny" for one in findings(other.found, Setting(walk.ground, UNBOUND, {})))
