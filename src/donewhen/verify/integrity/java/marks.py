"""Tricks in Java code that no exam should meet: exits, questions about the exam, objects equal to all."""

import re

from donewhen.core.integrity.model import Mark, Role
from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.literals import canonical
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.java.classes import Class, Method
from donewhen.verify.integrity.silencing import ANYWHERE

_SHADOWED = re.compile(
    r"package\s+(org\.junit|junit\.|org\.hamcrest|org\.testng|org\.assertj|org\.mockito|org\.opentest4j)"
)
_KNOWN = re.compile(
    r"org\.junit|junit\.|org\.testng|org\.assertj|org\.hamcrest|com\.google\.common\.truth|org\.mockito|kotlin\.test"
    r"|io\.restassured|org\.springframework|org\.easymock|org\.powermock|org\.awaitility|reactor\.test|io\.vavr"
)
_STANDARD = re.compile(
    r"(assert(?:Equals|True|False|Null|NotNull|Same|NotSame|Throws|ArrayEquals|NotEquals|That)|fail)$"
)
_EXITS = frozenset(("System.exit", "Runtime.getRuntime().exit"))
_SWITCHES = frozenset(("CI", "GITHUB_ACTIONS", "TEST", "TESTING", "UNIT_TEST", "TEST_MODE"))
_PROPERTY = re.compile(r"surefire|failsafe|junit|testng|org\.gradle\.test|^test$|^testing$|basedir\.test")
_STACKS = ("getStackTrace", "StackWalker", "getAllStackTraces", "dumpStack")
_TESTS = re.compile(r"(?i)junit|surefire|testng|\btest|Test\b|Tests\b|src/test")
_IGNORES = re.compile(
    r"/[/*]\s{0,99}(NOPMD\b.*|CHECKSTYLE[: ]OFF.*|CHECKSTYLE:SUPPRESS.*|noinspection\b.*|@formatter:off"
    rf"|(?s:.){{0,200}}?(?:{ANYWHERE}).*)"
)
_HOOKS = {
    "TestExecutionExceptionHandler": "handleTestExecutionException",
    "InvocationInterceptor": "intercept",
    "IInvokedMethodListener": "setStatus",
    "ITestListener": "setStatus",
    "IAnnotationTransformer": "setEnabled",
    "ExecutionCondition": "evaluateExecutionCondition",
    "TestRule": "apply",
    "MethodRule": "apply",
    "BlockJUnit4ClassRunner": "runChild",
    "IHookable": "run",
}
_EQUAL = frozenset(("equals", "matches", "matchesSafely", "equalsIgnoreCase"))


def marks(grove: Grove, role: Role, classes: list[Class], methods: list[Method]) -> tuple[Mark, ...]:
    found: list[Mark] = []
    for comment in grove.comments:
        ignore = _IGNORES.match(comment.text)
        if ignore and "formatter" not in comment.text:
            found.append(Mark("ignores-spread", comment.line, "//" + " ".join(ignore.group(1).split())))
    found += _declared(grove)
    for one in classes:
        found += _hooked(grove, one)
    for annotations in (*(one.annotations for one in classes), *(one.annotations for one in methods)):
        for annotation in annotations:
            if annotation.name.startswith("Suppress") or "Jacoco" in annotation.name:
                found.append(Mark("ignores-spread", annotation.twig.line, grove.normal(annotation.twig)))
    for method in methods:
        found += _method(grove, role, method)
    found += _beginnings(grove, role)
    return tuple(dict.fromkeys(found))


def _declared(grove: Grove) -> list[Mark]:
    found = []
    for kid in grove.root.kids:
        if kid.kind == "package_declaration" and _SHADOWED.match(kid.text):
            found.append(Mark("shim", kid.line, grove.normal(kid)))
        elif kid.kind == "import_declaration" and kid.text.startswith("import static"):
            path = kid.text.removeprefix("import static").strip(" ;\n")
            if _STANDARD.search(path) and not _KNOWN.match(path):
                found.append(Mark("exam-hook", kid.line, grove.normal(kid)))
    return found


