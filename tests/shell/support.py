"""Trees in a form that people can read in a table of expectations."""

from collections.abc import Iterator
from typing import Any

from donewhen.core.tree import Inner, Refused, Simple, Tree, Word
from donewhen.shell import Dialect, parse


def read(text: str, shell: Dialect = "bash") -> Any:
    """The tree, for tests that look into it and would fail anyway if it were another."""
    return parse(text, shell)


def said(word: Word) -> str:
    return word.text if word.known else f"‹{word.text}›"


def walk(node: Any) -> Iterator[Any]:
    """Every node of a tree, inner commands left out, in order of appearance."""
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, Inner):
            continue
        yield node
        if isinstance(node, tuple):
            left.extend(reversed(node))


def runs(tree: Tree) -> list[str]:
    """The simple commands, each with the wrappers round it: `sudo > timeout > npm test`.

    A wrapper that loses the status has `!`, one that runs things elsewhere `@`, an unknown script is `?`.
    """
    assert not isinstance(tree, Refused), tree
    found = []
    for node in walk(tree):
        if isinstance(node, Simple):
            found.append(
                " ".join([f"{a.name}={said(a.value)}" for a in node.assigns] + [said(w) for w in node.words])
            )
            found += [f"{name(inner)} > {line}" for inner in node.inner for line in _inside(inner)]
    return found


def _inside(inner: Inner) -> list[str]:
    return ["?"] if inner.script is None else runs(inner.script)


def name(inner: Inner) -> str:
    return inner.by + "!" * (not inner.keeps_status) + "@" * inner.elsewhere


def deepest(tree: Tree) -> list[str]:
    """What runs in the end: the lines of `runs` for commands that are no wrappers themselves."""
    lines = runs(tree)
    return [line for line in lines[1:] if " > " in line] or lines


def typed(node: Any) -> Any:
    """A tree that also differs where only the types do: NamedTuples of equal content are equal."""
    return (type(node).__name__, tuple(map(typed, node))) if isinstance(node, tuple) else node
