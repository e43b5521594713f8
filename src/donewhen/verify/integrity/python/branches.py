"""Places where a function answers by literals: comparisons of what was asked, tables, sequences, constants.

It only reports them; whether the literals come from the tests is judged elsewhere.
"""

from donewhen.core.integrity.model import Branch
from donewhen.verify.integrity.python.lookups import lookups
from donewhen.verify.integrity.python.outline import parameters, scope_of
from donewhen.verify.integrity.python.page import Page, Place, place_in
from donewhen.verify.integrity.python.questions import keys_of
from donewhen.verify.integrity.python.shapes import blind, fixed, matched, shaped
from donewhen.verify.integrity.python.taint import Taint
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.values import UNKNOWN, canon

_MOST = 2000  # of one file


def branches(page: Page) -> list[Branch]:
    out: list[Branch] = []
    for function in page.outline.functions:
        params = (
            function.params[1:]
            if function.in_class and function.params[:1] in (("self",), ("cls",))
            else function.params
        )
        place = place_in(page, function)
        taint = Taint(page, function.node, params)
        out.extend(_of(function.node, function.qual, taint, place))
        found = _constant(function.node, function.body, function.qual, function.params, place)
        out.extend(found or blind(function, params, place) or fixed(function, params, place))
        if len(out) >= _MOST:
            return out[:_MOST]
    return [*out, *_lambdas(page)][:_MOST]


