"""Calls in script languages: a name or member with the values it is given becomes a deed or a value.

Functions that only compute (decoders, paths, joining) are carried out where their input is known, so that a
hidden text is judged as what it becomes.
"""

import posixpath
from collections.abc import Callable, Sequence

from donewhen.guard.call import File
from donewhen.guard.effects import Exhausts, Reads, RunsFetched
from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, certain
from donewhen.guard.programs.code.deeds import DEEDS
from donewhen.guard.programs.code.deeds_data import LOSING
from donewhen.guard.programs.code.python_folding import below
from donewhen.guard.programs.code.scene import ROUTED, Scene, fed, literal, shell, words
from donewhen.guard.programs.code.script_pure import INTERPRETERS, PURE, TEXT_METHODS, Reading, canonical
from donewhen.guard.programs.code.script_tables import Tongue
from donewhen.guard.programs.code.values import (
    ENVIRONMENTS,
    UNKNOWN,
    Member,
    Opened,
    PathText,
    Ref,
    Seq,
    Table,
    Unsure,
    Value,
    origin,
    tainted,
    text_of,
)

_QUIET = frozenset(
    "JSON Math Object Array String Number Date RegExp Promise Set Map parseInt parseFloat Symbol Error "
    "console "
    "split join push sort grep map keys values length substr substring uc lc sprintf printf reverse scalar "
    "defined "
    "ref bless shift pop splice exists each index lcfirst ucfirst preg_match preg_replace str_replace "
    "strlen count "
    "json_encode json_decode explode implode in_array var_dump date phpversion ini_get require use string "
    "table "
    "math tonumber tostring ipairs pairs type gsub match test replace startsWith endsWith includes indexOf "
    "forEach "
    "filter reduce then catch slice concat paste paste0 c library nchar sub regmatches sprintf".split()
)
_STATEMENTS = frozenset("query exec execute raw run statement unprepared exec_query select_all".split())
_PATH_METHODS = {
    "delete": "delete", "deleteDir": "delete_all", "unlink": "delete", "rmtree": "delete_all",
    "write": "write",
    "append": "write", "setText": "write", "text": "read", "getText": "read", "renameTo": "move",
    "mkdirs": "make",
    "slurp": "read", "slurp_utf8": "read", "slurp_raw": "read", "lines": "read", "lines_utf8": "read",
    "read": "read", "readlines": "read", "binread": "read", "each_line": "read", "spew": "write",
    "spew_utf8": "write", "append_utf8": "write", "binwrite": "write", "remove": "delete_all",
    "remove_tree": "delete_all", "touch": "make", "mkpath": "make", "mkdir": "make",
    "createNewFile": "make", "readLines": "read", "eachLine": "read", "rmdir": "delete", "newWriter": "write",
}  # fmt: skip


def name_of(scene: Scene, tongue: Tongue, name: str) -> Value:
    """What a name is that the code did not set."""
    if name in ("%ENV", "$_ENV", "$_SERVER") and tongue.name in ("perl", "php"):
        return Ref("ENV")
    if name in ("@ARGV", "ARGV", "$argv", "arg"):
        return Seq(tuple(scene.arguments)) if name in ("@ARGV", "ARGV") else Seq(("-", *scene.arguments))
    if name in ("__dirname", "__DIR__"):
        return posixpath.dirname(scene.script) or scene.folder
    if name in ("__filename", "__FILE__", "$0"):
        return scene.script or UNKNOWN
    if tongue.name == "perl" and name[:1] == "&":
        return Ref(name[1:])
    if name[:1] in "$@%" and name not in ("$", "$ENV", "$stdout", "$stderr"):
        return UNKNOWN
    return Ref("ENV" if name == "$ENV" else canonical(name))


def member_of(scene: Scene, tongue: Tongue, of: Value, name: str) -> Value:
    """What `of.name` or `of["name"]` is."""
    if isinstance(of, Ref):
        if of.name in ENVIRONMENTS and name not in _OF_MAPS:
            return scene.variable(name)
        if of.name == "Dir" and ("/" in name or "*" in name):  # ruby: Dir["*.rb"]
            return Seq((below("", name),))
        if of.name == "process" and name == "execPath":
            return "node"
        if of.name == "process" and name == "argv":
            return Seq(("node", *((scene.script,) if scene.script else ()), *scene.arguments))
        if name in ("call", "apply", "bind", "default") and of.name:
            return of if name == "default" else Member(of, name)
        return Ref(canonical(f"{of.name}.{name}"))
    if isinstance(of, str) and name == "stdout":  # what a program that it started printed
        return of
    if isinstance(of, Table) and any(key == name for key, _ in of.items):
        return of.get(name)
    if isinstance(of, PathText) and tongue.bare and name in _PATH_METHODS and name != "renameTo":
        DEEDS[_PATH_METHODS[name]](scene, [of], {})  # brackets may be left out
    return Member(of, name)


