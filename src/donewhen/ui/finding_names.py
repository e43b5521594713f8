"""Names of models as people type them: `provider:model`, a known model alone, or a provider alone."""

from donewhen.core.errors import UserError
from donewhen.core.lazy import lazy
from donewhen.core.texts import Phrase
from donewhen.ui.finding_defaults import DEFAULT_MODELS

_NAME = lazy(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,249}")
_PROVIDER = lazy(r"[a-z][a-z0-9_-]{1,30}:.")
_WORD = lazy(r"(?!sk-|key)[A-Za-z]{1,16}(?:[._-](?:[A-Za-z]{1,12}|\d{1,3})){0,3}")
_EXAMPLE = "anthropic"


def full_name(given: str, provider: str | None = None) -> str:
    """`provider:model`; UserError for what names neither. Only a plain word is repeated: keys get pasted."""
    from donewhen.agents.models.naming import parse_name
    from donewhen.agents.models.providers import PROVIDERS

    text = given.strip()
    usual = usual_name(text)
    if usual:
        return usual
    known = ", ".join(PROVIDERS)
    if _NAME.fullmatch(text):
        try:
            return str(parse_name(text, provider))
        except UserError as error:
            if error.key == "models.no_provider":  # that is about the configured one
                raise
            if _PROVIDER.match(text):
                name = text.partition(":")[0]
                values = {"given": name, "hint": _near(name), "known": known}
                raise UserError("models_found.no_such_provider", **values) from None
    example = f"{_EXAMPLE}:{DEFAULT_MODELS[_EXAMPLE]}"
    quoted = f"`{text}`" if _quotable(text) else Phrase("models_found.what_was_given")
    values = {"given": quoted, "hint": _near(text) if _quotable(text) else "", "example": example}
    raise UserError("models_found.bad_name", **values, known=known)


def usual_name(given: str) -> str:
    """The usual model of a provider that is named alone; empty for any other name."""
    from donewhen.agents.models.providers import ALIASES, PROVIDERS

    alone = given.strip().rstrip(":").lower()
    alone = ALIASES.get(alone, alone)
    if alone not in PROVIDERS:
        return ""
    if alone not in DEFAULT_MODELS:
        raise UserError("models_found.no_default", provider=alone)
    return f"{alone}:{DEFAULT_MODELS[alone]}"


def _quotable(text: str) -> bool:
    """Whether it is plainly a word: anything else may be a key, pasted."""
    return _WORD.fullmatch(text) is not None


def _near(text: str) -> "Phrase | str":
    """The provider that was probably meant."""
    import difflib

    from donewhen.agents.models.providers import ALIASES, PROVIDERS

    near = difflib.get_close_matches(text.lower(), (*PROVIDERS, *ALIASES), 1, 0.75)
    return Phrase("models_found.near", {"name": near[0]}) if near else ""
