"""Single settings: does another value ask less of the exam? One small judge per kind of setting."""

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.tools import compare
from donewhen.core.integrity.roles import role_of
from donewhen.core.tree import Word
from donewhen.verify.integrity.settings.model import Code, Value, is_on, items, number, spelt
from donewhen.verify.integrity.settings.moves import Moves
from donewhen.verify.integrity.settings.weighing import loaded_besides, plain_invocation

Kind = Literal[
    "select",
    "exclude",
    "pattern",
    "bad",
    "good",
    "at_least",
    "at_most",
    "hook",
    "options",
    "value",
    "strict_list",
    "kept",
    "uncover",
]
_FOLDERS = frozenset("src lib test tests spec specs __tests__ packages app e2e".split())
_USUAL_NAMES = re.compile(  # of files, classes and functions, as runners have them by default
    r"(?:\*\*/|<rootDir>/|\./){0,4}(?:(?:src|tests?|__tests__|lib|spec)/)?(?:\*\*/)?\??\(?[*.]{1,4}\)?\+?[({]?"
    r"(?:spec\|test|test\|spec|test,spec|spec,test|test|spec)[)}]?\.[^/]{1,40}"
    r"|\*\*/__tests__/\*\*.{0,40}|test_?\*\.py|\*_tests?\.py|tests?\.py|Test\*?|test_?\*?|\*Tests?"
)
_MADE = frozenset(  # folders that tools make or fetch
    """node_modules dist build venv env git tox nox cache coverage __pycache__ eggs egg idea next nuxt
    svelte-kit out target vendor site-packages _build CVS _darcs arch hg svn bzr tmp temp pytest_cache
    mypy_cache storybook-static idea,git,cache,output,temp""".split()
)
_UNCOVERED = frozenset(
    "__init__.py __main__.py setup.py migrations docs examples manage.py stories d.ts".split()
)
_USUAL_LINES = re.compile(
    r".{0,20}(?:pragma: ?no ?cover|TYPE_CHECKING|NotImplementedError|__name__|__main__|abstractmethod"
    r"|overload|@abc|Protocol|__repr__|__str__|assert_never|\\\.\\\.\\\.|^\.\.\.$|@typing).{0,60}"
)
_TESTS = re.compile(r"test|spec|check", re.IGNORECASE)
_MINOR = re.compile(r"--strict-(?:markers|config)|-W|--cov(?:=|$)|tests?/?$")
_GROUP = re.compile(r"\$\d(?:\.[jt]sx?)?")  # what the pattern itself matched
_LOCAL = re.compile(r"(?:\.{1,2}/|/|<rootDir>|\$|file:).{0,400}|.{1,400}\.[cm]?[jt]sx?", re.DOTALL)


class Change(NamedTuple):
    """A setting before and now; `default` is what holds where nothing is said."""

    before: Value
    now: Value
    default: tuple[str, ...] = ()
    program: str = ""
    lines: bool = False  # a text is a list of lines, not of words
    moves: Moves | None = None


def weaker(kind: Kind, change: Change) -> str:
    """What makes the exam easier in this change; empty when nothing does."""
    return _JUDGES[kind](change)


def doubtful(kind: Kind, change: Change, detail: str) -> bool:
    """Whether it may be honest: a list that takes all there is, a folder without tests, a first set-up."""
    if kind == "select":
        return not change.before or len(items(change.now)) >= len(items(change.before))
    if kind == "exclude":
        return not any(_TESTS.search(part) or _is_exam(_core(part)) for part in detail.split(", "))
    if kind == "options":
        return bool(_MINOR.match(detail))
    return kind == "hook" and not change.before


def _moved(change: Change, parts: Sequence[str]) -> set[str]:
    return {change.moves.place(part) if change.moves else part for part in parts}


def _norm(parts: Iterable[str]) -> set[str]:
    return {part.removeprefix("./").rstrip("/") for part in parts}


def _select(change: Change) -> str:
    """A list of what is taken: nothing of it may go, and where there was none, what comes may not be less."""
    now = items(change.now, change.lines)
    if not now:
        return _unlisted(change)
    if change.before:
        return _lost(change, now)
    odd = [part for part in now if not _is_usual(part)]
    covers = bool(change.default) and _norm(change.default) <= _norm(now)
    return "" if covers or not odd else spelt(change.now)


def _is_usual(part: str) -> bool:
    return _core(part) in ("", *_FOLDERS) or bool(_USUAL_NAMES.fullmatch(part))


def _unlisted(change: Change) -> str:
    """Without a list the runner's own holds: names of files that only the list had are not found any more."""
    if change.default:
        return _lost(change, change.default)
    had = items(change.before, change.lines)
    return ", ".join(part for part in had if set("*^$") & set(part) and not _is_usual(part))


