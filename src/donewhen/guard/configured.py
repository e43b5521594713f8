"""The guard that a configuration asks for: its lists, its rules with their examples checked, plugins."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from donewhen.guard.bounds import UNBOUND, Bounds
from donewhen.guard.cases import GROUND
from donewhen.guard.disk import ground_at
from donewhen.guard.guard import RULE_NAMES, Guard, example_matches
from donewhen.guard.own_rules import OwnRule, RuleData, compiled, plugin_rules

if TYPE_CHECKING:
    from donewhen.config import Config, Loaded

_RULE = ("name", "pattern", "command", "path", "tool", "action", "reason")


def guard_at(
    folder: str,
    loaded: "Loaded",
    env: Mapping[str, str],
    bounds: Bounds = UNBOUND,
    *,
    checkout: bool = False,
) -> Guard:
    """The guard for work in a folder; a rule with a wrong example is a UserError.

    `checkout`: it is the user's own, not a run's workspace.
    """
    from donewhen.config import state_folder, user_file

    rails = loaded.config.guardrails
    own = (str(state_folder(env)), str(user_file(env).parent))
    ground = ground_at(
        folder, env, rails.protected_branches, rails.secret_patterns, rails.danger_patterns, own
    )
    return Guard(ground._replace(checkout=checkout), bounds, rules_of(loaded))


def rules_of(loaded: "Loaded") -> tuple[OwnRule, ...]:
    """The configured rules and those of plugins, ready for use; examples are judged like cases of corpora."""
    rails = loaded.config.guardrails
    ground = GROUND._replace(
        protected=rails.protected_branches,
        secret_patterns=rails.secret_patterns,
        danger_patterns=rails.danger_patterns,
    )

    def place(name: str) -> str:
        path = ("guardrails", "rules", name)
        found = (origin for key, origin in loaded.origins.items() if key[:3] == path)
        origin = next(found, None)
        return str(origin.place) if origin and origin.place.source else ""

    written = compiled(rails.rules, RULE_NAMES, lambda rule, text: example_matches(rule, text, ground), place)
    named = RULE_NAMES | {rule.name for rule in written}
    added = compiled(plugin_rules(_validated), named, lambda rule, text: example_matches(rule, text, ground))
    return written + added


def guard_data(config: "Config", env: Mapping[str, str]) -> dict[str, Any]:
    """The same as JSON, for hooks that read no configuration: with the rules as written, unchecked."""
    from donewhen.config import state_folder, user_file

    rails = config.guardrails
    return {
        "protected": list(rails.protected_branches),
        "secret_patterns": list(rails.secret_patterns),
        "danger_patterns": list(rails.danger_patterns),
        "own": [str(state_folder(env)), str(user_file(env).parent)],
        "rules": [
            {name: getattr(rule, name) for name in _RULE}
            for rule in (*rails.rules, *plugin_rules(_validated))
        ],
    }


def _validated(data: Mapping[str, Any]) -> RuleData:
    from donewhen.config import config_from_mapping

    return config_from_mapping({"guardrails": {"rules": [dict(data)]}}).guardrails.rules[0]
