"""The git tools that only look: state, differences, history, one commit.

Files that are credentials by their name are left out of what is shown, and it is said that they are: the
guard judges the paths that a call names, and git would show those that it does not name. Untracked files are
in no diff; what a diff can't show is said as well.
"""

import os

from pydantic import ConfigDict, Field

from donewhen.core.paths import relative
from donewhen.core.shown import one_name
from donewhen.core.texts import say
from donewhen.tools.git_running import (
    Ran,
    answer,
    asked,
    checked_ref,
    ran,
    refused,
    spec,
    without,
)
from donewhen.tools.git_tool import Looking
from donewhen.tools.model import MOST_SHOWN, Arguments, ToolContext, ToolResult
from donewhen.tools.output import bounded

_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color")
_NAMES = ("--name-only", "--no-renames", "-z")
_LINE = "%h %cs %an: %s%d"
_WHOLE = "commit %H%nauthor %an <%ae>%ndate   %cI%n%n%w(0,4,4)%B"
_MOST_NAMED = 10


class StatusArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    path: str | None = Field(None, max_length=4096, description="only this file or folder")


class DiffArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    ref: str | None = Field(None, max_length=400, examples=["HEAD~1"], description="commit or range")
    path: str | None = Field(None, max_length=4096, description="only this file or folder")
    staged: bool = Field(False, description="what is staged instead of what is in the files")


class LogArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    ref: str | None = Field(None, max_length=400, description="commit or range; HEAD by default")
    path: str | None = Field(None, max_length=4096, description="only commits that touch it")
    limit: int = Field(20, ge=1, le=500)


class ShowArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    ref: str = Field("HEAD", max_length=4096, description="a commit, or COMMIT:PATH for a file as it was")
    path: str | None = Field(None, max_length=4096, description="only this file or folder of the commit")


class GitStatus(Looking):
    name = "git_status"
    arguments: type[Arguments] = StatusArguments

    async def act(self, args: StatusArguments, context: ToolContext) -> ToolResult:
        done = await ran(context, "status", "--short", "--branch", "--", *_specs(args.path, context))
        lines = done.text.strip("\n").split("\n")
        return _shown(done, context, "clean" if len(lines) < 2 else "")


class GitDiff(Looking):
    name = "git_diff"
    arguments: type[Arguments] = DiffArguments

    async def act(self, args: DiffArguments, context: ToolContext) -> ToolResult:
        words = ["diff", *_PLAIN, *(["--cached"] if args.staged else [])]
        words += [checked_ref(args.ref, context)] if args.ref else []
        specs = _specs(args.path, context)
        listed = await ran(context, *words, *_NAMES, "--", *specs, listed=True)
        if not listed.ok:
            return answer(listed, context, ref=args.ref or "HEAD")
        hidden = _hidden(listed, context)
        done = await ran(context, *words, "--", *specs, *without(hidden, context))
        empty = "no_difference_staged" if args.staged else "no_difference"
        return _shown(done, context, empty, hidden, ref=args.ref or "HEAD")


class GitLog(Looking):
    name = "git_log"
    arguments: type[Arguments] = LogArguments

    async def act(self, args: LogArguments, context: ToolContext) -> ToolResult:
        ref = checked_ref(args.ref, context) if args.ref else "HEAD"
        words = ("log", "--no-color", "--no-show-signature", "--no-patch", f"--format={_LINE}")
        done = await ran(context, *words, f"--max-count={args.limit}", ref, "--", *_specs(args.path, context))
        return _shown(done, context, "no_history", ref=ref)


class GitShow(Looking):
    name = "git_show"
    arguments: type[Arguments] = ShowArguments

    async def act(self, args: ShowArguments, context: ToolContext) -> ToolResult:
        ref = checked_ref(args.ref, context, with_path=True)
        if ":" in ref:
            return await self._file(ref, context)
        commit = await asked(
            context, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"
        )
        if not commit.isalnum():  # `^HEAD`, a range, a file's own id
            return refused(context, "unknown_ref", "not_found", ref=one_name(ref))
        specs = _specs(args.path, context)
        words = ("show", *_PLAIN, "--no-show-signature")
        listed = await ran(context, *words, "--format=", *_NAMES, commit, "--", *specs, listed=True)
        if not listed.ok:
            return answer(listed, context, ref=ref)
        hidden = _hidden(listed, context)
        head = await ran(context, *words, "--no-patch", f"--format={_WHOLE}", commit)
        body = await ran(context, *words, "--format=", commit, "--", *specs, *without(hidden, context))
        whole = (
            body._replace(text=f"{head.text.rstrip()}\n\n{body.text.lstrip(chr(10))}") if head.ok else head
        )
        return _shown(whole, context, hidden=hidden, ref=ref)

    async def _file(self, ref: str, context: ToolContext) -> ToolResult:
        """A file, or the names in a folder, of a commit."""
        parts = ref.split(":")
        paths = [":".join(parts[at:]) for at in range(1, len(parts))]  # `:1:path` is one of a conflict
        if any(path and context.secret(relative(path) or path) for path in paths):
            return refused(context, "secret", "denied", path=one_name(paths[-1]))
        id = await asked(context, "rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        if not id.isalnum():
            return refused(context, "unknown_ref", "not_found", ref=one_name(ref))
        return _shown(await ran(context, "show", *_PLAIN, id), context, "empty_file", ref=ref)


def _specs(path: str | None, context: ToolContext) -> list[str]:
    return [spec(path, context) if path else ":(top)"]


def _hidden(listed: Ran, context: ToolContext) -> list[str]:
    """The names among those listed that are credentials."""
    found = dict.fromkeys(os.fsdecode(name.lstrip(b"\n")) for name in listed.data.split(b"\0"))
    return [name for name in found if name and context.secret(name)]


def _shown(
    done: Ran, context: ToolContext, empty: str = "", hidden: list[str] | None = None, **values: object
) -> ToolResult:
    if not done.ok:
        return answer(done, context, **values)
    notes = []
    if empty and (not done.text.strip() or empty == "clean"):
        notes.append(say(f"gittools.{empty}", context.language))
    if hidden:
        named = ", ".join(one_name(name) for name in hidden[:_MOST_NAMED])
        notes.append(say("gittools.hidden", context.language, count=len(hidden), names=named))
    text = bounded(done.text.rstrip("\n"), MOST_SHOWN - 8000, context.language)
    return ToolResult(True, "\n".join(part for part in (text, *notes) if part))
