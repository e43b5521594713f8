"""Profiles: which stages a change must pass, and in which order.

A profile is chosen by a person (flag, promise, template, configuration), never from words of a goal and never
by an agent. Changed source lifts a weaker one, so that nobody calls an edit of code a document. Its tools
(build, types, lint) must pass only where somebody chose it.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, get_args

from donewhen.core.errors import SetupError
from donewhen.core.paths import is_source
from donewhen.core.reasons import StopReason

ProfileName = Literal["task_only", "create_file", "docs", "config", "edit_code", "fix_bug", "refactor"]
Stage = Literal[
    "integrity",
    "secrets",
    "todos",
    "files",
    "content",
    "commands",
    "change",
    "build",
    "tests",
    "types",
    "lint",
]

ALWAYS: tuple[Stage, ...] = ("integrity", "secrets")
PROFILES: Mapping[ProfileName, tuple[Stage, ...]] = {
    "task_only": ("todos",),
    "create_file": ("todos", "files", "content"),
    "docs": ("todos", "files", "content"),
    "config": ("todos", "files", "content", "commands"),
    "edit_code": ("todos", "change", "build", "tests", "types"),
    "fix_bug": ("todos", "change", "tests", "build", "types"),
    "refactor": ("todos", "change", "build", "tests", "lint", "types"),
}
DEFAULT: Final[ProfileName] = "edit_code"
WITHOUT: Final[ProfileName] = "task_only"  # of a stored session that names none
UNKNOWN_PROFILE: Final[StopReason] = "verification_config_missing"
_NAMES: tuple[ProfileName, ...] = get_args(ProfileName)


class Applied(NamedTuple):
    """The profile that holds for a change; `stages` are all of it, what always runs last."""

    name: ProfileName
    stages: tuple[Stage, ...]
    lifted: bool = False  # changed source asked for more than the chosen profile
    chosen: bool = False  # somebody set it; else it is the usual one

    def has(self, stage: Stage) -> bool:
        return stage in self.stages

    @property
    def required(self) -> frozenset[str]:
        """The stages that must pass because somebody chose the profile."""
        return frozenset(self.stages) if self.chosen and not self.lifted else frozenset()


class UnknownProfile(SetupError):
    """Nobody knows what to verify; a run ends with this reason."""

    reason: StopReason = UNKNOWN_PROFILE


def named(name: str | None) -> ProfileName:
    """The profile of that name; a stored session without one has the weakest."""
    if not name:
        return WITHOUT
    found = next((each for each in _NAMES if each == name), None)
    if found is None:
        raise UnknownProfile("profiles.unknown", name=name[:80], names=", ".join(_NAMES))
    return found


def profile(name: str | None, changed: Iterable[str] = (), extensions: Iterable[str] = ()) -> Applied:
    """What a change of these paths must pass under this profile; `extensions` are source beside the usual."""
    chosen = named(name)
    stages = PROFILES[chosen]
    more = tuple(extensions)
    lifted = not covers(chosen, DEFAULT) and any(is_source(path, more) for path in changed)
    if lifted:
        # its own demands stay: a lift never takes anything away
        chosen, stages = DEFAULT, tuple(dict.fromkeys((*PROFILES[DEFAULT], *stages)))
    return Applied(chosen, (*stages, *ALWAYS), lifted)


def covers(stronger: ProfileName, weaker: ProfileName) -> bool:
    """Does one profile ask for everything that the other asks for?"""
    return set(PROFILES[weaker]) <= set(PROFILES[stronger])
