"""A home for one command: what it reads is the user's, what it writes is gone afterwards.

Many tools make files at home (`~/.nyc_*`, `~/.config/app`, `~/.cache/tool`) and fail where that can't be
written; behind the sandbox's walls it can't. So the command gets a folder of its own in which every entry is
a link to the real one; the few folders that everybody writes into are real there and hold the links. What
the sandbox covers stays covered: a link leads to the covered place.
"""

from contextlib import suppress
from pathlib import Path

_SHARED = (".cache", ".config", ".local", ".local/share", ".local/state")
_MOST = 2000


def lay_home(folder: Path, home: str) -> Path | None:
    """The home at `folder`; None where the user has none that could be looked at."""
    real = Path(home)
    if not home or not real.is_absolute() or real == Path("/") or not real.is_dir():
        return None
    folder.mkdir()
    for name in ("", *_SHARED):
        (folder / name).mkdir(exist_ok=True)
        _link(real / name, folder / name, name)
    return folder


def _link(real: Path, folder: Path, name: str) -> None:
    try:
        entries = sorted(real.iterdir())[:_MOST]
    except OSError:
        return
    for entry in entries:
        if f"{name}/{entry.name}".lstrip("/") not in _SHARED:
            with suppress(OSError):
                (folder / entry.name).symlink_to(entry)
