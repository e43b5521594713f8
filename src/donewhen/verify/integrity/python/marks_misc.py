"""Marks for objects that equal everything, for surroundings that code changes, and for silenced checkers."""

import re
from bisect import bisect_right

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.outline import Function, scope_of
from donewhen.verify.integrity.python.page import Page, place_in
from donewhen.verify.integrity.python.text import PRAGMA, normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import truth

_EQUALITY = frozenset(("__eq__", "__contains__", "__instancecheck__"))
_STARTUP = frozenset(
    "PYTHONSTARTUP PYTEST_ADDOPTS PYTEST_PLUGINS PYTHONOPTIMIZE NODE_OPTIONS PYTHONHOME".split()
)
_STARTUP_FILE = re.compile(r"(?:^|/)(?:sitecustomize|usercustomize)\.py$|\.pth$")
_PLAIN = frozenset(("str", "int", "float", "bytes", "list", "tuple", "dict", "set", "frozenset"))
_WRITES = frozenset("open write write_text write_bytes copy copyfile symlink_to symlink move rename".split())


def misc_marks(page: Page) -> list[Mark]:
    return [*_always_equal(page), *_surroundings(page), *_written(page), *_ignores(page)]


def _always_equal(page: Page) -> list[Mark]:
    out = [
        Mark("always-equal", function.node.line, f"def {function.qual}: return True")
        for function in page.outline.functions
        if function.name in _EQUALITY and function.in_class and _always_true(function, page)
        if page.role != "test" or not function.in_function
    ]
    out += _own_equality(page)
    for node in page.light.index.get("assignment", ()):
        target, value = node.get("left"), node.get("right")
        name = target.word or (target.kids[-1].word if target.kids else "") if target is not None else ""
        body = value.get("body") if value is not None and value.kind == "lambda" else None
        if name == "__eq__" and truth(body, place_in(page, None)) is True:
            out.append(Mark("always-equal", node.line, normal(node)))
    if page.role == "source" and "unittest.mock.ANY" in page.names.full.values():
        out.extend(_returned_any(page))
    return out


def _own_equality(page: Page) -> list[Mark]:
    """A value of a built-in kind that says itself what it is equal to: its text or number counts no more."""
    if page.role != "source":
        return []
    plain = {each.qual for each in page.outline.classes if _PLAIN.intersection(each.bases)}
    return [
        Mark("always-equal", function.node.line, f"def {function.qual}")
        for function in page.outline.functions
        if function.name == "__eq__" and function.home in plain
    ]


def _always_true(function: Function, page: Page) -> bool:
    returns = page.inside(function.body, "return_statement")
    if not returns or page.inside(function.body, "raise_statement"):
        return False
    place = place_in(page, function)
    return all(node.parts and truth(node.parts[0], place) is True for node in returns)


def _returned_any(page: Page) -> list[Mark]:
    return [
        Mark("always-equal", node.line, normal(node))
        for node in page.light.index.get("return_statement", ())
        if node.parts and page.names.dotted(node.parts[0]) == "unittest.mock.ANY"
    ]


def _surroundings(page: Page) -> list[Mark]:
    """Variables that steer the interpreter, the runner or the search for programs."""
    if b"environ" not in page.data and b"putenv" not in page.data:
        return []
    out: list[Mark] = []
    for node in page.light.index.get("string", ()):
        word = atoms.unquoted(node.word)
        if word not in _STARTUP and word != "PATH":
            continue
        statement = _set(node, page)
        if statement is not None and not _for_a_child(statement, word or "", page):
            rule = "path-trick" if word == "PATH" else "startup-hook"
            out.append(Mark(rule, statement.line, normal(statement)))
    return out


def _set(node: Node, page: Page) -> Node | None:
    """`os.environ[W] = …` or a call that sets it, with `node` as W."""
    holder = node.parent
    if holder is None:
        return None
    if holder.kind == "subscript" and page.names.dotted(holder.get("value")) == "os.environ":
        above = holder.parent
        return above if above is not None and "assignment" in above.kind and holder.field == "left" else None
    call = holder.parent if holder.kind == "argument_list" else None
    if call is not None and page.names.called(call) in ("os.putenv", "os.environ.setdefault"):
        return call if arguments(call)[:1] == [node] else None
    return None


def _for_a_child(statement: Node, word: str, page: Page) -> bool:
    """Inside a test's own function the test alone sees it."""
    return page.role == "test" and scope_of(statement) is not None


def _written(page: Page) -> list[Mark]:
    """Code that puts a start-up file somewhere."""
    if page.role == "test" or (b"customize" not in page.data and b".pth" not in page.data):
        return []
    out: list[Mark] = []
    for node in page.light.index.get("string", ()):
        if not _STARTUP_FILE.search(atoms.unquoted(node.word) or ""):
            continue
        scope = scope_of(node) or page.light.root
        names = {page.names.called(call).rpartition(".")[2] for call in page.inside(scope, "call")}
        if names & _WRITES:
            out.append(Mark("startup-hook", node.line, node.word))
    return out


def _ignores(page: Page) -> list[Mark]:
    out = [
        Mark("ignores-spread", line, " ".join(comment[found.start() :].split()) + _where(line, page))
        for line, comment in page.light.comments
        if (found := PRAGMA.search(comment))
    ]
    if b"warnings" in page.data:
        out.extend(
            Mark("ignores-spread", call.line, normal(call))
            for call in page.light.index.get("call", ())
            if page.names.called(call) in ("warnings.simplefilter", "warnings.filterwarnings")
            and [part.word for part in arguments(call)[:1]] == ['"ignore"']
            and scope_of(call) is None
        )
    return out


def _where(line: int, page: Page) -> str:
    """Silenced at one more place is silenced more, so the place belongs to the text."""
    functions = page.outline.functions
    last = bisect_right(functions, line, key=lambda function: function.node.line) - 1
    while last >= 0 and _last_line(functions[last].node) < line and functions[last].in_function:
        last -= 1
    inside = last >= 0 and _last_line(functions[last].node) >= line
    return f" in {functions[last].qual}" if inside else ""


def _last_line(node: Node) -> int:
    while node.kids and node.parts:
        node = node.parts[-1]
    return node.line
