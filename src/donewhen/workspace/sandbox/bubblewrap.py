"""The arguments of bubblewrap for a confinement: pure, one list of words, never a shell.

The root is read-only, processes and (if wished) the network are the command's own, credentials and sockets of
the host are covered. Mounts go in order of depth, so that the innermost wish wins whatever lies in what.
No place that is mounted, from or onto, can be swapped by a command for a link that the next one would follow.
"""

from typing import NamedTuple

from donewhen.workspace.sandbox.confinement import Cache, Confinement, Hidden
from donewhen.workspace.sandbox.support import Support

# Root keeps what it needs to own files; bubblewrap would leave it everything.
_KEPT = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_KILL", "CAP_SETGID", "CAP_SETUID")
TEMP = "/tmp"  # noqa: S108 - covered by a folder of the run


_RUN = "/run"  # where services of the host listen; covered whole where the network is
_RUN_KEPT = ("/run/current-system", "/run/booted-system", "/run/wrappers", "/run/opengl-driver")
Mount = tuple[str, tuple[str, ...]]  # place, words


class Layer(NamedTuple):
    cache: Cache
    folder: str


def layers(wish: Confinement) -> tuple[Layer, ...]:
    """Where writes to each cache go."""
    return tuple(Layer(cache, f"{moved(wish)}/{number}") for number, cache in enumerate(wish.caches))


def laid(wish: Confinement) -> tuple[Layer, ...]:
    """What is laid over the caches that exist; reached only there, or commands could put links in it."""
    numbered = enumerate(wish.caches)
    return tuple(Layer(cache, f"{wish.layer}/laid/{number}") for number, cache in numbered if cache.exists)


def moved(wish: Confinement) -> str:
    """The part of the layer that commands see under its own name."""
    return f"{wish.layer}/moved"


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


def _mounts(wish: Confinement, support: Support) -> list[Mount]:
    """(place, words) of everything that is laid over the read-only root."""
    covered = [f"{hidden.path}/" for hidden in hidden_places(wish)] + [f"{TEMP}/"]
    mounts: list[Mount] = [(TEMP, ("--bind", wish.temp, TEMP))]
    kept = [path for path in (*wish.readable, *_RUN_KEPT) if path.startswith(tuple(covered))]
    mounts += [(path, ("--ro-bind-try", path, path)) for path in kept]
    mounts += [(path, ("--bind", path, path)) for path in (moved(wish), wish.workspace, *wish.writable)]
    mounts += [(path, ("--ro-bind", path, path)) for path in wish.read_only]
    mounts += [_layer(each, support.overlays) for each in laid(wish)]
    mounts += [(hidden.path, _cover(hidden, wish)) for hidden in hidden_places(wish)]
    return mounts + _pins([path for path, _ in mounts], wish)


def hidden_places(wish: Confinement) -> tuple[Hidden, ...]:
    """What is covered; without a network no service of the host is reached through its socket either."""
    if wish.network != "none":
        return wish.hide
    more = (Hidden(_RUN, True), *(Hidden(path, False) for path in wish.sockets))
    return (*(hidden for hidden in wish.hide if not hidden.path.startswith(f"{_RUN}/")), *more)


def covers(wish: Confinement) -> tuple[tuple[str, ...], ...]:
    """The words that cover each hidden place; one that is gone by then can't be covered and need not be."""
    return tuple(_cover(hidden, wish) for hidden in hidden_places(wish))


def _cover(hidden: Hidden, wish: Confinement) -> tuple[str, ...]:
    return ("--tmpfs", hidden.path) if hidden.folder else ("--ro-bind", wish.empty, hidden.path)


def _pins(places: list[str], wish: Confinement) -> list[Mount]:
    """Mounts on what lies between a writable folder and a place in it: a mount can't be moved or replaced."""
    real = {wish.workspace, moved(wish), *wish.writable}
    made = {TEMP, *(each.cache.path for each in laid(wish))}  # what lies in them is not what lies on the host
    fresh = {hidden.path for hidden in hidden_places(wish) if hidden.folder}
    known = set(places)
    pins: dict[str, Mount] = {}
    for place in places:
        between = []
        above = place.rpartition("/")[0]
        while above and above not in known:
            between.append(above)
            above = above.rpartition("/")[0]
        if above in fresh or not between:
            continue
        if above in real:
            pins.update({path: (path, ("--bind", path, path)) for path in between})
        elif above in made:
            pins[between[-1]] = (between[-1], ("--tmpfs", between[-1]))
    return list(pins.values())


def _layer(layer: Layer, overlays: bool) -> Mount:
    path, folder = layer.cache.path, layer.folder
    if overlays:
        return path, ("--overlay-src", path, "--overlay", f"{folder}/new", f"{folder}/work", path)
    return path, ("--bind", f"{folder}/new", path)
