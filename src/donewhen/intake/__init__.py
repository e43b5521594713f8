"""What people hand in (goal text, specs, promise files, the project itself) becomes parts of a promise."""
