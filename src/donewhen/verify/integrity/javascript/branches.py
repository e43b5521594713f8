"""Where source answers by literals: comparisons of arguments, tables, sequences, arguments that go unused.

Only collects; whether the literals are the exam's is judged elsewhere.
"""

from collections.abc import Iterator
from typing import Literal

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.javascript.inputs import Inputs
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    bare,
    block_of,
    body,
    dotted,
    enclosing,
    names,
    parameters,
    walk,
)
from donewhen.verify.integrity.javascript.owners import Owners
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.shapes import fixed, shaped
from donewhen.verify.integrity.javascript.tables import sequences, tables
from donewhen.verify.integrity.javascript.tree import Script

_MOST = 2000
_CLIMB = 20
_EQUAL = frozenset(("===", "=="))
_ASKING = frozenset(
    "includes has test startsWith endsWith equals isEqual is every indexOf isDeepStrictEqual".split()
)


def branches(script: Script, scopes: Scopes, path: str = "") -> tuple[Branch, ...]:
    inputs = Inputs(script, scopes)
    owners = Owners(script, path)
    found = [*_conditions(script, inputs, owners), *_switches(script, inputs, owners)]
    found += [*_idle(script, inputs, owners), *_verdicts(script, inputs, owners)]
    found += fixed(script, inputs, owners)
    found += [*tables(script, inputs, owners), *sequences(script, scopes, inputs, owners)]
    found.sort(key=lambda one: one.line)
    return tuple(found[:_MOST])


