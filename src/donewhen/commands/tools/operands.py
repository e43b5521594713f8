"""Do the executed operands cover the declared ones? One rule per kind of operand.

Paths are compared as text: `tests` covers `tests/unit`, and an empty list is everything only where the
program says so.
"""

import re
from collections.abc import Callable

from donewhen.commands.tools.grammar import Operands
from donewhen.commands.tools.programs.jvm import PHASES, TASKS

Names = tuple[str, ...]
_PLAIN_TARGET = re.compile(r"[\w.:/%+@-]+")
_LONGEST = 4096  # characters of a path that is looked into


def covers(kind: Operands, declared: Names, executed: Names) -> bool:
    if declared == executed:
        return True
    if kind in ("all", "config", "packages") and _takes_out(executed) - _takes_out(declared):
        return False
    return _RULES[kind](declared, executed)


def _takes_out(operands: Names) -> set[str]:
    """`!src` leaves something out, `@file` may hold any option."""
    return {each for each in operands if each[:1] in ("!", "@")}


def tidy(kind: Operands, operands: Names) -> Names:
    """The shortest spelling: no `./`, no slash at the end, the whole as the program's own default."""
    if kind in ("exact", "targets", "tasks", "phases"):
        return operands
    short = tuple(dict.fromkeys(_path(each, kind) for each in operands))
    if kind == "all" and "." in short:
        return tuple(each for each in short if each[:1] in ("!", "@"))
    return () if kind == "packages" and short == (".",) else short


def _path(text: str, kind: Operands) -> str:
    parts = [part for part in text.split("/") if part != "."]
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    short = "/".join(parts)
    if kind != "packages":
        return short or "."
    return f"./{short}" if text.startswith("./") and short else short or "."


def _exact(declared: Names, executed: Names) -> bool:
    return declared == executed


def _all(declared: Names, executed: Names) -> bool:
    return (
        not executed
        or not set(executed) - _takes_out(executed)
        or (bool(declared) and _inside(declared, executed))
    )


def _config(declared: Names, executed: Names) -> bool:
    return (not declared and not executed) or (
        bool(declared) and bool(executed) and _inside(declared, executed)
    )


def _inside(declared: Names, executed: Names) -> bool:
    if "." in executed:
        return all(each[:1] != "/" and each.partition("/")[0] != ".." for each in declared)
    wide = frozenset(executed)
    return all(_lies_in(each, wide) for each in declared)


def _lies_in(path: str, wide: frozenset[str]) -> bool:
    """Is the path, or a folder or file above it, in `wide`?"""
    if path in wide:
        return True
    if len(path) > _LONGEST:
        return False
    ends = [place for place, letter in enumerate(path) if letter == "/" or path.startswith("::", place)]
    return ".." not in path and any(path[:end] in wide for end in ends)


def _packages(declared: Names, executed: Names) -> bool:
    """Go's patterns: `./a/...` is the package ./a and all below it; none is the one right here."""
    wide = frozenset(executed or (".",))
    return all(each in wide or any(up in wide for up in _patterns(each)) for each in declared or (".",))


def _patterns(package: str) -> list[str]:
    if len(package) > _LONGEST or (package != "." and not package.startswith("./")):
        return [package + "/..."]
    path = package.removesuffix("/...")
    parts = path.split("/")
    above = ["/".join(parts[:end]) + "/..." for end in range(1, len(parts) + 1)]
    return [] if ".." in parts else above


def _targets(declared: Names, executed: Names) -> bool:
    """More targets may be made, but no settings given (`sbt 'set Test / skip := true' test`)."""
    plain = all(_PLAIN_TARGET.fullmatch(each) for each in set(executed) - set(declared))
    return plain and set(declared) <= set(executed) if declared else not executed


def _tasks(declared: Names, executed: Names) -> bool:
    """A task named without its project runs in every project."""
    done = set(executed).union(*(TASKS.get(each, frozenset()) for each in executed))
    whole = (each in done or (each[:1] == ":" and each.rpartition(":")[2] in done) for each in declared)
    return all(whole) if declared else not executed


def _phases(declared: Names, executed: Names) -> bool:
    """A phase of the lifecycle runs those before it; goals and `clean` must be there by name."""
    last = max((PHASES.index(each) for each in executed if each in PHASES), default=-1)
    done = set(executed) | set(PHASES[: last + 1])
    return set(declared) <= done if declared else not executed


_RULES: dict[Operands, Callable[[Names, Names], bool]] = {
    "exact": _exact,
    "all": _all,
    "config": _config,
    "packages": _packages,
    "targets": _targets,
    "tasks": _tasks,
    "phases": _phases,
}
