"""`tr`: sets, ranges, classes, complement. A rotated alphabet is a common disguise, so it is exact."""

import string

from donewhen.guard.call import Call
from donewhen.guard.marks import MARKS, WILD, certain
from donewhen.guard.options import options, read
from donewhen.guard.programs.printing.format import unescaped
from donewhen.guard.programs.printing.lines import bounded, given, literal, reshaped, unknown

_TR = options("cCdstu", "", "complement delete squeeze-repeats truncate-set1", first=True)
_PRINTABLE = "".join(sorted(string.punctuation + string.digits + string.ascii_letters))
_CLASSES = {
    "[:alpha:]": string.ascii_uppercase + string.ascii_lowercase, "[:digit:]": string.digits,
    "[:alnum:]": string.digits + string.ascii_uppercase + string.ascii_lowercase,
    "[:upper:]": string.ascii_uppercase, "[:lower:]": string.ascii_lowercase, "[:space:]": "\t\n\v\f\r ",
    "[:blank:]": "\t ", "[:punct:]": "".join(sorted(string.punctuation)),
        "[:xdigit:]": "0123456789ABCDEFabcdef",
    "[:graph:]": _PRINTABLE, "[:print:]": " " + _PRINTABLE, "[:cntrl:]": "".join(map(chr, [*range(7, 32),
        127])),
}  # fmt: skip
_MOST = 70_000
_LEADING = frozenset("/. \t\n\r")  # with these put in, a name may lead elsewhere or become several
_LONGEST_SET = 500


def tr(call: Call) -> str:
    """Its input with characters exchanged, deleted, or runs of them made one."""
    found = read(call.argv[1:], _TR)
    text = given(call)
    first = _set(found.operands[0]) if found.operands else None
    second = _set(found.operands[1]) if len(found.operands) > 1 else ""
    if first is None or second is None or len(text) > _MOST:
        return unknown(text)
    complement = found.has("-c", "-C", "--complement")
    if not certain(text):
        plain = (first + second).isspace() or (bool(second) and _LEADING.isdisjoint(second))
        text = text if plain and not complement and not found.has("-d", "--delete") else reshaped(text)
    chosen = frozenset(first)
    if found.has("-d", "--delete"):
        text = "".join(letter for letter in text if letter in MARKS or (letter in chosen) == complement)
        return _squeezed(text, frozenset(second)) if found.has("-s", "--squeeze-repeats") else text
    if second:
        text = _exchanged(text, first, second, complement)
    if found.has("-s", "--squeeze-repeats"):
        text = _squeezed(text, frozenset(second) if second else chosen, complement and not second)
    return bounded(text)


def _exchanged(text: str, first: str, second: str, complement: bool) -> str:
    if complement:
        chosen = frozenset(first)
        return "".join(letter if letter in chosen or letter in MARKS else second[-1] for letter in text)
    padded = second.ljust(len(first), second[-1])[: len(first)]
    table = dict(zip(map(ord, first), padded, strict=True))
    return text.translate({code: to for code, to in table.items() if chr(code) not in WILD})


def _squeezed(text: str, chosen: frozenset[str], complement: bool = False) -> str:
    out: list[str] = []
    for letter in text:
        if not (out and out[-1] == letter and (letter in chosen) != complement):
            out.append(letter)
    return "".join(out)


def _set(text: str) -> str | None:
    """The characters of a set in order; None when it can't be told."""
    if not certain(text) or not text.isascii():
        return None
    out: list[str] = []
    at = 0
    while at < len(text):
        if len(out) > _LONGEST_SET:
            return None
        close = text.find(":]", at) if text.startswith("[:", at) else -1
        if close > 0:
            name = text[at : close + 2]
            if name not in _CLASSES:
                return None
            out.append(_CLASSES[name])
            at = close + 2
            continue
        if text.startswith("[=", at) or _repeats(text, at):
            return None
        letter, at = _letter(text, at)
        if text[at : at + 1] == "-" and at + 1 < len(text):
            last, at = _letter(text, at + 1)
            out.append("".join(map(chr, range(ord(letter), min(ord(last), ord(letter) + 0x500) + 1))))
        else:
            out.append(letter)
    whole = "".join(out)
    # NUL and its neighbours stand for marks; text never holds them as such
    return whole if certain(whole) else "" if len(whole) == 1 else None


def _repeats(text: str, at: int) -> bool:
    """`[x*3]`"""
    close = text.find("]", at + 3)
    return (
        text[at] == "["
        and text[at + 2 : at + 3] == "*"
        and (text[at + 3 : close].isdigit() or close == at + 3)
    )


def _letter(text: str, at: int) -> tuple[str, int]:
    if text[at] != "\\" or at + 1 == len(text):
        return text[at], at + 1
    end = at + 2
    while text[at + 1].isdigit() and end < min(len(text), at + 4) and text[end] in "01234567":
        end += 1
    value = literal(unescaped(text[at:end]))
    return (value, end) if len(value) == 1 else (text[at + 1], at + 2)
