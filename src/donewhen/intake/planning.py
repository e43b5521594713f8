"""From what a user handed in to a plan: reads the sources, then lets `compose` add them up.

The one way in for `plan` and `run`, so that both mean the same promise. It reads files and nothing else; it
runs nothing and writes nothing.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from donewhen.commands.goals import Goal, parse_goal
from donewhen.config import Loaded
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.profiles import Applied, profile
from donewhen.core.texts import Language
from donewhen.intake.compose import Plan, Sources, compose
from donewhen.intake.goal import accept_flags, checked_goal, goal_parts
from donewhen.intake.parts import Parts
from donewhen.intake.promise_file import promise_file
from donewhen.intake.request import Request
from donewhen.project.project import Project, ProjectCommand, detect


def profile_for(loaded: Loaded, changed: Iterable[str] = ()) -> Applied:
    """The profile that holds for a change of these paths."""
    section = loaded.config.verification
    applied = profile(section.profile, changed, section.source_extensions)
    return applied._replace(chosen=loaded.names("verification", "profile"))


class Planned(NamedTuple):
    plan: Plan
    goal: Goal
    project: Project
    goal_name: str = "goal"


def make_plan(
    request: Request,
    folder: Path,
    parse: Parse,
    *,
    promise_id: str,
    open_spec_path: str = "",
    language: Language = "en",
    tests: bool = True,
) -> Planned:
    """The plan for `request` in the project `folder`; `open_spec_path` is what the configuration names.

    `tests`: the project's own may join.
    """
    project = detect(folder)
    if not project.tests() and not project.notes:
        project = with_parts(project, folder)
    targets = frozenset(project.targets)
    goal = Goal()
    goal_part = None
    if request.goal is not None:
        text = checked_goal(request.goal, request.goal_name)
        goal = parse_goal(text)
        goal_part = goal_parts(text, goal, parse, request.goal_name)
    spec = request.spec or (open_spec_path if request.goal is None else "")
    if goal_part is None and not spec and not request.promise:
        raise UserError("plan.no_goal")
    promise = (
        promise_file(folder / request.promise, parse, targets, request.promise) if request.promise else None
    )
    sources = Sources(
        promise,
        accept_flags(request.accept, parse) if request.accept else None,
        spec=_read(spec, folder, parse) if spec else None,
        goal=goal_part,
    )
    plan = compose(
        sources,
        project,
        parse,
        promise_id=promise_id,
        answer_only=request.answer_only,
        language=language,
        tests=tests,
    )
    return Planned(plan, goal, project, request.goal_name)


def with_parts(project: Project, root: Path) -> Project:
    """With the tests of its parts, where its root has none."""
    from donewhen.intake.survey import survey

    tests = survey(root, None).tests
    found = [ProjectCommand("test", each.line, each.source, True, each.language or "-") for each in tests]
    return project._replace(commands=(*project.commands, *found))


def _read(spec: str, folder: Path, parse: Parse) -> Parts:
    from donewhen.intake.spec import read_spec  # with all that reads specifications: most runs have none

    return read_spec(spec, folder, parse)
