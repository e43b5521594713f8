"""A process whose wall clock jumps: each look at it is put forward or back by the next of some amounts."""

import os

from tests.faults.stage import Stage

_JUMPING = """
import itertools, os, time
_real, _nanos = time.time, time.time_ns
_jumps = itertools.cycle([int(each) for each in os.environ["TEST_CLOCK"].split()])
time.time = lambda: _real() + next(_jumps)
time.time_ns = lambda: _nanos() + next(_jumps) * 10**9
"""


def jumping(stage: Stage, *seconds: int) -> dict[str, str]:
    """The variables that give a process of the stage such a clock; one amount only puts it wrong for good."""
    folder = stage.base / "clock"
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(_JUMPING)
    found = os.pathsep.join(filter(None, (str(folder), stage.env.get("PYTHONPATH", ""))))
    return {"PYTHONPATH": found, "TEST_CLOCK": " ".join(map(str, seconds))}
