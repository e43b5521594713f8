"""Checkpoints of a workspace: what it held at a moment, kept where the agent can't reach it."""

from collections.abc import Mapping

from donewhen.core.errors import SetupError
from donewhen.core.view import Change
from donewhen.workspace.fingerprint.fingerprints import Fingerprints


def checkpoint(fingerprints: Fingerprints, name: str) -> str:
    """Keep what the working tree holds now under a name; the id of its tree."""
    tree = fingerprints.take().tree
    fingerprints.keep(name, tree)
    return tree


def rollback(fingerprints: Fingerprints, name: str) -> Mapping[str, Change]:
    """Make the working tree what it was at a checkpoint, ignored files apart; what that changed."""
    kept = fingerprints.kept()
    if name not in kept:
        raise SetupError("rooms.no_checkpoint", name=name)
    return fingerprints.restore(kept[name])
