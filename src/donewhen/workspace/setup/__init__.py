"""The environment that a project's commands need: found at hand, or set up in a room of the harness's own."""
