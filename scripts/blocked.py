"""`make pictures`: a stop that was blocked, once for each client that is installed here.

The client is real, its model plays a script on this machine that claims too early. What is drawn was read
from the model's own requests and from the ledger; only the folders of this machine get other names.
"""

import shlex
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from donewhen.testing import Answer, Call, FakeModel
from donewhen.ui.live_frame import Row, Span
from scripts.drawing import svg
from tests.clients.known import CLIENTS, Client
from tests.clients.world import PROMPT, Ran, World

COLUMNS = 104
_PLACE = "/var/tmp"  # in the usual folder for such things Codex has no sandbox
_TOUCH = "sed -i.old 's/sum(prices)/sum(prices) + 1/' cart.py && rm cart.py.old && echo '# sums' >> cart.py"
_FIX = "sed -i.old 's/ + 1//' cart.py && rm cart.py.old"
_EARLY, _LATER = "The cart adds up.", "Now it does."
_BEGIN, _REFUSED = "[donewhen] This session is gated", "[donewhen] Not done yet"
_ANEW = "the exam is run anew."
_STOP = {"gemini": "AfterAgent"}
_COMMANDS = {  # as they are run here, and may be typed
    "claude": "claude -p '{}' --allowedTools Bash",
    "codex": "codex exec --sandbox workspace-write '{}'",
    "gemini": "gemini -p '{}' --approval-mode yolo",
    "opencode": "opencode run '{}'",
}


def draw_blocked(pictures: Path) -> list[Path]:
    """The pictures of all clients that ran; the others are named on stderr."""
    made = []
    for client in CLIENTS.values():
        if client.missing:
            print(f"no picture: {client.missing}", file=sys.stderr)
            continue
        picture = pictures / f"blocked-{client.name}.svg"
        title = f"{client.name} stops too early, is told what is missing, and stops again with the proof"
        picture.write_text(svg(list(_rows(client)), title, COLUMNS))
        made.append(picture)
    return made


def _rows(client: Client) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="pictures-", dir=_PLACE) as name:
        world = World(Path(name).resolve(), client._replace(words=_words(client.name)))
        said = [(words, world(*words)) for words in (("install", client.name), ("arm",))]
        script: list[Answer | Call | str] = [client.run(_TOUCH), _EARLY, client.run(_FIX), _LATER]
        with world.fake(script) as fake:
            ran = world.play(fake)
        if ran.exit or ran.left:
            raise SystemExit(f"{client.name} did not play the script:\n{ran}")
        for words, done in said:
            yield _typed(f"donewhen {' '.join(words)}")
            yield from _told([_elsewhere(done.out.splitlines()[0], world)], "")
        yield _typed(_COMMANDS[client.name].format(PROMPT))
        yield from _session(world, ran)
        yield _typed("donewhen list")
        yield from _told(world("list").out.splitlines()[:2], "")


def _words(name: str) -> Callable[[str, FakeModel], tuple[str, ...]]:
    """The words of the command that is shown; Codex alone knows no variable for the model's address."""
    address = "model_providers.fake.base_url"

    def words(prompt: str, fake: FakeModel) -> tuple[str, ...]:
        more = ("-c", f'{address}="{fake.openai_url}"') if name == "codex" else ()
        return (*shlex.split(_COMMANDS[name].format(prompt))[1:], *more)

    return words


def _session(world: World, ran: Ran) -> Iterator[Row]:
    stop = _STOP.get(world.client.name, "Stop")
    begin, refused = (_elsewhere(text, world) for text in (ran.told[0], ran.told[2]))
    yield from _told(_between(begin, _BEGIN, "\ndonewhen runs these itself"), "dim")
    yield from _acted(_TOUCH, _EARLY)
    yield (Span("  ✗ ", "red"), Span(f"{stop}: blocked; the agent reads", "red bold"))
    yield from _told(_between(refused, _REFUSED, _ANEW), "yellow")
    yield from _acted(_FIX, _LATER)
    for each in world.of_type("command_ended")[-1:]:
        yield (Span("  ✓ ", "green"), Span(f"donewhen ran {each['command']}: exit {each['exit']}"))
    for each in world.of_type("decided")[-1:]:
        yield (Span("  ✓ ", "green"), Span(f"{stop}: {each['status']}; {each['summary']}", "green bold"))


def _acted(command: str, text: str) -> Iterator[Row]:
    yield (Span("  $ ", "cyan"), Span(command))
    yield (Span(f"  “{text}”"),)


def _between(text: str, first: str, last: str) -> list[str]:
    """The lines from `first` to `last`, which the model must have read."""
    start = text.index(first)
    return text[start : text.index(last, start) + (len(last) if last == _ANEW else 0)].splitlines()


def _typed(line: str) -> Row:
    return (Span("$ ", "dim"), Span(line, "bold"))


def _told(lines: list[str], style: str) -> Iterator[Row]:
    """As a terminal would break them."""
    for line in lines:
        for piece in textwrap.wrap(line, COLUMNS - 6) or [""]:
            yield (Span(f"    {piece}" if style else piece, style),)


def _elsewhere(text: str, world: World) -> str:
    return text.replace(str(world.repo), "/home/dev/cart").replace(str(world.home), "/home/dev")
