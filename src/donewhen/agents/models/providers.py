"""The providers that are known, as data: where they are, which variable holds their key, how they speak."""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

Speech = Literal["chat", "responses", "anthropic", "gemini", "library"]


class Provider(NamedTuple):
    name: str
    url: str = ""  # empty: it must be given
    keys: tuple[str, ...] = ()  # environment variables, the first that is set counts
    urls: tuple[str, ...] = ()  # environment variables that give another address
    speech: Speech = "chat"
    input_percent: int = 150  # of our count that it may count
    needs_key: bool = True
    limit_name: str = "max_tokens"
    path: str = "/v1"  # of an address that was given without one
    guess: str = ""  # a bare name of a model that is its own


_ALL = (
    Provider(
        "openai",
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        ("OPENAI_BASE_URL",),
        input_percent=110,
        limit_name="max_completion_tokens",
        guess=r"gpt-|chatgpt-|o\d(?:-|$)|codex-",
    ),
    Provider(
        "anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        ("ANTHROPIC_BASE_URL",),
        "anthropic",
        path="",
        guess="claude-",
    ),
    Provider(
        "google",
        "https://generativelanguage.googleapis.com",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        ("GOOGLE_GEMINI_BASE_URL",),
        "gemini",
        input_percent=130,
        path="",
        guess="gemini-",
    ),
    Provider("ollama", "http://127.0.0.1:11434/v1", ("OLLAMA_API_KEY",), ("OLLAMA_HOST",), needs_key=False),
    Provider("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",)),
    Provider("groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
    Provider(
        "mistral",
        "https://api.mistral.ai/v1",
        ("MISTRAL_API_KEY",),
        guess="(?:mistral|ministral|magistral|codestral|devstral|pixtral)-",
    ),
    Provider("deepseek", "https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",), guess="deepseek-"),
    Provider("xai", "https://api.x.ai/v1", ("XAI_API_KEY",), guess="grok-"),
    Provider("together", "https://api.together.xyz/v1", ("TOGETHER_API_KEY",)),
    Provider("fireworks", "https://api.fireworks.ai/inference/v1", ("FIREWORKS_API_KEY",)),
    Provider(
        "azure-openai",
        keys=("AZURE_OPENAI_API_KEY",),
        urls=("AZURE_OPENAI_ENDPOINT",),
        input_percent=110,
        limit_name="max_completion_tokens",
        path="/openai/v1",
    ),
    Provider("lmstudio", "http://127.0.0.1:1234/v1", needs_key=False),
    Provider("vllm", "http://127.0.0.1:8000/v1", ("VLLM_API_KEY",), needs_key=False),
    Provider("custom", needs_key=False),
)
PROVIDERS: Mapping[str, Provider] = {provider.name: provider for provider in _ALL}
ALIASES: Mapping[str, str] = {
    "azure": "azure-openai",
    "claude": "anthropic",
    "gemini": "google",
    "grok": "xai",
    "lm-studio": "lmstudio",
}
_ONLY_RESPONSES = re.compile(
    r"gpt-.*-codex|codex-|.*-codex(?:-|$)|o\d+-pro|gpt-\d[\d.]*-pro|.*-deep-research"
)


def speech_of(provider: Provider, model: str) -> Speech:
    """The protocol that a model is spoken to in when nothing else is said."""
    if provider.name in ("openai", "azure-openai") and _ONLY_RESPONSES.match(model):
        return "responses"
    return provider.speech


def provider_of(model: str) -> Provider | None:
    """Whose a model with a bare name is."""
    return next((each for each in _ALL if each.guess and re.match(each.guess, model)), None)
