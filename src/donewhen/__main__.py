"""`python -m donewhen` is the `donewhen` command.

A hook of another agent waits for us at every step, so `hook` is known here, before anything else is loaded.
Only a person has no arguments for it, asks for help, or has a terminal for its input.
"""

import gc
import os
import sys


def main() -> None:
    words = sys.argv[2:]
    if sys.argv[1:2] == ["hook"] and words and "--help" not in words and not os.isatty(0):
        from donewhen.integrations.hook.unarmed import main as hook

        hook(words)
    gc.set_threshold(100_000)  # before anything is loaded: looking for cycles among modules is in vain
    from donewhen.ui.cli import main as command

    command()


if __name__ == "__main__":
    main()
