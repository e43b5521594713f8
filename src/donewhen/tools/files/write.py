"""Changing one file: written whole, or edited in place. A link is never written through.

What was there is kept where nobody asked to change it: mode, line ends, byte order mark. Writing what is
there already is no change.
"""

import os
import stat
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field

from donewhen.core.errors import AgentError
from donewhen.core.events.facts import FileChanged
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase, say
from donewhen.tools.files.content import WRITTEN, Text, digest, refuse_binary, taken, text_of, too_large
from donewhen.tools.files.editing import Edit, edited
from donewhen.tools.files.placing import put
from donewhen.tools.files.working import Stop, aside
from donewhen.tools.inside import inside, place, resolved, telling
from donewhen.tools.model import Arguments, OwnTool, ToolContext, ToolResult
from donewhen.tools.output import shown

_MOST_EDITS = 200


class WriteArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    path: str = Field(examples=["src/app.py"])
    content: str = Field(examples=["print('hello')\n"])


class EditArguments(Arguments):
    """One replacement; `old` must be found once, unless `all` is said."""

    model_config = ConfigDict(defer_build=True)

    old: str = Field(examples=["answer = 41"])
    new: str = Field(examples=["answer = 42"])
    all: bool = False


class EditsArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    path: str = Field(examples=["src/app.py"])
    edits: list[EditArguments] = Field(min_length=1, max_length=_MOST_EDITS)


class WriteFile(OwnTool):
    """The whole content of a file, new or not."""

    name = "write_file"
    arguments: type[Arguments] = WriteArguments
    writes = True

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: write(args, context, stop), context)


class EditFile(OwnTool):
    """Some replacements in a file, all or none."""

    name = "edit_file"
    arguments: type[Arguments] = EditsArguments
    writes = True

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: _edit(args, context, stop), context)


class Old(NamedTuple):
    """What had the name before; None for nothing."""

    data: bytes | None = None
    mode: int | None = None


def write(args: WriteArguments, context: ToolContext, stop: Stop, expected: Old | None = None) -> ToolResult:
    """The file whole, in its place; AgentError when it can't be written, or is not as it is expected."""
    path = inside(args.path, context.root)
    _encoded(args.content, path)
    with place(context.root, path, make=True) as (folder, name), telling(path):
        was = old(folder, name, path, context)
        if expected is not None and was != expected:
            raise AgentError("toolbox.changed_meanwhile", path=one_name(path))
        kept = text_of(was.data) if was.data is not None else Text("")
        content = args.content.removeprefix("\ufeff") if kept.bom else args.content
        plain = content.replace("\r\n", "\n") if kept.crlf else content
        data = kept._replace(text=plain).bytes()
        if len(data) > WRITTEN:
            raise too_large(path, len(data), WRITTEN)
        stop.check()
        if data != was.data:
            put(folder, name, data, was.mode)
    if data == was.data:
        return _unchanged(path, context)
    key = "toolbox.created" if was.data is None else "toolbox.written"
    said = [Phrase(key, {"path": one_name(path), "size": len(data)})]
    said += [Phrase("toolbox.kept_crlf")] if kept.crlf and "\r\n" not in content else []
    return _changed(said, FileChanged(path, "write", digest(data)), context)


def _edit(args: EditsArguments, context: ToolContext, stop: Stop) -> ToolResult:
    path = inside(args.path, context.root)
    with place(context.root, path) as (folder, name), telling(path):
        was = old(folder, name, path, context)
        if was.data is None:
            raise AgentError("toolbox.not_found", path=one_name(path), cause="")
        before = text_of(was.data)
        edits = [Edit(before.fitted(each.old), before.fitted(each.new), each.all) for each in args.edits]
        result = edited(before.text, edits, WRITTEN)
        _encoded(result.text, path, errors="surrogateescape")
        data = before._replace(text=result.text).bytes()
        if len(data) > WRITTEN:
            raise too_large(path, len(data), WRITTEN)
        stop.check()
        if data != was.data:
            put(folder, name, data, was.mode)
    if data == was.data:
        return _unchanged(path, context)
    said = [Phrase("toolbox.edited", {"path": one_name(path)}), *result.done]
    return _changed(said, FileChanged(path, "edit", digest(data)), context)


def old(folder: int, name: str, path: str, context: ToolContext) -> Old:
    """What has the name in an open folder; AgentError for what is never written over."""
    try:
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return Old()
    if stat.S_ISLNK(facts.st_mode):
        real = resolved(context.root, path)
        raise AgentError("toolbox.through_link", path=one_name(path), real=one_name(real))
    found = taken(folder, name, path, WRITTEN)
    refuse_binary(found.data, path)
    return Old(found.data, found.facts.st_mode)


def _encoded(text: str, path: str, errors: str = "strict") -> None:
    try:
        data = text.encode(errors=errors)
    except UnicodeEncodeError as error:
        raise AgentError("toolbox.bad_text", path=one_name(path), at=error.start) from None
    refuse_binary(data, path)


def _changed(said: list[Phrase], fact: FileChanged, context: ToolContext) -> ToolResult:
    text = "\n".join(say(each.key, context.language, **each.values) for each in said)
    output = shown(text, context.redact, context.language)
    return ToolResult(True, output, facts=(fact,), metadata={"path": fact.path, "changed": True})


def _unchanged(path: str, context: ToolContext) -> ToolResult:
    text = say("toolbox.unchanged", context.language, path=one_name(path))
    return ToolResult(True, context.redact(text), metadata={"path": path, "changed": False})
