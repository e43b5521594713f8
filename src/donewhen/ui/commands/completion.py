"""`donewhen completion SHELL`: the script that teaches a shell our commands."""

import click
from click.shell_completion import get_completion_class

from donewhen.core.errors import InvariantBroken
from donewhen.ui.app import App, command
from donewhen.ui.output import print_json, print_line


@command("completion", "help.completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(app: App, shell: str) -> None:
    from donewhen.ui.cli import cli

    made = get_completion_class(shell)
    if made is None:
        raise InvariantBroken("cli.no_shell", shell=shell)
    script = made(cli, {}, "donewhen", "_DONEWHEN_COMPLETE").source()
    if app.as_json:
        print_json({"shell": shell, "script": script})
    else:
        print_line(script)
