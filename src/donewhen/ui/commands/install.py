"""`donewhen install` and `uninstall`: gate an agent that people already use, and let it go again."""

import os
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase
from donewhen.ui.app import App, command, here
from donewhen.ui.output import one_line, print_json, print_line, wrap
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.integrations.install.clients import Scope
    from donewhen.integrations.install.installing import Done, Ground

_CLIENT = click.Choice(["claude", "codex", "gemini", "opencode"])
_SHOWN = 5


def _scopes(function: Any) -> Any:
    for name in ("project", "user"):
        function = click.option(f"--{name}", is_flag=True, help=t(f"install.opt_{name}"))(function)
    return function


@command("install", "install.help_install")
@click.argument("client", type=_CLIENT, metavar="CLIENT")
@_scopes
@click.option("--dry-run", is_flag=True, help=t("install.opt_dry_run"))
@click.option("--force", is_flag=True, help=t("install.opt_force"))
def install(app: App, client: str, user: bool, project: bool, dry_run: bool, force: bool) -> None:
    from donewhen.integrations.install.arming import armed
    from donewhen.integrations.install.installing import install as put_in

    scope, ground = _scope("install", user, project), _ground()
    done = put_in(client, scope, ground, dry_run=dry_run, force=force)
    folders = [str(folder) for folder in armed(ground.state)]
    if app.as_json:
        more = {"dry_run": True, "diff": done.diff} if dry_run else {"dry_run": False}
        print_json({**_told(client, scope, done), **more, "armed": folders})
    elif dry_run and done.status != "already":
        print_line(t("install.would_change", file=one_line(done.file)))
        for line in done.diff.splitlines():
            print_line(one_line(line) if not line.strip() else _clean(line))
    elif not app.quiet:
        _say(client, done)
        if not dry_run:
            shown = ", ".join(folders[:_SHOWN]) + (" …" if len(folders) > _SHOWN else "")
            key = "install.gated_where" if folders else "install.gated_nowhere"
            _print(t(key, folders=shown))
            if done.status != "already":
                flag = " --project" if scope == "project" else ""
                _print(t("install.start_anew", client=client, flag=flag))


@command("uninstall", "install.help_uninstall")
@click.argument("client", type=_CLIENT, metavar="CLIENT")
@_scopes
def uninstall(app: App, client: str, user: bool, project: bool) -> None:
    from donewhen.integrations.install.installing import uninstall as take_out

    scope = _scope("uninstall", user, project)
    done = take_out(client, scope, _ground())
    if app.as_json:
        print_json(_told(client, scope, done))
    elif not app.quiet:
        _say(client, done)


def _scope(command: str, user: bool, project: bool) -> "Scope":
    if user and project:
        raise UserError("install.both_scopes", command=command)
    return "project" if project else "user"


def _ground() -> "Ground":
    from donewhen.config.paths import state_folder
    from donewhen.integrations.install.installing import Ground

    return Ground(state_folder(os.environ), os.environ, here())


def _told(client: str, scope: str, done: "Done") -> dict[str, Any]:
    notes = [{"key": note.key, "message": _phrase(note)} for note in done.notes]
    return {"client": client, "scope": scope, "status": done.status, "file": str(done.file), "notes": notes}


def _say(client: str, done: "Done") -> None:
    _print(t(f"install.{done.status}", client=client, file=done.file))
    for note in done.notes:
        _print(_phrase(note))


def _print(text: str) -> None:
    for line in wrap(one_line(text), "  "):
        print_line(line)


def _phrase(note: Phrase) -> str:
    return t(note.key, **note.values)


def _clean(line: str) -> str:
    from donewhen.ui.output import clean

    return clean(line)
