"""Editors, builders and tools that take commands or write by option."""
