"""Settings of a repository that name a program or a place: a change of one changes what git does unseen.

Pure. Who the author is, what a branch follows, how things look: all that is nobody's business.
"""

import re
from collections.abc import Iterable, Mapping

from donewhen.core.lazy import lazy
from donewhen.workspace.rooms.workspaces import NO_PUSH

# names as git lists them: section and key in lower case, the part between as it was written
_PROGRAMS = (
    r"core\.(?:fsmonitor|sshcommand|gitproxy|pager|editor|askpass|alternaterefscommand)",
    r"sequence\.editor",
    r"pager\..*",
    r"interactive\.difffilter",
    r"filter\..*\.(?:clean|smudge|process)",
    r"diff\.external",
    r"diff\..*\.(?:command|textconv)",
    r"merge\..*\.driver",
    r"(?:merge|diff|gui)tool\..*\.(?:cmd|path)",
    r"(?:browser|man)\..*\.(?:cmd|path)",
    r"trailer\..*\.(?:command|cmd)",
    r"gpg\.(?:.*\.)?(?:program|defaultkeycommand)",
    r"uploadpack\.packobjectshook",
    r"sendemail\..*",
    r"remote\..*\.(?:uploadpack|receivepack|vcs)",
    r"credential\..*",
)
_PLACES = (
    r"core\.(?:hookspath|worktree|bare|attributesfile|excludesfile|virtualfilesystem)",
    r"include\.path",
    r"includeif\..*",
    r"url\..*\.(?:insteadof|pushinsteadof)",
    r"remote\..*\.(?:pushurl|proxy|promisor)",
    r"init\.templatedir",
    r"http\..*",
    r"protocol\..*",
    r"extensions\.(?!worktreeconfig).*",
)
# a value of these is harmful only when it begins like this
_BEGINNINGS = (
    (re.compile(r"alias\..*", re.DOTALL), re.compile(r"\s*!")),
    (re.compile(r"submodule\..*\.update", re.DOTALL), re.compile(r"\s*!")),
    (re.compile(r"remote\..*\.url", re.DOTALL), re.compile(r"[A-Za-z0-9+.-]{1,40}::")),
)
_PROGRAM = lazy("|".join(f"(?:{each})" for each in _PROGRAMS), re.DOTALL)
_PLACE = lazy("|".join(f"(?:{each})" for each in _PLACES), re.DOTALL)
_IDLE = frozenset(("", "true", "false", ":", "cat"))  # programs that do nothing
_PUSH = lazy(r"remote\.(.*)\.pushurl", re.DOTALL)
_URL = lazy(r"remote\..*\.url", re.DOTALL)


def is_harmful(name: str, value: str) -> bool:
    """Whether a setting could make git run or reach something."""
    if _PROGRAM.fullmatch(name):
        return value.strip() not in _IDLE
    if _PLACE.fullmatch(name):
        return not (_PUSH.fullmatch(name) and value == NO_PUSH)
    return any(key.fullmatch(name) and begins.match(value) for key, begins in _BEGINNINGS)


def harmful_changes(before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The names of settings whose change matters, those that are gone included."""
    then, now = _by_name(before), _by_name(after)
    differing = (name for name in {*then, *now} if then.get(name) != now.get(name))
    return tuple(sorted(name for name in differing if _matters(name, then, now)))


def _matters(name: str, then: Mapping[str, list[str]], now: Mapping[str, list[str]]) -> bool:
    push = _PUSH.fullmatch(name)
    if push and name not in now:
        return f"remote.{push[1]}.url" in now  # the bolt is gone and the door is not
    if _URL.fullmatch(name) and name in then and name in now:
        return True  # what is shipped would go elsewhere
    added = [value for value in now.get(name, []) if value not in then.get(name, [])]
    lost = [value for value in then.get(name, []) if value not in now.get(name, [])]
    return any(is_harmful(name, value) for value in (*added, *lost))


def _by_name(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found
