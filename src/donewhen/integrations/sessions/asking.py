"""What a session asks of a change: the project's checks, and what the prompts add. They never take away."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.core.goal.model import LARGEST_GOAL
from donewhen.core.texts import Language
from donewhen.integrations.sessions.folder import Folder, Session
from donewhen.integrations.sessions.keeping import kept_project
from donewhen.integrations.sessions.past import Amended

if TYPE_CHECKING:
    from donewhen.intake.parts import Parts
    from donewhen.intake.request import Request
    from donewhen.verify.change import Means, Wanted


def named(prompts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((f"prompt {number}", text) for number, text in enumerate(prompts, 1))


def request_of(prompts: Sequence[str], amended: Amended = Amended()) -> "Request":  # noqa: B008 - frozen
    """The words of all prompts count as the goal, the newest first where they are too many."""
    from donewhen.intake.request import Request

    return Request(
        _words(prompts) if prompts else None,
        "prompts",
        accept=amended.accept,
        permits=amended.permits,
        prompts=named(prompts),
        adds=True,
        dropped=amended.dropped,
    )


def asks(name: str, text: str) -> "Parts | None":
    """What one prompt adds; None where it adds nothing, as most do: then little is loaded."""
    from donewhen.core.goal import parse_goal

    goal = parse_goal(text)
    if not goal.commands and not goal.files:
        return None
    from donewhen.intake.change import asked_by
    from donewhen.shell import parse

    parts = asked_by(name, text, parse)
    return parts if parts is not None and (parts.accept or parts.checks) else None


def adding(prompts: Sequence[str]) -> tuple[str, ...]:
    """The prompts that name a command to pass or a file to write."""
    return tuple(text for name, text in named(prompts) if asks(name, text) is not None)


def wanted_of(
    folder: Folder,
    session: Session,
    prompts: Sequence[str],
    amended: Amended = Amended(),  # noqa: B008 - frozen
) -> "Wanted":
    from donewhen.verify.change import Base, Wanted
    from donewhen.workspace.census import CENSUS
    from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, ignored_from

    return Wanted(
        request_of(prompts, amended),
        since=Base(session.base, "HEAD"),
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
