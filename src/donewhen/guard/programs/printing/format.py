"""What `echo` and `printf` print: escapes, formats, their reuse. The plainest way to spell a command.

Bytes above 127 are gathered and read as UTF-8 at the end, as a terminal or shell would.
"""

import shlex
from collections.abc import Iterator, Sequence

from donewhen.guard.call import Call
from donewhen.guard.marks import HOLE, STAR, certain, lead
from donewhen.guard.programs.printing.lines import LIMIT, bounded, literal, origins, unknown

_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\",
}  # fmt: skip
_HEX = {"x": 2, "u": 4, "U": 8}
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_OCTAL_DIGITS = frozenset("01234567")
_ECHO_FLAGS = frozenset("neE")
_ESCAPING_SHELLS = frozenset(("sh", "dash", "ash", "zsh", "ksh", "mksh", "busybox"))
_FLAGS = frozenset("-+ #0'")
_NUMERIC = frozenset("diouxX")
_FLOATS = frozenset("eEfFgGaA")


class _Stop(Exception):
    """`\\c`: nothing more is printed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def echo(call: Call) -> str:
    """The words, separated by blanks; escapes only where asked for (or where the shell always reads them)."""
    words = call.argv[1:]
    newline, escapes = True, False
    at = 0
    while (
        at < len(words)
        and len(words[at]) > 1
        and words[at][0] == "-"
        and _ECHO_FLAGS.issuperset(words[at][1:])
    ):
        newline = newline and "n" not in words[at]
        for letter in words[at][1:]:
            escapes = {"e": True, "E": False}.get(letter, escapes)
        at += 1
    text = " ".join(words[at:])
    if len(text) > LIMIT:
        return unknown(text)
    if "\\" in text and (escapes or _ESCAPING_SHELLS.intersection(call.by)):
        read_as, ended = _echoed(text)
        if not escapes:
            # whether `sh` reads escapes depends on which shell it is
            return text + "\n" + read_as + unknown(text)
        text, newline = read_as, newline and not ended
    return text + "\n" if newline else text


def _echoed(text: str) -> tuple[str, bool]:
    """The text with its escapes read, and whether one of them ended it."""
    try:
        return whole(unescaped(text, echo=True)), False
    except _Stop as stop:
        return whole(stop.text), True


def whole(text: str) -> str:
    """Bytes (kept as lone surrogates meanwhile) joined to characters."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return unknown(text)


def unescaped(text: str, echo: bool = False) -> str:
    """Backslash escapes as `echo -e` and `%b` (echo=True) or the format of printf read them."""
    out: list[str] = []
    at = 0
    while True:
        found = text.find("\\", at)
        if found < 0 or found + 1 >= len(text):
            return "".join((*out, text[at:]))
        out.append(text[at:found])
        letter = text[found + 1]
        if letter == "c" and echo:
            raise _Stop("".join(out))
        piece, at = _escape(text, found + 1, letter, echo)
        out.append(piece)


def _escape(text: str, at: int, letter: str, echo: bool) -> tuple[str, int]:
    """One escape whose letter stands at `at`: what it prints and where it ends."""
    if letter in _SIMPLE:
        return _SIMPLE[letter], at + 1
    if letter in _HEX:
        end = _digits(text, at + 1, _HEX[letter], _HEX_DIGITS)
        if end == at + 1:
            return "\\" + letter, at + 1
        return _character(int(text[at + 1 : end], 16), letter == "x"), end
    if letter in _OCTAL_DIGITS:
        # `echo -e` wants a 0 before up to three digits; a format takes three in all
        start = at + 1 if echo and letter == "0" else at
        end = _digits(text, start, 3, _OCTAL_DIGITS)
        return _character(int(text[start:end] or "0", 8) & 0xFF, True), end
    if letter in "\"'?" and not echo:
        return letter, at + 1
    return "\\" + letter, at + 1


def _digits(text: str, at: int, most: int, digits: frozenset[str]) -> int:
    end = at
    while end < len(text) and end - at < most and text[end] in digits:
        end += 1
    return end


