"""Python code, read statement by statement: what it would do, without running any of it.

Branches are taken apart and joined, loops over known values are gone through,
functions are entered where they
are called. All within a budget of steps and depth; past it, or with a syntax error, the code is unknown.
"""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from donewhen.guard.marks import HOLE, anything
from donewhen.guard.programs.code.python_expressions import HIDDEN_HOLE, Expressions, Function
from donewhen.guard.programs.code.python_folding import binary, element, named
from donewhen.guard.programs.code.scene import Scene, filtering, hinted
from donewhen.guard.programs.code.values import (
    AGAIN,
    UNKNOWN,
    Ref,
    Seq,
    Table,
    TooMuch,
    Value,
    choice,
    either,
    items_of,
    iterated,
    tainted,
    text_of,
)


def python(text: str, scene: Scene) -> None:
    """Adds to the scene what the code would do."""
    try:
        tree = ast.parse(text.replace(HOLE, HIDDEN_HOLE))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        scene.unknown(text)
        return
    scene.filters = scene.filters or filtering(text)
    scene.hints = hinted(text, scene)
    try:
        reading = _Reading(scene)
        reading.block(tree.body)
        reading.rest()
    except (TooMuch, RecursionError):
        scene.unknown(text)


class _Reading(Expressions):
    def block(self, body: Iterable[ast.stmt]) -> None:
        for node in body:
            self.step()
            self.depth += 1
            handler = _STATEMENTS.get(type(node))
            if handler is not None:
                handler(self, node)
            else:
                self.children(node)
            self.depth -= 1

    def rest(self) -> None:
        """Functions that were never called may still be, by something that is not seen."""
        for function in list(self.functions):
            if function.number not in self.entered:
                self.enter(function, (), {})

    def _imports(self, node: ast.Import) -> None:
        self._own(*(alias.name for alias in node.names))
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            self.names[alias.asname or name] = named(name)

    def _own(self, *modules: str) -> None:
        """Code that uses donewhen itself could answer for it, whatever it calls."""
        if any(module.partition(".")[0] == "donewhen" for module in modules):
            self.scene.unknown("import donewhen")

    def _imports_from(self, node: ast.ImportFrom) -> None:
        self._own("" if node.level else node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.names[f"*{len(self.names)}"] = Ref(node.module or "")
            else:
                self.names[alias.asname or alias.name] = named(f"{node.module or ''}.{alias.name}")

    def _assigns(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.bind(target, value)

    def _assigns_one(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.value(node.value))

    def _assigns_more(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            left = self.names.get(node.target.id, UNKNOWN)
            self.names[node.target.id] = binary(left, node.op, self.value(node.value))
        else:
            self.children(node)

    def _branches(self, node: ast.If) -> None:
        test = self.value(node.test)
        if isinstance(test, bool | int) and isinstance(node.test, ast.Constant):
            self.block(node.body if test else node.orelse)
            return
        self._either(node.body, node.orelse)

    def _either(self, *bodies: list[ast.stmt]) -> None:
        before = dict(self.names)
        self.steps += len(before) // 20
        ends: list[dict[str, Value]] = []
        for body in bodies:
            self.replace_names(dict(before))
            self.block(body)
            ends.append(dict(self.names))
        merged: dict[str, Value] = {}
        for name in {name for end in ends for name in end}:
            merged[name] = either([end[name] for end in ends if name in end])
        self.replace_names(merged)

    def _repeats(self, node: ast.For | ast.AsyncFor) -> None:
        value = iterated(self.value(node.iter))
        items = items_of(value)
        small = items is not None and len(items) <= 64
        self.scene.loops += not (items is not None and len(items) <= 32)
        for item in items if items is not None and small else (element(value),) * 2:
            self.bind(node.target, item)
            self.block(node.body)
        self.scene.loops -= not (items is not None and len(items) <= 32)
        self.block(node.orelse)

    def _while(self, node: ast.While) -> None:
        self.scene.loops += 1
        for _ in range(2):
            self.value(node.test)
            self._either(node.body, [])
        self.scene.loops -= 1
        self.block(node.orelse)

    def _tries(self, node: ast.Try) -> None:
        self._either(node.body, [])
        for handler in node.handlers:
            self._either(handler.body, [])
        self.block(node.orelse)
        self.block(node.finalbody)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars is not None:
                self.bind(item.optional_vars, value)
        self.block(node.body)

    def _defines(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.value(decorator)
        self.names[node.name] = self.function(node)

    def _class(self, node: ast.ClassDef) -> None:
        self._children_of_class(node)
        self.names[node.name] = UNKNOWN

    def _children_of_class(self, node: ast.ClassDef) -> None:
        for base in (*node.bases, *node.decorator_list):
            self.value(base)
        outside = dict(self.names)
        self.block(node.body)
        for part in node.body:
            method = self.names.get(getattr(part, "name", ""))
            if isinstance(method, Function):
                self.methods[method.node.name if not isinstance(method.node, ast.Lambda) else ""] = method
        self.replace_names(outside)

    def _returns(self, node: ast.Return) -> None:
        self.returned.append(self.value(node.value) if node.value is not None else None)

    def _matches(self, node: ast.Match) -> None:
        self.value(node.subject)
        self._either(*[case.body for case in node.cases])

    def enter(self, function: Function, values: tuple[Value, ...], given: dict[str, Value]) -> Value:
        """A function of the code itself is called."""
        self.step()
        if function.number in self.inside or len(self.inside) > 8:
            return AGAIN if self._descends(function, values) else tainted((*values, *given.values()))
        self.steps += len(self.names) // 20
        self.entered.add(function.number)
        self.inside.append(function.number)
        self.handed.append(values)
        outside, returned, kept = dict(self.names), self.returned, self.depth
        self.returned = []
        self._parameters(function.node.args, values, given)
        self.depth += 1
        if isinstance(function.node, ast.Lambda):
            self.returned.append(self.value(function.node.body))
        else:
            self.block(function.node.body)
        result, shared = choice(self.returned) if self.returned else None, _shared(function.node)
        self.returned, self.depth = returned, kept
        self.replace_names({**outside, **{name: self.names[name] for name in shared if name in self.names}})
        self.inside.pop()
        self.handed.pop()
        return result

    def _descends(self, function: Function, values: tuple[Value, ...]) -> bool:
        """Does a function call itself for something further below what it was given?"""
        before = next((at for at, number in enumerate(self.inside) if number == function.number), None)
        if before is None or not values or not self.handed[before]:
            return False
        outer, inner = text_of(self.handed[before][0]), text_of(values[0])
        return inner.startswith(f"{outer}/") and ".." not in inner[len(outer) :] and not anything(outer)

    def _parameters(self, args: ast.arguments, values: tuple[Value, ...], given: dict[str, Value]) -> None:
        places = [*args.posonlyargs, *args.args]
        defaults = dict(zip([place.arg for place in places][::-1], args.defaults[::-1], strict=False))
        defaults.update(
            {a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None}
        )
        for position, place in enumerate([*places, *args.kwonlyargs]):
            if position < min(len(values), len(places)):
                self.names[place.arg] = values[position]
            elif place.arg in given:
                self.names[place.arg] = given[place.arg]
            else:
                default = defaults.get(place.arg)
                self.names[place.arg] = UNKNOWN if default is None or not values else self.value(default)
        if args.vararg:
            self.names[args.vararg.arg] = Seq(tuple(values[len(places) :]))
        if args.kwarg:
            self.names[args.kwarg.arg] = Table(tuple(given.items()))


def _shared(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    """The names that a function sets outside of itself."""
    if isinstance(node, ast.Lambda):
        return set()
    return {name for part in node.body if isinstance(part, ast.Global | ast.Nonlocal) for name in part.names}


_Handler = Callable[[Any, Any], None]
_STATEMENTS: dict[type, _Handler] = {
    ast.Import: _Reading._imports, ast.ImportFrom: _Reading._imports_from, ast.Assign: _Reading._assigns,
    ast.AnnAssign: _Reading._assigns_one, ast.AugAssign: _Reading._assigns_more, ast.If: _Reading._branches,
    ast.For: _Reading._repeats, ast.AsyncFor: _Reading._repeats, ast.While: _Reading._while,
    ast.Try: _Reading._tries, ast.TryStar: _Reading._tries, ast.With: _Reading._with,
    ast.AsyncWith: _Reading._with, ast.FunctionDef: _Reading._defines,
    ast.AsyncFunctionDef: _Reading._defines,
    ast.ClassDef: _Reading._class, ast.Return: _Reading._returns, ast.Match: _Reading._matches,
}  # fmt: skip
