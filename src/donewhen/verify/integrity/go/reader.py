"""A Go file as integrity sees it."""

import re
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, Branch, Role, Sheet, Test
from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.curly.branching import Function, Ways, branches
from donewhen.verify.integrity.curly.demands import Maker
from donewhen.verify.integrity.curly.grove import Grove, Twig, grow
from donewhen.verify.integrity.curly.literals import quoted, string
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.curly.scope import Scope, declared, gather
from donewhen.verify.integrity.curly.sheets import Outer, Values, tested, troubles, whole_digest
from donewhen.verify.integrity.curly.telling import Helper, Reading, Step, Teller, told
from donewhen.verify.integrity.go import asserting, grammar
from donewhen.verify.integrity.go.build import taken_out
from donewhen.verify.integrity.go.marks import marks

_NAME = re.compile(r"(Test|Benchmark|Fuzz|Example)(?![a-z])")
_WANTS = {"Test": "testing.T", "Benchmark": "testing.B", "Fuzz": "testing.F"}
_OUTPUT = re.compile(r"//\s*(?:unordered )?output:(.*)", re.IGNORECASE)
_MEANT = re.compile(r"//\s*(go:|\+build|nolint|lint:|#nosec)")


class _File(NamedTuple):
    grove: Grove
    values: Values
    teller: Teller
    scope: Scope
    out: Outer


def read(path: str, data: bytes, role: Role) -> Sheet:
    grove = grow("go", data, grammar.KINDS)
    functions = grove.kinds.get("func", [])
    values = Values(grove, grammar.TONGUE.makers)
    scope = _module(grove)
    remarks = [comment.text.strip() for comment in grove.comments if _MEANT.match(comment.text)]
    tests: list[Test] = []
    if role != "source" or b"*testing." in data:
        tests = _tests(grove, values, functions, scope, remarks)
    return Sheet(
        path,
        role,
        "go",
        tuple(tests),
        marks(grove, role, functions),
        _branches(functions, scope) if role in ("source", "support") else (),
        values.all(),
        _defines(grove, functions),
        whole_digest(grove, remarks),
        troubles(grove, values, data, "Go"),
    )


def _module(grove: Grove) -> Scope:
    scope: Scope = {}
    for kid in grove.root.kids:
        if kid.kind in ("const_declaration", "var_declaration"):
            scope = declared(kid, scope, grammar.TONGUE, frozenset())
    return scope


def _label(function: Twig) -> str:
    name = function.get("name")
    return name.text if name is not None else ""


def _defines(grove: Grove, functions: list[Twig]) -> frozenset[str]:
    found: set[str] = set()
    for function in functions:
        owner = grammar.receiver(function)[1]
        found.add(_label(function))
        if owner:
            found.add(f"{owner}.{_label(function)}")
    for spec in grove.kinds.get("type_spec", ()):
        found.add(_label(spec))
    return frozenset(found | set(_module(grove)))


def _tests(
    grove: Grove, values: Values, functions: list[Twig], scope: Scope, remarks: list[str]
) -> list[Test]:
    package = next((kid.node.start_byte for kid in grove.root.kids if kid.kind == "package_clause"), 0)
    out = Outer(taken_out(grove.comments, package))
    remarks += [comment.text for comment in grove.comments if _OUTPUT.match(comment.text)]
    helpers = {
        _label(function): Helper(grammar.params(function), body, scope)
        for function in functions
        if (body := function.get("body")) is not None and not _NAME.match(_label(function))
    }
    known = grammar.structs(grove)
    imports = " ".join(spec.text for spec in grove.kinds.get("import_spec", ()))
    words = {grammar.receiver(function)[0] for function in functions} if "testify/suite" in imports else set()
    if "matryer/is" in imports:
        words.add("is")
    if "check.v1" in imports or "quicktest" in imports:
        words.add("c")
    teller = Teller(
        Maker(grove, grammar.TONGUE, asserting.PREDICATES, asserting.ERRORS),
        asserting.tell,
        lambda loop, around: grammar.columns(loop, around, known),
        grammar.params,
        helpers,
        frozenset(name for function in functions if _NAME.match(name := _label(function))),
        frozenset(words - {""}),
    )
    file = _File(grove, values, teller, scope, out)
    suites = "testify/suite" in imports or "check.v1" in imports
    return [test for function in functions for test in _function(file, function, suites)]


