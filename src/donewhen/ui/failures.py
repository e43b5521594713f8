"""How a command that failed ends: one sentence on stderr, for `--json` also one object on stdout."""

import os
import re
import sys
import time
import traceback

import click

from donewhen import __version__
from donewhen.core.errors import DonewhenError, InvariantBroken
from donewhen.core.ids import stamp
from donewhen.core.texts import Language
from donewhen.ui.output import complain, one_line, print_json, wrap
from donewhen.ui.words import t

INTERRUPTED = 130
_PORTS = 65535


def known(error: DonewhenError, language: Language) -> int:
    if isinstance(error, InvariantBroken):
        return bug(error)
    _debug(error)
    return _end(error.say(language), error.key, error.exit_code)


def usage(error: click.ClickException) -> int:
    """Click's own complaints, in our words and language."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else _command()
    if isinstance(error, click.NoSuchOption):
        import difflib

        close = difflib.get_close_matches(error.option_name, error.possibilities or (), cutoff=0.7)
        near = ", ".join(close)
        hint = t("cli.did_you_mean", name=near) if near else ""
        text = t("cli.no_option", option=error.option_name, hint=hint, command=command)
    elif isinstance(error, click.MissingParameter):
        text = t("cli.missing", name=_name_of(error.param), command=command)
    else:
        text = _bad_value(error, command)
    return _end(text, "cli.usage", 2)


def _bad_value(error: click.ClickException, command: str) -> str:
    param = error.param if isinstance(error, click.BadParameter) else None
    if param and isinstance(param.type, click.Choice):
        choices = ", ".join(map(str, param.type.choices))
        return t("cli.bad_choice", name=_name_of(param), choices=choices, command=command)
    if param and isinstance(param.type, click.IntRange):
        top = param.type.max
        if top is not None and top <= _PORTS:  # a bound that means something
            return t("cli.bad_range", name=_name_of(param), least=param.type.min, most=top, command=command)
        return t("cli.bad_number", name=_name_of(param), command=command)
    if isinstance(error, click.BadOptionUsage):
        return t("cli.option_value", option=error.option_name, command=command)
    extra = re.search(r"extra arguments? \((.*)\)", error.message)
    if extra:
        return t("cli.extra", name=one_line(extra[1]), command=command)
    return t("cli.usage", why=one_line(error.format_message()).rstrip("."), command=command)


def _name_of(param: click.Parameter | None) -> str:
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return param.human_readable_name if param else ""


def _command() -> str:
    """The command that was called, where click does not say."""
    from donewhen.ui.cli import COMMANDS

    called = [word for word in sys.argv[1:2] if word in COMMANDS]
    return " ".join(["donewhen", *called])


def interrupted() -> int:
    return _end(t("cli.interrupted"), "cli.interrupted", INTERRUPTED)


def bug(error: Exception) -> int:
    """A bug of ours: exit 70 and a report that can be sent, without secrets."""
    _debug(error)
    return _end(t("cli.bug", why=type(error).__name__, report=_report(error)), "cli.bug", 70)


def unprintable(error: OSError) -> None:
    """A failure of the system: at a file that it names, or else at our output."""
    key = "cli.os_error" if error.filename else "cli.cannot_print"
    complain(f"donewhen: {t(key, why=error.strerror, path=one_line(error.filename))}")


def _end(text: str, key: str, code: int) -> int:
    complain("\n".join(wrap(f"donewhen: {one_line(text)}", "  ")))
    if "--json" in sys.argv:
        print_json({"error": {"key": key, "message": text, "exit": code}})
    return code


def _debug(error: Exception) -> None:
    if "--debug" in sys.argv:
        traceback.print_exception(error, file=sys.stderr)


def _report(error: Exception) -> str:
    from donewhen.config.files import write_whole
    from donewhen.config.paths import state_folder
    from donewhen.ui.hiding import redactor

    name = f"bug-{stamp(time.time()).replace(':', '')}.txt"
    trace = "".join(traceback.format_exception(error))
    text = (
        f"donewhen {__version__}, Python {sys.version}, {sys.platform}\n{' '.join(sys.argv[1:])}\n\n{trace}"
    )
    try:
        path = state_folder(os.environ) / "reports" / name
        write_whole(path, redactor().text(text).encode(errors="replace"))
    except (OSError, DonewhenError) as problem:
        return f"({problem})"
    return str(path)
