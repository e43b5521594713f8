"""Variables that the configuration declares to hold a secret, whatever they are called."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from donewhen.config.schema import Config


def secret_names(config: "Config") -> tuple[str, ...]:
    """For redactors, which otherwise go by what a name looks like."""
    chosen = (config.tools.llm.key_env, config.ship.token_env)
    return tuple(name for name in chosen if name)
