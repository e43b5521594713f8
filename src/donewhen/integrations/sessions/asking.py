"""What a session asks of a change: the project's checks, and what the prompts add. They never take away."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.commands.goals.model import LARGEST_GOAL
from donewhen.core.texts import Language
from donewhen.integrations.sessions.folder import Folder, Session
from donewhen.integrations.sessions.keeping import kept_project
from donewhen.integrations.sessions.past import Amended, Past

if TYPE_CHECKING:
    from donewhen.intake.parts import Parts
    from donewhen.intake.request import Request
    from donewhen.verify.change import Means, Wanted


class Demand(NamedTuple):
    """What the user said so far, and which of it still has to be proven."""

    words: tuple[str, ...] = ()  # of all prompts: they may permit something
    counting: tuple[tuple[str, str], ...] = ()  # prompts whose demands count, with their names
    amended: Amended = Amended()

    @property
    def request(self) -> "Request":
        """The words of all prompts are the goal, the newest first where they are too many."""
        from donewhen.intake.request import Request

        return Request(
            _words(self.words) if self.words else None,
            "prompts",
            accept=self.amended.accept,
            permits=self.amended.permits,
            prompts=self.counting,
            adds=True,
            dropped=self.amended.dropped,
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """The prompts that name a command to pass or a file to write, and still count."""
        return tuple(text for name, text in self.counting if asks(name, text) is not None)


def demand_of(past: Past) -> Demand:
    return Demand(past.prompts, past.demanding, past.amended)


def asks(name: str, text: str) -> "Parts | None":
    """What one prompt adds; None where it adds nothing, as most do: then little is loaded."""
    from donewhen.commands.goals import parse_goal

    goal = parse_goal(text)
    if not goal.commands and not goal.files:
        return None
    from donewhen.commands import parse
    from donewhen.intake.change import asked_by

    parts = asked_by(name, text, parse)
    return parts if parts is not None and (parts.accept or parts.checks) else None


def wanted_of(folder: Folder, session: Session, base: str = "", demand: Demand = Demand()) -> "Wanted":  # noqa: B008
    """`base`: the tree that the change is measured by; empty for the commit that the session began at."""
    from donewhen.verify.change import Base, Wanted
    from donewhen.workspace.census import CENSUS
    from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, ignored_from

    return Wanted(
        demand.request,
        since=Base(base, "last accepted") if base else Base(session.base, "HEAD"),
        project=kept_project(folder),
        store=f"sqlite://{session.store}",
        ignored=ignored_from(folder.read(KEPT_RULES)),
        census=folder.path / CENSUS,
    )


def means_of(root: str, env: Mapping[str, str], language: Language) -> "Means":
    from donewhen.verify.change import Means

    return Means(Path(root), env, language=language)


def digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _words(prompts: Sequence[str]) -> str:
    taken: list[str] = []
    left = LARGEST_GOAL
    for text in reversed(prompts):
        left -= len(text) + 2
        if left < 0:
            break
        taken.append(text)
    return "\n\n".join(reversed(taken))
