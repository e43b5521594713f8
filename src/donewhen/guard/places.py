"""Where a path lies, seen from the workspace: inside, one of its parts that no agent may touch, or elsewhere.

Pure text, but for symbolic links, which `ground.disk` follows; then the graver of both answers counts. It
judges nothing: whether a place may be read, written or deleted is for the rules.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Literal

from donewhen.guard.globs import matches, unbounded
from donewhen.guard.ground import Ground
from donewhen.guard.marks import MARKED, anything, certain

Place = Literal[
    "inside",  # below the workspace
    "temporary",  # below a folder that may be written besides; that folder itself is outside
    "inside_maybe",  # begins in one of these, but a mark in it may lead out
    "unknown",  # may be anywhere
    "device",
    "outside",
    "git",  # the workspace's repository, or one below it
    "own",  # the state and settings of donewhen
    "everything",  # all that is in the workspace's root
    "root",  # the workspace, a folder above it, the home folder
]
# From harmless to grave: surely outside is worse than perhaps, and worst is what holds all the work.
GRAVITY: dict[Place, int] = {
    "inside": 0, "temporary": 1, "inside_maybe": 2, "unknown": 3, "device": 4, "outside": 5, "git": 6,
    "own": 7, "everything": 8, "root": 9,
}  # fmt: skip
_OWN_AT_HOME = tuple(f"{base}/donewhen" for base in (".config", ".local/state", ".local/share", ".cache"))
_SETTINGS = ("config.yml", "context.yml")
_DEEPEST = 32  # folders of a path that are looked at


def place(path: str, ground: Ground, *, follow: bool = True) -> Place:
    """Where an absolute marked path lies. `follow=False` for what acts on a link itself (unlink, `ln`)."""
    written = _written(path, ground)
    real = _real(path, ground, follow)
    if real == path:
        return written
    beside = f"{ground.workspace}/"
    root = ground.disk.real(ground.workspace)
    if path.startswith(beside) and real == root + path[len(beside) - 1 :]:
        return written  # only the way to the workspace has links
    moved = ground._replace(
        workspace=root,
        home=ground.disk.real(ground.home),
        writable=(*ground.writable, *map(ground.disk.real, ground.writable)),
    )
    return max(written, _written(real, moved), key=GRAVITY.__getitem__)


def _real(path: str, ground: Ground, follow: bool) -> str:
    if not path.startswith("/"):
        return path
    mark = MARKED.search(path)
    if mark is None and follow:
        return ground.disk.real(path)
    cut = path.rfind("/", 0, mark.start() if mark else None)
    folder = ground.disk.real(path[:cut] or "/")
    return folder.rstrip("/") + path[cut:]


def _written(path: str, ground: Ground) -> Place:
    if not path.startswith("/"):
        return "unknown"
    if any(path == own or path.startswith(f"{own}/") or _above(path, own) for own in ground.own):
        return "root" if _above(path, ground.workspace) else "own"
    workspace = ground.workspace
    if path.startswith(workspace) and path[len(workspace) : len(workspace) + 1] == "/":
        return _within(path[len(workspace) + 1 :])
    if _above(path, workspace) or _above(path, ground.home):
        return "root"
    if not certain(path):
        return _marked(path, ground)
    return _without(path, ground)


def _above(path: str, below: str) -> bool:
    return path in (below, "/") or below.startswith(f"{path}/")


def _within(rest: str) -> Place:
    """The part behind the workspace's own path."""
    low = rest.lower()
    sure = certain(low)
    if sure and ".git" not in low and ".donewhen" not in low and ".gsd" not in low:
        return "inside"
    names = low.split("/")
    if all(map(unbounded, names)):
        return "everything"
    if any(_could_be(name, ".git") for name in names):
        return "git"
    if _own(names):
        return "own"
    if not sure and anything(low):
        return "inside_maybe"
    return "unknown" if names[0][:1] == "." and matches(names[0], "..") else "inside"


def _could_be(name: str, value: str) -> bool:
    """By a glob that says something of it; what may hold anything is not taken for it."""
    if name == value:
        return True
    return name[:1] == "." and not anything(name) and not unbounded(name) and matches(name, value)


def _own(names: list[str]) -> bool:
    for at, name in enumerate(names):
        if _could_be(name, ".donewhen"):
            return True
        behind = names[at + 1 :]
        if _could_be(name, ".gsd") and (not behind or any(matches(behind[0], one) for one in _SETTINGS)):
            return True
    return False


def _others(path: str, folder: str, ground: Ground) -> bool:
    """Things in a temporary folder that are not for everybody: a home, what lies beside the workspace on the
    way down to it, repositories that were there before."""
    home = ground.home
    if home.startswith(f"{folder}/") and path.startswith(f"{home}/"):
        return True
    names = path[len(folder) + 1 :].split("/")
    if ground.workspace.startswith(f"{folder}/"):
        way = ground.workspace[len(folder) + 1 :].split("/")
        shared = sum(1 for _ in takewhile(lambda pair: matches(*pair), zip(names, way, strict=False)))
        if shared:
            return True
    return any(_made_before(f"{folder}/{top}", ground) for top in _tops(names))


def _tops(names: list[str]) -> Iterator[str]:
    """The path and the folders above it, as far as they are known."""
    known = [*takewhile(certain, names)]
    return ("/".join(known[:depth]) for depth in range(1, min(len(known), _DEEPEST) + 1))


def _made_before(folder: str, ground: Ground) -> bool:
    made = ground.disk.repository(folder)
    return made is not None and made < ground.since


def _marked(path: str, ground: Ground) -> Place:
    mark = MARKED.search(path)
    folder = path[: path.rfind("/", 0, mark.start() if mark else None)] or "/"
    if not anything(path):
        return _without(path, ground)
    writable = (one for one in ground.writable if one != folder)
    if _above(folder, ground.workspace) or any(_above(folder, one) for one in writable):
        return "unknown"
    base = _without(f"{folder}/x", ground)
    return "inside_maybe" if base in ("temporary", "inside") else base


def _without(path: str, ground: Ground) -> Place:
    """A path outside the workspace; stars in it may not lead up."""
    for folder in ground.writable:
        if path.startswith(folder):
            if len(path) == len(folder):
                return "temporary" if path.startswith("/dev/") else "outside"
            if path[len(folder)] == "/" and not _others(path, folder, ground):
                return "temporary"
    home = f"{ground.home}/"
    if path.startswith(home):
        rest = path[len(home) :].lower()
        at_home = any(rest == own or rest.startswith(f"{own}/") for own in _OWN_AT_HOME)
        return "own" if at_home else "outside"
    return "device" if path.startswith("/dev/") else "outside"
