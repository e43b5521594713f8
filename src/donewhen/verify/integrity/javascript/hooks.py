"""Code that reaches into the runner, its assertions or the module loader, so that tests say something else.

Handing a library's own `expect` round is honest; putting something else in its place is not.
"""

from collections.abc import Iterator

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript import values, words
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    is_member,
    walk,
)
from donewhen.verify.integrity.javascript.runners import quiet, runs_callback
from donewhen.verify.integrity.javascript.scopes import Scopes, required
from donewhen.verify.integrity.javascript.sight import Sight

_LOADER = frozenset(
    "_load _resolveFilename _extensions _compile prototype.require prototype._compile prototype.load "
    "_findPath _nodeModulePaths".split()
)
_GLOBALS = frozenset(("globalThis", "global", "window", "self"))
_RUNNER = frozenset(
    "assert expect test it describe suite beforeEach afterEach beforeAll afterAll before after jest vi mocha "
    "chai should fail".split()
)
_ASSERTING = frozenset(("assert", "expect", "should"))
_REGISTER = frozenset(("register", "registerHooks"))


def hooks(sight: Sight) -> list[Mark]:
    found = [*_assigned(sight), *_called(sight)]
    if sight.role in ("test", "support"):
        found += _shadowed(sight)
    return found


def _assigned(sight: Sight) -> Iterator[Mark]:
    for one in sight.assignments():
        target = bare(one.kids[0])
        path = dotted(target)
        if _loader(sight.scopes, path) or _cached(target) or _runner(sight, path, one.kids[1]):
            yield sight.mark("exam-hook", one)


def _loader(scopes: Scopes, path: str) -> bool:
    root, _, rest = path.partition(".")
    source = scopes.imports.get(root)
    module = root in ("Module", "module") or (
        source is not None and source.module in ("module", "node:module")
    )
    if path.startswith(("require.extensions", "require.cache", "Module.prototype.require")):
        return True
    return module and rest.partition("[")[0] in _LOADER | {"wrap", "constructor._load"}


def _cached(target: Node) -> bool:
    """`require.cache[…] = …`, and the loader's table of extensions."""
    if target.type != "subscript_expression":
        return False
    holder = dotted(target.kids[0])
    return holder in ("require.cache", "require.extensions", "Module._extensions", "Module._cache")


def _runner(sight: Sight, path: str, value: Node) -> bool:
    root, _, rest = path.partition(".")
    if root in _GLOBALS and rest.partition(".")[0] in _RUNNER:
        return "." in rest or not _genuine(sight.scopes, value)
    if not rest:
        own = path not in sight.scopes.imports and sight.scopes.find(value, path) is not None
        return path in _RUNNER - {"before", "after"} and not own and not _genuine(sight.scopes, value)
    source = sight.scopes.imports.get(root)
    asserting = root == "assert" or (source is not None and source.module in words.ASSERT_MODULES)
    prototype = ".prototype." in f".{path}." and root in ("Assertion", "chai")
    return (asserting and rest not in ("config.truncateThreshold", "config.includeStack")) or prototype


def _genuine(scopes: Scopes, value: Node) -> bool:
    """It comes from a package as it is."""
    value = bare(value)
    root = value
    while is_member(root) or root.type == "call_expression":
        if required(root):
            return not required(root).startswith(".")
        root = bare(root.kids[0])
    if root.type != "identifier" or value.type == "call_expression":
        return False
    source = scopes.imports.get(root.text)
    if source is not None:
        return not source.module.startswith(".")
    said = set(dotted(value).split("."))
    if root.text in _RUNNER and scopes.find(value, root.text) is None:
        return not said & words.OFF_WORDS  # one of the runner's own words under another name
    known = scopes.resolve(root)
    return bool(known) and all(bool(required(one)) and not required(one).startswith(".") for one in known)


