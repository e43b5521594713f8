"""Quality: what gates measure about a change, and what of it is new. Pure."""
