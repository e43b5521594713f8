"""`format-on-write`: the project's own formatter, on the files that a tool has just written.

Told `files` (relative paths). The formatter and its configuration lie where the agent can write, so it is
confined like the agent's own commands and has no network. Whatever goes wrong is a note: the exam and the
gates judge the file, not this.
"""

import os
import stat
import tempfile
from pathlib import Path
from typing import Any

from donewhen.config import user_file
from donewhen.config.paths import state_folder
from donewhen.config.places import harmless
from donewhen.core.errors import DonewhenError
from donewhen.core.hooking import Occasion
from donewhen.core.texts import Phrase, say
from donewhen.hooks.built_in.formatters import Chosen, chosen
from donewhen.hooks.digests import digest_of
from donewhen.hooks.model import Answer, Ask, Kit
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished

MOST = 20  # files of one call
_TAIL = 300


def make(kit: Kit) -> Ask:
    async def ask(occasion: Occasion) -> Answer:
        notes = []
        for path in _written(occasion.data.get("files"), kit.workspace):
            note = await _format(path, kit)
            if note is not None:
                notes.append(say(note.key, kit.language, **note.values))
        return Answer(note="\n".join(notes))

    return ask


def _written(data: Any, workspace: Path) -> list[str]:
    """Regular files of the workspace, not reached through a link."""
    paths = [path for path in data if isinstance(path, str)] if isinstance(data, list | tuple) else []
    root = Path(os.path.realpath(workspace))
    return [path for path in dict.fromkeys(paths[:MOST]) if _is_own(root, path)]


def _is_own(root: Path, path: str) -> bool:
    try:
        file = root / os.path.normpath(path)
        real = os.path.realpath(file)
        inside = str(file) == real and file.is_relative_to(root)
        return inside and stat.S_ISREG(file.lstat().st_mode)
    except (OSError, ValueError):
        return False


async def _format(path: str, kit: Kit) -> Phrase | None:
    env = command_environment(kit.env, kit.loaded.config.sandbox.env)
    tool = chosen(kit.workspace, path, env.get("PATH", ""))
    if tool is None:
        return None
    shown = {"tool": tool.name, "file": harmless(path)}
    before = digest_of(kit.workspace / path)
    try:
        with tempfile.TemporaryDirectory(prefix="donewhen-format-") as scratch:
            finished = await kit.spawn(_command(tool, path, env, kit, Path(scratch)))
    except (DonewhenError, OSError) as error:
        return Phrase("hooks.not_formatted", {**shown, "why": harmless(str(error), _TAIL)})
    why = _trouble(finished)
    if why is not None:
        return Phrase("hooks.not_formatted", {**shown, "why": why})
    return None if digest_of(kit.workspace / path) == before else Phrase("hooks.formatted", shown)


def _command(tool: Chosen, path: str, env: dict[str, str], kit: Kit, scratch: Path) -> Command:
    from donewhen.workspace.sandbox.confinement import confine
    from donewhen.workspace.sandbox.plan import plan
    from donewhen.workspace.sandbox.support import probe

    wish = confine(
        kit.workspace,
        scratch,
        kit.env,
        mode=kit.loaded.config.sandbox.mode,
        network="none",
        temp=kit.loaded.config.sandbox.temp,
        hide=(state_folder(kit.env), user_file(kit.env).parent),
    )
    walls = plan(wish, probe())
    return Command(
        kit.workspace,
        scratch / "outputs",
        (tool.program, *tool.arguments, f"./{os.path.normpath(path)}"),
        env={**env, **walls.env},
        timeout=kit.loaded.config.hooks.timeout,
        plan=walls,
        redactor=kit.redactor,
    )


def _trouble(finished: Finished) -> Phrase | str | None:
    if finished.failure is not None:
        return finished.failure
    if finished.exit == 0:
        return None
    lines = finished.output.text.strip().splitlines()
    return harmless(lines[-1], _TAIL) if lines else f"exit {finished.exit}"
