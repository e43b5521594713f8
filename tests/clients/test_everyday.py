"""The everyday table with the real clients: what the agent got, what its user read, how many blocks."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from donewhen.testing import Call, FakeModel, Request
from tests.clients.everyday import GONE, ROWS, Row, Run
from tests.clients.known import CLIENTS, ROOT
from tests.clients.test_gone import install
from tests.clients.test_guarded import HOOKS
from tests.clients.world import Ran, World
from tests.projects import git

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]
SEEN = ("--output-format", "stream-json", "--verbose")  # in which Claude shows what its user reads
SAID = " says: "


class Seen(NamedTuple):
    """What came of a row."""

    blocks: int
    line: str  # the last that the user read in the last turn
    waited: float  # seconds that the ends of the agent's turns took, until its next words or the client's end


def played(folder: Path, row: Row, name: str) -> tuple[World, list[Ran], Seen]:
    """The row with the real client, in a world of its own."""
    world = World(folder, CLIENTS[name], row.files)
    world.env |= row.env
    if "push" in str(row.turns):
        world.remote()
        git(world.repo, "commit", "-q", "--allow-empty", "-m", "not to be pushed")
    if row.broken:
        install(world).break_(row.broken)
    else:
        world.gate(arm=row.armed)
    with listening(world) if row.service else nullcontext():
        times: list[tuple[float, bool]] = []
        with world.fake(
            says(world, row), then="repeat-last", watch=lambda each: times.append(at(each))
        ) as fake:
            ran = list(play(world, fake, row))
    told = ran[-1].told  # of all turns: the model is the same
    shown = lines(ran[-1])
    blocks = sum("Not done yet" in text for text in told)
    ends = [*times[1:], (max(each.over for each in ran), False)]
    waited = sum(after - before for (before, last), (after, _) in zip(times, ends, strict=True) if last)
    return world, ran, Seen(blocks, shown[-1] if shown else "", waited)


def at(request: Request) -> tuple[float, bool]:
    """When it was answered, and whether the answer ends a turn."""
    ends = request.answer is not None and not request.answer.calls and bool(request.body.get("tools"))
    return time.monotonic(), ends


def says(world: World, row: Row) -> list[Call | str]:
    each_of = (each for turn in row.turns for each in turn.says)
    settings = HOOKS[world.client.name][0]
    commands = [
        world.client.run(each.command.replace("@SETTINGS@", settings)) if isinstance(each, Run) else each
        for each in each_of
    ]
    return commands or ["Nothing."]


def play(world: World, fake: FakeModel, row: Row) -> Iterator[Ran]:
    words = (*(SEEN if world.client.name == "claude" else ()), *row.words)
    for number, turn in enumerate(row.turns):
        if turn.user:
            subprocess.run(["sh", "-c", turn.user], cwd=world.repo, check=True)
        if turn.outside:
            done = world(*turn.outside)
            assert done.exit == 0, done
        if turn.escaped:
            continue
        if len(row.turns) > number + 1 and row.turns[number + 1].escaped:
            ran = escaped(world, fake, turn.prompt, row.turns[number + 1].prompt)
        else:
            with world.started(fake, turn.prompt, *words, again=number > 0) as process:
                ran = world.ended(process, fake)
        assert ran.exit == 0, ran
        yield ran


def escaped(world: World, fake: FakeModel, prompt: str, then: str) -> Ran:
    """Claude as a person sees it: Esc while the stop waits for its exam, then another prompt."""

    def said(data: object) -> None:
        assert process.stdin
        process.stdin.write(json.dumps(data) + "\n")
        process.stdin.flush()

    def user(text: str) -> object:
        return {"type": "user", "message": {"role": "user", "content": text}}

    with world.started(fake, "", *SEEN, "--input-format", "stream-json", typing=True) as process:
        said(user(prompt))
        world.until(lambda: "command_started" in [kind for kind, _ in world.events()])
        said({"type": "control_request", "request_id": "esc", "request": {"subtype": "interrupt"}})
        said(user(then))
        return world.ended(process, fake)


@contextmanager
def listening(world: World) -> Iterator[None]:
    """A service on this machine; the project knows its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        (world.repo / "port.txt").write_text(str(server.getsockname()[1]))
        git(world.repo, "add", "-A")
        git(world.repo, "commit", "-qm", "port")
        yield


def lines(ran: Ran) -> list[str]:
    """What the client showed its user of ours: Claude in its stream, the others on stderr."""
    found = []
    for line in ran.out.splitlines():
        if '"informational"' in line:
            found.append(json.loads(line)["content"].partition(SAID)[2])
        elif '"hook_response"' in line and "systemMessage" in line:
            found.append(json.loads(json.loads(line)["stdout"])["systemMessage"])
    marks = ("✓ donewhen", "✗ donewhen", "? donewhen", "… donewhen", GONE)
    told = [line.strip().removeprefix("Hook system message: ") for line in ran.err.splitlines()]
    return found or [line for line in told if line.startswith(marks)]


def cases() -> list[object]:
    return [
        pytest.param(row, name, id=f"{name}-{row.situation}") for name in CLIENTS for row in rows_of(name)
    ]


def rows_of(name: str) -> list[Row]:
    again = CLIENTS[name].again is not None
    return [row for row in ROWS if name in row.only and (again or len(row.turns) == 1)]


@pytest.mark.parametrize(("row", "name"), cases())
def test_what_happens_to_people(tmp_path: Path, row: Row, name: str) -> None:
    if CLIENTS[name].missing:
        pytest.skip(CLIENTS[name].missing)
    world, ran, seen = played(tmp_path, row, name)
    assert seen.blocks == row.blocks, "\n\n".join(map(str, ran))
    assert row.holds("\n".join(ran[-1].told)), ran[-1].told
    runs = world.runs() if not row.broken else []
    assert bool(runs) == (row.armed and not row.broken)
    assert (bool(runs) and runs[0]["status"] == "accepted") == row.accepted, runs
    if name == "claude":
        assert seen.line.startswith(row.line), ran[-1]
        assert bool(seen.line) == bool(row.line), ran[-1]


HEAD = "| situation | the agent | blocks | you read | seen: blocks | seen: line | seconds |\n|---|---|---|---|---|---|---|"


def expected(row: Row) -> str:
    line = f"`{row.line.rstrip(' —')}`" if row.line else "nothing"
    return f"| {row.situation} | {row.got} | {row.blocks} | {line} |"


def main(words: Sequence[str]) -> None:
    """Plays the rows of these clients, and writes what was seen into their pages."""
    for name in words:
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda row, name=name: _shown(row, name), rows_of(name)))
        path = ROOT / "docs" / "clients" / f"{name}.md"
        head, _, rest = path.read_text(encoding="utf-8").partition("| situation |")
        left = rest.split("\n")[1:]
        while left and left[0].startswith("|"):
            left.pop(0)
        path.write_text("\n".join((head + HEAD, *found, *left)), encoding="utf-8")


def _shown(row: Row, name: str) -> str:
    with TemporaryDirectory() as folder:
        _, _, seen = played(Path(folder), row, name)
    line = f"`{seen.line}`" if seen.line else "nothing"
    print(name, row.situation, seen, file=sys.stderr)
    return f"{expected(row)} {seen.blocks} | {line} | {seen.waited:.1f} |"


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in CLIENTS if not CLIENTS[name].missing])
