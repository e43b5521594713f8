"""The folder of one session in the user's state: who it is, its locks, and small notes, written whole."""

import contextlib
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.config.files import read_own, write_whole
from donewhen.config.paths import state_folder
from donewhen.core.errors import UserError
from donewhen.core.texts import Language
from donewhen.integrations.hook.places import session_folder

VERSION = 1
ENDED = "ended.json"  # the client said that the session is over
EXAM = "exam.lock"  # held by who examines
_LARGEST = 8 * 1024 * 1024
_LONGEST_ID = 4096
_CLIENT = re.compile(r"[a-z][a-z0-9_-]{0,31}")


class Session(NamedTuple):
    """What a session is: written once, when it begins."""

    client: str
    session: str  # the client's id of it, without secrets
    digest: str  # of that id as it is
    run: str
    root: str
    store: str  # the database file
    since: float  # seconds since 1970
    language: Language
    base: str  # the commit that HEAD was; empty: there was none
    tree: str  # the fingerprint then; empty: there was no repository


class Folder(NamedTuple):
    path: Path

    def read(self, name: str) -> Any:
        """The content of a note; None when there is none, or it can't be read."""
        data = read_own(self.path / name, _LARGEST)
        try:
            return json.loads(data) if data is not None else None
        except (ValueError, RecursionError):
            return None

    def write(self, name: str, content: Any) -> None:
        write_whole(self.path / name, json.dumps(content, indent=1).encode() + b"\n")

    @property
    def note(self) -> Path:
        return self.path / "session.json"

    def session(self) -> Session | None:
        """The session as its note says; None where there is none, or it can't be read."""
        found = self.read(self.note.name)
        if not isinstance(found, dict) or found.get("version") != VERSION or not _is_whole(found):
            return None
        return Session(**{name: found[name] for name in Session._fields})

    def keep(self, session: Session) -> None:
        self.write(self.note.name, {"version": VERSION, **session._asdict()})

    @contextlib.contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Alone among all processes; waits as long as it takes, and the kernel frees what a dead one held."""
        handle = os.open(self.path / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
            fcntl.flock(handle, fcntl.LOCK_UN)
        finally:
            os.close(handle)

    def is_held(self, name: str) -> bool:
        """Whether another process holds it now."""
        try:
            handle = os.open(self.path / name, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        return False


def _is_whole(found: Mapping[str, Any]) -> bool:
    texts = [name for name in Session._fields if name != "since"]
    return isinstance(found.get("since"), float) and all(isinstance(found.get(name), str) for name in texts)


def sessions_folder(env: Mapping[str, str]) -> Path:
    return state_folder(env) / "sessions"


def folder_of(client: str, session_id: str, env: Mapping[str, str]) -> Folder:
    """Where a session lives, made if need be."""
    if not _CLIENT.fullmatch(client):
        raise UserError("sessions.bad_client", client=client[:80])
    if not session_id or len(session_id) > _LONGEST_ID:
        raise UserError("sessions.bad_id")
    path = Path(session_folder(str(state_folder(env)), client, session_id))
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Folder(path)


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
