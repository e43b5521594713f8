"""What is known of programs: one row each, in `programs/*.toml`, checked when they are read.

A row says how a program takes its arguments, what its operands and options are, and what its verbs do; the
words for that are the closed sets below. What a row can't say is code of the room that needs it (`guard`,
`commands`). How tables are read and kept is in `tables`.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from donewhen.shell.tables import Place, Rows, beside, check_pattern, load_tables, read_tables, table_files

if TYPE_CHECKING:
    import os

    from donewhen.core.errors import UserError

FOLDER = beside(__file__, "programs")

Row = Mapping[str, Any]

# What an operand, or the value of an option, is.
ROLES = frozenset(
    (
        "text",  # no path: a pattern, a number, a name
        "read",
        "list",  # only its name, size or dates are looked at
        "used",  # its values go to programs, nothing prints them
        "write",
        "edit",  # read and written; the workspace as a whole is ordinary
        "fill",  # a folder that files are put into
        "folder",  # a folder that is made
        "mode",  # its mode or owner is changed
        "owner",
        "link",
        "delete",
        "deep",  # deleted with everything below
        "run",  # a program
        "words",  # a command in one text, split at blanks, without a shell
        "shell",  # a text for a shell
        "line",  # the same when it has several words, else a path that is read
        "code",  # a file of code that is run
        "load",  # other code is put into the program
        "host",  # a machine that is asked for
        "sendto",  # a machine that everything given goes to
        "send",  # a file that is sent
        "fetch",  # an address is fetched from, anything else is read
        "tex",  # a file, or code of TeX
        "setting",  # `name=text`, where a command may be among the names
        "sql",
        "python",  # code
        "javascript",
        "perl",
        "ruby",
    )
)
# What a program, or a verb of it, does.
ACTS = frozenset(
    (
        "show",  # nothing but showing, building, testing
        "alter",  # the machine, accounts, settings of the user
        "persist",  # something would run later
        "lose",  # data is lost for good: `loses` says which
        "change",  # data may be lost
        "erase",  # what others use is taken back
        "drop",  # a database is lost
        "destroy",  # what runs elsewhere is lost
        "signal",
        "signal-all",
        "reveal",  # a credential is printed
        "environment",  # the environment is printed
        "publish",
        "send",  # content of the workspace leaves
        "fetch",
        "download",  # packages, into files
        "install",  # into the project, unless options say otherwise
        "user",  # an installation for the user
        "system",  # for the machine
        "raise",  # other rights
        "exhaust",
        "ask",  # nobody can say what it would do
        "outputs",  # the folders that `fills` names are filled
        "run",  # the words behind are a command
        "run-second",  # a name stands in front of it
        "again",  # the words behind are this program's own
        "again-second",
        "script",  # a script of the project, or a program of one of its packages
        "package",  # a package's program, fetched when it is not there
        "sql",  # text for a database by option, operand or input
    )
)  # or `code-NAME`: a function of the guard that knows more
_WORDS, _FLAG, _TEXT, _ROLES, _VERBS, _PATTERN, _TABLE = range(7)
KEYS: Mapping[str, int] = MappingProxyType(
    {
        "also": _WORDS,  # other names of the program
        "pattern": _PATTERN,  # further names: `python3.11`
        # how it takes arguments
        "values": _WORDS,  # options with a value, with their dashes
        "flags": _WORDS,  # long options without one, where an abbreviation could mean two
        "attached": _WORDS,  # letters whose value, if any, is in the same word
        "first": _FLAG,  # options end at the first operand
        "numbers": _FLAG,  # `-10` is an option
        # what its arguments are
        "operands": _TEXT,  # roles by place; a star: all that follow but those that come after it
        "options": _ROLES,  # role → options whose value is that
        "with": _ROLES,  # role → flags; with one of them operands have that role too
        "keeps": _WORDS,  # flags with which operands are only read
        "quiet": _FLAG,  # prints nothing of what it reads
        "selects": _FLAG,  # prints a part of it
        "plus": _FLAG,  # `+5` and `+!command` are no files
        # what starting it does
        "network": _FLAG,  # what it is given goes to another machine
        "does": _TEXT,
        "looks": _WORDS,  # options and first words with which it does not, but shows
        "looks_alone": _FLAG,  # options look only where there is no operand
        "looks_all": _FLAG,  # every option must be one that looks
        "looks_bare": _FLAG,  # it only shows when nothing is given
        "looks_one": _FLAG,  # or one operand alone
        "looks_depth": _TEXT,  # so many operands may be the word that looks
        "changes": _WORDS,  # words that change something whatever else is given
        "idle": _WORDS,  # options with which it does nothing at all
        "only": _WORDS,  # it does only with a word that begins like one of these
        "language": _TEXT,  # the interpreter of the files of code that it loads
        "loses": _TEXT,  # what `lose` and `change` are about
        # verbs
        "verbs": _VERBS,
        "bare": _TEXT,  # act without any verb
        "other": _TEXT,  # act of a word that is no verb
        "folders": _WORDS,  # options that name another folder to work in
        "manifests": _WORDS,  # options that name the project by a file in its folder
        "user": _WORDS,  # flags that make an installation the user's
        "system": _WORDS,
        "fills": _WORDS,  # options whose value is a folder that is filled
        "registries": _WORDS,
        "loads": _WORDS,  # options that put other code into it
        "joins": _WORDS,  # flags that make one shell text of the command behind
        "shorthand": _FLAG,  # `user/project` is an address
        "dry": _WORDS,
        # for everybody
        "like": _TEXT,  # another row, which this one adds to
        "reader": _TEXT,  # the room's code that knows more than the row
        "shows": _FLAG,  # it only shows something: changes nothing, proves nothing
        "wraps": _WORDS,
        "runner": _TABLE,  # what it proves as a runner of checks: `commands` knows the keys
    }
)
DESTROYED = frozenset(("database", "cluster", "cloud", "container", "disk", "remote"))


@cache
def programs() -> Mapping[str, Row]:
    """Every row by each name of its program."""
    return load_tables(FOLDER, check_row, _by_name)


def row_of(name: str) -> Row | None:
    """The row of a program by its name without a folder."""
    found = programs().get(name)
    if found is None and any(letter.isdigit() for letter in name):
        return next((row for pattern, row in _patterns() if pattern.fullmatch(name)), None)
    return found


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Row], ...]:
    rows = {row["pattern"]: row for row in programs().values() if "pattern" in row}
    return tuple((re.compile(pattern), row) for pattern, row in rows.items())


def read_programs(folder: "str | os.PathLike[str]") -> Rows:
    """All rows of a folder's tables, checked; an error names file and line."""
    return read_tables(table_files(folder), check_row, _by_name)


