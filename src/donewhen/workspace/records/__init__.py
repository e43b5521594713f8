"""Acceptance records on disk, and signatures of them."""
