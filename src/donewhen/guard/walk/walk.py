"""From a syntax tree to everything that would happen: one effect after the other, each with its command.

An over-approximation: whatever can run is walked, in the order of the line, with what the line itself makes
certain resolved. It executes nothing, decides nothing, and leaves out nothing silently: past its budget it
says so, and what can't be told is an effect of its own.
"""

from donewhen.core.tree import Script
from donewhen.guard.decision import Found
from donewhen.guard.ground import Ground
from donewhen.guard.state import start
from donewhen.guard.walk.base import Frame, Walk, Ways
from donewhen.guard.walk.nested import text
from donewhen.guard.walk.script import script as walk_script
from donewhen.guard.walk.simple import command, uncalled

__all__ = ["Found", "walk"]
_WAYS = Ways(walk_script, command, text)


def walk(script: Script, ground: Ground) -> tuple[Found, ...]:
    """Every effect of the script, run in this place."""
    walking = Walk(ground, _WAYS)
    try:
        state = start(ground)
        # what the environment brought is no doing of the line
        walking.followed.update(
            (name, text) for name, value in state.variables.items() for text in value.texts if text
        )
        walking.script(script, state, Frame())
        uncalled(walking)
    except RecursionError:
        walking.stop()
    return tuple(walking.found)
