"""Every test of a file with what its surroundings say: suites, conditions, loops, hooks, code never reached.

Nothing is walked again: the calls are looked at in the order of the text, and each climbs to the next suite.
"""

from typing import NamedTuple

from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.calls import Calls, Made
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    inside,
    is_member,
    name_of,
    names,
    parameters,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.tree import Script, normal

_LOOPS = frozenset(("for_statement", "while_statement", "do_statement"))
_BLOCKS = frozenset(("program", "statement_block", "switch_case"))
_GUARDS = ("import.meta.vitest", "require.main", "import.meta.main")
_CLIMB = 400
_DEEPEST = 12  # functions that make tests, called from one another


class Around(NamedTuple):
    """What holds for everything inside a suite, a test, or a place in the file."""

    titles: tuple[str, ...] = ()
    disabled: str = ""
    conditional: bool = False
    focused: str = ""
    cases: int = 1
    contexts: frozenset[str] = frozenset()

    def off(self, why: str, *, conditional: bool) -> "Around":
        if self.disabled and (not self.conditional or conditional):
            return self
        return self._replace(disabled=why, conditional=conditional)


class Found(NamedTuple):
    made: Made
    around: Around  # with the test's own part in it


class Suites:
    def __init__(self, script: Script, scopes: Scopes, calls: Calls) -> None:
        self.script = script
        self.scopes = scopes
        self.made: dict[int, Made] = {}  # by the function that is its body
        self.all: list[Made] = []
        for call in script.kinds.get("call_expression", ()):
            one = calls.look(call)
            if one is not None:
                self.all.append(one)
                if one.function is not None:
                    self.made[id(one.function)] = one
        self.around: dict[int, Around] = {}
        self.used: dict[str, list[Node]] | None = None
        self.hooks: dict[int, tuple[str, bool]] = {}  # suite's function, or 0 → what its hook does
        self.ends = self._ends()
        self._hooked()

    def tests(self) -> list[Found]:
        found = []
        for one in self.all:
            around = self._place(one)
            if one.function is not None:
                self.around.setdefault(id(one.function), around)
            if one.what == "test":
                found.append(Found(one, around))
        return found

    def apart(self) -> frozenset[int]:
        return frozenset(self.made)

    def _place(self, one: Made, depth: int = _DEEPEST) -> Around:
        around = self._climb(one.call, depth)
        if one.disabled:
            around = around.off(one.disabled, conditional=one.conditional)
        contexts = around.contexts
        if one.function is not None:
            contexts = contexts | {
                name for pattern in parameters(one.function)[:1] for name in names(pattern)
            }
        return around._replace(
            titles=(*around.titles, one.title),
            focused=one.focused or around.focused,
            cases=around.cases * one.cases,
            contexts=contexts,
        )

    def _climb(self, node: Node, depth: int) -> Around:
        """From a call out to the suite it stands in, or to the file."""
        steps: list[Around] = []
        here: Node | None = node.parent
        child, around = node, Around()
        for _ in range(_CLIMB):
            if here is None:
                around = self._with_hook(Around(), 0)
                break
            if id(here) in self.made:
                around = self._with_hook(self._inside(here, depth), id(here))
                break
            if here.type in FUNCTIONS:
                called = self._called(here, depth)
                if called is not None:
                    around = called
                    break
            steps.append(self._step(here, child))
            child, here = here, here.parent
        for step in steps:
            if step.disabled:
                around = around.off(step.disabled, conditional=step.conditional)
            around = around._replace(cases=around.cases * step.cases)
        return around

    def _inside(self, function: Node, depth: int) -> Around:
        """What holds in a suite's or test's function; one further down the text is placed when asked for."""
        known = self.around.get(id(function))
        if known is None and depth:
            known = self.around[id(function)] = self._place(self.made[id(function)], depth - 1)
        return known or Around()

    def _with_hook(self, around: Around, function: int) -> Around:
        hook = self.hooks.get(function)
        return around.off(hook[0], conditional=hook[1]) if hook else around

    def _step(self, here: Node, child: Node) -> Around:
        kind = here.type
        if kind == "if_statement" and here.kids[0] is not child:
            return self._condition(here, child)
        if kind == "binary_expression" and here.kids[0] is not child and here.kids[1].text in ("&&", "||"):
            value = here.kids[0].value
            return Around(disabled=normal(self.script, here.kids[0]), conditional=value is None)
        if kind == "ternary_expression" and here.kids[0] is not child:
            return Around(disabled=normal(self.script, here.kids[0]), conditional=True)
        if kind == "for_in_statement" and len(here.kids) > 2:
            return _rows(self.scopes.rows(here.kids[-2]))
        if kind in _LOOPS:
            return Around(cases=0)
        if kind in _BLOCKS:
            end = self.ends.get(id(here))
            if end is not None and end.end <= child.start:
                return Around(disabled=normal(self.script, end))
        if kind == "call_expression" and is_member(bare(callee(here))) and here.kids[0] is not child:
            return self._repeated(here)
        return Around()

    def _condition(self, here: Node, child: Node) -> Around:
        value = here.kids[0].value
        said = normal(self.script, here.kids[0])
        if value is not None:
            return (
                Around() if values.truthy(value) == (here.kids[1] is child) else Around(disabled=f"if {said}")
            )
        if any(guard in said for guard in _GUARDS):
            return Around()
        return Around(disabled=f"if {said}", conditional=True)

    def _repeated(self, call: Node) -> Around:
        called = bare(callee(call))
        if prop(called) not in ("forEach", "map", "flatMap"):
            return Around()
        return _rows(self.scopes.rows(called.kids[0]))

    def _called(self, function: Node, depth: int) -> Around | None:
        """A named function makes tests where it is called; None where that is on the spot or far away."""
        name = name_of(function)
        parent = function.parent
        if not name or function.type == "method_definition" or (parent and parent.type == "export_statement"):
            return None
        uses = self._uses().get(name, [])
        if not uses:
            exported = any(name in (kid.text for kid in one.kids) for one in self._exports())
            return None if exported else Around(disabled=f"{name}() is never called")
        place = next(
            (one.parent for one in uses if one.parent and one.parent.type == "call_expression"), None
        )
        if place is None or not depth or inside(place, function):
            return None
        return self._climb(place, depth - 1)

    def _uses(self) -> dict[str, list[Node]]:
        """Names with the places where they are used, not declared."""
        if self.used is None:
            self.used = {}
            for one in self.script.kinds.get("identifier", ()):
                if not _declares(one):
                    self.used.setdefault(one.text, []).append(one)
        return self.used

    def _exports(self) -> list[Node]:
        kinds = self.script.kinds
        return [*kinds.get("object", ()), *kinds.get("export_specifier", ())]

    def _ends(self) -> dict[int, Node]:
        """Blocks that are left early, with the statement that leaves them."""
        found: dict[int, Node] = {}
        kinds = self.script.kinds
        for one in (*kinds.get("return_statement", ()), *kinds.get("throw_statement", ())):
            if one.parent is not None and one.parent.type in _BLOCKS:
                found.setdefault(id(one.parent), one)
        for call in kinds.get("call_expression", ()):
            statement = call.parent
            if statement is None or statement.type != "expression_statement" or statement.parent is None:
                continue
            if dotted(callee(call)) in ("process.exit", "process.reallyExit"):
                found.setdefault(id(statement.parent), statement)
        return found

    def _hooked(self) -> None:
        """A hook that skips, skips every test of its suite."""
        for one in self.all:
            if one.what != "hook" or one.function is None:
                continue
            skips = [call for call in walk(one.function) if call.type == "call_expression" and _skips(call)]
            if skips:
                direct = skips[0].parent is not None and skips[0].parent.parent is one.function.kids[-1]
                direct = direct or one.function.kids[-1] is skips[0]
                self.hooks[self._suite_of(one.call)] = (normal(self.script, skips[0]), not direct)

    def _suite_of(self, node: Node) -> int:
        here = node.parent
        while here is not None and id(here) not in self.made:
            here = here.parent
        return id(here) if here is not None else 0


def _rows(rows: list[Node] | None) -> Around:
    """How often a loop makes its tests: 0 where nobody can tell, off where it never does."""
    if rows is None:
        return Around(cases=0)
    return Around(cases=len(rows)) if rows else Around(disabled="an empty table")


def _skips(call: Node) -> bool:
    path = dotted(callee(call))
    root, _, name = path.rpartition(".")
    return (
        name in ("skip", "todo")
        and root in ("this", "t", "ctx", "context", "test", "it")
        and not any(one.type in FUNCTIONS for one in arguments(call))
    )


def _declares(name: Node) -> bool:
    parent = name.parent
    if parent is None:
        return False
    if parent.type in ("function_declaration", "generator_function_declaration", "function_expression"):
        return True
    return parent.type == "variable_declarator" and parent.kids[0] is name
