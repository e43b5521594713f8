"""From a name to a model: providers, keys, addresses, protocols, and what is said when one is missing."""

import pytest

from donewhen.agents.models.clients import Wired
from donewhen.agents.models.naming import find_source, make_model, parse_name
from donewhen.agents.models.providers import PROVIDERS
from donewhen.config.schema import Llm
from donewhen.core.errors import UserError
from tests.tables import table_test

ENV = {name: f"key-of-{provider.name}" for provider in PROVIDERS.values() for name in provider.keys}


@table_test(
    ("text", "provider", "named"),
    [
        ("openai:gpt-5-mini", None, "openai:gpt-5-mini"),
        ("OpenAI:gpt-5-mini", None, "openai:gpt-5-mini"),
        ("ollama:qwen3:8b", None, "ollama:qwen3:8b"),
        ("openrouter:meta/llama:free", None, "openrouter:meta/llama:free"),
        ("gemini:gemini-2.5-pro", None, "google:gemini-2.5-pro"),
        ("claude-opus-4", None, "anthropic:claude-opus-4"),
        ("gpt-5", None, "openai:gpt-5"),
        ("o3", None, "openai:o3"),
        ("o4-mini", None, "openai:o4-mini"),
        ("gemini-2.5-flash", None, "google:gemini-2.5-flash"),
        ("qwen3:8b", "ollama", "ollama:qwen3:8b"),
        ("mistral:7b", "ollama", "ollama:mistral:7b"),
        ("mistral:mistral-large-latest", "ollama", "mistral:mistral-large-latest"),
        ("anthropic:claude-x", "openai", "anthropic:claude-x"),
        ("anthropic/claude-x", "openrouter", "openrouter:anthropic/claude-x"),
        ("whatever", "vllm", "vllm:whatever"),
        (" gpt-5 ", None, "openai:gpt-5"),
    ],
)
def test_names(text, provider, named):
    assert str(parse_name(text, provider)) == named


@table_test("text", ["llama3", "foo:bar", "o", "openai:", "olive", "meta/llama"])
def test_a_name_that_tells_no_provider_is_refused_with_the_known_ones(text):
    with pytest.raises(UserError, match="the provider of the model .* openai, anthropic, google, ollama"):
        parse_name(text)


@table_test("text", ["", "  ", "gpt 5", "gpt-5\n\x1b[2J", "x" * 400])
def test_what_is_no_name_is_refused(text):
    with pytest.raises(UserError, match="not the name of a model"):
        parse_name(text)


def test_an_unknown_provider_in_the_configuration_is_refused():
    with pytest.raises(UserError, match="`tools.llm.provider` is `opnai`"):
        parse_name("x", "opnai")


@table_test(
    ("ref", "speech", "url"),
    [
        ("openai:gpt-5", "chat", "https://api.openai.com/v1"),
        ("openai:gpt-5.1-codex-mini", "responses", "https://api.openai.com/v1"),
        ("openai:gpt-5-pro", "responses", "https://api.openai.com/v1"),
        ("openai:o3-pro", "responses", "https://api.openai.com/v1"),
        ("anthropic:claude-x", "anthropic", "https://api.anthropic.com"),
        ("google:gemini-x", "gemini", "https://generativelanguage.googleapis.com"),
        ("ollama:x", "chat", "http://127.0.0.1:11434/v1"),
        ("deepseek:deepseek-chat", "chat", "https://api.deepseek.com/v1"),
    ],
)
def test_where_models_are_had(ref, speech, url):
    source = find_source(ref, Llm(), ENV)
    assert (source.speech, source.url) == (speech, url)
    assert source.key == f"key-of-{source.named.provider}"


