"""Where tests put their files: in memory where there is a place for it, and always where programs can be started."""

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_MEMORY = Path("/dev/shm")
_FREE = 2 << 30  # bytes that a place in memory must have left
_BESIDE = Path(__file__).parents[1] / ".venv"


@cache
def fast_root() -> Path:
    """For most tests; walls that are weaker than bubblewrap leave a place in memory open to commands."""
    memory = [_MEMORY] if usable(_MEMORY) and shutil.disk_usage(_MEMORY).free > _FREE else []
    return _first([*memory, *_disks()])


@cache
def disk_root() -> Path:
    """For tests of those walls."""
    return _first(_disks())


def walled_folder() -> Path:
    """A new folder for a test of walls; the test removes it."""
    return Path(tempfile.mkdtemp(prefix="donewhen-test-", dir=disk_root())).resolve()


def own_home() -> None:
    """Give this process and its children a home of their own: nobody's settings for git or pip change a test."""
    cache = os.environ.get("PIP_CACHE_DIR") or str(Path.home() / ".cache" / "pip")
    home = tempfile.mkdtemp(prefix="donewhen-home-", dir=disk_root())
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name in [name for name in os.environ if name.startswith(("GIT_", "XDG_"))]:
        del os.environ[name]
    os.environ.update(HOME=home, PIP_CACHE_DIR=cache)


def _disks() -> list[Path]:
    return [Path("/var/tmp"), Path(tempfile.gettempdir()), _BESIDE]


def _first(places: Iterable[Path]) -> Path:
    for place in places:
        if usable(place):
            return place
    tried = ", ".join(map(str, places))
    raise SystemExit(f"the tests need a temp folder in which programs can be started; none of {tried} is one")


@cache
def usable(place: Path) -> bool:
    """Whether a file can be made here and started: a mount may forbid either."""
    try:
        with tempfile.TemporaryDirectory(dir=place) as folder:
            script = Path(folder) / "script"
            script.write_text("#!/bin/sh\nexit 7\n")
            script.chmod(0o755)
            return subprocess.run([script], check=False).returncode == 7 and os.access(place, os.W_OK)
    except OSError:
        return False
