"""A virtual environment that was copied: the paths that it holds of its old place are changed to the new one.

Scripts, its own settings and what editable installs wrote; nothing else in it knows where it lies. A first
line that the kernel would cut is written as a shell line instead.
"""

import os
from collections.abc import Iterator
from pathlib import Path

_LARGEST = 1024 * 1024
_SHEBANG = 120  # the kernel may cut after this


def is_environment(folder: Path) -> bool:
    return (folder / "pyvenv.cfg").is_file()


def move_environment(folder: Path, old: str, new: str) -> None:
    """Make the environment `folder` speak of `new`, the root that it now lies in, instead of `old`."""
    if old == new:
        return
    before, after = os.fsencode(old), os.fsencode(new)
    for path in _with_paths(folder):
        try:
            if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
                continue
            data = path.read_bytes()
        except OSError:
            continue
        if before in data:
            mode = path.stat().st_mode
            path.unlink()
            path.write_bytes(_runnable(data.replace(before, after)))
            path.chmod(mode)


def _with_paths(folder: Path) -> Iterator[Path]:
    yield folder / "pyvenv.cfg"
    yield from sorted((folder / "bin").glob("*"))
    for site in sorted(folder.glob("lib/python*/site-packages")):
        yield from sorted(path for path in site.iterdir() if path.suffix in (".pth", ".py", ".egg-link"))
        yield from sorted(site.glob("*.dist-info/direct_url.json"))


def _runnable(data: bytes) -> bytes:
    line, end, rest = data.partition(b"\n")
    program = line[2:].strip()
    if not data.startswith(b"#!/") or len(line) <= _SHEBANG or not program.endswith((b"python", b"python3")):
        return data
    return b"#!/bin/sh\n'''exec' \"" + program + b'" "$0" "$@"\n\' \'\'\'' + end + rest
