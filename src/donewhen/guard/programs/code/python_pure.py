"""Functions of Python whose result is known from their arguments: decoders, conversions, paths, listings.

They are carried out on known values, so that a hidden text is judged as what it becomes.
"""

import base64
import binascii
import codecs
import posixpath
from collections.abc import Callable, Sequence
from typing import Protocol

from donewhen.guard.effects import Fetches, Unknown, Writes
from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, NETWORK, STAR, certain
from donewhen.guard.programs.code.deeds import DEEDS
from donewhen.guard.programs.code.python_folding import below, joined, member, named
from donewhen.guard.programs.code.scene import Scene
from donewhen.guard.programs.code.values import (
    NUMBER,
    OPAQUE,
    UNKNOWN,
    Number,
    Opened,
    PathText,
    Ref,
    Seq,
    Table,
    Value,
    items_of,
    origin,
    tainted,
    text_of,
)


class Reading(Protocol):
    """The part of the reader of statements that calls need."""

    scene: Scene

    def call(self, callee: Value, values: tuple[Value, ...], given: dict[str, Value]) -> Value: ...

    def run(self, text: Value) -> Value: ...


def written(scene: Scene, of: Opened, values: Sequence[Value]) -> None:
    """What is written to an open file: only where it comes from matters."""
    marks = origin(Seq(tuple(values)))
    if NETWORK in marks:
        scene.add(Fetches(scene.host or HOLE, of.path))
    for value in values:
        if isinstance(value, Opened):
            scene.add(Writes(value.path))


def home_path(scene: Scene, text: str) -> str:
    if text == "~" or text.startswith("~/"):
        return scene.call.ground.home + text[1:]
    return HOLE if text.startswith("~") else text


def walked(scene: Scene, text: str) -> Value:
    return Seq((Seq((f"{text}/{BELOW}", Seq((STAR,)), Seq((STAR,)))),))


Pure = Callable[[Reading, tuple[Value, ...], dict[str, Value]], Value]


def _text(values: Sequence[Value], at: int = 0) -> str:
    return text_of(values[at]) if len(values) > at else HOLE


