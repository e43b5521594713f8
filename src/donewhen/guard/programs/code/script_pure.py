"""Functions and methods of script languages that only compute: decoders, joining, paths.

They are carried out on known values, so that a hidden text is judged as what it becomes.
"""

import base64
import binascii
import codecs
import posixpath
import re
from collections.abc import Callable, Sequence
from typing import Protocol

from donewhen.guard.call import File
from donewhen.guard.effects import Connects, Reads
from donewhen.guard.marks import ENVIRONMENT, HOLE, STAR, anything, certain
from donewhen.guard.programs.code.python_folding import below
from donewhen.guard.programs.code.scene import Scene
from donewhen.guard.programs.code.script_tables import Tongue
from donewhen.guard.programs.code.values import (
    UNKNOWN,
    Choice,
    PathText,
    Ref,
    Seq,
    Table,
    Unsure,
    Value,
    bounded,
    items_of,
    tainted,
    text_of,
)


class Reading(Protocol):
    scene: Scene
    tongue: Tongue

    def run(self, value: Value) -> Value: ...


_ALIKE = {"fs/promises": "fs", "fs.promises": "fs", "fs-extra": "fs", "graceful-fs": "fs",
"original-fs": "fs",
          "http2": "http", "follow-redirects": "https", "global": "", "globalThis": "", "window": "",
          "self": "",
          "Kernel": "Kernel", "mainModule": ""}  # fmt: skip


def canonical(name: str) -> str:
    """A library's member under the one name that the tables know."""
    name = name.removeprefix("node:")
    for known, instead in _ALIKE.items():
        if name == known:
            return instead or name
        if name.startswith(known + "."):
            rest = name[len(known) + 1 :]
            return f"{instead}.{rest}" if instead else rest
    return name


def _joined(of: Value, values: Sequence[Value]) -> Value:
    items = items_of(of)
    between = text_of(values[0]) if values else ("," if not isinstance(of, str) else "")
    return bounded(between.join(map(text_of, items))) if items is not None else tainted((of,))


def _split(of: Value, values: Sequence[Value]) -> Value:
    text = text_of(of)
    by = text_of(values[0]) if values else " "
    if anything(text) or not certain(by):
        return Seq((tainted((of,)),))
    if not certain(text):
        return Seq(tuple(part for part in text.split(by) if part)[:4096] if by else (text,))
    return Seq(tuple(text if by == "" else text.split(by))[:4096])


def _reverse(of: Value, values: Sequence[Value]) -> Value:
    if isinstance(of, Seq):
        return Seq(of.items[::-1])
    return text_of(of)[::-1] if certain(text_of(of)) else tainted((of,))


def _same(of: Value, values: Sequence[Value]) -> Value:
    if isinstance(of, bytes) and values and values[0] == "hex":
        return of.hex()
    return of if isinstance(of, Seq) else text_of(of)


def _replace(of: Value, values: Sequence[Value]) -> Value:
    text = text_of(of)
    if len(values) < 2 or not all(isinstance(value, str) for value in values[:2]):
        return tainted((of,))
    old, new = text_of(values[0]), text_of(values[1])
    if not certain(old):
        return tainted((of, new))
    return text.replace(old, new) if text.count(old) * len(new) < 65_536 else UNKNOWN


def _concat(of: Value, values: Sequence[Value]) -> Value:
    if isinstance(of, Seq):
        return Seq(
            (
                *of.items,
                *[part for value in values for part in (value.items if isinstance(value, Seq) else (value,))],
            )
        )
    return bounded(text_of(of) + "".join(map(text_of, values)))


def _unpack(of: Value, values: Sequence[Value]) -> Value:
    form = text_of(values[0]) if values else ""
    if form[:1] == "m":
        return Seq((_base64(text_of(of)),))
    if form[:1] == "H":
        return Seq((text_of(of).encode().hex(),))
    return UNKNOWN


