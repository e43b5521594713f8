"""Where a client's session is kept, and whether a folder is armed at all.

Most calls come from folders that nobody armed, so this looks at names alone and loads nothing. The rules for
the state folder are those of `config.paths`, which is too heavy to be loaded here.
"""

import os
import time
from collections.abc import Iterator, Mapping

CLIENTS = ("claude", "codex", "gemini", "opencode")
CONFIGS = (".donewhen/config.yml", ".gsd/config.yml")
SESSION = "session.json"
CONFIG = "config.json"
LOG = "worker.log"
FAILURES = "failures"
OFF = "off"  # in the folder of a session: its user took it out of the gate
PAUSED = "paused"  # folders whose sessions are not gated for a while
GAPS = "hook-gaps"  # notes of sessions that went on without us, each named by the client's process
ONLY_READS = frozenset(  # tools of clients that change no file
    """Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite TodoRead read_file read_many_files
    list_directory glob search_file_content grep_search web_fetch google_web_search read grep list webfetch
    websearch todowrite todoread Task Agent task AskUserQuestion ExitPlanMode EnterPlanMode BashOutput
    TaskOutput TaskCreate TaskUpdate TaskList TaskGet Skill ToolSearch update_plan web_search question
    view_image list_dir grep_files LSP lsp""".split()
)
CLIENT_PROCESS = "DONEWHEN_CLIENT_PROCESS"  # its number, told by the installed line


def state_folder(env: Mapping[str, str]) -> str:
    own = env.get("DONEWHEN_STATE_DIR", "")
    if own:
        if not own.startswith("/"):
            raise _refused("hooked.relative_state")
        return os.path.normpath(own)
    base = env.get("XDG_STATE_HOME", "")
    if base.startswith("/"):
        return os.path.normpath(f"{base}/donewhen")
    home = env.get("HOME", "")
    if not home.startswith("/"):
        raise _refused("hooked.no_home")
    return os.path.normpath(f"{home}/.local/state/donewhen")


def session_folder(state: str, client: str, session_id: str) -> str:
    """A client chooses its ids, so a name is made of the digest."""
    return f"{state}/sessions/{client}-{short(session_id)}"


def armed_file(state: str, folder: str) -> str:
    """The file that says that this folder, a real path, was armed by its user."""
    return f"{state}/armed/{short(folder)}"


def is_armed(state: str, session: str, folder: str) -> bool:
    """A session stays armed for its life, whatever the folder's files say, unless its user says otherwise."""
    if os.path.lexists(f"{session}/{OFF}") or is_paused(state, folder):
        return False
    if os.path.lexists(f"{session}/{SESSION}"):
        return True
    if any(os.path.lexists(f"{place}/{name}") for place in _upward(folder) for name in CONFIGS):
        return True
    if not os.path.isdir(f"{state}/armed"):  # noqa: PTH112 - no path objects here, they cost more than the look
        return False
    return any(os.path.lexists(armed_file(state, place)) for place in _upward(os.path.realpath(folder)))


def paused_file(state: str, folder: str) -> str:
    """Says until when this folder, a real path, is not gated: seconds since 1970, 0 for ever."""
    return f"{state}/{PAUSED}/{short(folder)}"


def is_paused(state: str, folder: str) -> bool:
    """Whether the user paused the gate here or above; what can't be read pauses nothing."""
    if not os.path.isdir(f"{state}/{PAUSED}"):  # noqa: PTH112
        return False
    return any(_holds(paused_file(state, place)) for place in _upward(os.path.realpath(folder)))


def _holds(file: str) -> bool:
    try:
        with open(file, encoding="ascii") as opened:  # noqa: PTH123
            until = float(opened.read(40))
    except (OSError, ValueError):
        return False
    return until == 0 or time.time() < until


def _upward(folder: str) -> Iterator[str]:
    while True:
        yield folder.rstrip("/")
        above = folder.rstrip("/").rpartition("/")[0]
        if folder in ("/", ""):
            return
        folder = above or "/"


def digest(data: bytes) -> str:
    """SHA-256, without the library that `hashlib` loads with it."""
    for name in ("_sha2", "_sha256", "hashlib"):
        try:
            return str(__import__(name).sha256(data).hexdigest())
        except ImportError:
            continue
    raise ImportError("hashlib")


def short(text: str) -> str:
    return digest(os.fsencode(text))[:24]


def _refused(key: str) -> Exception:
    from donewhen.core.errors import UserError

    return UserError(key)


def private_folder(folder: str) -> None:
    """With all that is missing above it, for this user alone."""
    before = os.umask(0o077)
    try:
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - no path objects on this way
    finally:
        os.umask(before)
