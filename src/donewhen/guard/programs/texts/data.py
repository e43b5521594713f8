"""Text programs whose words need a closer look: jq and yq, test, tee, split.

jq and yq can read the environment and other files from inside their filter; operators of `test` make a word
a path or just a text.
"""

import re
from collections.abc import Iterator, Mapping

from donewhen.guard.call import Call, Nested, Reader, Text
from donewhen.guard.effects import Effect, Reads, Reveals, Writes
from donewhen.guard.marks import ENVIRONMENT, HOLE, STAR
from donewhen.guard.options import names, options, read
from donewhen.guard.programs.printing.lines import STANDARD_INPUT, is_environ, secret_variable

_JQ_PAIRS = names("--arg --argjson --slurpfile --rawfile --argfile")
_JQ = options(
    "acCeijMnrRsSV", "fLI", "raw-output compact-output null-input slurp exit-status sort-keys raw-input "
    "join-output tab color-output monochrome-output ascii-output seq stream stream-errors",
    "from-file indent library-path",
)  # fmt: skip
_YQ = options(
    "cCeijMnNrPRSv0Vy", "oIpsfx", "inplace null-input prettyPrint no-doc exit-status unwrapScalar colors "
    "no-colors",
    "output-format input-format indent from-file expression split-exp front-matter arg xml-attribute-prefix",
)  # fmt: skip
_YQ_COMMANDS = frozenset(("e", "ea", "eval", "eval-all"))
_ENV = re.compile(
    r"""(?<![\w.$])(?:\$ENV|env)\b(?!\()(?:\s*\.\s*(\w+)|\s*\[\s*["'](\w+)["']\s*\])?|strenv\((\w+)\)|\benv\((\w+)\)"""
)
_LOAD = re.compile(r"""\bload(?:_\w+)?\s*\(\s*["']([^"']{1,500})["']""")
_FILE_TESTS = frozenset("-" + letter for letter in "abcdefghkprstuwxLNOGS") - {"-t", "-a"}
_FILE_PAIRS = frozenset(("-nt", "-ot", "-ef"))
_SPLIT = options("dxeu", "abCnlt", "numeric-suffixes hex-suffixes verbose elide-empty-files unbuffered",
                 "suffix-length bytes line-bytes lines number additional-suffix filter separator",
                 numbers=True)  # fmt: skip
_CSPLIT = options(
    "kszq", "fbn", "keep-files quiet silent elide-empty-files suppress-matched", "prefix suffix-format digits"
)
_TEE = options("aip", "", "append ignore-interrupts", "output-error")
_BACK = options("kqofnbFvUD", "cie", "keepdate quiet oldfile", "convmode info")


def _jq(call: Call) -> Iterator[Effect | Nested]:
    words, files = _pairs(call.argv[1:])
    given = read(words, _JQ)
    operands = list(given.operands)
    program = given.value("-f", "--from-file")
    filter_text = "" if program is not None else (operands.pop(0) if operands else "")
    if program is not None:
        files.append(program)
    if given.has("--args", "--jsonargs"):
        operands = operands[:0]
    yield from _read(call, [*operands, *files])
    yield from _inside(call, filter_text)


def _pairs(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Options that take a name and a value leave; the files among them stay."""
    kept: list[str] = []
    files: list[str] = []
    at = 0
    while at < len(words):
        if words[at] in _JQ_PAIRS:
            if words[at] in ("--slurpfile", "--rawfile", "--argfile"):
                files += words[at + 2 : at + 3]
            at += 3
        else:
            kept.append(words[at])
            at += 1
    return kept, files


def _read(call: Call, paths: list[str]) -> Iterator[Effect]:
    for path in paths:
        if path and path not in STANDARD_INPUT:
            where = call.at(path)
            yield Reads(where)
            if is_environ(where):
                yield Reveals("environment")
    if call.stdin is not None and ENVIRONMENT in call.stdin:
        yield Reveals("filtered")


def _inside(call: Call, text: str) -> Iterator[Effect]:
    """What the filter itself reads."""
    if "env" in text or "ENV" in text:
        for found in _ENV.finditer(text):
            name = next((part for part in found.groups() if part), "")
            if not name:
                yield Reveals("environment")
            elif secret_variable(name):
                yield Reveals("variable", name)
    if "load" in text:
        for found in _LOAD.finditer(text):
            yield Reads(call.at(found[1]))


def _yq(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _YQ)
    operands = list(given.operands)
    if operands and operands[0] in _YQ_COMMANDS:
        operands.pop(0)
    expression = given.value("--expression")
    program = given.value("--from-file", "-f") if given.has("--from-file") else None
    if expression is None and program is None and operands:
        expression = operands.pop(0)
    yield from _read(call, [*operands, *([program] if program else [])])
    yield from _inside(call, expression or "")
    if given.has("-i", "--inplace"):
        yield from (Writes(call.at(path)) for path in operands)
    if given.has("-s", "--split-exp"):
        yield Writes(call.at(STAR))


def _test(call: Call) -> Iterator[Effect | Nested]:
    words = call.argv
    for at in range(1, len(words) - 1):
        if words[at] in _FILE_TESTS:
            yield Reads(call.at(words[at + 1]), names=True)
        elif words[at] in _FILE_PAIRS:
            yield Reads(call.at(words[at - 1]), names=True)
            yield Reads(call.at(words[at + 1]), names=True)


def _tee(call: Call) -> Iterator[Effect | Nested]:
    yield from (Writes(call.at(path)) for path in read(call.argv[1:], _TEE).operands if path != "-")
    if call.stdin is not None and ENVIRONMENT in call.stdin:
        yield Reveals("environment")


def _split(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _SPLIT)
    yield from _read(call, list(given.operands[:1]))
    prefix = given.operands[1] if len(given.operands) > 1 else "x"
    command = given.value("--filter")
    if command:
        yield Text(command, call.name)
    else:
        yield Writes(call.at(prefix + STAR + (given.value("--additional-suffix") or "")))


def _csplit(call: Call) -> Iterator[Effect | Nested]:
    given = read(call.argv[1:], _CSPLIT)
    yield from _read(call, list(given.operands[:1]))
    yield Writes(call.at((given.value("-f", "--prefix") or "xx") + STAR))


def _rewrite(call: Call) -> Iterator[Effect | Nested]:
    """dos2unix and its like change files in place."""
    given = read(call.argv[1:], _BACK)
    for path in given.operands:
        yield Reads(call.at(path))
        yield Writes(call.at(path))


def _uudecode(call: Call) -> Iterator[Effect | Nested]:
    """The text itself names the file that it becomes."""
    given = read(call.argv[1:], options("cimprs", "o", "", "output-file"))
    yield from _read(call, list(given.operands))
    named = given.all("-o", "--output-file")
    if not named and not given.has("-p"):
        text = "" if given.operands else call.stdin or ""
        named = [found[1].strip() for found in _BEGIN.finditer(text)] or [HOLE]
    yield from (Writes(call.at(path)) for path in named if path not in ("-", "/dev/stdout"))


_BEGIN = re.compile(r"^begin(?:-base64)? [0-7]{3,4} (.+)$", re.MULTILINE)
READERS: Mapping[str, Reader] = {
    "jq": _jq, "gojq": _jq, "jaq": _jq, "yq": _yq, "test": _test, "[": _test, "[[": _test, "tee": _tee,
    "sponge": _tee, "uudecode": _uudecode, "split": _split, "gsplit": _split, "csplit": _csplit,
    "dos2unix": _rewrite, "unix2dos": _rewrite,
}  # fmt: skip
