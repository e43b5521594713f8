"""Rules about work that exists nowhere else: what git keeps nowhere, and commits on no other branch.

They hold in the user's own checkout. A run's workspace holds nothing but what the run made itself.
"""

from donewhen.guard.decision import Found
from donewhen.guard.effects import Deletes, Loses, Rewrites
from donewhen.guard.only_here import changed_before, deleted_work, unmerged
from donewhen.guard.rules.rule import Rule, Setting
from donewhen.guard.secret_paths import secret

_LETS_GO = ("delete", "replace", "move")  # of a branch: its commits may be on no other one


def _lost(effect: Deletes | Loses | Rewrites, found: Found, setting: Setting) -> bool:
    ground = setting.ground
    if found.elsewhere:
        return False
    if isinstance(effect, Rewrites):
        return effect.how in _LETS_GO and unmerged(effect, ground) is not False
    if isinstance(effect, Loses):
        return not effect.path or changed_before(effect.path, ground)
    if effect.moved or not effect.path.startswith(f"{ground.workspace}/"):
        return False
    return bool(secret(effect.path, ground)) or deleted_work(effect, ground)


RULES = (
    Rule(
        "lose-work",
        (Deletes, Loses, Rewrites),
        "ask",
        _lost,
        match=(
            "git clean -fd",
            "git checkout .",
            "git restore .",
            "git reset --hard",
            "git stash drop",
            "git stash clear",
            "git switch --discard-changes topic",
            "git branch -D topic",
            "rm .env",
        ),
        not_match=(
            "git clean -nd",
            "git clean -fdX",
            "git checkout topic",
            "git checkout -b topic",
            "git restore --staged .",
            "git reset",
            "git reset --soft HEAD~1",
            "git stash",
            "git stash pop",
            "git branch -d topic",
            "rm src/a.py",
            "mv a.py b.py",
        ),
        in_checkout=True,
    ),
)
