"""Allow, ask or deny for one action, judged by what it would do.

`Guard(ground).command(text)` decides; `effects` has the closed set of what can happen, `rules` the rules as
data, `programs` what is known of programs. Nothing here runs a command.
"""

from donewhen.guard.actions import ToolCall
from donewhen.guard.bounds import Bounds
from donewhen.guard.decision import Action, Approval, Decision, Finding, Found
from donewhen.guard.ground import Ground
from donewhen.guard.guard import Guard

__all__ = ["Action", "Approval", "Bounds", "Decision", "Finding", "Found", "Ground", "Guard", "ToolCall"]
