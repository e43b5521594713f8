"""Command text to frozen syntax trees, and what such a tree may do: a real parser of bash, one interpreter.

`parse` reads a text, `unwrap` finds what a command runs in its turn, `interpreter` walks a tree for a
visitor. The room executes nothing of what it reads and judges nothing; a text that it can't read whole is
refused. The parser loads when it is first asked for: who only reads tables does not pay for it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from donewhen.shell.nest import Dialect
    from donewhen.shell.reading import parse, unwrap

__all__ = ["Dialect", "parse", "unwrap"]


def __getattr__(name: str) -> Any:
    if name == "Dialect":
        from donewhen.shell.nest import Dialect

        return Dialect
    if name in __all__:
        from donewhen.shell import reading

        globals()[name] = getattr(reading, name)
        return globals()[name]
    raise AttributeError(name)
