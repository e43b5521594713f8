"""Plain scripts of assertions (`node test.js`): every function that checks is a test, and so is the rest."""

from donewhen.core.integrity.model import Role, Test
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.javascript.bodies import Bodies, Body
from donewhen.verify.integrity.javascript.node import FUNCTIONS, Node, bare, block_of, name_of, parameters
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.tree import Script

WHOLE = "<module>"


def script_tests(script: Script, scopes: Scopes, bodies: Bodies, role: Role) -> tuple[Test, ...]:
    if role not in ("test", "support"):
        return ()
    found: list[Test] = []
    own: set[int] = set()
    uses = _uses(script)
    for name, function in _functions(script):
        used = uses.get(name, 0) > 0
        if parameters(function) or (role == "support" and not used):
            continue
        body = bodies.study(block_of(function), frozenset(), function=function)
        if not body.asserts and not body.disabled:
            continue
        own.add(id(function))
        disabled = body.disabled or ("" if used else f"{name}() is never called")
        test = _test(script, name, function, body)
        found.append(test._replace(disabled=disabled, conditional=bool(body.disabled) and body.conditional))
    rest = Bodies(bodies.demands, bodies.apart | own)
    body = rest.study(script.root.kids, frozenset(), function=None)
    if body.asserts:
        found.append(_test(script, WHOLE, script.root, body))
    return tuple(found)


def _functions(script: Script) -> list[tuple[str, Node]]:
    """Functions at the top of the file, in the order of the text."""
    found: list[tuple[str, Node]] = []
    for statement in script.root.kids:
        here = statement.kids[-1] if statement.type == "export_statement" and statement.kids else statement
        if here.type in FUNCTIONS:
            found.append((name_of(here), here))
        elif here.type in ("lexical_declaration", "variable_declaration"):
            for one in here.kids:
                value = bare(one.kids[-1]) if one.kids else one
                if value.type in FUNCTIONS:
                    found.append((one.kids[0].text, value))
        elif (
            here.type == "expression_statement" and here.kids and here.kids[0].type == "assignment_expression"
        ):
            value = bare(here.kids[0].kids[-1])
            if value.type in FUNCTIONS:
                found.append((name_of(value), value))
    return [one for one in found if one[0]]


def _uses(script: Script) -> dict[str, int]:
    """How often a name is used, apart from where it is declared; what is exported is used elsewhere."""
    found: dict[str, int] = {}
    for kind in ("identifier", "shorthand_property_identifier"):
        for one in script.kinds.get(kind, ()):
            parent = one.parent
            declares = parent is not None and (
                parent.type in FUNCTIONS or (parent.type == "variable_declarator" and parent.kids[0] is one)
            )
            found[one.text] = found.get(one.text, 0) + (not declares)
    for one in script.kinds.get("export_statement", ()):
        for name, _ in _named(one):
            found[name] = found.get(name, 0) + 1
    for one in script.kinds.get("assignment_expression", ()):
        name = name_of(bare(one.kids[-1])) if bare(one.kids[-1]).type in FUNCTIONS else ""
        if name:
            found[name] = found.get(name, 0) + 1
    return found


def _named(statement: Node) -> list[tuple[str, Node]]:
    inner = statement.kids[-1] if statement.kids else statement
    if inner.type in FUNCTIONS:
        return [(name_of(inner), inner)]
    return [(kid.kids[0].text, kid) for kid in inner.kids if kid.kids]


def _test(script: Script, name: str, node: Node, body: Body) -> Test:
    return Test(
        name=name,
        line=node.line,
        asserts=tuple(body.asserts),
        swallows=body.swallows,
        calls=tuple(body.calls),
        literals=tuple(body.literals),
        cases=body.rows,
        digest=syntax.digest(*_tokens(script.tokens, node, name)),
        frame=syntax.digest(*script.shapes[node.start : node.end]),
    )


def _tokens(tokens: list[str], node: Node, name: str) -> list[str]:
    return [token for token in tokens[node.start : node.end] if token != name]
