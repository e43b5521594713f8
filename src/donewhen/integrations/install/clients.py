"""The four clients: where their settings lie, which events we hear of, and how they count time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from donewhen.core.errors import UserError
from donewhen.integrations.install.lines import STOPS, command_of

PLUGIN = "donewhen@donewhen"  # of the marketplace in this repository
Scope = Literal["user", "project"]
SCOPES: tuple[Scope, Scope] = ("user", "project")

_STOP_SECONDS = 600  # the hook's own deadline is 540
_SECONDS = 60  # and 25 for all other events


class Client(NamedTuple):
    """`loose`: its settings may hold comments. `ticks`: units of its time limits in a second."""

    name: str
    events: tuple[str, ...]
    matched: tuple[str, ...]  # events whose entry has the matcher "*"
    loose: bool = False
    ticks: int = 1
    named: bool = False
    extras: tuple[tuple[tuple[str, ...], Any], ...] = ()  # settings beside the hooks, where the user has none
    off: tuple[tuple[tuple[str, ...], Any], ...] = ()  # settings that switch all hooks off
    unplug: str = ""  # how the plugin of `plugins/` is taken out again


_CLAUDE = (
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop SubagentStop ConfigChange"
    " SessionEnd"
).split()
_CODEX = "SessionStart UserPromptSubmit PreToolUse PostToolUse Stop SubagentStop SessionEnd".split()
_GEMINI = "SessionStart BeforeAgent BeforeTool AfterTool AfterAgent SessionEnd".split()

CLIENTS = {
    "claude": Client(
        "claude",
        tuple(_CLAUDE),
        ("PreToolUse", "PostToolUse", "PostToolUseFailure"),
        # Claude gives up after 8 refused stops in a row; our own bound is lower than this one.
        extras=((("env", "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"), "50"),),
        off=((("disableAllHooks",), True),),
        unplug=f"claude plugin uninstall {PLUGIN}",
    ),
    "codex": Client(
        "codex", tuple(_CODEX), ("PreToolUse", "PostToolUse"), unplug=f"codex plugin remove {PLUGIN}"
    ),
    "gemini": Client(
        "gemini",
        tuple(_GEMINI),
        tuple(_GEMINI),
        loose=True,
        ticks=1000,
        named=True,
        extras=((("hooksConfig", "enabled"), True),),
        off=((("hooksConfig", "enabled"), False),),
        unplug="gemini extensions uninstall donewhen",
    ),
    "opencode": Client("opencode", (), (), loose=True),
}


def group(client: Client, event: str, program: str, *, plugged: bool = False) -> dict[str, Any]:
    """The entry for one event: what is run, and how long the client waits for it."""
    seconds = _STOP_SECONDS if event in STOPS else _SECONDS
    if (client.name, event) == ("codex", "SessionEnd"):
        seconds = 3  # it allows no more
    removal = (client.unplug,) if plugged else ()
    command = command_of(client.name, event, program, *removal)
    hook = {"type": "command", **({"name": "donewhen"} if client.named else {}), "command": command}
    matcher = {"matcher": "*"} if event in client.matched else {}
    return {**matcher, "hooks": [{**hook, "timeout": seconds * client.ticks}]}


def settings_file(client: str, scope: Scope, env: Mapping[str, str], folder: Path) -> Path:
    """The settings file of a client; `folder` is the repository's for the scope project."""
    if scope == "project":
        names = {
            "claude": ".claude/settings.json",
            "codex": ".codex/hooks.json",
            "gemini": ".gemini/settings.json",
        }
        return folder / names[client] if client in names else _either(folder)
    match client:
        case "claude":
            return _home(env, "CLAUDE_CONFIG_DIR", ".claude") / "settings.json"
        case "codex":
            return _home(env, "CODEX_HOME", ".codex") / "hooks.json"
        case "gemini":
            return _home(env, "GEMINI_CLI_HOME", "") / ".gemini/settings.json"
        case _:
            return _either(_home(env, "XDG_CONFIG_HOME", ".config") / "opencode")


def _either(folder: Path) -> Path:
    commented = folder / "opencode.jsonc"
    return commented if commented.exists() else folder / "opencode.json"


def _home(env: Mapping[str, str], variable: str, below: str) -> Path:
    own = env.get(variable, "")
    if own and Path(own).is_absolute():
        return Path(own)
    home = env.get("HOME", "")
    if not home or not Path(home).is_absolute():
        raise UserError("install.no_home", variable=variable)
    return Path(home) / below


def repository_of(folder: Path) -> Path:
    """The nearest folder upward that has a .git, else the folder itself."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
