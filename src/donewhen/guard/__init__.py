"""Allow, ask or deny for one action, judged by what it would do.

`Guard(ground).command(text)` decides; `effects` has the closed set of what can happen, `rules` the rules as
data, `programs` what is known of programs. Nothing here runs a command. Names are loaded on first use: who
asks only whether a branch is protected needs no reader of programs.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from donewhen.guard.actions import ToolCall
    from donewhen.guard.bounds import Bounds
    from donewhen.guard.decision import Action, Approval, Decision, Finding, Found
    from donewhen.guard.ground import Ground
    from donewhen.guard.guard import Guard

_HOMES = {
    **dict.fromkeys(("Action", "Approval", "Decision", "Finding", "Found"), "decision"),
    "Bounds": "bounds",
    "Ground": "ground",
    "Guard": "guard",
    "ToolCall": "actions",
}
__all__ = ["Action", "Approval", "Bounds", "Decision", "Finding", "Found", "Ground", "Guard", "ToolCall"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
