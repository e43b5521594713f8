"""The model to begin with at each provider, where nobody named one. The order is that of preference.

Each is a current model that writes code, takes tools and costs about what work of this kind is worth. This
is the one place: `tools.llm.model`, an agent's `model` and `--model` win over it.
"""

from collections.abc import Mapping

DEFAULT_MODELS: Mapping[str, str] = {
    "anthropic": "claude-sonnet-5-5",
    "openai": "gpt-6.1-sol",
    "google": "gemini-4-argon",
    "openrouter": "anthropic/claude-sonnet-5.5",
    "deepseek": "deepseek-v4-pro",
    "mistral": "mistral-large-4",
    "xai": "grok-4.7",
    "groq": "openai/gpt-oss-120b",
    "together": "zai-org/GLM-5.3",
    "fireworks": "accounts/fireworks/models/glm-5p3",
}
