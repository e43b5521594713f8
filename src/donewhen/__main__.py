"""`python -m donewhen` is the `donewhen` command.

A hook of another agent waits for us at every step, so `hook` is known here, before anything else is loaded.
Only a person has no arguments for it, or a terminal for its input.
"""

import gc
import os
import sys


def main() -> None:
    if sys.argv[1:2] == ["hook"] and len(sys.argv) > 2 and not os.isatty(0):
        from donewhen.integrations.hook.main import main as hook

        hook(sys.argv[2:])
    gc.set_threshold(100_000)  # before anything is loaded: looking for cycles among modules is in vain
    from donewhen.ui.cli import main as command

    command()


if __name__ == "__main__":
    main()
