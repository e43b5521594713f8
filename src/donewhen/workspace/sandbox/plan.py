"""Which wall is put up for a wish on this machine, and what it leaves open. Pure.

The strongest mechanism that works is taken: bubblewrap, then Landlock, then macOS's seatbelt, then none.
What is wished and not enforced is in `gaps`, said to people; `required` refuses instead of leaving a gap in
files or network. Nothing is made or run here.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.workspace.sandbox import bubblewrap, seatbelt
from donewhen.workspace.sandbox.caches import laid, moved
from donewhen.workspace.sandbox.confinement import Confinement
from donewhen.workspace.sandbox.layers import overlaid, variables
from donewhen.workspace.sandbox.support import Support

Mechanism = Literal["bubblewrap", "landlock", "seatbelt", "none"]
_TRUNCATE_RULE, _TCP_RULES, _SCOPES = 3, 4, 6  # the first version of Landlock that knows them
_OPEN_FILES = ("sandbox.gap_hidden", "exam.gap_read_only", "sandbox.gap_truncate")


class Rules(NamedTuple):
    """What Landlock is to allow; `hide` is left out of what may be read, `read` is not."""

    write: tuple[str, ...]
    read: tuple[str, ...]
    hide: tuple[str, ...]
    tcp: bool
    abi: int


class Plan(NamedTuple):
    mechanism: Mechanism = "none"
    prefix: tuple[str, ...] = ()  # words before the supervisor's own
    covers: tuple[tuple[str, ...], ...] = ()  # those of them that cover the place in their last word
    folders: tuple[str, ...] = ()  # must be there before the start
    files: tuple[str, ...] = ()  # likewise, empty
    env: Mapping[str, str] = {}
    rules: Rules | None = None
    own_network: bool = False  # to be unshared by the supervisor
    own_temp: bool = False  # commands do not see the machine's temp folder
    own_processes: bool = False  # the supervisor is the first process of a namespace
    scoped: int = 0  # version of Landlock by which sockets, signals and tracing end at the command, or 0
    groups: tuple[tuple[str, str], ...] = ()
    gaps: tuple[Phrase, ...] = ()

    @property
    def confined(self) -> bool:
        return self.mechanism != "none"


def plan(wish: Confinement, support: Support) -> Plan:
    """How to run commands under `wish`; SetupError when it can't be done as strictly as it must."""
    if wish.network == "registries":
        raise SetupError("sandbox.registries")
    if wish.mode == "off":
        return Plan(
            folders=_folders(wish, ()), env=_temp(wish), groups=support.groups, gaps=(Phrase("sandbox.off"),)
        )
    chosen = _choose(wish, support)
    if wish.mode == "required":
        _refuse_gaps(wish, chosen, support)
    return chosen._replace(
        files=(wish.empty,), groups=support.groups, gaps=chosen.gaps + _limit_gaps(support)
    )


def _choose(wish: Confinement, support: Support) -> Plan:
    if support.bubblewrap and (support.bubblewrap_network or wish.network == "full" or not support.landlock):
        return _bubblewrap(wish, support)
    if support.landlock:
        return _landlock(wish, support)
    if support.seatbelt:
        gaps = (Phrase("sandbox.gap_temp"), Phrase("sandbox.gap_processes"))
        words = seatbelt.arguments(wish, support.seatbelt)
        return Plan("seatbelt", words, folders=_folders(wish, ()), env=_moved_env(wish), gaps=gaps)
    gap = Phrase("sandbox.not_confined")
    return Plan(folders=_folders(wish, ()), env=_temp(wish), gaps=(gap,))


