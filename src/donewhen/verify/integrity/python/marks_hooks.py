"""Marks for patched runners: assertions replaced or overridden, loading and results taken over.

A test case may have assertions of its own; it may not answer for those of the runner.
"""

import re

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.assertions import is_known_assertion
from donewhen.verify.integrity.python.collecting import is_test_case
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.outline import Class, Function
from donewhen.verify.integrity.python.page import Page
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node

_RUNNERS = ("unittest", "pytest", "_pytest", "doctest", "nose", "numpy.testing", "hypothesis")
_MEMBER = re.compile(
    r"^(?:assert\w*|_?fail\w*|run\w*|main|__call__|Test\w+|TextTest\w+|skip\w*|raises|approx|wasSuccessful"
    r"|add(?:Failure|Error|Success|SubTest|UnexpectedSuccess)|testMethodPrefix|_call\w+|exit|AssertionError"
    r"|check_output|OutputChecker|DocTestRunner|testmod)$"
)
_HARMLESS = re.compile(r"^(?:maxDiff|longMessage|_diffThreshold|_MAX_LENGTH|ELLIPSIS_MARKER)$")
_TAKEN_OVER = frozenset(
    "run __call__ debug fail failureException _callTestMethod _callSetUp _formatMessage "
    "_getAssertEqualityFunc _feedErrorsToResult countTestCases defaultTestResult __init_subclass__".split()
)
_RESULT = frozenset("addFailure addError addSubTest wasSuccessful addUnexpectedSuccess".split())
_BUILTINS_HONEST = frozenset(("input", "print", "open", "_", "breakpoint"))
_IMPORT_HOOKS = frozenset(("sys.meta_path", "sys.path_hooks"))


def hook_marks(page: Page) -> list[Mark]:
    return [*_assigned(page), *_called(page), *_classes(page), *_functions(page)]


def _mark(node: Node) -> Mark:
    return Mark("exam-hook", node.line, normal(node))


def _assigned(page: Page) -> list[Mark]:
    out: list[Mark] = []
    for kind in ("assignment", "augmented_assignment"):
        for node in page.light.index.get(kind, ()):
            target = node.get("left")
            if target is None:
                continue
            if (
                (target.kind == "attribute" and _is_runners(page.names.dotted(target), page))
                or (target.kind == "subscript" and _is_module_slot(target, page))
                or target.word == "AssertionError"
            ):
                out.append(_mark(node))
    deleted = page.light.index.get("delete_statement", ())
    out.extend(
        _mark(node)
        for node in deleted
        if any(_is_runners(page.names.dotted(part), page) for part in node.parts)
    )
    return out


def _is_runners(name: str, page: Page) -> bool:
    """Whether the name is a member of the runner, or an assertion of a test case."""
    home, _, last = name.rpartition(".")
    if not home or _HARMLESS.match(last):
        return False
    root = home.partition(".")[0]
    if root == "_pytest":
        return True
    if root in _RUNNERS or home.startswith("numpy.testing"):
        return _MEMBER.match(last) is not None and not home.startswith("unittest.mock")
    if root == "builtins":
        return last not in _BUILTINS_HONEST
    if home in ("self", "cls", "TestCase") or home in page.classes:
        return is_known_assertion(last) or (last in _TAKEN_OVER and _is_case(home, page))
    return False


def _is_case(home: str, page: Page) -> bool:
    return home in page.classes and is_test_case(page.classes[home], page)


def _is_module_slot(target: Node, page: Page) -> bool:
    """`sys.modules["pytest"] = …`."""
    value, key = target.get("value"), target.get("subscript")
    if value is None or key is None or page.names.dotted(value) != "sys.modules":
        return False
    module = atoms.unquoted(key.word) or ""
    return module.partition(".")[0] in _RUNNERS


def _called(page: Page) -> list[Mark]:
    out: list[Mark] = []
    for call in page.light.index.get("call", ()):
        name = page.names.called(call)
        last = name.rpartition(".")[2]
        if (
            (last in ("setattr", "patch", "object", "delattr") and _patches(call, name, page))
            or name in ("sys.settrace", "sys.setprofile", "sys.addaudithook", "threading.settrace")
            or (name.rpartition(".")[0] in _IMPORT_HOOKS and last in ("insert", "append"))
            or (name in ("unittest.main", "unittest.TestProgram", "pytest.main") and _narrowed(call, page))
        ):
            out.append(_mark(call))
    return out


