"""What a program that code starts would print back to it: names of files, as far as they can be told."""

import shlex
from collections.abc import Sequence

from donewhen.guard.marks import anything, certain
from donewhen.guard.programs.code.scene import Scene
from donewhen.guard.programs.code.values import UNKNOWN, Seq, Value, text_of

_LISTING = frozenset("git find fd ls pwd".split())
_SHELL = frozenset("|;&<>()$`\\*?~[]{}\n#")


def printed(scene: Scene, what: Value, folder: str) -> Value:
    """The marked text that comes back; unknown for any program that does not just list names."""
    words = _words(what)
    name = words[0].rpartition("/")[2] if words else ""
    if name not in _LISTING:
        return UNKNOWN
    from donewhen.guard.programs.printing.outputs import OUTPUTS

    text = OUTPUTS[name](scene.call._replace(argv=words, folder=folder or scene.folder, stdin=None))
    return UNKNOWN if anything(text) else text


def _words(what: Value) -> tuple[str, ...]:
    if isinstance(what, Seq):
        texts: Sequence[str] = [text_of(item) for item in what.items]
        return tuple(texts) if all(map(certain, texts)) else ()
    if not isinstance(what, str) or not certain(what) or not _SHELL.isdisjoint(_unquoted(what)):
        return ()
    try:
        return tuple(shlex.split(what))
    except ValueError:
        return ()


def _unquoted(text: str) -> str:
    """What stands outside of single quotes."""
    return "".join(text.split("'")[::2])
