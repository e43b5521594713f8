"""Simple commands anywhere in a tree, also in substitutions and functions, without recursion."""

from collections.abc import Iterator

from donewhen.core.tree import Simple


def simples(tree: object) -> Iterator[Simple]:
    """In order of appearance; a wrapper that only passes on what it runs gives way to that."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if not isinstance(node, tuple):
            continue
        if isinstance(node, Simple) and node.words and not _passes_on(node):
            yield node
        stack.extend(reversed(node))


def _passes_on(node: Simple) -> bool:
    return bool(node.inner) and all(
        inner.keeps_status and not inner.elsewhere and inner.script is not None for inner in node.inner
    )
