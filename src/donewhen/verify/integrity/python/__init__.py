"""The Python reader: what a Python file says about the exam, by its syntax tree and never by running it."""
