"""Landlock and a network of one's own, put on by the process that will become the command.

Runs inside the supervisor's child, between fork and exec, so it has the standard library alone and imports
nothing of ours. A wall that can't be put up raises: a command never starts with fewer walls than planned.
"""

import _ctypes
import posix as os  # `os` and `ctypes` would cost every command 4 ms
import sys
from _stat import S_ISDIR

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture that Linux is young on
_NO_NEW_PRIVS, _DROP_CAPABILITY = 38, 24
_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_READ = 1 << 0 | 1 << 2  # execute, read a file
_LIST = 1 << 3
_ON_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm")
_MOST_RULES = 5_000
# chown, dac_override, fowner, kill, setgid, setuid: root goes on owning files and nothing else
_KEPT = frozenset((0, 1, 3, 5, 6, 7))


def all_rights(abi: int) -> int:
    newest = 15 if abi >= 5 else 14 if abi >= 3 else 13 if abi >= 2 else 12
    return (1 << (newest + 1)) - 1


def confine(write: list[str], read: list[str], hide: list[str], tcp: bool, abi: int) -> None:
    """Write below `write` only; read all but what is below `hide`, and `read`; without `tcp` no TCP."""
    rights = all_rights(abi)
    net = 3 if abi >= 4 and not tcp else 0
    scoped = 3 if abi >= 6 else 0
    words = (rights, net, scoped)[: 3 if abi >= 6 else 2 if abi >= 4 else 1]
    ruleset = _ruleset(words)
    _allow(ruleset, "/", _LIST)
    for path in (*readable("/", hide), *read):
        _allow(ruleset, path, _READ & rights)
    for path in write:
        _allow(ruleset, path, rights, exact=True)
    for name in _DEVICES:
        _allow(ruleset, f"/dev/{name}", rights)
    _drop_capabilities()
    _restrict(ruleset)


def scope() -> None:
    """No abstract socket, signal or tracing beyond the command: what namespaces alone leave open."""
    _restrict(_ruleset((0, 0, 3)))


def _ruleset(words: tuple[int, ...]) -> int:
    packed = b"".join(word.to_bytes(8, sys.byteorder) for word in words)
    return _call("landlock", "syscall", _CREATE, packed, len(packed), 0)


def _restrict(ruleset: int) -> None:
    _call("no new privileges", "prctl", _NO_NEW_PRIVS, 1, 0, 0, 0)
    _call("landlock", "syscall", _RESTRICT, ruleset, 0)
    os.close(ruleset)


def readable(top: str, hide: list[str]) -> list[str]:
    """Paths that together hold all but what is hidden: the neighbours of each hidden path, level by level.

    Landlock can only allow, so what is to be hidden is left out. Links are skipped: what they lead to counts.
    """
    if not hide:
        return [top]
    covered = tuple(f"{hidden}/" for hidden in hide)
    above = {hidden[:at] or "/" for hidden in hide for at, char in enumerate(hidden) if char == "/"}
    found: list[str] = []
    for folder in sorted(above):
        if f"{folder}/".startswith(covered):
            continue
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        paths = (entry.path for entry in entries if not entry.is_symlink())
        found += [path for path in paths if path not in above and path not in hide]
    if len(found) > _MOST_RULES:
        raise OSError(7, "too many folders beside hidden ones")
    return found


def own_network() -> None:
    """Leave the host's network for an empty one with a loopback of its own."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        _call("network namespace", "unshare", _NEW_NET)
    else:
        _call("user namespace", "unshare", _NEW_USER | _NEW_NET)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 - pathlib costs more than the start
                file.write(text)
    handle = _call("loopback", "socket", 2, 2, 0)
    _call("loopback", "ioctl", handle, 0x8914, b"lo".ljust(16, b"\0") + b"\x41\0".ljust(24, b"\0"))
    os.close(handle)


def _allow(ruleset: int, path: str, rights: int, exact: bool = False) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return  # gone meanwhile, or not ours to see: nothing to allow
    try:
        if exact and os.readlink(f"/proc/self/fd/{handle}") != path:
            raise OSError(40, f"{path} leads through a link")  # an earlier command may have put it there
        if not S_ISDIR(os.fstat(handle).st_mode):
            rights &= _ON_FILES
        order = sys.byteorder
        attributes = rights.to_bytes(8, order) + handle.to_bytes(4, order)
        _call(path, "syscall", _ADD, ruleset, 1, attributes, 0)
    finally:
        os.close(handle)


def _drop_capabilities() -> None:
    if os.geteuid() == 0:
        for number in range(64):
            if number not in _KEPT:
                _function("prctl")(_DROP_CAPABILITY, number, 0, 0, 0)


class _Number(_ctypes._SimpleCData):  # type: ignore[type-arg] # it has no such parameter at run time
    _type_ = "i"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Number


def _function(name: str) -> _Function:
    program = _ctypes.dlopen(None, 0)  # type: ignore[arg-type] # as ctypes does it
    return _Function(_ctypes.dlsym(program, name))


def _call(what: str, name: str, *words: int | bytes) -> int:
    """A function of the C library; `what` could not be done when it says so."""
    result: int = _function(name)(*words)
    if result < 0:
        code = _ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)
    return result
