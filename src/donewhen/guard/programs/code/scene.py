"""The place where code acts: what it has done so far, and the helpers by which a deed adds to that.

Languages and deeds share this; it knows neither their names nor any rule.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from donewhen.guard.call import NO_VARIABLES, Call, File, Nested, Text, Words
from donewhen.guard.effects import (
    Destroys,
    Effect,
    Reads,
    Unknown,
)
from donewhen.guard.ground import absolute
from donewhen.guard.marks import ENVIRONMENT, HOLE, SECRET, WILD, certain, lead
from donewhen.guard.programs.code.values import (
    UNKNOWN,
    Seq,
    Table,
    TooMuch,
    Unsure,
    Value,
    alternatives,
    secret_name,
    text_of,
)
from donewhen.guard.secret_paths import secret

MOST = 2_000  # effects of one piece of code
_DROPS = ("drop table", "drop database", "drop schema", "truncate ", "drop view", "drop index")
_FILTERS = ("KEY", "TOKEN", "SECRET", "PASS", "AWS", "CRED")
ADDRESS = ("http://", "https://", "ftp://", "ws://", "wss://")


class Scene:
    """What a piece of code has done so far, and where it is."""

    def __init__(self, call: Call, by: str, arguments: Sequence[str] = (), script: str = "") -> None:
        self.call = call
        self.by = by
        self.arguments = tuple(arguments)
        self.script = script
        self.folder = call.folder
        self.host = ""
        self.secret = ""
        self.filters = False  # the code names parts of credentials' names
        self.tilde = False  # the language takes `~` in a path as the home folder
        self.hints: tuple[str, ...] = ()  # names of secret files that the code mentions
        self.loops = 0
        self.listens = False
        self.found: list[Effect | Nested] = []
        self._seen: set[tuple[type, Effect]] = set()

    def add(self, effect: Effect | Nested) -> None:
        if not isinstance(effect, Text | Words | File):
            if (type(effect), effect) in self._seen:
                return
            self._seen.add((type(effect), effect))
        self.found.append(effect)
        if len(self.found) > MOST:
            raise TooMuch

    def unknown(self, detail: str = "") -> None:
        effect = Unknown("guard.unknown_code", detail[:200])
        if (Unknown, effect) not in self._seen:  # never refused: it is also how a bound is told
            self._seen.add((Unknown, effect))
            self.found.append(effect)

    def at(self, value: Value) -> str:
        text = text_of(value)
        if self.tilde and (text == "~" or text.startswith("~/")):
            text = self.call.ground.home + text[1:]
        return absolute(text or ".", self.folder)

    def moved(self) -> str:
        return "" if self.folder == self.call.folder else self.folder

    def variable(self, name: str) -> str:
        """What the environment holds under a name."""
        known = {"HOME": self.call.ground.home, "PWD": self.folder, "USER": self.call.ground.user}
        for table in (self.call.env, self.call.ground.variables, known):
            if name in table:
                return table[name]
        if not certain(name):
            return ENVIRONMENT
        if secret_name(name):
            self.secret = name
            return SECRET
        return HOLE


def shell(scene: Scene, value: Value, folder: str = "", env: Mapping[str, str] = NO_VARIABLES) -> None:
    """A text that the system's shell is given."""
    for one in alternatives(value):
        if isinstance(one, Seq):
            words(scene, one.items, folder=folder, env=env)
        elif isinstance(one, Unsure) or text_of(one) == HOLE:
            scene.unknown()
        else:
            scene.add(Text(text_of(one), scene.by, folder or scene.moved(), env))


def fed(scene: Scene, command: str) -> None:
    """A command whose input the code writes; what that is can't be told."""
    plain = command.split()
    if plain and not any(sign in command for sign in "|;&<>()$`\"'\\*?~" + HOLE):
        words(scene, plain, stdin=HOLE)
    else:
        shell(scene, command)


