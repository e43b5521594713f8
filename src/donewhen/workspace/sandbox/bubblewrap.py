"""The arguments of bubblewrap for a confinement: pure, one list of words, never a shell.

The root is read-only, processes and (if wished) the network are the command's own, credentials and sockets of
the host are covered. Mounts go in order of depth, so that the innermost wish wins whatever lies in what.
No place that is mounted, from or onto, can be swapped by a command for a link that the next one would follow.
"""

from donewhen.workspace.sandbox.caches import laid, moved
from donewhen.workspace.sandbox.confinement import Cache, Confinement, Hidden
from donewhen.workspace.sandbox.layers import overlaid
from donewhen.workspace.sandbox.support import Support

# Root keeps what it needs to own files; bubblewrap would leave it everything.
_KEPT = ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_KILL", "CAP_SETGID", "CAP_SETUID")
TEMP = "/tmp"  # noqa: S108 - covered by a folder of the run


_RUN = "/run"  # where services of the host listen; covered whole where the network is
_RUN_KEPT = ("/run/current-system", "/run/booted-system", "/run/wrappers", "/run/opengl-driver")
Mount = tuple[str, tuple[str, ...]]  # place, words


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
    covered = [f"{path}/" for path in (*(hidden.path for hidden in hidden_places(wish)), TEMP, "/dev")]
    mounts: list[Mount] = [(TEMP, ("--bind", TEMP if wish.shared_temp else wish.temp, TEMP))]
    kept = [path for path in (*wish.readable, *_RUN_KEPT) if path.startswith(tuple(covered))]
    mounts += [(path, ("--ro-bind-try", path, path)) for path in kept]
    mounts += [(path, ("--bind", path, path)) for path in (moved(wish.layer), wish.workspace, *wish.writable)]
    mounts += [(path, ("--ro-bind", path, path)) for path in wish.read_only]
    mounts += [_layer(cache, wish, support.overlays) for cache in overlaid(wish, support.overlays)]
    if wish.lent and not support.overlays:
        mounts += [_lent(cache, wish) for cache in wish.caches if cache.filled == "laid"]
    mounts += [(hidden.path, _cover(hidden, wish)) for hidden in hidden_places(wish)]
    return mounts + _pins([path for path, _ in mounts], wish, support.overlays)


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


def _pins(places: list[str], wish: Confinement, overlays: bool) -> list[Mount]:
    """Mounts on what lies between a writable folder and a place in it: a mount can't be moved or replaced."""
    real = {*([TEMP] if wish.shared_temp else []), wish.workspace, moved(wish.layer), *wish.writable}
    made = {
        *([] if wish.shared_temp else [TEMP]),
        *(cache.path for cache in overlaid(wish, overlays)),
    }  # hold something else than on the host
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


def _layer(cache: Cache, wish: Confinement, overlays: bool) -> Mount:
    path, own = cache.path, laid(wish.layer, cache.path)
    if not overlays:
        return path, ("--bind", f"{own}/new", path)
    below = [path, *([f"{laid(wish.lender, path)}/new"] if cache.filled == "laid" else [])]
    sources = (word for source in below for word in ("--overlay-src", source))
    return path, (*sources, "--overlay", f"{own}/new", f"{own}/work", path)


def _lent(cache: Cache, wish: Confinement) -> Mount:
    return cache.path, ("--ro-bind", f"{laid(wish.lender, cache.path)}/new", cache.path)
