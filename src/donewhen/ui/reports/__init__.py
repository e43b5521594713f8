"""A verification in the formats that other programs and people read."""