def _character(code: int, byte: bool) -> str:
    if byte and code > 127:
        return chr(0xDC00 + code)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return "�"
    return literal(chr(code))


def printf(call: Call) -> str:
    """The format, used again while words are left."""
    words = call.argv[1:]
    if words[:1] == ("-v",):
        return ""
    if words[:1] == ("--",):
        words = words[1:]
    if not words:
        return ""
    pieces = _pieces(words[0])
    text = _filled(pieces, words[1:])
    if not certain(words[0]) and words[1:]:
        text += unknown(words[0])  # what is not known of the format may use the words otherwise
    return bounded(whole(text))


def _filled(pieces: Sequence[tuple[str, str]], words: Sequence[str]) -> str:
    out: list[str] = []
    size = at = 0
    while True:
        before = at
        for kind, piece in pieces:
            if not kind:
                text = piece
            else:
                taken = words[at] if at < len(words) else ""
                at += 1
                if "*" in piece:
                    text = unknown(*words)
                else:
                    try:
                        text = _converted(kind, piece, taken)
                    except _Stop as stop:
                        return "".join((*out, stop.text))
            out.append(text)
            size += len(text)
            if size > LIMIT:
                return unknown(*words, *out[:1])
        if at >= len(words) or at == before:
            return "".join(out)


def _pieces(text: str) -> list[tuple[str, str]]:
    """The format in parts: ("", text) or (conversion, its flags, width and precision)."""
    return [piece for piece in _split(text) if piece[0] or piece[1]]


def _split(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while True:
        found = text.find("%", at)
        if found < 0:
            yield "", unescaped(text[at:])
            return
        yield "", unescaped(text[at:found])
        end = found + 1
        while end < len(text) and (text[end] in _FLAGS or text[end].isdigit() or text[end] in ".*hljztL"):
            end += 1
        if text[end : end + 1] == "(" and "T" in text[end:]:
            at = text.index("T", end) + 1
            yield "T", ""
        elif text[end : end + 1] == "%":
            at = end + 1
            yield "", "%"
        elif end >= len(text):
            yield "", text[found:]
            return
        else:
            at = end + 1
            yield text[end], text[found + 1 : end].rstrip("hljztL")


def _converted(kind: str, how: str, word: str) -> str:
    if kind == "T":
        return STAR
    if kind in _NUMERIC or kind in _FLOATS:
        return _laid_out(_number(kind, word) if certain(word) else STAR + origins(word), how, False)
    if kind == "b":
        word = unescaped(word, echo=True) if "\\" in word else word
    elif kind == "c":
        word = word[:1] if word[:1].isascii() and (lead(word) or not word) else unknown(word)
    elif kind in "qQ":
        word = shlex.quote(word) if certain(word) else word
    elif kind != "s":
        return unknown(word)
    return _laid_out(word, how, True)


def _laid_out(text: str, how: str, cut: bool) -> str:
    """Width and precision."""
    if not how:
        return text
    width, dot, precision = how.lstrip("-+ #0'").partition(".")
    if not certain(text):
        return text if not dot else unknown(text)
    if dot and cut:
        if not text.isascii():
            return unknown(text)  # bytes or characters: that depends on the shell
        text = text[: int(precision or "0")] if len(precision) < 8 else text
    if not width.isdigit():
        return text
    if len(width) > 5:
        return HOLE
    size = int(width)
    if "-" in how:
        return text.ljust(size)
    return text.zfill(size) if how.startswith("0") and not cut else text.rjust(size)


def _number(kind: str, word: str) -> str:
    if kind in _FLOATS:
        return STAR
    value = ord(word[1]) if len(word) > 1 and word[0] in "'\"" else _integer(word.strip())
    return format(value, {"o": "o", "x": "x", "X": "X"}.get(kind, "d"))


def _integer(word: str) -> int:
    sign = -1 if word.startswith("-") else 1
    digits = word.lstrip("+-")[:20]
    base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[:1] == "0" else 10
    try:
        return sign * int(digits or "0", base)
    except ValueError:
        return sign * int(digits, 8) if base == 8 and digits.isdigit() and set(digits) <= _OCTAL_DIGITS else 0
