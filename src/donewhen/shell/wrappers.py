"""Programs that run the words after them: the rows of `programs/wrappers`, and what each key means.

A program without a row is not a wrapper for the trees. A row that doesn't return its child's status says so,
because a 0 from it proves nothing.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from donewhen.shell.options import Options
from donewhen.shell.tables import Place, beside, load_tables

_TABLES = beside(__file__, "programs", "wrappers")


class Wrapper(NamedTuple):
    options: Options = Options()
    operands: int = 0  # words of its own before the command
    assigns: bool = False  # NAME=value words may come first
    joined: bool = False  # the words are one text for a shell
    keeps: bool = True  # returns its child's status
    keeps_with: frozenset[str] = frozenset()  # only with one of these
    drops_with: frozenset[str] = frozenset()  # not with one of these
    elsewhere: bool = False
    elsewhere_with: frozenset[str] = frozenset()
    idle_with: frozenset[str] = frozenset()  # runs nothing
    folder: frozenset[str] = frozenset()
    home_with: frozenset[str] = frozenset()  # starts in the home folder
    in_operand: bool = False  # its first own word is a folder whose settings it takes
    sets: frozenset[str] = frozenset()  # options whose value is NAME=value for the command
    text: frozenset[str] = frozenset()  # options whose value is a text for a shell
    shell_with: frozenset[str] = frozenset()  # without command: a shell that reads its input
    own_shell: bool = False


_LETTERS = ("flags", "values", "attached")
_WORDS = ("long_flags", "long_values", "pairs", "before")  # `before`: options with a value before the verb
_PLAIN = Wrapper()
_ALWAYS = frozenset(("--help", "--version"))


def check_row(place: Place, row: Any) -> dict[str, Any]:
    """A row with keys that are known and values of their kind."""
    if not isinstance(row, dict):
        raise place.error("", "a row is a table")
    for key, value in row.items():
        if key in (*_LETTERS, *_WORDS):
            kind: type = str
        elif key == "numbers":
            kind = bool
        elif key in Wrapper._fields[1:]:
            kind = type(getattr(_PLAIN, key))
            kind = str if kind is frozenset else kind
        else:
            raise place.error(key, f"unknown key {key}")
        if type(value) is not kind:
            raise place.error(key, f"{key} has a value of another kind")
    return row


@cache
def _rows() -> Mapping[str, dict[str, Any]]:
    return load_tables(_TABLES, check_row)


@cache
def verbs() -> Mapping[str, frozenset[str]]:
    """Programs of which only some sub-commands are wrappers."""
    found: dict[str, set[str]] = {}
    for name in _rows():
        program, _, verb = name.partition(" ")
        if verb:
            found.setdefault(program, set()).add(verb)
    return {program: frozenset(names) for program, names in found.items()}


def is_wrapper(name: str) -> bool:
    return name in _rows() or name in verbs()


def values_before(program: str) -> frozenset[str]:
    """Options before the sub-command that take a value."""
    rows = (_rows()[f"{program} {verb}"] for verb in sorted(verbs()[program]))
    return frozenset(word for row in rows for word in row.get("before", "").split())


@cache
def wrapper(name: str) -> Wrapper:
    row = _rows()[name]
    names = {key: frozenset(row.get(key, "").split()) for key in _WORDS}
    options = Options(
        row.get("flags", ""),
        row.get("values", ""),
        row.get("attached", ""),
        names["long_flags"] | {"help", "version"},
        names["long_values"],
        row.get("numbers", False),
        names["pairs"],
    )
    own = {key: value for key, value in row.items() if key in Wrapper._fields}
    own = {key: frozenset(value.split()) if isinstance(value, str) else value for key, value in own.items()}
    made = Wrapper(options, **own)
    return made._replace(idle_with=made.idle_with | _ALWAYS)
