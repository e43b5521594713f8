"""Models behind the llm agent: one small protocol (`core.chat`), lean clients of ours, a library for the rest."""
