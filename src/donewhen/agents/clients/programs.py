"""Asking programs of others, with a bound on time and output; none of them is left behind."""

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from donewhen.core.errors import SetupError

_MOST = 4 * 1024 * 1024


def own_program(env: Mapping[str, str]) -> str:
    """The donewhen program of this very installation."""
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        if os.access(folder / "donewhen", os.X_OK):
            return str(folder / "donewhen")
    found = shutil.which("donewhen", path=env.get("PATH"))
    if not found:
        raise SetupError("install.no_program", folder=Path(sys.executable).parent)
    return str(Path(found).absolute())


def version_of(program: str, env: Mapping[str, str], seconds: float = 5) -> str | None:
    """What a program says about its version; None when it does not answer in time."""
    with tempfile.TemporaryFile() as out:
        try:
            with _started([program, "--version"], env, None, out) as child:
                child.wait(seconds)
        except (OSError, subprocess.SubprocessError):
            return None
        out.seek(0)
        lines = out.read(4096).decode(errors="replace").strip().splitlines()
    return lines[0][:80] if lines and child.returncode == 0 else None


def codex_hooks(
    program: str, env: Mapping[str, str], folder: Path, seconds: float = 20, words: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The hooks that Codex sees in a folder, with digests and whether they are trusted; empty if it fails.

    `words`: more for its command line.
    """
    about = {"clientInfo": {"name": "donewhen", "title": "donewhen", "version": "1"}}
    asked = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(folder)]}},
    ]
    sent = "".join(json.dumps(each) + "\n" for each in asked).encode()
    answer: Any = None
    try:
        with _started([program, *words, "app-server"], env, subprocess.PIPE, subprocess.PIPE) as child:
            assert child.stdin is not None
            child.stdin.write(sent)
            child.stdin.flush()
            answer = _answer(child, 2, time.monotonic() + seconds)
            child.stdin.close()
            child.wait(2)  # it ends by itself, with its own files in order
    except (OSError, subprocess.SubprocessError):
        pass  # an answer may be there all the same
    listed = answer.get("data") if isinstance(answer, dict) else None
    found = (
        [each.get("hooks") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    )
    return [hook for hooks in found if isinstance(hooks, list) for hook in hooks if isinstance(hook, dict)]


def _answer(child: "subprocess.Popen[bytes]", number: int, end: float) -> Any:
    """The result of request `number`; None at the deadline, at the end or when there is too much."""
    assert child.stdout is not None
    held = b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(child.stdout, selectors.EVENT_READ)
        while len(held) < _MOST and (left := end - time.monotonic()) > 0 and waiting.select(left):
            piece = os.read(child.stdout.fileno(), 65536)
            if not piece:
                return None
            *lines, held = (held + piece).split(b"\n")
            for line in lines:
                message = _object(line)
                if message.get("id") == number:
                    return message.get("result")
    return None


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@contextlib.contextmanager
def _started(
    words: list[str], env: Mapping[str, str], stdin: Any, stdout: Any
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of its own group; at the end the whole group is gone."""
    child = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL if stdin is None else stdin,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        env=dict(env),
        start_new_session=True,
    )
    try:
        yield child
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
