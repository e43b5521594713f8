"""Causes in words: the key of a sentence is for machines; people read what it stands for, or nothing."""

import re

from donewhen.core.reasons import name_of_cause
from donewhen.core.texts import Phrase
from donewhen.ui.words import language, t

_KEY = re.compile(r"[a-z_]+\.[a-z_]+")
_FAILED = "models.failed_"
# Failures of models that the short form of their kind does not name.
_LONGER = {"key_missing": "key", "busy_long": "busy"}


def said_cause(cause: str) -> str:
    """A cause as people read it; empty for a key that only the whole sentence explains."""
    if not _KEY.fullmatch(cause):
        return name_of_cause(cause, language())
    if not cause.startswith(_FAILED):
        return ""
    kind = cause.removeprefix(_FAILED)
    try:
        return t("seeing.cause_model", why=Phrase(f"models.why_{_LONGER.get(kind, kind)}"))
    except KeyError:  # of another version
        return ""


def said_reason(reason: str) -> str:
    """Why a state was entered: a stop reason with its cause."""
    first, mark, cause = reason.partition(": ")
    said = said_cause(cause) if mark else ""
    return (f"{first}: {said}" if said else first) if mark else said_cause(reason)
