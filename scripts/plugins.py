"""Write what clients install in one step from this repository: their plugins, and the lists that name them.

Usage: plugins.py [FOLDER]. Events, time limits and the guarded line come from `donewhen install`, the version
from the package; a test compares the files of this repository with what is written here.
"""

import json
import sys
from pathlib import Path
from typing import Any

from donewhen import __version__
from donewhen.integrations.install.clients import CLIENTS, group
from donewhen.integrations.install.plugin import source_of

NAME = "donewhen"
ABOUT = "Agents stop when their work is proven: donewhen runs the exam and refuses dangerous commands."
OWNER = {"name": "donewhen"}
TYPED = "off, on, pause, status, confirm or deny: acts on this session, no model is asked"
COMMAND = """/donewhen {arguments}

donewhen's hook answers this line. If you read it, say that donewhen is not running here: `donewhen doctor`.
"""


def files() -> dict[str, str]:
    """All of them: path in this repository and text."""
    claude = {"name": NAME, "version": __version__, "description": ABOUT, "author": OWNER, "license": "MIT"}
    entry = {"name": NAME, "description": ABOUT}
    extension = {"name": NAME, "version": __version__, "description": ABOUT}
    package = {
        "name": "donewhen-opencode",
        "version": __version__,
        "description": ABOUT,
        "license": "MIT",
        "private": True,
        "type": "module",
        "main": "donewhen.js",
    }
    found = {
        ".claude-plugin/marketplace.json": _json(
            {
                "name": NAME,
                "owner": OWNER,
                "metadata": {"description": ABOUT},
                "plugins": [{**entry, "version": __version__, "source": "./plugins/claude"}],
            }
        ),
        "plugins/claude/.claude-plugin/plugin.json": _json(claude),
        "plugins/claude/commands/donewhen.md": (
            f"---\ndescription: {TYPED!r}\nargument-hint: off | on | pause | status | confirm | deny\n---\n"
            + COMMAND.format(arguments="$ARGUMENTS")
        ),
        ".agents/plugins/marketplace.json": _json(
            {
                "name": NAME,
                "interface": {"displayName": NAME},
                "plugins": [
                    {
                        "name": NAME,
                        "source": {"source": "local", "path": "./plugins/codex"},
                        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
                        "category": "Developer Tools",
                    }
                ],
            }
        ),
        "plugins/codex/.codex-plugin/plugin.json": _json({**claude, "hooks": "./hooks/hooks.json"}),
        "plugins/gemini/gemini-extension.json": _json(extension),
        "plugins/gemini/commands/donewhen.toml": (
            f"description = {json.dumps(TYPED)}\nprompt = '''\n{COMMAND.format(arguments='{{args}}')}'''\n"
        ),
        "plugins/opencode/package.json": _json(package),
        "plugins/opencode/donewhen.js": source_of("donewhen"),
    }
    for name in ("claude", "codex", "gemini"):
        client = CLIENTS[name]
        hooks = {event: [group(client, event, "donewhen", plugged=True)] for event in client.events}
        found[f"plugins/{name}/hooks/hooks.json"] = _json({"description": ABOUT, "hooks": hooks})
    return found


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main(words: list[str]) -> int:
    root = Path(words[0]) if words else Path(__file__).parents[1]
    for name, text in files().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
