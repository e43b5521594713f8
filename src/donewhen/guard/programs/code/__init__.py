"""Code of other languages: what it would do, as far as that can be told."""
