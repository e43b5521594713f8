"""Pull requests: where a remote belongs to, how its forge is spoken to, and what is pushed there."""
