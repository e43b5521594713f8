"""What a shell test asks: comparisons of what a command prints, and calls of the script's own checkers.

Enough to know the inputs and answers of the exam; whether the test could fail is not judged here.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence

from donewhen.core.integrity.model import Assertion
from donewhen.verify.integrity.shellscript.deciding import literal
from donewhen.verify.integrity.shellscript.scanning import Word, scan

_COMPARES = ("=", "==", "!=", "-eq", "-ne")
_BRACKETS = ("[", "[[", "test")
_SHELLS = frozenset("sh bash dash zsh ksh env python python3 node ruby perl exec run command timeout".split())
_KEYWORDS = frozenset(
    "if then else elif fi do done while until for in case esac ! { } time local export".split()
)
_PROGRAM = re.compile(r"(?:\./|\.\./|/)?(?:[\w.-]{1,80}/){0,8}[\w-]{1,80}\.(?:sh|bash)|\.\.?/[\w./-]{1,200}")
_CHECKER = re.compile(r"(?:expect|assert|check|should|verify)[\w-]{0,40}|eq|is|ok")  # of a library
_PRINTS = ("echo", "printf")
_ASSIGNED = re.compile(r"([A-Za-z_]\w{0,60})=")
_NAMED = re.compile(r"\$\{?(\w{1,60})\}?")


class Asked:
    """One pass over the commands of a script, with what variables were filled from."""

    def __init__(self, words: Sequence[Word], functions: frozenset[str]) -> None:
        self._functions = functions
        self._filled: dict[str, tuple[str, ...]] = {}  # variable → texts of its commands
        self._commands = list(_commands(words))

    def assertions(self) -> Iterator[Assertion]:
        for command in self._commands:
            first = command[0]
            assigned = _ASSIGNED.match(first.text)
            if assigned and first.runs:
                self._filled[assigned[1]] = first.runs
            elif first.text == "run":
                self._filled["output"] = (" ".join(_quoted(word) for word in command[1:]),)
            elif first.text in _BRACKETS and not first.quoted:
                yield from self._compared(command)
            elif first.text in self._functions or _CHECKER.fullmatch(first.text):
                yield from self._checked(command)

    def _compared(self, command: Sequence[Word]) -> Iterator[Assertion]:
        if len(command) < 4 or command[2].text not in _COMPARES:
            return
        sides = (command[1], command[3])
        for one, two in (sides, sides[::-1]):
            runs = one.runs or self._filled.get(_variable(one), ())
            said = plainly(two)
            if runs and said is not None and plainly(one) is None:
                given, subjects = _inputs(runs)
                text = " ".join(_quoted(word) for word in command)
                yield Assertion(text, command[0].line, "equal", subjects, given, (literal(said),))
                return

    def _checked(self, command: Sequence[Word]) -> Iterator[Assertion]:
        """`expect Ann "Hello, Ann!"`: the answer stands last; `expect 12 ./sum.sh FILE`: it stands first."""
        at = next((n for n, word in enumerate(command) if n > 1 and _PROGRAM.fullmatch(word.text)), 0)
        if at:
            yield from self._run(command, at)
            return
        said = [plainly(word) for word in command[1:]]
        plain = [literal(text) for text in said if text is not None]
        runs = tuple(
            each for word, text in zip(command[1:], said, strict=True) if text is None for each in word.runs
        )
        inner, subjects = _inputs(runs)
        text = " ".join(_quoted(word) for word in command)
        if plain and (len(plain) > 1 or inner):
            given = (*inner, *plain[:-1])
            yield Assertion(
                text, command[0].line, "equal", subjects or (command[0].text,), given, (plain[-1],)
            )

    def _run(self, command: Sequence[Word], at: int) -> Iterator[Assertion]:
        wanted = [literal(word.text) for word in command[1:at] if word.plain and word.text not in _SHELLS]
        given = tuple(literal(word.text) for word in command[at + 1 :] if word.text)
        text = " ".join(_quoted(word) for word in command)
        subject = posixpath.basename(command[at].text).partition(".")[0]
        if len(wanted) == 1 and given:
            yield Assertion(text, command[0].line, "equal", (subject,), given, (wanted[0],))


def _commands(words: Sequence[Word]) -> Iterator[list[Word]]:
    here: list[Word] = []
    for word in (*words, Word("\n", 0, operator=True)):
        if word.operator:
            if here:
                yield here
            here = []
        elif here or word.quoted or word.text not in _KEYWORDS:
            here.append(word)


def _variable(word: Word) -> str:
    found = _NAMED.fullmatch(word.text)
    return found[1] if found else ""


def plainly(word: Word) -> str | None:
    """The text of a word that stands for itself, also as `$(printf 'one\\ntwo')`."""
    if word.plain:
        return word.text
    if len(word.runs) != 1 or word.text not in ("", f"$({word.runs[0]})"):
        return None
    commands = list(_commands(scan(word.runs[0][:4000])))
    if len(commands) != 1 or commands[0][0].text not in _PRINTS:
        return None
    rest = commands[0][1:]
    if len(rest) != 1 or not rest[0].plain or "%" in rest[0].text:
        return None
    return rest[0].text.replace("\\n", "\n").strip("\n")


def _quoted(word: Word) -> str:
    if not word.quoted and not word.runs:
        return word.text
    return "'" + word.text.replace("'", "'\\''") + "'"


def _inputs(runs: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The literals that go into commands, and the names of the commands."""
    given: list[str] = []
    subjects: list[str] = []
    for text in runs[:20]:
        for command in _commands(scan(text[:4000])):
            rest = list(command)
            while len(rest) > 1 and posixpath.basename(rest[0].text) in _SHELLS:
                rest = rest[1:]
            if rest[0].text not in _PRINTS:
                subjects.append(posixpath.basename(rest[0].text).partition(".")[0])
            given += [literal(word.text) for word in rest[1:] if word.plain]
    return tuple(given), tuple(subjects)
