"""`donewhen confirm RUN TEXT`: a human confirms what the promise of a run wants from a human.

Only texts that the promise names can be confirmed, letter by letter; any other one is answered with the list.
"""

import click

from donewhen.store import resolve
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.output import one_line, print_json, print_line
from donewhen.ui.who import who
from donewhen.ui.words import t

_KEYS = {
    "done": "confirmed",
    "asked": "confirm_asked",
    "waits": "confirm_waits",
    "before": "confirmed_before",
}


@command("confirm", "amend.help_confirm")
@click.argument("run", shell_complete=complete_run)
@click.argument("text")
def confirm(app: App, run: str, text: str) -> None:
    from donewhen.run.amending import confirm_run

    with app.open() as opened:
        run_id = resolve(opened, run)
        way = confirm_run(opened, run_id, text, who())
    if app.as_json:
        data = {"executed": way == "asked", "written": way == "done", "before": way == "before"}
        print_json({"run": run_id, "text": text.strip(), **data})
    elif not app.quiet:
        print_line(one_line(t(f"amend.{_KEYS[way]}", run=run_id, text=text.strip())))
