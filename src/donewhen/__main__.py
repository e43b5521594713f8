"""`python -m donewhen` is the `donewhen` command."""

from donewhen.ui.cli import main

if __name__ == "__main__":
    main()
