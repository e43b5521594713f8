"""Exits and exit hooks that make a run look green: a status that can only be success, failures swallowed.

A program's own entry may exit; so may a script that checks by itself, once it has checked.
"""

import re
from collections.abc import Iterator

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.failing import only_zero, says_failure
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    enclosing,
    is_member,
    name_of,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.sight import Sight
from donewhen.verify.integrity.javascript.tree import normal

_LISTEN = frozenset(("on", "once", "addListener", "prependListener", "prependOnceListener"))
_ENDING = frozenset(("exit", "beforeExit"))
_CRASHES = frozenset(("uncaughtException", "unhandledRejection", "uncaughtExceptionMonitor"))
_SIGNALS = re.compile(r"SIG[A-Z]+|disconnect|shutdown|close|quit")
_ENTRY = re.compile(
    r"(?i)^(?:main|run|cli|start|usage|help|print_?(?:help|usage|version)|show\w*|exit|quit|shutdown|stop|die|bail|terminate|close|cleanup|\w*(?:command|action))$"
)
_ASKED = re.compile(r"(?i)argv|args|opts|options|flags?|help|version|require\.main|import\.meta|command|cmd")
_EXIT = "process.exit"
_EXITS = frozenset((_EXIT, "process.reallyExit"))
_ENDS = frozenset(("process", '"process"', '"node:process"'))
_PROCESS = frozenset(("process", "node:process"))
_TOLD_ELSEWHERE = frozenset(("call_expression", "assignment_expression"))


_HANDED = frozenset(("bind", "call", "apply"))


def exits(sight: Sight) -> list[Mark]:
    if not _ENDS.intersection(sight.script.tokens):
        return []
    return [*_calls(sight), *_handed(sight), *_statuses(sight), *_handlers(sight), *_replaced(sight)]


def _calls(sight: Sight) -> Iterator[Mark]:
    for call in sight.calls():
        path = path_of(sight, callee(call))
        if path in _EXITS and (path != _EXIT or (_zero(sight, call) and not _honest(sight, call))):
            yield sight.mark("exit-call", call)


def path_of(sight: Sight, node: Node) -> str:
    """`process.exit`, also by the global object, taken out of `process`, or imported from it."""
    path = dotted(node)
    root, _, rest = path.partition(".")
    if root in ("globalThis", "global"):
        return rest
    source = sight.scopes.imports.get(root)
    if source is not None and source.module in _PROCESS:
        if source.name in ("*", "default"):
            return f"process.{rest}" if rest else path
        return path if rest else f"process.{source.name}"
    if path in ("exit", "reallyExit") and source is None:
        known = sight.scopes.resolve(bare(node))
        return f"process.{path}" if len(known) == 1 and known[0].text == "process" else path
    return path


def _handed(sight: Sight) -> Iterator[Mark]:
    """`process.reallyExit` in any other use, and an exit with success that is handed on to be called."""
    for kind in ("member_expression", "subscript_expression"):
        for one in sight.script.kinds.get(kind, ()):
            parent = one.parent
            if prop(one) != "reallyExit" or parent is None or path_of(sight, one) not in _EXITS:
                continue
            if parent.type not in _TOLD_ELSEWHERE or parent.kids[0] is not one:
                whole = parent.parent if is_member(parent) and parent.parent is not None else one
                yield sight.mark("exit-call", whole)
    for call in sight.calls():
        called = bare(callee(call))
        if is_member(called) and _bound_zero(sight, call) and not _honest(sight, call):
            yield sight.mark("exit-call", call)


def _bound_zero(sight: Sight, call: Node) -> bool:
    """`process.exit.bind(null, 0)`."""
    called = bare(callee(call))
    if not is_member(called) or prop(called) not in _HANDED or path_of(sight, called.kids[0]) not in _EXITS:
        return False
    given = arguments(call)[1:2]
    return bool(given) and (only_zero(*given) or bare(given[0]).value == "[0]")


def _zero(sight: Sight, call: Node) -> bool:
    given = arguments(call)[:1]
    if given and given[0].type == "identifier":
        known = sight.scopes.resolve(given[0])
        return bool(known) and all(only_zero(one) for one in known)
    return only_zero(*given)


def _honest(sight: Sight, call: Node) -> bool:
    if sight.role in ("test", "support"):
        return not sight.tested.framework and _last(call)
    if sight.role == "config" and _last(call):
        return True  # a script of checks: whether it hears its failures is told of runners
    return sight.role == "other" or sight.program() or _entry(sight, call)


def _last(call: Node) -> bool:
    """At the very end of a script, after all that it checks."""
    statement: Node | None = call
    while statement is not None and statement.parent is not None:
        parent = statement.parent
        if parent.type in ("program", "statement_block") and parent.kids[-1] is not statement:
            return False
        if parent.type == "if_statement" and parent.kids[0] is not statement:
            return False
        statement = parent
    return True


