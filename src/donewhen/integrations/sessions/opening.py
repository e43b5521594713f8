"""A session begins: its folder, its configuration as it is now, its promise, and its ledger; once."""

import os
import sqlite3
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from donewhen import __version__
from donewhen.config.paths import state_folder
from donewhen.core.codec import freeze
from donewhen.core.errors import SetupError
from donewhen.core.events import Body, facts, run
from donewhen.core.promise import Promise
from donewhen.core.promise_data import write_promise
from donewhen.core.texts import Language, Phrase, say
from donewhen.integrations.hook.compiled import read_compiled
from donewhen.integrations.hook.ledger import EVERYTHING
from donewhen.integrations.hook.places import CONFIG
from donewhen.integrations.sessions.folder import Folder, Session, digest_of, folder_of
from donewhen.integrations.sessions.keeping import keep_project, loaded_for
from donewhen.integrations.sessions.recorded import keep_held, metadata, recorded, search
from donewhen.integrations.sessions.settings import keep_settings
from donewhen.secrets.redact import Redactor
from donewhen.store import Opened, new_run_id, open_store, store_path

if TYPE_CHECKING:
    from donewhen.config import Loaded
    from donewhen.integrations.sessions.starting import Start


_held: "dict[str, sqlite3.Connection]" = {}


def _hold(store: str) -> None:
    """Keep a connection while the process lives: the last one to close moves the whole log into the file,
    and waits for the disk each time."""
    if store not in _held and Path(store).exists():
        with suppress(sqlite3.Error):  # whatever is wrong with it, the store tells
            _held[store] = sqlite3.connect(store, check_same_thread=False)
            _held[store].execute("SELECT count(*) FROM sqlite_master").fetchone()


class Live(NamedTuple):
    """A session that is there, for one call of the worker."""

    folder: Folder
    session: Session
    env: Mapping[str, str]
    altered: bool = False  # its note says something else than the ledger

    @property
    def language(self) -> Language:
        return self.session.language

    def ledger(self) -> Opened:
        """With the configuration as the hook has it, where that is as it was: reading it takes long."""
        known = read_compiled(str(self.folder.path / CONFIG), self.env)
        if known is not None:
            return _opened(self.session.store, self.session.root, known.secret_names, self.env)
        loaded = loaded_for(self.folder, self.session.root, self.env)
        return opened_at(self.session.store, self.session.root, loaded, self.env)

    def say(self, key: str, **values: object) -> str:
        return say(f"sessions.{key}", self.language, **values)


def opened_at(store: str, root: str, loaded: "Loaded", env: Mapping[str, str]) -> Opened:
    from donewhen.config.secret_names import secret_names

    return _opened(store, root, secret_names(loaded.config), env)


def _opened(store: str, root: str, names: Collection[str], env: Mapping[str, str]) -> Opened:
    redactor = Redactor.from_environment(env, names)
    _hold(store)
    return open_store(f"sqlite://{store}", state=state_folder(env), folder=Path(root), redactor=redactor)


def open_session(
    client: str, session_id: str, place: str, env: Mapping[str, str], *, late: bool = False
) -> Live:
    """The session, made if it is not there yet; parallel calls make one. `late`: it runs for a while."""
    folder = folder_of(client, session_id, env)
    who = _Who(client, session_id, digest_of(session_id), place)
    live = _noted(folder, who, env)
    if live is None:
        with folder.held("lock"):
            live = _noted(folder, who, env) or _lost(folder, who, env)
            if live is None:
                late = late or os.path.lexists(folder.note)
                live = Live(folder, _begin(folder, who, env, late), env)
    return live


class _Who(NamedTuple):
    client: str
    session_id: str
    digest: str
    place: str


def _noted(folder: Folder, who: _Who, env: Mapping[str, str]) -> Live | None:
    """The session that the note names, as the ledger has it: the note alone proves nothing."""
    note = folder.session()
    if note is not None:
        _hold(note.store)
    found = recorded(note.store, note.run, who.client, who.digest, env) if note is not None else None
    if note is None or found is None:
        return None
    session = found._replace(language=note.language)
    return Live(folder, session, env, altered=session != note)


def _lost(folder: Folder, who: _Who, env: Mapping[str, str]) -> Live | None:
    """The session whose note is gone or can't be read, found again in the ledger."""
    from donewhen.integrations.sessions.compiling import language_for

    root = str(_root_of(Path(who.place), env))
    loaded = loaded_for(folder, root, env)
    found = search(_store(loaded, root, env), root, who.client, who.digest, env)
    if found is None:
        return None
    session = found._replace(language=language_for(loaded, env))
    there = os.path.lexists(folder.note)
    if not there:
        folder.keep(session)
    return Live(folder, session, env, altered=there)


def _store(loaded: "Loaded", root: str, env: Mapping[str, str]) -> str:
    return str(store_path(loaded.config.store.url, state_folder(env), Path(root)).absolute())


def _root_of(place: Path, env: Mapping[str, str]) -> Path:
    from donewhen.workspace.git.repository import find_repository

    try:
        return find_repository(place, env).root
    except SetupError:
        return place


def _begin(folder: Folder, who: _Who, env: Mapping[str, str], late: bool) -> Session:
    from donewhen.config.secret_names import secret_names
    from donewhen.integrations.sessions.compiling import compile_config, language_for
    from donewhen.integrations.sessions.composing import composed  # brings the whole exam with it
    from donewhen.integrations.sessions.starting import start_of
    from donewhen.workspace.census import CENSUS, keep_census, take_census
    from donewhen.workspace.fingerprint.ignoring import KEPT_RULES

    where = Path(who.place)
    kept = keep_project(folder, where)
    start = start_of(where, env, late)
    if start.ignored is not None:
        folder.write(KEPT_RULES, start.ignored._asdict())
        keep_census(folder.path / CENSUS, take_census(Path(start.root), env, start.files))
    loaded = loaded_for(folder, start.root, env)
    store = _store(loaded, start.root, env)
    run_id = new_run_id()
    session = Session(
        who.client,
        Redactor.from_environment(env, secret_names(loaded.config)).text(who.session_id)[:200],
        who.digest,
        run_id,
        start.root,
        store,
        time.time(),
        language_for(loaded, env),
        start.base,
        start.tree,
    )
    live = Live(folder, session, env)
    promise = composed(live)
    asked: Mapping[str, Any] = write_promise(promise) if isinstance(promise, Promise) else {}
    compile_config(folder, loaded, env, store, asked)
    keep_settings(folder, who.client, start.root, env)
    with opened_at(store, start.root, loaded, env) as opened:
        digest, held = keep_held(opened, start)
        data = metadata(session, start, str(kept.home), digest)
        known = _first(live, start, promise, data, held)
        whatever = (facts.FileChanged(EVERYTHING, "write"),) if late else ()
        opened.store.append(run_id, *known, *whatever)
    folder.keep(session)
    return session


def _first(
    live: Live, start: "Start", promise: Promise | Phrase, data: Mapping[str, str], held: Body
) -> tuple[Body, ...]:
    session = live.session
    started = run.RunStarted(
        live.say("goal", client=session.client),
        repo=start.root,
        base=start.base,
        agent=session.client,
        donewhen=__version__,
        metadata=freeze(data),
    )
    if isinstance(promise, Promise):
        said: Body = run.PromiseSet(promise.id, freeze(write_promise(promise)))
    else:
        said = run.Noted(say(promise.key, session.language, **promise.values), "warning")
    return (
        started,
        said,
        run.WorkspaceOpened(start.root, start.branch, start.base, "in_place"),
        held,
        run.StateChanged("idle", "executing"),
    )
