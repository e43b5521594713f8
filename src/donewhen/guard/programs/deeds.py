"""What calls in code do, whatever its language: a few kinds of deed become effects.

A deed takes the values of its arguments: marked texts, lists, tables, `Either` of several, a `Ref` to
something of
a library, or None for what is not known. What a deed is given and can't be told is a mark or `Unknown`, never
dropped.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from donewhen.guard.call import Call, File, Nested, Text, Words
from donewhen.guard.effects import (
    Connects,
    Deletes,
    Destroys,
    Effect,
    Exhausts,
    Fetches,
    Raises,
    Reads,
    Reveals,
    RunsFetched,
    Sends,
    Signals,
    Unknown,
    Writes,
)
from donewhen.guard.ground import absolute
from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, SECRET, STAR, WILD, anything, certain
from donewhen.guard.programs.network.address import host_of
from donewhen.guard.secret_paths import secret

Value = Any
ORIGINS = (NETWORK, SECRET, ENVIRONMENT)
CHILD = "subprocess.Popen()"  # a process that the code started
MOST = 400  # effects of one piece of code
_SECRET_PARTS = tuple(
    "TOKEN SECRET PASSWORD PASSWD PASSPHRASE API_KEY APIKEY ACCESS_KEY PRIVATE_KEY CREDENTIAL _KEY _PWD "
    "_PASS _DSN "
    "DATABASE_URL".split()
)
_ADDRESS = ("http://", "https://", "ftp://", "ws://", "wss://")
_SENDING = ("POST", "PUT", "PATCH", "DELETE")
_BODY = ("data", "json", "files", "body", "content", "input", "form")


class TooMuch(Exception):
    """The code is larger or deeper than is worth reading."""


class Ref(NamedTuple):
    """Something of a library, by its full name: `os.system`."""

    name: str


class Opened(NamedTuple):
    """A file opened for writing."""

    path: str


class Either(NamedTuple):
    """One of several values: branches that were taken apart."""

    values: tuple[Value, ...]


def secret_name(name: str) -> bool:
    """Does a variable's name say that its value is a credential?"""
    upper = name.upper()
    return any(part in upper for part in _SECRET_PARTS)


def each(value: Value) -> tuple[Value, ...]:
    return value.values if isinstance(value, Either) else (value,)


def either(values: Iterable[Value]) -> Value:
    found: list[Value] = []
    for one in (one for value in values for one in each(value)):
        if not any(type(one) is type(other) and one == other for other in found):
            found.append(one)
    return found[0] if len(found) == 1 else Either(tuple(found)) if 0 < len(found) <= 8 else None


def flat(values: Iterable[Value]) -> list[Value]:
    found: list[Value] = []
    for value in values:
        found += flat(value) if isinstance(value, list) else [value]
    return found


def origin(value: Value, depth: int = 0) -> str:
    """The marks of origin that a value holds anywhere."""
    if isinstance(value, str):
        return "".join(mark for mark in ORIGINS if mark in value)
    if isinstance(value, Ref):
        return ENVIRONMENT if value.name in ("os.environ", "process.env", "ENV", "%ENV", "$_ENV") else ""
    inner: Iterable[Value] = ()
    if isinstance(value, Either | list | tuple):
        inner = each(value) if isinstance(value, Either) else value
    elif isinstance(value, dict):
        inner = value.values()
    found = "".join(origin(one, depth + 1) for one in list(inner)[:64]) if depth < 6 else ""
    return "".join(mark for mark in ORIGINS if mark in found)


def text_of(value: Value) -> str:
    """As a marked text."""
    if isinstance(value, str):
        return value
    if isinstance(value, Opened):
        return value.path
    if isinstance(value, int | float):
        return str(value)
    return origin(value) or HOLE


