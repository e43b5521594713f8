"""How a client stands here, for the doctor: is it there, is it gated, and would the gate hold?"""

import os
import shutil
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.agents.clients.programs import version_of
from donewhen.core.errors import DonewhenError
from donewhen.core.texts import Phrase
from donewhen.integrations.install import plugin, trusting
from donewhen.integrations.install.clients import (
    CLIENTS,
    SCOPES,
    Client,
    Scope,
    repository_of,
)
from donewhen.integrations.install.files import content
from donewhen.integrations.install.installing import Ground, place_of, plugged, text_in
from donewhen.integrations.install.jsonc import at, read
from donewhen.integrations.install.lines import program_of
from donewhen.integrations.install.settings import FOLDER, decoded, ours_in, standing_in, wanted

Standing = Literal["ok", "warning", "failed"]


class Finding(NamedTuple):
    standing: Standing
    said: Phrase


class Looked(NamedTuple):
    """`findings` says what there is; empty when the client is neither here nor gated."""

    client: str
    findings: tuple[Finding, ...]


def look(name: str, ground: Ground) -> Looked:
    client = CLIENTS[name]
    program = shutil.which(name, path=ground.env.get("PATH"))
    try:
        files = {scope: place_of(name, scope, ground) for scope in SCOPES}
    except DonewhenError:  # no home, so no settings either
        return Looked(name, ())
    gated = [_gate(client, scope, file, ground) for scope, file in files.items()]
    findings = [finding for found in gated for finding in found]
    if program is None and not findings:
        return Looked(name, ())
    if plug := plugged(client, ground):
        findings.append(_plugged(client, ground))
    if all(gated) or (plug and any(gated)):
        findings.append(Finding("warning", Phrase("install.doctor_twice", {"client": name})))
    if findings:
        findings += _switched_off(client, list(files.values()), ground)
    else:
        findings = [Finding("ok", Phrase("install.doctor_not_gated", {"client": name}))]
    return Looked(name, (_presence(program, ground), *findings))


def _plugged(client: Client, ground: Ground) -> Finding:
    if not shutil.which("donewhen", path=ground.env.get("PATH")):
        return Finding("failed", Phrase("install.doctor_plugin_alone", {"client": client.name}))
    return Finding("ok", Phrase("install.doctor_plugged", {"client": client.name, "removal": client.unplug}))


def _presence(program: str | None, ground: Ground) -> Finding:
    if program is None:
        return Finding("warning", Phrase("install.doctor_no_client"))
    version = version_of(program, ground.env)
    if version is None:
        return Finding("warning", Phrase("install.doctor_no_version", {"program": program}))
    return Finding("ok", Phrase("install.doctor_version", {"version": version}))


def _gate(client: Client, scope: Scope, file: Path, ground: Ground) -> list[Finding]:
    """What our entries in one file are worth; empty when there are none."""
    try:
        text = text_in(client.name, scope, ground)
        held = ours_in(text, client, str(file))
    except DonewhenError as error:
        return [Finding("warning", Phrase(error.key, error.values))]
    if not held:
        return []
    about = {"file": file, "client": client.name, "scope": scope}
    problem = _problem(client, held[0], standing_in(text, client, str(file)), ground)
    if problem:
        standing, key, program = problem
        return [Finding(standing, Phrase(key, {**about, "program": program}))]
    found = [Finding("ok", Phrase("install.doctor_gated", about))]
    if client.name == "codex" and not trusting.trusted(ground.state, ground.env, file):
        found.append(Finding("warning", Phrase("install.doctor_untrusted", about)))
    return found


def _problem(
    client: Client, command: str, standing: list[str], ground: Ground
) -> tuple[Standing, str, str] | None:
    if client.name == "opencode" and command.endswith(FOLDER):
        program = "donewhen"
    elif client.name == "opencode":
        file = plugin.file_of(ground.state)
        if not file.is_file():
            return "failed", "install.doctor_program_gone", str(file)
        program = plugin.program_of(ground.state)
        if not program:
            return "warning", "install.doctor_entries", str(file)
    else:
        program = program_of(command)
    if not shutil.which(program, path=ground.env.get("PATH")):
        where = "program_gone" if "/" in program else "not_on_path"
        return "failed", f"install.doctor_{where}", program
    if client.name != "opencode" and standing != wanted(client, program):
        return "warning", "install.doctor_entries", program
    return None


def _switched_off(client: Client, files: list[Path], ground: Ground) -> list[Finding]:
    """Settings that keep all hooks from running, in any file that the client reads."""
    if client.name == "claude":
        files = [*files, repository_of(ground.folder) / ".claude" / "settings.local.json"]
    found = []
    for file in dict.fromkeys(files):
        for path, value in client.off:
            if _holds(client, file, path, value):
                about = {"file": file, "key": ".".join(path), "value": str(value).lower()}
                found.append(Finding("failed", Phrase("install.switched_off", about)))
    return found


def _holds(client: Client, file: Path, path: tuple[str, ...], value: object) -> bool:
    if not os.path.lexists(file):
        return False
    try:
        text = decoded(content(file) or b"", str(file)).removeprefix("\ufeff")
        node = at(read(text, loose=client.loose), path)
    except (DonewhenError, ValueError):
        return False
    return node is not None and node.value() is value
