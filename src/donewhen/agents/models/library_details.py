"""What a provider wants back with its own words (signatures of thoughts, ids), as JSON beside what was said.

The words themselves are not kept twice: a part remembers only how long its share of the text was. All of it
is read back as if a stranger had written it; what does not fit is left out, for a call works without it.
"""

import json
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args

from donewhen.core.chat import AgentSaid
from donewhen.core.codec import Json, thaw

NAME = "library"
Kind = Literal["text", "thinking", "call"]


class Part(NamedTuple):
    kind: Kind
    size: int = 0  # characters of the text or the thinking
    id: str | None = None
    signature: str | None = None
    details: dict[str, Any] | None = None

    @property
    def is_plain(self) -> bool:
        return self.id is None and self.signature is None and self.details is None


class Details(NamedTuple):
    provider: str
    system: str | None
    parts: tuple[Part, ...]

    def sizes(self, kind: Kind) -> list[int]:
        return [part.size for part in self.parts if part.kind == kind]


def opaque_of(details: Details) -> dict[str, Json]:
    """What is kept with the reply; nothing where no part holds anything of its provider's."""
    if all(part.is_plain for part in details.parts):
        return {}
    parts = [
        {name: value for name, value in part._asdict().items() if value is not None and value != 0}
        for part in details.parts
    ]
    return {NAME: {"provider": details.provider, "system": details.system, "parts": parts}}


def details_of(said: AgentSaid) -> Details | None:
    """As it was kept; None when nothing was, or it does not fit what was said."""
    kept = thaw(said.opaque).get(NAME)
    if type(kept) is not dict or type(kept.get("provider")) is not str or type(kept.get("parts")) is not list:
        return None
    parts = tuple(map(_part, kept["parts"]))
    if None in parts or sum(part is not None and part.kind == "call" for part in parts) != len(said.calls):
        return None
    if said.text and not any(part is not None and part.kind == "text" for part in parts):
        return None
    system = kept.get("system")
    known = tuple(part for part in parts if part is not None)
    return Details(kept["provider"], system if type(system) is str else None, known)


def shared_out(text: str, sizes: list[int]) -> Iterator[str]:
    """A text in its parts again; all of it is the first part when it has changed since."""
    if sum(sizes) != len(text):
        yield text
        yield from ("" for _ in sizes[1:])
        return
    start = 0
    for size in sizes:
        yield text[start : start + size]
        start += size


def plain_json(data: Any) -> dict[str, Any] | None:
    """Details of the library's as JSON; None when they are none."""
    if not data:
        return None
    try:
        found = json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        return None
    return found if type(found) is dict else None


def _part(data: Any) -> Part | None:
    if type(data) is not dict or data.get("kind") not in get_args(Kind):
        return None
    size, details = data.get("size", 0), data.get("details")
    id, signature = data.get("id"), data.get("signature")
    if type(size) is not int or size < 0 or not (details is None or type(details) is dict):
        return None
    if not all(each is None or type(each) is str for each in (id, signature)):
        return None
    return Part(data["kind"], size, id, signature, details)
