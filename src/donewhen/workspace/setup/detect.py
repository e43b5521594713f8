"""What a project's commands need, over all its languages: how it is set up, and whether it is at hand."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from donewhen.workspace.setup.model import AtHand, Setup
from donewhen.workspace.setup.node import node_at_hand, node_setup
from donewhen.workspace.setup.others import other_setups, others_at_hand
from donewhen.workspace.setup.python import python_at_hand, python_needed, python_setup

Commands = Sequence[Sequence[str]]


def setups_for(
    folder: Path, commands: Commands, env: Mapping[str, str] | None = None, below: str = ""
) -> tuple[Setup, ...]:
    """How a fresh copy is prepared for the commands.

    `folder` is where they are run; `below` is that folder's path from the root of the tree, and what comes
    back is relative to the root.
    """
    env = os.environ if env is None else env
    found = (
        python_setup(folder, commands, env),
        node_setup(folder, commands),
        *other_setups(folder, commands),
    )
    return tuple(_moved(setup, below) for setup in found if setup is not None)


def at_hand(folder: Path, commands: Commands, env: Mapping[str, str]) -> AtHand | None:
    """What is there already; None when anything that the commands need would have to be set up."""
    found: list[AtHand] = []
    for needed, hand in (
        (python_needed(folder, commands), python_at_hand),
        (node_setup(folder, commands), node_at_hand),
        (other_setups(folder, commands), others_at_hand),
    ):
        if needed:
            one = hand(folder, commands, env)
            if one is None:
                return None
            found.append(one)
    return AtHand(
        ", ".join(one.language for one in found),
        tuple(dict.fromkeys(folder for one in found for folder in one.path)),
        {name: value for one in found for name, value in one.env.items()},
        ", ".join(one.source for one in found if one.source),
    )


def _moved(setup: Setup, below: str) -> Setup:
    if not below:
        return setup

    def moved(paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{below}/{path}" for path in paths)

    return setup._replace(
        folder=f"{below}/{setup.folder}".rstrip("/"),
        inputs=moved(setup.inputs),
        provides=moved(setup.provides),
        path=moved(setup.path),
    )