def _patches(call: Node, name: str, page: Page) -> bool:
    given = arguments(call)
    if not given or not (name in ("setattr", "delattr") or "patch" in name):
        return False
    member = atoms.unquoted(given[1].word) if len(given) > 1 else None
    target = atoms.unquoted(given[0].word)
    spelled = target if target is not None else f"{page.names.dotted(given[0])}.{member}"
    return _is_runners(spelled, page) and not spelled.startswith("builtins.")


_SELECTING = re.compile(r"^(?:-k|-m|--deselect|--ignore|--co|--collect-only|--lf|[A-Z]\w*(?:\.\w+)*)")


def _narrowed(call: Node, page: Page) -> bool:
    """A runner that is started for a part of the tests only."""
    named = keywords(call)
    if "defaultTest" in named and named["defaultTest"].kind != "none":
        return True
    given = named.get("argv") or named.get("args") or next(iter(arguments(call)[:1]), None)
    if given is None or given.kind not in ("list", "tuple"):
        return False
    words = [atoms.unquoted(part.word) or "" for part in given.parts]
    words = words[1:] if "argv" in named else words
    return any(_SELECTING.match(word) for word in words)


def _classes(page: Page) -> list[Mark]:
    out: list[Mark] = []
    for each in page.outline.classes:
        methods = page.by_home.get(each.qual, [])
        values = page.values.bindings(each.node).values if methods or each.bases else {}
        if is_test_case(each, page):
            out.extend(_overridden(method, page) for method in methods if _overrides(method, page))
            out.extend(
                Mark("exam-hook", each.node.line, f"{each.name}.{name}")
                for name in values
                if is_known_assertion(name) or name in _TAKEN_OVER
            )
        if _is_result(each):
            out.extend(_overridden(method, page) for method in methods if _drops_result(method, page))
        if page.role in ("test", "support") and _is_meta(each):
            out.extend(_overridden(method, page) for method in methods if _touches_tests(method, page))
        if each.name == "AssertionError":
            out.append(Mark("exam-hook", each.node.line, f"class {each.name}"))
    return out


def _overridden(method: Function, page: Page) -> Mark:
    return Mark("exam-hook", method.node.line, f"def {method.qual}")


def _overrides(method: Function, page: Page) -> bool:
    """Answers in place of the runner; one that hands on to the original only adds to it."""
    if method.name == "__init_subclass__":
        return _touches_tests(method, page)
    if not is_known_assertion(method.name) and method.name not in _TAKEN_OVER:
        return False
    if method.name in ("run", "__call__", "debug", "_callTestMethod"):
        return True
    return not _hands_on(method, page)


def _hands_on(method: Function, page: Page) -> bool:
    names = (page.names.called(call) for call in page.inside(method.node, "call"))
    return any(name.startswith("super()") or name.endswith(f"TestCase.{method.name}") for name in names)


def _is_result(each: Class) -> bool:
    return any(base.endswith(("TestResult", "TestRunner", "TextTestResult")) for base in each.bases)


def _drops_result(method: Function, page: Page) -> bool:
    return method.name in _RESULT and not _hands_on(method, page)


def _is_meta(each: Class) -> bool:
    return "type" in each.bases or "ABCMeta" in "".join(each.bases)


def _touches_tests(method: Function, page: Page) -> bool:
    words = (atoms.unquoted(node.word) or "" for node in page.inside(method.node, "string"))
    names = {page.names.called(call) for call in page.inside(method.node, "call")}
    changes = names & {"setattr", "delattr"} or page.inside(method.node, "delete_statement")
    return bool(changes) or any(word.startswith("test") for word in words)


def _functions(page: Page) -> list[Mark]:
    out: list[Mark] = []
    for function in page.outline.functions:
        if function.name == "load_tests" and not function.in_class and not _loads_all(function, page):
            out.append(Mark("exam-hook", function.node.line, f"load_tests: {_returned(function, page)}"))
        elif function.name == "visit_Assert" or (
            function.name in ("assertEqual", "assertTrue", "assertFalse") and page.role == "source"
        ):
            out.append(Mark("exam-hook", function.node.line, f"def {function.qual}"))
    return out


def _loads_all(function: Function, page: Page) -> bool:
    """It returns the tests that it was given, with others added."""
    if len(function.params) < 2:
        return False
    given = function.params[1]
    if given in page.values.bindings(function.node).values:
        return False
    returns = page.inside(function.node, "return_statement")
    return bool(returns) and all(node.parts and node.parts[0].word == given for node in returns)


def _returned(function: Function, page: Page) -> str:
    return "; ".join(normal(node) for node in page.inside(function.node, "return_statement")[:3])
