"""Python's operators, members and text methods over values that are known in whole or in part.

Only methods that can't grow a text without bound are carried out; everything else is unknown.
"""

import ast
import posixpath
import re
from collections.abc import Callable, Iterable, Sequence

from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, NETWORK, STAR, certain
from donewhen.guard.programs.code.scene import Scene
from donewhen.guard.programs.code.values import (
    AGAIN,
    LIMIT,
    NUMBER,
    OPAQUE,
    UNKNOWN,
    Member,
    Number,
    Opened,
    PathText,
    Ref,
    Seq,
    Table,
    Unsure,
    Value,
    bounded,
    items_of,
    origin,
    tainted,
    text_of,
)

_WIDE = re.compile(r"\d{4}|\*")  # a width that would make a text huge
_PERCENT = re.compile(r"%[-+ #0]{0,5}\d{0,3}(?:\.\d{0,3})?[a-zA-Z%]")
_PLAIN = frozenset(
    "strip lstrip rstrip lower upper title swapcase capitalize casefold removeprefix removesuffix".split()
)
_ALIKE = {
    "posix": "os", "nt": "os", "posixpath": "os.path", "ntpath": "os.path", "_io": "io", "builtins": "",
    "__builtins__": "", "__builtin__": "", "urllib2": "urllib.request", "commands": "subprocess",
}  # fmt: skip


def named(name: str) -> Ref:
    """A library's member under the one name that the tables know."""
    first, _, rest = name.partition(".")
    if first in _ALIKE:
        known = _ALIKE[first]
        return Ref(f"{known}.{rest}" if known and rest else known or rest or "builtins")
    return Ref(name)


def joined(between: str, parts: Iterable[Value]) -> Value:
    texts = [text_of(part) for part in parts]
    if sum(map(len, texts)) + len(between) * len(texts) > LIMIT:
        return tainted(texts)
    return between.join(texts)


def binary(left: Value, operator: ast.operator, right: Value) -> Value:
    if isinstance(operator, ast.Add):
        return _add(left, right)
    if isinstance(operator, ast.Div) and isinstance(left, PathText | Unsure | Ref):
        return PathText(_under(text_of(left), text_of(right)))
    if isinstance(operator, ast.Mod) and isinstance(left, str | bytes):
        return _percent(left, right)
    if isinstance(operator, ast.Mult):
        return _times(left, right)
    if isinstance(left, int) and isinstance(right, int):
        return _count(left, operator, right)
    return (
        NUMBER
        if isinstance(left, int | Number) and isinstance(right, int | Number)
        else tainted((left, right))
    )


def _add(left: Value, right: Value) -> Value:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + right if len(left) + len(right) <= LIMIT else UNKNOWN
    if isinstance(left, Seq) and isinstance(right, Seq):
        return Seq((left.items + right.items)[:4096])
    if isinstance(left, Seq) or isinstance(right, Seq):
        return Seq(
            tuple(
                part
                for side in (left, right)
                if side != AGAIN
                for part in (items_of(side) or (tainted((side,)),))
            )[:4096]
        )
    if isinstance(left, Number) or (isinstance(left, int) and not isinstance(right, str)):
        return NUMBER
    return bounded(text_of(left) + text_of(right))


def _times(left: Value, right: Value) -> Value:
    if isinstance(left, int) and isinstance(right, str | bytes | Seq):
        left, right = right, left
    if isinstance(right, int) and isinstance(left, str | bytes | Seq):
        size = len(left.items) if isinstance(left, Seq) else len(left)
        if size * right > LIMIT:
            return UNKNOWN
        return Seq(left.items * right) if isinstance(left, Seq) else left * right
    return NUMBER


def _count(left: int, operator: ast.operator, right: int) -> Value:
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.BitXor):
        return left ^ right
    if isinstance(operator, ast.BitOr):
        return left | right
    if isinstance(operator, ast.BitAnd):
        return left & right
    if right and isinstance(operator, ast.Mod | ast.FloorDiv):
        return left % right if isinstance(operator, ast.Mod) else left // right
    return NUMBER