_OF_MAPS = frozenset(
    "fetch to_h each map select keys values to_a inspect sort filter entries find toObject get "
    "to_json".split()
)


IMPLIED = frozenset(("unlink", "rmdir", "eval"))  # perl: `$_` when nothing is given
NULLARY = IMPLIED | frozenset(
    "fork Process.fork Kernel.fork Dir.home Dir.pwd Dir.getwd Dir.tmpdir Dir.mktmpdir ENV.to_h ENV.to_a "
    "ENV.inspect "
    "ENV.values cwd getcwd".split()
)


_LOSING = frozenset(LOSING.split())


def nullary(name: str) -> bool:
    """Is the bare name a call?"""
    return name in NULLARY or ("." in name and name.rpartition(".")[2] in _LOSING)


def called(reading: Reading, callee: Value, values: Sequence[Value]) -> Value:
    """What the call does is added to the scene; the result is what it would return."""
    scene = reading.scene
    if isinstance(callee, Member):
        return _method(reading, callee, values)
    if isinstance(callee, Unsure) and callee.opaque:
        scene.unknown()
        return UNKNOWN
    if isinstance(callee, str) and reading.tongue.name in ("php", "perl") and certain(callee):
        callee = Ref(callee)  # a function by its name
    if not isinstance(callee, Ref):
        literal(scene, values)
        return tainted(values)
    pure = PURE.get(callee.name) or _BY_NAME.get(callee.name)
    if pure is not None:
        return pure(reading, values)
    deed = reading.tongue.deed(callee.name)
    if deed is not None:
        return _deed(reading, deed, callee, values)
    return _unlisted(reading, callee, values)


def _unlisted(reading: Reading, callee: Ref, values: Sequence[Value]) -> Value:
    scene, last = reading.scene, callee.name.rpartition(".")[2]
    for value in values:
        if isinstance(value, Ref) and reading.tongue.deed(value.name) not in (None, "print"):
            if last == "promisify":
                return value
            called(reading, value, [one for one in values if one is not value] or [UNKNOWN])
    if callee.name.startswith(("ENV.", "process.env.")):
        return ENVIRONMENT
    if (
        last in ("get", "request", "open")
        and values
        and text_of(values[0]).startswith(("http://", "https://"))
    ):
        return DEEDS["connect"](scene, values, {})
    if last.rpartition("::")[2] in _STATEMENTS and callee.name not in _STATEMENTS:
        DEEDS["sql"](scene, values, {})
    if callee.name.rpartition(".")[0] in ("", *ENVIRONMENTS) and any(v == Ref("ENV") for v in values):
        return ENVIRONMENT
    if callee.name.partition(".")[0] not in _QUIET and last not in _QUIET:
        literal(scene, values, routes=last in ROUTED and last != callee.name)
    return tainted(values)


def _deed(reading: Reading, deed: str, callee: Ref, values: Sequence[Value]) -> Value:
    special = _SPECIAL.get(deed)
    if special is not None:
        return special(reading, values)
    if deed == "mode_owner":
        deed = "mode"
    return DEEDS[deed](reading.scene, values, {})


def _eval(reading: Reading, values: Sequence[Value]) -> Value:
    """Code in a text; functions and blocks given instead were read where they stand."""
    last = values[-1] if values else UNKNOWN
    if isinstance(last, Member) and NETWORK in origin(last):
        return reading.run(NETWORK)
    text = next((value for value in values if isinstance(value, str)), None)
    if text is not None:
        return reading.run(text)
    if isinstance(last, Unsure):
        if reading.tongue.name != "javascript" or len(values) == 1:
            reading.scene.unknown()
        return UNKNOWN
    return last


def _forks(reading: Reading, values: Sequence[Value]) -> Value:
    if reading.scene.loops:
        reading.scene.add(Exhausts("fork"))
    if values:
        words(reading.scene, ["node", *values[:1]])
    return UNKNOWN


def _perl_open(reading: Reading, values: Sequence[Value]) -> Value:
    """`open(H, "mode", path)` and `open(H, "> path")`, with pipes to and from programs."""
    scene = reading.scene
    if len(values) < 2:
        return UNKNOWN
    mode = text_of(values[1]).strip()
    if len(values) > 2:
        if mode.startswith("|"):
            fed(scene, " ".join(text_of(value) for value in values[2:]))
            return UNKNOWN
        if "|" in mode:
            return DEEDS["list"](scene, values[2:], {})
        return DEEDS["open"](scene, [values[2], "w" if ">" in mode or mode == HOLE else "r"], {})
    if mode.startswith("|"):
        fed(scene, mode.strip("|"))
        return UNKNOWN
    if mode.endswith("|"):
        shell(scene, mode.strip("|"))
        return UNKNOWN
    path = mode.lstrip("+<> \t")
    return DEEDS["open"](
        scene, [path, "w" if mode[: len(mode) - len(path)].strip(" <") or mode == HOLE else "r"], {}
    )


