"""Tricks in Go code that no exam should meet: ends of the process, questions about the exam, equal to all."""

import re

from donewhen.core.integrity.model import Mark, Role
from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.literals import canonical
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.go.grammar import params
from donewhen.verify.integrity.silencing import ANYWHERE

_EXITS = frozenset(("os.Exit", "syscall.Exit"))
_ENTRIES = re.compile(r"(?i)^(main|run|usage|help|version|parse|print|exec|execute|exit|die|fatal|show)")
_ASKING = frozenset(("testing.Testing", "testing.Short", "testing.Verbose", "testing.CoverMode"))
_STACKS = frozenset(
    ("runtime.Caller", "runtime.Callers", "runtime.CallersFrames", "runtime.FuncForPC", "runtime.Stack",
    "debug.Stack",
     "debug.PrintStack")
)  # fmt: skip
_READING = frozenset(
    (
        "os.Open",
        "os.ReadFile",
        "ioutil.ReadFile",
        "os.ReadDir",
        "os.Stat",
        "filepath.Glob",
        "os.OpenFile",
        "parser.ParseFile",
    )
)
_SWITCHES = frozenset(
    ("CI", "GITHUB_ACTIONS", "GO_TEST", "GOTEST", "TESTING", "TEST", "UNIT_TEST", "GO_TESTING", "TEST_MODE")
)
_TESTS = re.compile(r"_test\b|\.test\b|testing\.|\bTest[A-Z]|testdata")
_IGNORES = re.compile(
    r"/[/*]\s{0,99}(nolint\b.*|#nosec\b.*|lint:(?:file-)?ignore\b.*|coverage:ignore\b.*|revive:disable.*"
    rf"|Code generated .*|(?s:.){{0,200}}?(?:{ANYWHERE}).*)"
)
_EQUAL = frozenset(("Equal", "Equals", "Eq", "Is", "Matches"))
_FLAGS = re.compile(r'^"-?-?test\.')


def marks(grove: Grove, role: Role, functions: list[Twig]) -> tuple[Mark, ...]:
    package = next((kid.text for kid in grove.root.kids if kid.kind == "package_clause"), "")
    found = [*_remarks(grove), *_imports(grove)]
    for function in functions:
        label, body = function.get("name"), function.get("body")
        name = label.text if label is not None else ""
        if body is None:
            continue
        found += _equal(grove, function, name, body)
        found += _calls(grove, role, name, body, function, package.endswith(" main"))
        if name == "TestMain":
            found += _main(grove, body, function)
    found += _top(grove, role)
    return tuple(dict.fromkeys(found))


def _remarks(grove: Grove) -> list[Mark]:
    found = []
    for comment in grove.comments:
        ignore = _IGNORES.match(comment.text)
        if ignore:
            found.append(Mark("ignores-spread", comment.line, "//" + " ".join(ignore.group(1).split())))
        elif comment.text.startswith("//go:linkname") and " testing." in comment.text:
            found.append(Mark("exam-hook", comment.line, comment.text.strip()))
    return found


_BORROWED = frozenset(("testing", "assert", "require", "reflect"))
_KNOWN = re.compile(r"testify|gotest\.tools|alecthomas/assert|/quicktest")


def _imports(grove: Grove) -> list[Mark]:
    """Another package under the name of the runner or of its assertions."""
    found = []
    specs = [(spec, spec.get("path"), spec.get("name")) for spec in grove.kinds.get("import_spec", ())]
    paths = [path.text.strip('"`') if path is not None else "" for _, path, _ in specs]
    for (spec, _, alias), where in zip(specs, paths, strict=True):
        last = re.sub(r"/v\d+$", "", where).rpartition("/")[2]
        renamed = alias is not None and alias.text in _BORROWED and last != alias.text
        instead = alias is None and last == "testing" and "testing" not in paths
        if (renamed and not _KNOWN.search(where)) or instead:
            found.append(Mark("exam-hook", spec.line, grove.normal(spec)))
    return found


def _equal(grove: Grove, function: Twig, name: str, body: Twig) -> list[Mark]:
    if name not in _EQUAL or function.get("receiver") is None or not params(function):
        return []
    return [Mark("always-equal", function.line, grove.normal(function))] if _only_true(body) else []


def _only_true(body: Twig) -> bool:
    inner = body.kids[0].kids if body.kids and body.kids[0].kind == "block" else body.kids
    return len(inner) == 1 and inner[0].kind == "return" and inner[0].text.split() == ["return", "true"]


