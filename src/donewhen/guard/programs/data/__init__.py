"""Databases and the tools that migrate them."""
