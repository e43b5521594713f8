"""Programs that take code of other languages."""