def _calls(grove: Grove, role: Role, name: str, body: Twig, function: Twig, program: bool) -> list[Mark]:
    calls = [(dotted(twig), twig) for twig in grove.inside("call", body)]
    found: list[Mark] = []
    helper = any(called in ("os.Getenv", "os.LookupEnv") for called, _ in calls)
    for called, twig in calls:
        zero = called in _EXITS and [canonical(one) for one in arguments(twig)] == ["0"]
        if (
            zero
            and name != "TestMain"
            and not (helper and role != "source")
            and not _may_exit(name, function, program, role)
        ):
            found.append(Mark("exit-call", twig.line, grove.normal(twig)))
        elif called in ("cmp.Comparer", "cmp.FilterValues") and any(_agrees(one) for one in arguments(twig)):
            found.append(Mark("always-equal", twig.line, grove.normal(twig)))
        elif called == "flag.Set" and any(_FLAGS.match(one.text) for one in arguments(twig)[:1]):
            found.append(Mark("exam-hook", twig.line, grove.normal(twig)))
        elif called in ("os.Setenv",) and name in ("init", "TestMain") and _names(twig, "PATH"):
            found.append(Mark("path-trick", twig.line, grove.normal(twig)))
    if role == "source":
        found += _detects(grove, body, calls)
    else:
        found += _arguments(grove, body)
    return found


def _agrees(argument: Twig) -> bool:
    body = argument.get("body") if argument.kind == "lambda" else None
    return body is not None and _only_true(body)


def _names(call: Twig, name: str) -> bool:
    args = arguments(call)
    return bool(args) and args[0].text.strip('"`') == name


def _may_exit(name: str, function: Twig, program: bool, role: Role) -> bool:
    """A program's own ways out: its main, its usage; never what gives a value back to a caller."""
    if name == "init" or not program or role != "source":
        return False
    return name == "main" or bool(_ENTRIES.match(name)) or function.get("result") is None


def _arguments(grove: Grove, body: Twig) -> list[Mark]:
    """`os.Args = append(os.Args, "-test.run=…")`."""
    return [
        Mark("exam-hook", twig.line, grove.normal(twig))
        for twig in grove.inside("reassign", body)
        if twig.text.startswith("os.Args") and "test." in twig.text
    ]


def _detects(grove: Grove, body: Twig, calls: list[tuple[str, Twig]]) -> list[Mark]:
    found = []
    for called, twig in calls:
        args = [one.text.strip('"`') for one in arguments(twig)]
        first = args[0] if args else ""
        asked = called in _ASKING or (called == "flag.Lookup" and first.startswith("test."))
        switch = called in ("os.Getenv", "os.LookupEnv") and first in _SWITCHES
        read = called in _READING and ("_test.go" in "".join(args) or "testdata" in "".join(args))
        own = called.startswith("strings.") and "os.Args" in "".join(args) and "test" in "".join(args[1:])
        if asked or switch or read or own:
            found.append(Mark("exam-detected", twig.line, grove.normal(twig)))
    if any(called in _STACKS for called, _ in calls):
        found += [
            Mark("exam-detected", twig.line, f"stack … {twig.text}")
            for twig in grove.inside("string", body)
            if _TESTS.search(twig.text)
        ]
    found += _environment(grove, body)
    return found


def _environment(grove: Grove, body: Twig) -> list[Mark]:
    """`os.Getenv("APP_ENV") == "test"`, `filepath.Ext(os.Args[0]) == ".test"`."""
    found = []
    for twig in grove.inside("binary", body):
        if twig.operator() not in ("==", "!="):
            continue
        sides = [kid.text for kid in twig.kids]
        asks = any("os.Getenv(" in side or "os.Args[0]" in side for side in sides)
        if asks and any(side.strip('"`').lstrip(".") in ("test", "testing", "tests") for side in sides):
            found.append(Mark("exam-detected", twig.line, grove.normal(twig)))
    return found


def _top(grove: Grove, role: Role) -> list[Mark]:
    """The same where package variables get their values: before anything else runs."""
    found: list[Mark] = []
    for declaration in grove.root.kids:
        if declaration.kind == "var_declaration":
            found += _calls(grove, role, "init", declaration, declaration, False)
    return found


def _main(grove: Grove, body: Twig, function: Twig) -> list[Mark]:
    """A TestMain that runs nothing, or says 0 whatever came out."""
    runner = (params(function) or ("m",))[0]
    calls = [(dotted(twig), twig) for twig in grove.inside("call", body)]
    if not any(called == f"{runner}.Run" for called, _ in calls) and not _passed_on(calls, runner):
        return [Mark("exam-hook", function.line, grove.normal(function))]
    found = []
    codes = {
        name.text
        for twig in grove.inside("assign", body)
        if f"{runner}.Run()" in twig.text
        for name in (twig.get("left") or twig).kids
    }
    helped = any(called in ("os.Getenv", "os.LookupEnv") for called, _ in calls)
    for called, twig in calls:
        if called in _EXITS and [canonical(one) for one in arguments(twig)] == ["0"] and not helped:
            found.append(Mark("exam-hook", twig.line, grove.normal(twig)))
    for twig in grove.inside("reassign", body):
        left = twig.get("left")
        if left is not None and left.text in codes and canonical(twig.kids[-1]) == "0":
            found.append(Mark("exam-hook", twig.line, grove.normal(twig)))
    return found


def _passed_on(calls: list[tuple[str, Twig]], runner: str) -> bool:
    """`goleak.VerifyTestMain(m)`, `os.Exit(run(m))`: someone else runs them."""
    return any(argument.text == runner for _, twig in calls for argument in arguments(twig))