class Scene:
    """What a piece of code has done so far, and where it is."""

    def __init__(self, call: Call, arguments: Sequence[str] = (), script: str = "") -> None:
        self.call, self.by = call, call.name
        self.arguments, self.script = tuple(arguments), script
        self.folder = call.folder
        self.host = self.secret = ""
        self.loops = self.picks = 0  # loops and conditions round a call
        self.tilde = False  # the language takes `~` in a path as the home folder
        self.listens = self.filters = False
        self.hints: tuple[str, ...] = ()  # names of secret files that the code mentions
        self.found: list[Effect | Nested] = []
        self._seen: set[tuple[type, object]] = set()

    def add(self, effect: Effect | Nested) -> None:
        key = type(effect), repr(effect) if isinstance(effect, Text | Words | File) else effect
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(effect)
        if len(self.found) > MOST:
            raise TooMuch

    def unknown(self, detail: str = "") -> None:
        effect = Unknown("guard.unknown_code", detail[:200])
        if (Unknown, effect) not in self._seen:
            self._seen.add((Unknown, effect))
            self.found.append(effect)

    def at(self, value: Value) -> str:
        text = text_of(value)
        if self.tilde and (text == "~" or text.startswith("~/")):
            text = self.call.ground.home + text[1:]
        return absolute(text or ".", self.folder)

    def paths(self, value: Value) -> Iterator[str]:
        for one in each(value):
            for part in one if isinstance(one, list) else (one,):
                if not isinstance(part, bool | int | dict):
                    yield self.at(part)

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

    def moved(self, named: Mapping[str, Value]) -> str:
        where = named.get("cwd", named.get("chdir"))
        folder = self.at(where) if where is not None else self.folder
        return "" if folder == self.call.folder else folder


_LISTING = frozenset("git find fd ls pwd".split())
_SHELL = frozenset("|;&<>()$`\\*?~[]{}\n#")


def printed(scene: Scene, what: Value) -> Value:
    """Names of files that a program which only lists them gives back; else not known."""
    argv = tuple(map(text_of, flat([what]))) if isinstance(what, list) else ()
    if len(argv) == 1 or isinstance(what, str):
        line = argv[0] if argv else what
        try:
            argv = tuple(shlex.split(line)) if _SHELL.isdisjoint("".join(line.split("'")[::2])) else ()
        except ValueError:
            argv = ()
    name = argv[0].rpartition("/")[2] if argv and all(map(certain, argv)) else ""
    if name not in _LISTING:
        return None
    from donewhen.guard.programs import outputs

    text = outputs()[name](scene.call._replace(argv=argv, folder=scene.folder, stdin=None))
    return None if anything(text) else text


Deed = Callable[[Scene, list[Value], dict[str, Value]], Value]


def shell(scene: Scene, value: Value, named: dict[str, Value]) -> None:
    for one in each(value):
        if isinstance(one, list):
            words(scene, one, named)
        elif not isinstance(one, str) or not one.strip(HOLE):
            scene.unknown()
        else:
            scene.add(Text(one, scene.by, scene.moved(named)))


def words(scene: Scene, items: Iterable[Value], named: dict[str, Value]) -> None:
    argv = tuple(text_of(one) for one in flat(items) if not isinstance(one, dict))
    if not argv or argv[0][:1] in WILD or not argv[0]:
        scene.unknown()
        return
    given = named.get("input")
    stdin = text_of(given) if given is not None else HOLE if "stdin" in named else None
    scene.add(Words(argv, scene.by, scene.moved(named), stdin=stdin))


def _settings(values: list[Value], named: dict[str, Value]) -> dict[str, Value]:
    return {
        **{key: one for value in values if isinstance(value, dict) for key, one in value.items()},
        **named,
    }


def _first(values: list[Value], named: dict[str, Value], *names: str) -> Value:
    return next((named[name] for name in names if name in named), values[0] if values else None)


