"""Parts of a request that an endpoint refuses by name are left out, one at a time."""

from donewhen.agents.models.adjusting import adjusted
from donewhen.agents.models.wire import Asked
from donewhen.core.chat import ModelFailed
from tests.tables import table_test

ASKED = Asked("m", cache_key=True)
OPENAI = ASKED._replace(limit_name="max_completion_tokens")
FORGETFUL = ASKED._replace(encrypted=False, dialect="chat:anew")


def refusal(detail: str, status: int = 400) -> ModelFailed:
    return ModelFailed("request", detail, status=status, free=True)


@table_test(
    ("asked", "detail", "again"),
    [
        (
            ASKED,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            OPENAI,
        ),
        (OPENAI, "Unrecognized request argument supplied: max_completion_tokens", ASKED),
        (
            ASKED,
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
            ASKED._replace(temperature=False),
        ),
        (ASKED, "`temperature` is deprecated for this model.", ASKED._replace(temperature=False)),
        (ASKED, "Unknown field: stream_options", ASKED._replace(usage=False)),
        (ASKED, "property 'prompt_cache_key' is unsupported", ASKED._replace(cache_key=False)),
        (ASKED, "system.0.cache_control: Extra inputs are not permitted", ASKED._replace(cache_marks=False)),
        (ASKED, "Encrypted content is not supported with this model.", FORGETFUL),
        (ASKED, "messages.1.content.0: Invalid `signature` in `thinking` block", FORGETFUL),
        (
            ASKED,
            "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
            FORGETFUL,
        ),
        (FORGETFUL, "Invalid `signature` in `thinking` block", None),
        (
            ASKED,
            "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307",
            ASKED._replace(most_output=4096),
        ),
        (
            ASKED,
            "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.",
            ASKED._replace(most_output=4096),
        ),
        (
            ASKED,
            "Invalid max_tokens value, the valid range of max_tokens is [1, 4096]",
            ASKED._replace(most_output=4096),
        ),
        (
            ASKED,
            "it has a maxOutputTokens value of 8192 but the supported range is from 1 (inclusive) to 4097 (exclusive)",
            ASKED._replace(most_output=4096),
        ),
        (ASKED, "Thought signature is not valid.", FORGETFUL),
        (ASKED, "Function call is missing a thought_signature in functionCall parts.", FORGETFUL),
        (ASKED, "messages.1: odd", None),
    ],
)
def test_how_to_ask_again(asked, detail, again):
    assert adjusted(asked, refusal(detail), 8192) == again


def test_a_part_is_given_up_once():
    without = adjusted(ASKED, refusal("temperature"), 8192)
    assert without is not None
    assert adjusted(without, refusal("temperature"), 8192) is None


@table_test(
    "failure",
    [ModelFailed("server", "temperature", status=500), ModelFailed("key", "temperature", status=401)],
)
def test_other_failures_are_left_as_they_are(failure):
    assert adjusted(ASKED, failure, 8192) is None
