"""One module per command (or family of commands), loaded when it is called."""
