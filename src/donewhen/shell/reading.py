"""The way from text to tree: limits first, then the fast path, then the parser; all cached.

Whatever can't be read is a Refused with the reason, never an exception and never half a tree.
"""

import re

from donewhen.core.tree import Inner, Redirect, Refused, Script, Tree, Word
from donewhen.shell.bridge import syntax
from donewhen.shell.cache import TreeCache
from donewhen.shell.cmd import read_cmd
from donewhen.shell.comments import refuse_hidden_lines
from donewhen.shell.convert import convert
from donewhen.shell.feed import stdin_of
from donewhen.shell.nest import Dialect, Nest, Unreadable
from donewhen.shell.plain import read_plain
from donewhen.shell.unwrapping import unwrap as _unwrap

MAX_BYTES = 64 * 1024
# bash and the parser read carriage returns, zero bytes and other controls differently.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_PASSING = frozenset(("shell.too_slow", "shell.no_parser", "shell.no_answer"))
_cache = TreeCache(entries=2048, characters=2**20)


def parse(text: str, shell: Dialect = "bash") -> Tree:
    """The tree of a command text, or why there is none."""
    key = (text, shell)
    tree = _cache.get(key)
    if tree is None:
        tree = _parsed(text, shell)
        if not (isinstance(tree, Refused) and tree.reason in _PASSING):
            _cache.put(key, tree)
    return tree


def unwrap(words: tuple[Word, ...], redirects: tuple[Redirect, ...] = ()) -> tuple[Inner, ...]:
    """What a simple command of these words runs in its turn; for words that a reader has resolved itself."""
    try:
        return Nest(_read, _unwrap).unwrap(words, stdin_of(redirects))
    except (Unreadable, RecursionError):
        return (Inner(words[0].text.rpartition("/")[2], None, False),)


def _parsed(text: str, shell: Dialect) -> Tree:
    try:
        return _read(text, shell, Nest(_read, _unwrap))
    except Unreadable as refusal:
        return Refused(refusal.reason, refusal.detail)
    except RecursionError:
        return Refused("shell.too_deep", "stack")


def _read(text: str, shell: Dialect, nest: Nest) -> Tree:
    found = _CONTROL.search(text)
    if found is not None:
        raise Unreadable("shell.control_character", f"U+{ord(found[0]):04X}")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise Unreadable("shell.control_character", f"U+{ord(text[error.start]):04X}") from None
    if size > MAX_BYTES:
        raise Unreadable("shell.too_long", str(MAX_BYTES // 1024))
    if shell == "cmd":
        return read_cmd(text, nest)
    script = read_plain(text, nest)
    return read_with_parser(text, nest) if script is None else script


def read_with_parser(text: str, nest: Nest) -> Script:
    """The slow path alone."""
    source = text.encode()
    tree = syntax(source, nest.seconds_left())
    refuse_hidden_lines(source, tree)
    return convert(tree, source, nest)
