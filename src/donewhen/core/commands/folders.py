"""Where a line goes with `cd`: inside the workspace, relative to where it started, or None.

A folder that is not known counts as outside. Nothing is looked up on a disk.
"""

import re

START = "\0"  # stands for the folder in which the line started; no text from a shell can hold it
_DRIVE = re.compile(r"[A-Za-z]:(?:[\\/]|$)")
DEEP = 100


def enter(folder: str | None, target: str, root: str | None) -> str | None:
    """The folder after `cd target` in `folder`; `root` is the workspace's absolute path, when known."""
    if target.startswith(START):
        return _walk("", target[1:])
    if root and _is_absolute(root) and _is_absolute(target):
        return _below(root, target)
    if _DRIVE.match(target):  # `cd /d C:\\app`: a drive means another root only if we know ours
        return "" if ".." not in target and len(target) > 2 else None
    if _is_absolute(target) or target.startswith("~"):
        return None
    return None if folder is None else _walk(folder, target)


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or bool(_DRIVE.match(path))


def _below(root: str, target: str) -> str | None:
    drive = bool(_DRIVE.match(root))
    home, there = (_parts(path.lower() if drive else path) for path in (root, target))
    if home is None or there is None or there[: len(home)] != home:
        return None
    return "/".join(there[len(home) :])


def _parts(path: str) -> list[str] | None:
    walked = _walk("", path.replace("\\", "/"))
    return None if walked is None else walked.split("/") if walked else []


def _walk(folder: str, path: str) -> str | None:
    parts = folder.split("/") if folder else []
    for part in path.replace("\\", "/").split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) if len(parts) <= DEEP else None
