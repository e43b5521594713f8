"""What this machine can confine with, each tried for real: a program that is there may still be forbidden.

`probe` runs a few tiny commands once per process and remembers. It changes nothing but a control group that
it makes and removes.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.programs import SYSTEM, in_working_tree

_SECONDS = 10.0
_ABI_QUESTION = 1
_GROUPS = Path("/sys/fs/cgroup")
_TRIED = (
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--die-with-parent",
    "--new-session",
    "--as-pid-1",
)
_ROOT = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")


class Support(NamedTuple):
    bubblewrap: str = ""  # path of the program, when it works
    bubblewrap_why: str = ""  # what it says, when it is there and does not
    bubblewrap_network: bool = False
    overlays: bool = False
    landlock: int = 0  # version of its interface
    namespaces: bool = False  # user and network namespaces without bubblewrap
    seatbelt: str = ""
    groups: tuple[tuple[str, str], ...] = ()  # (controller, folder in which groups can be made)
    bash: str = ""
    root: bool = False
    reaper: bool = False  # orphans can be collected without a namespace


@cache
def probe() -> Support:
    linux = sys.platform == "linux"
    found = find_program("bwrap") if linux else ""
    why = _why_not([found, *_TRIED, *_ROOT]) if found else ""
    bubblewrap = found if found and not why else ""
    return Support(
        bubblewrap,
        why,
        bool(bubblewrap) and not _why_not([bubblewrap, *_TRIED, "--unshare-net", *_ROOT]),
        bool(bubblewrap)
        and not _why_not([bubblewrap, *_ROOT, "--overlay-src", "/usr", "--tmp-overlay", "/usr"]),
        _landlock() if linux else 0,
        linux and _namespaces(),
        _seatbelt() if sys.platform == "darwin" else "",
        _groups() if linux else (),
        find_program("bash"),
        os.geteuid() == 0,
        linux,
    )


@cache
def find_program(name: str) -> str:
    """Where a program of the system is: PATH comes last, and never where it leads into somebody's project."""
    home = os.environ.get("HOME", "")
    named = [folder for folder in os.environ.get("PATH", "").split(":") if folder.startswith("/")]
    named = [folder for folder in named if not in_working_tree(folder, home)]
    return shutil.which(name, path=":".join((*SYSTEM, *named))) or ""


def _why_not(prefix: list[str]) -> str:
    """What stops `prefix` from running the command `true`; empty when nothing does."""
    try:
        done = subprocess.run(
            [*prefix, "true"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
            cwd="/",
            env={"PATH": ":".join(SYSTEM)},
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
    return "" if done.returncode == 0 else said or f"exit {done.returncode}"


def _landlock() -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(444, None, ctypes.c_size_t(0), _ABI_QUESTION)))


def _namespaces() -> bool:
    unshare = find_program("unshare")
    kinds = ["--net"] if os.geteuid() == 0 else ["--user", "--net"]
    return bool(unshare) and not _why_not([unshare, *kinds])


def _seatbelt() -> str:
    found = find_program("sandbox-exec")
    return found if found and not _why_not([found, "-p", "(version 1)(allow default)"]) else ""


def _groups() -> tuple[tuple[str, str], ...]:
    """Where control groups with limits can be made: below our own group, if that is ours to divide."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return ()
    found = {}
    for line in lines:
        _, _, rest = line.partition(":")
        names, _, own = rest.partition(":")
        for controller, file in (
            ("pids", "pids.max"),
            ("memory", "memory.max" if not names else "memory.limit_in_bytes"),
        ):
            folder = _folder(names, own, controller)
            if folder and controller not in found and _makes_groups(folder, file):
                found[controller] = str(folder)
    return tuple(sorted(found.items()))


def _folder(names: str, own: str, controller: str) -> Path | None:
    """The folder of our group. In the old layout only the top may be divided: what is below has a manager."""
    if not names:
        return _GROUPS / own.lstrip("/") if (_GROUPS / "cgroup.controllers").exists() else None
    return _GROUPS / controller if controller in names.split(",") and own == "/" else None


def _makes_groups(folder: Path, file: str) -> bool:
    made = folder / f"donewhen-probe-{os.getpid()}"
    try:
        made.mkdir()
    except OSError:
        return False
    try:
        return os.access(made / file, os.W_OK) and os.access(made / "cgroup.procs", os.W_OK)
    finally:
        made.rmdir()
