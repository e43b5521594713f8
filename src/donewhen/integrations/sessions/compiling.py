"""The configuration as the hook needs it: one JSON file, checked here, read there without a schema.

The stamps of all files that it was made from, and a digest of the environment, tell the hook when it is out
of date.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from donewhen.config import Loaded, config_from_mapping, state_folder, user_file
from donewhen.config.secret_names import secret_names
from donewhen.core.texts import Language, language_of
from donewhen.guard.configured import rules_of
from donewhen.guard.own_rules import RuleData, plugin_rules
from donewhen.integrations.hook.compiled import header
from donewhen.integrations.sessions.folder import Folder

NOTE = "config.json"
_RULE = ("name", "pattern", "command", "path", "tool", "action", "reason")


def compile_config(
    folder: Folder, loaded: Loaded, env: Mapping[str, str], store: str, promise: Mapping[str, Any]
) -> None:
    """Write what the hook reads; a rule with a wrong example is a UserError."""
    rails = loaded.config.guardrails
    rules_of(loaded)
    content = {
        **header(_inputs(loaded, env), env),
        "guard": {
            "protected": list(rails.protected_branches),
            "secret_patterns": list(rails.secret_patterns),
            "danger_patterns": list(rails.danger_patterns),
            "own": [str(state_folder(env)), str(user_file(env).parent)],
            "rules": [_rule(rule) for rule in (*rails.rules, *plugin_rules(_validated))],
        },
        "bounds": {
            "kept": [],
            "allowed_scope": list(promise.get("allowed_scope", ())),
            "disallowed_scope": list(promise.get("disallowed_scope", ())),
        },
        "secret_names": list(secret_names(loaded.config)),
        "language": language_for(loaded, env),
        "store": store,
        "heads": str(state_folder(env) / "heads"),
    }
    folder.write(NOTE, content)


def language_for(loaded: Loaded, env: Mapping[str, str]) -> Language:
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG")
    return language_of(env.get("DONEWHEN_LANGUAGE"), loaded.config.language, locale)


def _inputs(loaded: Loaded, env: Mapping[str, str]) -> Iterable[str]:
    always = (str(user_file(env)), str(state_folder(env) / "trust.json"))
    return dict.fromkeys((*always, *(name for name in loaded.files if Path(name).is_absolute())))


def _rule(rule: RuleData) -> dict[str, Any]:
    return {name: getattr(rule, name) for name in _RULE}


def _validated(data: Mapping[str, Any]) -> RuleData:
    return config_from_mapping({"guardrails": {"rules": [dict(data)]}}).guardrails.rules[0]
