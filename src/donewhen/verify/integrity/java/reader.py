"""A Java file as integrity sees it."""

import re
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, Branch, Role, Sheet, Test
from donewhen.verify.integrity.curly.branching import Function, Ways, branches
from donewhen.verify.integrity.curly.demands import Maker
from donewhen.verify.integrity.curly.grove import Grove, grow
from donewhen.verify.integrity.curly.scope import Scope, declared, gather
from donewhen.verify.integrity.curly.sheets import Outer, Values, tested, troubles, whole_digest
from donewhen.verify.integrity.curly.telling import Helper, Reading, Teller, told
from donewhen.verify.integrity.java import asserting, grammar
from donewhen.verify.integrity.java.classes import Annotation, Class, Method, members
from donewhen.verify.integrity.java.marks import marks
from donewhen.verify.integrity.java.rows import rows

_TESTS = frozenset(
    (
        "Test",
        "ParameterizedTest",
        "RepeatedTest",
        "TestFactory",
        "TestTemplate",
        "Property",
        "Theory",
        "Example",
        "ArchTest",
    )
)
_BEFORE = frozenset(
    (
        "BeforeEach",
        "BeforeAll",
        "Before",
        "BeforeClass",
        "BeforeMethod",
        "BeforeTest",
        "BeforeSuite",
        "Rule",
        "ClassRule",
    )
)
_OFF = frozenset(("Disabled", "Ignore"))
_SOMETIMES = re.compile(
    r"(Disabled|Enabled)(If|On|For|Until|In)|IfProfileValue|EnabledIf|DisabledIf|RequiresDocker"
)
_MEANT = re.compile(r"//\s*(NOPMD|NOSONAR|CHECKSTYLE|noinspection)")


class _File(NamedTuple):
    grove: Grove
    values: Values
    teller: Teller
    scope: Scope
    methods: list[Method]
    jupiter: bool
    extended: frozenset[str]  # classes of the file that others of it extend
    suppliers: dict[str, Method]
    before: dict[str, list[tuple[str, bool]]]


def read(path: str, data: bytes, role: Role) -> Sheet:
    grove = grow("java", data, grammar.KINDS)
    listed = list(members(grove.root))
    classes = [one for one in listed if isinstance(one, Class)]
    methods = [one for one in listed if isinstance(one, Method)]
    values = Values(grove, grammar.TONGUE.makers)
    scope = _constants(grove)
    remarks = [comment.text.strip() for comment in grove.comments if _MEANT.match(comment.text)]
    tests: list[Test] = []
    if role != "source" or b"@Test" in data or b"TestCase" in data:
        tests = _tests(grove, values, scope, classes, methods, role)
    return Sheet(
        path,
        role,
        "java",
        tuple(tests),
        marks(grove, role, classes, methods),
        _branches(methods, scope) if role in ("source", "support") else (),
        values.all(),
        _defines(classes, methods, scope),
        whole_digest(grove, remarks),
        troubles(grove, values, data, "Java"),
    )


def _constants(grove: Grove) -> Scope:
    scope: Scope = {}
    for field in grove.kinds.get("field_declaration", ()):
        if any(kid.kind == "modifiers" and "final" in kid.text for kid in field.kids):
            scope = declared(field, scope, grammar.TONGUE, frozenset())
    return scope


def _defines(classes: list[Class], methods: list[Method], scope: Scope) -> frozenset[str]:
    found = {one.name for one in classes} | {one.name.rpartition(".")[2] for one in classes} | set(scope)
    for method in methods:
        found.add(method.name)
        if method.owner is not None:
            found.add(f"{method.owner.name}.{method.name}")
    return frozenset(found)


def _flavour(grove: Grove) -> frozenset[str]:
    imports = " ".join(kid.text for kid in grove.root.kids if kid.kind == "import_declaration")
    if "org.testng" in imports:
        return frozenset((asserting.TESTNG,))
    return frozenset((asserting.JUNIT4,)) if "jupiter" not in imports else frozenset()


def _tests(
    grove: Grove, values: Values, scope: Scope, classes: list[Class], methods: list[Method], role: Role
) -> list[Test]:
    helpers = {
        method.name: Helper(grammar.params(method.twig), body, scope)
        for method in methods
        if (body := method.twig.get("body")) is not None
    }
    flavour = _flavour(grove)
    teller = Teller(
        Maker(grove, grammar.TONGUE, asserting.PREDICATES),
        asserting.tell,
        grammar.columns,
        grammar.params,
        helpers,
        frozenset(method.name for method in methods if _annotated(method)),
        flavour,
    )
    extended = frozenset(name for one in classes for name in re.findall(r"\w+", one.parents))
    before = _before(teller, scope, methods)
    file = _File(grove, values, teller, scope, methods, not flavour, extended, _suppliers(methods), before)
    found = [test for method in methods if (test := _test(file, method)) is not None]
    return found if found or role != "test" else _programs(file)


def _annotated(method: Method) -> Annotation | None:
    return next((one for one in method.annotations if one.name in _TESTS), None)