def _hooked(grove: Grove, one: Class) -> list[Mark]:
    """Extensions of the runner that can turn a failure into something else."""
    parents = one.parents
    text = one.twig.text
    for parent, word in _HOOKS.items():
        if not re.search(rf"\b{parent}\b", parents) or word not in text:
            continue
        caught = re.search(r"catch\s*\(\s*(?:final\s+)?(?:Throwable|AssertionError|Error)\b", text)
        if parent == "TestExecutionExceptionHandler":
            tricky = "throw " not in text
        elif parent in ("ITestListener", "IInvokedMethodListener"):
            tricky = "SUCCESS" in text or "setStatus(1)" in text.replace(" ", "")
        elif parent == "ExecutionCondition":
            tricky = "disabled(" in text
        elif parent == "IAnnotationTransformer":
            tricky = "setEnabled(false)" in text.replace(" ", "")
        else:
            tricky = bool(caught) or not re.search(
                r"proceed\(|evaluate\(|super\.|callBack|runTestMethod", text
            )
        if tricky:
            return [Mark("exam-hook", one.twig.line, f"class {one.name} {' '.join(parents.split())} {word}")]
    return []


def _method(grove: Grove, role: Role, method: Method) -> list[Mark]:
    body = method.twig.get("body")
    if body is None:
        return []
    found: list[Mark] = []
    if method.name in _EQUAL and method.twig.get("parameters") is not None and _only(body, "true"):
        found.append(Mark("always-equal", method.twig.line, grove.normal(method.twig)))
    if _STANDARD.match(method.name) and not body.kids:
        found.append(Mark("exam-hook", method.twig.line, grove.normal(method.twig)))
    calls = [(dotted(twig), twig) for twig in grove.inside("call", body)]
    for name, twig in calls:
        found += _ended(grove, role, method, name, twig)
        if role == "source":
            found += _asked(grove, name, twig)
    if role == "source" and any(word in body.text for word in _STACKS):
        found += [
            Mark("exam-detected", twig.line, f"stack … {twig.text}")
            for twig in grove.inside("string", body)
            if _TESTS.search(twig.text)
        ]
    return found


def _beginnings(grove: Grove, role: Role) -> list[Mark]:
    """What runs when a class is loaded: static blocks and the values of fields."""
    found: list[Mark] = []
    for kind in ("static_initializer", "field_declaration"):
        for start in grove.kinds.get(kind, ()):
            for twig in grove.inside("call", start):
                found += _ended(grove, "test", None, dotted(twig), twig)
                found += _asked(grove, dotted(twig), twig) if role == "source" else ()
    return found


def _only(body: Twig, answer: str) -> bool:
    return (
        len(body.kids) == 1
        and body.kids[0].kind == "return"
        and body.kids[0].text.split()[1:] == [f"{answer};"]
    )


def _ended(grove: Grove, role: Role, method: Method | None, name: str, twig: Twig) -> list[Mark]:
    args = [canonical(one) for one in arguments(twig)]
    if name.endswith(".halt") and "Runtime" in name and args == ["0"]:
        return [Mark("exit-call", twig.line, grove.normal(twig))]
    if (
        name in _EXITS
        and args == ["0"]
        and not (role == "source" and method is not None and _may_exit(method))
    ):
        return [Mark("exit-call", twig.line, grove.normal(twig))]
    if name == "System.setSecurityManager":
        return [Mark("exam-hook", twig.line, grove.normal(twig))]
    if name.endswith(".addShutdownHook") and re.search(r"halt\s*\(", twig.text):
        return [Mark("exit-call", twig.line, grove.normal(twig))]
    return []


def _may_exit(method: Method) -> bool:
    """A program's main and what prints its usage; never what answers a caller, nor a class's beginning."""
    kind = method.twig.get("type")
    entry = re.match(r"(?i)(main|run|usage|help|version|print|exit|quit|show|parse|on|handle)", method.name)
    return bool(entry) and (kind is None or kind.text == "void")


def _asked(grove: Grove, name: str, twig: Twig) -> list[Mark]:
    texts = [one.text.strip('"') for one in arguments(twig) if one.kind == "string"]
    first = texts[0] if texts else ""
    env = name == "System.getenv" and first in _SWITCHES
    prop = name in ("System.getProperty", "Boolean.getBoolean") and bool(_PROPERTY.search(first))
    loaded = name.endswith(("Class.forName", ".loadClass")) and bool(
        re.search(r"junit|testng|surefire", first)
    )
    read = name in (
        "Files.readString",
        "Files.readAllLines",
        "Files.lines",
        "Path.of",
        "Paths.get",
        "Files.exists",
    ) and ("src/test" in " ".join(texts))
    path = name.endswith(".contains") and "java.class.path" in twig.text and bool(_TESTS.search(first))
    if env or prop or loaded or read or path:
        return [Mark("exam-detected", twig.line, grove.normal(twig))]
    return []
