"""Dying on purpose: with `DONEWHEN_TEST_CRASH` set, a process kills itself at a point of its work.

`37` is the 37th point that is reached, `NAME` or `NAME@2` the first or second time that NAME is. What is lost
then is what a power cut or `kill -9` at that moment would lose: nothing is flushed, closed or said. With
`DONEWHEN_TEST_CRASH_LOG` the names are appended to a file as they are reached. Without either, a point costs
a look at a constant.
"""

import os
import signal

_WANTED = os.environ.get("DONEWHEN_TEST_CRASH", "")
_LOG = os.environ.get("DONEWHEN_TEST_CRASH_LOG", "")
_ACTIVE = bool(_WANTED or _LOG)
_NAME, _, _TIMES = _WANTED.partition("@")
_reached: dict[str, int] = {}


def crash_point(name: str) -> None:
    if not _ACTIVE:
        return
    for known in (name, "*"):
        _reached[known] = _reached.get(known, 0) + 1
    if _LOG:
        with open(_LOG, "a") as log:  # noqa: PTH123
            log.write(f"{name}\n")
    by_number = _WANTED.isdigit() and _reached["*"] == int(_WANTED)
    by_name = name == _NAME and _reached[name] == int(_TIMES or 1)
    if by_number or by_name:
        os.kill(os.getpid(), signal.SIGKILL)
