"""Redirections: files and addresses that a command's input and output are tied to.

They are opened before the command runs, so what they do is found whether it succeeds or not. What would go
into a file is remembered once the command's output is known.
"""

from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.tree import Redirect
from donewhen.guard.effects import Connects, Exhausts, Fetches, Reads, Sends, Weakens, Writes
from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, SECRET
from donewhen.guard.secret_paths import secret
from donewhen.guard.state import State
from donewhen.guard.walk.base import Frame, Walk
from donewhen.guard.walk.files import content, located, put

_WRITES = frozenset((">", ">>", ">|", "&>", "&>>", ">&", "<>"))
_DOCUMENTS = frozenset(("<<", "<<-", "<<<"))
_SILENT = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"))
_SOCKETS = ("/dev/tcp/", "/dev/udp/")
_NOWHERE = ("", "")
_SAME = frozenset(("exec", "command", "builtin"))
# Hooks that the project keeps for everybody, and a script that does nothing.
_HOOK = lazy(r"/\.(?:husky|githooks)/(?:pre-|post-|commit-msg|prepare-)[\w-]*$")
_IDLE = lazy(r"(?:[ \t]*+(?:#[^\n]*+|exit(?: 0)?|true|:)?[ \t]*+(?:\n|$))*+")
_ENDLESS = ("/dev/zero", "/dev/urandom", "/dev/random")


class Tied(NamedTuple):
    """What the redirections of one command came to."""

    stdin: str | None
    targets: tuple[str, ...] = ()  # files that get what it prints
    hosts: tuple[str, ...] = ()  # addresses that get it
    away: bool = False  # nothing of it comes out as its output


def tie(walk: Walk, redirects: Sequence[Redirect], state: State, frame: Frame, argv: tuple[str, ...]) -> Tied:
    """Reports what opening them does, and says where input comes from and output goes."""
    ends: dict[str, tuple[str, str]] = {}  # descriptor → what is behind it: kind, and path, host or text
    for redirect in redirects:
        _open(walk, redirect, state, frame, argv, ends)
    if argv and set(argv) <= _SAME and argv[-1] == "exec":
        state.descriptors.update(ends)  # they stay with the shell
    held = state.descriptors
    kind, value = ends.get("0") or (held.get("0") if frame.stdin is None else None) or _NOWHERE
    stdin = frame.stdin if not kind else NETWORK if kind == "host" else value if kind == "text" else HOLE
    kind, value = ends.get("1") or (None if frame.wants else held.get("1")) or _NOWHERE
    if not kind or kind == "text":
        return Tied(stdin)
    if kind == "host":
        return Tied(stdin, (), (value,), True)
    return Tied(stdin, (value,) if kind == "file" else (), (), kind != "error")


def _open(
    walk: Walk,
    redirect: Redirect,
    state: State,
    frame: Frame,
    argv: tuple[str, ...],
    ends: dict[str, tuple[str, str]],
) -> None:
    operator, fd = redirect.operator, redirect.fd
    if fd.startswith("{"):
        fd = _named(fd.strip("{}"), state)
    if operator in _DOCUMENTS:
        # a here-string expands a tilde, which its body doesn't show
        body = redirect.target if operator == "<<<" else redirect.body
        texts = walk.one(body, state, frame) if body is not None else [""]
        text = texts[0] if len(texts) == 1 else HOLE + HOLE.join(texts)
        _tied(ends, fd or "0", ("text", text + "\n" if operator == "<<<" else text), state)
        return
    for target in walk.target(redirect.target, state, frame):
        if operator in (">&", "<&") and _duplicate(
            target, fd or ("1" if operator == ">&" else "0"), ends, state
        ):
            continue
        path = located(target, state)
        if path.startswith(_SOCKETS):
            end = _socket(walk, path, frame, argv)
        elif operator in _WRITES:
            end = _written(walk, path, state, frame, argv)
        else:
            end = _read(walk, path, state, frame, argv)
        if operator == "<>" and end[0] == "file":
            walk.report(Reads(path), argv, frame)
        for number in ("1", "2") if operator.startswith("&") or (operator == ">&" and not fd) else (fd,):
            _tied(ends, number or ("0" if operator in ("<", "<&", "<>") else "1"), end, state)


