"""The everyday table with the real clients: what the agent got, what its user read, how many blocks."""

import json
import subprocess
from pathlib import Path

import pytest

from donewhen.testing import Call, FakeModel
from tests.clients.everyday import ROWS, Row, Run, Turn
from tests.clients.known import CLIENTS, ROOT
from tests.clients.world import Ran, World
from tests.projects import git

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]
SEEN = ("--output-format", "stream-json", "--verbose")  # in which Claude shows what its user reads
SAID = " says: "


def cases() -> list[object]:
    return [
        pytest.param(row, name, id=f"{name}-{row.situation}")
        for row in ROWS
        for name in row.only
        if len(row.turns) == 1 or CLIENTS[name].again is not None
    ]


def lines(ran: Ran) -> list[str]:
    """What Claude showed its user of ours."""
    found = []
    for line in ran.out.splitlines():
        if '"informational"' in line:
            found.append(json.loads(line)["content"].partition(SAID)[2])
    return found


def says(world: World, row: Row) -> list[Call | str]:
    each_of = (each for turn in row.turns for each in turn.says)
    return [world.client.run(each.command) if isinstance(each, Run) else each for each in each_of]


def play(world: World, fake: FakeModel, row: Row, turn: Turn, *, again: bool) -> Ran:
    if turn.user:
        subprocess.run(["sh", "-c", turn.user], cwd=world.repo, check=True)
    if turn.outside:
        done = world(*turn.outside)
        assert done.exit == 0, done
    seen = SEEN if world.client.name == "claude" else ()
    with world.started(fake, turn.prompt, *seen, *row.words, again=again) as process:
        ran = world.ended(process, fake)
    assert ran.exit == 0, ran
    return ran


@pytest.mark.parametrize(("row", "name"), cases())
def test_what_happens_to_people(tmp_path: Path, row: Row, name: str) -> None:
    client = CLIENTS[name]
    if client.missing:
        pytest.skip(client.missing)
    world = World(tmp_path, client, row.files)
    world.env |= row.env
    if "push" in str(row.turns):
        world.remote()
        git(world.repo, "commit", "-q", "--allow-empty", "-m", "not to be pushed")
    world.gate()
    with world.fake(says(world, row), then="repeat-last") as fake:
        ran = [play(world, fake, row, turn, again=at > 0) for at, turn in enumerate(row.turns)]
    told = ran[-1].told  # of all turns: the model is the same
    blocks = sum("Not done yet" in text for text in told)
    assert blocks == row.blocks, "\n\n".join(map(str, ran))
    assert row.holds("\n".join(told)), told
    status = world.runs()[0]["status"]
    assert (status == "accepted") == row.accepted, status
    if name == "claude":
        shown = lines(ran[-1])
        assert (shown[-1] if shown else "").startswith(row.line), shown
        assert bool(shown) == bool(row.line), shown


def table(name: str) -> str:
    """The rows that this client plays, as its page shows them."""
    played = [row for row in ROWS if name in row.only and (len(row.turns) == 1 or CLIENTS[name].again)]
    shown = (f"| {row.situation} | {row.got} | {row.blocks} | {_line(row)} |" for row in played)
    return "\n".join(("| situation | the agent | blocks | you read |", "|---|---|---|---|", *shown))


def _line(row: Row) -> str:
    return f"`{row.line.rstrip(' —')}`" if row.line else "nothing"


def main() -> None:
    """Writes the table into the pages."""
    for name in CLIENTS:
        path = ROOT / "docs" / "clients" / f"{name}.md"
        page = path.read_text(encoding="utf-8")
        head, _, rest = page.partition("| situation | the agent | blocks | you read |\n")
        left = rest.split("\n")
        while left and left[0].startswith("|"):
            left.pop(0)
        path.write_text(f"{head}{table(name)}\n" + "\n".join(left), encoding="utf-8")


if __name__ == "__main__":
    main()
