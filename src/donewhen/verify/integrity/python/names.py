"""What a name in a file stands for, as far as its imports say, and how a call is called.

Nothing is imported; a name that no import explains stands for itself.
"""

from donewhen.verify.integrity.python import atoms
from donewhen.verify.integrity.python.tree import Light, Node

_LONGEST = 12  # parts of a dotted name
_MAY_BE_DOTTED = frozenset(("attribute", "call", "subscript", "parenthesized_expression"))
_IMPORTERS = ("__import__", "import_module")


class Names:
    def __init__(self, light: Light) -> None:
        self._calls: dict[int, str] = {}
        self._dotted_names: dict[Node, str] = {}
        self.full: dict[str, str] = {}  # local name → what it stands for
        self.modules: set[str] = set()  # local names that stand for a whole module
        self.imported: list[tuple[str, Node]] = []  # modules as they are imported, and where
        for node in light.index.get("import_statement", ()):
            for name in node.all("name"):
                self._module(name, node)
        for node in light.index.get("import_from_statement", ()):
            self._members(node)

    def _module(self, name: Node, statement: Node) -> None:
        inner, alias = name.get("name"), name.get("alias")
        module = _joined(inner or name)
        self.imported.append((module, statement))
        if alias is not None:
            self.full[alias.word] = module
            self.modules.add(alias.word)
        else:
            self.modules.add(module.partition(".")[0])

    def _members(self, node: Node) -> None:
        home = node.get("module_name")
        module = "".join(_tokens(home)) if home is not None else ""
        self.imported.append((module, node))
        for name in node.all("name"):
            inner, alias = name.get("name"), name.get("alias")
            member = _joined(inner or name)
            self.full[(alias.word if alias else member)] = f"{module}.{member}" if module else member

    def dotted(self, node: Node | None) -> str:
        """`pytest.mark.skip` whatever it was imported as; calls in between as `()`; "" for other things."""
        if node is None:
            return ""
        if node.kind == "identifier":
            return self.full.get(node.word, node.word)
        if node.kind not in _MAY_BE_DOTTED:
            return ""
        name = self._dotted_names.get(node)
        if name is None:
            name = self._dotted_names[node] = self._dotted(node)
        return name

    def _dotted(self, node: Node) -> str:
        parts: list[str] = []
        here: Node | None = node
        while here is not None and len(parts) < _LONGEST:
            if here.kind == "identifier":
                parts.append(self.full.get(here.word, here.word))
                return ".".join(reversed(parts)).replace(".()", "()").replace(".[]", "[]")
            here = self._step(here, parts)
        return ""

    def _step(self, here: Node, parts: list[str]) -> Node | None:
        if here.kind == "attribute":
            last = here.get("attribute")
            parts.append(last.word if last else "")
            return here.get("object")
        if here.kind == "call":
            return self._called(here, parts)
        if here.kind == "subscript":
            parts.append("[]")
            return here.get("value")
        return here.kids[1] if here.kind == "parenthesized_expression" and len(here.kids) == 3 else None

    def _called(self, here: Node, parts: list[str]) -> Node | None:
        function, given = here.get("function"), arguments(here)
        name = function.word if function is not None else ""
        if name == "getattr" and len(given) > 1 and (member := atoms.unquoted(given[1].word)) is not None:
            parts.append(member)
            return given[0]
        last = name or (function.kids[-1].word if function is not None and function.kids else "")
        if last in _IMPORTERS and given and (module := atoms.unquoted(given[0].word)):
            stand_in = Node("identifier", "", here.line, here)
            stand_in.word = module
            return stand_in
        parts.append("()")
        return function

    def called(self, call: Node) -> str:
        name = self._calls.get(call.at)
        if name is None:
            function = call.get("function")
            name = self.dotted(function)
            if not name and function is not None and function.kind == "attribute":
                name = f"?.{function.kids[-1].word}"  # a method of something that has no name
            self._calls[call.at] = name
        return name

    def plain(self, node: Node | None) -> str:
        """The name as tests speak of it: without `self`, without the module that it came from."""
        root = node
        while root is not None and root.kind in ("attribute", "call", "subscript"):
            root = root.get("object") or root.get("function") or root.get("value")
        spelled = self.dotted(node).replace("()", "").replace("[]", "")
        if root is None or root.kind != "identifier":
            return spelled
        if root.word in ("self", "cls"):
            return spelled.partition(".")[2]
        stands = self.full.get(root.word)
        if root.word in self.modules:
            return self._without_module(spelled)
        return spelled.removeprefix(f"{stands.rpartition('.')[0]}.") if stands else spelled

    def _without_module(self, spelled: str) -> str:
        known = (module for module, _ in self.imported if spelled.startswith(f"{module}."))
        return spelled.removeprefix(f"{max(known, key=len, default='')}.")


def arguments(call: Node) -> list[Node]:
    """Positional arguments."""
    given = call.get("arguments")
    if given is None or given.kind != "argument_list":
        return [given] if given is not None else []
    return [kid for kid in given.parts if kid.kind not in _NOT_POSITIONAL]


_NOT_POSITIONAL = frozenset(("keyword_argument", "dictionary_splat"))


def keywords(call: Node) -> dict[str, Node]:
    given = call.get("arguments")
    if given is None:
        return {}
    pairs = ((kid.get("name"), kid.get("value")) for kid in given.parts if kid.kind == "keyword_argument")
    return {name.word: value for name, value in pairs if name is not None and value is not None}


def _joined(name: Node) -> str:
    return ".".join(part.word for part in name.parts) if name.kids else name.word


def _tokens(node: Node) -> list[str]:
    if not node.kids:
        return [node.word]
    return [token for kid in node.kids for token in _tokens(kid)]
