"""Folders of a stage on a file system of their own, small or read-only, in a private mount namespace.

What the commands wrote there is copied back afterwards, so that a run can be gone on with where there is
space again, at the same path.
"""

import shutil
import subprocess
import sys

from tests.faults.stage import Ended, Stage

_BLOCK = 4096
_SMALL = """
mount -t tmpfs -o size="$SIZE",mode=700 tmpfs "$AT" || exit 99
cp -a "$AT.before/." "$AT/" || exit 98
cd "$HERE" && "$@"
code=$?
cp -a "$AT/." "$AT.after/"
exit $code
"""
_READ_ONLY = """
mount --bind "$AT" "$AT" && mount -o remount,bind,ro "$AT" || exit 99
cd "$HERE" && exec "$@"
"""


def refused() -> str:
    """Why there can be no such file systems here; empty when there can."""
    unshare = shutil.which("unshare")
    tried = [unshare or "false", "-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    done = subprocess.run(tried, capture_output=True, check=False)
    return "" if unshare and done.returncode == 0 else "needs `unshare -Urm` (user and mount namespaces)"


def on_a_small_disk(stage: Stage, name: str, kib: int, *words: str) -> Ended:
    """The command while one folder of the stage is a file system of this size."""
    at = stage.base / name
    at.mkdir(exist_ok=True)
    before, after = at.with_name(f"{at.name}.before"), at.with_name(f"{at.name}.after")
    at.rename(before)
    at.mkdir()
    after.mkdir()
    ended = _inside(stage, _SMALL, name, words, SIZE=f"{kib}k")
    assert ended.exit not in (98, 99), ended
    at.rmdir()
    after.rename(at)
    shutil.rmtree(before)
    return ended


def on_a_read_only_disk(stage: Stage, name: str, *words: str) -> Ended:
    (stage.base / name).mkdir(exist_ok=True)
    ended = _inside(stage, _READ_ONLY, name, words)
    assert ended.exit != 99, ended
    return ended


def _inside(stage: Stage, script: str, name: str, words: tuple[str, ...], **env: str) -> Ended:
    places = {"AT": str(stage.base / name), "HERE": str(stage.repo)}
    done = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", script, "sh", sys.executable, "-m", "donewhen", *words],
        cwd=stage.base,
        env=stage.env | places | env,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def used_kib(stage: Stage, name: str) -> int:
    """What the files of a folder take on a tmpfs; folders take nothing there."""
    sizes = (path.lstat().st_size for path in (stage.base / name).rglob("*") if path.is_file())
    return sum(-(-size // _BLOCK) * _BLOCK for size in sizes) // 1024


def with_small_files(stage: Stage, kib: int, *words: str) -> Ended:
    """The command while no file may grow beyond this size: the nearest to a full disk without namespaces."""
    script = f'ulimit -f {kib}; exec "$@"'  # bash counts in KiB
    done = subprocess.run(
        ["bash", "-c", script, "bash", sys.executable, "-m", "donewhen", *words],
        cwd=stage.repo,
        env=stage.env | {"PYTHONDONTWRITEBYTECODE": "1"},  # Python would leave halves of compiled modules
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    return Ended(done.returncode, done.stdout, done.stderr)
