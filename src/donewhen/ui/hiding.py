"""What this process hides: variables that look like secrets, and those that its configuration declares.

What is shown or reported may be made where no configuration is at hand, so the names are kept here from the
moment that one is read.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from donewhen.config import Config
    from donewhen.secrets.redact import Redactor

_declared: set[str] = set()


def remember(config: "Config") -> None:
    """Hide from now on what this configuration declares."""
    from donewhen.config.secret_names import secret_names

    _declared.update(secret_names(config))


def redactor() -> "Redactor":
    from donewhen.secrets.redact import Redactor

    return Redactor.from_environment(os.environ, tuple(sorted(_declared)))
