"""Python expressions: names, constants and calls are followed, nothing is run.

Work is counted in steps and depth; past a bound `TooMuch` is raised and the code is unknown. Statements are
`code_python`'s; here they are only handed back to it where an expression holds some (`exec` of a text).
"""

import ast
import builtins
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from donewhen.guard.effects import RunsFetched
from donewhen.guard.marks import HOLE, NETWORK
from donewhen.guard.programs.code.python_calls import invoke
from donewhen.guard.programs.code.python_folding import binary, element, joined, member, named, slice_of
from donewhen.guard.programs.code.scene import Scene
from donewhen.guard.programs.code.values import (
    AGAIN,
    UNKNOWN,
    Choice,
    Member,
    Ref,
    Seq,
    Table,
    TooMuch,
    Unsure,
    Value,
    alternatives,
    choice,
    items_of,
    iterated,
    tainted,
    text_of,
)

STEPS = 30_000
DEEP = 80
HIDDEN_HOLE = "\ue000"  # the parser refuses NUL in a text
_HIDDEN = frozenset(
    "__subclasses__ __globals__ __code__ __loader__ __reduce__ f_globals f_builtins gi_frame".split()
)
_BUILT_IN = frozenset((*vars(builtins), "unicode", "raw_input", "xrange", "__builtins__"))
_Each = Callable[[], None]


