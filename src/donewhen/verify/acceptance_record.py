"""Acceptance records, written when a run was accepted.

The record repeats what the ledger says and names the event that says it; it decides nothing.
"""

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen import __version__
from donewhen.config import Config
from donewhen.config.files import read_regular, write_whole
from donewhen.core.codec import thaw
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Event
from donewhen.core.record import LARGEST, Acceptance, read_record, statement
from donewhen.core.view import Change
from donewhen.store import Opened
from donewhen.store.faults import mapped
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.records.signing import Tool, sign

_MOST_FILES = 5000
_EVIDENCE = ("command_ended", "verified", "answered")


class About(NamedTuple):
    """What a record says beside the ledger."""

    repository: Repository
    base: str  # commit
    base_tree: str
    tree: str
    changed: Mapping[str, Change]
    objects: Mapping[str, str]  # path → object id in the accepted tree
    tools: Mapping[str, str]  # versions and digests of what the exam ran with
    shipped: Mapping[str, str] = {}  # where it went, when the tree is a merge of the run's own


class Signing(NamedTuple):
    tool: Tool
    key: str


def signing_by(config: Config) -> Signing | None:
    """How records are signed; to be asked before a run starts, so that a missing key is told in time."""
    record = config.record
    if record.sign == "off":
        return None
    if not record.key:
        raise UserError("record.key_missing", tool=record.sign)
    if not Path(record.key).expanduser().is_file():
        raise UserError("record.no_key", key=record.key)
    return Signing(record.sign, record.key)


def record_path(state: Path, run_id: str) -> Path:
    return state / "records" / f"{run_id}.json"


def write_record(
    opened: Opened, run_id: str, about: About, path: Path, signing: Signing | None, env: Mapping[str, str]
) -> Path:
    """The record of an accepted run; it is there whole, with its signature, or not at all."""
    events = list(opened.store.read(run_id))
    decided = next(event for event in reversed(events) if event.type == "decided")
    promised = (event for event in reversed(events) if event.type in ("promise_set", "promise_amended"))
    promise = next(promised)  # as it stood when the run was accepted
    predicate = {
        "version": 1,
        "accepted_at": decided.at,
        "promise": thaw(promise.body.promise),
        "checks": thaw(decided.body.results),
        "evidence": [_evidence(event) for event in events if event.type in _EVIDENCE],
        "tools": {
            "donewhen": __version__,
            "python": platform.python_version(),
            "git": about.repository.git().line("version").removeprefix("git version "),
            "system": f"{sys.platform} {platform.machine()}",
            **about.tools,
        },
        "ledger": {"run": run_id, "seq": decided.seq, "hash": decided.hash},
        "base": {"commit": about.base, "tree": about.base_tree},
        "files": {path: about.objects.get(path, "") for path in sorted(about.changed)[:_MOST_FILES]},
        **({"shipped": dict(about.shipped)} if about.shipped else {}),
    }
    text = statement(about.repository.root.name, about.tree, predicate)
    with mapped(path):
        write_whole(path, text.encode() + b"\n", 0o644)
    if signing is not None:
        try:
            sign(path, signing.tool, signing.key, env)
        except (SetupError, UserError):
            path.unlink(missing_ok=True)  # somebody who asked for signed ones must not find another kind
            raise
    return path


def _evidence(event: Event) -> dict[str, Any]:
    body = event.body
    said = {"seq": event.seq, "type": event.type, "digest": {"sha256": event.hash}}
    if event.type == "command_ended":
        known = {"command": body.command, "exit": body.exit, "by": body.by, "output": body.output}
        return {**said, **known}
    if event.type == "verified":
        known = {"verifier": body.verifier, "scope": body.scope, "verdict": body.verdict}
        linked = thaw(body.details).get("linked")
        return {**said, **known, **({"tests": linked} if linked else {})}
    if body.who:
        answer = "yes" if body.allowed else "no"
        known = {"question": body.ask, "answer": answer, "who": body.who, "when": body.given}
        return {**said, **known, "because": body.text}
    return said


def read_file(path: Path, shown: str) -> tuple[Acceptance, bytes]:
    try:
        found = read_regular(path, shown, largest=LARGEST)
    except OSError:
        found = None
    if found is None:
        raise UserError("record.no_file", place=shown)
    return read_record(found.data.decode(errors="replace"), shown), found.data
