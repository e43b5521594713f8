"""Names of models as people type them: `provider:model`, a known model alone, or a provider alone."""

import re

from donewhen.core.errors import UserError
from donewhen.ui.finding_defaults import DEFAULT_MODELS

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,249}")
_PROVIDER = re.compile(r"[a-z][a-z0-9_-]{1,30}:.")
_EXAMPLE = "anthropic"


def full_name(given: str, provider: str | None = None) -> str:
    """`provider:model`; UserError for what names neither. It is not repeated: it may be a key, pasted."""
    from donewhen.agents.models.naming import parse_name
    from donewhen.agents.models.providers import ALIASES, PROVIDERS

    text = given.strip()
    alone = text.rstrip(":").lower()
    alone = ALIASES.get(alone, alone)
    if alone in PROVIDERS:
        if alone not in DEFAULT_MODELS:
            raise UserError("models_found.no_default", provider=alone)
        return f"{alone}:{DEFAULT_MODELS[alone]}"
    known = ", ".join(PROVIDERS)
    if _NAME.fullmatch(text):
        try:
            return str(parse_name(text, provider))
        except UserError as error:
            if error.key == "models.no_provider":  # that is about the configured one
                raise
            if _PROVIDER.match(text):
                name = text.partition(":")[0]
                raise UserError("models_found.no_such_provider", given=name, known=known) from None
    example = f"{_EXAMPLE}:{DEFAULT_MODELS[_EXAMPLE]}"
    raise UserError("models_found.bad_name", example=example, known=known)
