"""What a message to people is, and the seam to whoever delivers it.

A notifier answers with what became of a message; it never raises for what happens at the other end, and what
it says about a failure names no more of an address than its host.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, Protocol

from donewhen.core.codec import EMPTY, Json, dumps, thaw
from donewhen.core.texts import Phrase

VERSION = 1
TIMEOUT = 10.0  # seconds for one message to one place
LONGEST_TITLE = 200
LONGEST_TEXT = 4000  # what chat rooms still show; more is in the ledger
LARGEST = 64 * 1024  # bytes of a whole message
Kind = Literal["escalation", "pause", "budget_warning", "completion", "figures"]


class Notice(NamedTuple):
    kind: Kind
    run_id: str  # empty where it is about many
    key: str  # `<run>:<seq>`: whoever gets it twice can tell
    title: str
    text: str = ""
    data: Mapping[str, Json] = EMPTY


class Sent(NamedTuple):
    ok: bool
    reference: str = ""  # what the other end called it
    problem: Phrase | None = None


class Notifier(Protocol):
    @property
    def name(self) -> str:
        """As people and the ledger call it; no secret is in it."""

    async def send(self, notice: Notice) -> Sent:
        """Deliver it; what goes wrong is in the answer."""


def message_of(notice: Notice) -> bytes:
    """As JSON. `text` begins with the title, so that a chat room that shows only this key shows all."""
    title = _cut(notice.title, LONGEST_TITLE)
    body: dict[str, Any] = {
        "version": VERSION,
        "kind": notice.kind,
        "run": notice.run_id,
        "key": notice.key,
        "title": title,
        "text": _cut(f"{title}\n{notice.text}".rstrip(), LONGEST_TEXT),
    }
    whole = dumps({**body, "data": thaw(notice.data)}).encode()
    if len(whole) <= LARGEST:
        return whole
    return dumps({**body, "data": {"left_out": True}}).encode()


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
