"""Small texts of a project, read with care: regular files only, no links, no more than a manifest is long."""

from contextlib import suppress
from pathlib import Path

_LARGEST = 256 * 1024


def small_text(path: Path) -> str:
    """The beginning of a text file; empty when there is none: a link may lead anywhere, a pipe waits."""
    with suppress(OSError, ValueError):
        if not path.is_symlink() and path.is_file():
            with path.open("rb") as file:
                return file.read(_LARGEST).decode("utf-8", "replace")
    return ""
