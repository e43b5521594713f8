"""Runners that a project wrote itself: scripts that load checks, call them and tell how it went.

What such a script does about failures, and which checks it takes, is a part of the exam. A script is one
only where it runs what it loads and speaks of tests; programs that load plug-ins are none.
"""

import re
from collections.abc import Iterator
from itertools import islice

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.javascript.ending import Ending
from donewhen.verify.integrity.javascript.exits import path_of
from donewhen.verify.integrity.javascript.failing import only_zero
from donewhen.verify.integrity.javascript.narrowing import narrowings
from donewhen.verify.integrity.javascript.node import (
    FUNCTIONS,
    Node,
    arguments,
    bare,
    callee,
    dotted,
    enclosing,
    inside,
    walk,
)
from donewhen.verify.integrity.javascript.sight import Sight

_LISTS = frozenset("readdirSync readdir globSync glob opendirSync opendir".split())
_STARTS = frozenset("spawnSync spawn execSync execFileSync execFile exec fork".split())
_SILENT = frozenset(("spawnSync", "spawn", "exec", "execFile", "fork", "allSettled"))  # no throw
_PLACE = re.compile(
    r'"(?:\.{0,2}/){0,4}(?:tests?|checks?|specs?|__tests__)(?:["/])|[.*_-](?:test|spec|check)\.'
)
_MOST = 5000  # nodes of one try
_TAP = re.compile(r"(?i)\bnot ok\b|\btests? (?:passed|failed)|\b(?:passed|failed|failures)\b")
_NAMED = re.compile(
    r"(?i)(?:^|[/_.-])(?:run[-_.]?)?(?:all[-_.]?)?(?:tests?|checks?|specs?)(?:[-_.]?runner)?\.[cm]?[jt]s$"
)


def own_runner(sight: Sight) -> list[Mark]:
    if sight.tested.framework or not _is_runner(sight):
        return []
    ending = Ending(sight)
    found = [*_exits(sight, ending), *_caught(sight, ending), *narrowings(sight)]
    found += [sight.mark("exam-hook", one) for one in ending.thresholds()]
    return found


def _is_runner(sight: Sight) -> bool:
    tokens = sight.script.tokens
    lists = any(token in _LISTS for token in tokens)
    starts = lists and any(token in _STARTS for token in tokens)
    if not starts and not any(_loads(call) for call in sight.calls()):
        return False
    if sight.role == "source" and _exported(sight):
        return False
    if sight.role in ("test", "config") or _NAMED.search(sight.path):
        return True
    said = [one for one in sight.script.literals if one.startswith('"')]
    if any(_PLACE.search(one) for one in said):
        return True
    return any(_TAP.search(token) for token in tokens) and sight.program()


def _loads(call: Node) -> bool:
    """`require(path.join(folder, file))`."""
    given = arguments(call)
    return call.kids[0].text in ("require", "import") and len(given) == 1 and given[0].value is None


def _exported(sight: Sight) -> bool:
    if sight.script.kinds.get("export_statement"):
        return True
    return any(dotted(one.kids[0]).startswith(("module.exports", "exports.")) for one in sight.assignments())


def _exits(sight: Sight, ending: Ending) -> Iterator[Mark]:
    """A status that can only be success though failures were held back, or that comes before the end."""
    held = bool(list(_holding(sight))) or any(token in _SILENT for token in sight.script.tokens)
    for one in (*sight.calls(), *sight.assignments()):
        if not _succeeds(sight, one):
            continue
        if _cuts(one) or _in_catch(one) or (held and not ending.red):
            yield sight.mark("exit-call", one)


def _succeeds(sight: Sight, node: Node) -> bool:
    if node.type == "assignment_expression":
        return path_of(sight, node.kids[0]) == "process.exitCode" and only_zero(node.kids[1])
    return path_of(sight, callee(node)) == "process.exit" and only_zero(*arguments(node)[:1])


def _cuts(node: Node) -> bool:
    """It stands at the top, whatever happened, and more was to come."""
    statement = node.parent
    if node.type != "call_expression" or statement is None or statement.type != "expression_statement":
        return False
    place = statement.parent
    if place is None or place.type != "program":
        return False
    after = place.kids[place.kids.index(statement) + 1 :]
    return any(one.type != "function_declaration" for one in after)


def _in_catch(node: Node) -> bool:
    here = node.parent
    while here is not None and here.type not in FUNCTIONS:
        if here.type == "catch_clause":
            return True
        here = here.parent
    return False


def _holding(sight: Sight) -> Iterator[Node]:
    """Clauses that catch what a check throws."""
    for tried in sight.script.kinds.get("try_statement", ()):
        clause = next((kid for kid in tried.kids if kid.type == "catch_clause"), None)
        if clause is not None and any(_handed(sight, here) for here in islice(walk(tried.kids[0]), _MOST)):
            yield clause


def _handed(sight: Sight, here: Node) -> bool:
    """A call of something that a loop, a callback or a loaded file gave, or of another program."""
    if here.type != "call_expression":
        return False
    if _loads(here):
        return True
    called = bare(callee(here))
    while called.kids and called.type in ("member_expression", "subscript_expression"):
        if called.type == "subscript_expression" and called.kids[-1].value is None:
            return True
        called = bare(called.kids[0])
    name = dotted(callee(here)).rpartition(".")[2]
    if name in _STARTS:
        return True
    return called.type == "identifier" and called is bare(callee(here)) and _given(sight, called)


def _given(sight: Sight, name: Node) -> bool:
    """Bound by a loop or as a parameter, not by this file itself."""
    function = enclosing(name)
    if name.text in sight.scopes.functions or name.text in sight.scopes.imports:
        return False
    here: Node | None = name.holder
    while here is not None:
        scope = sight.scopes.scopes.get(id(here))
        if scope is not None and name.text in scope:
            return here.type != "program" and (function is None or inside(function, here) or here is function)
        here = here.holder
    return False


def _caught(sight: Sight, ending: Ending) -> Iterator[Mark]:
    for clause in _holding(sight):
        if not ending.hears(clause):
            yield sight.mark("exam-hook", clause)
