"""Marks for pytest hooks that force success, drop tests or change how the run ends.

Hooks that add options or markers, order tests, report or attach something get none, and neither does a skip
that a command-line option or a marker of the test asks for.
"""

import re
from collections.abc import Callable

from donewhen.core.integrity.model import Mark
from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.outline import Function
from donewhen.verify.integrity.python.page import Page, place_in
from donewhen.verify.integrity.python.reach import skips
from donewhen.verify.integrity.python.swallowing import swallows
from donewhen.verify.integrity.python.switches import is_autouse
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import truth

_OUTCOME = frozenset(
    ("outcome", "wasxfail", "excinfo", "exitstatus", "testsfailed", "failed", "passed", "_excinfo")
)
_FORCED = ("force_result", "force_exception")
_OPTIONS = re.compile(
    r"^(?:keyword|markexpr|deselect|ignore\w*|maxfail|collectonly|args|file_or_dir|lf|plugins)$"
)
_NARROWING = re.compile(
    r"^(?:-[km]|--(?:ignore|deselect|co|collect-only|lf|last-failed|maxfail|exitfirst)\b|no:)"
)
_ASKED = re.compile(r"getoption|get_closest_marker|iter_markers|getini|keywords|own_markers")
_MARKERS = ("get_closest_marker", "iter_markers", "keywords", "own_markers")
_RUNS_IT = (
    "runtestprotocol",
    "obj",
    "testfunction",
    "runtest",
    "run",
    "run_until_complete",
    "call_and_report",
)


def pytest_marks(page: Page) -> list[Mark]:
    if b"pytest" not in page.data and b"collect_ignore" not in page.data:
        return []
    out = [
        Mark("exam-hook", function.node.line, f"{hook}: {reason}")
        for function in page.outline.functions
        if (hook := _hook(function, page)) and (reason := _RULES[hook](function, page))
    ]
    return [*out, *_ignored(page), *_autouse(page)]


def _hook(function: Function, page: Page) -> str:
    """The hook that the function implements, if it is one that could cheat."""
    for decorator in function.decorators:
        named = keywords(decorator) if decorator.kind == "call" else {}
        special = atoms.unquoted(named["specname"].word) if "specname" in named else None
        if special in _RULES:
            return special or ""
    return function.name if function.name in _RULES and not function.in_function else ""


def _assigned(function: Function, page: Page, names: frozenset[str]) -> str:
    for kind in ("assignment", "augmented_assignment"):
        for node in page.inside(function.node, kind):
            target = node.get("left")
            last = target.get("attribute") if target is not None else None
            if last is not None and last.word in names:
                return normal(node)
    for call in page.inside(function.node, "call"):
        given = arguments(call)
        sets = page.names.called(call) == "setattr" and len(given) == 3
        if sets and atoms.unquoted(given[1].word) in names:
            return normal(call)
        if page.names.called(call).rpartition(".")[2] in _FORCED:
            return normal(call)
    return ""


def _changes_outcome(function: Function, page: Page) -> str:
    changed = _assigned(function, page, _OUTCOME)
    if changed:
        return changed
    is_wrapper = bool(page.inside(function.node, "yield"))
    for node in page.inside(function.node, "return_statement"):
        if node.parts and not is_wrapper and node.parts[0].kind != "none":
            return normal(node)
    return ""


def _changes_end(function: Function, page: Page) -> str:
    return _assigned(function, page, _OUTCOME)


def _drops(function: Function, page: Page) -> str:
    """Takes tests off the list, or switches them off without being asked."""
    items = next((name for name in function.params if name == "items"), "items")
    for node in page.inside(function.node, "assignment"):
        target, value = node.get("left"), node.get("right")
        listed = target is not None and normal(target).startswith(f"{items}[")
        if listed and value is not None and not _keeps_all(value, items, page):
            return normal(node)
    for node in page.inside(function.node, "delete_statement"):
        if normal(node).startswith(f"del {items}["):
            return normal(node)
    for call in page.inside(function.node, "call"):
        name = page.names.called(call)
        if name in (f"{items}.clear", f"{items}.remove", f"{items}.pop") or name.endswith(
            "pytest_deselected"
        ):
            return normal(call)
    return _switches_off(function, page)


def _keeps_all(value: Node, items: str, page: Page) -> bool:
    """The same tests in another order."""
    if value.kind == "binary_operator":
        return True
    name = page.names.dotted(value)
    if value.kind == "call" and _ORDERING.search(name) and items in {part.word for part in arguments(value)}:
        return True
    return name in ("reversed()", "list()", f"{items}[]") and not page.inside(value, "if_clause")


_ORDERING = re.compile(r"sort|order|shuffle|group|sample", re.IGNORECASE)


def _switches_off(function: Function, page: Page) -> str:
    place = place_in(page, function)
    for call in page.inside(function.node, "call"):
        if page.names.called(call).rpartition(".")[2] != "add_marker":
            continue
        given = arguments(call)
        marker = given[0] if given else None
        if marker is not None and marker.kind == "identifier":
            marker = place.bound(marker.word) or marker
        name = page.names.dotted(marker).removesuffix("()").rpartition(".")[2]
        literal = atoms.unquoted(marker.word) if marker is not None else None
        if (literal or name) in ("skip", "xfail", "skipif") and not _asked_for(call, function, page):
            return normal(call)
    return ""