def _function(file: _File, function: Twig, suites: bool) -> list[Test]:
    name, body = _label(function), function.get("body")
    kind = _NAME.match(name)
    if kind is None or body is None or name == "TestMain":
        return []
    owner = grammar.receiver(function)[1]
    listed = function.get("parameters")
    written = listed.text if listed is not None else ""
    if owner:
        if not suites or kind.group(1) != "Test":
            return []
        name = f"{owner}/{name}"
    elif kind.group(1) == "Example":
        return _example(file, function, body, name)
    elif _WANTS[kind.group(1)] not in written or len(grammar.params(function)) > 1:
        return []
    reading = told(file.teller, body, {**file.scope, **dict.fromkeys(grammar.params(function))})
    _corpus(file, reading, body)
    _faked(file, reading, function)
    start = function.node.start_byte
    whole = tested(file.grove, file.values, name, function, reading, file.out, start, function.get("name"))
    parts = _parts(file, whole, reading)
    return parts if parts and not reading.asserts else [whole, *parts]


def _corpus(file: _File, reading: Reading, body: Twig) -> None:
    """Seeds of a fuzz test are its rows."""
    seeds = sum(1 for one in file.grove.inside("call", body) if dotted(one) == "f.Add")
    reading.cases = max(reading.cases, seeds)


def _faked(file: _File, reading: Reading, function: Twig) -> None:
    """`t := &testing.T{}` hides every failure that follows."""
    for twig in (*file.grove.inside("assign", function), *file.grove.inside("reassign", function)):
        if "testing.T" not in twig.text:
            continue
        for name, value in grammar.assigned(twig):
            made = value.text.replace(" ", "") if value is not None else ""
            if name == "t" and made in ("&testing.T{}", "new(testing.T)", "testing.T{}"):
                reading.swallows = reading.swallows or file.grove.normal(twig)


def _parts(file: _File, whole: Test, reading: Reading) -> list[Test]:
    """Parts with a written name, as the runner shows them: `TestSum/of_two`; what has only parts is none."""
    found: list[Test] = []
    waiting: list[tuple[Test, Step]] = [(whole, step) for step in reading.subs]
    while waiting:
        above, (call, scope, _) = waiting.pop(0)
        title, closure = arguments(call)
        label = f"{above.name}/{string(title.text)[1:-1].replace(' ', '_')}"
        body = closure.get("body") if closure.kind == "lambda" else None
        if body is None:
            continue
        inner = told(file.teller, body, scope)
        start = call.node.start_byte
        out = Outer(above.disabled, above.conditional)
        part = tested(file.grove, file.values, label, call, inner, out, start, title)
        if inner.asserts or not inner.subs:
            found.append(part)
        waiting += [(part, step) for step in inner.subs]
    return found


def _example(file: _File, function: Twig, body: Twig, name: str) -> list[Test]:
    """An example runs only if it says what it prints."""
    start, end = body.span
    lines = [comment for comment in file.grove.comments if start < comment.start < end]
    at = next((number for number, one in enumerate(lines) if _OUTPUT.match(one.text)), None)
    if at is None:
        return []
    head = _OUTPUT.match(lines[at].text)
    printed = [head.group(1) if head else "", *(one.text.removeprefix("//") for one in lines[at + 1 :])]
    expected = tuple(quoted(line.strip()) for line in printed if line.strip())
    side = gather(body, file.scope, grammar.TONGUE)
    text = "Output: " + " ".join(line.strip() for line in printed if line.strip())
    output = Assertion(text, lines[at].line, "equal", side.subjects, side.literals, expected)
    reading = told(file.teller, body, file.scope)
    outer = file.out._replace(asserts=(output,), literals=expected)
    made = tested(
        file.grove,
        file.values,
        name,
        function,
        reading,
        outer,
        function.node.start_byte,
        function.get("name"),
    )
    return [made._replace(digest=syntax.digest(made.digest, text))]


def _arm(arm: Twig) -> tuple[list[Twig], list[Twig]]:
    value = arm.get("value")
    return (list(value.kids) if value is not None else []), [kid for kid in arm.kids if kid is not value]


def _branches(functions: list[Twig], scope: Scope) -> tuple[Branch, ...]:
    ways = Ways(grammar.TONGUE, _arm, lambda switch: switch.get("value"), {})
    listed = []
    for function in functions:
        body = function.get("body")
        if body is not None:
            names = {*grammar.params(function), grammar.receiver(function)[0]} - {"", "_"}
            named = frozenset(names) or (frozenset(("_",)) if grammar.params(function) else frozenset())
            listed.append(Function(_label(function), named, body, function.get("result") is not None))
    return branches(listed, ways, scope)
