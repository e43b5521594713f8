"""`install` and `uninstall`: one client's settings file with our entries, and without them again.

A file that is still what we made of it gets its old bytes back; in one that was changed since, only our own
entries go. One process at a time, the backup first, the file last.
"""

import difflib
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.agents.clients.programs import own_program
from donewhen.config.files import locked
from donewhen.core.errors import DonewhenError, UserError
from donewhen.core.texts import Phrase
from donewhen.integrations.install import plugin, trusting
from donewhen.integrations.install.clients import (
    CLIENTS,
    PLUGIN,
    SCOPES,
    Client,
    Scope,
    repository_of,
    settings_file,
)
from donewhen.integrations.install.files import content, delete, missing_folders, replace, target_of
from donewhen.integrations.install.jsonc import at, read
from donewhen.integrations.install.keeping import Kept
from donewhen.integrations.install.settings import (
    decoded,
    ours_in,
    standing_in,
    wanted,
    with_entries,
    without_entries,
)

Status = Literal["installed", "updated", "already", "restored", "deleted", "removed", "absent"]


class Ground(NamedTuple):
    """Where an install happens: our state, the environment and the folder that the user is in."""

    state: Path
    env: Mapping[str, str]
    folder: Path


class Done(NamedTuple):
    status: Status
    file: Path
    notes: tuple[Phrase, ...] = ()
    diff: str = ""


def place_of(client: str, scope: Scope, ground: Ground) -> Path:
    """The file that is changed: what the client's name for it leads to."""
    return target_of(settings_file(client, scope, ground.env, repository_of(ground.folder)))


def install(name: str, scope: Scope, ground: Ground, *, dry_run: bool = False, force: bool = False) -> Done:
    client, file = CLIENTS[name], place_of(name, scope, ground)
    _refuse_twice(client, scope, ground, force)
    called = _called(client, scope, ground)
    if dry_run:
        data, _, after, status = _planned(client, file, called, Kept(ground.state, name, file))
        return Done(status, file, diff=_diff(data, after, file))
    with locked(ground.state / "installed" / "lock"):
        kept = Kept(ground.state, name, file)
        data, base, after, status = _planned(client, file, called, kept)
        fresh = plugin.place(ground.state, own_program(ground.env)) if name == "opencode" else False
        if status != "already":
            made = with_entries(decoded(base or b"", str(file)), client, called, str(file)).made
            kept.keep(base, after, made, missing_folders(file), found=base == data)
            replace(file, after, data)
        elif fresh:
            status = "updated"
        return Done(status, file, _left_to_do(client, scope, ground, file))


def uninstall(name: str, scope: Scope, ground: Ground) -> Done:
    client, file = CLIENTS[name], place_of(name, scope, ground)
    with locked(ground.state / "installed" / "lock"):
        kept = Kept(ground.state, name, file)
        status = _taken_out(client, file, kept)
        kept.drop()
        if name == "codex":
            trusting.distrust(ground.state, ground.env, file)
        if name == "opencode" and not kept.others():
            plugin.drop(ground.state)
    notes = (Phrase("install.was_changed", {"file": file}),) if status == "removed" else ()
    return Done(status, file, notes)


def text_in(name: str, scope: Scope, ground: Ground) -> str:
    """What stands in a client's file; empty when there is none."""
    file = place_of(name, scope, ground)
    return decoded(content(file) or b"", str(file))


def _planned(
    client: Client, file: Path, called: str, kept: Kept
) -> tuple[bytes | None, bytes | None, bytes, Status]:
    """The file as it is, as it would be without us, as it is to be; and what that makes of it."""
    data = content(file)
    text = decoded(data or b"", str(file))
    held = standing_in(text, client, str(file))
    if data is not None and held == wanted(client, called) and _extras_there(text, client):
        return data, data, data, "already"
    if kept.written_by_us(data):
        base = kept.before()
    else:
        made = kept.record.entries if kept.record else None
        base = without_entries(text, client, made, str(file)).encode() if data is not None else None
    after = with_entries(decoded(base or b"", str(file)), client, called, str(file)).text.encode()
    return data, base, after, "updated" if held else "installed"


