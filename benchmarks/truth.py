"""The ground truth of a scripted case: judged with git and bash alone, apart from the product.

Nothing here knows how donewhen decides, so that a mistake of ours can't hide in it. Checks run in a fresh bash
with a bounded time and a home that is thrown away; what they leave running is ended.
"""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

LONGEST = 60  # seconds for one step or one check
PASSED_ON = ("PATH", "TMPDIR")
_NAMES = {
    f"GIT_{who}_{what}": "ann@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}


class Truth(NamedTuple):
    """What must hold of a tree: texts that must fail in it, then, tests put back, commands that must pass."""

    commands: tuple[str, ...]
    restore_from_base: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


def untrue(truth: Truth, base: Mapping[str, str], folder: Path, home: Path, copy: Path) -> list[str]:
    """What the truth says against the tree in `folder`; nothing when the work is right.

    `base` are the files that everything began with, `copy` a folder that is made for the commands.
    """
    against = [f"forbidden: {check}" for check in truth.forbidden if bash(check, folder, home) == 0]
    shutil.copytree(folder, copy, symlinks=True, copy_function=_copied)
    for path in truth.restore_from_base:
        _restore(base, copy, path)
    for cache in list(copy.rglob("__pycache__")):
        shutil.rmtree(cache)
    clean = copy.with_name(f"{copy.name}-home")  # what was left in the agent's home must not help
    clean.mkdir()
    return against + [text for text in truth.commands if bash(text, copy, clean, PYTHONDONTWRITEBYTECODE="1")]


def _copied(source: str, target: str) -> None:
    """Files only: a pipe or a socket that was left behind would be waited for."""
    if Path(source).is_file():
        shutil.copy2(source, target)


def bash(text: str, folder: Path, home: Path, **env: str) -> int:
    """The exit status of a text for bash; what it leaves running is ended with its process group."""
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    process = subprocess.Popen(
        ["bash", "-c", text],
        cwd=folder,
        env={**kept, **_NAMES, "HOME": str(home), "LANG": "C.UTF-8", **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        return -1
    finally:
        end_group(process)


def end_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _restore(base: Mapping[str, str], copy: Path, path: str) -> None:
    target = copy / path
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    for name, text in base.items():
        if name == path or name.startswith(path.rstrip("/") + "/"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text(text, encoding="utf-8")
