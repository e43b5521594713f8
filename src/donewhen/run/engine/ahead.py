"""While git fills the workspace there is time: what a run needs next is loaded and asked meanwhile.

In the order of need. Nothing is decided here; what fails is told by whoever needs it, when it is needed.
"""

from contextlib import suppress
from importlib import import_module

NEXT = (
    "donewhen.run.engine.furnishing",
    "donewhen.tools.files.grep",
    "donewhen.tools.files.listing",
    "donewhen.tools.files.moving",
    "donewhen.tools.files.write",
    "donewhen.tools.git_changing",
    "donewhen.tools.git_looking",
    "donewhen.tools.git_worktrees",
    "donewhen.run.engine.planning",
    *(f"donewhen.core.texts.{room}" for room in ("sandbox", "toolbox", "shelltools", "gittools", "owntools")),
    "donewhen.run.engine.ending",
    "donewhen.run.engine.recording",
    "donewhen.run.engine.outcome",
)
TALK = (
    "donewhen.run.engine.desk",
    "donewhen.tools.code_generate",
    "donewhen.agents.models.clients",
    "donewhen.agents.models.http1",
    "donewhen.agents.models.price_table",
    *(f"donewhen.core.texts.{room}" for room in ("codegen", "context", "desk")),
)


def load_ahead(*, talks: bool) -> None:
    """`talks`: also what a conversation with a model needs."""
    for name in (*NEXT, *(TALK if talks else ())):
        with suppress(Exception):
            import_module(name)
    with suppress(Exception):
        _ask_ahead(talks=talks)


def _ask_ahead(*, talks: bool) -> None:
    """Questions whose answers are kept: what can confine commands, what packages offer, what tools take."""
    from donewhen.guard.offered import offered
    from donewhen.run.engine.own_tools import PlanArguments, TodoArguments
    from donewhen.tools.registry import GROUP
    from donewhen.tools.schema import schema_of
    from donewhen.workspace.sandbox.support import probe

    probe()
    offered(GROUP)
    if talks:
        schema_of(TodoArguments)
        schema_of(PlanArguments)
