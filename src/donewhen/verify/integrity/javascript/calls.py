"""Which calls make a test, a suite or a hook, and what they say about whether it runs.

One look at one call; what the surroundings add is found elsewhere.
"""

import re
from typing import NamedTuple

from donewhen.verify.integrity.javascript import values, words
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    is_member,
    prop,
)
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.tree import Script, normal

_MODIFIERS = words.OFF_WORDS | words.PASSED_WORDS | frozenset(words.IF_WORDS)
_WHOLE = frozenset(("*", "default", "test", "it"))
_GLOBAL = re.compile(r"(?:globalThis|global|window|self)\.")
_LONGEST_CHAIN = 12
_NO_TEST = frozenset(("step", "extend", "configure", "use", "info", "setTimeout", "slow", "macro"))


class Made(NamedTuple):
    """A test, suite or hook as its call says it."""

    what: str  # test, suite, hook
    call: Node
    title: str
    named: Node | None  # the argument that is its title
    function: Node | None
    disabled: str = ""
    conditional: bool = False
    focused: str = ""
    cases: int = 1


class Calls:
    def __init__(self, script: Script, scopes: Scopes, *, strict: bool) -> None:
        self.script = script
        self.scopes = scopes
        self.strict = strict  # only words that come from a framework's module count
        self.words = self._imported()

    def _imported(self) -> dict[str, str]:
        """Local name → test, suite or hook."""
        found = {} if self.strict else dict.fromkeys(words.TESTS - {"tap", "tape"}, "test")
        if not self.strict:
            found |= dict.fromkeys(words.SUITES - {"module"}, "suite")
            found |= dict.fromkeys(words.HOOKS, "hook")
        for name, source in self.scopes.imports.items():
            if source.module in words.TEST_MODULES:
                what = _exported(source.name)
                if what:
                    found[name] = what
        return found

    def look(self, call: Node) -> Made | None:
        called = bare(callee(call))
        steps: list[tuple[str, Node | None]] = []  # modifiers, each with the call that gives it arguments
        giver: Node | None = None
        for _ in range(_LONGEST_CHAIN):
            if called.type == "call_expression":
                giver, called = called, bare(callee(called))
                if not is_member(called):
                    return None
            elif is_member(called):
                steps.append((prop(called), giver))
                giver, called = None, bare(called.kids[0])
            else:
                break
        if called.type != "identifier":
            return None
        return self._made(call, called, steps)

    def _made(self, call: Node, root: Node, steps: list[tuple[str, Node | None]]) -> Made | None:
        given = arguments(call)
        function = next((one for one in map(bare, given) if self._runs(one)), None)
        alias = self._alias(root)
        what = self.words.get(alias or root.text)
        said = [name for name, _ in steps]
        if what is None:
            titled = function is not None and given[0].value is not None
            return self._plain(call, given, function) if said == ["test"] and titled else None
        if any(one in _NO_TEST for one in said) or not all(one in _MODIFIERS | words.HOOKS for one in said):
            return None
        if what == "hook" or any(one in words.HOOKS for one in said):
            return Made("hook", call, "", None, function) if function is not None else None
        if "describe" in said or "suite" in said:
            what = "suite"
        if not given or (function is None and not self._pending(what, given)):
            return None
        return self._modified(self._plain(call, given, function, what), root, alias, steps)

    def _runs(self, node: Node) -> bool:
        if node.type in FUNCTIONS:
            return True
        return node.type == "identifier" and node.text in self.scopes.functions

    def _pending(self, what: str, given: list[Node]) -> bool:
        titled = given[0].value is not None and given[0].value.startswith('"')
        plain = len(given) == 1 or all(bare(one).type in ("object", "identifier") for one in given[1:])
        return what == "test" and (titled or given[0].type == "template_string") and plain

    def _plain(self, call: Node, given: list[Node], function: Node | None, what: str = "test") -> Made:
        first = given[0]
        body = self._body(function)
        if bare(first) is function:
            title = next((kid.text for kid in body.kids if kid.type == "identifier"), "") if body else ""
            return Made(what, call, title or "<anonymous>", None, body)
        if first.type == "object":
            return Made(what, call, "<anonymous>", None, body)
        known = self.scopes.resolve(first) if first.type == "identifier" else []
        value = known[0].value if len(known) == 1 else first.value
        title = values.unquoted(value) if value is not None else self._written(first)
        made = Made(what, call, title, first, body)
        if function is None and len(given) == 1:
            return made._replace(disabled=f"{normal(self.script, callee(call))} without a body")
        return made

    def _written(self, title: Node) -> str:
        if title.type != "template_string":
            return normal(self.script, title)
        parts = (
            kid.text or f"${{{normal(self.script, kid.kids[0]) if kid.kids else ''}}}" for kid in title.kids
        )
        return "".join(parts)

    def _body(self, function: Node | None) -> Node | None:
        if function is not None and function.type == "identifier":
            return self.scopes.functions.get(function.text)
        return function

    def _alias(self, root: Node) -> str:
        """`const spec = it`, and `const maybe = windows ? it.skip : it`."""
        known = self.scopes.resolve(root)
        if len(known) != 1:
            return ""
        one = known[0]
        sides = one.kids[1:] if one.type == "ternary_expression" else [one]
        paths = [_GLOBAL.sub("", dotted(side)) for side in sides]
        roots = {path.partition(".")[0] for path in paths}
        found = roots.pop() if len(roots) == 1 else ""
        return found if found in self.words else ""

    def _modified(self, made: Made, root: Node, alias: str, steps: list[tuple[str, Node | None]]) -> Made:
        shown = ".".join([root.text, *(name for name, _ in reversed(steps))])
        if root.text in words.OFF_NAMES:
            made = made._replace(disabled=shown)
        if root.text in words.ONLY_NAMES:
            made = made._replace(focused=shown)
        if alias:
            made = self._aliased(made, root)
        for name, giver in steps:
            if name in words.OFF_WORDS:
                made = made._replace(disabled=shown)
            elif name == "only":
                made = made._replace(focused=shown)
            elif name in words.IF_WORDS and giver is not None:
                made = self._asked(made, name, giver)
            elif name in ("each", "for") and giver is not None:
                made = self._tabled(made, giver)
        return self._options(made)

    def _aliased(self, made: Made, root: Node) -> Made:
        one = self.scopes.resolve(root)[0]
        said = set(self.script.tokens[one.start : one.end])
        if not said & words.OFF_WORDS and not said & words.OFF_NAMES:
            return made
        return made._replace(disabled=normal(self.script, one), conditional=one.type == "ternary_expression")

    def _asked(self, made: Made, name: str, giver: Node) -> Made:
        given = arguments(giver)
        value = given[0].value if given else None
        if value is not None and values.truthy(value) != words.IF_WORDS[name]:
            return made
        return made._replace(disabled=normal(self.script, giver), conditional=value is None)

    def _tabled(self, made: Made, giver: Node) -> Made:
        rows = self._rows(giver)
        return made._replace(cases=rows or 0) if rows != 0 else made._replace(disabled="an empty table")

    def _rows(self, giver: Node) -> int | None:
        table = giver.kids[-1]
        if table.type == "template_string":
            header = next((kid.text for kid in table.kids if kid.type == "string_fragment"), "")
            columns = header.strip().partition("\n")[0].count("|") + 1
            return sum(kid.type == "template_substitution" for kid in table.kids) // columns
        given = arguments(giver)
        rows = self.scopes.rows(given[0]) if given else None
        return len(rows) if rows is not None else None

    def _options(self, made: Made) -> Made:
        for table in arguments(made.call):
            for pair in table.kids if table.type == "object" else ():
                if pair.type != "pair" or len(pair.kids) != 2:
                    continue
                key, value = pair.kids[0].text.strip('"'), pair.kids[1].value
                if value is not None and not values.truthy(value):
                    continue
                if key in words.OPTIONS_OFF:
                    made = made._replace(disabled=normal(self.script, pair), conditional=value is None)
                elif key == "only":
                    made = made._replace(focused=normal(self.script, pair))
        return made


def _exported(name: str) -> str:
    if name in words.SUITES:
        return "suite"
    if name in words.HOOKS:
        return "hook"
    return "test" if name in _WHOLE or name in words.TESTS else ""
