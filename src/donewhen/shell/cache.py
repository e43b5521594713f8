"""Trees of texts seen before, the least recently used dropped first.

Bounded by entries and by characters of text: a tree is some dozen times the size of its text.
"""

from collections import OrderedDict
from threading import Lock

from donewhen.core.tree import Tree

Key = tuple[str, str]


class TreeCache:
    def __init__(self, entries: int, characters: int) -> None:
        self._entries = entries
        self._characters = characters
        self._held = 0
        self._trees: OrderedDict[Key, Tree] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Tree | None:
        with self._lock:
            tree = self._trees.get(key)
            if tree is not None:
                self._trees.move_to_end(key)
            return tree

    def put(self, key: Key, tree: Tree) -> None:
        size = len(key[0])
        if size > self._characters:
            return
        with self._lock:
            if key in self._trees:
                return
            self._trees[key] = tree
            self._held += size
            while len(self._trees) > self._entries or self._held > self._characters:
                dropped, _ = self._trees.popitem(last=False)
                self._held -= len(dropped[0])

    def __len__(self) -> int:
        return len(self._trees)
