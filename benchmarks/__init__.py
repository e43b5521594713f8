"""Speed and size, measured; `make bench` runs all of it and writes RESULTS.md."""