class Function(NamedTuple):
    """A function of the code itself."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    number: int


class Expressions(ABC):
    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.names: dict[str, Value] = {}
        self.steps = 0
        self.depth = 0
        self.functions: list[Function] = []
        self.entered: set[int] = set()
        self.inside: list[int] = []
        self.handed: list[tuple[Value, ...]] = []  # what those that it is inside of were given
        self.returned: list[Value] = []
        self.methods: dict[str, Function] = {}  # of the code's own classes, by name

    @abstractmethod
    def block(self, body: Iterable[ast.stmt]) -> None:
        """Statements in order."""

    @abstractmethod
    def enter(self, function: Function, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
        """A function of the code itself is called."""

    def step(self) -> None:
        self.steps += 1
        if self.steps > STEPS or self.depth > DEEP:
            raise TooMuch

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Value:
        found = Function(node, len(self.functions))
        self.functions.append(found)
        return found

    def replace_names(self, names: dict[str, Value]) -> None:
        self.names.clear()
        self.names.update(names)

    def children(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.stmt):
                self.block([child])

    def bind(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Starred):
            self.bind(target.value, tainted((value,)))
        elif isinstance(target, ast.Tuple | ast.List):
            items = value.items if isinstance(value, Seq) else ()
            for position, part in enumerate(target.elts):
                same = isinstance(value, Seq) and len(items) == len(target.elts)
                self.bind(part, items[position] if same else tainted((value,)))
        elif isinstance(target, ast.Subscript):
            self._put(target, value)
        else:
            self.value(target)

    def value(self, node: ast.expr) -> Value:
        self.step()
        self.depth += 1
        handler = _EXPRESSIONS.get(type(node))
        if handler is not None:
            result: Value = handler(self, node)
        else:
            self.children(node)
            result = UNKNOWN
        self.depth -= 1
        return result

    def _constant(self, node: ast.Constant) -> Value:
        value = node.value
        return value.replace(HIDDEN_HOLE, HOLE) if isinstance(value, str) else value

    def _name(self, node: ast.Name) -> Value:
        if node.id in self.names:
            return self.names[node.id]
        if node.id in _BUILT_IN:
            return named(node.id)
        stars = [
            value.name for name, value in self.names.items() if name[0] == "*" and isinstance(value, Ref)
        ]
        if node.id == "__file__":
            return self.scene.script or UNKNOWN
        return Ref(f"{stars[-1]}.{node.id}") if stars else UNKNOWN

    def _attribute(self, node: ast.Attribute) -> Value:
        if node.attr in _HIDDEN:
            self.scene.unknown(node.attr)
        found = [member(one, node.attr, self.scene) for one in alternatives(self.value(node.value))]
        return choice(found)

    def _subscript(self, node: ast.Subscript) -> Value:
        of, key = self.value(node.value), self._key(node.slice)
        return choice(slice_of(one, key, self.scene) for one in alternatives(of))

    def _key(self, node: ast.expr) -> Value:
        if not isinstance(node, ast.Slice):
            return self.value(node)
        parts = [
            self.value(part) if part is not None else None for part in (node.lower, node.upper, node.step)
        ]
        if all(part is None or isinstance(part, int) for part in parts):
            return slice(*parts)
        return UNKNOWN

    def _adds(self, node: ast.BinOp) -> Value:
        spine: list[ast.BinOp] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp):  # `a + b + c …` leans to the left, as deep as it is long
            spine.append(left)
            left = left.left
        value = self.value(left)
        for step in reversed(spine):
            right = self.value(step.right)
            value = choice(binary(a, step.op, b) for a in alternatives(value) for b in alternatives(right))
        return value

    def _either_value(self, node: ast.BoolOp) -> Value:
        return choice([self.value(part) for part in node.values])

    def _if_value(self, node: ast.IfExp) -> Value:
        self.value(node.test)
        return choice((self.value(node.body), self.value(node.orelse)))

    def _minus(self, node: ast.UnaryOp) -> Value:
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(value, int):
            return -value
        return UNKNOWN

    def _sequence(self, node: ast.List | ast.Tuple | ast.Set) -> Value:
        items: list[Value] = []
        for part in node.elts:
            value = self.value(part.value if isinstance(part, ast.Starred) else part)
            if isinstance(part, ast.Starred):
                items += items_of(value) or (tainted((value,)),)
            else:
                items.append(value)
        return Seq(tuple(items))

    def _dict(self, node: ast.Dict) -> Value:
        found: list[tuple[str, Value]] = []
        for key, part in zip(node.keys, node.values, strict=True):
            value = self.value(part)
            if key is None:
                found += value.items if isinstance(value, Table) else (("**", value),)
            else:
                found.append((text_of(self.value(key)), value))
        return Table(tuple(found))

    def _formatted(self, node: ast.JoinedStr) -> Value:
        parts = [
            self.value(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values
        ]
        return joined("", parts)

    def _walrus(self, node: ast.NamedExpr) -> Value:
        value = self.value(node.value)
        self.bind(node.target, value)
        return value

    def _awaited(self, node: ast.Await | ast.Starred | ast.YieldFrom) -> Value:
        return self.value(node.value)

    def _comprehended(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
        found: list[Value] = []
        outside = dict(self.names)
        complete = self._generate(node.generators, 0, lambda: found.append(self.value(node.elt)))
        self.replace_names(outside)
        return Seq(tuple(found)) if complete else Seq((choice(found),)) if found else UNKNOWN

    def _dict_comprehended(self, node: ast.DictComp) -> Value:
        found: list[tuple[str, Value]] = []
        outside = dict(self.names)
        self._generate(
            node.generators, 0, lambda: found.append((text_of(self.value(node.key)), self.value(node.value)))
        )
        self.replace_names(outside)
        return Table(tuple(found))

    def _generate(self, generators: list[ast.comprehension], at: int, each: _Each) -> bool:
        if at == len(generators):
            each()
            return True
        generator = generators[at]
        value = iterated(self.value(generator.iter))
        items = items_of(value)
        known = items is not None and len(items) <= 2_000 and not generator.ifs
        complete = known
        self.scene.loops += not known
        for item in items if items is not None and len(items) <= 2_000 else (element(value),):
            self.bind(generator.target, item)
            for test in generator.ifs:
                self.value(test)
            complete = self._generate(generators, at + 1, each) and complete
        self.scene.loops -= not known
        return complete

    def _calls(self, node: ast.Call) -> Value:
        callee = self.value(node.func)
        values: list[Value] = []
        for part in node.args:
            value = self.value(part)
            if isinstance(part, ast.Starred):
                values += items_of(value) or (tainted((value,)),)
            else:
                values.append(value)
        given: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg is not None:
                given[keyword.arg] = value
            elif isinstance(value, Table):
                given.update(value.items)
        self._grows(node.func, values)
        return choice([self.call(one, tuple(values), given) for one in alternatives(callee)])

    def _grows(self, node: ast.expr, values: list[Value]) -> None:
        """A list that is told to take more holds more."""
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and values):
            return
        held, more = iterated(self.names.get(node.value.id)), values[-1]
        if isinstance(held, Seq) and node.attr in ("append", "add", "insert", "appendleft"):
            self.names[node.value.id] = Seq((*held.items, more)[:4096])
        elif isinstance(held, Seq) and node.attr in ("extend", "update"):
            more_items = () if more == AGAIN else items_of(more) or (tainted((more,)),)
            self.names[node.value.id] = Seq((*held.items, *more_items)[:4096])
        elif isinstance(held, Table) and node.attr == "update" and isinstance(more, Table):
            self.names[node.value.id] = Table((*held.items, *more.items)[:4096])

    def _put(self, target: ast.Subscript, value: Value) -> None:
        """`name[key] = value`."""
        held, key = self.value(target.value), self._key(target.slice)
        if not isinstance(target.value, ast.Name):
            return
        if isinstance(held, Table):
            self.names[target.value.id] = Table((*held.items, (text_of(key), value))[:4096])
        elif isinstance(held, Seq) and isinstance(key, int) and -len(held.items) <= key < len(held.items):
            items = list(held.items)
            items[key] = value
            self.names[target.value.id] = Seq(tuple(items))
        elif isinstance(held, Seq):
            self.names[target.value.id] = tainted((held, value))

    def call(self, callee: Value, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
        self.step()
        if isinstance(callee, Function):
            return self.enter(callee, values, given)
        if isinstance(callee, Member) and isinstance(callee.of, Unsure) and callee.name in self.methods:
            return self.enter(self.methods[callee.name], (UNKNOWN, *values), given)
        if callee != Ref("map"):
            self._handed(callee, values, given)
        if not any(isinstance(value, Choice) for value in values):
            return invoke(self, callee, values, given)
        results: list[Value] = []
        for position, value in enumerate(values):
            if isinstance(value, Choice):
                for one in value.values:
                    rest = (*values[:position], one, *values[position + 1 :])
                    results.append(self.call(callee, rest, given))
                break
        return choice(results)

    def _handed(self, callee: Value, values: tuple[Value, ...], given: dict[str, Value]) -> None:
        """Functions among the arguments will be called by the one that gets them."""
        for position, value in enumerate((*values, *given.values())):
            if not isinstance(value, Function | Ref):
                continue
            rest = values[position + 1 :] if position < len(values) else ()
            bundle = given.get("args", rest[0] if len(rest) == 1 else None)
            sets: list[tuple[Value, ...]] = [rest]
            if isinstance(bundle, Seq):
                sets = [bundle.items] if "args" in given else [(item,) for item in bundle.items[:64]]
            for one in sets:
                if isinstance(value, Function):
                    self.enter(value, one, {})
                elif value.name not in _INERT:
                    invoke(self, value, one, {}, handed=True)

    def run(self, text: Value) -> Value:
        """`exec` and `eval` of a text."""
        known = text_of(text)
        if NETWORK in known:
            self.scene.add(RunsFetched(self.scene.by))
        elif isinstance(text, Unsure) or known == HOLE:
            self.scene.unknown()
        elif len(self.inside) > 6:
            raise TooMuch
        else:
            return self._nested(known)
        return UNKNOWN

    def _nested(self, text: str) -> Value:
        if HOLE in text:
            self.scene.unknown(text[:80])
        try:
            tree = ast.parse(text.replace(HOLE, HIDDEN_HOLE).strip())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.scene.unknown(text[:80])
            return UNKNOWN
        self.inside.append(-1)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        self.block(tree.body)
        result = self.value(last.value) if isinstance(last, ast.Expr) else None
        self.inside.pop()
        return result

    def _lambda(self, node: ast.Lambda) -> Value:
        return self.function(node)


_INERT = frozenset(
    "str int len repr float bool print list tuple set dict type isinstance ord chr sorted os.environ".split()
)
_Handler = Callable[[Any, Any], Value]
_EXPRESSIONS: dict[type, _Handler] = {
    ast.Constant: Expressions._constant, ast.Name: Expressions._name, ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript, ast.BinOp: Expressions._adds,
    ast.BoolOp: Expressions._either_value,
    ast.IfExp: Expressions._if_value, ast.UnaryOp: Expressions._minus, ast.List: Expressions._sequence,
    ast.Tuple: Expressions._sequence, ast.Set: Expressions._sequence, ast.Dict: Expressions._dict,
    ast.JoinedStr: Expressions._formatted, ast.NamedExpr: Expressions._walrus,
    ast.Await: Expressions._awaited,
    ast.Starred: Expressions._awaited, ast.YieldFrom: Expressions._awaited, ast.Call: Expressions._calls,
    ast.ListComp: Expressions._comprehended, ast.SetComp: Expressions._comprehended,
    ast.GeneratorExp: Expressions._comprehended, ast.DictComp: Expressions._dict_comprehended,
    ast.Lambda: Expressions._lambda,
}  # fmt: skip
