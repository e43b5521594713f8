"""Rules about branches, pushes, hooks and the project's checks."""

from donewhen.guard.branches import protected
from donewhen.guard.decision import Found
from donewhen.guard.effects import Pushes, Rewrites, SkipsHooks, Weakens
from donewhen.guard.marks import anything
from donewhen.guard.only_here import unpublished
from donewhen.guard.rules.rule import Rule, Setting, always


def _held(ref: str, setting: Setting) -> bool:
    return protected(ref, setting.ground.protected)


def _loses(push: Pushes) -> bool:
    return push.force or push.delete


def _force_protected(push: Pushes, found: Found, setting: Setting) -> bool:
    return _loses(push) and _held(push.ref, setting)


def _force_other(push: Pushes, found: Found, setting: Setting) -> bool:
    return _loses(push) and not _held(push.ref, setting)


def _push_protected(push: Pushes, found: Found, setting: Setting) -> bool:
    return not _loses(push) and _held(push.ref, setting)


def _rewrite_protected(rewrite: Rewrites, found: Found, setting: Setting) -> bool:
    """In the user's own checkout what nobody else has may be rewritten."""
    if not _held(rewrite.ref, setting):
        return False
    if not (setting.ground.checkout and rewrite.commits):
        return True
    return unpublished(rewrite, setting.ground) is False


def _rewrite_unknown(rewrite: Rewrites, found: Found, setting: Setting) -> bool:
    if anything(rewrite.ref):
        return True
    known = not setting.ground.checkout or not rewrite.commits or not _held(rewrite.ref, setting)
    return not known and unpublished(rewrite, setting.ground) is None


def _deleted(rewrite: Rewrites, found: Found, setting: Setting) -> bool:
    return rewrite.how.startswith(("delete", "rename"))


RULES = (
    Rule(
        "force-push-protected",
        (Pushes,),
        "deny",
        _force_protected,
        match=(
            "git push -f origin main",
            "git push origin :master",
            "git push --force origin HEAD:release/2",
        ),
        not_match=("git push -f origin main-menu", "git push origin main", "echo git push -f origin main"),
        locked=always,
    ),
    Rule(
        "force-push",
        (Pushes,),
        "ask",
        _force_other,
        match=("git push -f origin feature/x", "git push origin +topic", "git push origin --delete topic"),
        not_match=("git push origin feature/x", "git push -f origin main"),
    ),
    Rule(
        "push-protected",
        (Pushes,),
        "ask",
        _push_protected,
        match=("git push origin main", "git push origin HEAD:staging"),
        not_match=("git push origin feature/x", "git push -u origin HEAD"),
    ),
    Rule(
        "rewrite-protected",
        (Rewrites,),
        "deny",
        _rewrite_protected,
        match=("git branch -D main", "git update-ref refs/heads/main HEAD~3"),
        not_match=("git branch -D topic", "git branch --list main"),
        locked=_deleted,
    ),
    Rule(
        "rewrite-unknown",
        (Rewrites,),
        "ask",
        _rewrite_unknown,
        match=('git branch -D "$BRANCH"',),
        not_match=("git branch -D topic",),
    ),
    Rule(
        "skip-hooks",
        (SkipsHooks,),
        "deny",
        always,
        match=("git commit --no-verify -m x", "git commit -nm x", "git config core.hooksPath /dev/null"),
        not_match=("git commit -m 'no --no-verify here'", "git push -n origin topic"),
    ),
    Rule(
        "weaken-check",
        (Weakens,),
        "deny",
        always,
        match=("npm pkg set scripts.test='exit 0'",),
        not_match=("npm pkg set version=1.2.0", "npm pkg get scripts.test"),
    ),
)
