"""Live code where one would not look for it: subscripts of names, words for completion.

The shell evaluates `a[$(…)]` wherever it takes a name or a number, also from quotes. Only builtins do that.
"""

from collections.abc import Iterator, Sequence

from donewhen.core.tree import Word
from donewhen.guard.expand import expand
from donewhen.guard.state import State
from donewhen.guard.walk.base import TRACE, Frame, Walk, inner_path, trace
from donewhen.guard.walk.nested import text

_NUMERIC = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
_ALL = frozenset("read unset mapfile readarray getopts let export declare typeset local readonly".split())
_BEHIND = {"test": "-v", "[": "-v", "printf": "-v", "wait": "-p"}
# Options of builtins with a text that is run, or expanded as words.
_RUN = {"compgen": ("-C", "-F"), "complete": ("-C", "-F"), "bind": ("-x",)}
_EXPANDED = {"compgen": "-W", "complete": "-W"}
LIVE = _ALL | frozenset((*_BEHIND, *_RUN))


def live_words(walk: Walk, argv: tuple[str, ...], state: State, frame: Frame) -> None:
    """Judges what a builtin runs of its words."""
    name = argv[0]
    names = argv[1:] if name in _ALL else [*_behind(argv, _BEHIND.get(name, ""))]
    for word in names:
        if "[" in word:
            _evaluate(walk, word, state, frame)
    for word in _behind(argv, _EXPANDED.get(name, "")):
        _evaluate(walk, word, state, frame)
    for option in _RUN.get(name, ()):
        for word in _behind(argv, option):
            code = word.partition(":")[2] if option == "-x" else word
            text(walk, code, name, state.copy(), inner_path(frame, name)._replace(plain=False))


def _behind(argv: Sequence[str], option: str) -> Iterator[str]:
    if not option:
        return
    for at, word in enumerate(argv):
        if word == option:
            yield from argv[at + 1 : at + 2]
        elif word.startswith(option):
            yield word[len(option) :]


def _evaluate(walk: Walk, word: str, state: State, frame: Frame) -> None:
    if "$(" in word or "`" in word:
        expand.run_value(word, state, walk.runner(frame))


def tested(walk: Walk, words: Sequence[Word], state: State, frame: Frame) -> None:
    """`[[ … ]]`: words are expanded; what `-v` names and what is compared as a number is evaluated."""
    numeric = any(word.text in _NUMERIC for word in words)
    named = any(word.text == "-v" for word in words)
    for word in words:
        values = [] if word.known and not (numeric or named) else walk.one(word, state, frame)
        if TRACE in state.options:
            trace(walk, values, frame)
        for value in values:
            if named:
                _evaluate(walk, value, state, frame)
            if numeric and value not in _NUMERIC:
                expand.calculate(value, (), state, walk.runner(frame))