def _unpack_one(of: Value, values: Sequence[Value]) -> Value:
    found = _unpack(of, values)
    return found.items[0] if isinstance(found, Seq) else UNKNOWN


def _pack(of: Value, values: Sequence[Value]) -> Value:
    form = text_of(values[0]) if values else ""
    items = items_of(of) or ()
    if form[:1] == "H" and items:
        return _hex(text_of(items[0]))
    if form[:1] in "cCUW" and all(isinstance(item, int) and 6 < item < 0x110000 for item in items):
        return "".join(chr(item) for item in items if isinstance(item, int))
    return UNKNOWN


def _mapped(of: Value, values: Sequence[Value]) -> Value:
    made = values[0] if values else UNKNOWN
    return Seq((made,)) if isinstance(made, str | Choice | PathText) else tainted((of,))


def _filtered(of: Value, values: Sequence[Value]) -> Value:
    return of if isinstance(of, Seq) else tainted((of,))


def _sliced(of: Value, values: Sequence[Value]) -> Value:
    numbers = [value if isinstance(value, int) else None for value in values[:2]]
    if isinstance(of, Seq | str) and None not in numbers and (isinstance(of, Seq) or certain(of)):
        part = (
            slice(*(numbers + [None] * (2 - len(numbers))))
            if len(numbers) == 2
            else slice(numbers[0] if numbers else 0, None)
        )
        return Seq(of.items[part]) if isinstance(of, Seq) else of[part]
    return tainted((of,))


def _first(of: Value, values: Sequence[Value]) -> Value:
    items = items_of(of)
    return items[0] if items else UNKNOWN


TEXT_METHODS: dict[str, Callable[[Value, Sequence[Value]], Value]] = {
    "join": _joined, "split": _split, "chars": lambda of, values: _split(of, [""]), "reverse": _reverse,
    "toString": _same, "trim": _same, "strip": _same, "chomp": _same, "to_s": _same, "toLowerCase": _same,
    "toUpperCase": _same, "freeze": _same, "valueOf": _same, "replace": _replace, "gsub": _replace,
    "sub": _replace,
    "replaceAll": _replace, "concat": _concat, "unpack": _unpack, "unpack1": _unpack_one, "pack": _pack,
    "first": _first, "map": _mapped, "slice": _sliced, "filter": _filtered, "sort": _filtered,
    "flat": _filtered,
    "select": _filtered, "reject": _filtered, "forEach": _filtered, "each": _filtered,
    "tr": lambda of, values: tainted((of,)), "downcase": lambda of, values: text_of(of).lower(),
}  # fmt: skip


# functions that only compute


def _base64(text: str) -> Value:
    if not certain(text):
        return tainted((text,))
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4)).decode("utf-8", "replace")
    except (ValueError, binascii.Error):
        return UNKNOWN


def _hex(text: str) -> Value:
    try:
        return bytes.fromhex(text).decode("utf-8", "replace") if certain(text) else tainted((text,))
    except ValueError:
        return UNKNOWN


def _decoded(reading: Reading, values: Sequence[Value]) -> Value:
    return _base64(text_of(values[0])) if values else UNKNOWN


def _unhexed(reading: Reading, values: Sequence[Value]) -> Value:
    return _hex(text_of(values[0])) if values else UNKNOWN


def _buffer(reading: Reading, values: Sequence[Value]) -> Value:
    kind = text_of(values[1]) if len(values) > 1 else "utf8"
    items = values[0].items if values and isinstance(values[0], Seq) else None
    if items is not None and all(isinstance(item, int) and 6 < item < 256 for item in items):
        return "".join(chr(item) for item in items if isinstance(item, int))
    if kind in ("base64", "base64url"):
        return _decoded(reading, values)
    return (
        _unhexed(reading, values) if kind == "hex" else tainted(values) if not values else text_of(values[0])
    )


