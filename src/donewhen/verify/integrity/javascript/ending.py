"""How a script of checks ends: which names decide whether it says failure, and who writes to them."""

from collections.abc import Iterable, Iterator
from itertools import islice

from donewhen.verify.integrity.javascript.failing import COUNTER, exits_badly
from donewhen.verify.integrity.javascript.node import Node, arguments, bare, callee, dotted, parameters, walk
from donewhen.verify.integrity.javascript.sight import Sight

_WRITES = frozenset(("assignment_expression", "augmented_assignment_expression", "update_expression"))
_GROWS = frozenset(("push", "add", "set", "unshift", "append"))
_OUTPUT = ("console.", "process.std")
_MOST = 5000  # nodes of one clause
_FAR = 4  # steps from one name to the next
_FEW = 1  # failures that must be enough


class Ending:
    """`red`: something in the file may end it with a failure, or hands the verdict to another file."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._verdicts = list(_verdicts(sight))
        self.red = bool(self._verdicts) or _passes_on(sight)
        self._names = _closure(sight, {name for one in self._verdicts for name in _read(one)})

    def hears(self, clause: Node) -> bool:
        """Whether what the clause does can make the script fail."""
        written: set[str] = set()
        for here in islice(walk(clause.kids[-1]), _MOST):
            if here.type == "throw_statement" or exits_badly(here) or _is_call_for(here):
                return True
            if here.type == "return_statement" and here.kids:
                return self.red
            written.update(_written(here))
        if not written or not self.red:
            return False
        return not self._names or not self._names.isdisjoint(written)

    def thresholds(self) -> Iterator[Node]:
        """`failed > 3 ? 1 : 0`: some failures are fine."""
        for verdict in self._verdicts:
            for here in walk(verdict):
                if here.type == "binary_expression" and _forgives(here):
                    yield here


def _verdicts(sight: Sight) -> Iterator[Node]:
    """What decides about the end: the status, or the condition in front of it."""
    kinds = sight.script.kinds
    for one in (*kinds.get("call_expression", ()), *kinds.get("assignment_expression", ())):
        if exits_badly(one):
            yield _with_condition(one)
    for one in kinds.get("throw_statement", ()):
        yield _with_condition(one)


def _with_condition(node: Node) -> Node:
    """The nearest `if` around it; the status itself where there is none."""
    here = node.parent
    while here is not None and here.type in ("expression_statement", "statement_block", "else_clause"):
        here = here.parent
    if here is not None and here.type in ("if_statement", "binary_expression", "ternary_expression"):
        return here
    return node


def _forgives(compared: Node) -> bool:
    left, operator, right = compared.kids
    if operator.text in ("<", "<="):
        left, right = right, left
    limit = bare(right).value or ""
    if not COUNTER.search(dotted(left)) or not limit.isdigit() or operator.text not in (">", ">=", "<", "<="):
        return False
    return int(limit[:6]) >= _FEW + (operator.text in (">=", "<="))


def _read(node: Node) -> Iterator[str]:
    return (one.text for one in walk(node) if one.type == "identifier")


def _closure(sight: Sight, names: set[str]) -> set[str]:
    """With all names that these are made of."""
    made: dict[str, set[str]] = {}
    for kind in ("variable_declarator", "assignment_expression", "augmented_assignment_expression"):
        for one in sight.script.kinds.get(kind, ()):
            if len(one.kids) > 1:
                for name in _read(one.kids[0]):
                    made.setdefault(name, set()).update(_read(one.kids[-1]))
    for call in sight.calls():
        function = sight.scopes.functions.get(call.kids[0].text)
        for pattern, given in zip(parameters(function) if function else (), arguments(call), strict=False):
            for name in _read(pattern):
                made.setdefault(name, set()).update(_read(given))
    for _ in range(_FAR):
        names = names.union(*(made.get(name, set()) for name in names))
    return names


def _written(here: Node) -> Iterable[str]:
    """Names that a statement changes, unless it only sets them back."""
    if here.type in _WRITES:
        if here.type != "update_expression" and bare(here.kids[-1]).value in ("0", "null", "undefined"):
            return ()
        target = next((kid for kid in here.kids if kid.type not in ("++", "--")), here)
        return [dotted(target).partition(".")[0] or root_text(target)]
    if here.type == "call_expression":
        path = dotted(callee(here))
        if path.rpartition(".")[2] in _GROWS and "." in path:
            return [path.partition(".")[0]]
    return ()


def root_text(node: Node) -> str:
    while node.kids:
        node = bare(node.kids[0])
    return node.text


def _is_call_for(here: Node) -> bool:
    """Somebody else is told: a function of this file or another, not only the terminal."""
    if here.type != "call_expression":
        return False
    path = dotted(callee(here))
    name = path.rpartition(".")[2]
    return bool(path) and "." not in path and name not in ("String", "Number", "Boolean", "require")


def _passes_on(sight: Sight) -> bool:
    """A function of another file of the project gets the outcome."""
    own = {name for name, source in sight.scopes.imports.items() if source.module.startswith(".")}
    for call in sight.calls():
        root = dotted(callee(call)).partition(".")[0]
        if root in own and any(one.value is None for one in arguments(call)):
            return True
    return False
