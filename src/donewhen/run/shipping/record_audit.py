"""An acceptance record compared with a tree: is it the accepted one, what differs, what is it worth?"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.record import Acceptance
from donewhen.core.texts import Phrase
from donewhen.core.view import Change
from donewhen.store import Opened
from donewhen.verify.acceptance_record import read_file
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.records.signing import Signature, check


class RecordAudit(NamedTuple):
    """What a record is worth for one tree."""

    accepted: Acceptance
    tree: str  # the tree that it was compared with
    differing: Mapping[str, Change] | None  # None: can't be told
    ledger: Phrase
    ledger_ok: bool
    signature: Signature | None
    signature_ok: bool

    @property
    def same(self) -> bool:
        return self.tree == self.accepted.tree

    @property
    def ok(self) -> bool:
        return self.same and self.ledger_ok and self.signature_ok


def audit_record(
    path: Path,
    shown: str,
    opened: Opened,
    fingerprints: Fingerprints,
    tree: str,
    *,
    signers: str = "",
    env: Mapping[str, str] = os.environ,
) -> RecordAudit:
    """Compare the record at `path` with `tree`, with the ledger where it is here, and with its signature."""
    accepted, data = read_file(path, shown)
    ledger, fine = _ledger(accepted, opened)
    signature = check(path, data, signers, env)
    return RecordAudit(
        accepted,
        tree,
        {} if tree == accepted.tree else _differing(fingerprints, accepted, tree),
        ledger,
        fine,
        signature,
        _believable(signature, signers),
    )


def _believable(signature: Signature | None, signers: str) -> bool:
    """Without anybody's keys a signature need only fit; with them, it must be there and theirs."""
    if signature is None:
        return not signers
    return signature.valid or (signature.tool == "minisign" and not signature.known)


def _ledger(accepted: Acceptance, opened: Opened) -> tuple[Phrase, bool]:
    run, seq, hash = accepted.ledger
    values = {"run": run[:80], "seq": seq}
    if run not in opened.store.run_ids():
        return Phrase("record.ledger_absent", values), True
    event = next((each for each in opened.store.read(run, after=seq - 1) if each.seq == seq), None)
    if event is None or event.hash != hash:
        return Phrase("record.ledger_differs", values), False
    body = event.body
    if event.type != "decided" or body.status != "accepted" or body.fingerprint != accepted.tree:
        return Phrase("record.ledger_other", values), False
    return Phrase("record.ledger_same", values), True


def _differing(fingerprints: Fingerprints, accepted: Acceptance, tree: str) -> Mapping[str, Change] | None:
    try:
        return fingerprints.changed(accepted.tree, tree)
    except SetupError:
        pass  # the accepted tree is not here: of the files that the change was about, those that differ
    there, found = fingerprints.entries(tree), dict[str, Change]()
    for path, then in accepted.files.items():
        now = there[path].id if path in there else ""
        if isinstance(then, str) and then != now:
            found[path] = "deleted" if not now else "added" if not then else "modified"
    return found or None
