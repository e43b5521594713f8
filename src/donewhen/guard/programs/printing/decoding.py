"""Decoders over text that the line itself gives: base64, base32, hex, gzip.

Decoded bytes that are no text stay a hole for everyone; a payload behind the hole lets a decompressor in the
same pipe read them. Output is bounded while it is made, so a decompression bomb costs nothing.
"""

import base64 as base_64
import zlib
from collections.abc import Callable, Mapping

from donewhen.guard.call import Call
from donewhen.guard.marks import HOLE, certain
from donewhen.guard.options import options, read
from donewhen.guard.programs.printing.lines import LIMIT, bounded, content, given, literal, unknown

_BASE = options("dDi", "wbo", "decode ignore-garbage", "wrap break output input")
_XXD = options(
    "abCeEiprsu", "cglosnR", single="cols len seek ps", single_flags="plain postscript revert ps bits"
)
_GZIP = options(
    "cdfklnNqrtv123456789", "S", "decompress uncompress stdout to-stdout keep force quiet", "suffix"
)
_PRIVATE = 0xE000  # where payload bytes stand
_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
_BLANKS = {ord(blank): None for blank in " \t\r\n"}


def text_of(data: bytes) -> str:
    """Decoded bytes as marked text."""
    if len(data) > LIMIT:
        return HOLE
    if any(data.startswith(magic) for magic in _MAGIC):
        return HOLE + "".join(chr(_PRIVATE + byte) for byte in data)
    return literal(data.decode("utf-8", "replace"))


def _bytes_of(text: str) -> bytes | None:
    """What `text_of` stored, or the bytes of plain text."""
    if text[:1] == HOLE:
        payload = text[1:].rstrip("\n")
        if payload and all(_PRIVATE <= ord(character) < _PRIVATE + 256 for character in payload):
            return bytes(ord(character) - _PRIVATE for character in payload)
        return None
    return text.encode("utf-8", "replace") if certain(text) else None


def _base(decode: Callable[[str], bytes], encode: Callable[[bytes], bytes], call: Call) -> str:
    found = read(call.argv[1:], _BASE)
    text = content(call, found.operands)
    if not certain(text) or found.has("--output", "-o"):
        return unknown(text)
    if not found.has("-d", "-D", "--decode"):
        return bounded(encode(text.encode("utf-8", "replace")).decode() + "\n")
    if found.has("-i", "--ignore-garbage"):
        text = "".join(letter for letter in text if letter in _ALPHABET)
    try:
        return text_of(decode(text))
    except ValueError:
        return HOLE


def _from_64(text: str) -> bytes:
    """Missing padding is forgiven, as programs do; several texts in a row or other characters are not."""
    body = text.translate(_BLANKS).rstrip("=")
    body = body[:-1] if len(body) % 4 == 1 else body
    return base_64.b64decode(body + "=" * (-len(body) % 4), validate=True)


def base64(call: Call) -> str:
    return _base(_from_64, base_64.b64encode, call)


def base32(call: Call) -> str:
    return _base(lambda text: base_64.b32decode(text.translate(_BLANKS)), base_64.b32encode, call)


def basenc(call: Call) -> str:
    """`basenc --base64 -d` and its other alphabets."""
    kinds = [word for word in call.argv[1:] if word.startswith(("--b", "--z"))]
    rest = call._replace(argv=(call.argv[0], *(word for word in call.argv[1:] if word not in kinds)))
    if kinds == ["--base64"]:
        return base64(rest)
    if kinds == ["--base64url"]:
        return _base(
            lambda text: _from_64(text.replace("-", "+").replace("_", "/")), base_64.urlsafe_b64encode, rest
        )
    if kinds == ["--base32"]:
        return base32(rest)
    if kinds == ["--base16"]:
        return _base(bytes.fromhex, lambda data: data.hex().upper().encode(), rest)
    return unknown(given(call))


def openssl(call: Call) -> str:
    """`openssl base64 -d`, `openssl enc -d -base64`; ciphers stay unknown."""
    words = call.argv[1:]
    flags = set(words[1:])
    plain = words[:1] == ("base64",) or (words[:1] == ("enc",) and flags & {"-base64", "-a"})
    if not plain or not flags <= {"-d", "-A", "-a", "-base64", "-e"}:
        return unknown(given(call), *words)
    return base64(call._replace(argv=("base64", "-d") if "-d" in flags else ("base64",)))


def xxd(call: Call) -> str:
    found = read(call.argv[1:], _XXD)
    plain = found.has("-p", "-ps", "-plain", "-postscript")
    text = content(call, found.operands[:1])
    if not plain or not certain(text) or found.has("-s", "-seek", "-l", "-len", "-o", "-b", "-bits"):
        return unknown(text)
    if found.has("-r", "-revert"):
        digits = text.translate(_BLANKS)
        try:
            return text_of(bytes.fromhex(digits[: len(digits) // 2 * 2]))
        except ValueError:
            return HOLE
    return bounded(text.encode("utf-8", "replace").hex() + "\n")


def gzip(call: Call) -> str:
    """gzip, bzip2, xz and their shorthands: only what a decoder before them gave."""
    found = read(call.argv[1:], _GZIP)
    decompresses = call.name not in ("gzip", "bzip2", "xz", "pigz") or found.has(
        "-d", "--decompress", "--uncompress"
    )
    text = content(call, found.operands)
    data = _bytes_of(text) if decompresses else None
    if data is None:
        return unknown(text)
    plain = _expanded(data)
    return HOLE if plain is None else text_of(plain)


def _expanded(data: bytes) -> bytes | None:
    for magic, expand in _MAGIC.items():
        if data.startswith(magic):
            return expand(data)
    return None


def _gunzip(data: bytes) -> bytes | None:
    """Without its check sum, because gunzip prints first and complains later."""
    machine = zlib.decompressobj(31)
    try:
        plain = machine.decompress(data[:-8], LIMIT + 1)
    except zlib.error:
        return None
    return None if machine.unused_data else plain


def _bunzip2(data: bytes) -> bytes | None:
    try:
        import bz2

        machine = bz2.BZ2Decompressor()
        plain = machine.decompress(data, LIMIT + 1)
    except (ImportError, OSError, EOFError, ValueError):
        return None
    return None if machine.unused_data else plain


def _unxz(data: bytes) -> bytes | None:
    try:
        import lzma
    except ImportError:
        return None
    machine = lzma.LZMADecompressor(memlimit=1 << 26)
    try:
        plain = machine.decompress(data, LIMIT + 1)
    except (lzma.LZMAError, EOFError):
        return None
    return None if machine.unused_data else plain


_MAGIC: Mapping[bytes, Callable[[bytes], bytes | None]] = {
    b"\x1f\x8b": _gunzip,
    b"BZh": _bunzip2,
    b"\xfd7zXZ": _unxz,
}