def _text(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    what = _first(values, named, "cmd", "command", "args")
    shell(scene, what, _settings(values, named))
    return printed(scene, what)


def _list(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """One value is a shell text, several are a program's words (perl, ruby)."""
    given = [value for value in values if not isinstance(value, dict)]
    if len(given) == 1 and not isinstance(given[0], list):
        shell(scene, given[0], {})
    else:
        words(scene, given, {})
    return None


def _proc(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """A program by its words or, with the option for it, a shell text."""
    what = _first(values, named, "args", "cmd", "popenargs")
    settings = _settings(values[1:], named)
    more = values[1] if len(values) > 1 and isinstance(values[1], list) else settings.get("args")
    asks = settings.get("shell", False)
    for one in each(what):
        if isinstance(one, list) and asks is not False and one:
            shell(scene, one[0], settings)
        if isinstance(one, list):
            words(scene, one, settings)
        elif asks is not False:
            shell(
                scene,
                " ".join([text_of(one), *map(text_of, more if isinstance(more, list) else ())]),
                settings,
            )
        else:
            words(scene, [one, *(more if isinstance(more, list) and more is not what else ())], settings)
    own = settings.get("executable")
    if isinstance(own, str) and isinstance(what, list):
        words(scene, [own, *what[1:]], settings)
    return printed(scene, [*flat([what]), *(more if isinstance(more, list) else ())])


def _argv(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    given = [value for value in values if not isinstance(value, dict)]
    words(scene, given, _settings(values, named))
    return printed(scene, given)


def _argv0(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """The program, then its words with its own name once more (execv)."""
    words(scene, [*values[:1], *flat(values[1:])[1:]], {})
    return None


def _deletes(deep: bool) -> Deed:
    def deed(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
        further = deep or _settings(values, named).get("recursive", False) is not False
        for value in values or [_first([], named, "path", "name")]:
            for path in scene.paths(value) if not isinstance(value, dict) else ():
                scene.add(Deletes(path, further))
        return None

    return deed


def _write(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """To a path, some content (the second value)."""
    fetched = NETWORK in origin(values[1:])
    for path in scene.paths(_first(values, named, "path", "file", "name", "filename")):
        scene.add(Writes(path))
        if fetched:
            scene.add(Fetches(scene.host or HOLE, path))
    return None


def _write_second(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    return _write(scene, [*values[1:2], *values[:1]], named)


def _write_given(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """A method that writes to a path if it gets one, and returns the text otherwise."""
    given = _first(values, named, "path", "path_or_buf", "fname", "filename")
    return _write(scene, [given], {}) if isinstance(given, str) else None


def _make(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    for value in values or [None]:
        for path in scene.paths(value) if not isinstance(value, dict) else ():
            scene.add(Writes(path))
    return None


def _read(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    for one in each(_first(values, named, "file", "path", "filename", "dotenv_path")):
        if isinstance(one, str) and one.startswith(_ADDRESS):
            return _connect(scene, [one], named)
        for path in scene.paths(one) if NETWORK not in origin(one) else ():
            scene.add(Reads(path))
            for name in scene.hints if path.endswith((STAR, "\3")) else ():
                scene.add(Reads(path[:-1] + name))
    return None


def _names(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    for path in scene.paths(values[0] if values else "."):
        if certain(path):
            scene.add(Reads(path, names=True))
    return [STAR]


def _open(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    what = _first(values, named, "file", "path", "name")
    mode = named.get("mode", values[1] if len(values) > 1 else "r")
    if isinstance(mode, dict):
        mode = "w" if mode.get("write") or mode.get("create") or mode.get("append") else "r"
    if isinstance(what, str) and what.lstrip().startswith("|"):
        shell(scene, what.lstrip()[1:], {})
        return None
    if not isinstance(mode, str) or any(letter in mode for letter in "wax+>c"):
        for path in scene.paths(what):
            scene.add(Writes(path))
        return Opened(scene.at(each(what)[0]))
    return _read(scene, [what], {})


def _copy(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    target = named.get("dst", values[1] if len(values) > 1 else None)
    for source in each(_first(values, named, "src")):
        if isinstance(source, str) and source.startswith(_ADDRESS):
            scene.add(Fetches(host_of(source), scene.at(target)))
        elif source is not None and not isinstance(source, Opened):
            for path in scene.paths(source):
                scene.add(Reads(path))
    for path in scene.paths(target):
        scene.add(Writes(path))
    return None


def _move(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    for path in scene.paths(_first(values, named, "src")):
        scene.add(Deletes(path, True))
    return _copy(scene, values, named)


def _link(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    scene.add(Reads(scene.at(_first(values, named, "src"))))
    scene.add(Writes(scene.at(named.get("dst", values[1] if len(values) > 1 else None)), "link"))
    return None


def _mode(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    if any(isinstance(value, int) and value & 0o6000 for value in values):
        scene.add(Raises("setuid"))
    for path in (path for value in values if isinstance(value, str | list) for path in scene.paths(value)):
        scene.add(Writes(path, "mode"))
    if not any(isinstance(value, str | list) for value in values):
        scene.add(Writes(HOLE, "mode"))
    return None


def _print(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """Something is printed: only what it was made of matters."""
    marks = origin([*values, *named.values()])
    if SECRET in marks:
        scene.add(Reveals("variable", scene.secret))
    if ENVIRONMENT in marks:
        scene.add(Reveals("filtered" if scene.filters else "environment"))
    return None


def send(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    marks = origin([*values, *named.values()])
    what = "secret" if SECRET in marks else "environment" if ENVIRONMENT in marks else "data"
    scene.add(Sends(scene.host or HOLE, what))  # type: ignore[arg-type]
    return NETWORK


def _connect(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """An address is asked for; with a body or a method for it, something is sent."""
    where = _first(values, named, "url", "uri", "hostname", "host")
    if isinstance(where, dict):
        where = where.get("hostname", where.get("host"))
    address = text_of(where)
    settings = _settings(values, named)
    if address.startswith("file://"):
        scene.add(Reads(scene.at(address.removeprefix("file://").removeprefix("localhost"))))
        return None
    scene.host = host_of(address) if "://" in address else address.partition("/")[0].partition(":")[0] or HOLE
    scene.add(Connects(scene.host))
    method = text_of(settings.get("method", "GET")).upper()
    if (
        origin([*values, *settings.values()]).strip(NETWORK)
        or method in _SENDING
        or any(name in settings for name in _BODY)
    ):
        send(scene, values, settings)
    return NETWORK


def _post(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    more = {"body": values[1]} if len(values) > 1 else {}
    return _connect(scene, values[:1], {"method": "POST", **named, **more})


def _urlopen(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    if values and isinstance(values[0], str) and NETWORK in values[0]:
        return NETWORK
    return _post(scene, values, named) if len(values) > 1 else _connect(scene, values, named)


def _connect_method(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    return _connect(scene, values[1:], {**named, "method": values[0] if values else None})


def _socket(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """`connect((host, port))` or `connect(port, host)`."""
    hosts = [value for value in flat(values) if isinstance(value, str)]
    scene.host = host_of(hosts[0]) if hosts else HOLE
    scene.listens = True
    scene.add(Connects(scene.host))
    return NETWORK


def _fetch(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """An address into a file."""
    _connect(scene, values[:1], {})
    path = named.get("filename", named.get("destfile", values[1] if len(values) > 1 else None))
    scene.add(Fetches(scene.host, "" if path is None else scene.at(path)))
    if path is not None:
        scene.add(Writes(scene.at(path)))
    return None


def _kill(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    everything = -1 in [value for value in values if isinstance(value, int)]
    own = bool(values) and isinstance(values[0], Ref) and values[0].name.startswith(CHILD)
    if everything or not own:
        target = text_of(values[0] if values else None)
        scene.add(Signals("everything") if everything else Signals("process", target))
    return None


def _kill_each(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """Every process of the machine, unless a condition picks some."""
    scene.add(Signals("named" if scene.picks else "everything"))
    return None


def _fork(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    if scene.loops:
        scene.add(Exhausts("fork"))
    return None


def _redirected(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """A descriptor is put in place of another; with a connection that is a shell for the other side."""
    if scene.listens:
        scene.add(RunsFetched(scene.by))
    return None


def _chdir(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    scene.folder = scene.at(values[0] if values else None)
    return None


def _env(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    return scene.variable(text_of(values[0])) if values else ENVIRONMENT


def _sql(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    from donewhen.guard.programs.data.sql import sql_effects

    for value in values[:1]:
        found = sql_effects(value if isinstance(value, str) else "", "code", scene.by)
        for one in found:
            if isinstance(one, Destroys) and one.sure:
                scene.add(one._replace(sure=False))
    return None


def _temporary(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """A new name that the code is given, in the folder and with the beginning that it asks for."""
    folder, prefix = named.get("dir"), named.get("prefix") or "tmp"
    path = scene.at(f"{text_of(folder or '/tmp')}/{text_of(prefix)}{STAR}")  # noqa: S108 (what the code would see)
    if folder is not None or not certain(text_of(prefix)):
        scene.add(Writes(path))
    return path


def _adds(*effects: Effect) -> Deed:
    def deed(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
        for effect in effects:
            scene.add(effect)
        return None

    return deed


def _opaque(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    scene.unknown()
    return None


def _run_file(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    path = _first(values, named, "path_name")
    if isinstance(path, str) and path.startswith(_ADDRESS):
        scene.add(RunsFetched(scene.by))
    else:
        scene.add(File(scene.at(path), scene.by))
    return None


def _secret(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    scene.secret = scene.secret or "keyring"
    return SECRET


def _netrc(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    scene.add(Reads(scene.at(values[0]) if values else f"{scene.call.ground.home}/.netrc"))
    return SECRET


def _branch(scene: Scene, values: list[Value], named: dict[str, Value]) -> Value:
    """GitPython: `repo.delete_head("main", force=True)`."""
    words(scene, ["git", "branch", "-D" if named.get("force", False) is not False else "-d", *values], {})
    return None


DEEDS: Mapping[str, Deed] = {
    "text": _text,
    "list": _list,
    "proc": _proc,
    "argv": _argv,
    "argv0": _argv0,
    "spawn0": lambda scene, values, named: _argv0(scene, values[1:], named),
    "delete": _deletes(False),
    "deep": _deletes(True),
    "write": _write,
    "write_second": _write_second,
    "write_given": _write_given,
    "make": _make,
    "read": _read,
    "names": _names,
    "open": _open,
    "copy": _copy,
    "move": _move,
    "link": _link,
    "mode": _mode,
    "print": _print,
    "connect": _connect,
    "post": _post,
    "urlopen": _urlopen,
    "connect_method": _connect_method,
    "socket": _socket,
    "send": send,
    "fetch": _fetch,
    "given": lambda scene, values, named: literal(scene, values),
    "kill": _kill,
    "fork": _fork,
    "raise": _adds(Raises("code")),
    "opaque": _opaque,
    "run_file": _run_file,
    "redirected": _redirected,
    "chdir": _chdir,
    "reveals": _adds(Reveals("environment")),
    "env": _env,
    "sql": _sql,
    "temporary": _temporary,
    "temporary_file": lambda scene, values, named: Opened(_temporary(scene, [], named)),
    "temporary_pair": lambda scene, values, named: [None, _temporary(scene, [], named)],
    "temporary_root": lambda scene, values, named: "/tmp",  # noqa: S108
    "loses": _adds(Destroys("database", "code", sure=False)),
    "containers": _adds(Destroys("container", "code", sure=False)),
    "cloud": _adds(Destroys("cloud", "code", sure=False)),
    "kill_each": _kill_each,
    "credential": _secret,
    "netrc": _netrc,
    "branch": _branch,
}


def rows(*given: str) -> dict[str, str]:
    """`deed: name name …` as name → deed."""
    return {name: deed for deed, _, names in (row.partition(": ") for row in given) for name in names.split()}


def literal(scene: Scene, values: Iterable[Value]) -> None:
    """Texts that an unknown function is given: they may be paths."""
    for one in (one for value in flat(values) for one in each(value)):
        if isinstance(one, str) and one and len(one) < 1024 and certain(one) and "\n" not in one:
            path = scene.at(one)
            scene.add(Reads(path, names=not secret(path, scene.call.ground) and one[:1] == "/"))
