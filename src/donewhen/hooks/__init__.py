"""User code at points of a run: programs and Python, trusted, bounded, and closed when they fail."""
