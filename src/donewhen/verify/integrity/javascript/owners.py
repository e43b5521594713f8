"""The function that a piece of source answers for, by the name under which tests call it.

What a file exports as a whole is called by the file's name. What an object turns into when it is compared is
the answer of whoever makes the object.
"""

import re
from functools import cached_property
from pathlib import PurePosixPath

from donewhen.verify.integrity.javascript.node import FUNCTIONS, Node, dotted, enclosing, name_of, outer
from donewhen.verify.integrity.javascript.tree import Script

_CONVERTED = frozenset(("valueOf", "toString", "toJSON", "inspect", "Symbol.toPrimitive"))
_JOIN = re.compile(r"[-_.](\w)")


class Owners:
    def __init__(self, script: Script, path: str) -> None:
        self._script = script
        self._path = path

    def of(self, node: Node) -> str:
        """The name of the nearest function around it that has one."""
        here = enclosing(node)
        while here is not None:
            name = self.called(here)
            if name:
                return name
            here = enclosing(here)
        return ""

    def called(self, function: Node) -> str:
        name = name_of(function)
        if is_default(function):
            return module_name(self._path) or name
        if function.type == "method_definition" and (not name or name in _CONVERTED):
            return self._makers.get(_class_of(function), name)
        return name

    @cached_property
    def _makers(self) -> dict[str, str]:
        """Class → the first function that makes one of it."""
        found: dict[str, str] = {}
        for made in self._script.kinds.get("new_expression", ()):
            maker = enclosing(made)
            name = self.called(maker) if maker is not None and maker.type != "method_definition" else ""
            if name:
                found.setdefault(dotted(made.kids[0]), name)
        return found


def _class_of(method: Node) -> str:
    body = method.parent
    return name_of(body.parent) if body is not None and body.parent is not None else ""


def is_default(function: Node) -> bool:
    """`module.exports = (text) => …` and `export default (text) => …`."""
    whole = outer(function)
    holder = whole.parent
    if holder is None:
        return False
    if holder.type == "export_statement":
        return not name_of(function) and function.type in FUNCTIONS
    return holder.type == "assignment_expression" and dotted(holder.kids[0]) == "module.exports"


def module_name(path: str) -> str:
    """`src/parse-range.js` is asked as `parseRange`, `range/index.js` as `range`."""
    place = PurePosixPath(path)
    stem = place.name.partition(".")[0]
    if stem == "index":
        stem = place.parent.name
    return _JOIN.sub(lambda found: found[1].upper(), stem)
