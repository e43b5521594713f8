"""Emacs Lisp given on the command line: calls of functions that act on files or run programs.

A reader of lists with strings; everything that is not a literal is unknown.
"""

import re

from donewhen.guard.programs.code.deeds import DEEDS
from donewhen.guard.programs.code.scene import Scene
from donewhen.guard.programs.code.tokens import unescape
from donewhen.guard.programs.code.values import UNKNOWN, Seq, TooMuch, Value, bounded, text_of

_TOKEN = re.compile(r""""(?:[^"\\]|\\.)*"|;[^\n]*|[()]|[^\s()";]+""", re.DOTALL)
_DEEDS = {
    "shell-command": "text", "shell-command-to-string": "text", "async-shell-command": "text",
    "compile": "text",
    "call-process-shell-command": "text", "start-process-shell-command": "process_text",
    "call-process": "process", "process-lines": "argv", "start-process": "started", "process-file": "process",
    "make-process": "opaque", "call-process-region": "opaque", "delete-file": "delete",
    "delete-directory": "delete_deep",
    "write-region": "region", "write-file": "write", "append-to-file": "region",
    "insert-file-contents": "read",
    "insert-file": "read", "find-file": "read", "find-file-noselect": "read", "load": "read",
    "load-file": "read",
    "copy-file": "copy", "rename-file": "move", "make-directory": "make", "set-file-modes": "mode_first",
    "copy-directory": "copy", "make-symbolic-link": "link", "url-copy-file": "fetch", "getenv": "env",
    "message": "print",
    "princ": "print", "print": "print", "url-retrieve-synchronously": "connect", "eval": "opaque",
    "signal-process": "kill",
    "url-insert-file-contents": "connect",
}  # fmt: skip


def lisp(text: str, scene: Scene) -> None:
    """Adds to the scene what the forms would do."""
    stack: list[list[Value]] = [[]]
    for count, found in enumerate(_TOKEN.finditer(text)):
        part = found[0]
        if count > 20_000 or len(stack) > 200:
            raise TooMuch
        if part == "(":
            stack.append([])
        elif part == ")":
            if len(stack) > 1:
                form = stack.pop()
                stack[-1].append(_form(form, scene))
        elif part[0] == '"':
            stack[-1].append(_path(unescape(part[1:-1]), scene))
        elif part[0] != ";":
            stack[-1].append(_Symbol(part))


class _Symbol(str):
    """A name, not a text."""

    __slots__ = ()


def _path(text: str, scene: Scene) -> str:
    return scene.call.ground.home + text[1:] if text == "~" or text.startswith("~/") else text


def _form(form: list[Value], scene: Scene) -> Value:
    name = form[0] if form else None
    values = [_plain(value) for value in form[1:]]
    if not isinstance(name, _Symbol):
        return UNKNOWN
    if name == "concat":
        return bounded("".join(text_of(value) for value in values))
    if name in ("expand-file-name", "file-truename"):
        return values[0] if values else UNKNOWN
    deed = _DEEDS.get(name.lstrip("'#"))
    if deed == "process":  # PROGRAM INFILE DESTINATION DISPLAY ARGS…
        return DEEDS["argv"](scene, [*values[:1], *values[4:]], {})
    if deed == "started":
        return DEEDS["argv"](scene, values[2:], {})
    if deed == "process_text":
        return DEEDS["text"](scene, values[2:], {})
    if deed == "region":  # START END FILE
        return DEEDS["write"](scene, [values[2] if len(values) > 2 else UNKNOWN], {})
    return DEEDS[deed](scene, values, {}) if deed is not None else UNKNOWN


def _plain(value: Value) -> Value:
    if not isinstance(value, _Symbol):
        return value
    if value in ("nil", "t"):
        return Seq(()) if value == "nil" else True
    try:
        return int(value)
    except ValueError:
        return UNKNOWN