def _named(name: str, state: State) -> str:
    """`{name}>…`: the shell picks a number and puts it into the variable."""
    number = str(10 + sum(path.startswith("/dev/fd/1") for path in state.files))
    state.set(name, number)
    return number


def _tied(ends: dict[str, tuple[str, str]], fd: str, end: tuple[str, str], state: State) -> None:
    ends[fd] = end
    if fd not in ("0", "1", "2"):  # it may be used later by its number, also of a later command (`exec 3<…`)
        state.descriptors[fd] = end
        state.files[f"/dev/fd/{fd}"] = NETWORK if end[0] == "host" else end[1] if end[0] == "text" else HOLE


def _duplicate(target: str, fd: str, ends: dict[str, tuple[str, str]], state: State) -> bool:
    """`2>&1`, `<&3`, `>&-`: True when the target is a descriptor."""
    number = target.rstrip("-")
    if target == "-":
        ends[fd] = ("closed", "")
        return True
    if not number.isdigit():
        return False
    if number in ends:
        _tied(ends, fd, ends[number], state)
    elif number in state.descriptors:
        _tied(ends, fd, state.descriptors[number], state)
    elif number == "2":
        ends[fd] = ("error", "")
    elif number not in ("0", "1"):
        text = state.files.get(f"/dev/fd/{number}", HOLE)
        ends[fd] = ("host", "") if text == NETWORK else ("text", text)
    elif fd == "1" or fd in state.descriptors:
        _tied(ends, fd, _NOWHERE, state)
    return True


def _socket(walk: Walk, path: str, frame: Frame, argv: tuple[str, ...]) -> tuple[str, str]:
    host = path.split("/")[3]
    walk.report(Connects(host), argv, frame)
    return "host", host


def _written(walk: Walk, path: str, state: State, frame: Frame, argv: tuple[str, ...]) -> tuple[str, str]:
    behind = state.descriptors.get(path.rpartition("/")[2]) if "/fd/" in path else None
    if behind is not None:
        return behind
    if path in _SILENT or path.startswith("/dev/fd/"):
        return (
            ("null", "")
            if path == "/dev/null"
            else ("file", path)
            if path.startswith("/dev/fd/")
            else ("", "")
        )
    walk.report(Writes(path), argv, frame)
    return "file", path


def _read(walk: Walk, path: str, state: State, frame: Frame, argv: tuple[str, ...]) -> tuple[str, str]:
    if path == "/dev/null":
        return "text", ""
    known = content(path, state)
    if known is not None:
        return "text", known
    if path in ("/dev/stdin", "/dev/fd/0", "/dev/tty"):
        return "text", HOLE if frame.stdin is None else frame.stdin
    walk.report(Reads(path), argv, frame)
    if secret(path, walk.ground):
        return "text", SECRET
    return "text", HOLE


def settle(walk: Walk, tied: Tied, output: str, state: State, frame: Frame, argv: tuple[str, ...]) -> str:
    """Puts what was printed where it goes; returns what is left for whoever reads it."""
    for path in tied.targets:
        script = state.sinks.get(path)
        if script is not None:
            own = state.copy()
            del own.sinks[path]  # what it prints itself goes where the shell's output went before
            walk.script(script, own, frame._replace(stdin=output, wants=False, forks=frame.forks + 1))
        else:
            put(path, output, state)
            if _HOOK.search(path) and _IDLE.fullmatch(output):
                walk.report(Weakens(path), argv, frame)
            if NETWORK in output and not path.startswith("/dev/"):
                fetched_to(walk, path, argv, frame)
            if _endless(argv) and "timeout" not in frame.by and not path.startswith("/dev/"):
                walk.report(Exhausts(argv[0]), argv, frame)
    for host in tied.hosts:
        what = "secret" if SECRET in output else "environment" if ENVIRONMENT in output else "data"
        walk.report(Sends(host, what), argv, frame)  # type: ignore[arg-type]
    return "" if tied.away else output


def fetched_to(walk: Walk, path: str, argv: tuple[str, ...], frame: Frame) -> None:
    """Text that was fetched ends in a file."""
    for host in walk.hosts:
        walk.report(Fetches(host, path), argv, frame)


def _endless(argv: tuple[str, ...]) -> bool:
    """Does it print without end?"""
    if not argv:
        return False
    name = argv[0].rpartition("/")[2]
    return name == "yes" or (name == "cat" and any(argument in _ENDLESS for argument in argv[1:]))
