"""`donewhen receipt`: what an agent said last, and what of it holds. Nothing has to be installed or armed."""

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from donewhen.core.errors import DonewhenError, UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.output import one_line, paint, print_json, print_line
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.integrations.receipt.logs import Message
    from donewhen.integrations.receipt.receipt import Receipt

_COLOURS = {"holds": "green", "fails": "red", "unknown": "yellow"}
_LARGEST = 4 * 2**20  # characters of a message on stdin
_EVERY = 2.0  # seconds between two looks of --watch


@command("receipt", "receipt.help")
@click.argument("log", required=False, metavar="[LOG|-]")
@click.option("--watch", is_flag=True, help=t("receipt.opt_watch"))
def receipt(app: App, log: str | None, watch: bool) -> int:
    if watch:
        if log is not None or app.as_json:
            raise UserError("receipt.watch_alone")
        return _watch(app)
    made = _made(app, _message(log))
    _print(app, made)
    return made.exit_code


def _message(log: str | None) -> "Message":
    from donewhen.integrations.receipt.logs import Message, message_in, newest_message

    if log == "-":
        text = sys.stdin.read(_LARGEST)
        if not text.strip():
            raise UserError("receipt.empty")
        return Message(text)
    if log is not None:
        return message_in((here() / log).absolute(), _root())
    return newest_message(_root(), os.environ)


def _root() -> Path:
    """The whole repository: an agent may have worked in another folder of it."""
    from donewhen.core.errors import SetupError
    from donewhen.workspace.git.repository import find_repository

    try:
        return find_repository(here(), os.environ).root
    except SetupError:
        return here()


def _made(app: App, message: "Message") -> "Receipt":
    from donewhen.integrations.receipt.receipt import make_receipt
    from donewhen.ui.progress import Progress
    from donewhen.ui.stopping import run_stoppable
    from donewhen.verify.change import Means

    with Progress(quiet=app.quiet or app.as_json) as progress:
        return make_receipt(
            message, Means(here(), os.environ, app.settings, language(), progress), run_stoppable
        )


def _print(app: App, made: "Receipt") -> None:
    from donewhen.integrations.receipt.receipt import receipt_data, source_name

    if app.as_json:
        print_json(receipt_data(made))
        return
    if not app.quiet:
        name = source_name(made.message)
        print_line(
            t("receipt.from_log", client=name, age=_age(made.message.at)) if name else t("receipt.from_hand")
        )
    for line in made.lines:
        print_line(
            f"{paint(line.mark, _COLOURS[line.state])} {line.claim}  {paint(one_line(line.evidence), 'dim')}"
        )
        if line.state == "fails":
            print_line(paint(f"    “{one_line(line.said)}”", "dim"))
    if not made.lines:
        print_line(t("receipt.nothing_claimed"))
    elif len(made.lines) > 1 and not app.quiet:
        count = made.failing or made.holding
        print_line(
            t("receipt.some_fail" if made.failing else "receipt.all_hold", count=count, all=len(made.lines))
        )


def _age(at: float) -> str:
    passed = int(max(0.0, time.time() - at))
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if passed >= size:
            return f"{passed // size} {unit}"
    return f"{passed} s"


def _watch(app: App) -> int:
    """A receipt for each new message; what can't be read yet may be there at the next look."""
    known: tuple[str, float] | None = None
    waiting = False
    while True:
        try:
            message = _message(None)
        except DonewhenError as error:
            if not waiting:
                app.note(error.say(language()))
            waiting = True
        else:
            if (message.text, message.at) != known:
                known, waiting = (message.text, message.at), False
                _print(app, _made(app, message))
                sys.stdout.flush()
        time.sleep(_EVERY)
