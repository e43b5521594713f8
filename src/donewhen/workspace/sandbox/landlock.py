"""Landlock and a network of one's own, put on by the process that will become the command.

Runs inside the supervisor's child, between fork and exec, so it has the standard library alone and imports
nothing of ours. A wall that can't be put up raises: a command never starts with fewer walls than planned.
"""

import ctypes
import os
import stat
import sys

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
    libc = ctypes.CDLL(None, use_errno=True)
    rights = all_rights(abi)
    net = 3 if abi >= 4 and not tcp else 0
    scoped = 3 if abi >= 6 else 0
    words = (ctypes.c_uint64 * 3)(rights, net, scoped)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _checked(libc.syscall(_CREATE, ctypes.byref(words), ctypes.c_size_t(size), 0), "landlock")
    _allow(libc, ruleset, "/", _LIST)
    for path in (*readable("/", hide), *read):
        _allow(libc, ruleset, path, _READ & rights)
    for path in write:
        _allow(libc, ruleset, path, rights)
    for name in _DEVICES:
        _allow(libc, ruleset, f"/dev/{name}", rights)
    _drop_capabilities(libc)
    _checked(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    _checked(libc.syscall(_RESTRICT, ruleset, 0), "landlock")
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
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        _checked(libc.unshare(_NEW_NET), "network namespace")
    else:
        _checked(libc.unshare(_NEW_USER | _NEW_NET), "user namespace")
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{user} {user} 1"),
            ("gid_map", f"{group} {group} 1"),
        ):
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 - pathlib costs more than the start
                file.write(text)
    handle = _checked(libc.socket(2, 2, 0), "loopback")
    request = ctypes.create_string_buffer(b"lo".ljust(16, b"\0") + b"\x41\0".ljust(24, b"\0"))
    _checked(libc.ioctl(handle, 0x8914, request), "loopback")
    os.close(handle)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return  # gone meanwhile, or not ours to see: nothing to allow
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= _ON_FILES
        order = sys.byteorder
        attributes = ctypes.create_string_buffer(rights.to_bytes(8, order) + handle.to_bytes(4, order), 12)
        _checked(libc.syscall(_ADD, ruleset, 1, attributes, 0), path)
    finally:
        os.close(handle)


def _drop_capabilities(libc: ctypes.CDLL) -> None:
    if os.geteuid() == 0:
        for number in range(64):
            if number not in _KEPT:
                libc.prctl(_DROP_CAPABILITY, number, 0, 0, 0)


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)
    return result