def _percent(left: str | bytes, right: Value) -> Value:
    form = left if isinstance(left, str) else left.decode("latin-1")
    values = list(right.items) if isinstance(right, Seq) else [right]
    if _WIDE.search(form) or "%(" in form:
        return bounded(_PERCENT.sub(HOLE, form)) if "%(" not in form else HOLE

    def one(found: re.Match[str]) -> str:
        if found[0] == "%%":
            return "%"
        value = values.pop(0) if values else UNKNOWN
        return (
            chr(value)
            if found[0][-1] == "c" and isinstance(value, int) and 0 < value < 0x110000
            else text_of(value)
        )

    return bounded(_PERCENT.sub(one, form))


def formatted(form: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    """`str.format` with plain fields; anything finer is unknown there."""
    position = -1

    def one(found: re.Match[str]) -> str:
        nonlocal position
        if found[0] in ("{{", "}}"):
            return found[0][0]
        name = found[1]
        if not name:
            position += 1
            name = str(position)
        if name.isdigit():
            return text_of(values[int(name)]) if int(name) < len(values) else HOLE
        return text_of(given.get(name, UNKNOWN))

    return bounded(_FIELD.sub(one, form))


_FIELD = re.compile(r"\{\{|\}\}|\{(\w{0,20})[^{}]{0,40}\}")


def _under(folder: str, path: str) -> str:
    return path if path.startswith("/") else f"{folder}/{path}" if folder else path


def member(of: Value, name: str, scene: Scene) -> Value:
    """What `of.name` is."""
    if isinstance(of, Ref):
        return _of_library(of, name, scene)
    if isinstance(of, PathText):
        return _of_path(of, name)
    if isinstance(of, Opened) and name == "name":
        return of.path
    if isinstance(of, str) and name == "stdout":  # what a program that it started printed
        return of
    return Member(of, name)


def _of_library(of: Ref, name: str, scene: Scene) -> Value:
    full = named(f"{of.name}.{name}" if of.name != "builtins" else name)
    if full.name in ("os.environ", "os.environb"):
        return Ref("os.environ")
    if full.name == "sys.argv":
        return Seq((scene.script or "-c", *scene.arguments))
    if full.name == "sys.executable":
        return scene.by
    if full.name in ("os.sep", "os.path.sep"):
        return "/"
    return full


def _of_path(of: PathText, name: str) -> Value:
    if name in ("parent", "name", "stem", "suffix"):
        head, tail = posixpath.split(of.text)
        stem, suffix = posixpath.splitext(tail)
        return {"parent": PathText(head or "."), "name": tail, "stem": stem, "suffix": suffix}[name]
    if name == "parents":
        return Seq(tuple(PathText(posixpath.normpath(of.text + "/.." * up)) for up in range(1, 9)))
    return Member(of, name)


def slice_of(of: Value, key: Value, scene: Scene) -> Value:
    """What `of[key]` is."""
    if isinstance(of, Ref):
        return _of_mapping(of, key, scene)
    if isinstance(of, Table):
        return of.get(text_of(key))
    items = items_of(of)
    if items is None and isinstance(of, str) and isinstance(key, slice) and _cuts_end(of, key):
        return of[key]
    if items is None or not isinstance(key, int | slice):
        return tainted((of,))
    if isinstance(key, slice):
        if key.step == 0:
            return UNKNOWN
        return Seq(items[key]) if isinstance(of, Seq) else of[key] if isinstance(of, str | bytes) else UNKNOWN
    return items[key] if -len(items) <= key < len(items) else UNKNOWN


def _cuts_end(text: str, key: slice) -> bool:
    """`name[:-4]` of a name whose last characters are known."""
    from_start = key.start in (None, 0) and key.step in (None, 1)
    return from_start and (key.stop or 0) < 0 and certain(text[key.stop :])


def _of_mapping(of: Ref, key: Value, scene: Scene) -> Value:
    if of.name == "os.environ":
        return scene.variable(text_of(key))
    if of.name == "sys.modules" or of.name.endswith("__dict__") or of.name in ("globals()", "vars()"):
        if not isinstance(key, str) or not certain(key):
            return OPAQUE
        owner = of.name.removesuffix("__dict__").rstrip(".")
        return named(key if of.name in ("sys.modules", "globals()", "vars()") else f"{owner}.{key}")
    return UNKNOWN


# methods of texts and lists


def method(of: Value, name: str, values: Sequence[Value], given: dict[str, Value]) -> Value | None:
    """The result of a text's or list's method; None when it is none of theirs."""
    if isinstance(of, bytes) and name in ("decode", "hex", "rstrip", "strip", "lstrip"):
        return (
            of.hex()
            if name == "hex"
            else of.decode("utf-8", "replace").strip(" \n" if name != "decode" else "\0")
        )
    if not isinstance(of, str):
        return _of_list(of, name, values)
    if name in _PLAIN and all(isinstance(value, str) for value in values) and len(values) <= 1:
        result: Value = getattr(of, name)(*values)
        return result
    handler = _TEXT.get(name)
    return None if handler is None else handler(of, values, given)


def _of_list(of: Value, name: str, values: Sequence[Value]) -> Value | None:
    if isinstance(of, Table) and name in ("values", "items", "keys", "get"):
        if name == "get":
            return of.get(text_of(values[0])) if values else UNKNOWN
        return Seq(tuple({"values": row[1], "keys": row[0], "items": Seq(row)}[name] for row in of.items))
    if isinstance(of, Seq) and name in ("copy", "__iter__"):
        return of
    return None


def _join(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    items = items_of(values[0]) if values else None
    return joined(of, items) if items is not None else tainted(values)


def _split(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    separator = values[0] if values and isinstance(values[0], str) and values[0] else None
    return Seq(tuple(of.split(separator))[:4096])


def _replace(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    if len(values) < 2 or not isinstance(values[0], str) or not isinstance(values[1], str):
        return tainted((of, *values))
    old, new = values[0], values[1]
    if (of.count(old) * len(new) + len(of)) > LIMIT:
        return tainted((of, new))
    return of.replace(old, new)


def _encode(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    return of if not certain(of) else of.encode("utf-8", "replace")


def _format(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    return formatted(of, values, given)


def _same(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    return of


def _read(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    return origin(of) or (UNKNOWN if certain(of) else of)


def _truth(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    return UNKNOWN


def _splitlines(of: str, values: Sequence[Value], given: dict[str, Value]) -> Value:
    return Seq(tuple(of.splitlines())[:4096])


Method = Callable[[str, Sequence[Value], dict[str, Value]], Value]
_TEXT: dict[str, Method] = {
    "join": _join, "split": _split, "rsplit": _split, "replace": _replace, "encode": _encode,
    "format": _format,
    "decode": _same, "expandtabs": _truth, "splitlines": _splitlines, "startswith": _truth,
    "endswith": _truth,
    "read": _read, "readlines": _splitlines, "json": _read, "find": _truth, "count": _truth, "index": _truth,
    "items": _same, "values": _same, "keys": _same, "get": _same, "copy": _same, "isdigit": _truth,
}  # fmt: skip


def element(value: Value) -> Value:
    """One of the things that a loop over an unknown number of them would meet."""
    if isinstance(value, Ref) and value.name == "os.environ":
        return ENVIRONMENT
    if isinstance(value, Seq) and len(value.items) == 1:
        return value.items[0]
    if isinstance(value, Number) and value.of == "range":
        return NUMBER
    return tainted((value,))


def below(folder: str, pattern: str) -> str:
    """The names that a glob finds, as a marked path."""
    text = pattern.replace("**/", BELOW + "/").replace("**", BELOW).replace("*", STAR).replace("?", STAR)
    text = text.replace(f"{BELOW}/{STAR}", BELOW)
    return f"{folder}/{text}" if folder and not pattern.startswith("/") else text


def fetched(value: Value) -> bool:
    return NETWORK in origin(value)
