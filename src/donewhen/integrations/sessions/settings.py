"""The client's own settings: whoever changes its hooks there could switch the gate off in mid-session.

Only the keys that decide over hooks are compared with what they were when the session began; permissions and
themes are the user's business. What `donewhen install` wrote itself is known by its digest.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from donewhen.config.files import read_regular
from donewhen.config.paths import state_folder
from donewhen.core.errors import DonewhenError
from donewhen.integrations.sessions.folder import Folder

NOTE = "settings.json"
_KEYS = ("hooks", "disableAllHooks", "allowManagedHooksOnly", "env")
_PLUGINS = ("enabledPlugins", "extraKnownMarketplaces")  # of these, what is about our own plugin
_ABSENT, _UNREADABLE = "absent", "unreadable"
_LARGEST = 4 * 1024 * 1024


def keep_settings(folder: Folder, client: str, root: str, env: Mapping[str, str]) -> None:
    paths = watched(client, root, env)
    files = {str(path): digest_of_file(path) for path in paths}
    records = {str(path): True for path in paths if _record_of(path, env) is not None}
    folder.write(NOTE, {"files": files, "installed": records})


def watched(client: str, root: str, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Files that this client reads again while it runs; the others keep the hooks they started with."""
    if client != "claude":
        return ()
    own = env.get("CLAUDE_CONFIG_DIR") or ""
    home = Path(own) if own.startswith("/") else Path(env.get("HOME", "/")) / ".claude"
    project = Path(root) / ".claude"
    return home / "settings.json", project / "settings.json", project / "settings.local.json"


def changed_settings(folder: Folder, env: Mapping[str, str]) -> tuple[str, ...]:
    """Files whose keys differ from what they were, and that no install of ours wrote."""
    note = folder.read(NOTE)
    known = note.get("files") if isinstance(note, dict) else None
    if not isinstance(known, dict):
        return ()
    records = note.get("installed") or {}
    return tuple(
        path
        for path, before in known.items()
        if digest_of_file(Path(path)) != before and not _is_ours(Path(path), records, env)
    )


def switches_off(path: Path) -> bool:
    """Whether a settings file that nobody watched forbids hooks, or can't be read."""
    found = _content(path)
    if found == _ABSENT:
        return False
    return not isinstance(found, dict) or any(found.get(key) for key in _KEYS[1:3])


def digest_of_file(path: Path) -> str:
    """Of the keys that count; a file that has none of them is as good as absent."""
    found = _content(path)
    if isinstance(found, str):
        return found
    kept = {key: found[key] for key in _KEYS if key in found}
    for key in _PLUGINS:
        listed = found.get(key)
        ours = (
            [each for each in listed.items() if each[0].startswith("donewhen")]
            if isinstance(listed, dict)
            else []
        )
        kept |= {key: ours} if ours else {}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest() if kept else _ABSENT


def _content(path: Path) -> dict[str, Any] | str:
    try:
        read = read_regular(path, path.name, largest=_LARGEST)
        if read is None:
            return _ABSENT
        if not read.data.strip():
            return _ABSENT
        found = json.loads(read.data)
    except (DonewhenError, ValueError, RecursionError):
        return _UNREADABLE
    return found if isinstance(found, dict) else _UNREADABLE


def _is_ours(path: Path, records: Mapping[str, Any], env: Mapping[str, str]) -> bool:
    """Whether `donewhen install` wrote the file just so, or `uninstall` took back what was installed."""
    try:
        read = read_regular(path, path.name, largest=_LARGEST)
    except DonewhenError:
        return False
    now, record = hashlib.sha256(read.data).hexdigest() if read else "", _record_of(path, env)
    if record is None:
        return str(path) in records
    return bool(now) and record.get("sha_after") == now


def _record_of(path: Path, env: Mapping[str, str]) -> dict[str, Any] | None:
    """What an install of ours noted about a file."""
    installed = state_folder(env) / "installed"
    for note in sorted(installed.glob("claude-*.json")) if installed.is_dir() else ():
        found = _content(note)
        if isinstance(found, dict) and _same(str(found.get("file", "")), path):
            return found
    return None


def _same(name: str, path: Path) -> bool:
    return os.path.realpath(name) == os.path.realpath(path)