@table_test(
    ("settings", "env", "ref", "url"),
    [
        ({"base_url": "http://127.0.0.1:9"}, {}, "openai:x", "http://127.0.0.1:9/v1"),
        ({"base_url": "http://127.0.0.1:9/api/"}, {}, "openai:x", "http://127.0.0.1:9/api"),
        ({}, {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1/"}, "openai:x", "http://127.0.0.1:9/v1"),
        ({}, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9/v1"}, "claude-x", "http://127.0.0.1:9"),
        ({}, {"OLLAMA_HOST": "0.0.0.0"}, "ollama:x", "http://127.0.0.1:11434/v1"),
        ({}, {"OLLAMA_HOST": "box:99"}, "ollama:x", "http://box:99/v1"),
        ({}, {"OLLAMA_HOST": "https://box"}, "ollama:x", "https://box/v1"),
        ({}, {"OLLAMA_HOST": ":99"}, "ollama:x", "http://127.0.0.1:99/v1"),
        ({"base_url": "http://box:99"}, {"OLLAMA_HOST": "other"}, "ollama:x", "http://box:99/v1"),
        (
            {},
            {"AZURE_OPENAI_ENDPOINT": "https://me.openai.azure.com/"},
            "azure:x",
            "https://me.openai.azure.com/openai/v1",
        ),
        ({"base_url": "https://box/v1"}, {}, "custom:x", "https://box/v1"),
        ({}, {"GOOGLE_GEMINI_BASE_URL": "https://box/v1beta/"}, "gemini-x", "https://box"),
        ({"base_url": "https://box", "protocol": "gemini"}, {}, "custom:x", "https://box"),
    ],
)
def test_addresses(settings, env, ref, url):
    assert find_source(ref, Llm(**settings), {**ENV, **env}).url == url


def test_an_address_and_a_key_are_meant_for_the_provider_of_the_configuration_alone():
    """No key of one provider goes to the address of another."""
    settings = Llm(
        provider="custom", model="m", base_url="https://box/v1", key_env="BOX_KEY", protocol="responses"
    )
    env = {**ENV, "BOX_KEY": "box-key"}
    mine = find_source("m", settings, env)
    assert (mine.url, mine.key, mine.speech) == ("https://box/v1", "box-key", "responses")
    other = find_source("anthropic:claude-x", settings, env)
    assert (other.url, other.key, other.speech) == (
        "https://api.anthropic.com",
        "key-of-anthropic",
        "anthropic",
    )
    by_name = Llm(model="openai:gpt-5", base_url="https://box/v1")
    assert find_source("claude-x", by_name, ENV).url == "https://api.anthropic.com"


@table_test(
    ("ref", "settings", "env", "words"),
    [
        (
            "openai:x",
            {},
            {},
            "there is no key for openai:x: the environment variable OPENAI_API_KEY is not set",
        ),
        ("gemini-x", {}, {}, "GEMINI_API_KEY"),
        ("openai:x", {"key_env": "MY_KEY"}, ENV, "MY_KEY"),
        ("openai:x", {}, {"OPENAI_API_KEY": "a b"}, "OPENAI_API_KEY does not hold a key"),
        ("openai:x", {}, {"OPENAI_API_KEY": "sk\nx"}, "OPENAI_API_KEY does not hold a key"),
        ("custom:x", {}, {}, "custom has no address of its own; give it in `tools.llm.base_url`"),
        ("azure:x", {}, ENV, "AZURE_OPENAI_ENDPOINT"),
        ("openai:x", {}, {**ENV, "OPENAI_BASE_URL": "box"}, "the address of openai is not one"),
        ("openai:x", {}, {**ENV, "OPENAI_BASE_URL": "http://[x"}, "the address of openai is not one"),
        (
            "openai:x",
            {},
            {**ENV, "OPENAI_BASE_URL": "http://box:99999/v1"},
            "the address of openai is not one",
        ),
    ],
)
def test_what_is_missing_is_said(ref, settings, env, words):
    with pytest.raises(UserError) as caught:
        find_source(ref, Llm(**settings), env)
    assert words in str(caught.value)
    assert "sk" not in str(caught.value) or "ask" in str(caught.value)
    assert caught.value.say("zh")


def test_an_endpoint_of_this_machine_goes_without_a_key():
    source = find_source("openai:x", Llm(base_url="http://localhost:8000/v1"), {})
    assert (source.key, source.key_name) == ("", "")


def test_a_model_knows_its_name_and_how_its_provider_counts():
    models = [make_model(ref, Llm(), ENV) for ref in ("gpt-5", "claude-x", "ollama:q:8b")]
    assert [type(each) for each in models] == [Wired] * 3
    assert [(each.name, each.input_percent) for each in models] == [
        ("openai:gpt-5", 110),
        ("anthropic:claude-x", 150),
        ("ollama:q:8b", 150),
    ]


def test_google_can_still_be_had_through_the_library():
    source = find_source("google:gemini-x", Llm(protocol="library"), ENV)
    assert (source.speech, source.url) == ("library", "https://generativelanguage.googleapis.com")
    assert isinstance(make_model("gemini-x", Llm(), ENV), Wired)


def test_the_table_is_sound():
    assert all(name == provider.name for name, provider in PROVIDERS.items())
    assert all(provider.keys for provider in PROVIDERS.values() if provider.needs_key)
