"""Command lines of forges, and their interfaces."""
