"""Product code that asks whether it is being tested: by environment, runner, arguments, stack or test files.

Ordinary environment reads are honest, and so is a server that only listens outside tests.
"""

import re
from collections.abc import Iterator

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript import values
from donewhen.verify.integrity.javascript.node import (
    Node,
    arguments,
    bare,
    callee,
    dotted,
    is_member,
    names,
    prop,
    walk,
)
from donewhen.verify.integrity.javascript.sight import Sight

_SWITCH = re.compile(
    r"(?:JEST_WORKER_ID|JEST_\w+|VITEST\w*|NODE_TEST_CONTEXT|CI|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|"
    r"npm_lifecycle_event|npm_lifecycle_script|npm_command|MOCHA\w*|AVA_PATH|TAP|TAP_\w+|CYPRESS\w*|PLAYWRIGHT\w*|"
    r"TEST|TESTS|TESTING|IS_TEST|RUNNING_TESTS|UNDER_TEST|TEST_ENV|TEST_MODE|BABEL_ENV|DONEWHEN\w*)\Z"
)
_MODES = frozenset(("process.env.NODE_ENV", "import.meta.env.MODE"))
_COMPARES = frozenset(("===", "==", "!==", "!="))
_ENVS = frozenset(("process.env", "import.meta.env", "Deno.env", "Bun.env"))
_GLOBALS = frozenset(
    "jest vi it describe test expect mocha vitest __vitest_worker__ before beforeEach".split()
)
_WORD = re.compile(r"(?i)test|spec|jest|mocha|vitest|\bava\b|\btap\b|donewhen")
_TRACES = (
    "process.execArgv",
    "process.argv",
    "require.main",
    "module.parent",
    "process.mainModule",
    "process.title",
)
_ASKS = frozenset(
    "includes indexOf match test search some find startsWith endsWith every filter lastIndexOf".split()
)
_READS = frozenset(
    "readFile readFileSync readdir readdirSync existsSync require import createReadStream statSync globSync "
    "glob access accessSync opendirSync".split()
)
_TEST_FILE = re.compile(r"(?:^|/)(?:tests?|__tests__|specs?)(?:/|$)|\.(?:test|spec)\.[cm]?[jt]sx?$")
_PROCESS = re.compile(r"/proc/(?:self|\d+)?.*cmdline|/proc/$")


def detections(sight: Sight) -> list[Mark]:
    return [*_environment(sight), *_globals(sight), *_traces(sight), *_files(sight)]


def _environment(sight: Sight) -> Iterator[Mark]:
    for kind in ("member_expression", "subscript_expression"):
        for one in sight.script.kinds.get(kind, ()):
            if (
                _environment_of(sight, dotted(one.kids[0]))
                and _SWITCH.match(prop(one))
                and not _written_to(one)
            ):
                yield sight.mark("exam-detected", _whole(one))
            elif dotted(one) in _MODES:
                yield from _asked(sight, one)
    for one in sight.script.kinds.get("variable_declarator", ()):
        yield from _taken(sight, one)
    for one in sight.script.kinds.get("binary_expression", ()):
        asks = one.kids[1].text == "in" and dotted(one.kids[2]) in _ENVS
        if asks and _SWITCH.match(values.unquoted(one.kids[0].value or "")):
            yield sight.mark("exam-detected", one)


def _environment_of(sight: Sight, path: str) -> bool:
    if path == "env":
        source = sight.scopes.imports.get(path)
        return source is not None and source.module in ("process", "node:process")
    return path in _ENVS


def _taken(sight: Sight, declared: Node) -> Iterator[Mark]:
    """`const { CI } = process.env`, `const mode = process.env.NODE_ENV`."""
    source = dotted(declared.kids[-1])
    pattern = declared.kids[0]
    if source in _ENVS and pattern.type == "object_pattern":
        keys = {_key(kid) for kid in pattern.kids}
        if any(_SWITCH.match(key) for key in keys):
            yield sight.mark("exam-detected", declared)
        elif "NODE_ENV" in keys:
            yield from _kept(sight, set(names(pattern)))
    elif source in _MODES:
        yield from _kept(sight, set(names(pattern)))


def _asked(sight: Sight, node: Node) -> Iterator[Mark]:
    asked = _compared(node)
    if asked is not None and not _harmless(asked):
        yield sight.mark("exam-detected", asked)


def _key(kid: Node) -> str:
    return (kid.kids[0] if kid.kids else kid).text


def _kept(sight: Sight, kept: set[str]) -> Iterator[Mark]:
    """`const env = process.env.NODE_ENV` and later `env === "test"`."""
    for one in sight.script.kinds.get("identifier", ()):
        if one.text in kept:
            yield from _asked(sight, one)


def _written_to(member: Node) -> bool:
    parent = member.parent
    return parent is not None and parent.type == "assignment_expression" and parent.kids[0] is member


def _whole(node: Node) -> Node:
    """As much of the condition as shows what is asked."""
    while node.parent is not None and node.parent.type in ("unary_expression", "binary_expression"):
        node = node.parent
    return node


