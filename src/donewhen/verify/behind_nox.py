"""nox: the `session.run` calls of a noxfile, read as Python syntax and never imported."""

import ast
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from donewhen.core.commands.tools.names import program_name
from donewhen.core.commands.tools.naming import name_call
from donewhen.core.tree import Word
from donewhen.verify.behind_model import Ground, Step, join

_RUNS = frozenset(("run", "run_always", "run_install"))
_LARGEST = 128 * 1024


class _Session(NamedTuple):
    name: str
    body: ast.FunctionDef
    default: bool


def nox(words: Sequence[str], folder: str, ground: Ground) -> tuple[Step, ...] | None:
    """The commands that `nox …` would run; None when that is not known."""
    if program_name(words[0])[0] != "nox":
        return None
    call = name_call(tuple(Word(word) for word in words))
    path = join(folder, "noxfile.py")
    text = ground.text(path) if path else None
    if path is None or text is None or len(text) > _LARGEST:
        return None
    if any(each.effect in ("config", "where", "other") for each in call.settings):
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    chosen = {each.value for each in call.settings if each.effect == "target" and each.value}
    sessions = [each for each in _sessions(tree) if (each.name in chosen if chosen else each.default)]
    steps = [step for each in sessions for step in _steps(each, path, folder)]
    return tuple(steps) or None


def _sessions(tree: ast.Module) -> Iterator[_Session]:
    names = _defaults(tree)
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for decorator in node.decorator_list:
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            if ast.unparse(function) not in ("nox.session", "session", "nox_uv.session"):
                continue
            keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
            given = {each.arg: _literal(each.value) for each in keywords}
            name = given.get("name") or node.name
            default = str(name) in names if names else given.get("default") is not False
            yield _Session(str(name), node, default)


def _defaults(tree: ast.Module) -> frozenset[str]:
    """`nox.options.sessions = [...]`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "nox.options.sessions":
            found = _literal(node.value)
            return frozenset(map(str, found)) if isinstance(found, list | tuple) else frozenset()
    return frozenset()


def _steps(session: _Session, path: str, folder: str) -> Iterator[Step]:
    source = f"{path} {session.name}"
    caught = {
        id(call) for node in ast.walk(session.body) if isinstance(node, ast.Try) for call in _caught(node)
    }
    for call in _calls(session.body):
        words = [_literal(each) for each in call.args if not isinstance(each, ast.Starred)]
        text = shlex.join(each if isinstance(each, str) else "$UNKNOWN" for each in words)
        text = text.replace("'$UNKNOWN'", '"$UNKNOWN"')
        codes = next((_literal(each.value) for each in call.keywords if each.arg == "success_codes"), None)
        forgiving = isinstance(codes, list | tuple) and 1 in codes
        if text:
            yield Step(source, text, folder, forgiving or id(call) in caught)


def _calls(body: ast.AST) -> Iterator[ast.Call]:
    """Calls of `session.run`, in the order of the text."""
    found = [
        node
        for node in ast.walk(body)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _RUNS
        and isinstance(node.func.value, ast.Name)
    ]
    yield from sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _caught(node: ast.Try) -> Iterator[ast.Call]:
    """Runs whose failure is caught and not raised again."""
    handled = [each for handler in node.handlers for each in handler.body]
    speaks = any(isinstance(each, ast.Raise | ast.Call) for part in handled for each in ast.walk(part))
    if node.handlers and not speaks:
        for part in node.body:
            yield from _calls(part)


def _literal(node: ast.AST) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
