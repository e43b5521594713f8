"""The arguments of bubblewrap for a confinement: pure, one list of words, never a shell.

The root is read-only, processes and (if wished) the network are the command's own, credentials and sockets of
the host are covered. Mounts go in order of depth, so that the innermost wish wins whatever lies in what.
"""

from typing import NamedTuple

from donewhen.workspace.sandbox.confinement import Cache, Confinement
from donewhen.workspace.sandbox.support import Support

# Root keeps what it needs to own files; bubblewrap would leave it everything.
_KEPT = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_KILL", "CAP_SETGID", "CAP_SETUID")
TEMP = "/tmp"  # noqa: S108 - covered by a folder of the run


class Layer(NamedTuple):
    cache: Cache
    folder: str


def layers(wish: Confinement) -> tuple[Layer, ...]:
    """Where writes to each cache go."""
    return tuple(Layer(cache, f"{wish.layer}/{number}") for number, cache in enumerate(wish.caches))


def arguments(wish: Confinement, support: Support) -> tuple[str, ...]:
    words = [support.bubblewrap, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--new-session", "--as-pid-1"]
    if wish.network == "none" and support.bubblewrap_network:
        words.append("--unshare-net")
    if support.root:
        words += ["--cap-drop", "ALL", *(word for name in _KEPT for word in ("--cap-add", name))]
    words += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for _, mount in sorted(_mounts(wish, support), key=lambda each: each[0].rstrip("/").count("/")):
        words += mount
    return (*words, "--")


def _mounts(wish: Confinement, support: Support) -> list[tuple[str, tuple[str, ...]]]:
    """(place, words) of everything that is laid over the read-only root."""
    covered = [f"{hidden.path}/" for hidden in wish.hide] + [f"{TEMP}/"]
    mounts: list[tuple[str, tuple[str, ...]]] = [(TEMP, ("--bind", wish.temp, TEMP))]
    kept = [path for path in wish.readable if path.startswith(tuple(covered))]
    mounts += [(path, ("--ro-bind-try", path, path)) for path in kept]
    mounts.append((wish.layer, ("--bind", wish.layer, wish.layer)))
    mounts += [_layer(each, support.overlays) for each in layers(wish) if each.cache.exists]
    mounts += [(path, ("--bind", path, path)) for path in (wish.workspace, *wish.writable)]
    for path, folder in wish.hide:
        mounts.append((path, ("--tmpfs", path) if folder else ("--ro-bind", wish.empty, path)))
    return mounts


def _layer(layer: Layer, overlays: bool) -> tuple[str, tuple[str, ...]]:
    path, folder = layer.cache.path, layer.folder
    if overlays:
        return path, ("--overlay-src", path, "--overlay", f"{folder}/new", f"{folder}/work", path)
    return path, ("--bind", f"{folder}/new", path)