def _characters(reading: Reading, values: Sequence[Value]) -> Value:
    flat = [part for value in values for part in (value.items if isinstance(value, Seq) else (value,))]
    if flat and all(isinstance(value, int) and 6 < value < 0x110000 for value in flat):
        return "".join(chr(value) for value in flat if isinstance(value, int))
    return HOLE


def _home(reading: Reading, values: Sequence[Value]) -> Value:
    return reading.scene.call.ground.home


def _cwd(reading: Reading, values: Sequence[Value]) -> Value:
    return reading.scene.folder


def _temporary(reading: Reading, values: Sequence[Value]) -> Value:
    return "/tmp"  # noqa: S108  the value that the code would see


def _joined_path(reading: Reading, values: Sequence[Value]) -> Value:
    return posixpath.join(*[text_of(value) for value in values]) if values else "."


def _expanded(reading: Reading, values: Sequence[Value]) -> Value:
    text = text_of(values[0]) if values else HOLE
    if text == "~" or text.startswith("~/"):
        return reading.scene.call.ground.home + text[1:]
    return posixpath.join(text_of(values[1]), text) if len(values) > 1 else text


def _globbed(reading: Reading, values: Sequence[Value]) -> Value:
    flat = [part for value in values for part in (value.items if isinstance(value, Seq) else (value,))]
    return Seq(
        tuple(below("", text_of(_expanded(reading, [one]))) for one in flat if not isinstance(one, Table))
    )


_CODE = (".js", ".cjs", ".mjs", ".ts", ".pl", ".pm", ".rb", ".lua", ".php")
INTERPRETERS = {
    "javascript": "node", "perl": "perl", "ruby": "ruby", "php": "php", "lua": "lua", "r": "Rscript",
    "groovy": "groovy",
}  # fmt: skip


def _required(reading: Reading, values: Sequence[Value]) -> Value:
    """`require("x")`: a library, or a file of the project."""
    name = text_of(values[0]) if values else HOLE
    if values and isinstance(values[0], Ref) and reading.tongue.name == "perl":
        return UNKNOWN  # a module by its bare name
    if not certain(name):
        reading.scene.unknown(name)
        return Unsure(opaque=True)
    if name.startswith((".", "/")):
        reading.scene.add(Reads(reading.scene.at(name)))
        if name.endswith(_CODE):
            by = INTERPRETERS.get(reading.tongue.name, reading.scene.by)
            reading.scene.add(File(reading.scene.at(name), by))
        return UNKNOWN
    if name in ("dotenv/config",):
        return UNKNOWN
    return Ref(canonical(name))


def _path(reading: Reading, values: Sequence[Value]) -> Value:
    return PathText(text_of(_joined_path(reading, values)))


def _address(reading: Reading, values: Sequence[Value]) -> Value:
    text = text_of(values[0]) if values else HOLE
    if reading.tongue.name == "groovy":
        reading.scene.add(Connects(text.partition("://")[2].split("/")[0] or HOLE))
    return text


def _first_value(reading: Reading, values: Sequence[Value]) -> Value:
    value = values[0] if values else UNKNOWN
    return value.items[0][1] if isinstance(value, Table) and value.items else value


def _reversed(reading: Reading, values: Sequence[Value]) -> Value:
    if len(values) == 1:
        return _reverse(values[0], ())
    return Seq(tuple(values)[::-1])


def _join_list(reading: Reading, values: Sequence[Value]) -> Value:
    flat = [part for value in values[1:] for part in (value.items if isinstance(value, Seq) else (value,))]
    return _joined(Seq(tuple(flat)), values[:1]) if values else UNKNOWN


def _paste(reading: Reading, values: Sequence[Value]) -> Value:
    return bounded("".join(text_of(value) for value in values))


def _paste_blank(reading: Reading, values: Sequence[Value]) -> Value:
    return bounded(" ".join(text_of(value) for value in values))


def _rotated(reading: Reading, values: Sequence[Value]) -> Value:
    return codecs.encode(text_of(values[0]), "rot13") if values else UNKNOWN


