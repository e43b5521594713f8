"""Programs that manage git hooks: their removal passes every hook by.

Installing and running hooks is ordinary.
"""

from donewhen.guard.call import Call
from donewhen.guard.effects import SkipsHooks, Unknown
from donewhen.guard.marks import WILD
from donewhen.guard.options import options, read
from donewhen.guard.programs.git.frame import Found

_OPTIONS = options(values="tc", long_values="hook-type config color", long_flags="all-files force")
_OFF = frozenset(("uninstall", "disable", "remove"))


def manager(call: Call) -> Found:
    """pre-commit, lefthook, husky, overcommit …"""
    given = read(call.argv[1:], _OPTIONS)
    verb = given.operands[0] if given.operands else ""
    if verb in _OFF or given.has("--uninstall"):
        yield SkipsHooks(f"{call.name} {verb}".strip())
    elif call.name == "husky" and verb == "set":
        yield SkipsHooks("husky set")
    elif verb[:1] in WILD:
        yield Unknown("guard.unknown_option", call.name)


READERS = dict.fromkeys(
    "pre-commit husky lefthook overcommit simple-git-hooks captainhook prek".split(), manager
)