def _run_file(reading: Reading, values: Sequence[Value]) -> Value:
    text = text_of(values[0]) if values else HOLE
    if text.startswith(("http://", "https://")):
        reading.scene.add(RunsFetched(reading.scene.by))
    elif values and isinstance(values[0], str):
        path = reading.scene.at(f"{text}.rb" if _bare_ruby(reading, text) else text)
        reading.scene.add(Reads(path))
        reading.scene.add(File(path, INTERPRETERS.get(reading.tongue.name, reading.scene.by)))
    return UNKNOWN


def _bare_ruby(reading: Reading, text: str) -> bool:
    """`require_relative "x"`."""
    return reading.tongue.name == "ruby" and "." not in posixpath.basename(text)


def _pushed(reading: Reading, values: Sequence[Value]) -> Value:
    """What perl's list of arguments is given may be opened by `<>`."""
    if values and values[0] == Seq(tuple(reading.scene.arguments)):
        literal(reading.scene, values[1:])
    return tainted(values)


def _call_named(reading: Reading, values: Sequence[Value]) -> Value:
    """A function by its name, with its arguments (PHP, ruby's send)."""
    name = values[0] if values else UNKNOWN
    if isinstance(name, str) and certain(name):
        spread = values[1] if len(values) == 2 else None
        return called(reading, Ref(name), spread.items if isinstance(spread, Seq) else values[1:])
    reading.scene.unknown()
    return UNKNOWN


_SPECIAL: dict[str, Callable[[Reading, Sequence[Value]], Value]] = {
    "eval": _eval, "forks": _forks, "perl_open": _perl_open, "run_file": _run_file, "call": _call_named,
    "push": _pushed,
}  # fmt: skip


# methods


def _method(reading: Reading, callee: Member, values: Sequence[Value]) -> Value:
    of, name, scene = callee.of, callee.name, reading.scene
    handed = [
        value
        for value in values
        if isinstance(value, Ref) and reading.tongue.deed(value.name) not in (None, "print")
    ]
    for function in handed:
        for item in of.items if isinstance(of, Seq) else (tainted((of,)),):
            called(reading, function, [item])
    if name in ("call", "apply", "bind") and isinstance(of, Ref):
        given = values[1:] if reading.tongue.name == "javascript" else values
        if name == "apply" and len(values) > 1 and isinstance(values[1], Seq):
            given = values[1].items
        return called(reading, of, given)
    if isinstance(of, PathText) and name in _PATH_METHODS:
        return DEEDS[_PATH_METHODS[name]](scene, (of, *values), {})
    found = TEXT_METHODS.get(name)
    if found is not None and isinstance(of, str | bytes | Seq):
        return found(of, values)
    if name == "execute" and reading.tongue.name == "groovy":
        DEEDS["list"](scene, [of], {})
        return UNKNOWN
    return _other_method(reading, of, name, values)


def _other_method(reading: Reading, of: Value, name: str, values: Sequence[Value]) -> Value:
    scene = reading.scene
    if name in ("write", "puts", "print", "end") and isinstance(of, Opened):
        return DEEDS["write"](scene, (of.path, *values), {})
    if name in ("send", "__send__", "public_send", "method", "instance_method"):
        return (
            _call_named(reading, values)
            if values and isinstance(values[0], str) and len(values) > 1
            else UNKNOWN
        )
    if name == "constructor" or (isinstance(of, Member) and of.name == "constructor"):
        return _eval(reading, values)  # [].constructor.constructor("code")
    if name in _LOSING:
        return DEEDS["loses"](scene, values, {})
    if name in reading.tongue.last and not isinstance(of, str):
        return _deed(reading, reading.tongue.last[name], Ref(name), values)
    if (
        name in ("get", "request", "post")
        and values
        and text_of(values[0]).startswith(("http://", "https://"))
    ):
        return DEEDS["post" if name == "post" else "connect"](scene, values, {})
    if name in _STATEMENTS and isinstance(of, Ref | Unsure):
        return DEEDS["sql"](scene, values, {})
    if name in ("connect", "createConnection"):
        return DEEDS["socket"](scene, values, {})
    if name not in _QUIET:
        literal(scene, values, routes=name in ROUTED)
    return tainted((of, *values))


_BY_NAME: dict[str, Callable[[Reading, Sequence[Value]], Value]] = dict.fromkeys(
    ("send", "method", "__send__", "public_send", "Kernel.send", "Object.send"), _call_named
)
