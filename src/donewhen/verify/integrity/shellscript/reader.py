"""A shell script as a sheet: the literals by which it decides; of a test, its statements in a row.

The script is one test, and so is each of its functions `test_…` and each `@test` of bats. Helpers belong to
the script's own test: whatever is changed in them is a change of what it demands.
"""

import hashlib
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from donewhen.core.integrity.model import Assertion, Branch, Role, Sheet, Test
from donewhen.verify.integrity.shellscript.asking import Asked
from donewhen.verify.integrity.shellscript.deciding import decisions, literal
from donewhen.verify.integrity.shellscript.scanning import Word, scan
from donewhen.verify.integrity.shellscript.stating import Statement, statements
from donewhen.verify.integrity.shellscript.telling import marks, told

_FUNCTION = re.compile(r"^[ \t]*(?:function[ \t]+)?([A-Za-z_][\w-]{0,80})[ \t]*\(\)", re.MULTILINE)
_BATS = re.compile(r"""^@test[ \t]+["'][^\n]{0,300}["'][ \t]*\{""", re.MULTILINE)
_PROGRAM = re.compile(r"(?:[\w.$\"{}-]{0,200}/)*([A-Za-z_][\w-]{0,80})\.(?:sh|bash|py|js|mjs|cjs|pl|rb|ts)\b")
_LOCAL = re.compile(r"(?:^|[\s(;|&])\.{1,2}/(?:[\w.-]{1,80}/){0,8}([A-Za-z_][\w-]{0,80})\b")
_SHAPE = re.compile(r"[\w.,!?/-]+|'[^']*'")


def read(path: str, data: bytes, role: Role) -> Sheet:
    """What the script says about the exam."""
    text = data.decode(errors="replace")
    words = scan(text)
    if role == "test":
        return _tests(path, text, words)
    return Sheet(
        path,
        role,
        "shell",
        branches=(*decisions(words), *_still(words)),
        literals=frozenset(literal(word.text) for word in words if word.plain and not word.operator),
        defines=_functions(text),
        digest=_digest(words),
    )


def _still(words: Sequence[Word]) -> tuple[Branch, ...]:
    """A script that prints, and looks at none of its arguments nor at what comes in."""
    prints = [word for word in words if not word.operator and word.text in ("echo", "printf")]
    looks = any(not word.plain or word.text in ("cat", "<", "read") for word in words)
    said = [literal(word.text) for word in words if not word.operator and word not in prints]
    return (Branch(prints[0].line, "", "sequence", ("*",), tuple(said[:50])),) if prints and not looks else ()


def asked_by(path: str, data: bytes) -> Sheet:
    """What a script that tests asks, as one test."""
    text = _BATS.sub("{", data.decode(errors="replace"))
    functions = _functions(text)
    words = scan(text)
    found = tuple(Asked(words, functions).assertions())
    test = Test(path, 1, found, literals=_values(found))
    return Sheet(path, "test", "shell", tests=(test,) if found else ())


def _tests(path: str, text: str, words: list[Word]) -> Sheet:
    functions = _functions(text)
    values: dict[int, list[Assertion]] = defaultdict(list)
    for each in Asked(scan(_BATS.sub("{", text)), functions).assertions():
        values[each.line].append(each)
    found = list(statements(words))
    tests = [
        _test(name, part, functions, values) for name, part in _split(_stem(path), found).items() if part
    ]
    return Sheet(
        path,
        "test",
        "shell",
        tests=tuple(tests),
        marks=tuple(marks(found, functions)) if found else (),
        defines=functions,
        digest=_digest(words),
    )


def _split(stem: str, found: Sequence[Statement]) -> dict[str, list[Statement]]:
    """The statements by the test that they belong to."""
    parts: dict[str, list[Statement]] = {stem: []}
    inside, depth = "", 0
    for at, each in enumerate(found):
        opened = at + 1 < len(found) and found[at + 1].text == "{"
        name = _named(each) if opened and not depth else ""
        if name and name not in parts:
            inside, parts[name] = name, []
            continue
        depth += (each.text == "{") - (each.text == "}")
        parts[inside or stem].append(each)
        if inside and depth <= 0:
            inside, depth = "", 0
    return parts


def _named(statement: Statement) -> str:
    """The test that begins here."""
    words = [word.text for word in statement.words]
    if words[0] == "@test" and len(words) > 1:
        return words[1]
    if words[0] == "function":
        words = words[1:]
    opens = len(words) == 3 and words[1:] == ["(", ")"]
    return words[0] if (opens or statement.first == "function") and re.match(r"test_?\w", words[0]) else ""


def _test(
    name: str,
    part: Sequence[Statement],
    functions: frozenset[str],
    values: dict[int, list[Assertion]],
) -> Test:
    asserts = tuple(told(each, functions, values) for each in part)
    texts = [each.text for each in part]
    return Test(
        name,
        part[0].line,
        asserts,
        calls=tuple(dict.fromkeys(program for text in texts for program in _programs(text))),
        literals=_values(asserts),
        digest=_hashed(texts),
        frame=_hashed(_SHAPE.sub("w", text) for text in texts),
    )


def _programs(text: str) -> list[str]:
    return [found[1] for shape in (_PROGRAM, _LOCAL) for found in shape.finditer(text[:8000])]


def _values(asserts: Sequence[Assertion]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for one in asserts for each in (*one.given, *one.expected)))


def _stem(path: str) -> str:
    return posixpath.basename(path).partition(".")[0] or path


def _functions(text: str) -> frozenset[str]:
    return frozenset(found[1] for found in _FUNCTION.finditer(text))


def _digest(words: Sequence[Word]) -> str:
    return _hashed(f"{word.text}\1{word.plain}\1{' '.join(word.runs)}" for word in words)


def _hashed(texts: Iterable[str]) -> str:
    told_all = "\0".join(texts)
    return hashlib.blake2b(told_all.encode(errors="replace"), digest_size=12).hexdigest()
