"""The `donewhen` command: which sub-commands there are, and how every failure ends.

Commands load when they are called. A failure is one sentence and an exit code; a bug of ours is exit 70
with a report file. No traceback, unless `--debug` asks for it.
"""

import gc
import os
import signal
import sys
from contextlib import suppress

import click

from donewhen import __version__
from donewhen.core.errors import DonewhenError, UserError
from donewhen.ui.help import Group
from donewhen.ui.words import language, t

_SELDOM = (100_000, 20, 20)  # looking for cycles among modules and events costs a fifth of a command
GROUPS = {  # as the help lists them, the everyday ones first
    "work": {
        "run": "run:run",
        "resume": "resume:resume",
        "abort": "abort:abort",
        "plan": "plan:plan",
        "amend": "amend:amend",
    },
    "judge": {
        "verify": "verify:verify",
        "receipt": "receipt:receipt",
        "confirm": "confirm:confirm",
        "approve": "approve:approve",
        "deny": "approve:deny",
        "match": "match:match",
        "goal": "goal:goal",
        "gate": "gate:gate",
    },
    "gate": {
        "install": "install:install",
        "uninstall": "install:uninstall",
        "arm": "arm:arm",
        "disarm": "arm:disarm",
        "pause": "arm:pause",
        "off": "arm:off",
        "on": "arm:on",
        "guard": "guard:guard",
        "hook": "hook:hook",
    },
    "look": {
        "list": "runs:list_runs",
        "show": "show:show",
        "logs": "logs:logs",
        "diff": "diff:diff",
        "report": "report:report",
        "stats": "stats:stats",
        "cost": "cost:cost",
        "audit": "audit:audit",
    },
    "set_up": {
        "init": "init:init",
        "doctor": "doctor:doctor",
        "models": "models:models",
        "config": "config:config",
        "trust": "trust:trust",
        "untrust": "trust:untrust",
        "gc": "gc:gc",
        "export": "transfer:export",
        "import": "transfer:import_",
        "demo": "demo:demo",
        "completion": "completion:completion",
        "fake-model": "fake_model:fake_model",
    },
}
COMMANDS = {name: place for group in GROUPS.values() for name, place in group.items()}

_ABOUT = {  # commands whose help is not in the room `help`
    **{name: f"seeing.{name}" for name in ("logs", "diff", "stats", "cost")},
    **{
        name: f"install.help_{name}"
        for name in ("install", "uninstall", "hook", "arm", "disarm", "pause", "off", "on")
    },
    "receipt": "receipt.help",
    "models": "models_found.help",
    "resume": "resume.help",
    "abort": "resume.help_abort",
    "fake-model": "fakemodel.help",
}


# What an agent may not do: only the human who runs it. `permit` and `confirmed` are options.
HUMAN = frozenset(
    "pause off on amend confirm deny approve trust untrust arm disarm install uninstall".split()
)
HUMAN_OPTIONS = ("--permit", "--confirmed")


def _require_human(name: str, words: list[str]) -> None:
    """A command of the human is refused below the process of a gated client."""
    options = any(word.partition("=")[0] in HUMAN_OPTIONS for word in words)
    if name not in HUMAN and not options:
        return
    if "--help" in words:
        return
    from donewhen.integrations.hook.ancestry import gated_above

    client = gated_above(os.environ)
    if client:
        shown = name if name in HUMAN else next(one for one in HUMAN_OPTIONS if one in " ".join(words))
        raise UserError("cli.for_the_human", command=shown, client=client)


class LazyGroup(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"donewhen.ui.commands.{module}"), name)
        return command

    def sections(self, ctx: click.Context) -> dict[str, list[str]]:
        return {t(f"help.group_{group}"): list(names) for group, names in GROUPS.items()}

    def line_about(self, ctx: click.Context, name: str) -> str:
        return t(_ABOUT.get(name, f"help.{name}"))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"donewhen {__version__}")
        ctx.exit()


@click.group(cls=LazyGroup, help=t("help.donewhen"))
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help=t("help.version"),
)
def cli() -> None:
    pass


def _shared_options_last(words: list[str]) -> list[str]:
    """`donewhen -q list` means `donewhen list -q`: options that all commands share may come first."""
    moved: list[str] = []
    while words and words[0] in ("-q", "--quiet", "-v", "--verbose", "--json", "--debug", "--set"):
        taken = 2 if words[0] == "--set" else 1
        moved, words = moved + words[:taken], words[taken:]
    return words + moved if words else moved


def main() -> None:
    gc.set_threshold(*_SELDOM)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123
        getattr(sys, name).reconfigure(errors="backslashreplace")
    try:
        code = _outcome()
        sys.stdout.flush()
    except OSError as error:
        code = _unprintable(error)
    sys.exit(code)


def _unprintable(error: OSError) -> int:
    """Nobody reads our output any more, or it can't be written: say so on stderr if that works."""
    from donewhen.ui import failures

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return 128 + signal.SIGPIPE
    with suppress(OSError):
        failures.unprintable(error)
    return 5


def _outcome() -> int:
    """Run the command; everything that can go wrong ends here as an exit code."""
    from donewhen.ui import failures

    try:
        return _run(_shared_options_last(sys.argv[1:]))
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return failures.usage(error)
    except DonewhenError as error:
        return failures.known(error, language())
    except (click.Abort, KeyboardInterrupt):
        return failures.interrupted()
    except OSError:
        raise
    except Exception as error:  # the last door: anything else is a bug of ours, and says so
        return failures.bug(error)


def _run(words: list[str]) -> int:
    if {"_DONEWHEN_COMPLETE", "COMP_WORDS"} <= os.environ.keys():
        cli.main(args=words, prog_name="donewhen")
    if words:
        _require_human(words[0], words)
    # Not cli.main: it would turn a closed pipe into an exit code of its own.
    with cli.make_context("donewhen", words) as context:
        result = cli.invoke(context)
    sys.stdout.flush()
    return result if isinstance(result, int) else 0
