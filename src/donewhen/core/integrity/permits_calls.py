"""Calls in tests that follow another signature: the same values, given in the way that the goal asks for.

An argument may now be given by its name, and one may be left out whose value the goal makes the default. What
is expected, and all else in the assertion, must be as it was. Only Python is read. Pure.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from donewhen.core.integrity import permits_words as words
from donewhen.core.integrity.permits_reading import Clause, pattern

_LONGEST = 2000  # characters
_DEFAULT = r"\bdefault(?:s|ing|ed)?(?: (?:value|of|to|is|as|being|should be|must be))*[ =:`'\"]{1,4}"
_DEFAULT_ZH = r"默认(?:值)?(?:为|是|成)?[ =:`'\"]{0,4}"
_SHAPE = rf"{words.RESHAPED}|{words.INTERFACE}|\boptional\b|\bdefaults?\b|默认|可选"


def follows_signature(before: str, now: str, clauses: Sequence[Clause]) -> Clause | None:
    """The clause that gives the called function another form, where that is all the difference."""
    old, new = _parsed(before), _parsed(now)
    if old is None or new is None:
        return None
    edits = list(_edits(old, new))
    if not edits or None in edits:
        return None
    for clause in clauses:
        shaped = not clause.broken and pattern(_SHAPE).search(clause.text)
        if shaped and all(edit and _is_asked(*edit, clause.text) for edit in edits):
            return clause
    return None


def _parsed(text: str) -> ast.AST | None:
    if len(text) > _LONGEST:
        return None
    try:
        return ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _edits(old: ast.AST, new: ast.AST) -> Iterator[tuple[ast.Call, ast.Call] | None]:
    """Calls of the same function with other arguments; None for any other difference."""
    if ast.dump(old) == ast.dump(new):
        return
    if isinstance(old, ast.Call) and isinstance(new, ast.Call) and _is_reshaped(old, new):
        yield old, new
        return
    below = list(zip_longest(ast.iter_child_nodes(old), ast.iter_child_nodes(new)))
    if type(old) is not type(new) or not below or isinstance(old, ast.Constant | ast.Name | ast.Attribute):
        yield None
        return
    for one, two in below:
        if one is None or two is None:
            yield None
        else:
            yield from _edits(one, two)


def _is_reshaped(old: ast.Call, new: ast.Call) -> bool:
    """Whether what is left of the values stands in its order, and none came."""
    if ast.dump(old.func) != ast.dump(new.func):
        return False
    rest = iter(_values(old))
    return all(value in rest for value in _values(new))


def _values(call: ast.Call) -> list[str]:
    return [ast.dump(each) for each in (*call.args, *(word.value for word in call.keywords))]


def _is_asked(old: ast.Call, new: ast.Call, text: str) -> bool:
    name = ast.unparse(old.func).rpartition(".")[2].lower()
    if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        return False
    named = {word.arg for word in new.keywords if word.arg} - {word.arg for word in old.keywords}
    left = _values(new)
    gone = [each for each in (*old.args, *(word.value for word in old.keywords)) if not _take(left, each)]
    return all(str(each).lower() in text for each in named) and all(_is_default(each, text) for each in gone)


def _take(left: list[str], each: ast.AST) -> bool:
    text = ast.dump(each)
    if text in left:
        left.remove(text)
        return True
    return False


def _is_default(value: ast.AST, text: str) -> bool:
    shown = ast.unparse(value).strip("'\"").lower()
    return bool(re.search(rf"(?:{_DEFAULT}|{_DEFAULT_ZH}){re.escape(shown)}(?![\w.]*\w)", text))
