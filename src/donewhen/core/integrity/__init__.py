"""Integrity: whether a change made its own exam easier. Pure; files are read elsewhere."""
