"""Finding files by their names: the entries of one folder, or all files that a pattern means.

What is left out is said: noise and what git ignores can be looked at by naming the folder.
"""

import os
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field

from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase, say
from donewhen.tools.files.noise import NOISE, noisy
from donewhen.tools.files.read import readable
from donewhen.tools.files.scanning import files_below, ignored, tracked_below
from donewhen.tools.files.wildcards import matcher
from donewhen.tools.files.working import Stop, aside
from donewhen.tools.inside import folder, inside, is_git, resolved, telling
from donewhen.tools.model import Arguments, OwnTool, ToolContext, ToolResult
from donewhen.tools.output import shown

_MOST = 2000  # names that are listed
_NAMED = 20  # that are left out, by name


class ListArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    path: str = Field(".", examples=["src"])


class GlobArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    pattern: str = Field(examples=["**/*.py"])
    path: str = Field(".", examples=["src"])


class ListDir(OwnTool):
    """The entries of one folder."""

    name = "list_dir"
    arguments: type[Arguments] = ListArguments

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: _list(args, context, stop), context)


class Glob(OwnTool):
    """Files by a pattern of their names."""

    name = "glob"
    arguments: type[Arguments] = GlobArguments
    scans = True

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: _glob(args, context, stop), context)


class _Entry(NamedTuple):
    name: str
    folder: bool
    about: str  # size, or where a link leads


def searched(path: str, context: ToolContext) -> str:
    """The real folder that a search is to look through."""
    return readable(path or ".", context)


def answer(lines: list[str], notes: list[Phrase], context: ToolContext, **metadata: object) -> ToolResult:
    said = [say(note.key, context.language, **note.values) for note in notes]
    text = "\n".join([*lines, *said])
    return ToolResult(True, shown(text, context.redact, context.language), metadata=metadata)


def _list(args: ListArguments, context: ToolContext, stop: Stop) -> ToolResult:
    path = resolved(context.root, inside(args.path or ".", context.root))
    with folder(context.root, path) as handle, telling(path):
        entries = _entries(handle)
    hidden = _hidden(path, [each for each in entries if not is_git(each.name)], context, stop)
    kept = [each for each in entries if each.name not in hidden and not is_git(each.name)]
    kept.sort(key=lambda each: (not each.folder, each.name))
    lines = [one_name(each.name, 4096) + each.about for each in kept[:_MOST]]
    notes = [Phrase("toolbox.nothing_there", {"path": one_name(path)})] if not kept else []
    if len(kept) > _MOST:
        notes.append(Phrase("toolbox.more_names", {"count": len(kept) - _MOST}))
    if hidden:
        named = ", ".join(one_name(each) for each in sorted(hidden)[:_NAMED])
        notes.append(Phrase("toolbox.hidden_names", {"count": len(hidden), "names": named}))
    return answer(lines, notes, context, path=path, entries=len(kept))


def _entries(handle: int) -> list[_Entry]:
    found = []
    with os.scandir(handle) as entries:
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            found.append(_Entry(entry.name, is_folder, "/" if is_folder else _about(entry, handle)))
    return found


def _about(entry: os.DirEntry[str], handle: int) -> str:
    try:
        if entry.is_symlink():
            return f" -> {one_name(os.readlink(entry.name, dir_fd=handle))}"
        return f"  {os.stat(entry.name, dir_fd=handle, follow_symlinks=False).st_size}"
    except OSError:  # gone meanwhile
        return ""


def _hidden(path: str, entries: list[_Entry], context: ToolContext, stop: Stop) -> set[str]:
    """Names that are noise or ignored; none of them when the folder itself is."""
    start = "" if path == "." else f"{path}/"
    if not entries or noisy(path):
        return set()
    left = ignored(context, [path, *(start + each.name for each in entries)], stop)
    if path in left:
        return set()
    noise = [start + each.name for each in entries if each.folder and each.name in NOISE]
    tracked = {each[len(start) :].partition("/")[0] for each in tracked_below(context, noise, stop)}
    return {each[len(start) :] for each in (*left, *noise)} - tracked


def _glob(args: GlobArguments, context: ToolContext, stop: Stop) -> ToolResult:
    path = searched(args.path, context)
    start = "" if path == "." else f"{path}/"
    whole = f"{context.root}/{start}"
    means = matcher(args.pattern.removeprefix(whole))
    found = files_below(context, path, stop)
    kept = []
    for each in found.paths:
        stop.check()
        # what was deleted is in git's index still
        if means(each[len(start) :]) and os.path.lexists(context.root / each):
            kept.append(each)
    notes = list(found.notes)
    if not kept:
        notes.append(Phrase("toolbox.no_files", {"pattern": one_name(args.pattern), "path": one_name(path)}))
    if len(kept) > _MOST:
        notes.append(Phrase("toolbox.more_names", {"count": len(kept) - _MOST}))
    lines = [one_name(each, 4096) for each in kept[:_MOST]]
    return answer(lines, notes, context, path=path, files=len(kept))
