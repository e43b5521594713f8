"""Command text to frozen syntax trees: a real parser of bash behind a fast path, bounded and cached.

`parse` reads a text, `unwrap` finds what a command runs in its turn. The room executes nothing of what it
reads and judges nothing; a text that it can't read whole is refused.
"""

from donewhen.shell.nest import Dialect
from donewhen.shell.reading import parse, unwrap

__all__ = ["Dialect", "parse", "unwrap"]
