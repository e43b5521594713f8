"""The names that a file defines: functions, classes, methods, constants of the module, exports."""

from donewhen.verify.integrity.javascript.node import FUNCTIONS, Node, dotted, name_of, names
from donewhen.verify.integrity.javascript.owners import is_default, module_name
from donewhen.verify.integrity.javascript.scopes import Scopes
from donewhen.verify.integrity.javascript.tree import Script

_CLASSES = frozenset(("class_declaration", "class", "abstract_class_declaration", "interface_declaration"))
_TOP = frozenset(("lexical_declaration", "variable_declaration"))


def defines(script: Script, scopes: Scopes, path: str) -> frozenset[str]:
    found: set[str] = set()
    for kind in FUNCTIONS - {"method_definition"}:
        for one in script.kinds.get(kind, ()):
            found.add(module_name(path) if is_default(one) else name_of(one))
    for kind in _CLASSES:
        found.update(name_of(one) for one in script.kinds.get(kind, ()))
    for method in script.kinds.get("method_definition", ()):
        found.update(_method(method))
    for statement in script.root.kids:
        here = statement.kids[-1] if statement.type == "export_statement" and statement.kids else statement
        if here.type in _TOP:
            found.update(name for one in here.kids if one.kids for name in names(one.kids[0]))
    for one in script.kinds.get("assignment_expression", ()):
        target = dotted(one.kids[0])
        if target.startswith(("exports.", "module.exports.")):
            found.add(target.rpartition(".")[2])
    found.discard("")
    return frozenset(found - set(scopes.imports))


def _method(method: Node) -> set[str]:
    name = name_of(method)
    body = method.parent
    holder = name_of(body.parent) if body is not None and body.parent is not None else ""
    return {name, f"{holder}.{name}"} if name and holder else {name}
