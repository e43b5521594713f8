"""The acceptance record: an in-toto statement that names the tree that was accepted and what proved it.

Pure: made from a decision and read back from anybody's file, which is hostile until its shape was checked.
What it says is as good as the ledger behind it, or the signature beside it; the record alone proves nothing.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from donewhen.core.codec import dumps
from donewhen.core.errors import UserError

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:donewhen:acceptance:v1"
LARGEST = 16 * 1024 * 1024
_TREE = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HASH = re.compile(r"[0-9a-f]{64}")


class Ledger(NamedTuple):
    run: str
    seq: int
    hash: str


class Acceptance(NamedTuple):
    """What an acceptance record says."""

    tree: str
    ledger: Ledger
    predicate: Mapping[str, Any]

    @property
    def files(self) -> Mapping[str, str]:
        """The changed files of the accepted tree, path → object id; empty where one was deleted."""
        files = self.predicate.get("files")
        return files if isinstance(files, Mapping) else {}


def statement(name: str, tree: str, predicate: Mapping[str, Any]) -> str:
    """The record as text: one JSON object, the same bytes for the same facts."""
    return dumps(
        {
            "_type": STATEMENT,
            "subject": [{"name": name, "digest": {"gitTree": tree}}],
            "predicateType": PREDICATE,
            "predicate": predicate,
        }
    )


def read_record(text: str, place: str) -> Acceptance:
    """What a record says; UserError with what is wrong with it."""
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise UserError("record.not_json", place=place) from None
    if not isinstance(data, dict) or data.get("_type") != STATEMENT:
        raise UserError("record.no_statement", place=place)
    if data.get("predicateType") != PREDICATE:
        raise UserError("record.other_kind", place=place, kind=str(data.get("predicateType"))[:80])
    predicate = data.get("predicate")
    tree, ledger = _tree(data.get("subject")), _ledger(predicate)
    if not tree or ledger is None or not isinstance(predicate, dict):
        raise UserError("record.torn", place=place)
    return Acceptance(tree, ledger, predicate)


def _tree(subjects: object) -> str:
    if not isinstance(subjects, list) or len(subjects) != 1 or not isinstance(subjects[0], dict):
        return ""
    digest = subjects[0].get("digest")
    tree = digest.get("gitTree") if isinstance(digest, dict) else None
    return tree if isinstance(tree, str) and _TREE.fullmatch(tree) else ""


def _ledger(predicate: object) -> Ledger | None:
    data = predicate.get("ledger") if isinstance(predicate, dict) else None
    if not isinstance(data, dict):
        return None
    run, seq, hash = data.get("run"), data.get("seq"), data.get("hash")
    if not isinstance(run, str) or type(seq) is not int or not isinstance(hash, str):
        return None
    return Ledger(run, seq, hash) if seq > 0 and _HASH.fullmatch(hash) else None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands twice would say one thing to us and another to the next reader."""
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key stands twice")
    return data


def _no_constant(name: str) -> None:
    raise ValueError(name)
