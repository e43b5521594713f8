"""Marks for product code that asks whether it is being tested, and by what.

Reading the environment, the arguments or the stack is honest; looking there for a test runner is not.
"""

import re

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.names import arguments
from donewhen.verify.integrity.python.outline import scope_of
from donewhen.verify.integrity.python.page import Page
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node

_RUNNER_WORD = re.compile(
    r"(?:^|[^a-z])(?:_?pytest|py\.test|unittest|nose2?|conftest|nosetests|doctest)(?:$|[^a-z])"
)
_TEST_WORD = re.compile(r"test|conftest|^_?assert", re.IGNORECASE)
_VARIABLE = re.compile(
    r"^(?:PYTEST_\w+|CI|GITHUB_ACTIONS|GITLAB_CI|CONTINUOUS_INTEGRATION|TRAVIS|JENKINS_URL|TOX_\w+|TOXENV|NOX_\w+"
    r"|COV_CORE_\w+|COVERAGE_(?:RUN|PROCESS_START)|UNITTEST\w*"
    r"|(?:IS_|IN_|UNDER_|RUNNING_)?(?:UNIT_?)?TEST(?:S|ING|_MODE|_RUN|_RUNNER|_RUNNING|_ENV)?)$"
)
_STACK = frozenset(
    "sys._getframe inspect.stack inspect.currentframe inspect.getouterframes inspect.trace "
    "traceback.extract_stack traceback.format_stack traceback.walk_stack sys._current_frames "
    "gc.get_objects gc.get_referrers".split()
)
_READERS = frozenset(
    "open read read_text read_bytes readlines glob rglob iglob iterdir listdir scandir walk parse load loads "
    "import_module spec_from_file_location run_path getsource exec_module".split()
)
_TEST_PATH = re.compile(r"(?:^|/)(?:tests?|spec|__tests__)(?:/|$)|(?:^|/)(?:test_\w*|\w+_test|conftest)\.py$")
_CALLER = re.compile(
    r"(?:environ(?:\.get\(|\[)|getenv\()[^\n]{0,60}?==\s*[\"'](?:tests?|testing|ci)[\"']"
    r"|\.f_(?:back|globals|code)\b|\.co_consts\b|sys\.argv\[0\].{0,80}(?:__main__|unittest|pytest|test)"
    r"|(?:__main__|unittest|pytest|test)[^\n]{0,80}sys\.argv\[0\]"
)
_TEST_MODULE = re.compile(r"^(?:tests|conftest|test_\w+)$")
_STATEMENTS = re.compile(r"_statement$|^(?:assignment|block|module|elif_clause)$")


def detection_marks(page: Page) -> list[Mark]:
    if page.role != "source":
        return []
    data = page.data.lower()
    if not any(
        word in data
        for word in (b"test", b"environ", b"getenv", b"_getframe", b"stack", b"f_locals", b"f_back", b"argv")
    ):
        return []
    nodes = [*_environment(page), *_modules(page), *_stack(page), *_files(page), *_imports(page)]
    marks = [Mark("exam-detected", node.line, normal(node)) for node in nodes]
    return list(dict.fromkeys([*marks, *_callers(page)]))


def _callers(page: Page) -> list[Mark]:
    """Code that looks up who called it, or how the program was started: who asks is no input."""
    found = []
    for number, line in enumerate(page.data.decode(errors="replace").splitlines(), 1):
        if _CALLER.search(line) and not line.lstrip().startswith("#"):
            found.append(Mark("exam-detected", number, " ".join(line.split())))
    return found


def _statement(node: Node) -> Node:
    """The condition, call or statement that the node is part of, without a block below it."""
    last = node
    for above in node.up():
        if _STATEMENTS.search(above.kind):
            return last
        last = above
    return last


def _environment(page: Page) -> list[Node]:
    if b"environ" not in page.data and b"getenv" not in page.data:
        return []
    out: list[Node] = []
    for node in page.light.index.get("string", ()):
        word = atoms.unquoted(node.word)
        if word is not None and _VARIABLE.match(word) and _is_read(node, page):
            out.append(_statement(node))
    return out


