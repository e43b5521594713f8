"""`donewhen arm`, `disarm`, `pause`, `off` and `on`: whether sessions in a folder are gated."""

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
    from donewhen.integrations.sessions import pausing

    real, was = arming.disarm(state, here() / folder if folder else here())
    pausing.release(real, os.environ)
    still = arming.why_gated(state, real)
    if app.as_json:
        print_json(
            {"armed": False, "was": was, "folder": str(real), "still": str(still.path) if still else None}
        )
    elif not app.quiet:
        print_line(t("install.disarmed" if was else "install.not_armed", folder=one_line(real)))
        if still:
            print_line(t("install.still_gated", path=one_line(still.path)))


@command("pause", "install.help_pause")
@click.argument("folder", required=False, metavar="[FOLDER]")
@click.option("--for", "length", default="1h", metavar="TIME", help=t("install.opt_for"))
def pause(app: App, folder: str | None, length: str) -> None:
    _pause(app, folder, length)


@command("off", "install.help_off")
@click.argument("folder", required=False, metavar="[FOLDER]")
def off(app: App, folder: str | None) -> None:
    _pause(app, folder, "")


def _pause(app: App, folder: str | None, length: str) -> None:
    from donewhen.integrations.sessions import pausing

    done = pausing.pause(here() / folder if folder else here(), os.environ, length)
    if app.as_json:
        print_json({"gated": False, "folder": str(done.folder), "until": done.until, "live": done.sessions})
    elif not app.quiet:
        values = {"folder": one_line(done.folder), "length": length, "count": done.sessions}
        print_line(t("install.paused" if length else "install.off", **values))


@command("on", "install.help_on")
@click.argument("folder", required=False, metavar="[FOLDER]")
def on(app: App, folder: str | None) -> None:
    from donewhen.config.paths import state_folder
    from donewhen.integrations.install import arming
    from donewhen.integrations.sessions import pausing

    done = pausing.go_on(here() / folder if folder else here(), os.environ)
    above = pausing.paused_above(done.folder, os.environ)
    gated = above is None and arming.why_gated(state_folder(os.environ), done.folder) is not None
    if app.as_json:
        print_json({"gated": gated, "folder": str(done.folder), "live": done.sessions})
    elif not app.quiet:
        if above is not None:
            print_line(t("install.on_paused_above", path=one_line(above)))
        else:
            key = "install.on" if gated else "install.on_not_gated"
            print_line(t(key, folder=one_line(done.folder), count=done.sessions))


def _print_list(app: App, folders: list[Path]) -> None:
    if app.as_json:
        print_json({"folders": [str(folder) for folder in folders]})
        return
    for folder in folders:
        print_line(one_line(folder))
    if not folders:
        app.note(t("install.none_armed"))
