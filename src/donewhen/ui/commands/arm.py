"""`donewhen arm` and `disarm`: the user's word that sessions in a folder are to be checked."""

import os
from pathlib import Path

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.output import one_line, print_json, print_line
from donewhen.ui.words import t


@command("arm", "install.help_arm")
@click.argument("folder", required=False, metavar="[FOLDER]")
@click.option("--list", "as_list", is_flag=True, help=t("install.opt_list"))
def arm(app: App, folder: str | None, as_list: bool) -> None:
    from donewhen.config.paths import state_folder
    from donewhen.integrations.install import arming

    state = state_folder(os.environ)
    if as_list:
        if folder is not None:
            raise UserError("install.list_alone")
        _print_list(app, arming.armed(state))
        return
    real, new = arming.arm(state, here() / folder if folder else here())
    if app.as_json:
        print_json({"armed": True, "new": new, "folder": str(real)})
    elif not app.quiet:
        print_line(t("install.armed" if new else "install.armed_already", folder=one_line(real)))
        if not any((state / "installed").glob("*.json")):
            app.note(t("install.no_client"))


@command("disarm", "install.help_disarm")
@click.argument("folder", required=False, metavar="[FOLDER]")
def disarm(app: App, folder: str | None) -> None:
    from donewhen.config.paths import state_folder
    from donewhen.integrations.install import arming

    state = state_folder(os.environ)
    real, was = arming.disarm(state, here() / folder if folder else here())
    still = arming.why_gated(state, real)
    if app.as_json:
        print_json(
            {"armed": False, "was": was, "folder": str(real), "still": str(still.path) if still else None}
        )
    elif not app.quiet:
        print_line(t("install.disarmed" if was else "install.not_armed", folder=one_line(real)))
        if still:
            print_line(t("install.still_gated", path=one_line(still.path)))


def _print_list(app: App, folders: list[Path]) -> None:
    if app.as_json:
        print_json({"folders": [str(folder) for folder in folders]})
        return
    for folder in folders:
        print_line(one_line(folder))
    if not folders:
        app.note(t("install.none_armed"))
