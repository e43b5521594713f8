"""Integrity's eyes: files read by syntax tree, language by language, into what the core compares."""
