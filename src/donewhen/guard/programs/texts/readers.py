"""Programs that read text and do more than a row says: pagers and finders that run lines for a shell."""

import re
from collections.abc import Iterator

from donewhen.guard.call import Call, Nested, Reader, Text
from donewhen.guard.effects import Effect, Unknown
from donewhen.guard.options import read
from donewhen.guard.programs.rows import program_of, read_row
from donewhen.guard.programs.texts import data as texts_data
from donewhen.guard.programs.texts import reveal as texts_reveal
from donewhen.guard.programs.texts.search import search


def _less(call: Call) -> Iterator[Effect | Nested]:
    """Its preprocessors are lines for a shell, given by the environment."""
    for name in ("LESSOPEN", "LESSCLOSE"):
        command = call.env.get(name, "").lstrip("|-")
        if command:
            yield Text(command, call.name)
    known = program_of("less")
    yield from read_row(call, known) if known else ()


_ACTION = re.compile(
    r"(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform[a-z-]*|preview)"
    r"(?:\((.*?)\)|\[(.*?)\]|\{(.*?)\}|<(.*?)>|:(.*)|[~!@#$%^&*;/|](.*?)[~!@#$%^&*;/|])(?=[+,]|$)",
    re.DOTALL,
)
_LONGEST = 4096


def _finder(call: Call) -> Iterator[Effect | Nested]:
    """fzf and those like it: keys and events are bound to lines for a shell."""
    known = program_of(call.name)
    if known is None:
        return
    for binding in read(call.argv[1:], known.table).all("--bind"):
        if len(binding) > _LONGEST:
            yield Unknown("guard.unknown_text", binding[:200])
        yield from (Text("".join(found), call.name) for found in _ACTION.findall(binding[:_LONGEST]))
    yield from read_row(call, known)


READERS: dict[str, Reader] = {
    "less": _less,
    **dict.fromkeys(("fzf", "sk"), _finder),
    **dict.fromkeys("grep egrep fgrep ggrep rgrep rg ripgrep ag ack".split(), search),
    **texts_data.READERS,
    **texts_reveal.READERS,
}