def _is_read(node: Node, page: Page) -> bool:
    """The word is asked for: `environ.get(W)`, `environ[W]`, `getenv(W)`, `W in environ`."""
    for above in node.up():
        if _STATEMENTS.search(above.kind):
            return False
        if above.kind == "call":
            name = page.names.called(above)
            if name.endswith((".getenv", "getenv")) or "environ" in name:
                return True
        elif above.kind in (
            "subscript",
            "comparison_operator",
            "generator_expression",
        ) and "environ" in normal(above):
            return not (
                above.field == "left" and above.parent is not None and above.parent.kind == "assignment"
            )
    return False


def _modules(page: Page) -> list[Node]:
    """`"pytest" in sys.modules`, a runner in `sys.argv`, in the command line of the process."""
    named = [node for node in page.light.index.get("attribute", ()) if page.names.dotted(node) in _LISTS]
    known = [name for name, full in page.names.full.items() if full in _LISTS]
    named += [node for name in known for node in page.mentions.get(name, ())]
    seen: dict[int, bool] = {}
    out = [_statement(node) for node in named if _near(node, page, seen)]
    out.extend(
        _statement(node)
        for node in page.light.index.get("string", ())
        if "/proc/" in node.word and "/cmdline" in node.word
        if _literal(scope_of(node) or page.light.root, page, _RUNNER_WORD)
    )
    return out


_LISTS = frozenset(("sys.modules", "sys.argv", "sys.orig_argv", "sys.executable"))


def _near(node: Node, page: Page, seen: dict[int, bool]) -> bool:
    """A runner's name in the same condition or statement, or in the function where it is looked through."""
    holder = _statement(node)
    above = holder.parent
    if above is not None and above.kind in ("for_statement", "assignment"):
        holder = scope_of(node) or above
    if holder.at not in seen:
        seen[holder.at] = _literal(holder, page, _RUNNER_WORD)
    return seen[holder.at]


def _literal(holder: Node, page: Page, wanted: re.Pattern[str]) -> bool:
    return any(wanted.search(atoms.unquoted(node.word) or "") for node in page.inside(holder, "string"))


def _stack(page: Page) -> list[Node]:
    """Callers that are looked through for tests, or whose variables are read."""
    out: list[Node] = []
    known: dict[int, bool] = {}
    for call in page.light.index.get("call", ()):
        if page.names.called(call) not in _STACK:
            continue
        scope = scope_of(call) or page.light.root
        if scope.at not in known:
            members = {node.kids[-1].word for node in page.inside(scope, "attribute")}
            known[scope.at] = bool(members & {"f_locals", "TestCase"}) or _literal(scope, page, _TEST_WORD)
        if known[scope.at]:
            out.append(call)
    return out


def _files(page: Page) -> list[Node]:
    """Product code that reads the tests."""
    out: list[Node] = []
    known: dict[int, bool] = {}
    for node in page.light.index.get("string", ()):
        word = atoms.unquoted(node.word)
        if word is None or len(word) > 200 or not _TEST_PATH.search(word) or not _is_path(node, page):
            continue
        scope = scope_of(node) or page.light.root
        if scope.at not in known:
            known[scope.at] = any(_reads(call, page) for call in page.inside(scope, "call"))
        if known[scope.at]:
            out.append(_statement(node))
    return out


def _is_path(node: Node, page: Page) -> bool:
    parent = node.parent
    if parent is None:
        return False
    if parent.kind == "binary_operator":
        return any(kid.word == "/" for kid in parent.kids)
    holder = parent.parent if parent.kind == "argument_list" else None
    name = page.names.called(holder).rpartition(".")[2] if holder is not None else ""
    return name in (
        "open",
        "Path",
        "PurePath",
        "join",
        "joinpath",
        "glob",
        "rglob",
        "iglob",
        "listdir",
        "walk",
        "scandir",
    )


def _reads(call: Node, page: Page) -> bool:
    name = page.names.called(call).rpartition(".")[2]
    if name == "open":
        mode = [atoms.unquoted(part.word) or "" for part in arguments(call)[1:2]]
        return not any(letter in word for word in mode for letter in "wax")
    return name in _READERS


def _imports(page: Page) -> list[Node]:
    return [
        node
        for module, node in page.names.imported
        if any(_TEST_MODULE.match(part) for part in module.lstrip(".").split("."))
        and not _is_package_test(page)
    ]


def _is_package_test(page: Page) -> bool:
    return any(_TEST_MODULE.match(part) for part in page.path.split("/"))
