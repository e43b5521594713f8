"""Deleting and moving: a file, a link itself, or a whole folder. Nothing that exists is overwritten.

A folder that holds a repository of its own is left alone: its history would go with it, and no file tool
touches that. What happened is said file by file, to a bounded number.
"""

import os
import stat
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field

from donewhen.core.errors import AgentError
from donewhen.core.events.facts import FileChanged
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase, say
from donewhen.tools.files.content import RANGED, digest, taken
from donewhen.tools.files.read import PathArguments
from donewhen.tools.files.removing import remove
from donewhen.tools.files.walking import Walk
from donewhen.tools.files.working import Stop, aside
from donewhen.tools.inside import enter, inside, is_git, place, telling, top
from donewhen.tools.model import Arguments, OwnTool, ToolContext, ToolResult

MOST_FACTS = 2000


class MoveArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    source: str = Field(examples=["src/old.py"])
    target: str = Field(examples=["src/new.py"])


class DeleteFile(OwnTool):
    """A file or a folder goes."""

    name = "delete_file"
    arguments: type[Arguments] = PathArguments
    writes = True

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: _delete(args, context, stop), context)


class MoveFile(OwnTool):
    """A file or a folder gets another name."""

    name = "move_file"
    arguments: type[Arguments] = MoveArguments
    writes = True

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: _move(args, context, stop), context)


class _Found(NamedTuple):
    """What is about to go or to move: files, by their path from the workspace's root."""

    folder: bool
    files: Sequence[str]


def _delete(args: PathArguments, context: ToolContext, stop: Stop) -> ToolResult:
    path = inside(args.path, context.root)
    with place(context.root, path) as (parent, name), telling(path):
        found = _found(parent, name, path, context, stop)
        stop.check()
        remove(parent, name)
    facts = [FileChanged(each, "delete") for each in found.files[:MOST_FACTS]]
    key = "toolbox.deleted_folder" if found.folder else "toolbox.deleted"
    return _told(Phrase(key, {"path": one_name(path), "count": len(found.files)}), facts, found, context)


def _move(args: MoveArguments, context: ToolContext, stop: Stop) -> ToolResult:
    source, target = inside(args.source, context.root), inside(args.target, context.root)
    if target == source or target.startswith(f"{source}/"):
        raise AgentError("toolbox.into_itself", source=one_name(source), target=one_name(target))
    with place(context.root, source) as (parent, name), telling(source):
        found = _found(parent, name, source, context, stop)
        with place(context.root, target, make=True) as (folder, last), telling(target):
            _refuse_existing(folder, last, target, name)
            stop.check()
            os.rename(name, last, src_dir_fd=parent, dst_dir_fd=folder)
    facts = _moved(source, target, found, context)
    values = {"source": one_name(source), "target": one_name(target), "count": len(found.files)}
    return _told(Phrase("toolbox.moved", values), facts, found, context)


def _found(parent: int, name: str, path: str, context: ToolContext, stop: Stop) -> _Found:
    facts = os.stat(name, dir_fd=parent, follow_symlinks=False)
    if not stat.S_ISDIR(facts.st_mode):
        return _Found(False, (path,))
    with top(context.root) as root:
        walk = Walk(root, stop, skip=lambda name: False)
        files = []
        for each in walk.below(path):
            if any(map(is_git, each[len(path) :].split("/"))):
                raise AgentError("toolbox.holds_repository", path=one_name(path), inner=one_name(each))
            files.append(each)
    if not walk.whole:
        raise AgentError("toolbox.too_many", path=one_name(path))
    return _Found(True, files)


def _refuse_existing(folder: int, last: str, target: str, name: str) -> None:
    try:
        facts = os.stat(last, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    if stat.S_ISDIR(facts.st_mode):
        raise AgentError("toolbox.target_folder", path=one_name(target), better=one_name(f"{target}/{name}"))
    raise AgentError("toolbox.exists", path=one_name(target), cause="")


def _moved(source: str, target: str, found: _Found, context: ToolContext) -> list[FileChanged]:
    changes = []
    with top(context.root) as root:
        for each in found.files[:MOST_FACTS]:
            now = target + each[len(source) :]
            changes.append(FileChanged(now, "move", _digest(root, now), origin=each))
    return changes


def _digest(root: int, path: str) -> str:
    """Of what is there now; empty for what is no file of a readable size."""
    *names, last = path.split("/")
    try:
        folder = enter(root, names)
        try:
            return digest(taken(folder, last, path, RANGED).data)
        finally:
            os.close(folder)
    except (OSError, AgentError):
        return ""


def _told(said: Phrase, facts: list[FileChanged], found: _Found, context: ToolContext) -> ToolResult:
    text = say(said.key, context.language, **said.values)
    missing = len(found.files) - len(facts)
    if missing:
        text += "\n" + say("toolbox.facts_cut", context.language, most=len(facts), missing=missing)
    metadata = {"files": len(found.files), "facts_left_out": missing}
    return ToolResult(True, context.redact(text), facts=tuple(facts), metadata=metadata)
