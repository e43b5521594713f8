"""What to leave out or name otherwise when an endpoint refuses a part of the request by its name.

Such a refusal costs nothing, and each part is given up only once, so a call ends after a few of them.
"""

import re

from donewhen.agents.models.wire import Asked
from donewhen.core.chat import ModelFailed

_LIMITS = ("max_tokens", "max_completion_tokens")
_TOO_LARGE = re.compile(r"too large|maximum|exceed|>")
_MOST = re.compile(r"(?:valid|supported) range|at most|less than or equal|<=")
_LEAST = 256
_ANEW = ":anew"


def adjusted(asked: Asked, failure: ModelFailed, limit: int) -> Asked | None:
    """How to ask again, or None; `limit` is the number of tokens that was asked for."""
    if failure.kind != "request" or failure.status not in (400, 422):
        return None
    words = failure.detail.lower()
    smaller = _smaller(words, limit)
    if smaller is not None:
        return asked._replace(most_output=smaller)
    other = _other_name(asked.limit_name, words)
    if other is not None:
        return asked._replace(limit_name=other)
    return next((less for part, less in _without(asked) if part in words and less != asked), None)


def _without(asked: Asked) -> tuple[tuple[str, Asked], ...]:
    """What a refusal may name, and how to ask without it."""
    return (
        ("temperature", asked._replace(temperature=False)),
        ("stream_options", asked._replace(usage=False)),
        ("prompt_cache_key", asked._replace(cache_key=False)),
        ("cache_control", asked._replace(cache_marks=False)),
        ("encrypted", _forgetful(asked)),
        ("reasoning", _forgetful(asked)),
        ("thinking", _forgetful(asked)),
        ("signature", _forgetful(asked)),
    )


def _forgetful(asked: Asked) -> Asked:
    """Without the thoughts of earlier turns: of another model or account, they are not taken back.

    A new dialect finds none of them on the pieces; those that come from now on are its own.
    """
    if asked.dialect.endswith(_ANEW):
        return asked
    return asked._replace(dialect=asked.dialect + _ANEW, encrypted=False)


def _other_name(used: str, words: str) -> str | None:
    """The other name of the limit, when the refusal is about ours and not about its size."""
    if used not in _LIMITS or not re.search(rf"\b{used}\b", words):
        return None
    other = _LIMITS[1 - _LIMITS.index(used)]
    return other if other in words or used == "max_completion_tokens" else None


def _smaller(words: str, limit: int) -> int | None:
    """The largest answer that the endpoint takes, when it says that ours is too large."""
    if not re.search(r"max_(?:completion_|output_)?tokens|maxoutputtokens", words):
        return None
    found = re.findall(r"(?<![\d.-])(\d{3,7})(?!\d|\.\d)( \(exclusive)?", words)
    numbers = [int(number) - bool(beyond) for number, beyond in found]
    fitting = [each for each in numbers if _LEAST <= each < limit]
    told = _MOST.search(words) or (_TOO_LARGE.search(words) and limit in numbers)
    return max(fitting) if fitting and told else None
