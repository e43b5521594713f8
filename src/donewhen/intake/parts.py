"""What one source gives to a promise, each part with the place it came from.

Every source (promise file, flag, spec, goal) is brought to this one form, so that adding them up needs to
know none of them. Nothing here reads or decides.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.promise import Condition, Criterion
from donewhen.core.texts import Phrase

LONGEST_OBJECTIVE = 500
_LONGEST_SLUG = 48
_APART = re.compile(r"[\W_]+")


class TodoPart(NamedTuple):
    """One todo as data, not yet judged together with the others."""

    data: Mapping[str, Any]
    source: str


class Parts(NamedTuple):
    source: str = ""
    objective: str = ""
    criteria: tuple[Criterion, ...] = ()
    checks: tuple[Check, ...] = ()
    accept: tuple[Accept, ...] = ()
    todos: tuple[TodoPart, ...] = ()
    id: str = ""
    derived_from: str = ""
    allowed_scope: tuple[str, ...] = ()
    disallowed_scope: tuple[str, ...] = ()
    required_evidence: tuple[str, ...] = ()
    permits: tuple[str, ...] = ()
    done_when: tuple[Condition, ...] | None = None  # None: not given
    abort_when: tuple[Condition, ...] | None = None
    answer_only: bool = False
    change: str = ""  # the folder of the OpenSpec change, absolute
    places: Mapping[str, str] = {}  # where the fields stand that have no source of their own
    own_ids: bool = False  # the ids are the user's words: never changed, whatever others call theirs
    warnings: tuple[Phrase | str, ...] = ()


def slug(text: str) -> str:
    """Words of any script in lower case, joined by hyphens; not long."""
    plain = unicodedata.normalize("NFKC", text[:400]).lower()
    return _APART.sub("-", plain).strip("-")[:_LONGEST_SLUG].strip("-")


def short(text: str, longest: int = LONGEST_OBJECTIVE) -> str:
    """The text on one line, cut where it is long."""
    line = " ".join(text[: longest * 4].split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def joined(*sources: str) -> str:
    """Several sources of one part, each once, in the order they came."""
    return ", ".join(dict.fromkeys(name for each in sources for name in each.split(", ") if name))