def _collected(file: _File, method: Method) -> bool:
    """Whether the runner would take it: by annotation, by its class's, or by name in JUnit 3."""
    owner = method.owner
    if _annotated(method) is not None:
        lonely = (
            owner is not None
            and owner.above is not None
            and not any(one.name == "Nested" for one in owner.annotations)
        )
        inner = file.jupiter and lonely and owner is not None and "static" not in owner.words
        return not inner and not (file.jupiter and method.words & {"private", "static"})
    if owner is None:
        return False
    if "TestCase" in owner.parents:
        return (
            method.name.startswith("test")
            and "private" not in method.words
            and not grammar.params(method.twig)
        )
    whole = any(one.name == "Test" for one in owner.annotations)
    return (
        whole
        and "public" in method.words
        and not any(one.name in _BEFORE or "After" in one.name for one in method.annotations)
    )


def _test(file: _File, method: Method) -> Test | None:
    body = method.twig.get("body")
    if body is None or not _collected(file, method):
        return None
    table = rows(method, file.suppliers, file.scope)
    scope = {**file.scope, **dict.fromkeys(grammar.params(method.twig)), **table.columns}
    reading = told(file.teller, body, scope)
    outer = _outer(file, method, reading)._replace(cases=table.cases, literals=table.literals)
    name = f"{method.owner.name}.{method.name}" if method.owner is not None else method.name
    start = method.twig.node.start_byte
    return tested(file.grove, file.values, name, method.twig, reading, outer, start, method.twig.get("name"))


def _outer(file: _File, method: Method, reading: Reading) -> Outer:
    disabled, conditional = "", False
    for text, sometimes in _switches(file, method):
        if not disabled or (conditional and not sometimes):
            disabled, conditional = text, sometimes
    annotation = _annotated(method)
    expected = (
        annotation.value("expected") or annotation.value("expectedExceptions")
        if annotation is not None
        else None
    )
    if expected is None or annotation is None:
        return Outer(disabled, conditional)
    kind = expected.text.removesuffix(".class").rpartition(".")[2]
    side = gather(method.twig.get("body") or method.twig, file.scope, grammar.TONGUE)
    text = file.grove.normal(annotation.twig)
    demanded = Assertion(text, method.twig.line, "raises", side.subjects, side.literals, (kind,))
    hides = text if kind in ("AssertionError", "Error", "Throwable") and reading.asserts else ""
    return Outer(disabled, conditional, hides, (demanded,))


def _switches(file: _File, method: Method) -> list[tuple[str, bool]]:
    """Whatever keeps the test from running: its annotations, those of its classes, what runs before it."""
    holders: list[Method | Class] = [method]
    above = method.owner
    while above is not None:
        holders.append(above)
        above = above.above
    found = [switch for holder in holders for switch in _annotations(file, holder)]
    classes = [holder for holder in holders if isinstance(holder, Class)]
    alone = [one.name for one in classes if "abstract" in one.words and one.name not in file.extended]
    found += [(f"abstract class {name}", False) for name in alone]
    return found + [switch for one in classes for switch in file.before.get(one.name, ())]


def _before(teller: Teller, scope: Scope, methods: list[Method]) -> dict[str, list[tuple[str, bool]]]:
    """By class: what skips its tests before they begin."""
    found: dict[str, list[tuple[str, bool]]] = {}
    for method in methods:
        body = method.twig.get("body")
        if method.owner is None or body is None:
            continue
        if method.name == "setUp" or any(one.name in _BEFORE for one in method.annotations):
            found.setdefault(method.owner.name, []).extend(told(teller, body, scope).skips)
    return found


def _suppliers(methods: list[Method]) -> dict[str, Method]:
    """Methods by their names, and by those that they are registered under as suppliers of rows."""
    found = {method.name: method for method in methods}
    for method in methods:
        for annotation in method.annotations:
            registered = annotation.value("name") if annotation.name == "DataProvider" else None
            if registered is not None:
                found[registered.text.strip('"')] = method
    return found


def _annotations(file: _File, holder: Method | Class) -> list[tuple[str, bool]]:
    found = []
    for one in holder.annotations:
        text = file.grove.normal(one.twig)
        enabled = one.value("enabled") if one.name == "Test" else None
        if one.name in _OFF or (enabled is not None and enabled.text == "false"):
            found.append((text, False))
        elif _SOMETIMES.match(one.name):
            found.append((text, True))
    return found


def _programs(file: _File) -> list[Test]:
    """A test that is a program of its own: `main` with checks in it."""
    found = []
    for method in file.methods:
        body = method.twig.get("body")
        if method.name != "main" or "static" not in method.words or body is None:
            continue
        reading = told(file.teller, body, file.scope)
        if reading.asserts:
            name = f"{method.owner.name}.main" if method.owner is not None else "main"
            start = method.twig.node.start_byte
            found.append(tested(file.grove, file.values, name, method.twig, reading, Outer(), start, None))
    return found


def _branches(methods: list[Method], scope: Scope) -> tuple[Branch, ...]:
    ways = Ways(grammar.TONGUE, grammar.arm, lambda switch: switch.get("condition"), {})
    functions = []
    for method in methods:
        body = method.twig.get("body")
        kind = method.twig.get("type")
        if body is not None:
            named = frozenset(grammar.params(method.twig))
            functions.append(Function(method.name, named, body, kind is not None and kind.text != "void"))
    return branches(functions, ways, scope)
