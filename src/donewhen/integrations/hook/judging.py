"""The guard's word on one tool call of a client, with the rules and bounds of its session."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from donewhen.core.texts import Language, Phrase, say
from donewhen.guard.actions import BadArguments, ToolCall
from donewhen.guard.bounds import Bounds
from donewhen.guard.decision import STRICTNESS, Action, Decision
from donewhen.guard.disk import REAL, ground_at
from donewhen.guard.ground import PROTECTED
from donewhen.guard.guard import Guard
from donewhen.guard.own_rules import OwnRule, compiled
from donewhen.integrations.hook.compiled import Compiled, is_texts
from donewhen.integrations.hook.reading import Act
from donewhen.integrations.hook.tools import acts

# Folders of settings that a client may be told to use; they lie anywhere.
_SETTINGS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR")


class RuleData(NamedTuple):
    """A rule as it was compiled; its examples were checked then."""

    name: str
    pattern: str | None
    command: str | None
    path: str | None
    tool: str | None
    action: Action
    reason: str | None
    match: tuple[str, ...] = ()
    not_match: tuple[str, ...] = ()


class Where(NamedTuple):
    root: str  # of the session
    folder: str  # where the client stands now
    since: float = math.inf  # when the session began


def guard_of(config: Compiled, where: Where, env: Mapping[str, str], *, checkout: bool = True) -> Guard:
    """`checkout`: the client works in the user's own, not in a run's workspace."""
    rails = config.guard
    folders = _client_folders(env, where.root)
    own = (*_texts(rails, "own"), *folders)
    protected = _texts(rails, "protected") if "protected" in rails else PROTECTED
    patterns = _texts(rails, "secret_patterns"), _texts(rails, "danger_patterns")
    ground = ground_at(where.root, env, protected, *patterns, own)
    ground = ground._replace(
        folder=REAL.real(where.folder),
        since=min(ground.since, where.since),
        client_folders=tuple(map(REAL.real, folders)),
        checkout=checkout,
    )
    allowed, disallowed, kept = (
        _texts(config.bounds, name) for name in ("allowed_scope", "disallowed_scope", "kept")
    )
    bounds = Bounds(allowed, disallowed, kept)
    return Guard(ground, bounds, _rules(rails.get("rules", [])))


def judged(guard: Guard, client: str, tool: str, args: Any) -> Decision:
    """The strictest decision on all that the call would do."""
    guard = guard._replace(rules=tuple(_named(rule, tool) for rule in guard.rules))
    try:
        found = [_one(guard, act) for act in acts(client, tool, args, guard.ground.home)]
    except BadArguments:
        return guard.tool(ToolCall("run_command"))  # which lacks a command, and so is refused
    return max((*found, Decision("allow")), key=lambda one: STRICTNESS[one.action])


def _named(rule: OwnRule, tool: str) -> OwnRule:
    """A rule may name a tool as the client does; then the name has said all that it can."""
    return rule._replace(tool=None) if rule.tool and rule.tool.fullmatch(tool) else rule


def _one(guard: Guard, act: Act) -> Decision:
    return guard.argv(act.words, act.folder) if act.words else guard.tool(act.call)


def reason_of(decision: Decision, language: Language, key: str) -> str:
    """What the agent is told: why, by which rule, and what would be allowed."""
    said = say(decision.reason.key, language, **decision.reason.values)
    instead: Phrase | None = decision.findings[0].instead if decision.findings else None
    what = Phrase("hooked.instead", {"what": instead}) if instead else ""
    return say(key, language, reason=said, rule=decision.rule, instead=what)


def _client_folders(env: Mapping[str, str], root: str) -> list[str]:
    """Not one that holds the work itself: then every change would be one of settings."""
    named = (env.get(name, "") for name in _SETTINGS)
    return [one for one in named if one.startswith("/") and not f"{root}/".startswith(f"{one.rstrip('/')}/")]


def _texts(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = data.get(name, [])
    if not is_texts(value):
        raise TypeError(name)
    return tuple(value)


def _rules(data: Any) -> tuple[OwnRule, ...]:
    fields = RuleData._fields[:7]
    rules = [RuleData(*(one.get(field) for field in fields)) for one in data]
    return compiled(rules, frozenset(), lambda rule, example: True) if rules else ()