def _import(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    name = _text(values)
    if not certain(name):
        reading.scene.unknown()
        return OPAQUE
    return named(name)


def _getattr(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    name = _text(values, 1)
    of = values[0] if values else UNKNOWN
    if certain(name):
        return member(of, name, reading.scene)
    return OPAQUE if isinstance(of, Ref) else UNKNOWN


def _timed(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    """Code in a text; a function that is given instead is read where it stands."""
    return _eval(reading, values, given) if values and isinstance(values[0], str) else UNKNOWN


def _profiled(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    """`run(code, file)`."""
    out = given.get("filename", values[1] if len(values) > 1 else None)
    if isinstance(out, str | PathText):
        reading.scene.add(Writes(reading.scene.at(out)))
    return _timed(reading, values, given)


def _eval(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return reading.run(values[0] if values else UNKNOWN)


def _same(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return values[0] if values else UNKNOWN


def _chr(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    value = values[0] if values else None
    return chr(value) if isinstance(value, int) and 0 < value < 0x110000 else HOLE


def _ord(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    value = values[0] if values else None
    return ord(value) if isinstance(value, str) and len(value) == 1 and certain(value) else NUMBER


def _int(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    base = values[1] if len(values) > 1 and isinstance(values[1], int) else 10
    try:
        return int(_text(values)[:20], base) if values and certain(_text(values)) else NUMBER
    except ValueError:
        return NUMBER


def _str(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    value = values[0] if values else ""
    if isinstance(value, Ref):
        return ENVIRONMENT if value.name == "os.environ" else UNKNOWN
    return text_of(value)


def _bytes(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    items = items_of(values[0]) if values else None
    if items is None or not all(isinstance(item, int) and 0 <= item < 256 for item in items):
        return values[0] if values and isinstance(values[0], str | bytes) else UNKNOWN
    return bytes(item for item in items if isinstance(item, int))


def _reversed(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    items = items_of(values[0]) if values else None
    return Seq(items[::-1]) if items is not None else tainted(values)


def _list(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    value = values[0] if values else Seq(())
    if isinstance(value, Ref) and value.name == "os.environ":
        return ENVIRONMENT
    items = items_of(value)
    return value if items is None or isinstance(value, Table) else Seq(items)


def _dict(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return Table(tuple(given.items())) if not values else _list(reading, values, given)


def _range(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    numbers = [value for value in values if isinstance(value, int)]
    if (
        len(numbers) != len(values)
        or not numbers
        or len(numbers) > 3
        or (len(numbers) == 3 and not numbers[2])
    ):
        return Number("range")
    found = range(*numbers)
    return Seq(tuple(found)) if len(found) <= 32 else Number("range")


def _map(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    items = items_of(values[1]) if len(values) > 1 else None
    if items is None:
        return tainted(values)
    return Seq(tuple(reading.call(values[0], (item,), {}) for item in items[:2_000]))


def _zip(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    rows = [items_of(value) for value in values]
    if any(row is None for row in rows):
        return tainted(values)
    return Seq(tuple(Seq(row) for row in zip(*[row for row in rows if row is not None], strict=False)))


def _enumerate(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    items = items_of(values[0]) if values else None
    return UNKNOWN if items is None else Seq(tuple(Seq((at, item)) for at, item in enumerate(items)))


def _decoded(decode: Callable[[bytes], bytes]) -> Pure:
    def read(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
        value = values[0] if values else UNKNOWN
        raw = value if isinstance(value, bytes) else text_of(value).encode("utf-8", "replace")
        if not certain(text_of(value)):
            return tainted(values)
        try:
            return decode(raw)
        except (ValueError, binascii.Error):
            return UNKNOWN

    return read


def _codecs(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    kind = _text(values, 1).lower().replace("-", "").replace("_", "")
    text = _text(values)
    if not certain(text):
        return tainted(values)
    if kind in ("rot13", "rot"):
        return codecs.encode(text, "rot13")
    decode = {"hex": bytes.fromhex, "base64": base64.b64decode, "hexcodec": bytes.fromhex}.get(kind)
    try:
        return decode(text) if decode is not None else values[0]
    except (ValueError, binascii.Error):
        return UNKNOWN


def _join_paths(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return posixpath.join(*[text_of(value) for value in values]) if values else UNKNOWN


def _path(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return PathText(posixpath.join(*[text_of(value) for value in values]) if values else ".")


def _expanduser(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return home_path(reading.scene, _text(values))


def _expandvars(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    text = _text(values)
    for spelled in ("$HOME", "${HOME}"):
        text = text.replace(spelled, reading.scene.call.ground.home)
    return text if "$" not in text else HOLE


def _cwd(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return reading.scene.folder


def _cwd_path(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return PathText(reading.scene.folder)


def _home_path(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return PathText(reading.scene.call.ground.home)


def _dirname(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return posixpath.dirname(_text(values))


def _basename(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return posixpath.basename(_text(values))


def _abspath(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return reading.scene.at(values[0] if values else ".")


def _listdir(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return Seq((STAR,))


def _scandir(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return Seq((PathText(f"{_text(values) if values else '.'}/{STAR}"),))


def _os_walk(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return walked(reading.scene, _text(values))


def _glob(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return Seq((below("", _text(values)),))


def _shlex(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return Seq(tuple(part.strip("'\"") for part in _text(values).split()))


def _globals(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    if values and isinstance(values[0], Ref):
        return Ref(f"{values[0].name}.__dict__")
    return Ref("globals()")


def _copyfileobj(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    if len(values) > 1 and isinstance(values[1], Opened):
        written(reading.scene, values[1], values[:1])
    return UNKNOWN


def _os_open(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    flags = values[1] if len(values) > 1 else 0
    return DEEDS["open"](reading.scene, values[:1], {"mode": "r" if flags == 0 else HOLE})


def _partial(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return UNKNOWN  # what it holds was already followed, when it was handed over


def _run_module(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    reading.scene.add(Unknown("guard.unknown_code", _text(values)))
    return UNKNOWN


def _environ_copy(reading: Reading, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
    return ENVIRONMENT


_B64 = _decoded(base64.b64decode)
PURE: dict[str, Pure] = {
    "__import__": _import, "importlib.import_module": _import, "importlib.__import__": _import,
    "getattr": _getattr, "eval": _eval, "exec": _eval,
    "timeit.timeit": _timed, "timeit.repeat": _timed, "cProfile.run": _profiled,
    "profile.run": _profiled,
    "compile": _same,
    "chr": _chr, "ord": _ord, "int": _int, "str": _str, "repr": _str, "bytes": _bytes, "bytearray": _bytes,
    "reversed": _reversed, "list": _list, "tuple": _list, "set": _list, "sorted": _list, "iter": _list,
    "dict": _dict, "range": _range, "map": _map, "zip": _zip, "enumerate": _enumerate,
    "filter": _zip, "functools.partial": _partial,
    "base64.b64decode": _B64, "base64.standard_b64decode": _B64, "base64.decodebytes": _B64,
    "base64.urlsafe_b64decode": _decoded(base64.urlsafe_b64decode),
    "base64.b32decode": _decoded(base64.b32decode),
    "base64.b16decode": _decoded(lambda raw: base64.b16decode(raw, True)),
    "base64.b85decode": _decoded(base64.b85decode),
    "base64.a85decode": _decoded(base64.a85decode), "binascii.unhexlify": _decoded(binascii.unhexlify),
    "binascii.a2b_base64": _B64, "binascii.a2b_hex": _decoded(binascii.unhexlify),
    "bytes.fromhex": _decoded(lambda raw: bytes.fromhex(raw.decode())),
    "bytearray.fromhex": _decoded(lambda raw: bytes.fromhex(raw.decode())),
    "codecs.decode": _codecs, "codecs.encode": _codecs,
    "os.path.join": _join_paths, "os.fspath": _same, "os.path.expanduser": _expanduser,
    "os.path.expandvars": _expandvars, "os.path.abspath": _abspath, "os.path.realpath": _abspath,
    "os.path.normpath": _same, "os.path.dirname": _dirname, "os.path.basename": _basename,
    "pathlib.Path": _path, "pathlib.PosixPath": _path, "pathlib.PurePath": _path, "path.Path": _path,
    "pathlib.Path.home": _home_path, "pathlib.Path.cwd": _cwd_path, "os.getcwd": _cwd,
    "os.listdir": _listdir, "os.scandir": _scandir, "os.walk": _os_walk, "glob.glob": _glob,
    "glob.iglob": _glob,
    "os.open": _os_open, "shlex.split": _shlex, "shlex.quote": _same, "globals": _globals, "vars": _globals,
    "locals": _globals, "shutil.copyfileobj": _copyfileobj, "runpy.run_module": _run_module,
    "os.environ.copy": _environ_copy, "os.environ.items": _environ_copy, "os.environ.keys": _environ_copy,
    "os.environ.values": _environ_copy, "str.join": lambda reading, values, given: joined(_text(values),
    items_of(values[-1]) or (HOLE,)),
    "dict.fromkeys": _list, "random.choice": lambda reading, values, given: tainted(values),
}  # fmt: skip