def words(
    scene: Scene,
    items: Sequence[Value],
    folder: str = "",
    env: Mapping[str, str] = NO_VARIABLES,
    stdin: str | None = None,
) -> None:
    """A program with its arguments, without a shell."""
    flat: list[str] = []
    for item in items:
        flat += [text_of(part) for part in item.items] if isinstance(item, Seq) else [text_of(item)]
    if not flat or flat[0] in WILD:
        scene.unknown()
        return
    scene.add(Words(tuple(flat), scene.by, folder or scene.moved(), env, stdin))


def host_of(address: str) -> str:
    """The host of a URL or of `host:port`; what is not known stays marked."""
    if "://" not in address:
        return address.split("/", 1)[0].split(":", 1)[0] or HOLE
    try:
        name = urlsplit(address).hostname
    except ValueError:
        name = None
    rest = address.partition("://")[2].split("/", 1)[0]
    return name if name and certain(rest) else rest or HOLE


# deeds: (scene, positional values, named values) -> result
Named = Mapping[str, Value]
Deed = Callable[[Scene, Sequence[Value], Named], Value]


def first(values: Sequence[Value], named: Named, *names: str) -> Value:
    for name in names:
        if name in named:
            return named[name]
    return values[0] if values else UNKNOWN


def second(values: Sequence[Value]) -> Value:
    return values[1] if len(values) > 1 else UNKNOWN


def many(values: Sequence[Value]) -> list[Value]:
    flat: list[Value] = []
    for value in values:
        flat += value.items if isinstance(value, Seq) else (value,)
    return flat


def settings_of(values: Sequence[Value], named: Named) -> dict[str, Value]:
    found = dict(named)
    for value in values:
        if isinstance(value, Table):
            found.update(value.items)
    return found


def folder_of(scene: Scene, values: Sequence[Value], named: Named) -> str:
    settings = settings_of(values, named)
    where = settings.get("cwd", settings.get("chdir"))
    return "" if where is None else scene.at(where)


def env_of(named: Named) -> Mapping[str, str]:
    given = named.get("env")
    if not isinstance(given, Table):
        return NO_VARIABLES
    return {name: text_of(value) for name, value in given.items if certain(name)}


def sql(scene: Scene, text: str, sure: bool = True) -> None:
    """Statements that lose data."""
    low = " ".join(text[:20_000].lower().split())
    if any(drop in low for drop in _DROPS) or ("delete from" in low and " where " not in low):
        scene.add(Destroys("database", lead(text)[:80], sure))


# What a web client or a router is asked by: `client.get("/users/1")`.
ROUTED = frozenset("get post put patch delete head options request route use all".split())


def literal(scene: Scene, values: Sequence[Value], routes: bool = False) -> None:
    """Texts that an unknown function is given: they may be paths; a route looks like one but is no folder."""
    for value in many(values):
        for one in alternatives(value):
            if isinstance(one, str) and one and len(one) < 1024 and certain(one) and "\n" not in one:
                path = scene.at(one)
                scene.add(Reads(path, names=routes and not secret(path, scene.call.ground)))


_NAME = re.compile(r"""["']([\w.-]{3,40})["']""")
_LEFT_OUT = re.compile(r"(?:!=|\bnot\b)[^;\n\]]*$")  # the code passes over the name


def hinted(text: str, scene: Scene) -> tuple[str, ...]:
    """Literal names of files that hold secrets."""
    text = text[:20_000]
    names = dict.fromkeys(
        found[1] for found in _NAME.finditer(text) if not _LEFT_OUT.search(text[: found.start()][-40:])
    )
    return tuple(name for name in names if secret(scene.at(name), scene.call.ground))[:8]


def filtering(text: str) -> bool:
    """Does the code look for credentials among names?"""
    return any(
        f"{quote}{part}" in text.upper() for part in _FILTERS for quote in ("'", '"', "/", "_", "|", "(")
    )
