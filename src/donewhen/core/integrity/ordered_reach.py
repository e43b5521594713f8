"""Whether a test file can reach the product at all: a test of its own copy of the code shows nothing.

Said only where it is certain: the file takes in nothing but libraries that neither load nor run other code,
and has none of the ways by which code is reached without an import. In doubt it reaches the product.
"""

import re
from collections.abc import Collection

_PURE = frozenset(
    """
    unittest pytest hypothesis mock __future__ abc collections contextlib copy dataclasses datetime decimal
    enum fractions functools itertools json logging math numbers operator random re statistics string
    textwrap time types typing typing_extensions warnings""".split()
)
_PURE_JS = frozenset(
    """
    node:test node:assert node:assert/strict assert assert/strict vitest @jest/globals chai mocha ava tap tape
    uvu uvu/assert expect expect.js should sinon""".split()
)
_TAKEN = re.compile(
    r"^[ \t]{0,40}(?:from[ \t]{1,9}([\w.]{1,200})[ \t]{1,9}import\b|import[ \t]{1,9}([^\n#]{1,400}))",
    re.MULTILINE,
)
_OTHER_WAYS = re.compile(
    r"\b(?:open|exec|eval|compile|__import__|globals|import_module|run_path|run_module|fixture|usefixtures|"
    r"load_tests|patch|importorskip|parametrize|testdir|pytester|builtins|__loader__|__builtins__)\b"
)
_GIVEN = re.compile(r"\bdef[ \t]{1,9}test\w{0,120}\([ \t\n]{0,40}(?!self[ \t\n]{0,9}[,)])\w")
_GIVEN_MORE = re.compile(r"\bdef[ \t]{1,9}test\w{0,120}\([ \t\n]{0,40}self[ \t\n]{0,9},[ \t\n]{0,40}\w")
_TAKEN_JS = re.compile(
    r"(?:\bfrom|\brequire[ \t]{0,9}\(|\bimport[ \t]{0,9}\(?)[ \t\n]{0,40}[\"'`]([^\"'`\n]{1,200})"
)
_ANY_JS = re.compile(r"\b(?:require|import)\b")
_OTHER_WAYS_JS = re.compile(
    r"\b(?:fetch|globalThis|window|document|process|eval|Function|global|self|page|cy|browser|createRequire)\b"
)
_SCRIPTS = frozenset(("javascript", "typescript"))
_LONGEST = 400_000  # characters


def reaches_product(language: str, text: str, own: Collection[str] = ()) -> bool:
    """`own`: names by which modules of the project may be imported, also where a library has that name."""
    if len(text) > _LONGEST:
        return True
    if language == "python":
        return _python(text, own)
    return _script(text) if language in _SCRIPTS else True


def _python(text: str, own: Collection[str]) -> bool:
    if any(way.search(text) for way in (_OTHER_WAYS, _GIVEN, _GIVEN_MORE)):
        return True
    for match in _TAKEN.finditer(text):
        names = [match[1]] if match[1] else [part.split()[0] for part in match[2].split(",") if part.split()]
        first = [name.partition(".")[0] for name in names]
        if any(name not in _PURE or name in own for name in first):
            return True
    return False


def _script(text: str) -> bool:
    if _OTHER_WAYS_JS.search(text):
        return True
    taken = [match[1] for match in _TAKEN_JS.finditer(text)]
    if any(name not in _PURE_JS for name in taken):
        return True
    # an import that the pattern could not follow is one nobody knows
    return len(_ANY_JS.findall(text)) > len(taken)