def _called(sight: Sight) -> Iterator[Mark]:
    for call in sight.calls():
        path = dotted(callee(call))
        given = arguments(call)
        if path in ("expect.extend", "jestExpect.extend") and given and _extends(given[0]):
            yield sight.mark("exam-hook", call)
        elif path in ("Object.defineProperty", "Object.assign", "Object.defineProperties", "Reflect.set"):
            if given and _exam_part(sight, given):
                yield sight.mark("exam-hook", call)
        elif path in (
            "jest.spyOn",
            "vi.spyOn",
            "mock.method",
            "t.mock.method",
            "sinon.stub",
            "sinon.replace",
        ):
            if given and dotted(given[0]) in _ASSERTING:
                yield sight.mark("exam-hook", call)
        elif _registers(sight.scopes, path, given):
            yield sight.mark("exam-hook", call)


def _registers(scopes: Scopes, path: str, given: list[Node]) -> bool:
    root, _, name = path.rpartition(".")
    source = scopes.imports.get(root or path)
    if source is None or source.module not in ("module", "node:module") or not given:
        return False
    known = given[0].value is not None and not values.unquoted(given[0].value).startswith((".", "data:", "/"))
    return (name in _REGISTER or source.name in _REGISTER) and not known  # tsx and its kin are packages


def _exam_part(sight: Sight, given: list[Node]) -> bool:
    target = dotted(given[0])
    source = sight.scopes.imports.get(target.partition(".")[0])
    if target.partition(".")[0] in _ASSERTING or (source and source.module in ("assert", "node:assert")):
        return True
    if target in ("Module", "require.cache", "Module.prototype"):
        return True
    said = values.unquoted(given[1].value or "") if len(given) > 1 else ""
    if target in _GLOBALS and len(given) > 1:
        fields = (
            {key.text for key in given[1].kids for key in key.kids[:1]}
            if given[1].type == "object"
            else {said}
        )
        return bool(fields & _RUNNER)
    return target == "process" and said in ("exitCode", "exit", "reallyExit")


def _extends(table: Node) -> bool:
    """Built-in matchers redefined, or one that passes whatever comes."""
    for kid in table.kids:
        name = kid.kids[0].text if kid.kids else kid.text
        names = {one.text for one in kid.kids if one.type == "property_identifier"} | {name}
        if names & words.BUILT_IN_MATCHERS:
            return True
        passes = [
            one.kids[1].value
            for one in walk(kid)
            if one.type == "pair" and len(one.kids) == 2 and one.kids[0].text == "pass"
        ]
        if passes and all(value == "true" for value in passes):
            return True
    return False


def _shadowed(sight: Sight) -> Iterator[Mark]:
    """`assert` or `test` written anew in this file, so that it can't fail or never runs anything."""
    asserting = frozenset(sight.tested.bodies.demands.roots | _ASSERTING) - frozenset(sight.scopes.functions)
    helpers = frozenset(sight.scopes.functions)
    for name, function in sight.scopes.functions.items():
        lower = name.lower()
        checking = lower.startswith(("assert", "expect"))
        asked = name in _ASSERTING or parameters_of(function)
        if checking and asked and quiet(function, asserting | helpers - {name}):
            yield sight.mark("exam-hook", function.kids[0] if function.kids else function)._replace(
                text=f"{name}() never fails", line=function.line
            )
        elif name in ("test", "it") and not runs_callback(function):
            yield sight.mark("exam-hook", function)
    for one in sight.script.kinds.get("variable_declarator", ()):
        made = len(one.kids) > 1 and one.kids[0].text in _ASSERTING and bare(one.kids[-1]).type in _MADE
        if made and not _can_fail(one.kids[-1]):
            yield sight.mark("exam-hook", one)


_MADE = frozenset(("object", "new_expression"))


def parameters_of(function: Node) -> bool:
    return any(
        kid.type in ("formal_parameters", "identifier") and (kid.kids or kid.text) for kid in function.kids
    )


def _can_fail(node: Node) -> bool:
    return any(
        here.type == "throw_statement"
        or (
            here.type in ("call_expression", "spread_element")
            and here.kids
            and "assert" in dotted(here.kids[0])
        )
        for here in walk(node)
    ) or not any(here.type in FUNCTIONS or here.type == "new_expression" for here in walk(node))
