"""Receipts: what an agent's last message claims, and what of it holds now."""
