"""Settings of coding agents: who changes them switches off the hooks that gate the agent."""

from donewhen.guard.decision import Found
from donewhen.guard.effects import Deletes, Writes
from donewhen.guard.globs import matches, unbounded
from donewhen.guard.marks import anything, certain, lead
from donewhen.guard.rules.rule import Rule, Setting

_WHOLE = (".codex", ".opencode")  # every file in there can name hooks or load code
_PARTLY = (".claude", ".gemini")  # of these the settings alone
_NAMES = ("settings.json", "settings.local.json")
_FILES = ("opencode.json", "opencode.jsonc", ".mcp.json")  # of servers as well: their tools do anything
_SURE = 4  # letters that a glob must spell out to be about a file of such a plain name


def _settings(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    if found.elsewhere or (isinstance(effect, Writes) and effect.how == "folder"):
        return False
    disk, path = setting.ground.disk, effect.path
    if _are_settings(path):
        return True
    if certain(path) and path.startswith("/") and _are_settings(disk.real(path)):
        return True
    # they go with the folder that they lie in
    return isinstance(effect, Deletes) and any(map(_is_folder, disk.names(path) or ()))


def _are_settings(path: str) -> bool:
    names = path.lower().split("/")
    for at, name in enumerate(names):
        behind = names[at + 1 :]
        if any(_could_be(name, folder) for folder in _WHOLE) or (
            name == "opencode" and names[at - 1] == ".config"
        ):
            return True
        if any(_could_be(name, folder) for folder in _PARTLY) and (not behind or _named(behind[0])):
            return True
    last = names[-1]
    return any(last == one or (len(lead(last)) >= _SURE and matches(last, one)) for one in _FILES)


def _named(name: str) -> bool:
    if certain(name):
        return name.startswith("settings") and name.endswith(".json")
    return any(matches(name, one) for one in _NAMES)


def _is_folder(name: str) -> bool:
    return name.lower() in (*_WHOLE, *_PARTLY, *_FILES)


def _could_be(name: str, value: str) -> bool:
    """By a glob that says something of it; what may hold anything is not taken for it."""
    if name == value:
        return True
    return name[:1] == "." and not anything(name) and not unbounded(name) and matches(name, value)


RULES = (
    Rule(
        "client-settings",
        (Deletes, Writes),
        "deny",
        _settings,
        match=(
            "echo '{}' > .claude/settings.local.json",
            "rm -rf .codex",
            "mv .claude old",
            "sed -i s/true/false/ ~/.gemini/settings.json",
            "cp x.json opencode.json",
            "rm .claude/*",
        ),
        not_match=(
            "cat .claude/settings.json",
            "mkdir -p .claude/commands",
            "echo x > .claude/commands/fix.md",
            "touch src/opencode.py",
            "rm *.json",
        ),
    ),
)
