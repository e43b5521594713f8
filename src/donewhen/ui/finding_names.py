"""Names of models as people type them: `provider:model`, or a provider alone for its usual model."""

import re

from donewhen.core.errors import UserError
from donewhen.ui.finding_defaults import DEFAULT_MODELS

_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}")
_EXAMPLE = "anthropic"


def full_name(given: str) -> str:
    """`provider:model`; UserError for what names neither. It is not repeated: it may be a key, pasted."""
    from donewhen.ui.finding import known_providers

    provider, _, model = given.strip().partition(":")
    known = ", ".join(known_providers())
    if provider not in known_providers():
        if re.fullmatch(r"[a-z0-9_-]{1,40}", provider) and model:
            raise UserError("models_found.no_such_provider", given=provider, known=known)
        raise UserError("models_found.bad_name", example=_example(), known=known)
    model = model or DEFAULT_MODELS.get(provider, "")
    if not _MODEL.fullmatch(model):
        raise UserError("models_found.bad_name", example=_example(), known=known)
    return f"{provider}:{model}"


def _example() -> str:
    return f"{_EXAMPLE}:{DEFAULT_MODELS[_EXAMPLE]}"