def _lost(change: Change, now: Sequence[str]) -> str:
    had = items(change.before, change.lines)
    held = _norm(now)
    if "." in held or "" in held:
        return ""
    gone = [
        part
        for part, place in ((part, (change.moves.place(part) if change.moves else part)) for part in had)
        if not {part.removeprefix("./").rstrip("/"), place.removeprefix("./").rstrip("/")} & held
        and not any(_above(other, place) for other in held)
    ]
    new_not = [part for part in now if part.startswith("!") and part not in had]
    return ", ".join(new_not or gone)


def _above(other: str, place: str) -> bool:
    return bool(other) and place.removeprefix("./").startswith(other + "/")


def _exclude(change: Change) -> str:
    """A list of what is left out: what comes must be what tools make."""
    return _added(change, lambda part: _core(part) in _MADE or part.startswith("..."))


def _uncover(change: Change) -> str:
    """The same for coverage, from which tests and configuration may be left out as well."""
    if change.lines:
        return _added(change, lambda part: bool(_USUAL_LINES.fullmatch(part)))
    return _added(change, lambda part: _core(part) in _MADE | _UNCOVERED or _is_exam(_core(part)))


def _added(change: Change, usual: Callable[[str], bool]) -> str:
    had = items(change.before, change.lines)
    known = _norm(had) | _norm(_moved(change, had)) | _norm(change.default)
    new = [part for part in items(change.now, change.lines) if _norm([part]).isdisjoint(known)]
    return ", ".join(part for part in new if not usual(part))


def _core(part: str) -> str:
    """The name in a pattern: `**/node_modules/**`, `(/|^)dist/`, `<rootDir>/build`."""
    return part.replace("\\", "").replace("<rootDir>", "").strip("*/^$.()|!{}")


def _is_exam(name: str) -> bool:
    exam = ("test", "support", "config")
    return any(role_of(each) in exam for each in (name, f"{name}/x.py", f"jest.{name}"))


def _pattern(change: Change) -> str:
    """A filter by name: any that is new."""
    now = spelt(change.now)
    return now if now and now != spelt(change.before) else ""


def _bad(change: Change) -> str:
    return spelt(change.now) if is_on(change.now) and not is_on(change.before) else ""


def _good(change: Change) -> str:
    if is_on(change.before) and not is_on(change.now) and not isinstance(change.now, Code):
        return spelt(change.now) or "-"
    return (
        spelt(change.now)
        if change.before is None and spelt(change.now).lower() in ("false", "0") and change.default
        else ""
    )


def _at_least(change: Change) -> str:
    before, now = number(change.before), number(change.now)
    if before is None or before <= 0:
        return ""
    if now is None:
        return "" if isinstance(change.now, Code) else spelt(change.now) or "-"
    return spelt(change.now) if now < before else ""


def _at_most(change: Change) -> str:
    before, now = number(change.before), number(change.now)
    if before is None:
        return ""
    if now is None:
        return "" if isinstance(change.now, Code) else spelt(change.now) or "-"
    return spelt(change.now) if now > before or (now < 0 <= before) else ""


def _hook(change: Change) -> str:
    had = set(items(change.before))
    new = [
        part
        for part in items(change.now)
        if part not in had and _LOCAL.fullmatch(part) and not _GROUP.fullmatch(part)
    ]
    return ", ".join(new)


def _options(change: Change) -> str:
    ours, theirs = _call(change, change.before), _call(change, change.now)
    if ours is None or theirs is None:
        return spelt(change.now) if spelt(change.now) != spelt(change.before) else ""

    found = compare(plain_invocation(ours), plain_invocation(theirs))
    return "" if found.same and not found.masked else found.detail or spelt(change.now) or "-"


def _call(change: Change, value: Value) -> Invocation | None:
    try:
        words = list(items(value)) if isinstance(value, tuple) else shlex.split(spelt(value))
    except ValueError:
        return None
    return Invocation(tuple(Word(word) for word in (change.program, *words)))


def loaded(program: str, value: Value) -> tuple[str, ...]:
    """Files and plugins of the project that the options load."""
    call = _call(Change(None, value, program=program), value)
    return () if call is None else loaded_besides(call.words)


def _value(change: Change) -> str:
    """Another value than the one that was there, or one at all."""
    return spelt(change.now) or "-" if spelt(change.now) != spelt(change.before) else ""


def _strict_list(change: Change) -> str:
    """A list of what is asked for: what is gone is asked for no more."""
    had, now = items(change.before, change.lines), set(items(change.now, change.lines))
    return ", ".join(part for part in had if part not in now and part.lower().startswith("error"))


def _kept(change: Change) -> str:
    return "-" if change.before is not None and change.now is None else ""


_JUDGES: dict[Kind, Callable[[Change], str]] = {
    "select": _select,
    "exclude": _exclude,
    "pattern": _pattern,
    "bad": _bad,
    "good": _good,
    "at_least": _at_least,
    "at_most": _at_most,
    "hook": _hook,
    "options": _options,
    "value": _value,
    "strict_list": _strict_list,
    "kept": _kept,
    "uncover": _uncover,
}
