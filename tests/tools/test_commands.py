"""The command tools: what an agent is told of a command, in front and in the background."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from donewhen.core.errors import AgentError
from donewhen.core.texts import LANGUAGES, Language
from donewhen.tools.commands import (
    CommandStatus,
    RunArguments,
    RunCommand,
    StatusArguments,
    command_tools,
    plain_words,
)
from donewhen.tools.model import MOST_SHOWN, Shell, ToolContext, ToolResult
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Command, Finished
from tests.folders import walled_folder
from tests.tables import table_test

Play = Callable[[ToolContext], Awaitable[Any]]


class Place:
    def __init__(self, base: Path) -> None:
        self.root = base / "workspace"
        (self.root / "sub folder").mkdir(parents=True)
        (self.root / "file").write_text("text")
        (self.root / "out").symlink_to("/")
        self.base = base
        self.reports: list[tuple[str, Finished]] = []

    def make(self, text: str, folder: Path, timeout: float | None) -> Command:
        env = {"PATH": "/usr/bin:/bin"}
        return Command(folder, self.base / "outputs", text=text, env=env, timeout=timeout, grace=0.2)

    def play(self, steps: Play, *, after: float = 600, language: Language = "en") -> Any:
        async def main() -> Any:
            report = lambda handle, finished: self.reports.append((handle, finished))  # noqa: E731
            async with Background(report) as background:
                git = self.root / ".git"
                repository = Repository(self.root, git, git, "sha1", "", "", "", {})
                shell = Shell(background, self.make, after, lambda: 3600.0)
                never = lambda path: False  # noqa: E731
                return await steps(
                    ToolContext(self.root, repository, {}, language, never, never, lambda text: text, shell)
                )

        return asyncio.run(main())

    def run(self, *, after: float = 600, language: Language = "en", **args: Any) -> ToolResult:
        steps = lambda context: RunCommand().execute(RunArguments(**args), context)  # noqa: E731
        done: ToolResult = self.play(steps, after=after, language=language)
        return done


@pytest.fixture
def place() -> Iterator[Place]:
    base = walled_folder()
    yield Place(base)
    shutil.rmtree(base)


@pytest.mark.parametrize(
    ("args", "ok", "error_class", "output", "code"),
    [
        ({"command": "echo hi; echo oh >&2"}, True, "", "hi\noh\n", 0),
        ({"command": "pwd", "cwd": "sub folder"}, True, "", None, 0),
        ({"command": "echo no; exit 3"}, False, "exit", "no\n", 3),
        ({"command": "kill -9 $$"}, False, "signal", "", 137),
        ({"command": "echo up; sleep 1000", "timeout": 0.3}, False, "timeout", "up\n", None),
        ({"command": "echo Command timed out after 5 s; exit 1"}, False, "exit", None, 1),
        ({"command": "no-such-program"}, False, "exit", None, 127),
    ],
)
def test_the_result_says_how_it_ended(place, args, ok, error_class, output, code):
    done = place.run(**args)
    assert (done.ok, done.error_class, bool(done.error)) == (ok, error_class, not ok)
    assert output is None or done.output == output
    assert done.finished is not None and done.finished.exit == code
    assert place.reports == []


@pytest.mark.parametrize(
    ("cwd", "error_class", "said"),
    [
        ("..", "bad_arguments", "outside the workspace"),
        ("/etc", "bad_arguments", "outside the workspace"),
        ("out", "bad_arguments", "outside the workspace"),
        ("out/etc", "bad_arguments", "outside the workspace"),
        ("file", "not_found", "no folder file"),
        ("nowhere", "not_found", "no folder nowhere"),
        ("a\0b", "not_found", "no folder"),
        ("x" * 5000, "not_found", "no folder"),
        ("\udcff", "not_found", "no folder"),
    ],
)
def test_a_folder_that_can_not_be_used_is_explained(place, cwd, error_class, said):
    done = place.run(command="touch was-here", cwd=cwd)
    assert (done.ok, done.error_class) == (False, error_class)
    assert said in done.error and not (place.root / "was-here").exists()


@pytest.mark.parametrize(
    ("args", "limit"),
    [
        ({}, 120.0),  # of a call
        ({"timeout": 900.0}, 900.0),
        ({"timeout": 9000.0}, 3600.0),  # what is left of the run
        ({"background": True}, 3600.0),
        ({"background": True, "timeout": 5.0}, 5.0),
    ],
)
def test_no_command_is_without_a_limit(place, args, limit):
    limits = []
    make = place.make

    def noted(text: str, folder: Path, timeout: float | None) -> Command:
        limits.append(timeout)
        made: Command = make(text, folder, timeout)
        return made

    place.make = noted

    async def steps(context: ToolContext) -> None:
        await RunCommand().execute(RunArguments(command="true", **args), context._replace(seconds=120.0))

    place.play(steps)
    place.play(steps, after=60.0)  # a long one goes on in the background, and is no longer held to a call
    assert limits == [limit, limit if args else 3600.0]


def test_a_folder_inside_may_be_named_from_the_root_of_the_machine(place):
    assert place.run(command="pwd", cwd=str(place.root / "sub folder")).output == f"{place.root}/sub folder\n"


def test_a_program_that_can_not_be_started_is_told_apart(place):
    done = place.run(command="echo \0")
    assert (done.ok, done.error_class) == (False, "not_started")
    assert "NUL" in done.error


def test_much_output_is_bounded(place):
    done = place.run(command="head -c 1000000 /dev/urandom | base64")
    assert done.ok and len(done.output.encode()) <= MOST_SHOWN
    assert "bytes left out" in done.output


def test_a_long_command_moves_to_the_background_and_is_polled(place):
    os.mkfifo(place.root / "go")

    async def steps(context: ToolContext) -> None:
        run = RunArguments(command="echo one; read -r _ <go; echo two; exit 3")
        moved = await RunCommand().execute(run, context)
        assert (moved.ok, moved.handle, moved.finished) == (True, "b1", None)
        assert "one\n" in moved.output and "command_status" in moved.output
        asked = StatusArguments(handle="b1")
        running = await CommandStatus().execute(asked, context)
        assert running.metadata == {"state": "running", "offset": 4}
        await asyncio.to_thread((place.root / "go").write_text, "\n")
        asked = StatusArguments(handle="b1", wait=60, offset=4)
        over = await CommandStatus().execute(asked, context)
        assert over.output == "b1 has ended: the command ended with exit code 3\ntwo\n[next offset 8]"
        assert (over.ok, over.metadata["state"], over.metadata["exit"]) == (True, "ended", 3)

    place.play(steps, after=0.3)
    assert [(handle, finished.exit) for handle, finished in place.reports] == [("b1", 3)]


def test_a_command_can_be_started_in_the_background_and_killed(place):
    async def steps(context: ToolContext) -> None:
        run = RunArguments(command="sleep 1000", background=True)
        started = await RunCommand().execute(run, context)
        assert (started.ok, started.handle, started.finished) == (True, "b1", None)
        killed = await CommandStatus().execute(StatusArguments(handle="b1", kill=True), context)
        assert (killed.metadata["state"], killed.metadata["killed"]) == ("ended", True)

    place.play(steps)
    assert [finished.killed for _, finished in place.reports] == [True]


def test_what_a_command_leaves_running_is_told_and_can_be_ended(place):
    async def steps(context: ToolContext) -> None:
        done = await RunCommand().execute(RunArguments(command="sleep 1000 & echo up"), context)
        assert (done.ok, done.handle, context.shell.background.alive()) == (True, "b1", ("b1",))
        assert done.output.startswith("up\n[1 processes that it started still run, as b1")
        status = await CommandStatus().execute(StatusArguments(handle="b1"), context)
        assert (status.metadata["state"], status.metadata["exit"]) == ("left_running", 0)
        ended = await CommandStatus().execute(StatusArguments(handle="b1", kill=True), context)
        assert ended.output.startswith("nothing of b1 runs any more")
        assert context.shell.background.alive() == ()

    place.play(steps)


def test_output_that_is_no_text_stays_within_bounds_when_polled(place):
    async def steps(context: ToolContext) -> None:
        run = RunArguments(command="head -c 300000 /dev/zero | tr '\\0' '\\377'", background=True)
        handle = (await RunCommand().execute(run, context)).handle
        offset, shown = 0, 0
        await context.shell.background.wait(handle)
        while True:
            asked = StatusArguments(handle=handle, offset=offset)
            status = await CommandStatus().execute(asked, context)
            assert len(status.output.encode()) <= MOST_SHOWN + 200
            if status.metadata["offset"] == offset:
                break
            offset = status.metadata["offset"]
            shown += status.output.count("\ufffd")
        assert shown == 300_000

    place.play(steps)


def test_an_unknown_handle_is_told_to_the_agent(place):
    steps = lambda context: CommandStatus().execute(StatusArguments(handle="b7"), context)  # noqa: E731
    with pytest.raises(AgentError, match="no background command b7"):
        place.play(steps)


@table_test(
    ("text", "words"),
    [
        ("echo 'a b' \"c\" d\\ e", ("echo", "a b", "c", "d e")),
        ("make test", ("make", "test")),
        ("", None),
        ("make && make", None),
        ("make | cat", None),
        ("make &", None),
        ("! make", None),
        ("make >log", None),
        ("A=1 make", None),
        ("echo $HOME", None),
        ("echo *", None),
        ("echo $(date)", None),
        ("make; make", None),
        ("if", None),
    ],
)
def test_plain_words_are_what_needs_no_shell(text, words):
    assert plain_words(text) == words


def test_without_bash_only_plain_words_run(place):
    bare = RunCommand(bash=False)
    run = lambda text: place.play(lambda at: bare.execute(RunArguments(command=text), at))  # noqa: E731
    assert run("printf %s 'a b'").output == "a b"
    refused = run("echo a | cat")
    assert (refused.ok, refused.error_class) == (False, "not_started")
    assert "bash is not installed" in refused.error


@table_test(
    "args",
    [
        {"command": ""},
        {"command": "true", "timeout": 0},
        {"command": "true", "timeout": -1},
        {"command": "true", "timeout": float("nan")},
        {"command": "true", "timeout": float("inf")},
        {"command": "true", "timeout": "5"},
        {"command": "true", "background": "yes"},
        {"command": "true", "shell": "zsh"},
        {"command": ["true"]},
    ],
)
def test_wrong_arguments_are_refused(args):
    with pytest.raises(ValidationError):
        RunArguments.model_validate(args)


def test_the_tools_speak_both_languages(place):
    said = {language: place.run(command="exit 2", language=language).error for language in LANGUAGES}
    assert said == {"en": "the command ended with exit code 2", "zh": "命令以退出码 2 结束"}
    assert [tool.name for tool in command_tools()] == ["run_command", "command_status"]
    assert all(tool.timeout == 0 and tool.description for tool in command_tools("zh"))
