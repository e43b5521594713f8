"""Judging a change that is there already: what `donewhen verify` does, for people, CI and hooks; no model."""
