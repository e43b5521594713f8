"""What a hook asks of the worker about a session that is there. A verb loads what it needs."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from donewhen.config.files import write_whole
from donewhen.config.paths import state_folder
from donewhen.core.events import facts
from donewhen.integrations.hook.dialects import EVENTS
from donewhen.integrations.hook.promises import TOLD, promise_file, read_text
from donewhen.integrations.sessions.keeping import loaded_for
from donewhen.integrations.sessions.opening import Live
from donewhen.integrations.sessions.past import known_as, past_of
from donewhen.integrations.sessions.settings import changed_settings, switches_off
from donewhen.integrations.sessions.telling import MARK, promise_text, remember

Data = Mapping[str, Any]
Answer = dict[str, Any]


def is_late(verb: str, given: Data) -> bool:
    """Whether a session that nobody knows is met in its midst: then the tree may hold work of it already."""
    client, event = str(given.get("client")), str(given.get("event"))
    kind = EVENTS.get(client, {}).get(event, verb)
    again = _payload(given).get("source") in ("resume", "compact")
    return kind not in ("start", "prompt", "open") or (kind == "start" and again)


def _open(live: Live, given: Data) -> Answer:
    text = _promise(live)
    write_whole(Path(promise_file(str(state_folder(live.env)), str(given["folder"]))), text.encode())
    return {"session": str(live.folder.path), "context": text}


def _promise(live: Live) -> str:
    with live.ledger() as opened:
        past = past_of(opened.store.read(live.session.run))
    if past.promise:
        return promise_text(past.promise, live.language)
    key = "nothing_to_prove" if live.session.tree else "no_repository"
    return f"{MARK} {live.say(key)}"


def _not_told(live: Live) -> str:
    """The promise, where the session was told another one before it had begun."""
    note = live.folder.path / TOLD
    told = read_text(str(note))
    note.unlink(missing_ok=True)
    promise = _promise(live) if told else ""
    return "" if promise == told else promise


def _compile(live: Live, given: Data) -> Answer:
    from donewhen.integrations.sessions.compiling import compile_config

    session, loaded = live.session, loaded_for(live.folder, live.session.root, live.env)
    with live.ledger() as opened:
        promise = past_of(opened.store.read(session.run)).promise
    compile_config(live.folder, loaded, live.env, session.store, promise)
    return {}


def _prompt(live: Live, given: Data) -> Answer:
    from donewhen.integrations.sessions.prompting import prompt
    from donewhen.integrations.sessions.results import late_verdict
    from donewhen.integrations.sessions.wording import words_of_user

    said = str(_payload(given).get("prompt") or "")
    late = late_verdict(live)
    promise = "" if said.lstrip().startswith("/") else _not_told(live)  # a command of the client's own
    texts = late.text, promise, prompt(live, words_of_user(live.session.client, said))
    return {"context": "\n".join(filter(None, texts)), "human": late.human}


def _stop(live: Live, given: Data) -> Answer:
    from donewhen.integrations.sessions.gating import Said, stop

    payload = _payload(given)
    reply = payload.get("last_assistant_message") or payload.get("prompt_response") or ""
    said = Said(str(reply), str(payload.get("permission_mode") or ""))
    return stop(live, known_as(str(given.get("subagent") or "")), str(given["folder"]), said)._asdict()


def _config(live: Live, given: Data) -> Answer:
    """A change of the client's settings: one that touches the hooks is not applied."""
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


def _gap(live: Live, given: Data) -> Answer:
    from donewhen.integrations.sessions.gating import record_gap

    record_gap(live)
    return {}


VERBS: Mapping[str, Callable[[Live, Data], Answer]] = {
    "open": _open,
    "compile": _compile,
    "prompt": _prompt,
    "stop": _stop,
    "config": _config,
    "gap": _gap,
}


def _payload(given: Data) -> Data:
    found = given.get("payload")
    return found if isinstance(found, dict) else {}
