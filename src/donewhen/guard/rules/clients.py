"""Settings of coding agents: who changes them switches off the hooks that gate the agent."""

from donewhen.guard.client_files import are_notes, are_settings, hold_settings, settings_in
from donewhen.guard.decision import Found
from donewhen.guard.effects import Deletes, Writes
from donewhen.guard.ground import Disk
from donewhen.guard.marks import BELOW, anything, certain, could_be, lead
from donewhen.guard.rules.rule import Rule, Setting


def _settings(effect: Deletes | Writes, found: Found, setting: Setting) -> bool:
    if found.elsewhere or (isinstance(effect, Writes) and effect.how == "folder"):
        return False
    disk, path = setting.ground.disk, effect.path
    if setting.ground.checkout and isinstance(effect, Writes) and are_notes(path, setting.ground):
        return False
    if are_settings(path):
        return True
    if certain(path) and path.startswith("/") and are_settings(disk.real(path)):
        return True
    if not isinstance(effect, Deletes):
        return False
    # they go with the folder that they lie in, or with the files that a search finds
    return any(map(hold_settings, disk.names(path) or ())) or _taken(path, disk)


def _taken(path: str, disk: Disk) -> bool:
    """Does a pattern take settings that are there, in the folder that it surely lies in?"""
    if certain(path) or anything(path) or not path.startswith("/"):
        return False
    there = settings_in(lead(path).rpartition("/")[0], disk)
    deep = BELOW in path
    return any(
        could_be(path.lower(), one.lower()) for one in there if deep or one.count("/") == path.count("/")
    )


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
            "ln .claude/settings.json x",
            "claude plugin disable donewhen",
            "gemini extensions uninstall donewhen",
        ),
        not_match=(
            "cat .claude/settings.json",
            "ln -s .claude/settings.json x",
            "mkdir -p .claude/commands",
            "echo x > .claude/commands/fix.md",
            "touch src/opencode.py",
            "rm *.json",
            "claude plugin list",
        ),
    ),
)
