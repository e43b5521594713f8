"""The end of a session, as its client says it: noted at once, since clients wait for few seconds then."""

import os
from collections.abc import Mapping
from pathlib import Path

from donewhen.config.paths import state_folder
from donewhen.core.events import run
from donewhen.core.texts import say
from donewhen.integrations.sessions.folder import ENDED, digest_of, folder_of
from donewhen.integrations.sessions.past import past_of
from donewhen.integrations.sessions.recorded import recorded
from donewhen.store import open_store


def end(client: str, session_id: str, reason: str, env: Mapping[str, str] = os.environ) -> None:
    """Nothing to do for a session whose note does not lead to its ledger: its next event puts that right."""
    folder = folder_of(client, session_id, env)
    note = folder.session()
    found = recorded(note.store, note.run, client, digest_of(session_id), env) if note else None
    if note is None or found is None:
        return
    with open_store(f"sqlite://{note.store}", state=state_folder(env), folder=Path("/")) as opened:
        state = past_of(opened.store.read(found.run)).state
        said = say("sessions.ended", note.language, reason=reason)
        opened.store.append(found.run, run.Noted(said), run.Closed(state))
    folder.write(ENDED, {"reason": opened.redactor.text(reason)})
