"""The worker: `python -m donewhen.integrations.sessions.worker VERB`, one JSON object in, one out, exit 0.

Anything else is a failure of ours, which the hook that started it counts. Paths in the input are absolute,
since it stands in no folder of the project. A verb loads what it needs: only some need the whole exam.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from donewhen.core.errors import DonewhenError, UserError
from donewhen.core.events import facts, run
from donewhen.core.texts import language_of
from donewhen.integrations.hook.dialects import EVENTS
from donewhen.integrations.sessions.folder import ENDED
from donewhen.integrations.sessions.keeping import loaded_for
from donewhen.integrations.sessions.opening import Live, open_session
from donewhen.integrations.sessions.past import known_as, past_of
from donewhen.integrations.sessions.settings import changed_settings, switches_off
from donewhen.integrations.sessions.telling import MARK, promise_text, remember

Data = Mapping[str, Any]
Answer = dict[str, Any]
_LARGEST = 16 * 1024 * 1024


def main(argv: list[str]) -> int:
    try:
        given = _given(sys.stdin.buffer.read(_LARGEST + 1))
        verb = VERBS.get(argv[0] if argv else "")
        if verb is None:
            raise UserError("sessions.bad_input", field="VERB")
        where = _text(given, "client"), _text(given, "session_id"), _text(given, "folder")
        live = open_session(*where, os.environ, late=_is_late(argv[0], given))
        (live.folder.path / ENDED).unlink(missing_ok=True)  # a client may take a session up again
        answer = verb(live, given)
    except DonewhenError as error:
        sys.stderr.write(error.say(language_of(os.environ.get("DONEWHEN_LANGUAGE"))) + "\n")
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    if not _heard(json.dumps(answer)):
        return 1
    if argv[0] == "stop":
        from donewhen.integrations.sessions.gating import delivered

        delivered(live)
    return 0


def _heard(text: str) -> bool:
    """Whether somebody still listens: a hook goes away at its deadline."""
    try:
        with open(sys.stdout.fileno(), "wb", closefd=False) as out:
            out.write(text.encode() + b"\n")
    except BrokenPipeError:
        return False
    return True


def _is_late(verb: str, given: Data) -> bool:
    """Whether a session that nobody knows is met in its midst: then the tree may hold work of it already."""
    client, event = str(given.get("client")), str(given.get("event"))
    kind = EVENTS.get(client, {}).get(event, verb)
    again = _payload(given).get("source") in ("resume", "compact")
    return kind not in ("start", "prompt", "open") or (kind == "start" and again)


def _open(live: Live, given: Data) -> Answer:
    with live.ledger() as opened:
        past = past_of(opened.store.read(live.session.run))
    if past.promise:
        text = promise_text(past.promise, live.language)
    else:
        key = "nothing_to_prove" if live.session.tree else "no_repository"
        text = f"{MARK} {live.say(key)}"
    return {"session": str(live.folder.path), "context": text}


def _compile(live: Live, given: Data) -> Answer:
    from donewhen.integrations.sessions.compiling import compile_config

    session, loaded = live.session, loaded_for(live.folder, live.session.root, live.env)
    with live.ledger() as opened:
        promise = past_of(opened.store.read(session.run)).promise
    compile_config(live.folder, loaded, live.env, session.store, promise)
    return {}


def _prompt(live: Live, given: Data) -> Answer:
    from donewhen.integrations.sessions.prompting import prompt
    from donewhen.integrations.sessions.wording import words_of_user

    said = str(_payload(given).get("prompt") or "")
    return {"context": prompt(live, words_of_user(live.session.client, said))}


def _stop(live: Live, given: Data) -> Answer:
    from donewhen.integrations.sessions.gating import stop

    return stop(live, known_as(str(given.get("subagent") or "")), _text(given, "folder"))._asdict()


def _config(live: Live, given: Data) -> Answer:
    """A change of the client's settings: one that touches the hooks is not applied."""
    from pathlib import Path

    path = str(_payload(given).get("file_path") or "")
    changed = changed_settings(live.folder, live.env)
    odd = path.endswith(".json") and _payload(given).get("source") != "policy_settings"
    if not changed and not (odd and switches_off(Path(path))):
        return {"answer": "allow", "text": ""}
    named = ", ".join(changed) or path
    text = f"{MARK} {live.say('settings_blocked', path=named)}"
    with live.ledger() as opened:
        opened.store.append(
            live.session.run,
            facts.Denied("settings", "client-settings", text, target=named, approval="never"),
        )
    remember(live.folder, text)
    return {"answer": "block", "text": text}


def _end(live: Live, given: Data) -> Answer:
    reason = str(_payload(given).get("reason") or "-")[:80]
    with live.ledger() as opened:
        state = past_of(opened.store.read(live.session.run)).state
        opened.store.append(live.session.run, run.Noted(live.say("ended", reason=reason)), run.Closed(state))
    live.folder.write(ENDED, {"reason": reason})
    return {}


VERBS: Mapping[str, Callable[[Live, Data], Answer]] = {
    "open": _open,
    "compile": _compile,
    "prompt": _prompt,
    "stop": _stop,
    "config": _config,
    "end": _end,
}


def _given(data: bytes) -> Data:
    try:
        found = json.loads(data) if len(data) <= _LARGEST else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UserError("sessions.bad_input", field="client")
    return found


def _text(given: Data, name: str) -> str:
    found = given.get(name)
    bad = not isinstance(found, str) or not found or "\0" in found
    if bad or (name == "folder" and not str(found).startswith("/")):
        raise UserError("sessions.bad_input", field=name)
    return str(found)


def _payload(given: Data) -> Data:
    found = given.get("payload")
    return found if isinstance(found, dict) else {}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
