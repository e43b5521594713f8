"""What a program's row says about one call: effects of its operands, its options, its verbs, of starting it.

Nothing in here knows a program by name. What a row can't say is code: a reader beside this module, or an act
of
a verb (`acts`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from donewhen.guard.call import Call, File, Nested, Text, Words
from donewhen.guard.effects import (
    Alters,
    Connects,
    Deletes,
    Destroys,
    Effect,
    Exhausts,
    Fetches,
    Installs,
    Loads,
    Persists,
    Publishes,
    Raises,
    Reads,
    Reveals,
    RunsFetched,
    Sends,
    Signals,
    Unknown,
    Writes,
)
from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, NETWORK, WILD
from donewhen.guard.options import Given, Options, options, read
from donewhen.guard.programs.network.address import carried, host_of
from donewhen.guard.programs.printing.lines import STANDARD_INPUT, is_environ
from donewhen.shell.programs import row_of

Found = Iterator[Effect | Nested]
HELP = frozenset(("--help", "--version", "-help"))  # -h and -V mean other things to some programs
_NOWHERE = frozenset(("", "-", "/dev/stdout", "/dev/stderr", "/dev/null"))
_SYSTEM = ("/usr/", "/opt/", "/lib/", "/nix/", "/Library/")
_LANGUAGES = frozenset(("python", "javascript", "perl", "ruby"))
# Names that would else be taken for the beginning of longer ones.
_FLAGS = (
    "all build dev dry-run edit exact fix force global help include-deps json latest local no only "
    "parallel pre "
    "prod production quiet recursive save silent system upgrade user verbose version watch yes"
).split()


class Program(NamedTuple):
    """A row, ready to be used."""

    name: str
    row: Mapping[str, Any]
    table: Options
    first: Options  # the same, up to the first operand
    operands: tuple[str, ...]
    roles: Mapping[str, str]  # option → what its value is
    more: Mapping[str, tuple[str, ...]]  # role → flags with which operands have it, too
    plain: bool  # all operands are one thing, whatever the options are

    def words(self, key: str) -> frozenset[str]:
        return _words(self.row.get(key, ""))

    def text(self, key: str) -> str:
        found: str = self.row.get(key, "")
        return found

    def flag(self, key: str) -> bool:
        return bool(self.row.get(key))

    @property
    def verbs(self) -> bool:
        """Is it told by its verbs?"""
        return any(key in self.row for key in ("verbs", "other", "bare"))


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@lru_cache(maxsize=512)
def program_of(name: str) -> Program | None:
    """The row of a program."""
    row = row_of(name)
    if row is None:
        return None
    roles = {option: role for role, names in row.get("options", {}).items() for option in names.split()}
    more = {role: tuple(names.split()) for role, names in row.get("with", {}).items()}
    operands = tuple(row.get("operands", "").split())
    simple = not more and "keeps" not in row and "plus" not in row
    named = not all(option.startswith("-") for option in roles)  # a word may say what the next one is
    plain = simple and not named and len(operands) == 1 and operands[0].endswith("*")
    table = _table(row, roles)
    return Program(name, row, table, table._replace(first=True), operands, roles, more, plain)


def _table(row: Mapping[str, Any], roles: Mapping[str, str]) -> Options:
    """`-x` is a letter, `--name` long, `-name` a long name behind one dash."""
    valued = [*row.get("values", "").split(), *(option.partition("=")[0] for option in roles)]
    flags = row.get("flags", "").split()
    managed = any(key in row for key in ("verbs", "other", "bare"))
    long_values = [one[2:] for one in valued if one.startswith("--")]
    known = [one for one in _FLAGS if one not in long_values] if managed else []
    return options(
        values="".join(one[1:] for one in valued if len(one) == 2),
        long_values=" ".join(long_values),
        single=" ".join(one[1:] for one in valued if len(one) > 2 and one[1] != "-"),
        long_flags=" ".join([*known, *(one[2:] for one in flags if one.startswith("--"))]),
        single_flags=" ".join(one[1:] for one in flags if len(one) > 2 and one[1] != "-"),
        attached="".join(one[1:] for one in row.get("attached", "").split()),
        first=bool(row.get("first")),
        numbers=bool(row.get("numbers")),
    )


def read_row(call: Call, known: Program) -> Found:
    """What the row says; programs with verbs are `verbs.read_verbs`."""
    given = read(call.argv[1:], known.table)
    if known.text("does") and not of_project(call) and not looks(call, known):
        yield from done(known.text("does"), call, known)
    yield from by_options(call, known, given.options)
    yield from _by_operands(call, known, given)
    worst = carried(*call.argv, call.stdin) if known.flag("network") else None
    if worst:
        yield Sends(call.name, worst)
    if known.operands and call.stdin is not None and ENVIRONMENT in call.stdin and not known.flag("quiet"):
        yield Reveals("filtered" if known.flag("selects") else "environment")


def of_project(call: Call) -> bool:
    """A program of the workspace that merely has such a name: `./init`, `bin/service`."""
    word = call.argv[0]
    return "/" in word and call.at(word).startswith(f"{call.ground.workspace}/")


# operands and options


def by_options(call: Call, known: Program, given: Sequence[tuple[str, str]]) -> Found:
    """What the values of options are."""
    for name, value in given if known.roles else ():
        setting, equals, rest = value.partition("=")
        role = known.roles.get(f"{name}={setting}") if equals else None
        if role is not None:
            value = rest
        role = role or known.roles.get(name)
        if role is not None and value:
            yield from effects_of(role, value, call, known)


def _by_operands(call: Call, known: Program, given: Given) -> Found:
    words = given.operands
    if not known.operands or not words:
        return
    if known.plain:
        yield from _plain(call, known, words)
        return
    named = {name for name, _ in given.options} | set(words)
    kept = bool(named & known.words("keeps"))
    more = [role for role, flags in known.more.items() if not kept and not named.isdisjoint(flags)]
    for at, (role, word) in enumerate(zip(_placed(known.operands, len(words)), words, strict=True)):
        if at and words[at - 1] in known.roles:
            role = known.roles[words[at - 1]]
        if not word or (known.flag("plus") and word[0] == "+"):
            if word.startswith(("+!", "+|")):
                yield Text(word[2:], call.name)
            continue
        yield from effects_of("read" if kept and role != "text" else role, word, call, known)
        for other in more if role != "text" else ():
            yield from effects_of(other, word, call, known)


def _plain(call: Call, known: Program, words: Sequence[str]) -> Found:
    role = known.operands[0][:-1]
    for word in words:
        if role == "read" and word.isalnum():  # a name and nothing else: most words are
            yield Reads(call.at(word))
        elif word:
            yield from effects_of(role, word, call, known)


def _placed(roles: tuple[str, ...], count: int) -> list[str]:
    """A role for each operand: by its place, those behind a star from the end."""
    star = next((at for at, role in enumerate(roles) if role.endswith("*")), len(roles))
    front, back = list(roles[:star]), list(roles[star + 1 :])
    if star == len(roles):
        return (front + ["text"] * count)[:count]
    repeated = roles[star].rstrip("*")
    if count <= len(front):
        return front[:count]
    back = back[: max(0, count - len(front) - 1)]
    return front + [repeated] * (count - len(front) - len(back)) + back


def effects_of(role: str, value: str, call: Call, known: Program) -> Found:
    """What it means that a value has a role."""
    if role in _LOOKING:
        if role != "text" and value not in STANDARD_INPUT:
            yield from _looked_at(role, value, call, known)
    elif role in _CHANGING:
        if value.startswith(_PIPES):
            yield Text(value.removeprefix("%pipe%").lstrip("|"), call.name)
        elif value not in _NOWHERE and "://" not in value:
            yield from _CHANGING[role](call.at(value), call)
    elif role in _RUNNING:
        yield from _RUNNING[role](value, call)
    elif role == "code":
        yield File(call.at(value), known.text("language") or call.name)
    elif role == "load":
        yield from _loaded(value, call, known)
    else:
        yield from _run_code(role, value, call)


_LOOKING = frozenset(("text", "read", "list", "used", "fetch"))
_PIPES = ("|", "%pipe%")
_WRITE18 = re.compile(r"\\write18\s*\{([^{}]{1,1000})\}")


def _line(value: str, call: Call) -> Found:
    yield Text(value, call.name) if " " in value else Reads(call.at(value))


def _setting(value: str, call: Call) -> Found:
    name, _, text = value.partition("=")
    if "command" in name:
        yield Text(text, call.name)


def _tex(value: str, call: Call) -> Found:
    if value.startswith("\\"):
        yield from (Text(found, call.name) for found in _WRITE18.findall(value))
    else:
        yield Reads(call.at(value))


def _host(value: str, call: Call) -> Found:
    """Text that is not known inside a name leaves the machine when the name is looked up."""
    worst = carried(value) or ("data" if HOLE in value or NETWORK in value else None)
    if worst:
        yield Sends(value, worst)
    if "." in value and not value.startswith(("+", "@")):
        yield Connects(host_of(value))


def _sent_file(value: str, call: Call) -> Found:
    yield Reads(call.at(value))
    yield Sends(call.name, "content")


_RUNNING: Mapping[str, Any] = {
    "host": _host,
    "sendto": lambda value, call: (Sends(value, carried(*call.argv, call.stdin) or "content"),),
    "send": _sent_file,
    "run": lambda value, call: (Words((value,), call.name),),
    "words": lambda value, call: (Words(tuple(value.split()), call.name),),
    "shell": lambda value, call: (Text(value, call.name),),
    "line": _line,
    "setting": _setting,
    "tex": _tex,
}


def _looked_at(role: str, value: str, call: Call, known: Program) -> Found:
    if "://" in value or "\n" in value:
        if value.startswith("file://"):
            yield Reads(call.at("/" + value[7:].partition("/")[2]))
        elif role == "fetch":
            yield Fetches(host_of(value))
        return
    path = call.at(value)
    yield Reads(path, names=role == "list", used=role == "used")
    if role == "read" and is_environ(path):
        yield Reveals("filtered" if known.flag("selects") else "environment")


def _edited(path: str, call: Call) -> Found:
    yield Reads(path)
    if path != call.ground.workspace:
        yield Writes(path)


_CHANGING: Mapping[str, Any] = {
    "write": lambda path, call: (Writes(path),),
    "edit": _edited,
    "fill": lambda path, call: (Writes(f"{path.rstrip('/')}/{BELOW}"),),
    "folder": lambda path, call: (Writes(path, "folder"),),
    "mode": lambda path, call: (Writes(path, "mode"),),
    "owner": lambda path, call: (Writes(path, "owner"),),
    "link": lambda path, call: (Writes(path, "link"),),
    "delete": lambda path, call: (Deletes(path),),
    "deep": lambda path, call: (Deletes(path, True),),
}


def _loaded(value: str, call: Call, known: Program) -> Found:
    """Other code, in a file of the project, of the machine or from elsewhere."""
    if value.startswith(("http://", "https://")):
        yield RunsFetched(call.name)
    elif "/" in value:
        for part in value.split(":"):
            path = call.at(part)
            yield Reads(path)
            if f"{path}/".startswith(f"{call.ground.workspace}/"):
                yield File(path, known.text("language") or call.name)
            elif not path.startswith(_SYSTEM):
                yield Loads(f"{call.name} {part}")


def _run_code(role: str, value: str, call: Call) -> Found:
    if role in _LANGUAGES:
        from donewhen.guard.programs.interpreters.readers import code

        yield from code(role, value, call)
    else:
        from donewhen.guard.programs.data.sql import sql_effects

        yield from sql_effects(value, call.name, call.name)


# what starting it does


def looks(call: Call, known: Program) -> bool:
    """Does it only look, this time?"""
    words = call.argv[1:]
    only = tuple(known.text("only").split())
    if only:
        excepted = tuple(known.text("looks").split())
        named = [word for word in words if word.startswith(only) or ("=" in only and "=" in word)]
        return all(bool(excepted) and word.startswith(excepted) for word in named)
    if not words:
        fed = known.flag("network") and call.stdin is not None
        return known.flag("looks_bare") and not fed
    if any(word in HELP or word in known.words("idle") for word in words):
        return True
    changes = known.words("changes")
    if any(word.partition("=")[0] in changes for word in words):
        return False
    valued = known.words("values")
    before = ("", *words)
    operands = [word for at, word in enumerate(words) if word[:1] != "-" and before[at] not in valued]
    asked = [word.partition("=")[0] for word in words if word[:1] == "-"]
    shown = known.words("looks")
    every = all if known.flag("looks_all") else any
    asking = bool(asked) and not (known.flag("looks_alone") and operands)
    if asking and every(word in shown for word in asked):
        return True
    if any(word in shown for word in operands[: int(known.text("looks_depth") or 1)]):
        return True
    alone = len(operands) <= 1 and len(words) == len(operands) and "=" not in words[0]
    return known.flag("looks_one") and alone


_DOING: Mapping[str, Any] = {
    "alter": Alters,
    "persist": Persists,
    "publish": lambda what: Publishes(what.partition(" ")[0], what.partition(" ")[2]),
    "erase": lambda what: Destroys("remote", what, sure=False),
    "drop": lambda what: Destroys("database", what),
    "destroy": lambda what: Destroys("cloud", what),
    "signal": lambda what: Signals("named", what),
    "signal-all": lambda what: Signals("everything", what),
    "reveal": lambda what: Reveals("credential", what),
    "environment": lambda what: Reveals("environment", what),
    "fetch": lambda what: Fetches(what.partition(" ")[0]),
    "install": lambda what: Installs(what.partition(" ")[0], "project"),
    "user": lambda what: Installs(what.partition(" ")[0], "user"),
    "system": lambda what: Installs(what.partition(" ")[0], "system"),
    "raise": Raises,
    "exhaust": Exhausts,
    "ask": lambda what: Unknown("guard.unknown_option", what),
}


def done(act: str, call: Call, known: Program, what: str = "") -> Found:
    """The effects of an act that needs no more than a name for what is done."""
    if act == "show":
        return
    what = what or " ".join(call.argv[:3])
    if act in ("lose", "change"):
        loses = known.text("loses") or "remote"
        if loses == "disk" and not known.row.get("verbs"):
            yield _disk(call, act)
        else:
            yield Destroys(loses, what, sure=act == "lose")  # type: ignore[arg-type]
    elif act == "send":
        yield Sends(call.name, carried(*call.argv, call.stdin) or "content")
    else:
        yield _DOING[act](what)


def _disk(call: Call, act: str) -> Effect:
    """A device is lost for sure; an image file perhaps was meant."""
    operands = read(call.argv[1:], options()).operands
    erased = any("security-erase" in word for word in call.argv)
    image = call.name.startswith(("mk", "newfs")) and bool(operands) and not any(map(_device, operands))
    return Destroys("disk", " ".join(operands) or call.name, sure=erased or (act == "lose" and not image))


def _device(word: str) -> bool:
    """A device, or what may be one; a name with a dot or a relative path is taken for an image."""
    return word[:1] in WILD | {"/", "\\"} or word[1:2] == ":" or ("/" not in word and "." not in word)
