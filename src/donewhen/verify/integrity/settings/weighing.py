"""Is what is run now the same as before, or more? Compares the programs that two commands come to.

Programs are compared by the tables of `core.commands`. What they load besides (`--require`, `-p`) is taken
off first: a package that compiles is no matter, a file of the project is told as a hook.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from donewhen.core.codec import EMPTY
from donewhen.core.commands.invocation import Comparison, Invocation
from donewhen.core.commands.spoiling import ANSWERED, answering
from donewhen.core.commands.tools import compare
from donewhen.core.tree import Word
from donewhen.verify.integrity.settings.acts import Act
from donewhen.verify.integrity.settings.moves import Moves

Lack = Literal["masked", "less", "spoiled", "not_run", "gone"]
_LESS = ("tools.narrower", "tools.weaker")
_LOADERS = frozenset(
    "--require -r --import --loader --experimental-loader -p --plugin --preload --setup".split()
)
_LOADING = frozenset(
    "node mocha ava tap tape c8 nyc tsx ts-node pytest py.test bun vitest electron-mocha".split()
)
_LOCAL = re.compile(r"(?:\.{1,2}/|/|<rootDir>|\$|file:).{0,400}|.{1,400}\.[cm]?[jt]s", re.DOTALL)
_PLAIN_PATHS = re.compile(
    r"(?:\$\{?PYTHONPATH\}?|\$PWD|\$\(pwd\)|\.|(?:\./)?[\w-]{1,60}(?:/[\w-]{1,60}){0,4})?"
)
_KNOWN_PLUGINS = re.compile(
    r"no:(?!python$|unittest$|doctest$|assertion$|main$|runner$|skipping$).{1,80}|pytest_?\w{0,60}|xdist\w{0,20}|randomly|cov|asyncio\w{0,20}|anyio|hypothesis\w{0,20}|xvfb|timeout"
)
_PATTERN = re.compile(r"[\w./*?{},@+-]{1,400}")
_MINOR = re.compile(r"--strict-(?:markers|config)|-W|--skipLibCheck|--coverage|--cov(?:=|$)")
_WHOLE = re.compile(
    r"(?:-s=)?(?:\./)?(?:tests?|spec|src|__tests__)/?(?:[*/.\w]{0,40}\*[*/.\w]{0,40})?"
)  # where all tests may lie
_PATH_VARIABLES = frozenset(("PYTHONPATH", "NODE_PATH"))


class Missing(NamedTuple):
    """A program that was run before, and what is in its place."""

    before: Act
    lack: Lack
    now: Act | None = None
    detail: str = ""
    doubtful: bool = False  # it may be all there is, or hardly matter


def missing(before: Iterable[Act], now: Sequence[Act], moves: Moves) -> list[Missing]:
    """What was run and shown before, and is not any more."""
    found: list[Missing] = []
    for act in before:
        if not act.shown:
            continue
        lack = _lack(act, now, moves)
        if lack is not None:
            found.append(lack)
    return found


def loaded_besides(words: Sequence[Word]) -> tuple[str, ...]:
    """Files and plugins of the project that a program loads before it does anything."""
    return _stripped(words)[1]


def _lack(act: Act, now: Sequence[Act], moves: Moves) -> Missing | None:
    best: Missing | None = None
    ranks: dict[Lack, int] = {"masked": 0, "not_run": 1, "less": 2, "spoiled": 3, "gone": 4}
    for each in now:
        lack = _against(act, each, moves)
        if lack is None:
            return None
        if lack.lack != "gone" and (best is None or ranks[lack.lack] < ranks[best.lack]):
            best = lack
    return best or Missing(act, "gone")


def _against(act: Act, other: Act, moves: Moves) -> Missing | None:
    """None: `other` proves all that `act` proved."""
    if act.folder != other.folder and moves.folder(act.folder) != other.folder:
        return Missing(act, "gone")
    found = _compared(act, other, moves)
    if found.same and not found.masked:
        if not other.shown or (act.sure and not other.sure):  # only run where something else fails first
            return Missing(act, "masked", other, doubtful=other.shown)
        return Missing(act, "spoiled", other) if _spoils(act.invocation, other.invocation) else None
    if found.masked:
        return Missing(act, "masked", other, found.detail)
    if found.reason in ("tools.not_run", "tools.watch"):
        return Missing(act, "not_run", other, found.detail)
    if found.reason in _LESS:
        doubtful = bool(_MINOR.match(found.detail) or _WHOLE.fullmatch(found.detail))
        return Missing(act, "less", other, found.detail, doubtful)
    return Missing(act, "gone", None, found.detail)


def _compared(act: Act, other: Act, moves: Moves) -> Comparison:
    ours, theirs = plain_invocation(act.invocation), plain_invocation(other.invocation)
    if (ours.words, ours.env) == (theirs.words, theirs.env):
        own = compare(ours, theirs)
        return Comparison(True, own.masked, own.reason, own.detail)
    found = compare(ours, theirs)
    if found.same:
        return found
    moved = ours._replace(words=tuple(moves.word(word) for word in ours.words))
    flat = theirs._replace(
        words=tuple(Word(word.text.replace("**/", "")) if word.known else word for word in theirs.words)
    )
    deeper = compare(moved, flat)  # a pattern that goes deeper takes no less
    return deeper if deeper.same else found


def plain_invocation(invocation: Invocation) -> Invocation:
    """As it is compared: without what is loaded besides, patterns of files as the words that they are."""
    words = _stripped(invocation.words)[0]
    if len(words) > 2 and not words[0].known and words[1].text == "-m":
        words = (Word("python"), *words[1:])
    words = tuple(Word(word.text) if _PATTERN.fullmatch(word.text) else word for word in words)
    env = {name: word for name, word in invocation.env.items() if name not in _PATH_VARIABLES}
    return Invocation(words, env or EMPTY)


def _stripped(words: Sequence[Word]) -> tuple[tuple[Word, ...], tuple[str, ...]]:
    """The words without what is loaded besides, and those loaded files that the project holds."""
    if not any(word.text.rpartition("/")[2] in _LOADING for word in words[:4]):
        return tuple(words), ()
    kept: list[Word] = []
    local: list[str] = []
    at = 0
    while at < len(words):
        option, equals, value = words[at].text.partition("=")
        if not at or option not in _LOADERS or _is_port(option, words):
            kept.append(words[at])
            at += 1
            continue
        if not equals:
            value = words[at + 1].text if at + 1 < len(words) else ""
            at += 1
        at += 1
        if _is_hook(option, value):
            local.append(value)
    return tuple(kept), tuple(local)


def _is_port(option: str, words: Sequence[Word]) -> bool:
    """`-p` loads a plugin with pytest alone; `-r` loads a file, but with pytest it shows a summary."""
    names = {word.text.rpartition("/")[2] for word in words[:4]}
    pytest = bool(names & {"pytest", "py.test"})
    return (option == "-p" and not pytest) or (option == "-r" and pytest)


def _is_hook(option: str, value: str) -> bool:
    if option in ("-p", "--plugin"):
        return not _KNOWN_PLUGINS.fullmatch(value)
    return bool(_LOCAL.fullmatch(value))


def _spoils(before: Invocation, now: Invocation) -> bool:
    if not now.spoiled or now.spoiled == before.spoiled:
        return False
    if now.spoiled != ANSWERED:
        return True
    others: Mapping[str, Word] = {
        name: word
        for name, word in now.env.items()
        if name not in _PATH_VARIABLES or not all(map(_PLAIN_PATHS.fullmatch, word.text.split(":")))
    }
    return len(others) == len(now.env) or answering(others, before.env)
