"""Failures of models as sentences: the cause, the place, and what whoever must act does next."""

import re
from typing import NamedTuple

from donewhen.agents.models.providers import PROVIDERS
from donewhen.agents.models.retrying import LONGEST_ASKED
from donewhen.core.chat import ModelFailed
from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase

# Parts of a path that are plainly words, such as `v1`, `openai` or `my-model.v2`; keys look different.
_WORD = r"(?:[A-Za-z]{1,16}\d{0,2}|v\d{1,2}[a-z]{0,5}\d?|\d{1,4})"
_PLAIN = re.compile(rf"(?=[^/]{{1,24}}$)(?=[A-Za-z]){_WORD}(?:[._-]{_WORD})*")


_LONGEST = 300
_MASKED = re.compile(r"\S*\*{3,}\S*")  # a key of which an endpoint shows the ends


def harmless(detail: str, key: str) -> str:
    """What an endpoint said, as one short line without secrets."""
    from donewhen.secrets.redact import Redactor

    text = _MASKED.sub("[redacted]", Redactor([key] if key else ()).text(detail))
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"


class Where(NamedTuple):
    """The place of a failure."""

    model: str
    url: str = ""
    key_name: str = ""

    @property
    def endpoint(self) -> str:
        return shown_address(self.url) if self.url else self.model.partition(":")[0]


def shown_address(url: str) -> str:
    """An address as far as it holds no secret: no password, no query, and no part of its path like a key."""
    from donewhen.config.hiding import HIDDEN, hide_password

    shown = hide_password(url)
    if not shown.endswith(f"/{HIDDEN}") or shown.endswith(f"://{HIDDEN}"):
        return shown
    path = re.split(r"[?#]", url.partition("://")[2], maxsplit=1)[0].partition("/")[2]
    parts = (part if _PLAIN.fullmatch(part) else HIDDEN for part in path.rstrip("/").split("/"))
    return shown.removesuffix(HIDDEN) + "/".join(parts)


class Placed(ModelFailed):
    """A failure that knows where it happened; its detail holds no secret."""

    def __init__(self, failure: ModelFailed, where: Where, detail: str) -> None:
        super().__init__(
            failure.kind,
            detail,
            status=failure.status,
            retry_after=failure.retry_after,
            free=failure.free,
        )
        self.where = where


def told(name: str, failure: ModelFailed) -> Phrase:
    """A failure of the model `name`, for people."""
    where = failure.where if isinstance(failure, Placed) else Where(name)
    provider = PROVIDERS.get(name.partition(":")[0])
    usual = provider.keys[0] if provider and provider.keys else ""
    kind: str = failure.kind
    asked = failure.retry_after or 0.0
    if kind == "busy" and asked > LONGEST_ASKED:
        kind = "busy_long"
    if kind == "key" and not (where.key_name or usual):
        kind = "key_missing"
    values = {
        "model": name,
        "endpoint": where.endpoint,
        "variable": where.key_name or usual,
        "detail": failure.detail or f"status {failure.status}",
        "seconds": round(asked),
    }
    return Phrase(f"models.failed_{kind}", values)


def gave_up(name: str, failure: ModelFailed) -> SetupError:
    """The error that ends the tries; `name` is the last model that was asked."""
    phrase = told(name, failure)
    return SetupError(phrase.key, **phrase.values)