def _bubblewrap(wish: Confinement, support: Support) -> Plan:
    layered = (laid(wish.layer, cache.path) for cache in overlaid(wish, support.overlays))
    folders = _folders(wish, tuple(f"{layer}/{part}" for layer in layered for part in ("new", "work")))
    env = variables(wish, mounts=True, overlays=support.overlays)
    gaps = []
    if wish.network == "none" and not support.bubblewrap_network:
        gaps.append(Phrase("sandbox.gap_network"))
    if not support.overlays and not wish.lent and any(cache.exists for cache in wish.caches):
        gaps.append(Phrase("sandbox.gap_overlays"))
    words = bubblewrap.arguments(wish, support)
    return Plan(
        "bubblewrap",
        words,
        bubblewrap.covers(wish),
        folders,
        env={"TMPDIR": bubblewrap.TEMP, **env},
        own_temp=not wish.shared_temp,
        own_processes=True,
        scoped=support.landlock if support.landlock >= _SCOPES else 0,
        gaps=tuple(gaps),
    )


def _landlock(wish: Confinement, support: Support) -> Plan:
    alone = wish.network == "none"
    tcp = not alone or support.namespaces
    hide = tuple(hidden.path for hidden in wish.hide)
    shares = wish.shared_temp and not any(path.startswith(f"{bubblewrap.TEMP}/") for path in hide)
    shared = (bubblewrap.TEMP,) if shares else ()
    write = (wish.workspace, wish.temp, moved(wish.layer), *shared, *wish.writable)
    if not shares:
        hide = (*hide, bubblewrap.TEMP)
    open_to_writing = tuple(f"{path}/" for path in write)
    gaps = [_temp_gap(shares), Phrase("sandbox.gap_processes"), Phrase("sandbox.gap_modes")]
    gaps += [
        Phrase("sandbox.gap_hidden", {"path": path}) for path in hide if path.startswith(open_to_writing)
    ]
    gaps += [
        Phrase("exam.gap_read_only", {"path": path})
        for path in wish.read_only
        if path.startswith(open_to_writing)
    ]
    if support.landlock < _TRUNCATE_RULE:
        gaps.append(Phrase("sandbox.gap_truncate"))
    if alone and not support.namespaces:
        gaps.append(Phrase("sandbox.gap_udp" if support.landlock >= _TCP_RULES else "sandbox.gap_network"))
    return Plan(
        "landlock",
        folders=_folders(wish, ()),
        env=_moved_env(wish),
        rules=Rules(write, wish.readable, hide, tcp, support.landlock),
        own_network=alone and support.namespaces,
        own_temp=not shares,
        gaps=tuple(gaps),
    )


def _temp_gap(shares: bool) -> Phrase:
    return Phrase("sandbox.gap_temp" if shares else "sandbox.gap_temp_closed")


def _moved_env(wish: Confinement) -> dict[str, str]:
    """Variables that move caches, where nothing can be laid over them."""
    login = (
        {"npm_config_userconfig": wish.empty} if any(h.path.endswith("/.npmrc") for h in wish.hide) else {}
    )
    return {**_temp(wish), **login, **variables(wish, mounts=False)}


def _temp(wish: Confinement) -> dict[str, str]:
    return {"TMPDIR": wish.temp}


def _folders(wish: Confinement, more: tuple[str, ...]) -> tuple[str, ...]:
    return (wish.temp, moved(wish.layer), *more)


def _refuse_gaps(wish: Confinement, chosen: Plan, support: Support) -> None:
    if not chosen.confined:
        why = support.bubblewrap_why or Phrase("sandbox.nothing_here")
        raise SetupError("sandbox.required", why=why)
    if any(gap.key in ("sandbox.gap_network", "sandbox.gap_udp") for gap in chosen.gaps):
        raise SetupError("sandbox.required_network", mechanism=chosen.mechanism)
    for gap in chosen.gaps:
        if gap.key in _OPEN_FILES:
            raise SetupError("sandbox.required", why=gap)


def _limit_gaps(support: Support) -> tuple[Phrase, ...]:
    controllers = {name for name, _ in support.groups}
    gaps = []
    if support.root and "pids" not in controllers:
        gaps.append(Phrase("sandbox.gap_forks"))
    if "memory" not in controllers:
        gaps.append(Phrase("sandbox.gap_memory"))
    return tuple(gaps)
