"""Who does the work. Each kind is a file of its own behind the same small protocol (`core.agent`)."""
