"""Folders that a container gets from this machine: what happens to them inside happens here.

Only options of `docker run` and its kin that name a folder of the host; named volumes are the container's.
"""

from collections.abc import Iterator

from donewhen.guard.ground import absolute
from donewhen.guard.state import State

_SHORT = ("-v", "--volume")


def mount(argv: tuple[str, ...], state: State) -> None:
    """From now on the state's links lead from the container's folders to those of the host."""
    state.files = {}
    state.links = {
        target.rstrip("/") or "/": absolute(source, state.folder)
        for source, target in _pairs(argv)
        if source.startswith(("/", ".", "~")) and target.startswith("/")
    }


def _pairs(argv: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for at, word in enumerate(argv):
        name, equals, value = word.partition("=")
        if word.startswith("-v") and not word.startswith("--") and len(word) > 2:
            value = word[2:]
        elif not equals:
            value = argv[at + 1] if at + 1 < len(argv) else ""
        if name in _SHORT or word.startswith("-v"):
            source, _, target = value.partition(":")
            yield source, target.partition(":")[0]
        elif name == "--mount":
            parts = dict(part.partition("=")[::2] for part in value.split(","))
            yield (
                parts.get("source") or parts.get("src", ""),
                parts.get("target") or parts.get("dst") or parts.get("destination", ""),
            )
