"""The `python3` that projects under test call: the tests' own version with nothing installed, started directly.

Where a version manager answers to that name with a script, each call costs several times what Python itself
does, and an exam makes dozens. Elsewhere `python3` stays what the machine has.
"""

import atexit
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.folders import disk_root


@cache
def plain_python() -> str:
    """The tests' own interpreter by a path that can stand in a first line or a command without quotes."""
    if " " not in sys.executable:
        return sys.executable
    place = Path(tempfile.mkdtemp(prefix="donewhen-python-", dir=disk_root()))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    program = place / "python3"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n")
    place.chmod(0o755)
    program.chmod(0o755)
    return str(program)


def lean_python() -> Path | None:
    """The folder to put before PATH; None where `python3` is a program, or no environment can be made."""
    found = shutil.which("python3")
    if found is None or Path(found).read_bytes()[:2] != b"#!":
        return None
    place = Path(sys.prefix) / f"tests-python-{sys.version_info.major}.{sys.version_info.minor}"
    with suppress(OSError):
        if not place.is_dir():
            _make(place)
        return place / "bin"
    return None


def _make(place: Path) -> None:
    """Beside and then renamed: several test processes may begin at once."""
    import venv

    beside = tempfile.mkdtemp(prefix="making-", dir=place.parent)
    try:
        venv.create(beside, symlinks=True)
        Path(beside).chmod(0o755)
        with suppress(OSError):  # another was faster
            Path(beside).rename(place)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
