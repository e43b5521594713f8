"""How each client is made to call our hook before its tools, for one run and whatever its user installed.

Nothing of this is written into the client's own settings: it is told on its command line or in its
environment. Codex runs only trusted hooks: it is asked for the digest of ours, and told to trust that. Gemini
takes hooks from its user's settings alone, or from files that belong to root: it calls us where its user
installed us.
"""

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.agents.clients.model import Client
from donewhen.agents.clients.programs import codex_hooks

_SECONDS = 60
# No module may come from the repository (-P) nor from what the environment names (-E).
_CALL = (sys.executable, "-E", "-P", "-m", "donewhen", "hook")
_PLUGIN = """\
import { spawnSync } from "node:child_process"
const [program, ...words] = @CALL@
export const Donewhen = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const call = { tool_name: input.tool, tool_input: output.args ?? {}, tool_use_id: input.callID }
    const about = { session_id: input.sessionID, cwd: directory, hook_event_name: "PreToolUse" }
    const asked = { input: JSON.stringify({ ...about, ...call }), cwd: directory, timeout: @TIME@ }
    const done = spawnSync(program, words, { ...asked, encoding: "utf8" })
    if (done.status !== 0) throw new Error(`donewhen: ${(done.stderr || "").trim() || "its hook failed"}`)
    const said = JSON.parse(done.stdout.trim() || "{}").hookSpecificOutput ?? {}
    if (said.permissionDecision) throw new Error(said.permissionDecisionReason)
  },
})
"""


class Hooked(NamedTuple):
    """What makes the client call us: a file that it is led to, words, variables."""

    text: str = ""  # of the file
    words: tuple[str, ...] = ()
    env: Mapping[str, str] = {}


def file_name(client: Client, run: str) -> str:
    return f"{run}.js" if client.kind.name == "opencode" else f"{run}.settings.json"


def hooked(client: Client, file: Path, folder: Path, env: Mapping[str, str]) -> Hooked:
    """For a client that works in `folder`; nothing where it knows no hooks, or its user set other ones."""
    match client.kind.name:
        case "claude":
            events = {"PreToolUse": "*", "ConfigChange": ""}
            hooks = {event: [_group("claude", event, matcher)] for event, matcher in events.items()}
            return Hooked(json.dumps({"hooks": hooks}), ("--settings", str(file)))
        case "codex":
            return _codex(client, folder, env)
        case "opencode":
            return _opencode(file, env)
    return Hooked()


_CONTENT = "OPENCODE_CONFIG_CONTENT"


def _group(client: str, event: str, matcher: str) -> dict[str, Any]:
    line = f"{shlex.join((*_CALL, client, event))} || exit 2"
    hook = {"type": "command", "command": line, "timeout": _SECONDS}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


def _codex(client: Client, folder: Path, env: Mapping[str, str]) -> Hooked:
    group = _group("codex", "PreToolUse", "*")
    (hook,) = group["hooks"]
    inner = ",".join(f"{name}={json.dumps(value)}" for name, value in hook.items())
    words = ("-c", f'hooks.PreToolUse=[{{matcher="*",hooks=[{{{inner}}}]}}]')
    seen = codex_hooks(client.argv[0], env, folder, words=(*client.argv[1:], *words))
    ours = next((each for each in seen if each.get("command") == hook["command"]), {})
    key, digest = ours.get("key"), ours.get("currentHash")
    if ours.get("source") != "sessionFlags" or not (isinstance(key, str) and isinstance(digest, str)):
        return Hooked()
    trust = f"hooks.state={{{json.dumps(key)}={{trusted_hash={json.dumps(digest)}}}}}"
    return Hooked(words=(*words, "-c", trust))


def _opencode(file: Path, env: Mapping[str, str]) -> Hooked:
    try:
        own = json.loads(env.get(_CONTENT) or "{}")
        plugins = [*own.get("plugin", ()), file.absolute().as_uri()]
    except (ValueError, AttributeError, TypeError):
        return Hooked()
    call = json.dumps([*_CALL, "opencode", "PreToolUse"])
    text = _PLUGIN.replace("@CALL@", call).replace("@TIME@", str(_SECONDS * 1000))
    return Hooked(text, env={_CONTENT: json.dumps({**own, "plugin": plugins})})
