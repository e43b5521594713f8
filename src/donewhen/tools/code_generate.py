"""`code_generate`: a specification becomes files by one model call, apart from the agent's conversation.

The call is made by whoever lends it, within the run's budget. The answer is hostile: only the named paths are
written, through the functions of write_file, and nothing at all when any part of it is wrong.
"""

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field

from donewhen.core.chat import Reply
from donewhen.core.errors import AgentError, SetupError
from donewhen.core.events.facts import FileChanged
from donewhen.core.generated import generated_files
from donewhen.core.shown import one_name
from donewhen.core.texts import Language, say
from donewhen.tools.files.content import WHOLE, digest, read, refuse_binary, text_of
from donewhen.tools.files.placing import put
from donewhen.tools.files.read import readable
from donewhen.tools.files.working import Stop, aside
from donewhen.tools.files.write import Old, WriteArguments, old, write
from donewhen.tools.inside import inside, place, telling
from donewhen.tools.model import Arguments, OwnTool, ToolContext, ToolResult

MOST_PATHS = 8
MOST_CONTEXT = 16
MOST_SHOWN = 256 * 1024  # bytes of files that the model sees
Ask = Callable[[str, str], Awaitable[tuple[Reply, str]]]  # instructions and request → answer, and whose


class GenerateArguments(Arguments):
    model_config = ConfigDict(defer_build=True)

    spec: str = Field(min_length=1, max_length=20_000, examples=["A module that parses dates."])
    paths: list[str] = Field(min_length=1, max_length=MOST_PATHS, examples=[["src/dates.py"]])
    context: list[str] = Field(default=[], max_length=MOST_CONTEXT, examples=[["src/app.py"]])


class CodeGenerate(OwnTool):
    name = "code_generate"
    arguments: type[Arguments] = GenerateArguments
    writes = True
    timeout: float | None = 0.0  # a model's own time limits hold

    def __init__(self, ask: Ask, language: Language = "en") -> None:
        self._ask = ask
        self.description = say("codegen.about", language)

    async def execute(self, args: Any, context: ToolContext) -> ToolResult:
        asked: list[_Asked] = []

        def prepare(stop: Stop) -> ToolResult:
            asked.append(_asked(args, context))
            return ToolResult(True)

        ready = await aside(prepare, context)
        if not asked:
            return ready
        wish = asked[0]
        reply, model = await self._ask(say("codegen.instructions", context.language), wish.request)
        return await aside(lambda stop: _written(reply, model, wish.paths, context, stop), context)


class _Asked(NamedTuple):
    """What the files hold now, and what the model is asked."""

    paths: Mapping[str, Old]
    request: str


def _asked(args: GenerateArguments, context: ToolContext) -> _Asked:
    paths = _paths(args.paths, context)
    return _Asked(paths, _request(args, paths, context))


def _paths(given: Sequence[str], context: ToolContext) -> dict[str, Old]:
    """What the files hold now; AgentError for one that could not be written."""
    found: dict[str, Old] = {}
    for each in given:
        path = inside(each, context.root)
        if path in found:
            raise AgentError("codegen.twice", path=one_name(path))
        found[path] = _now(path, context)
    return found


def _now(path: str, context: ToolContext) -> Old:
    try:
        with place(context.root, path) as (folder, name), telling(path):
            return old(folder, name, path, context)
    except AgentError as error:
        if error.key != "toolbox.not_found":  # a folder that will be made
            raise
        return Old()


def _request(args: GenerateArguments, paths: Mapping[str, Old], context: ToolContext) -> str:
    language = context.language
    known = {path: each.data for path, each in paths.items() if each.data is not None}
    for each in args.context:
        path = readable(each, context)
        if path not in known:
            known[path] = read(context.root, path, WHOLE).data
            refuse_binary(known[path], path)
    lines = [
        say(f"codegen.path_{'known' if each in known else 'new'}", language, path=each) for each in paths
    ]
    parts = [say("codegen.spec_head", language), context.redact(args.spec)]
    parts.append("\n".join((say("codegen.paths_head", language), *lines)))
    shown = [_shown(path, data, path in paths, context) for path, data in _bounded(known)]
    if shown:
        parts += [say("codegen.files_head", language), *shown]
    return "\n\n".join(parts)


def _bounded(known: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    size = 0
    for path, data in known.items():
        size += len(data)
        if size > MOST_SHOWN:
            raise AgentError("codegen.too_much", path=one_name(path), most=MOST_SHOWN // 1024)
    return list(known.items())


def _shown(path: str, data: bytes, rewritten: bool, context: ToolContext) -> str:
    """A file in marks that its own words can't close."""
    text = text_of(data).text.encode(errors="replace").decode()
    hidden = context.redact(text)
    if rewritten and hidden != text:  # what stands in for a secret would be written into the file
        raise AgentError("codegen.holds_secret", path=one_name(path))
    id = sha256(f"{path}\n{hidden}".encode()).hexdigest()[:16]
    name = one_name(path).replace('"', "'")
    return f'<repository-file {id} path="{name}">\n{hidden.rstrip()}\n</repository-file {id}>'


def _written(
    reply: Reply, model: str, paths: Mapping[str, Old], context: ToolContext, stop: Stop
) -> ToolResult:
    if reply.finish != "stop":
        raise AgentError("codegen.cut" if reply.finish == "length" else "codegen.refused", model=model)
    files = generated_files(reply.text, list(paths))
    for path, content in files.items():
        refuse_binary(content.encode(errors="replace"), path)
    for path in files:
        _refuse_changed(path, paths[path], context)
    done: dict[str, ToolResult] = {}
    try:
        for path, content in files.items():
            done[path] = write(WriteArguments(path=path, content=content), context, stop, paths[path])
    except BaseException:
        for path, result in done.items():
            _put_back(path, paths[path], result, context)
        raise
    said = say("codegen.wrote", context.language, model=model, count=len(done))
    facts = tuple(fact for each in done.values() for fact in each.facts)
    output = "\n".join((said, *(each.output for each in done.values())))
    return ToolResult(True, output, facts=facts, metadata={"paths": list(files)})


def _refuse_changed(path: str, seen: Old, context: ToolContext) -> None:
    """The model wrote for what it was shown: somebody else's work since then is not written over."""
    if _now(path, context) != seen:
        raise AgentError("toolbox.changed_meanwhile", path=one_name(path))


def _put_back(path: str, was: Old, wrote: ToolResult, context: ToolContext) -> None:
    """Take a file back that still holds what this call wrote; what somebody made of it since is theirs."""
    digests = {fact.digest for fact in wrote.facts if isinstance(fact, FileChanged)}
    with suppress(AgentError, SetupError), place(context.root, path) as (folder, name), telling(path):
        now = old(folder, name, path, context)
        if now.data is None or digest(now.data) not in digests:
            return
        if was.data is not None:
            put(folder, name, was.data, was.mode)
        else:
            os.unlink(name, dir_fd=folder)
