"""Scenarios of a spec and the tests that show them: where a link stands, what became of its test."""
