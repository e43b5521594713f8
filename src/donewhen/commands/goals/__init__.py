"""Goal parsing: which commands must pass before the work may end, and which files must be written.

A pipeline of pure steps: blocks, mentions, sentences, frames, references, result. It reads words and never
asks a model; what no words require is not required, and everything that was seen and not taken is kept with
its reason. The parser loads when it is first called: who has no goal does not pay for it.
"""

from donewhen.commands.goals.model import Goal, GoalCommand, GoalFile, Ignored, Place

__all__ = ["Goal", "GoalCommand", "GoalFile", "Ignored", "Place", "parse_goal"]


def parse_goal(text: str) -> Goal:
    """What the text of a goal requires."""
    from donewhen.commands.goals import parse

    return parse.parse_goal(text)
