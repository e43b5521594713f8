"""Reads one JavaScript or TypeScript file into a sheet.

The suffix says the language; where that can't read the file another of the family is tried, and what none
of them can read is told as a trouble, line by line.
"""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from donewhen.core.integrity.model import Role, Sheet, Trouble
from donewhen.core.texts import Phrase
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.javascript.branches import branches
from donewhen.verify.integrity.javascript.defining import defines
from donewhen.verify.integrity.javascript.ignoring import ignores, telling
from donewhen.verify.integrity.javascript.marking import marks
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.testing import tests
from donewhen.verify.integrity.javascript.tree import Script, fell, light

if TYPE_CHECKING:
    from tree_sitter import Tree

_GRAMMARS = {
    "js": ("javascript", "tsx", "typescript"),
    "jsx": ("javascript", "tsx"),
    "mjs": ("javascript", "typescript"),
    "cjs": ("javascript", "typescript"),
    "ts": ("typescript", "tsx", "javascript"),
    "mts": ("typescript", "javascript"),
    "cts": ("typescript", "javascript"),
    "tsx": ("tsx", "typescript"),
}
_SHOWN = {"javascript": "JavaScript", "typescript": "TypeScript"}
_TOLD = 20  # troubles of one file
_BOM = b"\xef\xbb\xbf"


def read(path: str, data: bytes, role: Role) -> Sheet:
    suffix = PurePosixPath(path).suffix[1:].lower()
    grammars = _GRAMMARS.get(suffix, _GRAMMARS["js"])
    language = "javascript" if grammars[0] == "javascript" else "typescript"
    data, troubles = _text(data)
    tree, lost = _parsed(grammars, data)
    said = {"language": _SHOWN[language]}
    troubles += [Trouble(line, Phrase("integrity.syntax", {"line": line, **said})) for line in lost[:_TOLD]]
    script = light(tree, data)
    try:
        return _sheet(script, path, role, language, troubles)
    finally:
        fell(script)


def _sheet(script: Script, path: str, role: Role, language: str, troubles: list[Trouble]) -> Sheet:
    scopes = Scopes(script)
    found = tests(script, scopes, role, path)
    return Sheet(
        path,
        role,
        language,
        tests=found.tests,
        marks=(*marks(script, scopes, role, path, found), *ignores(script)),
        branches=branches(script, scopes, path) if role in ("source", "support") else (),
        literals=frozenset(script.literals),
        defines=defines(script, scopes, path),
        digest=syntax.digest(*script.tokens, "\0", *telling(script)),
        troubles=tuple(troubles),
    )


def _text(data: bytes) -> tuple[bytes, list[Trouble]]:
    data = data.removeprefix(_BOM)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        trouble = Trouble(line, Phrase("integrity.encoding", {"encoding": "UTF-8"}))
        return data.decode(errors="replace").encode(), [trouble]
    return data, []


def _parsed(grammars: tuple[str, ...], data: bytes) -> tuple["Tree", tuple[int, ...]]:
    """The reading with the fewest lines that had to be guessed."""
    best: tuple[Tree, tuple[int, ...]] | None = None
    for grammar in grammars:
        tree = syntax.parse(grammar, data)
        lost = syntax.errors(tree)
        if best is None or len(lost) < len(best[1]):
            best = tree, lost
        if not lost:
            break
    assert best is not None, "every suffix has a grammar"
    return best
