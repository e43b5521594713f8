"""The numbers role: gates over real tools, and the readers of what these print."""