def _printed(reading: Reading, values: Sequence[Value]) -> Value:
    form = text_of(values[0]) if values else HOLE
    rest = list(values[1:])
    return bounded(_FIELD.sub(lambda found: text_of(rest.pop(0)) if rest else HOLE, form))


_FIELD = re.compile(r"%[-+0]?\d{0,3}[sdc]")


def _packed(reading: Reading, values: Sequence[Value]) -> Value:
    return _pack(Seq(tuple(values[1:])), values[:1])


def _unpacked(reading: Reading, values: Sequence[Value]) -> Value:
    return _unpack_one(values[1], values[:1]) if len(values) > 1 else UNKNOWN


def _runtime(reading: Reading, values: Sequence[Value]) -> Value:
    return Ref("Runtime")


PURE: dict[str, Callable[[Reading, Sequence[Value]], Value]] = {
    "require": _required, "process.mainModule.require": _required, "module.require": _required,
    "import": _required,
    "module.createRequire": lambda reading, values: Ref("require"), "createRequire": lambda reading,
    values: Ref("require"),
    "process.getBuiltinModule": _required, "Buffer.from": _buffer, "Buffer": _buffer, "atob": _decoded,
    "base64_decode": _decoded, "decode_base64": _decoded, "MIME::Base64::decode_base64": _decoded,
    "Base64.decode64": _decoded, "Base64.strict_decode64": _decoded, "Base64.urlsafe_decode64": _decoded,
    "hex2bin": _unhexed, "String.fromCharCode": _characters, "String.fromCodePoint": _characters,
    "string.char": _characters, "chr": _characters, "intToUtf8": _characters, "os.homedir": _home,
    "Dir.home": _home,
    "process.cwd": _cwd, "Dir.pwd": _cwd, "getcwd": _cwd, "getwd": _cwd, "cwd": _cwd, "Dir.getwd": _cwd,
    "Deno.cwd": _cwd, "os.tmpdir": _temporary, "Dir.tmpdir": _temporary, "Dir.mktmpdir": _temporary,
    "sys_get_temp_dir": _temporary, "tempdir": _temporary, "path.join": _joined_path,
    "path.resolve": _joined_path,
    "File.join": _joined_path, "file.path": _joined_path, "File.expand_path": _expanded,
    "path.expand": _expanded,
    "normalizePath": _expanded, "Dir.glob": _globbed, "Dir": _globbed, "glob": _globbed, "Sys.glob": _globbed,
    "glob.sync": _globbed,
    "glob.globSync": _globbed, "globSync": _globbed, "fast-glob.sync": _globbed, "fs.globSync": _globbed,
    "Dir.children": lambda reading, values: Seq((STAR,)), "scandir": lambda reading, values: Seq((STAR,)),
    "Pathname": _path, "Pathname.new": _path, "File": _path, "java.io.File": _path, "URI": _address,
    "URL": _address, "URI.parse": _address, "strrev": _reversed, "reverse": _reversed,
    "string.reverse": _reversed,
    "join": _join_list, "implode": _join_list, "paste0": _paste, "paste": _paste_blank, "c": lambda reading,
    values: Seq(tuple(values)),
    "array": lambda reading, values: Seq(tuple(values)), "list": lambda reading, values: Seq(tuple(values)),
    "str_rot13": _rotated, "sprintf": _printed, "util.format": _printed, "string.format": _printed,
    "pack": _packed,
    "unpack": _unpacked,

    "Runtime.getRuntime": _runtime, "escapeshellarg": _first_value, "String": _first_value,
    "unescape": _first_value,
    "decodeURIComponent": _first_value, "String.raw": _first_value, "shell_quote": _first_value,
    "lc": _first_value,
    "parse": _first_value, "expression": _first_value, "trim": _first_value, "gunzip": _first_value,
    "ENV.to_h": lambda reading, values: ENVIRONMENT, "JSON.stringify": lambda reading,
    values: tainted(values),
}  # fmt: skip
