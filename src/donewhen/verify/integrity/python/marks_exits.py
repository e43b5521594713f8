"""Marks for ways to end the exam: hard exits, exit hooks, and plain exits where no program ends.

A program's entry point exits, and so does what handles its arguments: those get no mark. Neither does a
status that says failure.
"""

import re
from pathlib import PurePosixPath

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.python.exits import exits, in_main_guard, status
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.outline import parameters, scope_of
from donewhen.verify.integrity.python.page import Page, Place, place_in
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import truth

_HARD = frozenset(("os._exit", "posix._exit", "os.abort"))
_EXEC = re.compile(r"^os\.(?:exec[lv]\w*|posix_spawn\w*)$")
_ENDS_WELL = re.compile(r"(?:^|/)true$|exit 0|_exit|SystemExit|sys\.exit")
_PATCHED = frozenset(
    ("sys.exit", "os._exit", "builtins.exit", "builtins.quit", "builtins.SystemExit", "sys.excepthook")
)
_PROGRAM_FILES = frozenset(
    "__main__ app asgi cli command commands conftest console main manage noxfile run server setup tasks "
    "wsgi".split()
)
_PROGRAM_FOLDERS = frozenset(("bin", "scripts", "cli", "commands", "tools", "examples", "management"))
_PROGRAM_IMPORTS = frozenset(
    "argparse click typer docopt fire optparse getopt cmd signal curses tkinter pygame".split()
)
_PROGRAM_FUNCTION = re.compile(
    r"^_?(?:main|cli|run|start|entry|cmd|command|do|handle|on|usage|help|version|quit|exit|shut|stop|die|bye|"
    r"parse_arg|menu|signal|terminate|abort)", re.IGNORECASE,
)  # fmt: skip


def exit_marks(page: Page, has_tests: bool) -> list[Mark]:
    out = [*_hard(page), *_registered(page), *_patched(page), *_runner(page), *_in_text(page)]
    if not has_tests and page.role in ("test", "support", "config"):
        out.extend(_unsaid(page))
    ends = (found.node for found in exits(page) if found.status == "zero")
    return [*out, *(_mark(node) for node in ends if not _honest(node, page, has_tests))]


def _mark(node: Node) -> Mark:
    return Mark("exit-call", node.line, normal(node))


def _hard(page: Page) -> list[Mark]:
    """Any mention of a hard exit, called or handed on, unless a forked child ends with it."""
    if not any(word in page.data for word in (b"exit", b"exec", b"abort", b"SystemExit")):
        return []
    hard = (node for node in _mentions(page) if page.names.dotted(node) in _HARD)
    out = [_mark(_around(node)) for node in hard if not _imported_here(node) and not _excused(node, page)]
    for call in page.light.index.get("call", ()):
        name = page.names.called(call)
        reflected = name in ("getattr", "__import__") or "ctypes" in name
        if page.names.dotted(call) in _HARD or (reflected and _ENDS_WELL.search(normal(call))):
            out.append(_mark(_around(call)))
        elif _EXEC.match(name) and any(_ENDS_WELL.search(str(_value(part, page))) for part in _deep(call)):
            out.append(_mark(call))
    return list(dict.fromkeys(out))


def _mentions(page: Page) -> list[Node]:
    known = [
        node
        for name, full in page.names.full.items()
        if full in _HARD
        for node in page.mentions.get(name, ())
    ]
    last = [node for word in ("_exit", "abort") for node in page.mentions.get(word, ())]
    return [
        *known,
        *(node.parent for node in last if node.parent is not None and node.parent.kind == "attribute"),
    ]


def _deep(call: Node) -> list[Node]:
    return [inner for part in arguments(call) for inner in (part, *part.parts)]


def _value(node: Node, page: Page) -> object:
    return place_in(page, None).value(node)


def _imported_here(node: Node) -> bool:
    return any("import" in above.kind for above in node.up())


def _around(node: Node) -> Node:
    """The call that the exit is in, or the statement."""
    for above in node.up():
        if above.kind in ("expression_statement", "return_statement", "assignment"):
            return above
    return node


def _excused(node: Node, page: Page) -> bool:
    call = node.parent
    called = call is not None and call.kind == "call" and call.get("function") is node
    if called and call is not None and status(arguments(call), place_in(page, None)) == "failure":
        return True
    scope = scope_of(node) or page.light.root
    forks = [fork for word in ("fork", "forkpty") for fork in page.mentions.get(word, ())]
    return any(scope.at <= fork.at < scope.end for fork in forks)


