"""Commands in a block of code: with prompts only the lines behind them, else every line that is a command."""

from collections.abc import Iterator

from donewhen.commands.goals.blocks import Block
from donewhen.commands.goals.model import Mention, Part
from donewhen.commands.goals.recognise import is_known, is_plausible
from donewhen.commands.goals.splitting import split_chain, without_prompt
from donewhen.core.lazy import lazy

_OPEN_END = lazy(r"(?:\\|\^|&&|\|\||\||(?<=\s)`)[ \t]*$")
_OPEN_START = lazy(r"[ \t]*(?:&&|\|\||\|(?!\|))")
_NUMBERED = lazy(r"^[ \t]*(?:\d{1,3}[.)][ \t]+|[-*][ \t]+)")
_MAX_LINE = 4000


def code_mentions(text: str, block: Block) -> list[Mention]:
    if not block.shell:
        return []
    logical = list(_logical_lines(text, block))
    prompted = any(_prompt(line) is not None for _, line in logical)
    mentions: list[Mention] = []
    cwd = ""
    for start, line in logical:
        bare = _prompt(line)
        if prompted and bare is None:
            continue
        if not line.strip() or line.lstrip().startswith(("#", "//", "REM ", "::")) or len(line) > _MAX_LINE:
            continue
        code = bare if bare is not None else _NUMBERED.sub("", line, count=1)
        parts, cwd = split_chain(code, cwd)
        known = bool(parts) and all(map(_is_command, parts))
        if parts and (known or (prompted and all(is_plausible(part.label) for part in parts))):
            mentions.append(Mention(start, start + len(line), parts, known, quoted=True))
    return mentions


def _is_command(part: Part) -> bool:
    return is_known(part.label)


def _prompt(line: str) -> str | None:
    bare = without_prompt(line)
    if bare is not None and line.lstrip().startswith("%"):
        return bare if is_known(bare) else None
    return bare


def _logical_lines(text: str, block: Block) -> Iterator[tuple[int, str]]:
    """Lines with their continuations, each with its offset."""
    start, held = block.start, ""
    at = block.start
    for line in text[block.start : block.end].split("\n"):
        if held and (_OPEN_END.search(held) or _OPEN_START.match(line)):
            held = f"{held}\n{line}" if held.rstrip().endswith(("\\", "^", "`")) else f"{held} {line}"
        else:
            if held:
                yield start, held
            start, held = at, line
        if len(held) > _MAX_LINE:
            yield start, held
            held = ""
        at += len(line) + 1
    if held:
        yield start, held
