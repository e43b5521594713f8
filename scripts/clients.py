"""Install the agents of others that `make test-clients` runs, each in its own folder, at a pinned version.

Usage: clients.py [FOLDER] [claude] [codex] [gemini] [opencode]; without names, all of them.

What can't be installed is a line, never a failure: the tests of that client are then skipped and say so.
Install scripts are run only for the package that has no program without them.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

PLACE = Path(".venv") / "clients"
_TIME = 900  # seconds for one download
_NPM = ("npm", "install", "--no-audit", "--no-fund", "--fetch-retries=1", "--prefix")


class Client(NamedTuple):
    package: str
    version: str
    program: str  # below the client's folder
    npm: bool = True
    scripts: bool = False  # whether those of its install are needed


_NODE = "node_modules/.bin"
CLIENTS = {
    # The wheel holds the program itself, so that no Node is needed.
    "claude": Client("claude-agent-sdk", "0.2.182", "claude_agent_sdk/_bundled/claude", npm=False),
    "codex": Client("@openai/codex", "0.166.0", f"{_NODE}/codex"),
    "gemini": Client("@google/gemini-cli", "0.61.0", f"{_NODE}/gemini"),
    "opencode": Client("opencode-ai", "1.18.33", f"{_NODE}/opencode", scripts=True),
}


def install(name: str, place: Path) -> str:
    """What came of it, in one line."""
    client, folder = CLIENTS[name], place / name
    ready, note = folder / client.program, folder / f".{client.version}"
    if ready.exists() and note.exists():
        return f"{name}: ready, {client.version}"
    if client.npm and shutil.which("npm") is None:
        return f"{name}: skipped, npm is not installed"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if trouble := _failed(_words(client, folder)):
        return f"{name}: skipped, {client.package} {client.version} could not be installed: {trouble}"
    if not ready.exists():
        return f"{name}: skipped, {client.package} {client.version} has no program for this system"
    if trouble := _failed([str(ready), "--version"]):
        return f"{name}: skipped, it does not start here: {trouble}"
    note.touch()
    return f"{name}: installed, {client.version}"


def _words(client: Client, folder: Path) -> list[str]:
    if client.npm:
        ignored = [] if client.scripts else ["--ignore-scripts"]
        return [*_NPM, str(folder), *ignored, f"{client.package}@{client.version}"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    return [*pip, "--retries=1", "--target", str(folder), f"{client.package}=={client.version}"]


def _failed(words: list[str]) -> str:
    """The line that says most of what a program complained about; empty when it went well."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_TIME, env=_env())
    except (OSError, subprocess.TimeoutExpired) as error:
        return type(error).__name__
    if done.returncode == 0:
        return ""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(npm )?error\b", line, re.IGNORECASE)]
    told = [line for line in errors if "complete log" not in line] or lines
    return told[-1][:300] if told else f"exit {done.returncode}"


def _env() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PIP_USER"}


def main(words: list[str]) -> int:
    place = PLACE if not words or words[0] in CLIENTS else Path(words.pop(0))
    unknown = [name for name in words if name not in CLIENTS]
    if unknown:
        print(f"no such client: {', '.join(unknown)}; there are: {', '.join(CLIENTS)}", file=sys.stderr)
        return 2
    for name in words or CLIENTS:
        print(install(name, place.resolve()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
