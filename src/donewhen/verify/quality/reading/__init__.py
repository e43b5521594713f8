"""Readers of what tools print: text in, violations out, or Unreadable. Nothing is run here."""
