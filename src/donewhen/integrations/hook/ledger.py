"""Facts of a client's session into its ledger: cut to what a reader needs, without secrets, one commit each.

Many hooks of one session run at the same time, in processes of their own; each append is one transaction,
and nobody holds a lease.
"""

import os
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from donewhen.core.errors import DonewhenError, SetupError
from donewhen.core.events.facts import Asked, Denied, FileChanged, ToolCalled, ToolReturned
from donewhen.integrations.hook.payload import Payload
from donewhen.secrets.redact import Redactor
from donewhen.store.sqlite import SqliteStore

LONGEST = 2000  # characters of one text that are kept, head and tail
SEEN = 16 * 1024  # characters that are searched for secrets before the cut: a half one shows no shape
MOST = 40  # items of one list or object
DEEPEST = 6
MOST_FILES = 500  # of one call
EVERYTHING = "."  # the path of a change that may be any
_WAITING = ("store.locked", "store.disk_full")
PAUSE = 0.05


class Ledger:
    def __init__(self, store: SqliteStore, redactor: Redactor) -> None:
        self._store = store
        self.redactor = redactor

    def append(self, run: str, *bodies: Any) -> None:
        self._store.append(run, *bodies)


def open_ledger(
    path: str, heads: str, env: Mapping[str, str], secret_names: Collection[str], patience: float
) -> Ledger:
    """The store of a session; one that is gone is not made anew. `patience`: seconds to wait for its lock."""
    file = Path(path)
    if not file.is_file():
        raise SetupError("hooked.no_ledger", path=path)
    redactor = Redactor.from_environment(env, secret_names)
    store = SqliteStore(file, heads=Path(heads), redactor=redactor, busy_seconds=max(0.1, patience))
    return Ledger(store, redactor)


def append_patiently(opening: Any, run: str, bodies: Any, end: float) -> None:
    """Until `end` on the monotonic clock; a lock of others passes."""
    while True:
        try:
            ledger = opening()
            ledger.append(run, *bodies(ledger.redactor))
            return
        except DonewhenError as error:
            if error.key not in _WAITING or time.monotonic() + PAUSE >= end:
                raise
            time.sleep(PAUSE)


def returned(
    payload: Payload, redactor: Redactor, root: str = "", changed: Collection[str] | None = ()
) -> tuple[ToolCalled | ToolReturned | FileChanged, ...]:
    """A call that has ended, as the client tells it, and the files that it changed; never evidence."""
    called = _called(payload, redactor)
    output, ok = _outcome(payload)
    duration = payload.data.get("duration_ms")
    took = duration if isinstance(duration, int) and 0 <= duration < 2**40 else 0
    failed = "" if ok else "client"
    ended = ToolReturned(called.key, called.tool, ok, shortened(output, redactor), failed, took)
    return called, ended, *files_changed(root, changed)


def files_changed(root: str, changed: Collection[str] | None) -> tuple[FileChanged, ...]:
    """`changed`: None where nobody can say, so that it may be everything."""
    if changed is None or len(changed) > MOST_FILES:
        return (FileChanged(EVERYTHING, "write"),)
    there = os.path.lexists
    return tuple(FileChanged(path, "write" if there(f"{root}/{path}") else "delete") for path in changed)


def key_of(payload: Payload) -> str:
    """`AGENT/CALL`: a sub-agent's calls begin with its id, the main agent's with `main`."""
    agent = payload.text("agent_id", 100).replace("/", "_") or "main"
    return f"{agent}/{payload.text('tool_use_id', 200) or os.urandom(6).hex()}"


def _outcome(payload: Payload) -> tuple[str, bool]:
    data = payload.data
    if payload.event == "PostToolUseFailure":
        return str(data.get("error", "")), False
    response = data.get("tool_response")
    if not isinstance(response, dict):
        return ("" if response is None else _flat(response)), True
    metadata = response.get("metadata")
    code = metadata.get("exit") if isinstance(metadata, dict) else None
    texts = [response.get(name) for name in ("stdout", "stderr", "output", "llmContent", "error")]
    said = "\n".join(text for text in texts if isinstance(text, str) and text) or _flat(response)
    return said, not (response.get("error") or response.get("interrupted") is True or code not in (None, 0))


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return value
    import json

    return json.dumps(value, ensure_ascii=False)


def denied(payload: Payload, redactor: Redactor, fact: Denied | Asked) -> tuple[Any, ...]:
    """A refused call, or one that the client's user is asked about."""
    return _called(payload, redactor), fact


def _called(payload: Payload, redactor: Redactor) -> ToolCalled:
    args = payload.data.get("tool_input")
    kept = cut(args, redactor) if isinstance(args, dict) else {}
    tool, id_ = payload.text("tool_name", 200) or "?", payload.text("tool_use_id", 200)
    return ToolCalled(key_of(payload), tool, kept, id_)


def cut(value: Any, redactor: Redactor, depth: int = 0) -> Any:
    """JSON-like data of bounded size."""
    if isinstance(value, str):
        return shortened(value, redactor)
    if isinstance(value, dict):
        some = list(value.items())[:MOST]
        return {str(k)[:100]: cut(v, redactor, depth + 1) for k, v in some} if depth < DEEPEST else "…"
    if isinstance(value, list):
        return [cut(each, redactor, depth + 1) for each in value[:MOST]] if depth < DEEPEST else "…"
    if isinstance(value, int) and abs(value) >= 2**62:
        return str(value)[:100]
    return value if isinstance(value, int | None) else str(value)[:100]


def shortened(text: str, redactor: Redactor) -> str:
    """Head and tail of a long text; secrets go before the cut, since half of one is not recognised."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    head, tail = redactor.text(text[:SEEN])[:half], redactor.text(text[-SEEN:])[-half:]
    return f"{head}\n… {len(text) - LONGEST} …\n{tail}"
