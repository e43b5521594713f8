"""The git tools that change the repository of the workspace: commit, another working tree, and no push.

A commit is the agent's own note on its way: it proves nothing, and what is shipped is decided at acceptance.
No hook of the repository is run, nobody is asked to sign, no editor is opened. Nothing is ever pushed from
here: results leave a run by one way only.
"""

from typing import Annotated

from pydantic import ConfigDict, Field

from donewhen.core.shown import one_name
from donewhen.core.texts import say
from donewhen.tools.git_running import (
    WRITING,
    answer,
    asked,
    checked_ref,
    ran,
    refused,
    spec,
)
from donewhen.tools.git_tool import Changing
from donewhen.tools.git_worktrees import prepared
from donewhen.tools.inside import inside
from donewhen.tools.model import Arguments, ToolContext, ToolResult
from donewhen.workspace.git.runner import names

_MOST_PATHS = 200
_MOST_NAMED = 10

Path = Annotated[str, Field(min_length=1, max_length=4096)]


class CommitArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    message: str = Field(max_length=64 * 1024, examples=["Round half up in the discount"])
    paths: tuple[Path, ...] = Field(
        (), max_length=_MOST_PATHS, description="only these; by default all changes"
    )
    no_verify: bool = Field(False, description="not allowed; hooks of the repository are not run anyway")


class PushArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    remote: str | None = Field(None, max_length=400)
    branch: str | None = Field(None, max_length=400)
    force: bool = False


class WorktreeArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    path: str = Field(min_length=1, max_length=4096, examples=[".scratch/before"])
    ref: str = Field("HEAD", max_length=400, description="the commit that it is to show")


class GitCommit(Changing):
    name = "git_commit"
    arguments: type[Arguments] = CommitArguments

    async def act(self, args: CommitArguments, context: ToolContext) -> ToolResult:
        if not args.message.strip() or "\0" in args.message:
            return refused(context, "empty_message", "bad_arguments")
        specs = [spec(path, context) for path in args.paths]
        unmerged = await self._unmerged(context)
        if unmerged:
            named = ", ".join(one_name(name) for name in unmerged[:_MOST_NAMED])
            return refused(context, "conflict", "refused", names=named)
        added = await ran(context, "add", "--all", "--", *(specs or [":(top)"]), timeout=WRITING)
        if not added.ok:
            return answer(added, context, names=", ".join(args.paths), path=", ".join(args.paths))
        words = ("commit", "--file=-", "--cleanup=whitespace", "--no-gpg-sign", "--no-edit")
        only = ("--only", "--", *specs) if specs else ()
        done = await ran(context, *words, *only, stdin=args.message.encode(), timeout=WRITING)
        if not done.ok:
            return answer(done, context, names=", ".join(args.paths))
        commit = await asked(context, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        note = say("gittools.committed", context.language, commit=commit)
        return ToolResult(True, f"{done.text.rstrip()}\n{note}", metadata={"commit": commit})

    async def _unmerged(self, context: ToolContext) -> list[str]:
        """Files in conflict: adding them all would call every one of them resolved."""
        listed = await ran(context, "diff", "--name-only", "--diff-filter=U", "-z", "--cached", listed=True)
        return names(listed.data) if listed.ok else []


class GitPush(Changing):
    name = "git_push"
    arguments: type[Arguments] = PushArguments

    async def act(self, args: PushArguments, context: ToolContext) -> ToolResult:
        return refused(context, "no_push", "refused", remote=one_name(args.remote or "origin"))


class GitWorktreeCreate(Changing):
    name = "git_worktree_create"
    arguments: type[Arguments] = WorktreeArguments

    async def act(self, args: WorktreeArguments, context: ToolContext) -> ToolResult:
        path = inside(args.path, context.root)
        ref = checked_ref(args.ref, context)
        above, _, last = path.rpartition("/")
        if not above or not context.is_exempt(f"{above}/{last}/x") or not context.is_exempt(f"{above}/x"):
            return refused(context, "worktree_place", "refused", path=one_name(path))
        commit = await asked(
            context, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"
        )
        if not commit.isalnum():
            return refused(context, "unknown_ref", "not_found", ref=one_name(ref))
        trouble = prepared(path, context)
        if trouble is not None:
            return trouble
        words = ("worktree", "add", "--detach", "--quiet", "--", str(context.root / path), commit)
        done = await ran(context, *words, timeout=WRITING)
        if not done.ok:
            return answer(done, context, path=path, ref=ref)
        said = say("gittools.worktree_made", context.language, path=one_name(path), commit=commit[:12])
        return ToolResult(True, said, metadata={"path": path, "commit": commit})
