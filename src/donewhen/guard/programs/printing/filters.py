"""What filters leave of text: cat, head, tail, sort, uniq, cut, tr, rev, grep.

Known text goes through where that is simple; of all other text what it may hold and where it came from stay.
"""

import re

from donewhen.guard.call import Call
from donewhen.guard.marks import STAR, anything, certain
from donewhen.guard.options import options, read
from donewhen.guard.programs.printing.lines import (
    content,
    given,
    is_listing,
    joined,
    lines_of,
    origins,
    reshaped,
    some_of,
    unknown,
)

_CAT = options("AbeEnstTuv")
_ENDS = options("", "ncs", "", "lines bytes sleep-interval pid", numbers=True)
_SORT = options("", "koStT", "", "key output field-separator buffer-size")
_CUT = options("", "bcdf", "complement", "bytes characters delimiter fields output-delimiter")
_GREP = options(
    "", "efmABCdD", "quiet silent count only-matching line-number", "regexp file max-count", numbers=True
)
_BLANKS = frozenset(("\\n", "\n", "\\r\\n", "\\r", " ", "[:space:]", "\\n\\r", "\\0"))


def cat(call: Call) -> str:
    found = read(call.argv[1:], _CAT)
    text = content(call, found.operands)
    return text if not found.options or found.options == (("-u", ""),) else some_of(text)


def passed(call: Call) -> str:
    """Programs that print their input as it is (tee, pv, sponge)."""
    return given(call)


def mixed(call: Call) -> str:
    """Programs that make other text of their input."""
    return unknown(given(call), *call.argv[1:])


def tac(call: Call) -> str:
    return joined(lines_of(content(call, read(call.argv[1:], _CAT).operands))[::-1])


def rev(call: Call) -> str:
    text = content(call, read(call.argv[1:], _CAT).operands)
    return joined([reshaped(line)[::-1] for line in lines_of(text)])


def end(call: Call) -> str:
    """head and tail: the first or last lines, where all of them are known."""
    found = read(call.argv[1:], _ENDS)
    text = content(call, found.operands)
    count = found.value("-n", "--lines", "-#") or "10"
    if found.has("-c", "--bytes"):
        return text if certain(text) and found.value("-c", "--bytes") in ("", None) else unknown(text)
    if not certain(text) or not count.isdigit():
        return some_of(text)
    lines, first = lines_of(text), call.name.endswith("head")
    return joined(lines[: int(count)] if first else lines[max(0, len(lines) - int(count)) :])


def sort(call: Call) -> str:
    found = read(call.argv[1:], _SORT)
    lines = lines_of(content(call, found.operands))
    if found.has("-o", "--output", "-c", "-C"):
        return ""
    return joined(lines) if len(lines) < 2 else some_of(joined(lines))


def uniq(call: Call) -> str:
    return some_of(content(call, tuple(word for word in call.argv[1:2] if word[:1] != "-")))


def cut(call: Call) -> str:
    """Single fields of known lines; the first part of a path below a folder lies below it, too."""
    found = read(call.argv[1:], _CUT)
    lines = lines_of(content(call, found.operands))
    between, field = found.value("-d", "--delimiter") or "\t", found.value("-f", "--fields") or ""
    if not field.isdigit() or found.has("--complement") or sum(map(len, lines)) > 100_000:
        return unknown(*lines)
    return joined([_field(line, between, int(field)) for line in lines])


def _field(line: str, between: str, field: int) -> str:
    parts = line.split(between)
    if certain(line):
        return line if len(parts) == 1 else parts[field - 1] if field <= len(parts) else ""
    if field == 1 and len(parts) > 1 and not anything(parts[0]):
        return parts[0]
    return line if is_listing(line) and between not in "./" else unknown(line)


def tr(call: Call) -> str:
    """Line ends that are dropped or become blanks; any other translation makes other text."""
    words = [word for word in call.argv[1:] if word not in ("-d", "--delete")]
    text = given(call)
    if any(word[:1] == "-" and len(word) > 1 for word in words):
        return unknown(text, *words)
    if len(words) == len(call.argv) - 2 and len(words) == 1 and words[0] in _BLANKS:
        return text.replace("\n", "") if "n" in words[0] or words[0] == "\n" else text
    if len(words) == 2 and set(words) <= _BLANKS:
        return text.replace("\n", " ") if words[0] in ("\\n", "\n") else text.replace(" ", "\n")
    sets = [
        _RANGE.sub(lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))), word)
        for word in words
    ]
    plain = (
        len(words) == 2 and all(map(certain, sets)) and not any("[:" in one or "\\" in one for one in sets)
    )
    if not plain or not sets[1] or "/" in sets[1] or words[:1] == ["-c"]:
        return unknown(text, *words)
    return text.translate(
        dict(zip(map(ord, sets[0]), sets[1].ljust(len(sets[0]), sets[1][-1]), strict=False))
    )


_RANGE = re.compile(r"(\w)-(\w)")


def grep(call: Call) -> str:
    found = read(call.argv[1:], _GREP)
    operands = found.operands if found.has("-e", "--regexp", "-f", "--file") else found.operands[1:]
    text = content(call, operands)
    if found.has("-q", "--quiet", "--silent"):
        return ""
    if found.has("-c", "--count"):
        return STAR + "\n"
    parts = found.has("-n", "--line-number", "-o", "--only-matching")
    return unknown(text) if parts else some_of(text)


def counted(call: Call) -> str:
    """Numbers and names: `wc`."""
    return STAR + "\n" + origins(*call.argv[1:])
