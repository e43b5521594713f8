"""Where a run works, and how its accepted result reaches the user: a branch, a record, and a clean leave."""
