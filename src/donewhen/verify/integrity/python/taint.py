"""Which expressions of a function are made of its parameters and nothing else that would change the question.

`x`, `str(x)`, `(a, b)`, `x.strip()`, `a + b` and a hash of them are what was asked; `n % 15` is arithmetic.
"""

from donewhen.verify.integrity.python.bindings import names_of
from donewhen.verify.integrity.python.page import Page
from donewhen.verify.integrity.python.tree import Node

_SHAPES = frozenset(
    "str repr tuple list len sorted set frozenset hash int float bool bytes dumps join strip lstrip rstrip "
    "lower upper encode decode hexdigest digest md5 sha1 sha256 sha512 blake2b blake2s crc32 adler32 copy "
    "deepcopy format split casefold title items keys values map as_posix isoformat sum".split()
)
_TRANSPARENT = frozenset(
    "parenthesized_expression tuple list expression_list argument_list string interpolation subscript slice "
    "generator_expression list_comprehension for_in_clause keyword_argument await".split()
)


class Taint:
    """The names of one function that hold what it was asked."""

    def __init__(self, page: Page, node: Node, params: tuple[str, ...]) -> None:
        self._page = page
        self.names = set(params)
        self.elements: set[str] = set()  # loop variables over parameters
        for assignment in page.inside(node, "assignment"):
            target, value = assignment.get("left"), assignment.get("right")
            if target is not None and value is not None and self.asked(value):
                self.names.update(names_of(target))
        for loop in page.inside(node, "for_statement"):
            over = loop.get("right")
            if over is not None and self.asked(over):
                self.elements.update(names_of(loop.get("left")))

    def asked(self, node: Node, depth: int = 0) -> bool:
        """Whether the expression says what was asked: parameters, in whatever shape."""
        kind = node.kind
        if kind == "identifier":
            return node.word in self.names or node.word in self.elements
        if depth > 20:
            return False
        if kind == "attribute":
            home = node.get("object")
            return home is not None and self.asked(home, depth + 1)
        if kind == "call":
            return self._call(node, depth)
        if kind == "binary_operator":
            return all(self.asked(part, depth + 1) for part in node.parts)
        if kind == "string":
            return any(self.asked(part, depth + 1) for part in node.parts if part.kind == "interpolation")
        if kind == "subscript":
            value = node.get("value")
            return value is not None and self.asked(value, depth + 1)
        return kind in _TRANSPARENT and any(self.asked(part, depth + 1) for part in node.parts)

    def _call(self, node: Node, depth: int) -> bool:
        function, given = node.get("function"), node.get("arguments")
        if function is None or given is None:
            return False
        last = function.word or (function.kids[-1].word if function.kids else "")
        if last not in _SHAPES:
            return False
        home = function.get("object") if function.kind == "attribute" else None
        return self.asked(given, depth + 1) or (home is not None and self.asked(home, depth + 1))
