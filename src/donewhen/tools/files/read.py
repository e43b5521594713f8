"""Looking at one file: its lines, or what it is. Links are followed for reading, as long as they stay inside.

A link to a credential is the credential: where it leads is judged again, because the guard saw only its name.
"""

import io
import os
import stat
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field

from donewhen.core.errors import AgentError
from donewhen.core.shown import one_name
from donewhen.core.texts import say
from donewhen.tools.files.content import RANGED, WHOLE, read, refuse_binary, text_of
from donewhen.tools.files.working import Stop, aside, at_once
from donewhen.tools.inside import folder, inside, names_in, place, resolved, telling
from donewhen.tools.model import Arguments, OwnTool, ToolContext, ToolResult
from donewhen.tools.output import shown

_AT_ONCE = 128 * 1024  # bytes; reading more would hold up everything else
_LOOKED = 8192  # bytes in which a NUL is looked for when a part of a large file is read


class ReadArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    path: str = Field(examples=["src/app.py"])
    start: int | None = Field(None, ge=1)
    end: int | None = Field(None, ge=1)


class PathArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    path: str = Field(examples=["src/app.py"])


class ReadFile(OwnTool):
    """Lines of a text file, numbered."""

    name = "read_file"
    arguments: type[Arguments] = ReadArguments

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        def work(stop: Stop) -> ToolResult:
            return _read(args, context)

        if _size(context.root, args.path) <= _AT_ONCE:
            return at_once(work, context)
        return await aside(work, context)


class FileInfo(OwnTool):
    """What has a name: kind, size, mode, lines."""

    name = "file_info"
    arguments: type[Arguments] = PathArguments

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        return await aside(lambda stop: _described(args, context), context)


def readable(path: str, context: ToolContext) -> str:
    """The real path of what an agent names for reading."""
    asked = inside(path, context.root)
    real = resolved(context.root, asked)
    if real != asked and context.secret(real):
        raise AgentError("toolbox.secret_link", path=one_name(asked), real=one_name(real))
    return real


def _size(root: Path, path: str) -> int:
    """A hint where to do the work; who reads looks again."""
    try:
        return (root / path).stat().st_size
    except (OSError, ValueError):
        return 0


def _read(args: ReadArguments, context: ToolContext) -> ToolResult:
    path = readable(args.path, context)
    ranged = args.start is not None or args.end is not None
    if args.start is not None and args.end is not None and args.end < args.start:
        raise AgentError("toolbox.bad_range", start=args.start, end=args.end)
    data = read(context.root, path, RANGED if ranged else WHOLE).data
    refuse_binary(data if len(data) <= WHOLE else data[:_LOOKED], path)
    start = args.start or 1
    lines = list(islice(io.BytesIO(data), start - 1, args.end))
    if start > 1 and not lines:
        raise AgentError("toolbox.no_such_line", path=one_name(path), line=start, count=_lines(data))
    refuse_binary(b"".join(lines) if len(data) > WHOLE else b"", path)
    text = "".join(f"{number:>6}\t{_line(line)}\n" for number, line in enumerate(lines, start))
    if not data:
        text = say("toolbox.empty", context.language)
    elif ranged:
        shares = {"start": start, "end": start + len(lines) - 1, "count": _lines(data)}
        text += say("toolbox.range", context.language, **shares)
    metadata = {"path": path, "empty": not data, "whole": not ranged}
    return ToolResult(True, shown(text, context.redact, context.language), metadata=metadata)


def _line(line: bytes) -> str:
    return line.removesuffix(b"\n").removesuffix(b"\r").decode(errors="surrogateescape")


def _lines(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def _described(args: PathArguments, context: ToolContext) -> ToolResult:
    path = inside(args.path, context.root)
    facts = _facts(context, path)
    kind = _kind(facts.st_mode)
    rows: dict[str, object] = {"path": one_name(path, 4096), "kind": kind}
    empty = not facts.st_size
    if kind == "link":
        with place(context.root, path) as (parent, name), telling(path):
            rows["target"] = one_name(os.readlink(name, dir_fd=parent), 4096)
    elif kind == "folder":
        with folder(context.root, path) as handle, telling(path):
            rows["entries"] = len(names_in(handle))
        empty = not rows["entries"]
    else:
        rows["size"] = facts.st_size
        rows |= _about_text(context, path) if kind == "file" and facts.st_size <= WHOLE else {}
    rows["mode"] = f"{stat.S_IMODE(facts.st_mode):04o}"
    rows["modified"] = datetime.fromtimestamp(facts.st_mtime, UTC).isoformat(timespec="seconds")
    text = "\n".join(f"{name}: {value}" for name, value in rows.items())
    metadata = {"path": path, "empty": empty, "kind": kind}
    return ToolResult(True, shown(text, context.redact, context.language), metadata=metadata)


def _facts(context: ToolContext, path: str) -> os.stat_result:
    if path == ".":
        with folder(context.root, path) as handle:
            return os.fstat(handle)
    with place(context.root, path) as (parent, name), telling(path):
        return os.stat(name, dir_fd=parent, follow_symlinks=False)


def _kind(mode: int) -> str:
    kinds = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
    return kinds.get(stat.S_IFMT(mode), "special")


def _about_text(context: ToolContext, path: str) -> dict[str, object]:
    data = read(context.root, path, WHOLE).data
    if b"\0" in data:
        return {"content": "binary"}
    text = text_of(data)
    ends = "crlf" if text.crlf else "mixed" if "\r\n" in text.text else "lf"
    return {"content": "text", "lines": _lines(data), "line_ends": ends, "bom": "yes" if text.bom else "no"}
