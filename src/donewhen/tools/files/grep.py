"""Finding text in files by a pattern. Files whose name says that they hold a credential are passed over.

Which files are looked at is decided here; the looking is done by a process that can be ended at any moment.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field

import donewhen
from donewhen.core.codec import thaw
from donewhen.core.errors import AgentError
from donewhen.core.patterns import trouble_with
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase
from donewhen.tools.files.listing import answer, searched
from donewhen.tools.files.scanning import files_below
from donewhen.tools.files.searching import Line, Order
from donewhen.tools.files.wildcards import matcher
from donewhen.tools.files.working import Stop, aside, at_once
from donewhen.tools.model import MOST_SHOWN, Arguments, OwnTool, ToolContext, ToolResult

_MOST_HITS = 500
_MOST_CONTEXT = 20
_NAMED = 5
_CHILD = (
    "import sys; sys.path.insert(0, sys.argv[1]); from donewhen.tools.files.searching import main; main()"
)


class GrepArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    pattern: str = Field(min_length=1, examples=["def \\w+"])
    path: str = Field(".", examples=["src"])
    glob: str | None = Field(None, examples=["*.py"])
    ignore_case: bool = False
    context: int = Field(0, ge=0, le=_MOST_CONTEXT)


class Grep(OwnTool):
    """Lines that a regular expression matches."""

    name = "grep"
    arguments: type[Arguments] = GrepArguments
    scans = True

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        # not in the thread: reading a pattern sets warnings aside, and these belong to the whole process
        refused = at_once(lambda stop: _tame(args), context)
        return await aside(lambda stop: _grep(args, context, stop), context) if refused.ok else refused


class Looked(NamedTuple):
    """What the search found, and how much it passed over."""

    found: list[tuple[str, list[Line]]]
    counts: dict[str, int]


def _grep(args: GrepArguments, context: ToolContext, stop: Stop) -> ToolResult:
    path = searched(args.path, context)
    paths, notes = files_to_search(path, args.glob, context, stop)
    secret = [each for each in paths if context.secret(each)]
    held = frozenset(secret)
    order = Order(
        str(context.root),
        args.pattern,
        args.ignore_case,
        args.context,
        _MOST_HITS,
        4 * MOST_SHOWN,
        [each for each in paths if each not in held],
    )
    looked = looked_through(order, stop)
    lines = [line for place, found in looked.found for line in _shown(place, found, args.context)]
    if not looked.found:
        values = {"pattern": one_name(args.pattern), "path": one_name(path), "count": len(order.paths)}
        notes.append(Phrase("toolbox.no_lines", values))
    return answer(lines, [*notes, *notes_of(secret, looked.counts)], context, path=path, **looked.counts)


def files_to_search(
    path: str, glob: str | None, context: ToolContext, stop: Stop
) -> tuple[list[str], list[Phrase]]:
    whole = context.root / path
    if not whole.is_dir():
        if not whole.exists():
            raise AgentError("toolbox.not_found", path=one_name(path), cause="")
        if context.secret(path):
            raise AgentError("toolbox.is_secret", path=one_name(path))
        return [path], []
    found = files_below(context, path, stop)
    start = 0 if path == "." else len(path) + 1
    means = matcher(glob) if glob else None
    kept = [each for each in found.paths if means is None or means(each[start:])]
    return kept, list(found.notes)


def _tame(args: GrepArguments) -> ToolResult:
    trouble = trouble_with(f"(?i){args.pattern}" if args.ignore_case else args.pattern)
    if trouble is None:
        return ToolResult(True)
    why = Phrase(f"toolbox.{trouble.name}", dict(trouble.values))
    raise AgentError("toolbox.bad_pattern", pattern=one_name(args.pattern), why=why)


def looked_through(order: Order, stop: Stop) -> Looked:
    source = str(Path(donewhen.__file__).parent.parent)
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _CHILD, source],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    with process, stop.over(process):
        said, _ = process.communicate(json.dumps(thaw(order)).encode())
    rows = [json.loads(line) for line in said.splitlines()]
    if process.returncode or not rows:
        raise AgentError("toolbox.search_died", exit=process.returncode)
    return Looked([(path, [Line(*line) for line in lines]) for path, lines in rows[:-1]], rows[-1])


def _shown(path: str, lines: list[Line], context: int) -> list[str]:
    """As search tools print it: a colon after a match, a dash beside one, a gap as two dashes."""
    name, before, shown = one_name(path, 4096), 0, list[str]()
    for line in lines:
        if context and before != line.number - 1:
            shown.append("--")
        mark = ":" if line.hit else "-"
        shown.append(f"{name}{mark}{line.number}{mark} {line.text}")
        before = line.number
    return shown


def notes_of(secret: list[str], counts: dict[str, int]) -> list[Phrase]:
    notes = []
    if counts["cut"]:
        notes.append(Phrase("toolbox.hits_cut", {"count": counts["hits"]}))
    if secret:
        named = ", ".join(one_name(each) for each in secret[:_NAMED])
        notes.append(Phrase("toolbox.secrets_skipped", {"count": len(secret), "names": named}))
    if counts["large"]:
        notes.append(Phrase("toolbox.large_skipped", {"count": counts["large"]}))
    if counts["binary"]:
        notes.append(Phrase("toolbox.binary_skipped", {"count": counts["binary"]}))
    return notes
