"""A session begins: its folder, its configuration as it is now, its promise, and its ledger; once."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen import __version__
from donewhen.config import Loaded, state_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.codec import freeze
from donewhen.core.errors import SetupError
from donewhen.core.events import Body, run
from donewhen.core.promise import Promise
from donewhen.core.promise_data import write_promise
from donewhen.core.texts import Language, Phrase, say
from donewhen.integrations.sessions.folder import Folder, Session, folder_of
from donewhen.integrations.sessions.keeping import keep_project, loaded_for
from donewhen.integrations.sessions.settings import keep_settings
from donewhen.secrets.redact import Redactor
from donewhen.store import Opened, new_run_id, open_store, store_path

NO_REPOSITORY = ("git.no_repository", "git.no_work_tree")


class Start(NamedTuple):
    """The folder as the session found it."""

    root: str
    base: str = ""
    branch: str = ""
    tree: str = ""


class Live(NamedTuple):
    """A session that is there, for one call of the worker."""

    folder: Folder
    session: Session
    env: Mapping[str, str]

    @property
    def language(self) -> Language:
        return self.session.language

    def ledger(self) -> Opened:
        loaded = loaded_for(self.folder, self.session.root, self.env)
        return opened_at(self.session.store, self.session.root, loaded, self.env)

    def say(self, key: str, **values: object) -> str:
        return say(f"sessions.{key}", self.language, **values)


def opened_at(store: str, root: str, loaded: Loaded, env: Mapping[str, str]) -> Opened:
    redactor = Redactor.from_environment(env, secret_names(loaded.config))
    return open_store(f"sqlite://{store}", state=state_folder(env), folder=Path(root), redactor=redactor)


def open_session(client: str, session_id: str, place: str, env: Mapping[str, str]) -> Live:
    """The session, made if it is not there yet; parallel calls make one."""
    folder = folder_of(client, session_id, env)
    known = folder.session()
    if known is None:
        with folder.held("lock"):
            known = folder.session() or _begin(folder, client, session_id, place, env)
    return Live(folder, known, env)


def _begin(folder: Folder, client: str, session_id: str, place: str, env: Mapping[str, str]) -> Session:
    from donewhen.integrations.sessions.compiling import compile_config, language_for
    from donewhen.integrations.sessions.composing import composed  # brings the whole exam with it

    where = Path(place)
    kept = keep_project(folder, where)
    start = _start(where, env)
    loaded = loaded_for(folder, start.root, env)
    store = str(store_path(loaded.config.store.url, state_folder(env), Path(start.root)).absolute())
    run_id = new_run_id()
    session = Session(
        client,
        session_id,
        run_id,
        start.root,
        store,
        time.time(),
        language_for(loaded, env),
        start.base,
        start.tree,
    )
    live = Live(folder, session, env)
    promise = composed(live, ())
    asked: Mapping[str, Any] = write_promise(promise) if isinstance(promise, Promise) else {}
    compile_config(folder, loaded, env, store, asked)
    keep_settings(folder, client, start.root, env)
    with opened_at(store, start.root, loaded, env) as opened:
        opened.store.append(run_id, *_first(live, start, promise, str(kept.home)))
    folder.keep(session)
    return session


def _first(live: Live, start: Start, promise: Promise | Phrase, home: str) -> tuple[Body, ...]:
    session = live.session
    started = run.RunStarted(
        live.say("goal", client=session.client),
        repo=start.root,
        base=start.base,
        agent=session.client,
        donewhen=__version__,
        metadata=freeze({"client": session.client, "session": session.session_id[:200], "config": home}),
    )
    if isinstance(promise, Promise):
        said: Body = run.PromiseSet(promise.id, freeze(write_promise(promise)))
    else:
        said = run.Noted(say(promise.key, session.language, **promise.values), "warning")
    return (
        started,
        said,
        run.WorkspaceOpened(start.root, start.branch, start.base, "in_place"),
        run.StateChanged("idle", "executing"),
    )


def _start(place: Path, env: Mapping[str, str]) -> Start:
    from donewhen.integrations.sessions.composing import tree_of
    from donewhen.workspace.git.repository import find_repository

    try:
        repository = find_repository(place, env)
    except SetupError as error:
        if error.key not in NO_REPOSITORY:
            raise
        return Start(str(place))
    return Start(str(repository.root), repository.head, repository.branch, tree_of(repository, env))
