"""The part about models of the file that `init` writes: the choice, and what else could be used here."""

import json
from collections.abc import Iterator

from donewhen.core.texts import Language, say
from donewhen.ui.finding import Found
from donewhen.ui.finding_defaults import DEFAULT_MODELS

_MOST = 6


def model_lines(found: Found, chosen: str, language: Language) -> Iterator[str]:
    """Switched off where nothing was chosen: without its `#` the file is as valid as before."""
    off = "" if chosen else "#"
    provider, _, model = (chosen or _example()).partition(":")
    source = next((each.source for each in found.usable if each.name == chosen), "")
    others = [each.name for each in found.usable if each.name != chosen][:_MOST]
    yield f"# {say('models_found.file_head', language)}"
    if not chosen:
        yield f"# {say('models_found.file_example', language)}"
    if others:
        yield f"# {say('models_found.file_others', language, models=', '.join(others))}"
    yield f"{off}tools:"
    yield f"{off}  llm:"
    yield f"{off}    provider: {json.dumps(provider)}{f'  # {source}' if source else ''}"
    yield f"{off}    model: {json.dumps(model)}"


def _example() -> str:
    provider, model = next(iter(DEFAULT_MODELS.items()))
    return f"{provider}:{model}"