def check_row(place: Place, row: Any) -> Any:
    """The row, refused when it breaks the schema."""
    _Check(place).row(row)
    return row


def _by_name(rows: Rows, places: Mapping[str, Place]) -> Rows:
    """Every name of a program with its row; each has one."""
    found: Rows = {}
    homes: dict[str, str] = {}
    for name, row in rows.items():
        for each in (name, *str(row.get("also", "")).split()):
            if each in found:
                key = "also" if each != name else ""
                raise places[name].error(key, f"{each} has a row in {homes[each]}")
            homes[each], found[each] = places[name].file, row
    for name, row in rows.items():
        if "like" in row and row["like"] not in found:
            raise places[name].error("like", f"there is no row {row['like']}")
    return found


class _Check:
    """One row against the schema."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def error(self, key: str, what: str) -> "UserError":
        return self._place.error(key.rpartition(".")[2], what)

    def row(self, row: Any) -> None:
        if not isinstance(row, dict):
            raise self.error("", "a row is a table")
        for key, value in row.items():
            kind = KEYS.get(key)
            if kind is None:
                raise self.error(key, f"unknown key {key}")
            if kind == _FLAG and not isinstance(value, bool):
                raise self.error(key, f"{key} is true or false")
            if kind in (_WORDS, _TEXT, _PATTERN) and not isinstance(value, str):
                raise self.error(key, f"{key} is a text")
            if kind in (_ROLES, _VERBS, _TABLE) and not isinstance(value, dict):
                raise self.error(key, f"{key} is a table")
            self._value(key, kind, value)

    def _value(self, key: str, kind: int, value: Any) -> None:
        if kind == _ROLES:
            for role, words in value.items():
                if role not in ROLES or not isinstance(words, str):
                    raise self.error(role, f"{key}: {role} is no role of words")
        elif kind == _VERBS:
            self._verbs(value)
        elif kind == _PATTERN:
            check_pattern(self._place, key, value)
        elif key == "operands":
            self._operands(key, value.split())
        elif key in ("does", "bare", "other"):
            self._act(key, value)
        elif key == "loses" and value not in DESTROYED:
            raise self.error(key, f"loses is one of {', '.join(sorted(DESTROYED))}")

    def _operands(self, key: str, roles: list[str]) -> None:
        for role in roles:
            if role.removesuffix("*") not in ROLES:
                raise self.error(key, f"{role} is no role")
        if sum(role.endswith("*") for role in roles) > 1:
            raise self.error(key, "one role may have a star")

    def _verbs(self, level: Mapping[str, Any]) -> None:
        for act, words in level.items():
            if isinstance(words, dict):
                self._verbs(words)
            elif not isinstance(words, str):
                raise self.error(act, f"the verbs of {act} are words")
            elif act == "default":
                self._act(act, words)
            else:
                self._act(act, act)

    def _act(self, key: str, act: str) -> None:
        if act not in ACTS and not act.startswith("code-"):
            raise self.error(key, f"{act} is nothing that a verb does")
