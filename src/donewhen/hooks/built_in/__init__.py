"""The hooks that come with donewhen, as a table: where each listens, and how it is made when it is on.

Each module loads only when its hook is configured.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from donewhen.core.hooking import Point
from donewhen.hooks.model import Ask, Kit


class BuiltIn(NamedTuple):
    points: frozenset[Point]
    make: Callable[[Kit], Ask]
    fail_open: bool = False
    last: bool = False  # after all others of its point: it takes away what they work with
    quiet: bool = False  # that it passed is no event: it only writes down what the ledger has anyway


def _secrets(kit: Kit) -> Ask:
    from donewhen.hooks.built_in.secrets_commit import make

    return make(kit)


def _log(kit: Kit) -> Ask:
    from donewhen.hooks.built_in.log_operations import make

    return make(kit)


def _cleanup(kit: Kit) -> Ask:
    from donewhen.hooks.built_in.cleanup import make

    return make(kit)


def _description(kit: Kit) -> Ask:
    from donewhen.hooks.built_in.pr_description import make

    return make(kit)


def _format(kit: Kit) -> Ask:
    from donewhen.hooks.built_in.format_on_write import make

    return make(kit)


BUILT_IN: Mapping[str, BuiltIn] = {
    "prevent-secrets-commit": BuiltIn(frozenset(("before_commit",)), _secrets),
    "log-operations": BuiltIn(
        frozenset(("after_tool", "on_tool_fail", "state_change")), _log, fail_open=True, quiet=True
    ),
    "cleanup-worktree-on-fail": BuiltIn(frozenset(("on_fail",)), _cleanup, last=True),
    "enforce-pr-description": BuiltIn(frozenset(("before_pr",)), _description),
    "format-on-write": BuiltIn(frozenset(("after_tool",)), _format, fail_open=True),
}
