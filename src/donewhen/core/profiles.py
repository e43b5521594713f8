"""Profiles: which stages a change must pass, and in which order.

A profile is chosen by a person (flag, template, configuration), never from words of a goal and never by an
agent. Changed source lifts a weaker one, so that nobody calls an edit of code a document. One that somebody
chose decides which verifiers run, and its tools (build, types, lint) must pass; the usual one does neither.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, get_args

from donewhen.core.errors import SetupError
from donewhen.core.paths import is_source
from donewhen.core.reasons import StopReason
from donewhen.core.texts import Phrase

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
    lifted: ProfileName | None = None  # the weaker one that was named; changed source asked for more
    chosen: bool = False  # somebody set it; else it is the usual one

    def has(self, stage: Stage) -> bool:
        return stage in self.stages

    def runs(self, gate: str) -> bool:
        """Whether a gate that nobody asked for by name is asked all the same."""
        return not self.chosen or gate in self.stages

    @property
    def tests(self) -> bool:
        """Whether the project's own tests are run where no command is declared."""
        return self.runs("tests") or "commands" in self.stages

    def notes(self, *, proven: bool) -> tuple[Phrase, ...]:
        """What follows where somebody who chose it might not expect it; `proven`: by a command."""
        if self.chosen and self.lifted:
            return (Phrase("profiles.lifted", {"name": self.lifted, "applied": self.name}),)
        return () if proven or self.tests else (Phrase("profiles.no_tests", {"name": self.name}),)

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
    return Applied(chosen, (*stages, *ALWAYS), named(name) if lifted else None)


def covers(stronger: ProfileName, weaker: ProfileName) -> bool:
    """Does one profile ask for everything that the other asks for?"""
    return set(PROFILES[weaker]) <= set(PROFILES[stronger])
