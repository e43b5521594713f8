"""A shell script as a sheet: the literals by which it decides, and, asked for, what a shell test demands.

Shell tests are not compared with those of the base: their checkers are code of their own that no table knows,
so a changed one stays unread, and only running those of the base tells. Here they say what the exam asks.
"""

import hashlib
import re

from donewhen.core.integrity.model import Role, Sheet, Test
from donewhen.verify.integrity.shellscript.asking import Asked
from donewhen.verify.integrity.shellscript.deciding import decisions, literal
from donewhen.verify.integrity.shellscript.scanning import Word, scan

_FUNCTION = re.compile(r"^[ \t]*(?:function[ \t]+)?([A-Za-z_][\w-]{0,80})[ \t]*\(\)", re.MULTILINE)
_BATS = re.compile(r"""^@test[ \t]+["'][^\n]{0,300}["'][ \t]*\{""", re.MULTILINE)


def read(path: str, data: bytes, role: Role) -> Sheet:
    """What the script says about the exam."""
    text = data.decode(errors="replace")
    words = scan(text)
    return Sheet(
        path,
        role,
        "shell",
        branches=tuple(decisions(words)),
        literals=frozenset(literal(word.text) for word in words if word.plain and not word.operator),
        defines=_functions(text),
        digest=_digest(words),
    )


def asked_by(path: str, data: bytes) -> Sheet:
    """What a script that tests asks, as one test."""
    text = _BATS.sub("{", data.decode(errors="replace"))
    functions = _functions(text)
    words = scan(text)
    found = tuple(Asked(words, functions).assertions())
    literals = tuple(dict.fromkeys(each for one in found for each in (*one.given, *one.expected)))
    test = Test(path, 1, found, literals=literals)
    return Sheet(path, "test", "shell", tests=(test,) if found else ())


def _functions(text: str) -> frozenset[str]:
    return frozenset(found[1] for found in _FUNCTION.finditer(text))


def _digest(words: list[Word]) -> str:
    told = "\0".join(f"{word.text}\1{word.plain}\1{' '.join(word.runs)}" for word in words)
    return hashlib.blake2b(told.encode(errors="replace"), digest_size=12).hexdigest()
