"""The walk over a syntax tree: everything that could run, with what the line makes certain."""
