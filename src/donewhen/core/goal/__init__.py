"""Goal parsing: which commands must pass before the work may end, and which files must be written.

A pipeline of pure steps: blocks, mentions, sentences, frames, references, result. It reads words and never
asks a model; what no words require is not required, and everything that was seen and not taken is kept with
its reason.
"""

from donewhen.core.goal.model import Goal, GoalCommand, GoalFile, Ignored, Place
from donewhen.core.goal.parse import parse_goal

__all__ = ["Goal", "GoalCommand", "GoalFile", "Ignored", "Place", "parse_goal"]