def _extras_there(text: str, client: Client) -> bool:
    root = read(text.removeprefix("\ufeff"), loose=client.loose)
    off = any((node := at(root, path)) is not None and node.value() is value for path, value in client.off)
    return not off and all(at(root, path) is not None for path, _ in client.extras)


def _taken_out(client: Client, file: Path, kept: Kept) -> Status:
    data = content(file)
    if data is None:
        return "absent"
    record = kept.record
    if record and kept.written_by_us(data):
        before = kept.before()
        if before is None:
            delete(file, data, record.folders_made)
            return "deleted"
        replace(file, before, data)
        return "restored" if record.exact else "removed"
    text = decoded(data, str(file))
    if not ours_in(text, client, str(file)):
        return "absent"
    rest = without_entries(text, client, record.entries if record else None, str(file))
    if record and not record.existed and read(rest.removeprefix("\ufeff"), loose=client.loose).value() == {}:
        delete(file, data, record.folders_made)
    else:
        replace(file, rest.encode(), data)
    return "removed"


def plugged(client: Client, ground: Ground) -> bool:
    """Whether the client has the plugin of our repository; OpenCode's is an entry as that of an install."""
    settings = settings_file(client.name, "user", ground.env, ground.folder)
    root = repository_of(ground.folder)
    try:
        match client.name:
            case "claude":
                files = [settings_file("claude", scope, ground.env, root) for scope in SCOPES]
                texts = [decoded(content(target_of(file)) or b"{}", str(file)) for file in files]
                nodes = [at(read(text, loose=True), ("enabledPlugins", PLUGIN)) for text in texts]
                return any(node is not None and node.value() is True for node in nodes)
            case "codex":
                known = tomllib.loads((content(trusting.config_file(ground.env)) or b"").decode()).get(
                    "plugins", {}
                )
                return bool(known.get(PLUGIN, {}).get("enabled"))
            case "gemini":
                return (settings.parent / "extensions" / "donewhen").is_dir()
    except (DonewhenError, ValueError, AttributeError, RecursionError):
        pass  # settings that can't be read load no plugin
    return False


def _refuse_twice(client: Client, scope: Scope, ground: Ground, force: bool) -> None:
    if not force and plugged(client, ground):
        raise UserError("install.plugged", client=client.name, removal=client.unplug)
    if not force and _installed_elsewhere(client, scope, ground):
        other = SCOPES[1 - SCOPES.index(scope)]
        file = place_of(client.name, other, ground)
        raise UserError("install.twice", client=client.name, file=file, scope=other)


def _installed_elsewhere(client: Client, scope: Scope, ground: Ground) -> bool:
    """Whether the client is gated by its other file too; one that can't be read gates nothing."""
    other = SCOPES[1 - SCOPES.index(scope)]
    if place_of(client.name, other, ground) == place_of(client.name, scope, ground):
        return False
    try:
        file = place_of(client.name, other, ground)
        return bool(ours_in(text_in(client.name, other, ground), client, str(file)))
    except DonewhenError:
        return False


def _called(client: Client, scope: Scope, ground: Ground) -> str:
    if client.name == "opencode":
        return plugin.address(ground.state)
    return own_program(ground.env) if scope == "user" else "donewhen"


def _left_to_do(client: Client, scope: Scope, ground: Ground, file: Path) -> tuple[Phrase, ...]:
    notes: list[Phrase] = []
    if scope == "project" and client.name == "opencode":
        notes.append(Phrase("install.this_machine", {"file": file}))
    elif scope == "project":
        notes.append(Phrase("install.shared", {"client": client.name}))
        if not shutil.which("donewhen", path=ground.env.get("PATH")):
            notes.append(Phrase("install.not_on_path"))
    if client.name == "codex":
        folder = repository_of(ground.folder)
        sure = trusting.trust(ground.state, ground.env, folder, file, len(client.events))
        notes.append(Phrase("install.trusted" if sure else "install.untrusted", {"file": file}))
    if client.name == "gemini" and scope == "project":
        notes.append(Phrase("install.gemini_trust"))
    return tuple(notes)


def _diff(before: bytes | None, after: bytes, file: Path) -> str:
    old, new = (decoded(data or b"", str(file)).splitlines(keepends=True) for data in (before, after))
    lines = difflib.unified_diff(old, new, str(file), str(file))
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
