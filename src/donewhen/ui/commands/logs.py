"""`donewhen logs RUN`: the ledger of a run as people read it, to its end or while it grows.

Nothing is decided here and nothing is written; a ledger that is not what was written is refused whole.
"""

import sys
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from donewhen.core.errors import UserError
from donewhen.core.events import TYPES, Event
from donewhen.store import resolve
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.logs_text import Lines, event_json, event_line
from donewhen.ui.masked import Masks
from donewhen.ui.output import clean, print_json, print_line
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.store import Opened

_LOOK = 1.0  # seconds between two looks at who executes the run
_SHORTEST = 6  # characters of a digest that name it
_KEPT_TAIL = 8000  # characters; of a longer output that is not kept only the end is known
_SPEAK = ("command_ended", "tool_returned")
_DIGESTS = {"command_ended": "output", "artifact_kept": "digest"}  # the field that names an artifact
_NUMBER = click.IntRange(0, 10**9)


@command("logs", "seeing.logs")
@click.argument("run", shell_complete=complete_run)
@click.option("--follow", "-f", is_flag=True, help=t("seeing.help_follow"))
@click.option("--tail", "-n", default=0, metavar="N", type=_NUMBER, help=t("seeing.help_tail"))
@click.option("--since-seq", default=0, metavar="SEQ", type=_NUMBER, help=t("seeing.help_since_seq"))
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="TYPE",
    type=click.Choice(list(TYPES)),
    help=t("seeing.help_type"),
)
@click.option("--output", default="", metavar="KEY", help=t("seeing.help_output"))
def logs(
    app: App, run: str, follow: bool, tail: int, since_seq: int, types: tuple[str, ...], output: str
) -> None:
    with app.open() as opened:
        run_id = resolve(opened, run)
        if output:
            _print_output(app, opened, run_id, output)
            return
        printer = _Printer(app, Lines(types, since_seq, quiet=app.quiet), tail)
        if follow:
            _follow(app, opened, run_id, printer)
        else:
            printer.show(list(opened.store.read(run_id)))  # proven whole before the first line


class _Printer:
    def __init__(self, app: App, lines: Lines, tail: int) -> None:
        self._app = app
        self._lines = lines
        self._tail = tail
        self._masks = Masks()

    def show(self, events: Iterable[Event]) -> None:
        """Print what is wanted of some more events; `--tail` cuts the first ones alone."""
        taken = ((event, self._lines.take(event), self._masks.take(event)) for event in events)
        wanted = ((event, turn, masked) for event, turn, masked in taken if turn is not None)
        for event, turn, masked in deque(wanted, self._tail) if self._tail else wanted:
            whole = self._app.verbose
            line = event_line(event, turn, whole=whole, masked=masked)
            print_line(event_json(event) if self._app.as_json else line)
        self._tail = 0
        sys.stdout.flush()


def _follow(app: App, opened: "Opened", run_id: str, printer: _Printer) -> None:
    """Until the run has ended and nobody executes it; whoever waits is told when nobody does."""
    store = opened.store
    seen = 0
    told = False
    while True:
        changes = store.changes()  # before reading: what comes meanwhile is seen at the next look
        ended, holder = store.summary(run_id).ended, store.holder(run_id)
        events = list(store.read(run_id, seen))
        printer.show(events)
        seen = events[-1].seq if events else seen
        if ended and not holder:
            return
        if not holder and not told:
            app.note(t("seeing.nobody_executes", run=run_id))
        told = not holder
        store.wait_for_change(changes, _LOOK)


def _print_output(app: App, opened: "Opened", run_id: str, key: str) -> None:
    text, whole = _output(opened, run_id, key)
    if app.as_json:
        print_json({"run": run_id, "key": key, "output": text, "whole": whole})
        return
    sys.stdout.write(clean(text))
    if text and not text.endswith("\n"):
        print_line()
    if not whole:
        app.note(t("seeing.only_end"))


def _output(opened: "Opened", run_id: str, key: str) -> tuple[str, bool]:
    """What a command or a tool said, and whether it is all of it; the last one that `key` names."""
    named: Event | None = None
    digests: set[str] = set()
    for event in opened.store.read(run_id):
        if event.type in _SPEAK and _is_named(event, key, named):
            named = event
        digests.add(getattr(event.body, _DIGESTS.get(event.type, ""), ""))
    if named and not getattr(named.body, _DIGESTS.get(named.type, ""), ""):
        text: str = named.body.tail if named.type == "command_ended" else named.body.output
        return text, named.type != "command_ended" or len(text) < _KEPT_TAIL
    digest = named.body.output if named else _digest(digests, key, run_id)
    return opened.artifacts.get(digest).decode(errors="replace"), True


def _is_named(event: Event, key: str, before: Event | None) -> bool:
    """By its number or its key; a command's own end wins over what the tool round it returned."""
    if str(event.seq) == key:
        return True
    worse = event.type == "tool_returned" and before is not None and before.type == "command_ended"
    return event.body.key == key and not worse


def _digest(known: set[str], key: str, run_id: str) -> str:
    found = [each for each in known if len(key) >= _SHORTEST and each.startswith(key)]
    if len(found) != 1:
        raise UserError("seeing.no_output", key=key, run=run_id)
    return found[0]
