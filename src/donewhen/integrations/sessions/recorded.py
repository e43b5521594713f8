"""A session as its ledger has it: what it began with, whatever became of the notes in its folder."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from donewhen.config.paths import state_folder
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Body, Event, run
from donewhen.core.protocols import EventStore, Query
from donewhen.core.summary import storable
from donewhen.core.texts import Language
from donewhen.integrations.sessions.folder import Session
from donewhen.store import Opened, open_store

if TYPE_CHECKING:
    from donewhen.integrations.sessions.starting import Start

_NOT_THERE = ("store.no_run", "store.bad_url")
_LATEST = 200  # runs of a folder among which a session is looked for


def metadata(session: Session, start: "Start", home: str, kept: str) -> Mapping[str, str]:
    """`kept`: the digest of the artifact with what the repository held."""
    return {
        "client": session.client,
        "session": session.session,
        "digest": session.digest,
        "config": home,
        "since": repr(session.since),
        "tree": start.tree,
        "folder": start.identity,
        "held": kept,
    }


def keep_held(opened: Opened, start: "Start") -> tuple[str, Body]:
    """The commits that were there, as an artifact: there may be thousands of them."""
    data = json.dumps(start.commits).encode()
    digest = opened.artifacts.put_clean(data)
    return digest, run.ArtifactKept(digest, "held.json", len(data), "application/json")


def started_with(opened: Opened, run_id: str) -> "Start":
    """Nothing is known of what the repository held where that is lost: then all of it counts as new."""
    from donewhen.integrations.sessions.starting import Start

    first = next(iter(opened.store.read(run_id)))
    body, data = first.body, first.body.metadata
    commits: Any = ()
    with suppress(SetupError, ValueError):
        commits = json.loads(opened.artifacts.get(data.get("held", "")))
    return Start(body.repo, body.base, "", data.get("tree", ""), data.get("folder", ""), tuple(commits))


def recorded(store: str, run_id: str, client: str, digest: str, env: Mapping[str, str]) -> Session | None:
    """The session of a run; None when that run is another one's, or is not there."""
    try:
        with _reading(store, env) as opened:
            return _session(opened.store, run_id, store, client, digest)
    except UserError as error:
        if error.key not in _NOT_THERE:
            raise
        return None


def search(store: str, root: str, client: str, digest: str, env: Mapping[str, str]) -> Session | None:
    """The same, where nobody says which run it is."""
    with _reading(store, env) as opened:
        rows = opened.store.runs(Query(repo=storable(root), limit=_LATEST))
        for run_id in (row.run_id for row in rows if row.agent == client):
            with suppress(SetupError):  # a damaged one is nobody's
                found = _session(opened.store, run_id, store, client, digest)
                if found is not None:
                    return found
    return None


def _reading(store: str, env: Mapping[str, str]) -> Opened:
    return open_store(f"sqlite://{store}", state=state_folder(env), folder=Path("/"), create=False)


def _session(store: EventStore, run_id: str, path: str, client: str, digest: str) -> Session | None:
    first: Event | None = next(iter(store.read(run_id)), None)
    if first is None or first.type != "run_started":
        return None
    body, data = first.body, first.body.metadata
    if (data.get("client"), data.get("digest")) != (client, digest):
        return None
    try:
        since = float(data.get("since", ""))
    except ValueError:
        return None
    language: Language = "en"
    return Session(
        client,
        data.get("session", ""),
        digest,
        run_id,
        body.repo,
        path,
        since,
        language,
        body.base,
        data.get("tree", ""),
    )
