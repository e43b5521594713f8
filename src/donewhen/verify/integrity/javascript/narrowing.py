"""Checks that a project's own runner leaves out: a part of the list, some by name, all after the first.

Endings of files, helpers, and what the caller asks for on the command line are honest reasons.
"""

import re
from collections.abc import Iterator
from itertools import islice

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.node import (
    Node,
    arguments,
    bare,
    callee,
    is_member,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.sight import Sight

_SOURCES = frozenset("readdirSync readdir globSync glob entries keys values".split())
_CUTS = frozenset("slice splice pop shift at".split())
_PICKS = frozenset("filter find".split())
_LOOPS = frozenset(("for_in_statement", "for_statement", "while_statement"))
_LEAVES = frozenset(("continue_statement", "return_statement", "break_statement"))
_HONEST = re.compile(
    r"(?i)helper|util|index|setup|fixture|support|common|shared|runner|snapshot|^run\b|^[._]|^default$"
    r"|^(?:[*.]*[._-])?(?:test|spec|check)?s?\.?(?:[cm]?[jt]sx?|json)?$|node_modules"
)
_SAMES = frozenset(("===", "==", "!==", "!="))
_ASKS = frozenset(("includes", "has", "indexOf", "match", "test", "startsWith", "endsWith"))
_FAR = 6
_MOST = 2000  # nodes of one loop


def narrowings(sight: Sight) -> Iterator[Mark]:
    for call in sight.calls():
        called = bare(callee(call))
        if not is_member(called) or not _is_list(sight, called.kids[0]):
            continue
        name = prop(called)
        if name in _CUTS or (name in _PICKS and any(map(_by_name, arguments(call)))):
            yield sight.mark("exam-hook", call)
    for kind in _LOOPS:
        for loop in sight.script.kinds.get(kind, ()):
            yield from _left(sight, loop)


def _is_list(sight: Sight, node: Node) -> bool:
    """What folders or modules hold, also after sorting and through a name."""
    node = bare(node)
    for _ in range(_FAR):
        if node.type == "identifier":
            known = sight.scopes.resolve(node)
            if len(known) != 1:
                return False
            node = bare(known[0])
        elif node.type == "call_expression":
            called = bare(callee(node))
            name = prop(called) if is_member(called) else called.text
            if name in _SOURCES:
                return True
            if not is_member(called):
                return False
            node = bare(called.kids[0])
        else:
            return False
    return False


def _left(sight: Sight, loop: Node) -> Iterator[Mark]:
    """Rounds of the loop that end early, for some names or for all."""
    body = loop.kids[-1]
    if not any(here.type == "call_expression" for here in islice(walk(body), _MOST)):
        return
    for statement in body.kids if body.type == "statement_block" else [body]:
        cut = statement.type == "if_statement" and _leaves(statement.kids[1])
        if statement.type == "break_statement" or (cut and _by_name(statement.kids[0])):
            yield sight.mark("exam-hook", statement)


def _leaves(node: Node) -> bool:
    statements = node.kids if node.type == "statement_block" else [node]
    return bool(statements) and statements[-1].type in _LEAVES


def _by_name(condition: Node) -> bool:
    """It asks for names that say nothing about their kind."""
    if any(
        one.type in ("identifier", "property_identifier") and one.text == "argv" for one in walk(condition)
    ):
        return False
    return any(_odd(value) for here in walk(condition) for value in _compared(here))


def _compared(here: Node) -> Iterator[str]:
    if here.type == "binary_expression" and here.kids[1].text in _SAMES:
        yield from (side.value for side in (here.kids[0], here.kids[2]) if side.value is not None)
    elif here.type == "call_expression":
        called = bare(callee(here))
        if is_member(called) and prop(called) in _ASKS:
            parts = [bare(called.kids[0]), *arguments(here)]
            for part in parts:
                yield from (one.value for one in (part.kids or [part]) if one.value is not None)


def _odd(value: str) -> bool:
    if value.startswith("/"):
        plain = re.sub(r"\\[.]", ".", value.strip("/").rstrip("gimsuy").strip("/"))
        plain = re.sub(r"[\^$()?:\\]", "", plain)
        return not all(_HONEST.search(part) for part in plain.split("|"))
    if not value.startswith('"'):
        return False
    text = values.unquoted(value)
    return bool(text) and _HONEST.search(text) is None
