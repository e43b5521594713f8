"""`donewhen report RUN`: what a run came to and what proves it, for people who were not there.

A page, a comment or one JSON object. Writes to stdout, or to the file that is named; only on a terminal does
a page go to a file of its own, since nobody reads HTML there. A ledger that is not what was written gets no
report: what is wrong with it is told as `audit` does.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from donewhen.core.errors import SetupError, UserError
from donewhen.store import Opened, resolve
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.output import complain, json_text, one_line, print_json, print_line
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.run.reporting_model import Dossier

_ENDINGS = {".html": "html", ".htm": "html", ".md": "md", ".markdown": "md", ".json": "json"}
_DAMAGED = 5


@command("report", "help.report")
@click.argument("run", shell_complete=complete_run)
@click.option("--html", is_flag=True, help=t("reporting.help_html"))
@click.option("--md", is_flag=True, help=t("reporting.help_md"))
@click.option("--output", "-o", default="", metavar="FILE", help=t("reporting.help_output"))
def report(app: App, run: str, html: bool, md: bool, output: str) -> int:
    asked = [name for name, given in (("html", html), ("md", md), ("json", app.as_json)) if given]
    if len(asked) > 1:
        raise UserError("reporting.one_format")
    form = asked[0] if asked else _ending(output)
    target = _target(output)
    with app.open() as opened:
        run_id = resolve(opened, run)
        try:
            dossier = _gathered(opened, run_id)
        except SetupError as error:
            return _tell_damage(opened, run_id, error)
    _deliver(app, dossier, form, target)
    if dossier.altered:
        complain(t("reporting.altered", count=len(dossier.altered), run=run_id))
    return _DAMAGED if dossier.altered else 0


def _ending(output: str) -> str:
    ending = Path(output).suffix.lower()
    if ending and ending not in _ENDINGS:
        raise UserError("reporting.unknown_ending", path=one_line(output))
    return _ENDINGS.get(ending, "md")


def _target(output: str) -> Path | None:
    """Where the report goes; told before anything is read when it can't go there."""
    if output in ("", "-"):
        return None
    try:
        path = Path(os.path.realpath(output))  # a link is written through, not replaced
        fits = path.parent.is_dir() and (path.is_file() or not path.exists())
    except (OSError, ValueError):  # a name that no file can have
        fits = False
    if not fits:
        raise UserError("reporting.no_output", path=one_line(output))
    return path


def _gathered(opened: Opened, run_id: str) -> "Dossier":
    from donewhen.run.reporting import gather

    return gather(opened, run_id, os.environ, language())


def _tell_damage(opened: Opened, run_id: str, error: SetupError) -> int:
    """What `audit` finds; where it finds nothing, the error itself is the trouble."""
    from donewhen.store.audit import audit
    from donewhen.ui.commands.audit import sentence

    found = audit(opened.store, run_id).findings
    if not found:
        raise error
    complain(t("reporting.damaged", run=one_line(run_id)))
    for finding in found:
        complain(f"  {sentence(finding)}")
    return _DAMAGED


def _deliver(app: App, dossier: "Dossier", form: str, target: Path | None) -> None:
    if target is None and form == "html" and sys.stdout.isatty():
        from donewhen.config.files import private_folder
        from donewhen.config.paths import state_folder

        target = private_folder(state_folder(os.environ) / "pages") / f"{dossier.run}.html"
    if target is not None:
        _write(target, _rendered(dossier, form))
        app.note(t("reporting.written", path=one_line(target)))
    elif form == "json":
        from donewhen.ui.reports.run_data import run_data

        print_json(run_data(dossier, language()))
    else:
        print_line(_rendered(dossier, form).removesuffix("\n"))


def _rendered(dossier: "Dossier", form: str) -> str:
    if form == "html":
        from donewhen.ui.reports.run_html import run_html

        return run_html(dossier, language())
    if form == "md":
        from donewhen.ui.reports.run_markdown import run_markdown

        return run_markdown(dossier, language())
    from donewhen.ui.reports.run_data import run_data

    return json_text(run_data(dossier, language())) + "\n"


def _write(path: Path, text: str) -> None:
    from donewhen.config.files import write_whole

    try:
        write_whole(path, text.encode(errors="backslashreplace"), 0o644)
    except OSError as error:
        raise SetupError("reporting.output_failed", path=path, why=error.strerror or error) from None