def _compared(node: Node) -> Node | None:
    """The comparison with "test" that the node stands in."""
    here = node.parent
    while here is not None and here.type in ("parenthesized_expression", "non_null_expression", "arguments"):
        here = here.parent
    if here is None:
        return None
    if is_member(here) and here.parent is not None and here.parent.type == "call_expression":
        here = here.parent
    if here.type in ("binary_expression", "call_expression", "switch_statement"):
        said = [one.value for one in walk(here) if one.value and one.type in ("string", "regex")]
        return here if any(_WORD.search(one) for one in said) else None
    return None


def _harmless(asked: Node) -> bool:
    """`if (NODE_ENV !== "test") app.listen(…)`, or logging left out."""
    here: Node | None = asked
    while here is not None and here.type in ("binary_expression", "parenthesized_expression"):
        if here.type == "binary_expression" and here.kids[1].text in ("===", "=="):
            return False
        here = here.parent
    if here is None or here.type != "if_statement" or len(here.kids) != 2:
        return False
    block = here.kids[1]
    if any(
        one.type in ("return_statement", "throw_statement", "assignment_expression") for one in walk(block)
    ):
        return False
    said = [dotted(callee(one)) for one in walk(block) if one.type == "call_expression"]
    quiet = ("console.", "log", "morgan", "app.use", "main", "start", "connect")
    return bool(said) and all(one.endswith(".listen") or one.startswith(quiet) for one in said if one)


def _globals(sight: Sight) -> Iterator[Mark]:
    for one in sight.script.kinds.get("unary_expression", ()):
        if len(one.kids) == 2 and one.kids[0].text == "typeof":
            path = dotted(one.kids[1])
            root, _, name = path.rpartition(".")
            known = (name in _GLOBALS) if root in ("globalThis", "global", "window") else path in _GLOBALS
            if known and path not in sight.scopes.imports and not sight.scopes.find(one, path):
                yield sight.mark("exam-detected", _whole(one))
    for one in sight.script.kinds.get("member_expression", ()):
        if dotted(one.kids[0]) in ("globalThis", "global") and prop(one) in _GLOBALS and not _written_to(one):
            yield sight.mark("exam-detected", _whole(one))


def _traces(sight: Sight) -> Iterator[Mark]:
    """Arguments, main module or stack, looked through for a runner's name."""
    for call in sight.calls():
        called = bare(callee(call))
        if not is_member(called) or prop(called) not in _ASKS:
            continue
        sources = [called.kids[0], *arguments(call)]
        said = [one.value for part in sources for one in walk(part) if one.value]
        if any(_WORD.search(one) for one in said) and any(_trace(sight, part) for part in sources):
            yield sight.mark("exam-detected", call)
    for one in sight.script.kinds.get("binary_expression", ()):
        sides = (one.kids[0], one.kids[-1])
        named = any(side.value and _WORD.search(side.value) for side in sides)
        if named and one.kids[1].text in _COMPARES and any(_program_name(side) for side in sides):
            yield sight.mark("exam-detected", one)
    for one in sight.script.kinds.get("string", ()):
        if _PROCESS.search(values.unquoted(one.value or "")):
            yield sight.mark("exam-detected", one)


def _trace(sight: Sight, node: Node) -> bool:
    waiting, budget = [node], 200
    while waiting and budget:
        budget -= 1
        here = bare(waiting.pop())
        if is_member(here) and (prop(here) == "stack" or dotted(here).startswith(_TRACES)):
            return not _own_argument(here)
        if here.type == "identifier":
            waiting.extend(one for one in sight.scopes.resolve(here) if one is not node)
        waiting.extend(here.kids)
    return False


def _own_argument(node: Node) -> bool:
    """`process.argv[2]` and what follows are the program's own business."""
    parent = node.parent
    if parent is not None and parent.type == "subscript_expression" and parent.kids[0] is node:
        return (parent.kids[-1].value or "0") not in ("0", "1")
    if parent is not None and is_member(parent) and prop(parent) == "slice":
        return True
    return node.type == "subscript_expression" and (node.kids[-1].value or "0") not in ("0", "1")


def _program_name(node: Node) -> bool:
    node = bare(node)
    if node.type == "call_expression" and arguments(node):
        node = bare(arguments(node)[0])  # path.basename(process.argv[1])
    if node.type == "subscript_expression":
        return dotted(node.kids[0]) == "process.argv" and node.kids[-1].value in ("0", "1")
    return dotted(node) in ("require.main.filename", "process.title", "module.parent.filename")


def _files(sight: Sight) -> Iterator[Mark]:
    if sight.program():
        return
    for call in sight.calls():
        called = callee(call)
        name = dotted(called).rpartition(".")[2] or called.text
        if name not in _READS:
            continue
        said = [
            one.value
            for given in arguments(call)
            for one in walk(given)
            if one.type == "string" and one.value
        ]
        if any(_TEST_FILE.search(values.unquoted(one)) for one in said):
            yield sight.mark("exam-detected", call)
    for one in sight.script.kinds.get("import_statement", ()):
        module = values.unquoted(one.kids[-1].value or "") if one.kids else ""
        if module.startswith(".") and _TEST_FILE.search(module):
            yield sight.mark("exam-detected", one)
