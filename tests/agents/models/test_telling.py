"""Every failure is one sentence in both languages that names the cause, the place and the next step."""

from donewhen.agents.models.telling import Placed, Where, gave_up, told
from donewhen.core.chat import FAILURES, ModelFailed
from donewhen.core.errors import SetupError
from donewhen.core.texts import LANGUAGES, say
from tests.tables import table_test

WHERE = Where("openai:gpt-x", "https://me:pass@box.example/v1", "MY_KEY")


@table_test("kind", FAILURES)
def test_every_failure_is_told(kind):
    placed = Placed(ModelFailed(kind, "raw", status=418), WHERE, "what it said")
    phrase = told("openai:gpt-x", placed)
    for language in LANGUAGES:
        sentence = say(phrase.key, language, **phrase.values)
        assert "openai:gpt-x" in sentence
        assert "what it said" in sentence
        assert "box.example" in sentence
        assert "pass" not in sentence
        assert say(f"models.why_{kind}", language)
    assert isinstance(gave_up("openai:gpt-x", placed), SetupError)


@table_test(
    ("url", "shown"),
    [
        ("http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"),
        ("https://box.example", "https://box.example"),
        ("https://me:pass@box.example/v1?key=abc", "https://***@box.example/v1"),
        (
            "https://box.example/openai/deployments/my-model.v2/",
            "https://box.example/openai/deployments/my-model.v2",
        ),
        ("https://box.example/t/Zk39fQ81xxPq/v1", "https://box.example/t/***/v1"),
        ("https://box.example/abcdefghijklmnopqrstuvwxyz/v1", "https://box.example/***/v1"),
        ("https://box.example/0123456789/v1", "https://box.example/***/v1"),
        ("https://a/b@c/v1", "https://***"),
    ],
)
def test_an_address_is_shown_as_far_as_it_holds_no_secret(url, shown):
    assert Where("x:y", url).endpoint == shown


def test_a_key_is_named_by_its_variable():
    assert "the key in MY_KEY" in str(gave_up("openai:gpt-x", Placed(ModelFailed("key"), WHERE, "no")))
    assert "the key in OPENAI_API_KEY" in str(gave_up("openai:gpt-x", ModelFailed("key", "no")))
    assert "`tools.llm.key_env`" in str(gave_up("custom:x", ModelFailed("key", "no")))


def test_an_endpoint_that_asks_for_too_much_patience_is_quoted():
    assert "asks to wait 3600 s" in str(gave_up("openai:gpt-x", ModelFailed("busy", "no", retry_after=3600)))
    assert "at every try" in str(gave_up("openai:gpt-x", ModelFailed("busy", "no", retry_after=1)))
