"""What the config room says."""

TEXTS: dict[str, tuple[str, str]] = {}
