"""Programs of the user's that reach the forge: git, gh, glab. Argv alone, bounded in time and output.

They see the user's own variables, because it is the user's remote and the user's login; those that would turn
git towards another repository are taken out, and nobody is asked anything.
"""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

MOST_READ = 4 * 1024 * 1024
_GRACE = 2.0  # seconds for what a program printed last
_LOCAL = frozenset(
    """
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_OBJECT_DIRECTORY
    GIT_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NO_REPLACE_OBJECTS
    GIT_REPLACE_REF_BASE GIT_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR GIT_NAMESPACE GIT_INTERNAL_SUPER_PREFIX
    GIT_TRACE GIT_TRACE_CURL GIT_CURL_VERBOSE GIT_TRACE_PACKET GIT_TRACE_SETUP GH_DEBUG GLAB_DEBUG DEBUG
    """.split()
)
_OURS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "NO_PROMPT": "1",
    "GLAB_CHECK_UPDATE": "false",
    "NO_COLOR": "1",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}


class Ran(NamedTuple):
    """`exit` is None when it did not come to its own end."""

    exit: int | None
    out: str = ""
    err: str = ""
    timed_out: bool = False


def user_environment(env: Mapping[str, str]) -> dict[str, str]:
    """The user's variables, for programs that act in the user's name."""
    kept = {name: value for name, value in env.items() if name not in _LOCAL and "\0" not in value}
    return {**kept, **_OURS}


def installed(name: str, env: Mapping[str, str], not_in: Path | None = None) -> str:
    """The program by its absolute path; empty when there is none. A folder of the work is never looked in."""
    barred = os.path.realpath(not_in) if not_in else ""
    for folder in env.get("PATH", "").split(":"):
        path = Path(folder) / name
        if not folder.startswith("/") or not os.access(path, os.X_OK) or not path.is_file():
            continue
        real = os.path.realpath(path)
        if not barred or not real.startswith(f"{barred}/"):
            return str(path)
    return ""


async def run(argv: Sequence[str], folder: Path, env: Mapping[str, str], timeout: float) -> Ran:
    """Run a program to its end; OSError is told as one that did not start."""
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=folder,
            env=user_environment(env),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return Ran(None, err=getattr(error, "strerror", "") or type(error).__name__)
    out, err = bytearray(), bytearray()
    readers = [
        asyncio.create_task(_read(stream, into))
        for stream, into in ((process.stdout, out), (process.stderr, err))
    ]
    try:
        async with asyncio.timeout(timeout):
            code = await process.wait()
        await asyncio.wait(readers, timeout=_GRACE)  # a helper that stays, like ssh's, may hold them open
    except TimeoutError:
        return Ran(None, timed_out=True)
    finally:
        for reader in readers:
            reader.cancel()
        if process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    return Ran(code, out.decode(errors="replace"), err.decode(errors="replace"))


async def _read(stream: asyncio.StreamReader | None, into: bytearray) -> None:
    """All of it up to a bound; the rest is read and dropped, so that nobody waits for us."""
    while stream is not None and (piece := await stream.read(65536)):
        into += piece[: MOST_READ - len(into)]