def _registered(page: Page) -> list[Mark]:
    """Functions that run when the program ends, and end it with a status of their own."""
    if b"atexit" not in page.data and b"register" not in page.data and b"addCleanup" not in page.data:
        return []
    ends = exits(page)
    out: list[Mark] = []
    for call in page.light.index.get("call", ()):
        name = page.names.called(call)
        given = arguments(call)
        if not given or not (name in ("atexit.register", "weakref.finalize") or "addCleanup" in name):
            continue
        known = page.functions.get(page.names.dotted(given[0]))
        body = known.node if known is not None else given[0]
        if page.names.dotted(given[0]) == "sys.exit" or any(
            body.at <= end.node.at < body.end for end in ends
        ):
            out.append(_mark(call))
    for function in page.outline.functions:
        hooks = (page.names.dotted(decorator) for decorator in function.decorators)
        node = function.node
        if "atexit.register" in hooks and any(node.at <= end.node.at < node.end for end in ends):
            out.append(Mark("exit-call", node.line, f"@atexit.register def {function.name}"))
    return out


def _patched(page: Page) -> list[Mark]:
    if b"exit" not in page.data and b"excepthook" not in page.data:
        return []
    ends = exits(page)
    out: list[Mark] = []
    for node in page.light.index.get("assignment", ()):
        target = node.get("left")
        name = page.names.dotted(target) if target is not None and target.kind == "attribute" else ""
        if name == "sys.excepthook":
            hook = page.functions.get(page.names.dotted(node.get("right")))
            body = hook.node if hook is not None else node
            if any(body.at <= end.node.at < body.end for end in ends):
                out.append(_mark(node))
        elif name in _PATCHED:
            out.append(_mark(node))
    return out


def _runner(page: Page) -> list[Mark]:
    """A runner that is told not to say how it went."""
    if b"exit" not in page.data:
        return []
    place = place_in(page, None)
    out: list[Mark] = []
    for call in page.light.index.get("call", ()):
        name = page.names.called(call)
        named = keywords(call)
        alone = call.parent is not None and call.parent.kind == "expression_statement"
        if name in ("unittest.main", "unittest.TestProgram") and alone:
            if "exit" in named and truth(named["exit"], place) is False:
                out.append(_mark(call))
        elif name == "pytest.exit":
            given = named.get("returncode") or next(iter(arguments(call)[1:2]), None)
            if given is not None and status([given], place) == "zero":
                out.append(_mark(call))
    return out


def _unsaid(page: Page) -> list[Mark]:
    """A script that runs the tests and ends well however they went."""
    if b"run(" not in page.data and b"main(" not in page.data:
        return []
    if any(end.status != "zero" for end in exits(page)):
        return []
    place = place_in(page, None)
    return [
        Mark("exit-call", call.line, f"{normal(call)}: its result is not the status")
        for call in page.light.index.get("call", ())
        if _runs_tests(call, page, place)
    ]


def _runs_tests(call: Node, page: Page, place: Place) -> bool:
    name = page.names.called(call)
    if name == "pytest.main":
        return True
    function = call.get("function")
    home = function.get("object") if function is not None and name.endswith(".run") else None
    if home is not None and home.kind == "identifier":
        home = place.bound(home.word)
    return page.names.dotted(home).endswith("TestRunner()")


def _in_text(page: Page) -> list[Mark]:
    """Code in a text that is run."""
    if b"exec" not in page.data and b"eval" not in page.data:
        return []
    return [
        _mark(call)
        for call in page.light.index.get("call", ())
        if page.names.called(call) in ("exec", "eval", "compile")
        and any(_ENDS_WELL.search(str(_value(part, page))) for part in arguments(call)[:1])
    ]


def _honest(node: Node, page: Page, has_tests: bool) -> bool:
    """Whether a program may end here."""
    if in_main_guard(node):
        return not has_tests or not _before_runner(node, page)
    scope = scope_of(node)
    while scope is not None and scope.kind != "function_definition":
        scope = scope_of(scope)
    if page.role in ("test", "support"):
        return scope is not None and _expected(node, page)
    if scope is None:
        return _is_program(page) and PurePosixPath(page.path).stem in ("__main__", "setup", "manage")
    name = scope.get("name")
    if name is not None and _PROGRAM_FUNCTION.match(name.word):
        return True
    if {"signum", "sig", "frame"} & set(parameters(scope)):
        return True
    return _is_program(page) or b"sys.argv" in page.data or b"input(" in page.data


def _before_runner(node: Node, page: Page) -> bool:
    """In a file of tests, an exit before the runner is called leaves it out."""
    return any(
        call.at > node.end and page.names.called(call) in ("unittest.main", "pytest.main")
        for call in page.light.index.get("call", ())
    )


def _expected(node: Node, page: Page) -> bool:
    """An exit in a test's own fake program: a function inside a test, or under an expected error."""
    inner = scope_of(node)
    if inner is not None and inner.kind in ("function_definition", "lambda") and _inside_function(inner):
        return True
    return any("SystemExit" in normal(above.kids[1]) for above in node.up() if above.kind == "with_statement")


def _inside_function(scope: Node) -> bool:
    outer = scope_of(scope)
    return outer is not None and outer.kind == "function_definition"


def _is_program(page: Page) -> bool:
    path = PurePosixPath(page.path)
    if path.stem in _PROGRAM_FILES or _PROGRAM_FOLDERS & set(path.parts[:-1]):
        return True
    return any(module.partition(".")[0] in _PROGRAM_IMPORTS for module, _ in page.names.imported)
