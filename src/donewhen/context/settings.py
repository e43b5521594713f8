"""How large a prompt may be, and what becomes of old turns."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.core.texts import Language

if TYPE_CHECKING:
    from donewhen.config import Config

Method = Literal["none", "sliding-window", "claude-style"]
_LEAST_RESERVE = 1024


class Settings(NamedTuple):
    """`budget` is what a prompt may hold: all that is said and the tools, in tokens as we count them."""

    budget: int = 56_000
    method: Method = "claude-style"
    turns: int = 3  # last exchanges that stay whole when the rest is compressed
    history: bool = True  # False: only the last exchange is shown
    language: Language = "en"
    max_output: int = 8192
    temperature: float | None = None


def settings_of(config: "Config", language: Language, window: int | None = None) -> Settings:
    """The user's settings; `window` is how many tokens the model takes, None when nobody knows."""
    context, llm = config.context, config.tools.llm
    most = min(context.max_tokens, window) if window else context.max_tokens
    reserve = context.budget.reserve_tokens
    if reserve is None:
        reserve = min(max(llm.max_output, _LEAST_RESERVE), most // 4)
    budget = max(most - reserve, 1)
    wished = context.budget.prompt_budget
    if wished is None and window is None:
        wished = context.budget.fallback_prompt_budget
    return Settings(
        budget if wished is None else min(budget, wished),
        context.compression_method,
        max(context.max_history_turns, 1),
        context.include_history,
        language,
        llm.max_output,
        llm.temperature,
    )
