"""What a test uses from its own file: constants, helpers, set-up, fixtures. All of it is part of the test.

A test whose own lines stand as they were is another test when the table that it loops over lost a row, or
the helper that it calls lost its assertion.
"""

from donewhen.verify.integrity import syntax
from donewhen.verify.integrity.python.outline import Function
from donewhen.verify.integrity.python.page import Page
from donewhen.verify.integrity.python.switches import is_autouse
from donewhen.verify.integrity.python.tree import Node

_MOST = 60  # things that one test uses
_SETUPS = "setUp setUpClass asyncSetUp setup_method setup_class tearDown setUpModule setup_module".split()


class Uses:
    def __init__(self, page: Page) -> None:
        self.page = page
        self._digests: dict[int, str] = {}
        self._words: dict[int, frozenset[str]] = {}
        self._rounds: dict[str, list[Function]] = {}
        self._known_as: dict[tuple[str, str], Node | None] = {}
        self._autouse = [
            function
            for function in (page.outline.functions if b"autouse" in page.data else ())
            if any(is_autouse(each, page) for each in function.decorators)
        ]

    def digest(self, function: Function, home: str) -> str:
        """Of the test without its name, and of everything that it uses."""
        own = self.page.flat.digest(function.whole, function.node.get("name"))
        used = sorted(self._of(node) for node in self._used(function, home))
        return syntax.digest(own, *used) if used else own

    def _of(self, node: Node) -> str:
        if node.at not in self._digests:
            self._digests[node.at] = self.page.flat.digest(node)
        return self._digests[node.at]

    def _used(self, function: Function, home: str) -> list[Node]:
        if home not in self._rounds:
            self._rounds[home] = self._round(home)
        found: dict[int, Node] = {}
        waiting = [function.whole, *(each.whole for each in self._rounds[home])]
        for each in waiting[1:]:
            found[each.at] = each
        while waiting and len(found) < _MOST:
            for word in sorted(self._named(waiting.pop())):
                if (word, home) not in self._known_as:
                    self._known_as[word, home] = self._known(word, home)
                node = self._known_as[word, home]
                if node is not None and node.at not in found and node is not function.whole:
                    found[node.at] = node
                    waiting.append(node)
        return list(found.values())

    def _round(self, home: str) -> list[Function]:
        """What runs round every test of the class, or of the file."""
        methods = (self.page.method(home, name) for name in _SETUPS) if home else ()
        plain = (self.page.functions.get(name) for name in _SETUPS)
        fixtures = (each for each in self._autouse if not each.home or each.home == home)
        return [each for each in (*methods, *plain, *fixtures) if each is not None]

    def _named(self, node: Node) -> frozenset[str]:
        if node.at not in self._words:
            words = (each.word for each in self.page.inside(node, "identifier"))
            self._words[node.at] = frozenset(words)
        return self._words[node.at]

    def _known(self, word: str, home: str) -> Node | None:
        """A constant, function or method of this file; other tests are none of them."""
        page = self.page
        helper = page.functions.get(word) or (page.method(home, word) if home else None)
        if helper is not None:
            return None if helper.name.startswith("test") else helper.whole
        for each in page.lineage(home) if home else ():
            value = page.values.bindings(each.node).values.get(word)
            if value is not None:
                return value
        return page.module.values.get(word)
