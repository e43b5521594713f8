"""Messages to people about a run: what is said, to whom it is sent, and what became of it."""
