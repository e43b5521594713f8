"""Codex skips hooks without a word until the user trusts them; who asks for an install has done so.

Trust is what its own `/hooks` screen writes: the digest that Codex itself computed, in its config.toml. Only
our own entries are trusted, the rest of the file stays as it is.
"""

import json
import re
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.agents.clients.programs import codex_hooks
from donewhen.core.errors import DonewhenError
from donewhen.integrations.install.clients import settings_file
from donewhen.integrations.install.files import content, delete, missing_folders, replace, target_of
from donewhen.integrations.install.keeping import Kept, Record
from donewhen.integrations.install.lines import is_ours

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_TRUSTED = ("trusted", "managed")


class Entry(NamedTuple):
    """The trust in one hook: its name in config.toml, the digest that Codex told, the file it stands in."""

    key: str
    value: str
    file: str


def config_file(env: Mapping[str, str]) -> Path:
    return target_of(settings_file("codex", "user", env, Path()).parent / "config.toml")


def trust(state: Path, env: Mapping[str, str], folder: Path, hooks_file: Path, count: int) -> bool:
    """Trust our `count` entries in `hooks_file`; True only when Codex itself says that it will run them."""
    program = shutil.which("codex", path=env.get("PATH"))
    if not program:
        return False
    seen = _ours(codex_hooks(program, env, folder), hooks_file)
    if len(seen) != count:
        return False
    if all(hook.get("trustStatus") in _TRUSTED for hook in seen):
        return True
    wanted = [Entry(hook["key"], hook["currentHash"], str(hooks_file)) for hook in seen]
    try:
        if not _write(state, config_file(env), wanted):
            return False
    except DonewhenError:
        return False
    again = _ours(codex_hooks(program, env, folder), hooks_file)
    return len(again) == count and all(hook.get("trustStatus") in _TRUSTED for hook in again)


def trusted(state: Path, env: Mapping[str, str], hooks_file: Path) -> bool:
    """Whether the trust that an install gave is still there; Codex itself is not asked."""
    file = config_file(env)
    record, data = Kept(state, "codex", file).record, content(file)
    given = [entry for entry in _entries(record) if entry.file == str(hooks_file)]
    held = _states(data or b"")
    return bool(given) and all(held.get(entry.key) == entry.value for entry in given)


def distrust(state: Path, env: Mapping[str, str], hooks_file: Path) -> None:
    """Take back the trust that we gave to the entries in `hooks_file`."""
    file = config_file(env)
    kept = Kept(state, "codex", file)
    data, record = content(file), kept.record
    if record is None:
        return
    if data is None:
        kept.drop()
        return
    left = [entry for entry in _entries(record) if entry.file != str(hooks_file)]
    base = _base(kept, data, [])
    if left:
        after = _with(base or b"", left)
        kept.keep(base, after, left, ())
        replace(file, after, data)
        return
    if base is None:
        delete(file, data, record.folders_made)
    elif base != data:
        replace(file, base, data)
    kept.drop()


def _entries(record: Record | None) -> list[Entry]:
    return [Entry(*entry) for entry in record.entries if len(entry) == 3] if record else []


def _base(kept: Kept, data: bytes | None, also: Sequence[str]) -> bytes | None:
    """The file as it would be without our trust."""
    if kept.written_by_us(data):
        return kept.before()
    keys = [*(entry.key for entry in _entries(kept.record)), *also]
    return _without(data, keys) if data is not None else None


def _ours(hooks: Sequence[dict[str, Any]], file: Path) -> list[dict[str, Any]]:
    def whole(hook: dict[str, Any]) -> bool:
        source, key, value = hook.get("sourcePath"), hook.get("key"), hook.get("currentHash")
        if not (isinstance(source, str) and isinstance(key, str) and isinstance(value, str)):
            return False
        here = target_of(Path(source)) == file and key.startswith(f"{source}:")
        return here and bool(_DIGEST.fullmatch(value)) and is_ours("codex", hook.get("command"))

    return [hook for hook in hooks if whole(hook)]


def _write(state: Path, file: Path, wanted: Sequence[Entry]) -> bool:
    data = content(file)
    kept = Kept(state, "codex", file)
    keys = {entry.key for entry in wanted}
    entries = [*(entry for entry in _entries(kept.record) if entry.key not in keys), *wanted]
    base = _base(kept, data, [entry.key for entry in wanted])
    after = _with(base or b"", entries)
    held = _states(after)
    if any(held.get(entry.key) != entry.value for entry in wanted):
        return False  # their own way to write this down is one that we can't add to
    kept.keep(base, after, entries, missing_folders(file))
    if after != data:
        replace(file, after, data)
    return True


def _with(data: bytes, entries: Sequence[Entry]) -> bytes:
    line = "\r\n" if b"\r\n" in data else "\n"
    start = "" if not data or data.endswith(b"\n") else line
    blocks = [f'{line}{_head(entry.key)}{line}trusted_hash = "{entry.value}"{line}' for entry in entries]
    return data + (start + "".join(blocks)).encode()


def _head(key: str) -> str:
    return f"[hooks.state.{json.dumps(key, ensure_ascii=False)}]"


def _without(data: bytes, keys: Sequence[str]) -> bytes:
    for key in keys:
        head = re.escape(_head(key).encode())
        block = (
            rb"(?:(?<=\n)\r?\n|\A\r?\n)?" + head + rb'\r?\ntrusted_hash = "sha256:[0-9a-f]{64}"\r?(?:\n|\Z)'
        )
        data = re.sub(block, b"", data)
    return data


def _states(data: bytes) -> dict[str, str]:
    """The trusted digests of a config.toml by their keys; empty for one that can't be read."""
    try:
        hooks = tomllib.loads(data.decode()).get("hooks", {})
        state = hooks.get("state", {})
        return {key: each.get("trusted_hash", "") for key, each in state.items()}
    except (ValueError, AttributeError, RecursionError):
        return {}
