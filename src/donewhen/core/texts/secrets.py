"""What the secrets room says."""

TEXTS: dict[str, tuple[str, str]] = {}
