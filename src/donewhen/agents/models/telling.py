"""Failures of models as sentences: the cause, the place, and what whoever must act does next."""

from typing import NamedTuple

from donewhen.agents.models.providers import PROVIDERS
from donewhen.agents.models.retrying import LONGEST_ASKED
from donewhen.core.chat import ModelFailed
from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase


class Where(NamedTuple):
    """The place of a failure."""

    model: str
    url: str = ""
    key_name: str = ""

    @property
    def endpoint(self) -> str:
        from donewhen.config.hiding import hide_password

        return hide_password(self.url) if self.url else self.model.partition(":")[0]


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
