"""The goal as a source: the commands and files that it names itself, and the flag that names commands.

What counts in a goal is decided by the parser in core; here it only becomes parts. Commands of a goal that
is not active give nothing; files that it orders to be written do.
"""

from collections.abc import Iterable
from shlex import quote

from donewhen.commands.goals.model import LARGEST_GOAL, Goal, GoalCommand
from donewhen.core.accept import Accept, read_accept
from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.paths import relative
from donewhen.core.texts import Phrase
from donewhen.intake.parts import Parts, short
from donewhen.intake.reading import is_text

FLAG = "--accept"
ONLY_NAMED = "intake.only_named"


def accept_flags(commands: Iterable[str], parse: Parse) -> Parts:
    """What `--accept CMD` gives, once per use."""
    found: list[Accept] = []
    for command in commands:
        if not is_text(command):
            raise UserError("intake.not_utf8", place=FLAG)
        found += read_accept(command, parse, FLAG)
    return Parts(FLAG, accept=tuple(found))


def checked_goal(text: str, name: str = "goal") -> str:
    """The goal itself, when it can be one."""
    if not is_text(text):
        raise UserError("intake.not_utf8", place=name)
    if len(text.encode()) > LARGEST_GOAL:
        raise UserError("intake.too_large", place=name, limit=LARGEST_GOAL // 1024)
    if not text.strip():
        raise UserError("intake.empty_goal", place=name)
    return text


def goal_parts(text: str, goal: Goal, parse: Parse, name: str = "goal") -> Parts:
    """What the parsed `goal` of `text` gives."""
    long = "\n" in text.strip()
    checks: list[Check] = []
    warnings: list[Phrase | str] = []
    for file in goal.files:
        source = f"{name}:{file.place.line}" if long else name
        if relative(file.path) is None:
            warnings.append(Phrase("intake.file_outside", {"place": source, "path": short(file.path, 120)}))
            continue
        params = {} if file.empty else {"nonempty": "true"}
        checks.append(Check("file_exists", file.path, params=params, source=source, by="goal"))
    accept: list[Accept] = []
    for command in goal.commands if goal.active else ():
        accept += commands_of(command, parse, f"{name}:{command.place.line}" if long else name)
    if goal.commands and not goal.active:
        named = ", ".join(f"`{short(command.label, 80)}`" for command in goal.commands[:3])
        warnings.append(Phrase(ONLY_NAMED, {"place": name, "commands": named}))
    return Parts(
        name, objective_of(text), checks=tuple(checks), accept=tuple(accept), warnings=tuple(warnings)
    )


def commands_of(command: GoalCommand, parse: Parse, source: str) -> tuple[Accept, ...]:
    line = f"cd {quote(command.cwd)} && {command.label}" if command.cwd else command.label
    return read_accept(line, parse, source)


def objective_of(text: str) -> str:
    """The first paragraph on one line, without the mark of a heading."""
    lines: list[str] = []
    for line in text[:LARGEST_GOAL].splitlines():
        if line.strip():
            lines.append(line)
        elif lines:
            break
        if lines and (lines[0].lstrip().startswith("#") or len(lines) > 20):
            break
    return short(" ".join(lines).lstrip("# \t"))
