"""What the disk refuses (full, read-only, gone) is said once, in one way, with the next step."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from donewhen.core.errors import SetupError


@contextlib.contextmanager
def disk_told(folder: Path) -> Iterator[None]:
    """Turn an error of the system into one that names the folder and what to do."""
    try:
        yield
    except OSError as error:
        raise SetupError("rooms.no_folder", folder=folder, cause=error.strerror or str(error)) from None
