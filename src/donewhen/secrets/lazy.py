"""A regex that is compiled when it is first used, so that importing the room stays cheap."""

import re
from functools import cached_property


class Lazy:
    """Holds the source of a regex; `.re` is the compiled one."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self._flags = flags

    @cached_property
    def re(self) -> "re.Pattern[str]":
        return re.compile(self.source, self._flags)