def _asked_for(node: Node, function: Function, page: Page) -> bool:
    """Tests that carry a marker are meant, and a condition on it or on an option stands round it."""
    top = function.node
    if not any(top.at <= other.at < top.end for word in _MARKERS for other in page.mentions.get(word, ())):
        return False
    for above in node.up():
        test = above.get("condition") if above.kind == "if_statement" else None
        if test is not None and _ASKED.search(normal(test)):
            return True
        if above is top:
            return False
    return False


def _skips(function: Function, page: Page) -> str:
    for kind in ("expression_statement", "raise_statement"):
        for node in page.inside(function.node, kind):
            if skips(node, page) and not _asked_for(node, function, page):
                return normal(node)
    return _runs_nothing(function, page)


def _runs_nothing(function: Function, page: Page) -> str:
    """Answers for the test without running it, or catches what it raised."""
    calls = page.inside(function.node, "call")
    place = place_in(page, function)
    runs = [call for call in calls if page.names.called(call).rpartition(".")[2] in _RUNS_IT]
    for call in [*runs, *page.inside(function.node, "yield")]:
        hidden = swallows(call, function.node, place, False)
        if hidden:
            return hidden
    changed = _assigned(function, page, _OUTCOME)
    if changed:
        return changed
    for node in page.inside(function.node, "return_statement"):
        if node.parts and truth(node.parts[0], place) is True and not runs:
            return normal(node)
    return ""


def _always(function: Function, page: Page) -> str:
    for node in page.inside(function.node, "return_statement"):
        if (
            node.parts
            and node.parts[0].kind not in ("none", "false")
            and not _asked_for(node, function, page)
        ):
            return normal(node)
    return ""


def _configures(function: Function, page: Page) -> str:
    for node in page.inside(function.node, "assignment"):
        target = node.get("left")
        name = page.names.dotted(target)
        if target is not None and _OPTIONS.match(name.rpartition(".")[2]) and "config" in name:
            return normal(node)
    for call in page.inside(function.node, "call"):
        name = page.names.called(call)
        if name.endswith(("pluginmanager.unregister", "pluginmanager.set_blocked")):
            return normal(call)
    return ""


def _narrows(function: Function, page: Page) -> str:
    for node in page.inside(function.node, "string"):
        if _NARROWING.match(atoms.unquoted(node.word) or ""):
            return node.word
    return _configures(function, page)


def _relabels(function: Function, page: Page) -> str:
    for node in page.inside(function.node, "return_statement"):
        if '"passed"' in normal(node):
            return normal(node)
    return ""


_RULES: dict[str, Callable[[Function, Page], str]] = {
    "pytest_runtest_makereport": _changes_outcome,
    "pytest_runtest_logreport": _changes_end,
    "pytest_sessionfinish": _changes_end,
    "pytest_unconfigure": _changes_end,
    "pytest_terminal_summary": _changes_end,
    "pytest_exception_interact": _changes_end,
    "pytest_collection_modifyitems": _drops,
    "pytest_collection_finish": _drops,
    "pytest_itemcollected": _switches_off,
    "pytest_runtest_setup": _skips,
    "pytest_runtest_call": _skips,
    "pytest_runtest_teardown": _skips,
    "pytest_pyfunc_call": _runs_nothing,
    "pytest_runtest_protocol": _runs_nothing,
    "pytest_runtestloop": _runs_nothing,
    "pytest_cmdline_main": _runs_nothing,
    "pytest_ignore_collect": _always,
    "pytest_configure": _configures,
    "pytest_cmdline_preparse": _narrows,
    "pytest_load_initial_conftests": _narrows,
    "pytest_report_teststatus": _relabels,
    "pytest_pycollect_makeitem": _always,
}


def _ignored(page: Page) -> list[Mark]:
    """`collect_ignore`: honest for scripts such as setup.py, not for tests."""
    out: list[Mark] = []
    for node in page.light.index.get("assignment", ()):
        target, value = node.get("left"), node.get("right")
        if target is None or target.word not in ("collect_ignore", "collect_ignore_glob") or value is None:
            continue
        literals = [atoms.unquoted(part.word) for part in page.inside(value, "string")]
        if any(entry is not None and ("test" in entry or "*" in entry) for entry in literals):
            out.append(Mark("exam-hook", node.line, normal(node)))
    lists = ("collect_ignore.", "collect_ignore_glob.")
    added = (call for call in page.light.index.get("call", ()) if page.names.called(call).startswith(lists))
    out.extend(Mark("exam-hook", call.line, normal(call)) for call in added if "test" in normal(call))
    return out


def _autouse(page: Page) -> list[Mark]:
    """A fixture for all tests that skips; in a file of tests the tests themselves say so."""
    if b"autouse" not in page.data or page.role == "test":
        return []
    out: list[Mark] = []
    for function in page.outline.functions:
        if not any(is_autouse(decorator, page) for decorator in function.decorators):
            continue
        kinds = ("expression_statement", "raise_statement")
        ends = (node for kind in kinds for node in page.inside(function.node, kind) if skips(node, page))
        out.extend(
            Mark("exam-hook", node.line, f"{function.name}: {normal(node)}")
            for node in ends
            if not _asked_for(node, function, page)
        )
    return out
