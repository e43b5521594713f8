"""What the disk of a working tree can do, found out so that nobody who works in it can pretend otherwise.

Nothing is written into the working tree or its git directory, and no setting of the repository is believed.
"""

import os
import stat
import sys
from pathlib import Path

_NAME, _OTHER = "HEAD", "hEaD"
# file systems that may have no executable bit of their own, and show the same one for every file
_WITHOUT_MODES = frozenset(
    "vfat msdos exfat ntfs ntfs3 fuseblk 9p drvfs cifs smb3 smbfs vboxsf prl_fs hfs".split()
)
_MOUNTS = Path("/proc/self/mountinfo")
_LONGEST = 4 * 1024 * 1024


def disk(root: Path, git_dir: Path, home: Path) -> dict[str, bool]:
    """Settings of git, by their names in `core`; `home` is a folder of the harness."""
    return {
        "filemode": _has_modes(root, git_dir, home),
        "ignorecase": _ignores_case(git_dir),
        "precomposeunicode": sys.platform == "darwin",
    }


def _ignores_case(git_dir: Path) -> bool:
    """Whether one file answers to both names; a second file, also a hard link, has a name of its own."""
    try:
        same = os.path.samestat((git_dir / _NAME).lstat(), (git_dir / _OTHER).lstat())
        return same and _OTHER not in os.listdir(git_dir)  # noqa: PTH208 - names only
    except OSError:
        return False


def _has_modes(root: Path, git_dir: Path, home: Path) -> bool:
    device = root.stat().st_dev
    if device == home.stat().st_dev:
        return _keeps_modes(home / f".probe-{os.getpid()}")
    kind = _kind_of(device)
    if kind and kind not in _WITHOUT_MODES:
        return True
    # another disk, and one that may have none: there every file looks alike
    return not all(_is_executable(git_dir / name) for name in (_NAME, "config", "objects/info/packs"))


def _keeps_modes(file: Path) -> bool:
    try:
        file.write_bytes(b"")
        seen = []
        for mode in (0o700, 0o600):
            file.chmod(mode)
            seen.append(stat.S_IMODE(file.stat().st_mode) & stat.S_IXUSR)
        return seen == [stat.S_IXUSR, 0]
    finally:
        file.unlink(missing_ok=True)


def _kind_of(device: int) -> str:
    """The type of the file system with this number; empty where the system doesn't tell."""
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        with _MOUNTS.open("rb") as file:
            lines = os.fsdecode(file.read(_LONGEST)).splitlines()
    except OSError:
        return ""
    for line in lines:
        place, _, source = line.partition(" - ")
        if place.split(" ")[2:3] == [wanted]:
            return source.split(" ")[0]
    return ""


def _is_executable(file: Path) -> bool:
    try:
        return bool(file.stat().st_mode & stat.S_IXUSR)
    except FileNotFoundError:
        return True  # says nothing
