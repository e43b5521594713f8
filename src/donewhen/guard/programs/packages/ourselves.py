"""donewhen as a package: who removes it, or installs another over it, switches off what gates the agent."""

import re

from donewhen.guard.effects import Writes
from donewhen.guard.programs.packages.acts import helps
from donewhen.guard.programs.packages.engine import Act, Found, Turn

# A requirement, a wheel, an archive, an address or a folder of this name; not `donewhen-plugin`.
_NAMED = re.compile(r"(?:^|[/=\s])donewhen(?=$|/$|[\[<>=!~;@#,\s]|[-_]\d|\.git\b)", re.IGNORECASE)


def is_ours(word: str) -> bool:
    return _NAMED.search(word) is not None


def with_ourselves(act: Act) -> Act:
    """The same act, which also says when it is about us."""

    def wrapped(turn: Turn) -> Found:
        if any(map(is_ours, turn.rest)) and not helps(turn):
            yield Writes(f"{turn.call.ground.home}/.local/state/donewhen/{turn.verb.replace(' ', '-')}")
        yield from act(turn)

    return wrapped