def _conditions(script: Script, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    for kind in ("if_statement", "ternary_expression"):
        for one in script.kinds.get(kind, ()):
            if len(one.kids) < 2:
                continue
            keys = keys_of(one.kids[0], inputs)
            answers = answers_of(one.kids[1], inputs)
            if keys and (answers or one.type == "if_statement"):
                how: Literal["compare", "sequence"] = (
                    "compare" if answers or not shaped(one, keys) else "sequence"
                )
                yield Branch(one.line, owners.of(one), how, keys, answers)
    for one in script.kinds.get("binary_expression", ()):
        if len(one.kids) == 3 and one.kids[1].text == "&&" and _returned(one):
            keys, answers = keys_of(one.kids[0], inputs), answers_of(one.kids[2], inputs)
            if keys and answers:
                yield Branch(one.line, owners.of(one), "compare", keys, answers)


def _verdicts(script: Script, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    """`return text === "a@b.de"`: the comparison itself is the answer."""
    for one in script.kinds.get("return_statement", ()):
        function = enclosing(one)
        if one.kids and function is not None and (owners.called(function) or _asks_itself(function)):
            yield from _verdict(one.kids[0], inputs, owners)
    for one in script.kinds.get("arrow_function", ()):
        if owners.called(one) or _asks_itself(one):
            yield from _verdict(one.kids[-1], inputs, owners)


def _asks_itself(function: Node) -> bool:
    """`words.some((w) => w === "radar")`: what is given is compared as a whole, and the answer goes on."""
    statements = block_of(function)
    if len(statements) != 1:
        return False
    said = statements[0]
    said = bare(said.kids[0] if said.type == "return_statement" and said.kids else said)
    if said.type != "binary_expression" or said.kids[1].text not in _EQUAL:
        return False
    given = {name for pattern in parameters(function)[:1] for name in names(pattern)}
    return any(bare(side).text in given for side in (said.kids[0], said.kids[2]))


def _verdict(node: Node, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    node = bare(node)
    operator = node.kids[1].text if node.type == "binary_expression" else ""
    if operator in _EQUAL or operator == "||" or node.type == "call_expression":
        keys = keys_of(node, inputs)
        if keys:
            yield Branch(node.line, owners.of(node), "compare", keys, ("true",))


def _returned(node: Node) -> bool:
    parent = node.parent
    for _ in range(_CLIMB):
        if parent is None or parent.type not in ("parenthesized_expression", "binary_expression"):
            break
        parent = parent.parent
    return parent is not None and parent.type in ("return_statement", "arrow_function")


def keys_of(condition: Node, inputs: Inputs) -> tuple[str, ...]:
    """Literals that something made of the arguments must equal for the condition to hold."""
    found: dict[str, None] = {}
    waiting = [condition]
    while waiting:
        here = bare(waiting.pop())
        if here.type == "binary_expression" and len(here.kids) == 3:
            left, operator, right = here.kids
            if operator.text in _EQUAL:
                _pair(left, right, inputs, found)
            elif operator.text in ("&&", "||"):
                waiting.extend((right, left))
        elif here.type == "call_expression":
            _question(here, inputs, found)
    return tuple(found)


def _pair(left: Node, right: Node, inputs: Inputs, found: dict[str, None]) -> None:
    for side, other in ((left, right), (right, left)):
        value = inputs.literal(side)
        if value is not None and inputs.derived(other):
            found[value] = None


def _question(call: Node, inputs: Inputs, found: dict[str, None]) -> None:
    """`[1, 2].includes(n)`, `isEqual(items, [1, 2])`, `/^abc$/.test(text)`."""
    name = dotted(call.kids[0]).rpartition(".")[2] or (
        call.kids[0].kids[-1].text if call.kids[0].kids else ""
    )
    if name not in _ASKING:
        return
    parts = [*call.kids[0].kids[:1], *call.kids[-1].kids]
    said = [(part, inputs.literal(part)) for part in parts]
    if not any(value is None and inputs.derived(part) for part, value in said):
        return
    for part, value in said:
        if value is None:
            continue
        holder = inputs.table(part)
        elements = (
            [kid.value for kid in holder.kids] if holder is not None and name in ("includes", "has") else []
        )
        for one in elements or [value]:
            if one is not None:
                found[one] = None


def answers_of(node: Node, inputs: Inputs) -> tuple[str, ...]:
    """Literals that the branch returns, yields or sets."""
    whole = inputs.literal(node)
    if whole is not None:
        return (whole,)
    found: dict[str, None] = {}
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.type in ("if_statement", *FUNCTIONS):
            continue
        if here.type in ("return_statement", "yield_expression", "throw_statement") and here.kids:
            value = inputs.literal(here.kids[0])
            if value is not None:
                found[value] = None
        elif here.type == "assignment_expression" and here.kids[-1].value is not None:
            found[here.kids[-1].value] = None
        else:
            waiting.extend(reversed(here.kids))
    return tuple(found)


def _switches(script: Script, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    for one in script.kinds.get("switch_statement", ()):
        if len(one.kids) < 2:
            continue
        asked = bare(one.kids[0])
        by_truth = asked.value == "true"
        if not by_truth and not inputs.derived(asked):
            continue
        waiting: list[str] = []  # cases that fall through to the next
        for case in one.kids[1].kids:
            if case.type != "switch_case" or not case.kids:
                waiting = []
                continue
            keys = keys_of(case.kids[0], inputs) if by_truth else _value(case.kids[0], inputs)
            waiting += keys
            if len(case.kids) == 1:
                continue
            answers = tuple(value for kid in case.kids[1:] for value in answers_of(kid, inputs))
            if waiting and answers:
                yield Branch(case.line, owners.of(one), "compare", tuple(waiting), answers)
            waiting = []


def _value(node: Node, inputs: Inputs) -> tuple[str, ...]:
    value = inputs.literal(node)
    return (value,) if value is not None else ()


def _idle(script: Script, inputs: Inputs, owners: Owners) -> Iterator[Branch]:
    """Functions that look at no argument and return a literal, also those that take none."""
    for kind in FUNCTIONS:
        for function in script.kinds.get(kind, ()):
            if any(kid.type in ("get", "set") for kid in function.kids):
                continue
            statements = block_of(function)
            last = statements[-1] if statements else None
            if last is None or len(statements) > 3 or not owners.called(function):
                continue
            value = last.kids[0] if last.type == "return_statement" and last.kids else last
            answer = (
                inputs.literal(value) if last.type == "return_statement" or last is body(function) else None
            )
            if answer is not None and not _looks(function):
                yield Branch(function.line, owners.called(function), "compare", (), (answer,))


def _looks(function: Node) -> bool:
    given = {
        one.text for pattern in parameters(function) for one in walk(pattern) if one.type == "identifier"
    }
    given |= {
        one.text for pattern in parameters(function) for one in walk(pattern) if "shorthand" in one.type
    }
    return any(one.text in given | {"arguments"} for one in walk(body(function)) if one.text)
