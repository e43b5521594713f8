"""Programs that make, move, change and delete files."""
