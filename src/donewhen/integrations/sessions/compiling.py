"""The configuration as the hook needs it: one JSON file, checked here, read there without a schema.

The stamps of all files that it was made from, and a digest of the environment, tell the hook when it is out
of date.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from donewhen.config import Loaded, state_folder, user_file
from donewhen.config.secret_names import secret_names
from donewhen.core.texts import Language, language_of
from donewhen.guard.configured import guard_data, rules_of
from donewhen.integrations.hook.compiled import header
from donewhen.integrations.sessions.folder import Folder

NOTE = "config.json"


def compile_config(
    folder: Folder, loaded: Loaded, env: Mapping[str, str], store: str, promise: Mapping[str, Any]
) -> None:
    """Write what the hook reads; a rule with a wrong example is a UserError."""
    rules_of(loaded)
    content = {
        **header(_inputs(loaded, env), env),
        "guard": guard_data(loaded.config, env),
        "bounds": {
            "kept": [],
            "allowed_scope": list(promise.get("allowed_scope", ())),
            "disallowed_scope": list(promise.get("disallowed_scope", ())),
        },
        "secret_names": list(secret_names(loaded.config)),
        "language": language_for(loaded, env),
        "stop_limit": loaded.config.clients.stop_limit,
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
