"""What clients put round a prompt is not the user's word."""

from donewhen.integrations.sessions.wording import words_of_user
from tests.tables import table_test


@table_test(
    ("client", "prompt", "said"),
    [
        ("gemini", "<hook_context>- `make`\nis run</hook_context>\n\nMend it.", "Mend it."),
        ("gemini", "<hook_context>a</hook_context>\n<hook_context>b</hook_context>\n\nMend it.", "Mend it."),
        ("gemini", "Say <hook_context>a</hook_context>.", "Say <hook_context>a</hook_context>."),
        ("gemini", "<hook_context>never closed", "<hook_context>never closed"),
        ("gemini", '"Mend it now."', '"Mend it now."'),
        ("opencode", '"Mend it; `make` must pass."', "Mend it; `make` must pass."),
        ("opencode", '"Say \\"hi there\\" and \\ stop"', 'Say "hi there" and \\ stop'),
        ("opencode", '"two words" and "two more"', '"two words" and "two more"'),
        ("opencode", "word", "word"),
        ("claude", '"Mend it now."', '"Mend it now."'),
        ("codex", "<hook_context>a</hook_context>", "<hook_context>a</hook_context>"),
    ],
)
def test_only_the_users_words_are_left(client: str, prompt: str, said: str) -> None:
    assert words_of_user(client, prompt) == said