def _entry(sight: Sight, node: Node) -> bool:
    """In what a program does when it is called, asked for help, or told to stop."""
    here = node.parent
    while here is not None:
        if here.type == "if_statement" and _ASKED.search(normal(sight.script, here.kids[0])):
            return True
        if here.type in FUNCTIONS and _ENTRY.match(name_of(here) or "-"):
            return True
        if here.type == "call_expression" and _told(here):
            return True
        here = here.parent
    return False


def _told(call: Node) -> bool:
    called = bare(callee(call))
    if is_member(called) and prop(called) in ("action", "command", "close", "parse"):
        return True
    said = arguments(call)[:1]
    named = bool(said and said[0].value and _SIGNALS.search(said[0].value))
    main = is_member(called) and prop(called) in ("then", "finally") and "main" in _called_name(called)
    return named or main


def _called_name(called: Node) -> str:
    inner = bare(called.kids[0])
    return dotted(callee(inner)) if inner.type == "call_expression" else ""


def _statuses(sight: Sight) -> Iterator[Mark]:
    asserted = any("process.exitCode" in one.subjects for test in sight.tested.tests for one in test.asserts)
    for one in sight.assignments():
        if dotted(one.kids[0]) != "process.exitCode" or not only_zero(one.kids[1]):
            continue
        if asserted or (sight.role == "source" and (sight.program() or _entry(sight, one))):
            continue
        if sight.role != "other" and not _in_handler(one):
            yield sight.mark("exit-call", one)


def _in_handler(node: Node) -> bool:
    """Told of by the handler, as a whole."""
    function = enclosing(node)
    holder = function.parent.parent if function is not None and function.parent is not None else None
    return holder is not None and holder.type == "call_expression" and bool(_event(holder))


def _event(call: Node) -> str:
    called = bare(callee(call))
    given = arguments(call)
    if not is_member(called) or prop(called) not in _LISTEN or len(given) < 2:
        return ""
    return values.unquoted(given[0].value or "") if dotted(called.kids[0]) == "process" else ""


def _handlers(sight: Sight) -> Iterator[Mark]:
    for call in sight.calls():
        event = _event(call)
        forced = event in _ENDING and _forces(sight, arguments(call)[1])
        if forced or (event in _CRASHES and _swallows(sight, call)):
            yield sight.mark("exit-call", call)
        elif dotted(callee(call)) == "process.removeAllListeners" and _listed(call):
            yield sight.mark("exam-hook", call)


def _listed(call: Node) -> bool:
    given = arguments(call)
    return not given or values.unquoted(given[0].value or "") in _ENDING | _CRASHES


def _handler(sight: Sight, node: Node) -> Node:
    if node.type == "identifier":
        function = sight.scopes.functions.get(node.text)
        known = sight.scopes.resolve(node) if function is None else [function]
        return known[0] if len(known) == 1 else node
    return node


def _forces(sight: Sight, handler: Node) -> bool:
    for here in walk(_handler(sight, handler)):
        if here.type == "assignment_expression" and dotted(here.kids[0]) == "process.exitCode":
            if only_zero(here.kids[1]):
                return True
        elif here.type == "call_expression" and path_of(sight, callee(here)) in _EXITS:
            given = arguments(here)[:1]
            if given and only_zero(*given):
                return True
        elif here.type == "call_expression" and _bound_zero(sight, here):
            return True
    return False


def _swallows(sight: Sight, call: Node) -> bool:
    handler = _handler(sight, arguments(call)[1])
    if handler.type not in FUNCTIONS:
        return False
    if _forces(sight, handler):
        return True
    if sight.role == "source" and (sight.program() or handler.kids[-1].kids):
        return False
    return not any(_tells(here) for here in walk(handler.kids[-1]))


def _tells(here: Node) -> bool:
    if here.type in ("throw_statement", "assignment_expression") or says_failure(here, counted=True):
        return True
    if here.type != "call_expression":
        return False
    path = dotted(callee(here))
    return not path.startswith(("console.", "process.std"))


def _replaced(sight: Sight) -> Iterator[Mark]:
    """`process.exit = …`: a test of a program may catch its exit, nobody else."""
    for one in sight.assignments():
        if dotted(one.kids[0]) not in _EXITS | {"process.emit"}:
            continue
        value = bare(one.kids[1])
        forced = value.type in FUNCTIONS and any(
            here.type == "call_expression"
            and only_zero(*arguments(here)[:1])
            and "xit" in dotted(callee(here))
            for here in walk(value)
        )
        at_top = enclosing(one) is None
        if forced or (value.type in FUNCTIONS and (at_top or sight.role == "source")):
            yield sight.mark("exit-call", one)
