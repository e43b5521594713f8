"""Models behind the llm agent: lean clients of ours, and a library for the rest (`core.chat` is the seam)."""
