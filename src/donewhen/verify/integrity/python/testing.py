"""Tests as the comparison wants them: what each demands, whether it runs, with how many rows."""

from functools import cached_property

from donewhen.core.integrity.model import Test
from donewhen.verify.integrity.python import text
from donewhen.verify.integrity.python.collecting import Collected, collect
from donewhen.verify.integrity.python.decorating import wrapped
from donewhen.verify.integrity.python.demanding import demanded, helper_of
from donewhen.verify.integrity.python.outline import Function
from donewhen.verify.integrity.python.page import Page, Place, place_in
from donewhen.verify.integrity.python.reach import Reach
from donewhen.verify.integrity.python.switches import (
    Switch,
    never_run,
    of_class,
    of_marker,
    of_module,
    of_test,
    strongest,
)
from donewhen.verify.integrity.python.tables import Table, looped, parametrized
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.uses import Uses

_MOST_ROWS = 100_000
_MOST_LITERALS = 1000
_MOST_CALLS = 300
_DEEPEST = 4  # helpers of helpers


class Tester:
    def __init__(self, page: Page) -> None:
        self.page = page
        self._classes: dict[str, Switch] = {}
        self._constants: dict[str, list[str]] = {}
        self._uses = Uses(page)

    def tests(self) -> list[Test]:
        return [self.test(each) for each in collect(self.page)]

    @cached_property
    def _module(self) -> Switch:
        return of_module(self.page)

    @cached_property
    def _top(self) -> Reach:
        return Reach(self.page.light.root, place_in(self.page, None))

    def test(self, each: Collected) -> Test:
        function = each.function
        tables = self._tables(each)
        place = place_in(self.page, function)
        rows = {name: cells for table in tables for name, cells in table.rows.items()}
        place = place._replace(rows=rows, home=each.home or place.home)
        found = demanded(function, place)
        decorated = wrapped(function, self.page)
        switch = strongest([*self._switches(each), decorated.switch, _unreached(found.dead, found.guard)])
        return Test(
            each.name,
            function.node.line,
            found.asserts,
            switch.text,
            switch.conditional,
            "",
            found.swallowed or decorated.swallows,
            tuple(self._calls(function.body, place, ())),
            self.literals(function, tables),
            cases(tables, function.body, place),
            self._uses.digest(function, each.home),
            self.page.flat.frame(function.whole),
        )

    def _switches(self, each: Collected) -> list[Switch]:
        out = [of_test(each.function, self.page), self._module]
        if each.home:
            if each.home not in self._classes:
                self._classes[each.home] = of_class(each.home, self.page)
            out.append(self._classes[each.home])
        if each.changed is not None:
            out.append(self._replacement(each.changed))
        dead = self._top.dead(each.function.whole)
        if dead is not None:
            out.append(Switch(text.normal(dead)[:120]))
        out.append(never_run(each.function, each.home, self.page))
        return out

    def _replacement(self, call: Node) -> Switch:
        """`test_x = unittest.skip("…")(test_x)`."""
        function = call.get("function")
        place = place_in(self.page, None)
        switch = of_marker(function, place) if function is not None else Switch()
        return switch if switch.text else of_marker(call, place)

    def _tables(self, each: Collected) -> list[Table]:
        place = place_in(self.page, None)
        decorators = list(each.function.decorators)
        for known in self.page.lineage(each.home) if each.home else ():
            decorators.extend(known.decorators)
        found = [parametrized(decorator, place) for decorator in decorators]
        return [table for table in found if table is not None]

    def _calls(self, body: Node, place: Place, stack: tuple[str, ...]) -> list[str]:
        """What it calls; a helper of this file stands for what it calls itself."""
        out: list[str] = []
        for call in self.page.inside(body, "call"):
            helper = helper_of(call, place)
            if helper is None:
                out.append(self.page.names.plain(call.get("function")))
            elif helper.qual not in stack and len(stack) < _DEEPEST and len(out) < _MOST_CALLS:
                out.extend(self._calls(helper.body, place, (*stack, helper.qual)))
        return [name for name in out if name]

    def literals(self, function: Function, tables: list[Table]) -> tuple[str, ...]:
        out = self.page.literals_in(function.node)
        for table in tables:
            for node in table.nodes:
                out.extend(self.page.literals_in(node))
        for name in dict.fromkeys(node.word for node in self.page.inside(function.node, "identifier")):
            out.extend(self._constant(name))
        return tuple(dict.fromkeys(out))

    def _constant(self, name: str) -> list[str]:
        """The literals behind a name of the module; large tables are told by the file as a whole."""
        if name not in self._constants:
            bound = self.page.module.values.get(name)
            found = self.page.literals_in(bound) if bound is not None else []
            self._constants[name] = found if len(found) <= _MOST_LITERALS else []
        return self._constants[name]


def _unreached(dead: str, guard: str) -> Switch:
    return Switch(dead) if dead else Switch(guard, True)


def cases(tables: list[Table], body: Node, place: Place, script: bool = False) -> int:
    """Rows of its tables, one by the other, and of the loops that check."""
    count = 1
    for table in tables:
        count = min(count * table.size, _MOST_ROWS)
    loops = (
        looped(loop, place)
        for loop in place.page.inside(body, "for_statement")
        if script or _checks(loop, place)
    )
    rows = sum(table.size for table in loops if table is not None)
    return min(count * max(rows, 1), _MOST_ROWS)


def _checks(loop: Node, place: Place) -> bool:
    """Whether the loop runs assertions; other loops only prepare."""
    if place.page.inside(loop, "assert_statement"):
        return True
    names = (place.page.names.called(call).rpartition(".")[2] for call in place.page.inside(loop, "call"))
    return any(name.lower().startswith(("assert", "subtest", "check", "verify", "raises")) for name in names)
