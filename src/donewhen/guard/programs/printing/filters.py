"""What filters leave of text: cat, head, tail, sort, uniq, cut, tr, rev, grep, paste.

Known text is filtered exactly, so that a command hidden in it is found; of other text the marks stay.
"""

from collections.abc import Callable, Mapping, Sequence

from donewhen.guard.call import Call
from donewhen.guard.marks import STAR, anything, certain
from donewhen.guard.options import Given, options, read
from donewhen.guard.programs.printing.lines import (
    bounded,
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
from donewhen.guard.programs.printing.patterns import Pattern, fixed, pattern

_CAT = options("AbeEnstTuv")
_ENDS = options(
    "fFqrvz",
    "ncs",
    "follow quiet silent verbose zero-terminated retry",
    "lines bytes sleep-interval pid",
    numbers=True,
)
_SORT = options(
    "bdfghiMnRrVcCmsuz",
    "koStT",
    "reverse unique numeric-sort version-sort random-sort",
    "key output field-separator buffer-size",
)
_UNIQ = options("cdDiuz", "fsw", "count repeated unique", "skip-fields skip-chars check-chars")
_CUT = options(
    "nsz", "bcdf", "only-delimited complement", "bytes characters delimiter fields output-delimiter"
)
_GREP = options(
    "abcEFGhHiIlLnoPqrRsTUvVwxyzZ",
    "efmABCdD",
    "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case invert-match word-regexp "
    "line-regexp count only-matching quiet silent line-number with-filename no-filename no-messages "
    "recursive files-with-matches files-without-match null-data text",
    "regexp file max-count after-context before-context context include exclude exclude-dir",
)
_GREP_EXACT = frozenset(
    "-i -v -E -F -G -e -x -o -h -s -a --extended-regexp --fixed-strings --basic-regexp --ignore-case "
    "--invert-match --line-regexp --only-matching --no-filename --no-messages --regexp --color --colour "
    "--text".split()
)
_SEPARATORS: Mapping[str | None, str] = {"\\n": "\n", "\\t": "\t", "\\0": "", None: "\t"}
_PASTE = options("sz", "d", "serial", "delimiters")
_MOST_FIELDS = 100_000
LAST = 1 << 40
_END_OPTIONS = frozenset("-n --lines -# -c --bytes -q -v --quiet --silent --verbose".split())


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
    lines = lines_of(content(call, read(call.argv[1:], _CAT).operands))
    return joined(lines[::-1])


def rev(call: Call) -> str:
    text = content(call, read(call.argv[1:], _CAT).operands)
    return joined([reshaped(line)[::-1] for line in lines_of(text)])


def _count(value: str) -> int | None:
    digits = value.lstrip("+-")
    return int(digits) if digits.isdigit() and len(digits) < 9 else None


def head(call: Call) -> str:
    return _end(call, call.argv[1:], True)


def tail(call: Call) -> str:
    words = call.argv[1:]
    if words and words[0][:1] == "+" and words[0][1:].isdigit():
        words = ("-n", *words)
    return _end(call, words, False)


def _end(call: Call, words: Sequence[str], first: bool) -> str:
    """The first or last lines (or characters) of its input."""
    found = read(words, _ENDS)
    text = content(call, found.operands)
    size = found.value("-c", "--bytes")
    value = size or found.value("-n", "--lines", "-#") or "10"
    count = _count(value)
    plain = all(name in _END_OPTIONS for name, _ in found.options)
    if count is None or len(found.operands) > 1 or not plain:
        return some_of(text) if size is None else unknown(text)
    # `-5` for head and `+5` for tail count from the other end, where a hole may hold any number of lines
    other = value.startswith("-" if first else "+")
    if first:
        part = slice(None, (-count or None) if other else count)
    else:
        part = slice(max(0, count - 1) if other else -count if count else LAST, None)
    if size is not None:
        return text[part] if certain(text) and text.isascii() else unknown(text)
    lines = lines_of(text)[part]
    if certain(text) or (not other and lines and all(map(certain, lines))):
        return joined(lines)
    return some_of(text)


def sort(call: Call) -> str:
    found = read(call.argv[1:], _SORT)
    lines = lines_of(content(call, found.operands))
    if found.has("-o", "--output", "-c", "-C"):
        return ""
    if len(lines) < 2:
        return joined(lines)
    plain = all(name in ("-r", "-u", "--reverse", "--unique") for name, _ in found.options)
    if not plain or not certain("\n".join(lines)):
        return some_of(joined(lines))
    kept = sorted(set(lines) if found.has("-u", "--unique") else lines)
    if kept != sorted(kept, key=_spoken):
        return some_of(joined(lines))  # the order depends on the language
    return joined(kept[::-1] if found.has("-r", "--reverse") else kept)


def _spoken(line: str) -> tuple[str, str]:
    """How languages order lines: letters first, case and other characters only to tell equals apart."""
    return "".join(filter(str.isalnum, line)).lower(), line


def uniq(call: Call) -> str:
    found = read(call.argv[1:], _UNIQ)
    text = content(call, found.operands[:1])
    if found.options or not certain(text):
        return some_of(text) if not found.has("-c", "--count") else unknown(text)
    lines = lines_of(text)
    return joined([line for at, line in enumerate(lines) if not at or line != lines[at - 1]])


def paste(call: Call) -> str:
    found = read(call.argv[1:], _PASTE)
    text = content(call, found.operands)
    separator = found.value("-d", "--delimiters")
    if (
        not found.has("-s", "--serial")
        or (separator not in _SEPARATORS and len(separator or "") > 1)
        or len(found.operands) > 1
    ):
        return unknown(text)
    between = _SEPARATORS.get(separator, separator or "")
    return bounded(between.join(lines_of(text)) + "\n")


def _ranges(text: str) -> Callable[[int], bool] | None:
    """Whether a place, counted from one, is in a list such as `1,3-5,8-`."""
    spans: list[tuple[int, int]] = []
    for part in text.split(","):
        low, dash, high = part.partition("-")
        if not (low or high) or not (low or "1").isdigit() or not (high or "1").isdigit() or len(part) > 20:
            return None
        spans.append((int(low or "1"), int(high) if high else LAST if dash else int(low)))
    return (lambda place: any(low <= place <= high for low, high in spans)) if len(spans) < 20 else None


def cut(call: Call) -> str:
    found = read(call.argv[1:], _CUT)
    lines = lines_of(content(call, found.operands))
    fields = found.value("-f", "--fields")
    wanted = _ranges(fields or found.value("-c", "--characters", "-b", "--bytes") or "")
    if wanted is None or found.has("--complement", "-z") or sum(map(len, lines)) > _MOST_FIELDS:
        return unknown(*lines)
    if fields is None:
        return joined([_columns(line, wanted) for line in lines])
    between = found.value("-d", "--delimiter") or "\t"
    out = found.value("--output-delimiter")
    only = found.has("-s", "--only-delimited")
    return joined(
        [
            _fields(line, between, between if out is None else out, wanted)
            for line in lines
            if not only or between in line or not certain(line)
        ]
    )


def _columns(line: str, wanted: Callable[[int], bool]) -> str:
    if not certain(line) or not line.isascii():
        return unknown(line)
    return "".join(letter for place, letter in enumerate(line, 1) if wanted(place))


def _fields(line: str, between: str, out: str, wanted: Callable[[int], bool]) -> str:
    parts = line.split(between)
    if certain(line):
        return line if len(parts) == 1 else out.join(part for n, part in enumerate(parts, 1) if wanted(n))
    only_first = wanted(1) and not wanted(2) and not wanted(LAST)
    # the beginning of a path below a folder lies below it, too
    if only_first and not anything(parts[0]) and len(parts) > 1:
        return parts[0]
    return line if is_listing(line) and between not in "./" else unknown(line)


def grep(call: Call) -> str:
    found = read(call.argv[1:], _GREP)
    given_patterns = found.all("-e", "--regexp")
    operands = found.operands
    if not given_patterns and not found.has("-f", "--file"):
        given_patterns, operands = list(operands[:1]), operands[1:]
    text = content(call, operands)
    if found.has("-q", "--quiet", "--silent"):
        return ""
    if found.has("-c", "--count"):
        return STAR + "\n"
    if operands or not all(name in _GREP_EXACT for name, _ in found.options):
        return (
            some_of(text) if not found.has("-n", "--line-number", "-o", "--only-matching") else unknown(text)
        )
    tried = _tried(call.name, found, given_patterns)
    lines = lines_of(text)
    if tried is None or any(not one.fits([line for line in lines if certain(line)]) for one in tried):
        return some_of(text)
    return _matching(found, tried, lines)


def _tried(name: str, found: Given, texts: Sequence[str]) -> list[Pattern] | None:
    extended = found.has("-E", "--extended-regexp") or name == "egrep"
    blind = found.has("-i", "--ignore-case")
    plain = found.has("-F", "--fixed-strings") or name == "fgrep"
    only = found.has("-o", "--only-matching")
    out: list[Pattern] = []
    for text in (line for one in texts for line in one.split("\n")):
        one = None if not certain(text) else fixed(text, blind) if plain else pattern(text, extended, blind)
        if one is None or len(out) > 20 or (only and one.choices) or "\\n" in text or "\\t" in text:
            return None
        out.append(one)
    return out


def _matching(found: Given, tried: Sequence[Pattern], lines: Sequence[str]) -> str:
    invert = found.has("-v", "--invert-match")
    whole = found.has("-x", "--line-regexp")
    only = found.has("-o", "--only-matching")
    out: list[str] = []
    unsure = False
    for line in lines:
        if not certain(line):
            unsure = unsure or not is_listing(line)
            out.append(unknown(line) if only else line)
            continue
        hits = [hit for one in tried if (hit := (one.regex.fullmatch if whole else one.regex.search)(line))]
        if bool(hits) == invert:
            continue
        if only:
            out += [hit[0] for one in tried for hit in one.regex.finditer(line) if hit[0]]
        else:
            out.append(line)
    return joined(out) + (unknown(*out) if unsure else "")


def counted(call: Call) -> str:
    """Numbers and names: `wc`."""
    return STAR + "\n" + origins(*call.argv[1:])
