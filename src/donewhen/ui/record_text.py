"""`audit --record`: what an acceptance record is worth for a tree, as people read it and as data."""

import os
from typing import TYPE_CHECKING, Any

from donewhen.core.errors import UserError
from donewhen.core.texts import say
from donewhen.ui.app import App, here
from donewhen.ui.output import one_line, paint, print_json, print_line
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.run.shipping.record_audit import RecordAudit

_SHOWN = 20
_SIGNS = {"added": "+", "deleted": "-", "modified": "~"}


def audit_file(app: App, file: str, commit: str, signers: str) -> int:
    """Compare the working tree, or a commit, with what the record says was accepted."""
    from donewhen.run.shipping.record_audit import audit_record
    from donewhen.verify.acceptance_record import read_file
    from donewhen.workspace.fingerprint.fingerprints import Fingerprints
    from donewhen.workspace.git.repository import find_repository
    from donewhen.workspace.rooms.places import places

    path = here() / file
    read_file(path, file)  # a wrong file is said before anything else is looked at
    if signers and not (here() / signers).is_file():
        raise UserError("record.no_file", place=signers)
    repository = find_repository(here(), os.environ)
    fingerprints = Fingerprints(repository, places(repository, os.environ).home)
    tree = _tree_of(repository.commit(commit), commit, fingerprints) if commit else fingerprints.take().tree
    keys = str(here() / signers) if signers else ""
    with app.open() as opened:
        found = audit_record(path, file, opened, fingerprints, tree, signers=keys)
    if app.as_json:
        print_json(_data(found))
    else:
        _print(found, quiet=app.quiet, whole=app.verbose)
    return 0 if found.ok else 1


def _tree_of(found: str, commit: str, fingerprints: Any) -> str:
    if not found:
        raise UserError("record.no_commit", commit=commit)
    tree: str = fingerprints.tree(found)
    return tree


def _print(found: "RecordAudit", *, quiet: bool, whole: bool) -> None:
    tree = found.accepted.tree if whole else found.accepted.tree[:12]
    if found.same and not quiet:
        print_line(paint("✓ ", "green") + t("record.same", tree=tree))
    if not found.same:
        now = found.tree if whole else found.tree[:12]
        print_line(paint("✗ ", "red") + t("record.differs", now=now, tree=tree))
        _print_differing(found, whole=whole)
    if not quiet or not found.ledger_ok:
        mark, colour = ("· ", "dim") if found.ledger_ok else ("✗ ", "red")
        said = say(found.ledger.key, language(), **found.ledger.values)
        print_line(paint(mark, colour) + one_line(said))
    if not quiet or not found.signature_ok:
        mark, colour = ("· ", "dim") if found.signature_ok else ("✗ ", "red")
        print_line(paint(mark, colour) + one_line(_signature(found)))


def _print_differing(found: "RecordAudit", *, whole: bool) -> None:
    if found.differing is None:
        print_line(f"  {t('record.differs_unknown')}")
        return
    listed = sorted(found.differing.items())
    shown = listed if whole else listed[:_SHOWN]
    for path, kind in shown:
        print_line(f"  {_SIGNS[kind]} {one_line(path)}")
    if len(listed) > len(shown):
        print_line(f"  {t('record.more', count=len(listed) - len(shown))}")


def _signature(found: "RecordAudit") -> str:
    signature = found.signature
    if signature is None:
        return t("record.unsigned") if found.signature_ok else t("record.signers_unsigned")
    if signature.tool == "minisign" and not signature.known:
        return t("record.signature_unchecked")
    if not signature.valid:
        return t("record.signature_bad", why=signature.why or "-")
    key = "record.signed" if signature.known else "record.signed_unknown"
    return t(key, tool=signature.tool, by=signature.by or "-")


def _data(found: "RecordAudit") -> dict[str, Any]:
    signature = found.signature
    return {
        "ok": found.ok,
        "accepted": found.accepted.tree,
        "tree": found.tree,
        "same": found.same,
        "differing": None if found.differing is None else dict(sorted(found.differing.items())),
        "ledger": {
            **found.accepted.ledger._asdict(),
            "ok": found.ledger_ok,
            "message": say(found.ledger.key, language(), **found.ledger.values),
        },
        "signature": {"ok": found.signature_ok, "message": _signature(found)}
        | ({"tool": signature.tool, "by": signature.by, "checked": signature.known} if signature else {}),
    }
