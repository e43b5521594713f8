"""Values as they may be shown: addresses without passwords and tokens.

Only for showing; nothing that is hidden here is lost in the configuration itself.
"""

import re
from typing import Any

from donewhen.config.fields import Key

HIDDEN = "***"

_NAMED_SECRET = re.compile(r"([?&][^=&#]*(?:pass|secret|token|key)[^=&#]*=)[^&#]*", re.IGNORECASE)


def hide_password(url: str) -> str:
    """The address without what is secret in it."""
    scheme, found, rest = url.partition("://")
    # a password may itself hold `@` or `/`, so everything up to the last `@` goes
    bare = f"{scheme}://{HIDDEN}@{rest.rpartition('@')[2]}" if found and "@" in rest else url
    return _NAMED_SECRET.sub(rf"\1{HIDDEN}", bare)


def hidden(value: Any, entry: Key) -> Any:
    """The value of a key as it may be shown."""
    if not entry.facts.hides or value is None:
        return value
    if isinstance(value, list | tuple):
        return [hidden(item, entry) for item in value]
    if entry.facts.hides == "all":
        scheme, found, _ = str(value).partition("://")
        return f"{scheme}://{HIDDEN}" if found else HIDDEN
    return hide_password(str(value))
