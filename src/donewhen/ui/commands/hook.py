"""`donewhen hook`: what gated agents call at every step. With input it never comes here, but for its help."""

import os

import click

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command
from donewhen.ui.words import t


@command("hook", "install.help_hook")
@click.argument("client", required=False, metavar="CLIENT")
@click.argument("event", required=False, metavar="[EVENT]")
@click.option("--deadline", metavar="SECONDS", help=t("install.opt_deadline"))
def hook(app: App, client: str | None, event: str | None, deadline: str | None) -> None:
    if client is None or os.isatty(0):
        raise UserError("install.hook_typed")
    from donewhen.integrations.hook.main import main

    main([client, *([event] if event else []), *(["--deadline", deadline] if deadline else [])])