def _of(node: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    page = place.page
    out: list[Branch] = []
    if taint.names:
        for statement in page.inside(node, "if_statement"):
            if _owner(statement) is node:
                out.extend(_if(statement, name, taint, place))
        for clause in page.inside(node, "case_clause"):
            if _owner(clause) is node:
                out.extend(_case(clause, name, taint, place))
        for choice in page.inside(node, "conditional_expression"):
            out.extend(_choice(choice, name, taint, place))
        for statement in page.inside(node, "return_statement"):
            out.extend(_returned(statement, name, taint, place))
    out.extend(lookups(node, name, taint, place))
    return out


def _owner(node: Node) -> Node | None:
    return scope_of(node)


def _if(statement: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    out: list[Branch] = []
    arms = [statement, *(arm for arm in statement.all("alternative") if arm.kind == "elif_clause")]
    other = next((arm for arm in statement.all("alternative") if arm.kind == "else_clause"), None)
    for arm in arms:
        condition, block = arm.get("condition"), arm.get("consequence")
        if condition is None or block is None:
            continue
        question = keys_of(condition, taint, place)
        if not question.keys:
            continue
        block = (
            block if not question.negated else other.get("body") if other is not None else _after(statement)
        )
        answers = answers_in(block, place) if block is not None else []
        if answers and (not question.elements or _returns(block)):
            out.append(Branch(arm.line, name, "compare", question.keys, tuple(answers)))
        elif block is not None and not answers and not question.elements:
            out.append(shaped(arm, condition, block, question.keys, name))
    return out


def _after(statement: Node) -> Node | None:
    """`if x != 7: return …` and then the answer for 7."""
    home = statement.parent
    if home is None:
        return None
    rest = [kid for kid in home.kids if kid.at > statement.at]
    return rest[0] if len(rest) == 1 and rest[0].kind == "return_statement" else None


def _returns(block: Node | None) -> bool:
    return block is not None and any(kid.kind == "return_statement" for kid in block.kids)


def answers_in(block: Node, place: Place) -> list[str]:
    """Literals that the block itself returns, yields, assigns or prints."""
    out: list[str] = []
    for statement in [block] if block.kind == "return_statement" else block.kids:
        for node in _told(statement, place):
            value = place.value(node)
            shown = canon(value) if value is not UNKNOWN else None
            if shown is None:
                return [] if statement.kind == "return_statement" else out
            out.append(shown)
    return out


def _told(statement: Node, place: Place) -> list[Node]:
    if statement.kind == "return_statement":
        return statement.parts
    inner = statement.kids[0] if statement.kind == "expression_statement" and statement.kids else None
    if inner is None:
        return []
    if inner.kind == "assignment":
        right = inner.get("right")
        return [right] if right is not None and place.value(right) is not UNKNOWN else []
    if inner.kind == "yield":
        return inner.parts
    if inner.kind == "call" and place.page.names.called(inner) in ("print", "sys.stdout.write"):
        given = inner.get("arguments")
        parts = given.parts if given is not None else []
        return [
            part for part in parts if part.kind != "keyword_argument" and place.value(part) is not UNKNOWN
        ]
    return []


def _case(clause: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    match = next((above for above in clause.up() if above.kind == "match_statement"), None)
    subjects = match.all("subject") if match is not None else []
    block = clause.get("consequence")
    if not subjects or block is None or not all(taint.asked(subject) for subject in subjects):
        return []
    patterns = [part for part in clause.parts if part.kind == "case_pattern"]
    keys = [key for pattern in patterns for key in _pattern_keys(pattern, place)]
    if len(patterns) > 1 and len(keys) == len(patterns):
        keys = ["[" + ", ".join(keys) + "]"]
    answers = answers_in(block, place)
    if not keys or not answers:
        return matched(clause, patterns, name)
    return [Branch(clause.line, name, "compare", tuple(keys), tuple(answers))]


def _pattern_keys(pattern: Node, place: Place, depth: int = 0) -> list[str]:
    """The literals of a pattern; a union gives one key each, a tuple one for all."""
    if depth > 20:
        return []
    if pattern.kind in ("tuple_pattern", "list_pattern"):
        inner = [_pattern_keys(part, place, depth + 1) for part in pattern.parts]
        if inner and all(len(keys) == 1 for keys in inner):
            return ["[" + ", ".join(keys[0] for keys in inner) + "]"]
        return []
    value = place.page.values.of(pattern)
    shown = canon(value) if value is not UNKNOWN else None
    if shown is not None:
        return [shown]
    keys: list[str] = []
    for position, kid in enumerate(pattern.kids):
        negative = position > 0 and pattern.kids[position - 1].word == "-"
        found = _pattern_keys(kid, place, depth + 1) if kid.parent is not None else []
        keys.extend(f"-{key}" if negative else key for key in found)
    return keys


def _choice(node: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    """`13 if n == 7 else …`."""
    if len(node.parts) != 3:
        return []
    first, condition, second = node.parts
    question = keys_of(condition, taint, place)
    value = place.value(second if question.negated else first)
    shown = canon(value) if value is not UNKNOWN else None
    return [Branch(node.line, name, "compare", question.keys, (shown,))] if question.keys and shown else []


def _returned(statement: Node, name: str, taint: Taint, place: Place) -> list[Branch]:
    """`return x in (…)`: the answer is yes for what is listed."""
    told = statement.parts[0] if statement.parts else None
    if told is None or told.kind not in (
        "comparison_operator",
        "not_operator",
        "boolean_operator",
        "parenthesized_expression",
    ):
        return []
    question = keys_of(told, taint, place)
    answer = "false" if question.negated else "true"
    return [Branch(statement.line, name, "compare", question.keys, (answer,))] if question.keys else []


def _constant(node: Node, body: Node, name: str, params: tuple[str, ...], place: Place) -> list[Branch]:
    """A function that looks at none of its arguments and returns one literal."""
    statements = [kid for kid in body.kids if not _is_text(kid)] if body.kind == "block" else [body]
    if not params or len(statements) != 1:
        return []
    told = (
        statements[0].parts[:1]
        if statements[0].kind == "return_statement"
        else [body]
        if body.kind != "block"
        else []
    )
    if not told:
        return []
    value = place.value(told[0])
    shown = canon(value) if value is not UNKNOWN else None
    return [Branch(statements[0].line, name, "compare", (), (shown,))] if shown is not None else []


def _is_text(statement: Node) -> bool:
    return (
        statement.kind == "expression_statement"
        and len(statement.kids) == 1
        and statement.kids[0].kind == "string"
    )


def _lambdas(page: Page) -> list[Branch]:
    out: list[Branch] = []
    place = place_in(page, None)
    for node in page.light.index.get("lambda", ()):
        parent, body = node.parent, node.get("body")
        target = parent.get("left") if parent is not None and parent.kind == "assignment" else None
        if target is None or body is None or target.kind != "identifier":
            continue
        params = parameters(node)
        taint = Taint(page, node, params)
        out.extend(_constant(node, body, target.word, params, place))
        for choice in page.inside(body, "conditional_expression"):
            out.extend(_choice(choice, target.word, taint, place))
        out.extend(lookups(node, target.word, taint, place))
    return out
